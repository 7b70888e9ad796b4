"""Giving out friends under the anti-cloning cap, by seed and window alone (PERS-07…17, C-31)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TypeVar

from chingoo.model.enums import EmojiFreq, FriendEnergy, HumorMode, Length
from chingoo.model.people import Assignment, ComboKey, Window
from chingoo.persona.chance import pick, shuffled
from chingoo.persona.style import Sampled, combo_key, defaults, stable_style
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.policy.documents.planning import AssignmentPolicy

T = TypeVar("T")


class _Draw(IntEnum):
    """Names of the draws of one attempt, so that each has its own chance."""

    TEMPLATE = 0
    SPARED = 1
    SPEECH_FIELD = 2
    SPEECH_VALUE = 3
    HUMOR = 4
    ENERGY = 5
    FALLBACK_KEY = 6
    FALLBACK_WAY = 7


@dataclass(frozen=True, slots=True)
class _Candidate:
    template: PersonaTemplate
    sampled: Sampled

    @property
    def key(self) -> ComboKey:
        return combo_key(self.template, self.sampled)


def assign(library: Mapping[str, PersonaTemplate], policy: AssignmentPolicy, seed: int, window: Window) -> Assignment:
    """The friend of this seed in this window; `fallback` only if the cap could not be kept.

    First draw, then at most `max_resamples` more under the sub-seed (seed, attempt): two categories are mutated, the
    third too if the cap would otherwise be broken. If nothing fits, the rarest reachable combo key (PERS-16).
    """
    templates = [library[template_id] for template_id in sorted(library)]
    for attempt in range(policy.max_resamples + 1):
        for candidate in _attempt(templates, seed, attempt):
            if allowed(policy, candidate.key, window):
                return _assignment(policy, seed, candidate, window)
    return _assignment(policy, seed, _rarest(templates, policy, seed, window), window)


def allowed(policy: AssignmentPolicy, key: ComboKey, window: Window) -> bool:
    """Whether one more assignment of this key keeps the cap, here and at every later instant that looks back on it."""
    name = str(key)
    return _fits(policy, window.by_combo.get(name, 0), window.total) and _keeps_later(policy, name, window)


def _fits(policy: AssignmentPolicy, taken: int, total: int) -> bool:
    """Whether one more of a key fits beside `taken` of `total`, the new one counted (PERS-14, in whole numbers)."""
    return taken + 1 <= max(policy.cap_at_least, policy.cap_percent * (total + 1) // 100)


def _keeps_later(policy: AssignmentPolicy, key: str, window: Window) -> bool:
    """Whether what was given out for a later instant still keeps the cap when this key is counted too (PERS-16)."""
    return all(_fits(policy, one.taken + 1, one.total + 1) for one in window.later if one.combo_key == key)


def _assignment(policy: AssignmentPolicy, seed: int, candidate: _Candidate, window: Window) -> Assignment:
    return Assignment(
        persona_template_id=candidate.template.id,
        persona_seed=seed,
        stable_style_params=stable_style(candidate.template, candidate.sampled, policy.styles),
        combo_key=candidate.key,
        fallback=not allowed(policy, candidate.key, window),
    )


def _attempt(templates: Sequence[PersonaTemplate], seed: int, attempt: int) -> Iterator[_Candidate]:
    """The draw of one attempt: with two of the three categories mutated, then with all three (PERS-08, PERS-09)."""
    template = pick(templates, seed, attempt, _Draw.TEMPLATE)
    mutations: tuple[Callable[[Sampled, int, int], Sampled], ...] = (_speech, _humor, _energy)
    spared = pick(mutations, seed, attempt, _Draw.SPARED)
    sampled = defaults(template)
    for mutate in mutations:
        if mutate is not spared:
            sampled = mutate(sampled, seed, attempt)
    yield _Candidate(template, sampled)
    yield _Candidate(template, spared(sampled, seed, attempt))


def _others(options: Sequence[T], current: T) -> list[T]:
    return [option for option in options if option != current]


def _speech(sampled: Sampled, seed: int, attempt: int) -> Sampled:
    """One of the three fields of speech style takes another value (C-66)."""
    field = pick(("length", "emoji", "quirks"), seed, attempt, _Draw.SPEECH_FIELD)
    words = (seed, attempt, _Draw.SPEECH_VALUE)
    if field == "length":
        return replace(sampled, length=pick(_others(tuple(Length), sampled.length), *words))
    if field == "emoji":
        return replace(sampled, emoji=pick(_others(tuple(EmojiFreq), sampled.emoji), *words))
    return replace(sampled, quirks=pick(_others((0, 1, 2), sampled.quirks), *words))


def _humor(sampled: Sampled, seed: int, attempt: int) -> Sampled:
    return replace(sampled, humor=pick(_others(tuple(HumorMode), sampled.humor), seed, attempt, _Draw.HUMOR))


def _energy(sampled: Sampled, seed: int, attempt: int) -> Sampled:
    return replace(sampled, energy=pick(_others(tuple(FriendEnergy), sampled.energy), seed, attempt, _Draw.ENERGY))


def _rarest(templates: Sequence[PersonaTemplate], policy: AssignmentPolicy, seed: int, window: Window) -> _Candidate:
    """The reachable key with the fewest assignments; ties go by the seed's own order of the sorted keys (PERS-16)."""
    attempt = policy.max_resamples + 1
    ways: dict[str, list[_Candidate]] = {}
    for template in templates:
        for candidate in _reachable(template, seed, attempt):
            ways.setdefault(str(candidate.key), []).append(candidate)
    order = shuffled(sorted(ways), seed, attempt, _Draw.FALLBACK_KEY)
    harmless = [key for key in order if _keeps_later(policy, key, window)] or order
    rarest = min(harmless, key=lambda key: window.by_combo.get(key, 0))
    return pick(ways[rarest], seed, attempt, _Draw.FALLBACK_WAY)


def _reachable(template: PersonaTemplate, seed: int, attempt: int) -> Iterator[_Candidate]:
    """Every key that two mutations of the template can give; what is drawn of speech style is the seed's."""
    plain = defaults(template)
    spoken = _speech(plain, seed, attempt)
    humors = _others(tuple(HumorMode), plain.humor)
    energies = _others(tuple(FriendEnergy), plain.energy)
    for humor in humors:
        yield _Candidate(template, replace(spoken, humor=humor))
        for energy in energies:
            yield _Candidate(template, replace(plain, humor=humor, energy=energy))
    for energy in energies:
        yield _Candidate(template, replace(spoken, energy=energy))
