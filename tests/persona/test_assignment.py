"""Giving out friends (PERS-07…17): the cap, determinism, mutations, the fallback."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chingoo.model.enums import EmojiFreq, Length, LexiconBias
from chingoo.model.people import Assignment, LaterAssignment, Window
from chingoo.persona.assignment import allowed, assign
from chingoo.persona.style import defaults
from chingoo.policy.bundle import Bundle

EMPTY = Window(0, {})
seeds = st.integers(0, 2**32 - 1)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(hours=24)


class Desk:
    """Gives out friends one after the other and keeps the window of the last 24 hours, as the store does."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.given: list[tuple[datetime, Assignment]] = []

    def before(self, at: datetime) -> Counter[str]:
        return Counter(str(one.combo_key) for when, one in self.given if at - DAY <= when < at)

    def window(self, at: datetime) -> Window:
        keys = self.before(at)
        later = []
        for when, one in self.given:
            if at < when <= at + DAY and not one.fallback:
                counts, key = self.before(when), str(one.combo_key)
                later.append(LaterAssignment(key, counts.total(), counts[key]))
        return Window(keys.total(), keys, tuple(later))

    def over_the_cap(self) -> list[tuple[datetime, Assignment]]:
        """Assignments that kept the cap when they were given, and do not any more."""
        broken = []
        for when, one in self.given:
            counts = self.before(when)
            taken = counts[str(one.combo_key)] + 1
            if not one.fallback and taken > max(1, 7 * (counts.total() + 1) // 100):
                broken.append((when, one))
        return broken

    def give(self, seed: int, at: datetime) -> Assignment:
        made = assign(self.bundle.personas, self.bundle.planning.assignment, seed, self.window(at))
        self.given.append((at, made))
        return made


def mutated(bundle: Bundle, made: Assignment) -> set[str]:
    """Which of the three categories differ from the template's defaults."""
    plain, style = defaults(bundle.personas[made.persona_template_id]), made.stable_style_params
    speech = (style.msg_length_pref, style.emoji_freq, style.punctuation_quirks)
    return {
        name
        for name, differs in {
            "speech_style": speech != (plain.length, plain.emoji, plain.quirks),
            "humor_mode": style.humor_mode is not plain.humor,
            "friend_energy": made.combo_key.friend_energy is not plain.energy,
        }.items()
        if differs
    }


@given(seed=seeds)
def test_two_categories_are_mutated_where_nothing_stands_against_it(bundle: Bundle, seed: int) -> None:
    """PERS-08: exactly two, and speech style in exactly one of its fields (C-66)."""
    made = assign(bundle.personas, bundle.planning.assignment, seed, EMPTY)
    plain, style = defaults(bundle.personas[made.persona_template_id]), made.stable_style_params
    changed = mutated(bundle, made)
    fields = (
        (style.msg_length_pref, plain.length),
        (style.emoji_freq, plain.emoji),
        (style.punctuation_quirks, plain.quirks),
    )
    assert len(changed) == 2
    assert sum(now != before for now, before in fields) == int("speech_style" in changed)
    assert not made.fallback


@given(seed=seeds)
def test_what_is_fixed_stays_the_templates(bundle: Bundle, seed: int) -> None:
    """PERS-03, PERS-10, C-66: register and archetype are fixed, two parameters follow from the archetype."""
    made = assign(bundle.personas, bundle.planning.assignment, seed, EMPTY)
    template, style = bundle.personas[made.persona_template_id], made.stable_style_params
    derived = bundle.planning.assignment.styles[template.core_archetype]
    assert made.persona_seed == seed
    assert made.combo_key.core_archetype is template.core_archetype
    assert made.combo_key.humor_mode is style.humor_mode
    assert style.lexicon_bias is template.lexicon_bias.language_cleanliness
    assert (style.directness_level, style.followup_question_rate) == (
        derived.directness_level,
        derived.followup_question_rate,
    )


@given(seed=seeds, counts=st.dictionaries(st.sampled_from(["a", "b"]), st.integers(0, 9)))
def test_the_same_seed_and_window_give_the_same_friend(bundle: Bundle, seed: int, counts: dict[str, int]) -> None:
    """PERS-17."""
    window = Window(sum(counts.values()), counts)
    policy = bundle.planning.assignment
    assert assign(bundle.personas, policy, seed, window) == assign(bundle.personas, policy, seed, window)


@pytest.mark.parametrize(
    ("total", "taken", "fits"),
    [
        (0, 0, True),
        (0, 1, False),
        (27, 0, True),
        (27, 1, False),  # N_new = 28: one is allowed
        (28, 1, True),  # N_new = 29: 2.03, so two
        (28, 2, False),
        (99, 6, True),  # N_new = 100: seven
        (99, 7, False),
    ],
)
def test_the_cap_counts_the_new_one(bundle: Bundle, total: int, taken: int, fits: bool) -> None:
    """PERS-14, PERS-15."""
    key = assign(bundle.personas, bundle.planning.assignment, 7, EMPTY).combo_key
    assert allowed(bundle.planning.assignment, key, Window(total, {str(key): taken})) is fits


@settings(max_examples=15, deadline=None)
@given(gaps=st.lists(st.integers(0, 40 * 60), min_size=1, max_size=60), seed=seeds, stride=st.integers(0, 3))
def test_no_assignment_but_a_fallback_exceeds_the_cap(bundle: Bundle, gaps: list[int], seed: int, stride: int) -> None:
    """PERS-13, PERS-16: for any sequence of instants (minutes apart), also with one seed for all."""
    desk, at = Desk(bundle), NOON
    for number, minutes in enumerate(gaps):
        at += timedelta(minutes=minutes)
        window = desk.window(at)
        made = desk.give((seed + number * stride) % 2**32, at)
        if not made.fallback:
            taken = window.by_combo.get(str(made.combo_key), 0) + 1
            assert taken <= max(1, 7 * (window.total + 1) // 100)


@settings(max_examples=25, deadline=None)
@given(minutes=st.lists(st.integers(0, 60 * 60), min_size=2, max_size=90), seed=seeds, stride=st.integers(0, 3))
def test_late_arrivals_leave_the_others_within_the_cap(
    bundle: Bundle, minutes: list[int], seed: int, stride: int
) -> None:
    """PERS-16: instants in any order; what kept the cap once keeps it for good."""
    desk = Desk(bundle)
    for number, minute in enumerate(minutes):
        desk.give((seed + number * stride) % 2**32, NOON + timedelta(minutes=minute))
    assert desk.over_the_cap() == []


def test_a_late_fallback_takes_a_key_that_harms_nobody(bundle: Bundle) -> None:
    """PERS-16: the rarest of the keys that no later assignment needs."""
    policy = bundle.planning.assignment
    tight = replace(policy, cap_percent=0, cap_at_least=0)
    rarest = str(assign(bundle.personas, tight, 11, EMPTY).combo_key)
    late = assign(bundle.personas, tight, 11, Window(0, {}, (LaterAssignment(rarest, 0, 0),)))
    assert late.fallback
    assert str(late.combo_key) != rarest


def test_one_seed_cannot_clone(bundle: Bundle) -> None:
    """PERS-09, PERS-16: a hundred people with one seed get many friends, and none of them by breaking the cap."""
    desk = Desk(bundle)
    made = [desk.give(424242, NOON + timedelta(seconds=n)) for n in range(100)]
    assert not any(one.fallback for one in made)
    assert len({one.combo_key for one in made}) >= 15


def test_the_third_category_is_mutated_only_against_the_cap(bundle: Bundle) -> None:
    """PERS-09: where the first choice is taken, the same template is tried with all three first."""
    policy = bundle.planning.assignment
    third = 0
    for seed in range(300):
        first = assign(bundle.personas, policy, seed, EMPTY)
        taken = Window(1, {str(first.combo_key): 1})
        second = assign(bundle.personas, policy, seed, taken)
        assert second.combo_key != first.combo_key
        third += len(mutated(bundle, second)) == 3 and second.persona_template_id == first.persona_template_id
    assert third > 150  # where speech style was the spared one, mutating it cannot help


def test_the_fallback_takes_the_rarest_key(bundle: Bundle) -> None:
    """PERS-16: every key is over the cap; the one with the fewest assignments is given, and says so."""
    policy = bundle.planning.assignment
    keys = {str(assign(bundle.personas, policy, seed, EMPTY).combo_key) for seed in range(6_000)}
    rare = sorted(keys)[5]
    crowded = Window(50 * len(keys), {key: 49 if key == rare else 50 for key in keys} | {"padding": 0})
    tight = replace(policy, cap_percent=0, cap_at_least=0)
    made = assign(bundle.personas, tight, 11, crowded)
    assert made.fallback
    assert str(made.combo_key) == rare


def test_ties_of_the_fallback_go_by_the_seed(bundle: Bundle) -> None:
    """PERS-16: the tie-break is the seed's own order, so different seeds choose differently and one seed always so."""
    tight = replace(bundle.planning.assignment, cap_percent=0, cap_at_least=0)
    chosen = {str(assign(bundle.personas, tight, seed, EMPTY).combo_key) for seed in range(60)}
    assert len(chosen) > 20


def test_every_combination_can_be_reached(bundle: Bundle) -> None:
    """PERS-04, PERS-12: all 120 keys."""
    policy = bundle.planning.assignment
    keys = {assign(bundle.personas, policy, seed, EMPTY).combo_key for seed in range(8_000)}
    assert len(keys) == 120


@pytest.mark.parametrize(
    "wanted",
    [
        {"emoji_freq": {EmojiFreq.NONE}},
        {"emoji_freq": {EmojiFreq.LIGHT}, "msg_length_pref": {Length.SHORT, Length.MEDIUM}},
        {"emoji_freq": {EmojiFreq.FREQUENT}, "msg_length_pref": {Length.SHORT, Length.MEDIUM}},
        {"msg_length_pref": {Length.SHORT}, "emoji_freq": {EmojiFreq.NONE, EmojiFreq.LIGHT}},
        {"msg_length_pref": {Length.MEDIUM}},
        {"msg_length_pref": {Length.LONG}},
        {"lexicon_bias": {LexiconBias.CLEAN}},
    ],
)
def test_every_kind_of_friend_is_found_within_a_few_seeds(bundle: Bundle, wanted: dict[str, set[str]]) -> None:
    """Also where earlier friends fill the window."""
    desk = Desk(bundle)
    for start in (7, 1_000, 50_000):
        found = False
        for seed in range(start, start + 60):
            style = desk.give(seed, NOON + timedelta(seconds=len(desk.given))).stable_style_params
            found = found or all(getattr(style, name) in values for name, values in wanted.items())
        assert found
