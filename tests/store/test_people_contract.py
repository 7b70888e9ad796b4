"""What every store must hold of people: answers, age bands, controls, friends (ONB-05, S-15, TURN-08, PERS-11…17)."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from tests.store.conftest import House

from chingoo.errors import ConflictError, ForbiddenError, NotFoundError
from chingoo.model.enums import AgeBand, CoreArchetype, IntimatePersona, TopicID, UserState
from chingoo.model.people import Assignment, Controls, LaterAssignment, Relationship, Window
from chingoo.ports.people import AnswersPatch
from chingoo.testing.scenes import ANSWERS, ASSIGNMENT, DAY, REQUIRED, START, assign, befriend, meet


async def created(house: House):  # type: ignore[no-untyped-def]
    """A new user's id."""
    user_id = house.ids.uuid()
    await house.store.create_user(user_id, START)
    return user_id


# --- users and answers --------------------------------------------------------------------------------------------


async def test_a_user_is_created_once(house: House) -> None:
    user_id = house.ids.uuid()
    first, new = await house.store.create_user(user_id, START)
    assert (first.state, first.safety_age_band, new) == (UserState.CREATED, AgeBand.UNKNOWN, True)
    await house.store.patch_onboarding(user_id, AnswersPatch({"preferred_name": "Sam"}), START)
    again, new = await house.store.create_user(user_id, START)
    assert (again.state, again.answers.preferred_name, new) == (UserState.ONBOARDING, "Sam", False)


async def test_nobody_knows_a_stranger(house: House) -> None:
    stranger = house.ids.uuid()
    calls = (
        house.store.user(stranger),
        house.store.patch_onboarding(stranger, AnswersPatch(ANSWERS), START),
        house.store.patch_onboarding(stranger, AnswersPatch({}), START),
        house.store.patch_controls(stranger, {"intimate_mode": False}, START),
        house.store.patch_controls(stranger, {}, START),
        house.store.friends(stranger),
        house.store.friend(stranger, house.ids.uuid()),
        house.store.memories(stranger, include_inactive=True),
        house.store.messages(stranger, house.ids.uuid(), 50, None),
        house.store.owner_of_conversation(house.ids.uuid()),
        house.store.create_friend(stranger, house.ids.uuid(), house.ids.uuid(), None, START, REQUIRED, DAY, assign),
    )
    for call in calls:
        with pytest.raises(NotFoundError):
            await call


ACCEPTED = [
    (AnswersPatch({"preferred_name": "Sam"}), UserState.ONBOARDING),
    (AnswersPatch({}, proactive_messages_enabled=False), UserState.ONBOARDING),
    (AnswersPatch({}, suppressed_topics=()), UserState.ONBOARDING),
    (AnswersPatch({}), UserState.CREATED),
    (AnswersPatch({"preferred_name": None}), UserState.CREATED),
]


@pytest.mark.parametrize(("patch", "state"), ACCEPTED)
async def test_the_first_accepted_answer_starts_onboarding(house: House, patch: AnswersPatch, state: UserState) -> None:
    """ONB-05."""
    user_id = await created(house)
    assert (await house.store.patch_onboarding(user_id, patch, START)).state is state
    assert (await house.store.user(user_id))[0].state is state


async def test_answers_add_up_and_null_clears_before_active(house: House) -> None:
    user_id = await created(house)
    await house.store.patch_onboarding(user_id, AnswersPatch({"age_band": "25-34", "preferred_name": "Jo"}), START)
    user = await house.store.patch_onboarding(user_id, AnswersPatch({"preferred_name": None}), START)
    assert (user.answers.preferred_name, user.answers.age_band) == (None, AgeBand.B25_34)


async def test_null_is_a_conflict_once_active(house: House) -> None:
    """ONB-10: and nothing of the patch is taken."""
    scene = await meet(house.store, house.ids)
    patch = AnswersPatch({"preferred_name": "Max", "client_timezone": None}, proactive_messages_enabled=False)
    with pytest.raises(ConflictError) as conflict:
        await house.store.patch_onboarding(scene.user_id, patch, START)
    assert [error.pointer for error in conflict.value.errors] == ["/client_timezone"]
    user, controls = await house.store.user(scene.user_id)
    assert (user.answers.preferred_name, controls.proactive_messages_enabled) == ("Sam", True)
    user = await house.store.patch_onboarding(scene.user_id, AnswersPatch({"preferred_name": "Max"}), START)
    assert (user.answers.preferred_name, user.state) == ("Max", UserState.ACTIVE)


BANDS = [
    (["25-34"], "25-34"),
    (["25-34", "13-17"], "13-17"),
    (["13-17", "25-34"], "13-17"),
    (["25-34", "35-44"], "25-34"),
    (["35-44", "18-24", "45+"], "18-24"),
    (["13-17", None, "25-34"], "13-17"),
    ([None], "unknown"),
]


@pytest.mark.parametrize(("said", "safe"), BANDS)
async def test_a_lowered_band_is_final(house: House, said: list[str | None], safe: str) -> None:
    """S-15: what is answered is kept, what counts for safety is the lowest ever said."""
    user_id = await created(house)
    for band in said:
        await house.store.patch_onboarding(user_id, AnswersPatch({"age_band": band}), START)
    user, _ = await house.store.user(user_id)
    assert (user.answers.age_band, user.safety_age_band) == (said[-1], safe)


async def test_lowering_ends_intimate_mode(house: House) -> None:
    scene = await meet(house.store, house.ids)
    await house.store.patch_controls(scene.user_id, {"intimate_mode": True}, START)
    await house.store.patch_onboarding(scene.user_id, AnswersPatch({"age_band": "18-24"}), START)
    assert (await house.store.user(scene.user_id))[1].intimate_mode
    await house.store.patch_onboarding(scene.user_id, AnswersPatch({"age_band": "13-17"}), START)
    assert not (await house.store.user(scene.user_id))[1].intimate_mode
    await house.store.patch_onboarding(scene.user_id, AnswersPatch({"age_band": "25-34"}), START)
    with pytest.raises(ForbiddenError):
        await house.store.patch_controls(scene.user_id, {"intimate_mode": True}, START)


PROACTIVE = [
    (None, None, False),
    ("13-17", None, False),
    ("25-34", None, True),
    ("25-34", False, False),
    ("13-17", True, True),
    (None, True, True),
]


@pytest.mark.parametrize(("band", "said", "effective"), PROACTIVE)
async def test_proactive_messages_by_default(
    house: House, band: str | None, said: bool | None, effective: bool
) -> None:
    """On for adults, off for minors and while the age is unknown, unless the person said so (ONB-05)."""
    user_id = await created(house)
    answers = {"preferred_name": "Sam"} | ({} if band is None else {"age_band": band})
    await house.store.patch_onboarding(user_id, AnswersPatch(answers, proactive_messages_enabled=said), START)
    assert (await house.store.user(user_id))[1].proactive_messages_enabled is effective


# --- controls -----------------------------------------------------------------------------------------------------


async def test_controls_change_one_by_one(house: House) -> None:
    """TURN-08."""
    scene = await meet(house.store, house.ids)
    mute = START + timedelta(days=3)
    changes = (
        (
            {"suppressed_topics": [TopicID.FAMILY, "POLITICS"]},
            {"suppressed_topics": (TopicID.FAMILY, TopicID.POLITICS)},
        ),
        ({"mute_until": mute}, {"mute_until": mute}),
        ({"suppressed_memory_keys": ("fact:home_city",)}, {"suppressed_memory_keys": ("fact:home_city",)}),
        ({"intimate_persona": "shy"}, {"intimate_persona": IntimatePersona.SHY}),
        ({"intimate_mode": True}, {"intimate_mode": True}),
        ({"mute_until": None}, {"mute_until": None}),
        ({"proactive_messages_enabled": False}, {"proactive_messages_enabled": False}),
        ({}, {}),
    )
    expected = Controls(proactive_messages_enabled=True)
    for change, effect in changes:
        expected = replace(expected, **effect)
        assert await house.store.patch_controls(scene.user_id, change, START) == expected
    assert (await house.store.user(scene.user_id))[1] == expected


@pytest.mark.parametrize("band", ["13-17", None])
async def test_intimate_mode_is_for_known_adults(house: House, band: str | None) -> None:
    """C-14, SAFE-07: and nothing else of the patch is taken."""
    user_id = await created(house)
    await house.store.patch_onboarding(user_id, AnswersPatch({"preferred_name": "Sam", "age_band": band}), START)
    with pytest.raises(ForbiddenError):
        await house.store.patch_controls(user_id, {"intimate_mode": True, "suppressed_topics": ["FAMILY"]}, START)
    assert (await house.store.user(user_id))[1] == Controls()
    assert await house.store.patch_controls(user_id, {"intimate_mode": False}, START) == Controls()


# --- friends ------------------------------------------------------------------------------------------------------


async def test_a_new_friend_is_a_stranger(house: House) -> None:
    scene = await meet(house.store, house.ids, active=False)
    friend, relationship = await house.store.friend(scene.user_id, scene.ai_friend_id)
    assert (friend.assignment, friend.assigned_at, friend.name) == (ASSIGNMENT, START, "Nabi")
    assert relationship == Relationship()
    assert await house.store.owner_of_conversation(scene.conversation_id) == scene.user_id
    assert await house.store.friends(scene.user_id) == [(friend, relationship)]


async def test_a_friend_is_made_once(house: House) -> None:
    """The same id again: unchanged, and no further persona is drawn."""
    scene = await meet(house.store, house.ids)
    before = await house.store.friend(scene.user_id, scene.ai_friend_id)

    def never(window: Window) -> Assignment:
        raise AssertionError("drawn again")

    friend, new = await house.store.create_friend(
        scene.user_id, scene.ai_friend_id, house.ids.uuid(), "Other", START + timedelta(days=1), REQUIRED, DAY, never
    )
    assert (friend, new) == (before[0], False)


async def test_friends_come_oldest_first(house: House) -> None:
    scene = await meet(house.store, house.ids)
    later = await befriend(house.store, house.ids, scene.user_id, START + timedelta(hours=1))
    earlier = await befriend(house.store, house.ids, scene.user_id, START - timedelta(hours=1))
    found = [friend.ai_friend_id for friend, _ in await house.store.friends(scene.user_id)]
    assert found == [earlier.ai_friend_id, scene.ai_friend_id, later.ai_friend_id]


async def test_no_friend_before_the_answers(house: House) -> None:
    """ONB-12: the missing ones are named, in their order."""
    user_id = await created(house)
    given = {name: ANSWERS[name] for name in ("age_band", "client_timezone")}
    await house.store.patch_onboarding(user_id, AnswersPatch(given), START)
    with pytest.raises(ConflictError) as conflict:
        await house.store.create_friend(user_id, house.ids.uuid(), house.ids.uuid(), None, START, REQUIRED, DAY, assign)
    missing = ["preferred_name", "country_or_region", "occupation_category"]
    assert [error.pointer for error in conflict.value.errors] == [f"/{name}" for name in missing]
    assert ", ".join(missing) in conflict.value.detail


async def test_the_window_is_exactly_24_hours(house: House, era: datetime) -> None:
    """PERS-13: [at − 24 h, at), whole minutes and broken ones alike."""
    scene = await meet(house.store, house.ids)
    at = era + timedelta(hours=30, seconds=37, microseconds=250_000)
    inside = [
        timedelta(hours=24),
        timedelta(hours=23, minutes=59, seconds=59),
        timedelta(hours=12),
        timedelta(minutes=1),
    ]
    inside += [timedelta(seconds=38), timedelta(seconds=37), timedelta(seconds=1), timedelta(microseconds=1)]
    outside = [timedelta(), timedelta(hours=24, microseconds=1), timedelta(hours=25), -timedelta(microseconds=1)]
    for before in inside + outside:
        await befriend(house.store, house.ids, scene.user_id, at - before)
    seen: list[Window] = []

    def choose(window: Window) -> Assignment:
        seen.append(window)
        return replace(ASSIGNMENT, combo_key=replace(ASSIGNMENT.combo_key, core_archetype=CoreArchetype.SOFT_NERD))

    for _ in range(2):
        await house.store.create_friend(
            scene.user_id, house.ids.uuid(), house.ids.uuid(), None, at, REQUIRED, DAY, choose
        )
    combo = str(ASSIGNMENT.combo_key)
    assert [(window.total, window.by_combo) for window in seen] == [(len(inside), {combo: len(inside)})] * 2
    later = at + timedelta(minutes=5)
    await house.store.create_friend(
        scene.user_id, house.ids.uuid(), house.ids.uuid(), None, later, REQUIRED, DAY, choose
    )
    assert seen[-1].by_combo["Soft Nerd|deadpan|passive"] == 2


@pytest.mark.parametrize("hours", [1, 36])
async def test_the_length_of_the_window_is_the_policys(house: House, era: datetime, hours: int) -> None:
    """PERS-13: `window_hours` of the policy, not a day of the store's own."""
    scene = await meet(house.store, house.ids)
    at = era + timedelta(days=9, seconds=12)
    for before in (timedelta(minutes=59), timedelta(hours=1), timedelta(hours=30), timedelta(hours=37)):
        await befriend(house.store, house.ids, scene.user_id, at - before)
    seen: list[Window] = []

    def choose(window: Window) -> Assignment:
        seen.append(window)
        return ASSIGNMENT

    ids, length = house.ids, timedelta(hours=hours)
    await house.store.create_friend(scene.user_id, ids.uuid(), ids.uuid(), None, at, REQUIRED, length, choose)
    assert seen[0].total == {1: 2, 36: 3}[hours]


async def test_a_late_arrival_sees_what_looks_back_on_it(house: House, era: datetime) -> None:
    """PERS-16: the assignments that kept the cap in (at, at + window], the smallest total for each key and count."""
    scene = await meet(house.store, house.ids)
    at = era + timedelta(days=20)
    broke_it = replace(ASSIGNMENT, fallback=True)

    async def give(after: timedelta, made: Assignment = ASSIGNMENT) -> Window:
        seen: list[Window] = []

        def choose(window: Window) -> Assignment:
            seen.append(window)
            return made

        ids = house.ids
        await house.store.create_friend(scene.user_id, ids.uuid(), ids.uuid(), None, at + after, REQUIRED, DAY, choose)
        return seen[0]

    for after in (timedelta(), timedelta(microseconds=1), timedelta(hours=12), timedelta(hours=24)):
        await give(after)
    await give(timedelta(hours=24, microseconds=1))
    await give(timedelta(hours=6), broke_it)
    combo = str(ASSIGNMENT.combo_key)
    window = await give(timedelta())
    assert (window.total, window.by_combo) == (0, {})
    assert window.later == (
        LaterAssignment(combo, total=1, taken=1),
        LaterAssignment(combo, total=3, taken=3),
        LaterAssignment(combo, total=4, taken=4),
    )
