"""Friends and their personas, assigned under one lock over all users (PERS-11…17)."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from chingoo.adapters.postgres.database import Connection, Database, execute, send
from chingoo.adapters.postgres.queries.assignment_window import STAND, WALK, walked
from chingoo.adapters.postgres.queries.rows import FRIEND, MISSING, RELATIONSHIP, friend_of, relationship_of
from chingoo.adapters.postgres.statements import Statement
from chingoo.errors import ConflictError, FieldError, NotFoundError
from chingoo.model.people import Assignment, Friend, Relationship
from chingoo.ports.people import ChooseAssignment

FRIENDS = Statement(f"""
select f.user_id, {FRIEND}, {RELATIONSHIP}
from friends f join relationships r on r.user_id = f.user_id and r.ai_friend_id = f.ai_friend_id
where f.user_id = %(user_id)s
order by f.assigned_at, f.ai_friend_id
""")

READ = Statement(f"""
select f.user_id, {FRIEND}, {RELATIONSHIP}
from friends f join relationships r on r.user_id = f.user_id and r.ai_friend_id = f.ai_friend_id
where f.user_id = %(user_id)s and f.ai_friend_id = %(ai_friend_id)s
""")

KNOWN_USER = Statement("select 1 from users where user_id = %(user_id)s")

LACKING = Statement(f"select {MISSING} as missing from users u where u.user_id = %(user_id)s for no key update")

TAKE_TURNS = Statement(f"""
select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(%(lock)s)
from users u
where u.user_id = %(user_id)s and cardinality({MISSING}) = 0 and not exists (
    select from friends f where f.user_id = %(user_id)s and f.ai_friend_id = %(ai_friend_id)s)
""")
"""One assignment at a time over all users, and only those that will be given out.

The lock is not held while the disk writes: the commit that frees it waits for nothing, FLUSHED does.
"""

FLUSHED = Statement("select pg_logical_emit_message(true, 'chingoo', '')")
"""A transaction of its own that changes nothing and is on disk when it is done, with all that was committed before."""

CREATE = Statement("""
with made as (
    insert into friends (user_id, ai_friend_id, conversation_id, name, persona_template_id, persona_seed,
        msg_length_pref, emoji_freq, humor_mode, directness_level, followup_question_rate, lexicon_bias,
        punctuation_quirks, combo_archetype, combo_humor_mode, combo_energy, fallback, assigned_at)
    values (%(user_id)s, %(ai_friend_id)s, %(conversation_id)s, %(name)s, %(persona_template_id)s, %(persona_seed)s,
        %(msg_length_pref)s, %(emoji_freq)s, %(humor_mode)s, %(directness_level)s, %(followup_question_rate)s,
        %(lexicon_bias)s, %(punctuation_quirks)s, %(combo_archetype)s, %(combo_humor_mode)s, %(combo_energy)s,
        %(fallback)s, %(assigned_at)s)
),
met as (
    insert into relationships (user_id, ai_friend_id) values (%(user_id)s, %(ai_friend_id)s)
),
owned as (
    insert into conversation_owners (conversation_id, user_id) values (%(conversation_id)s, %(user_id)s)
),
opened as (
    insert into conversations (user_id, conversation_id, ai_friend_id)
    values (%(user_id)s, %(conversation_id)s, %(ai_friend_id)s)
)
insert into persona_assignments (assigned_at, combo_key, fallback)
values (%(assigned_at)s, %(combo_key)s, %(fallback)s)
""")

_ASSIGNMENT_LOCK = 0x6368696E_676F6F02  # "chingoo" and 2


async def create_friend(
    database: Database,
    user_id: UUID,
    ai_friend_id: UUID,
    conversation_id: UUID,
    name: str | None,
    assigned_at: datetime,
    required: tuple[str, ...],
    length: timedelta,
    choose: ChooseAssignment,
) -> tuple[Friend, bool]:
    """See `Store.create_friend`."""
    key = {"user_id": user_id, "ai_friend_id": ai_friend_id}

    async def work(connection: Connection) -> tuple[Friend, bool]:
        async with connection.pipeline():
            made = await _give(connection)
            await execute(connection, FLUSHED, {})
        return made

    async def _give(connection: Connection) -> tuple[Friend, bool]:
        async with connection.transaction():
            person = await send(connection, LACKING, key | {"required": list(required)})
            turn = key | {"required": list(required), "lock": _ASSIGNMENT_LOCK}
            await execute(connection, TAKE_TURNS, turn)
            same = await send(connection, READ, key)
            counted = await send(connection, WALK, {"assigned_at": assigned_at, "window": length})
            if (lacking := await person.fetchone()) is None:
                raise NotFoundError("no such user")
            if (known := await same.fetchone()) is not None:
                return friend_of(known), False
            if missing := lacking["missing"]:
                raise answers_missing(missing)
            window = walked(await counted.fetchall(), assigned_at, length)
            friend = Friend(user_id, ai_friend_id, conversation_id, name, choose(window.window), assigned_at)
            await execute(connection, CREATE, _columns(friend))
            await execute(connection, STAND, window.stand(str(friend.assignment.combo_key)))
            return friend, True

    return await database.run(work)


def answers_missing(missing: list[str]) -> ConflictError:
    """The error for a friend before the answers are complete (ONB-12)."""
    return ConflictError(
        f"onboarding is not complete; missing: {', '.join(missing)}",
        [FieldError(f"/{name}", "not answered yet") for name in missing],
    )


async def friends(database: Database, user_id: UUID) -> list[tuple[Friend, Relationship]]:
    """See `Store.friends`."""
    found = await database.rows(FRIENDS, {"user_id": user_id})
    if not found and await database.row(KNOWN_USER, {"user_id": user_id}) is None:
        raise NotFoundError("no such user")
    return [(friend_of(row), relationship_of(row)) for row in found]


async def friend(database: Database, user_id: UUID, ai_friend_id: UUID) -> tuple[Friend, Relationship]:
    """See `Store.friend`."""
    row = await database.row(READ, {"user_id": user_id, "ai_friend_id": ai_friend_id})
    if row is None:
        raise NotFoundError("no such friend")
    return friend_of(row), relationship_of(row)


def _columns(friend: Friend) -> dict[str, Any]:
    assignment: Assignment = friend.assignment
    style, combo = assignment.stable_style_params, assignment.combo_key
    return {
        "user_id": friend.user_id,
        "ai_friend_id": friend.ai_friend_id,
        "conversation_id": friend.conversation_id,
        "name": friend.name,
        "persona_template_id": assignment.persona_template_id,
        "persona_seed": assignment.persona_seed,
        "msg_length_pref": style.msg_length_pref.value,
        "emoji_freq": style.emoji_freq.value,
        "humor_mode": style.humor_mode.value,
        "directness_level": style.directness_level.value,
        "followup_question_rate": style.followup_question_rate.value,
        "lexicon_bias": style.lexicon_bias.value,
        "punctuation_quirks": style.punctuation_quirks,
        "combo_archetype": combo.core_archetype.value,
        "combo_humor_mode": combo.humor_mode.value,
        "combo_energy": combo.friend_energy.value,
        "combo_key": str(combo),
        "fallback": assignment.fallback,
        "assigned_at": friend.assigned_at,
    }
