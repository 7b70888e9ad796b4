"""Users, onboarding, friends and controls."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from chingoo.ports.people import AnswersPatch
from chingoo.web.answers.memories import PersonExport
from chingoo.web.answers.people import (
    ControlsNow,
    FriendList,
    FriendMade,
    FriendNow,
    OnboardingTaken,
    UserMade,
    UserNow,
)
from chingoo.web.bodies import ControlsChange, NewFriend, NewUser, Nothing, Onboarding
from chingoo.web.credentials import Caller
from chingoo.web.endpoint import NO_CONTENT, WRITERS, Answer, AnyEndpoint, Call, Endpoint, as_json, reads
from chingoo.web.queries import AsOfQuery
from chingoo.web.services import People

_ANSWERS = ("preferred_name", "age_band", "country_or_region", "occupation_category", "client_timezone")


def people_routes(people: People) -> Sequence[AnyEndpoint]:
    """Everything under `/v1/users` but conversations and memories."""
    return (*_sign_up_routes(people), *_person_routes(people), *_friend_routes(people), *_control_routes(people))


def _sign_up_routes(people: People) -> Sequence[AnyEndpoint]:
    async def create_user(call: Call[NewUser, Nothing]) -> Answer:
        wanted = call.body.user_id
        if call.principal.caller is Caller.USER:
            wanted = call.principal.user_id if wanted is None else call.user(wanted)
        user, new = await people.create_user(wanted)
        return as_json(user, 201 if new else 200)

    async def answer_onboarding(call: Call[Onboarding, Nothing]) -> Answer:
        return as_json(await people.patch_onboarding(call.path["user_id"], answers_patch(call.body)))

    return (
        Endpoint(
            method="POST",
            path="/v1/users",
            name="create_user",
            tag="people",
            summary="Make a user",
            description="201 for a new user, who is CREATED; 200 and nothing changed for one that exists. With a "
            "user's own token, `user_id` is that user. 409 for the id of a person who was erased.",
            handle=create_user,
            callers=WRITERS,
            body=NewUser,
            answers={201: UserMade, 200: UserMade},
            problems=(404, 409, 503),
            example={"user_id": "6f1c2c1e-0000-4000-8000-000000000002"},
        ),
        Endpoint(
            method="PATCH",
            path="/v1/users/{user_id:uuid}/onboarding",
            name="answer_onboarding",
            tag="people",
            summary="Answer some of the onboarding questions",
            description="Any subset; all of it is taken or none. The first accepted answer moves CREATED to "
            "ONBOARDING. `null` clears an answer before ACTIVE and is 409 after; the two controls take no null.",
            handle=answer_onboarding,
            callers=WRITERS,
            body=Onboarding,
            answers={200: OnboardingTaken},
            problems=(404, 409, 503),
            example={"preferred_name": "Mina", "age_band": "25-34", "country_or_region": "KR"},
        ),
    )


def _person_routes(people: People) -> Sequence[AnyEndpoint]:
    async def erase_user(call: Call[Nothing, AsOfQuery]) -> Answer:
        await people.erase(call.path["user_id"], call.instant(call.query.now))
        return NO_CONTENT

    return (
        reads(
            "/v1/users/{user_id:uuid}",
            people.user,
            UserNow,
            name="read_user",
            tag="people",
            summary="Read a user: state, answers, what is missing, controls",
            description="`age_band` is the effective one: a lower band is final for safety (S-15).",
        ),
        reads(
            "/v1/users/{user_id:uuid}/export",
            people.export,
            PersonExport,
            name="export_user",
            tag="people",
            summary="Give out everything that is stored of a person",
            description="By section, as of one instant; without what the person had forgotten.",
        ),
        Endpoint(
            method="DELETE",
            path="/v1/users/{user_id:uuid}",
            name="erase_user",
            tag="people",
            summary="Erase a person",
            description="At once and for good: every row of the person in every table. A digest of the id stays, so "
            "that neither a late job nor a repeated request makes the person again: the id is 409 from then on. Turns "
            "under way end with 404. Backups are not reached.",
            handle=erase_user,
            callers=frozenset({Caller.APP, Caller.OPERATOR}),
            query=AsOfQuery,
            answers={204: None},
            problems=(404, 503),
        ),
    )


def _friend_routes(people: People) -> Sequence[AnyEndpoint]:
    async def create_friend(call: Call[NewFriend, Nothing]) -> Answer:
        body = call.body
        friend, new = await people.create_friend(
            call.path["user_id"],
            body.ai_friend_id,
            None if body.name is None else str(body.name),
            body.persona_seed,
            call.instant(body.assigned_at),
        )
        return as_json(friend, 201 if new else 200)

    return (
        Endpoint(
            method="POST",
            path="/v1/users/{user_id:uuid}/friends",
            name="create_friend",
            tag="people",
            summary="Assign a friend",
            description="The persona is drawn from `persona_seed` within the anti-cloning window before `assigned_at` "
            "and then frozen. The same `ai_friend_id` again: 200, unchanged. 409 names the answers that are missing.",
            handle=create_friend,
            callers=WRITERS,
            body=NewFriend,
            answers={201: FriendMade, 200: FriendMade},
            problems=(404, 409, 503),
            example={"name": "Nabi", "persona_seed": 7},
        ),
        reads(
            "/v1/users/{user_id:uuid}/friends",
            people.friends,
            FriendList,
            name="list_friends",
            tag="people",
            summary="List a user's friends",
            description="All of them, oldest first.",
        ),
        reads(
            "/v1/users/{user_id:uuid}/friends/{ai_friend_id:uuid}",
            people.friend,
            FriendNow,
            name="read_friend",
            tag="people",
            summary="Read a friend and the relationship",
            description="The style is frozen; the relationship is as of the last turn or decay.",
        ),
    )


def _control_routes(people: People) -> Sequence[AnyEndpoint]:
    async def change_controls(call: Call[ControlsChange, Nothing]) -> Answer:
        now = call.instant(call.body.now)
        return as_json(await people.patch_controls(call.path["user_id"], controls_changes(call.body), now))

    return (
        reads(
            "/v1/users/{user_id:uuid}/controls",
            people.controls,
            ControlsNow,
            name="read_controls",
            tag="people",
            summary="Read what the person switched",
            description="Every control, with its default where the person switched nothing.",
        ),
        Endpoint(
            method="PATCH",
            path="/v1/users/{user_id:uuid}/controls",
            name="change_controls",
            tag="people",
            summary="Switch some of the controls",
            description="Any subset; only `mute_until` may be null. `intimate_mode` is for adults: 403 for a minor or "
            "an unknown age.",
            handle=change_controls,
            callers=WRITERS,
            body=ControlsChange,
            answers={200: ControlsNow},
            problems=(404, 503),
            example={"suppressed_topics": ["POLITICS"], "mute_until": "2026-04-01T00:00:00+00:00"},
        ),
    )


def answers_patch(body: Onboarding) -> AnswersPatch:
    """The named answers, None for those to clear; unnamed ones are left out."""
    given = ((name, getattr(body, name)) for name in _ANSWERS)
    topics, proactive = body.suppressed_topics, body.proactive_messages_enabled
    return AnswersPatch(
        answers={name: None if value is None else str(value) for name, value in given if value is not UNSET},
        proactive_messages_enabled=None if proactive is UNSET else proactive,
        suppressed_topics=None if topics is UNSET else tuple(dict.fromkeys(topics)),
    )


def controls_changes(body: ControlsChange) -> dict[str, Any]:
    """The named controls with the values of `model.people.Controls`; lists say each thing once."""
    changes: dict[str, Any] = {}
    for name in ("proactive_messages_enabled", "intimate_mode", "intimate_persona"):
        value = getattr(body, name)
        if value is not UNSET:
            changes[name] = value
    if body.mute_until is not UNSET:
        changes["mute_until"] = None if body.mute_until is None else body.mute_until.at
    if body.suppressed_topics is not UNSET:
        changes["suppressed_topics"] = tuple(dict.fromkeys(body.suppressed_topics))
    if body.suppressed_memory_keys is not UNSET:
        changes["suppressed_memory_keys"] = tuple(dict.fromkeys(str(key) for key in body.suppressed_memory_keys))
    return changes
