"""Users, their answers and controls (ONB-05, TURN-08, S-15); each change bumps `mem_version`, as memories do."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from chingoo.adapters.postgres.database import Connection, Database, execute, fetch
from chingoo.adapters.postgres.faults import StatementRefusedError
from chingoo.adapters.postgres.queries.rows import CONTROLS, USER, controls_of, user_of
from chingoo.adapters.postgres.statements import Statement
from chingoo.errors import ConflictError, FieldError, ForbiddenError, NotFoundError
from chingoo.model.enums import AgeBand, UserState
from chingoo.model.people import Controls, User
from chingoo.ports.people import AnswersPatch

CREATE = Statement("""
with made as (
    insert into users (user_id, created_at) values (%(user_id)s, %(now)s)
    on conflict (user_id) do nothing
    returning user_id
),
controlled as (
    insert into controls (user_id) select user_id from made
)
select count(*) > 0 as is_new from made
""")

READ = Statement(
    f"select {USER}, {CONTROLS} from users u join controls k on k.user_id = u.user_id where u.user_id = %(user_id)s"
)

LOCK = Statement(f"select {USER} from users u where u.user_id = %(user_id)s for no key update")

ANSWER = Statement("""
update users u
set preferred_name = case when a.new ? 'preferred_name' then a.new ->> 'preferred_name' else u.preferred_name end,
    age_band = case when a.new ? 'age_band' then (a.new ->> 'age_band')::age_band_word else u.age_band end,
    country_or_region = case when a.new ? 'country_or_region' then a.new ->> 'country_or_region'
        else u.country_or_region end,
    occupation_category = case when a.new ? 'occupation_category' then a.new ->> 'occupation_category'
        else u.occupation_category end,
    client_timezone = case when a.new ? 'client_timezone' then a.new ->> 'client_timezone' else u.client_timezone end,
    safety_age_band = least(u.safety_age_band, (a.new ->> 'age_band')::age_band_word),
    state = case when u.state = 'CREATED' and %(accepted)s then 'ONBOARDING' else u.state end,
    mem_version = u.mem_version + 1
from (select %(answers)s::jsonb as new) as a
where u.user_id = %(user_id)s
""")
"""A first age band stands over 'unknown', a lower one over a higher, and none is ever raised (S-15)."""

CONTROL = Statement("""
update controls k
set proactive_messages_enabled = case when c.new ? 'proactive_messages_enabled'
        then (c.new ->> 'proactive_messages_enabled')::boolean else k.proactive_messages_enabled end,
    mute_until = case when c.new ? 'mute_until' then (c.new ->> 'mute_until')::timestamptz else k.mute_until end,
    suppressed_topics = case when c.new ? 'suppressed_topics'
        then array(select jsonb_array_elements_text(c.new -> 'suppressed_topics')) else k.suppressed_topics end,
    suppressed_memory_keys = case when c.new ? 'suppressed_memory_keys'
        then array(select jsonb_array_elements_text(c.new -> 'suppressed_memory_keys'))
        else k.suppressed_memory_keys end,
    intimate_mode = u.safety_age_band not in ('13-17', 'unknown')
        and case when c.new ? 'intimate_mode' then (c.new ->> 'intimate_mode')::boolean else k.intimate_mode end,
    intimate_persona = case when c.new ? 'intimate_persona' then (c.new ->> 'intimate_persona')::intimate_persona_word
        else k.intimate_persona end
from users u, (select %(controls)s::jsonb as new) as c
where k.user_id = %(user_id)s and u.user_id = k.user_id
""")

TOUCH = Statement("update users set mem_version = mem_version + 1 where user_id = %(user_id)s")

_encode = msgspec.json.encode


async def create_user(database: Database, user_id: UUID, now: datetime) -> tuple[User, bool]:
    """See `Store.create_user`."""
    try:
        made = await database.row(CREATE, {"user_id": user_id, "now": now})
    except StatementRefusedError:
        raise erased() from None
    return (await user(database, user_id))[0], bool(made and made["is_new"])


async def user(database: Database, user_id: UUID) -> tuple[User, Controls]:
    """See `Store.user`."""
    row = await database.row(READ, {"user_id": user_id})
    if row is None:
        raise NotFoundError("no such user")
    return user_of(row), controls_of(row, database.vault)


async def patch_onboarding(database: Database, user_id: UUID, patch: AnswersPatch) -> User:
    """See `Store.patch_onboarding`."""
    controls: dict[str, Any] = {}
    if patch.proactive_messages_enabled is not None:
        controls["proactive_messages_enabled"] = patch.proactive_messages_enabled
    if patch.suppressed_topics is not None:
        controls["suppressed_topics"] = patch.suppressed_topics
    if not patch.answers and not controls:
        return (await user(database, user_id))[0]
    accepted = bool(controls) or any(answer is not None for answer in patch.answers.values())

    async def work(connection: Connection) -> User:
        async with connection.transaction():
            before = await _locked(connection, user_id)
            cleared = [name for name, answer in patch.answers.items() if answer is None]
            if before.state is UserState.ACTIVE and cleared:
                raise ConflictError(
                    "an answer cannot be taken back once the user is ACTIVE; send another one",
                    [FieldError(f"/{name}", "may not be null any more") for name in cleared],
                )
            answers = _encode(patch.answers).decode()
            named = {"user_id": user_id, "answers": answers, "accepted": accepted}
            await execute(connection, ANSWER, named)
            await execute(connection, CONTROL, {"user_id": user_id, "controls": _encode(controls).decode()})
            return await _locked(connection, user_id)

    return await database.run(work)


async def patch_controls(database: Database, user_id: UUID, changes: Mapping[str, Any]) -> Controls:
    """See `Store.patch_controls`."""
    stored = dict(changes)
    if "suppressed_memory_keys" in stored:
        stored["suppressed_memory_keys"] = database.vault.seal_keys(user_id, stored["suppressed_memory_keys"])

    async def work(connection: Connection) -> Controls:
        async with connection.transaction():
            before = await _locked(connection, user_id)
            if changes.get("intimate_mode") and not before.safety_age_band.is_adult:
                raise adults_only(before.safety_age_band)
            if changes:
                named = {"user_id": user_id, "controls": _encode(stored).decode()}
                await execute(connection, TOUCH, named)
                await execute(connection, CONTROL, named)
            return controls_of((await fetch(connection, READ, {"user_id": user_id}))[0], database.vault)

    return await database.run(work)


def erased() -> ConflictError:
    """The error for the id of a person who was erased; such an id is never used again (C-68)."""
    return ConflictError("the user of this id was erased; make a user with a new id")


def adults_only(band: AgeBand) -> ForbiddenError:
    """The error for intimate mode where the age does not allow it (C-14, SAFE-07)."""
    why = "the age is not known" if band is AgeBand.UNKNOWN else "the person is a minor, or said so"
    return ForbiddenError(f"intimate mode is for adults only: {why}")


async def _locked(connection: Connection, user_id: UUID) -> User:
    found = await fetch(connection, LOCK, {"user_id": user_id})
    if not found:
        raise NotFoundError("no such user")
    return user_of(found[0])
