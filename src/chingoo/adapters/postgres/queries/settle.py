"""The end of a turn, in one statement: all that it leaves, or nothing (TURN-13, S-02, S-33)."""

import itertools
from collections.abc import Mapping
from typing import Any

import msgspec

from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.faults import StatementRefusedError
from chingoo.adapters.postgres.queries.safety_logs import LOGS, log_parameters
from chingoo.adapters.postgres.statements import Statement
from chingoo.adapters.postgres.vault import Vault
from chingoo.errors import StoreRefusedError
from chingoo.model.enums import Mode, Source
from chingoo.model.turn import Settlement, SettleOutcome

_MEMORY_MISSING = "MEMORY_MISSING"

_OWN_LOCKED = """
with own as (
    select u.user_id from users u where u.user_id = %(user_id)s and u.mem_version = %(mem_version)s for no key update
)"""
"""The head: the first lock, and the check that what the turn knew of its user still holds. For a turn that leaves the
user's row as it is."""

_OWN_CHANGED = """
with own as (
    update users u
    set mem_version = u.mem_version + 1, safety_age_band = least(u.safety_age_band, %(age_band)s),
        claimed_under_13 = u.claimed_under_13 or %(claimed_under_13)s
    where u.user_id = %(user_id)s and u.mem_version = %(mem_version)s
    returning u.user_id
)"""
"""The head of a turn that changes what others know. Bands are in order, 'unknown' last: none is ever raised (S-15)."""

_TALK = """,
leased as (
    update conversations c
    set lease = null, lease_message_id = null, lease_until = null,
        turn_seq = c.turn_seq + 1, message_seq = c.message_seq + 1,
        pending_extraction_count = c.pending_extraction_count + %(heard)s
    from own
    where c.user_id = own.user_id and c.conversation_id = %(conversation_id)s and c.lease = %(lease)s
    returning c.user_id, c.conversation_id, c.ai_friend_id, c.message_seq
),
heard as (
    update messages m
    set status = 'COMPLETED', answer = %(answer)s, extracted_memory_candidate_ids = %(candidates)s
    from leased l
    where m.user_id = l.user_id and m.message_id = %(message_id)s and m.status = 'PROCESSING'
    returning m.user_id, m.message_id, m.conversation_id, l.ai_friend_id, l.message_seq
),
said as (
    insert into messages (user_id, message_id, conversation_id, mode, seq, role, source, status, text, created_at,
        reply_to_id, origin, rewritten, surfaced_memory_ids)
    select h.user_id, %(reply_id)s, h.conversation_id, %(mode)s, h.message_seq, 'assistant', %(source)s, 'COMPLETED',
        %(reply)s, %(received_at)s, h.message_id, %(origin)s, %(rewritten)s, %(surfaced)s
    from heard h
),
closer as (
    update relationships r
    set relationship_stage = x.relationship_stage, rapport_score = x.rapport_score, sessions_count = x.sessions_count,
        last_interaction_at = x.last_interaction_at, last_session_at = x.last_session_at,
        last_stage_promotion_at = x.last_stage_promotion_at, last_user_message_at = x.last_user_message_at,
        last_decay_at = x.last_decay_at, session_disengaged = x.session_disengaged
    from heard h
    cross join jsonb_to_recordset(%(relationship)s::jsonb) as x (relationship_stage relationship_stage_word,
        rapport_score int, sessions_count int, last_interaction_at timestamptz, last_session_at timestamptz,
        last_stage_promotion_at timestamptz, last_user_message_at timestamptz, last_decay_at timestamptz,
        session_disengaged int)
    where r.user_id = h.user_id and r.ai_friend_id = h.ai_friend_id
),
decided as (
    insert into decisions (user_id, decision_id, trace_id, message_id, received_at, pipeline, safety_policy, rules,
        digest, facts_record, spans, timings_ms, language)
    select h.user_id, %(decision_id)s, %(trace_id)s, h.message_id, %(received_at)s, %(pipeline)s, %(safety_policy)s,
        %(rules)s, %(digest)s, %(facts_record)s, %(spans)s, %(timings_ms)s, %(language)s
    from heard h
),
due as (
    insert into after_turn_due (user_id, settled_at)
    select h.user_id, clock_timestamp() from heard h where %(enqueue)s
    on conflict (user_id) do update set settled_at = excluded.settled_at
),
queued as (
    select chingoo_defer_after_turn(h.user_id) from heard h where %(enqueue)s
)"""
"""What every turn leaves. The lease joins to the head, and everything else to the message that was answered."""

_MEMORIES = """,
changes as (
    select h.user_id as owner_id, x ->> 0 as op, e.*
    from heard h
    cross join jsonb_array_elements(%(changes)s::jsonb) as x
    cross join lateral jsonb_populate_record(null::memories, x -> 1) as e
),
updated as (
    update memories e
    set memory_key = x.memory_key, memory_value = x.memory_value, confidence = x.confidence, status = x.status,
        last_confirmed_at = x.last_confirmed_at, evidence_message_ids = x.evidence_message_ids,
        context_message_ids = x.context_message_ids, superseded_by = x.superseded_by,
        invalid_reason = x.invalid_reason, is_disputed = x.is_disputed, expires_at = x.expires_at,
        forget_at = x.forget_at, updated_at = now()
    from changes x
    where x.op = 'update' and e.user_id = x.owner_id and e.memory_id = x.memory_id
    returning 1
),
gate as (select count(*) as passed from updated),
inserted as (
    insert into memories (user_id, memory_id, ai_friend_id, type, memory_key, memory_value, confidence, status,
        extracted_from, created_at, last_confirmed_at, evidence_message_ids, context_message_ids, superseded_by,
        invalid_reason, is_disputed, expires_at, forget_at)
    select x.owner_id, x.memory_id, x.ai_friend_id, x.type, x.memory_key, x.memory_value, x.confidence, x.status,
        x.extracted_from, x.created_at, x.last_confirmed_at, x.evidence_message_ids, x.context_message_ids,
        x.superseded_by, x.invalid_reason, x.is_disputed, x.expires_at, x.forget_at
    from changes x cross join gate
    where x.op = 'insert'
)"""
"""A statement does not see what its parts write, and their order is open: `gate` makes the insertions wait for the
updates, or the index of one ACTIVE record per key would fail by chance."""

_CALLS = """,
called as (
    insert into llm_calls (user_id, call_id, message_id, operation, provider, model, input_tokens, output_tokens,
        duration_ms, cost_usd, error)
    select h.user_id, x.call_id, h.message_id, x.operation, x.provider, x.model, x.input_tokens, x.output_tokens,
        x.duration_ms, x.cost_usd, x.error
    from heard h
    cross join jsonb_to_recordset(%(calls)s::jsonb) as x (call_id uuid, operation text, provider text, model text,
        input_tokens int, output_tokens int, duration_ms float8, cost_usd float8, error text)
)"""

_MARKS = """,
disclosed as (
    update friends f set last_disclosed_at = %(disclosed_at)s
    from heard h
    where %(disclosed_at)s::timestamptz is not null and f.user_id = h.user_id and f.ai_friend_id = h.ai_friend_id
),
controlled as (
    update controls k
    set intimate_mode = k.intimate_mode and not %(ends_intimate)s,
        suppressed_memory_keys = array(
            select x.entry
            from unnest(k.suppressed_memory_keys) with ordinality as x (entry, place)
            where x.entry <> all (%(dropped_keys)s::text[])
            order by x.place) || %(suppressed_keys)s::text[],
        suppressed_topics = array(
            select x.entry
            from unnest(k.suppressed_topics || %(suppressed_topics)s::text[]) with ordinality as x (entry, place)
            group by x.entry order by min(x.place))
    from heard h
    where %(controls)s and k.user_id = h.user_id
),
corrected as (
    insert into corrections (user_id, correction_id, trigger_message_id, corrected_message_id, deactivated_memory_id,
        disputed_memory_id, correction_type, created_at)
    select h.user_id, x.correction_id, h.message_id, x.corrected_message_id, x.deactivated_memory_id,
        x.disputed_memory_id, x.correction_type, %(received_at)s
    from heard h
    cross join jsonb_to_recordset(%(corrections)s::jsonb) as x (correction_id uuid, corrected_message_id uuid,
        deactivated_memory_id uuid, disputed_memory_id uuid, correction_type text)
)"""

_OUTCOME = """
select
    case
        when not exists (select from own) then 'STALE_MEMORY'
        when not exists (select from heard) then chingoo_refuse('LEASE_LOST'){gate}
        else 'SETTLED'
    end as outcome,
    (select count(*) from queued) as queued
"""
"""A SELECT that nothing reads never runs, hence `queued` in the last line."""

_GATE = f"""
        when (select passed from gate) <> %(updates)s then chingoo_refuse('{_MEMORY_MISSING}')"""

Needs = tuple[bool, bool, bool, bool, bool]


def _statement(changes_user: bool, memories: bool, calls: bool, marks: bool, logs: bool) -> Statement:
    head = _OWN_CHANGED if changes_user else _OWN_LOCKED
    wanted = ((_MEMORIES, memories), (_CALLS, calls), (_MARKS, marks), (LOGS, logs))
    parts = "".join(part for part, needed in wanted if needed)
    return Statement(head + _TALK + parts + _OUTCOME.format(gate=_GATE if memories else ""))


_EITHER = (False, True)
SETTLE: Mapping[Needs, Statement] = {
    needs: _statement(*needs) for needs in itertools.product(_EITHER, _EITHER, _EITHER, _EITHER, _EITHER)
}
"""The one statement, in the shapes that turns need: each part costs time to start even where it finds nothing to do."""

_SETTLED_BY_THIS = Statement("select 1 from decisions where user_id = %(user_id)s and decision_id = %(decision_id)s")

_encode = msgspec.json.Encoder(decimal_format="number").encode


async def settle(database: Database, settlement: Settlement) -> SettleOutcome:
    """See `Store.settle`."""
    parameters = _parameters(settlement, database.vault)
    try:
        row = await database.row(SETTLE[_needs(settlement)], parameters)
        outcome = SettleOutcome(row["outcome"]) if row is not None else SettleOutcome.STALE_MEMORY
    except StatementRefusedError as refused:
        if refused.reason == _MEMORY_MISSING:
            raise StoreRefusedError("a change names a memory that does not exist", None) from None
        outcome = SettleOutcome.LEASE_LOST
    if outcome is not SettleOutcome.SETTLED and await database.row(_SETTLED_BY_THIS, parameters):
        return SettleOutcome.SETTLED  # the connection broke after the commit, and the repeated statement came too late
    return outcome


def _needs(settlement: Settlement) -> Needs:
    memories = bool(settlement.memory_changes)
    lowers = settlement.lower_age_band_to is not None or settlement.claimed_under_13
    logs = settlement.crisis is not None or settlement.guard is not None
    controls = changes_controls(settlement)
    return (
        memories or lowers or controls,
        memories,
        bool(settlement.llm_calls),
        lowers or controls or bool(settlement.corrections) or settlement.disclosed_at is not None,
        logs,
    )


def changes_controls(settlement: Settlement) -> bool:
    """Whether the person switched something by what they said (CORR-04, CORR-07, C-25)."""
    return bool(settlement.suppressed_keys or settlement.unsuppressed_keys or settlement.suppressed_topics)


def _parameters(settlement: Settlement, vault: Vault) -> dict[str, Any]:
    request, reply, decision = settlement.request, settlement.reply, settlement.decision
    changes = settlement.memory_changes
    band = settlement.lower_age_band_to
    ends_intimate = settlement.claimed_under_13 or (band is not None and not band.is_adult)
    return log_parameters(settlement) | {
        "user_id": request.user_id,
        "conversation_id": request.conversation_id,
        "message_id": request.message_id,
        "mode": request.mode.value,
        "source": request.source.value,
        "heard": int(request.source is Source.CHAT and request.mode is Mode.FRIEND),
        "received_at": settlement.received_at,
        "lease": settlement.lease_token,
        "mem_version": settlement.mem_version,
        "age_band": None if band is None else band.value,
        "claimed_under_13": settlement.claimed_under_13,
        "ends_intimate": ends_intimate,
        "controls": ends_intimate or changes_controls(settlement),
        "suppressed_keys": vault.seal_keys(request.user_id, settlement.suppressed_keys),
        "dropped_keys": vault.forms(request.user_id, (*settlement.suppressed_keys, *settlement.unsuppressed_keys)),
        "suppressed_topics": [topic.value for topic in settlement.suppressed_topics],
        "corrections": _encode(settlement.corrections).decode(),
        "answer": _encode(vault.seal_answer(request.user_id, settlement.answer)).decode(),
        "candidates": list(settlement.extracted_memory_candidate_ids),
        "reply_id": reply.message_id,
        "reply": reply.text,
        "origin": reply.origin.value,
        "rewritten": reply.rewritten,
        "surfaced": list(reply.surfaced_memory_ids),
        "relationship": _listed(settlement.relationship),
        "disclosed_at": settlement.disclosed_at,
        "changes": _encode([(change.op, vault.seal_memory(change.memory)) for change in changes]).decode(),
        "updates": sum(change.op == "update" for change in changes),
        "decision_id": decision.decision_id,
        "trace_id": decision.trace_id,
        "pipeline": decision.pipeline.value,
        "safety_policy": decision.safety_policy.value,
        "rules": list(decision.rules),
        "digest": decision.digest,
        "facts_record": _encode(decision.facts_record).decode(),
        "spans": _encode(decision.spans).decode(),
        "timings_ms": _encode(decision.timings_ms).decode(),
        "language": decision.language,
        "calls": _encode(settlement.llm_calls).decode(),
        "enqueue": settlement.enqueue_after_turn,
    }


def _listed(value: Any) -> str:
    """A list of the one value, or of none."""
    return _encode(() if value is None else (value,)).decode()
