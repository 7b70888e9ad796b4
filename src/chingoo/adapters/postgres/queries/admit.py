"""The door of a turn, in one statement: judge, activate, take the lease, write the message down, gather (S-02…S-04)."""

import hashlib
from typing import Any

import msgspec

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.faults import StatementRefusedError, unstorable
from chingoo.adapters.postgres.queries import known, rows
from chingoo.adapters.postgres.statements import Statement
from chingoo.model.turn import Admission, AdmitOutcome, Admitted

_AGAIN = "AGAIN"
_ROUNDS = 8

_SAME = """{earlier}.text_sha256 = %(text_sha256)s and {earlier}.conversation_id = %(conversation_id)s
            and {earlier}.mode = %(mode)s and {earlier}.source = %(source)s"""

ADMIT = Statement(f"""
with standing as materialized (
    select {rows.USER}, {rows.CONTROLS}, {rows.FRIEND}, {rows.RELATIONSHIP},
        c.turn_seq, c.pending_extraction_count, c.lease_until, coalesce(m.answer, a.answer) as answer,
        missing.names as missing,
        case
            when m.message_id is not null and (c.conversation_id is null
                or not coalesce({_SAME.format(earlier="m")}, false)) then 'CONFLICT'
            when m.status = 'COMPLETED' then 'REPLAY'
            when a.message_id is not null then
                case when {_SAME.format(earlier="a")} and a.ai_friend_id = %(ai_friend_id)s then 'REPLAY'
                    else 'CONFLICT' end
            when u.state = 'CREATED' or missing.names <> '{{}}' then 'NOT_READY'
            when c.conversation_id is null then 'NOT_FOUND'
            when %(mode)s = 'intimate' and not (%(closing)s or k.intimate_mode) then 'MODE_FORBIDDEN'
            when c.lease <> %(lease)s and c.lease_until > clock_timestamp() then 'BUSY'
            else 'FREE'
        end as verdict
    from users u
    join controls k on k.user_id = u.user_id
    left join friends f on f.user_id = u.user_id and f.ai_friend_id = %(ai_friend_id)s
    left join relationships r on r.user_id = f.user_id and r.ai_friend_id = f.ai_friend_id
    left join conversations c on c.user_id = f.user_id and c.ai_friend_id = f.ai_friend_id
        and c.conversation_id = %(conversation_id)s
    left join messages m on m.user_id = u.user_id and m.message_id = %(message_id)s
    left join attempts a on a.user_id = u.user_id and a.message_id = %(message_id)s
    cross join lateral (
        select case when u.state = 'ACTIVE' then '{{}}'
            else {rows.MISSING}
                || case when exists (select from friends where user_id = u.user_id) then '{{}}'::text[]
                    else '{{persona}}' end
            end as names
    ) as missing
    where u.user_id = %(user_id)s
),
activated as (
    update users u set state = 'ACTIVE'
    from standing s
    where s.verdict = 'FREE' and s.state = 'ONBOARDING' and u.user_id = s.user_id and u.state = 'ONBOARDING'
        and {rows.MISSING} = '{{}}'
    returning u.user_id
),
leased as (
    update conversations c
    set lease = %(lease)s, lease_message_id = %(message_id)s,
        lease_until = clock_timestamp() + make_interval(secs => %(lease_seconds)s),
        message_seq = c.message_seq + 1, last_received_at = greatest(c.last_received_at, %(received_at)s)
    from standing s
    where s.verdict = 'FREE' and (s.state = 'ACTIVE' or exists (select from activated))
        and c.user_id = s.user_id and c.conversation_id = s.conversation_id
        and (c.lease is null or c.lease = %(lease)s or c.lease_until <= clock_timestamp())
    returning c.user_id, c.conversation_id, c.ai_friend_id, c.turn_seq, c.message_seq, c.last_received_at
),
taken as (
    insert into messages as m (user_id, message_id, conversation_id, mode, seq, role, source, status, text, text_sha256,
        created_at, activates, client_locale, client_timezone)
    select l.user_id, %(message_id)s, l.conversation_id, %(mode)s, l.message_seq, 'user', %(source)s, 'PROCESSING',
        %(text)s, %(text_sha256)s, l.last_received_at, exists (select from activated),
        %(client_locale)s, %(client_timezone)s
    from leased l
    on conflict (user_id, message_id) do update
    set seq = excluded.seq, created_at = excluded.created_at, admitted_at = excluded.admitted_at
    where m.status = 'PROCESSING' and {_SAME.format(earlier="m")}
    returning m.activates
),
greeted as (
    update relationships r set last_interaction_at = l.last_received_at
    from leased l
    where exists (select from activated) and r.user_id = l.user_id and r.ai_friend_id = l.ai_friend_id
)
select s.*, t.activates, coalesce(l.last_received_at, %(received_at)s) as received_at,
    case
        when s.verdict <> 'FREE' then s.verdict
        when t.activates is not null then 'ADMITTED'
        when l.user_id is not null then chingoo_refuse('{_AGAIN}')
        else '{_AGAIN}'
    end as outcome,
    l.turn_seq is distinct from s.turn_seq as stale,
    extract(epoch from s.lease_until - clock_timestamp())::float8 as lease_left_s,
    case when t.activates is not null then {known.HISTORY} end as history,
    case when t.activates is not null then {known.RECENT_REPLIES} end as recent_replies,
    case when t.activates is not null then {known.MEMORIES} end as memories,
    case when t.activates is not null then {known.LAST_CRISIS} end as last_crisis_at
from standing s
left join leased l on true
left join taken t on true
""")
"""One row, or none for an unknown user.

`standing` is judged on the snapshot; `leased` waits for the conversation's row and judges its newest version again, so
of two messages one gets the lease. Whoever finds that the two disagree learns nothing certain: AGAIN, on a new
snapshot. With the lease taken but the message settled by somebody meanwhile, the statement undoes itself. Locks come
in the order of settle: users, then conversations.
"""


async def admit(database: Database, admission: Admission) -> Admitted:
    """See `Store.admit`."""
    parameters = _parameters(admission)
    for _ in range(_ROUNDS):
        try:
            row = await database.row(ADMIT, parameters)
        except StatementRefusedError:
            continue  # it undid itself over what somebody else settled meanwhile: what stands now is another outcome
        if row is None:
            return Admitted(AdmitOutcome.NOT_FOUND)
        if row["outcome"] != _AGAIN:
            return await _admitted(database, admission, row)
    return Admitted(AdmitOutcome.BUSY, retry_after_s=1.0)


async def _admitted(database: Database, admission: Admission, row: rows.Row) -> Admitted:
    outcome = AdmitOutcome(row["outcome"])
    match outcome:
        case AdmitOutcome.ADMITTED if row["stale"]:
            # The statement waited for a turn to settle, and gathered what was known before it. The lease is ours now.
            request = admission.request
            fresh = await known.reread(
                database, request, admission.lease_token, admission.history_limit, admission.reply_window
            )
            return Admitted(AdmitOutcome.BUSY) if fresh is None else Admitted(outcome, known=fresh)
        case AdmitOutcome.ADMITTED:
            return Admitted(outcome, known=known.known_of(row, database.vault, gathered=True))
        case AdmitOutcome.NOT_READY:
            return Admitted(outcome, known=known.known_of(row, database.vault, gathered=False))
        case AdmitOutcome.REPLAY:
            answer = msgspec.json.decode(row["answer"])
            return Admitted(outcome, answer=database.vault.open_answer(row["user_id"], answer))
        case AdmitOutcome.BUSY:
            return Admitted(outcome, retry_after_s=max(0.0, row["lease_left_s"]))
        case _:
            return Admitted(outcome)


def _parameters(admission: Admission) -> dict[str, Any]:
    request = admission.request
    return known.gathering(request, admission.lease_token, admission.history_limit, admission.reply_window) | {
        "source": request.source.value,
        "text": request.text,
        "text_sha256": text_sha256(request.text),
        "received_at": request.received_at,
        "client_locale": request.client_locale,
        "client_timezone": request.client_timezone,
        "lease_seconds": float(admission.lease_seconds),
        "required": list(admission.required_answers),
        "closing": admission.closing,
    }


def text_sha256(text: str) -> bytes:
    """What a repeated message id is compared with."""
    try:
        return hashlib.sha256(text.encode()).digest()
    except UnicodeEncodeError:
        raise unstorable() from None
