"""The register of everything that is stored: what each table holds, whose it is, how it is found, erased and exported.

Erasure, export and the canary test walk it; a table without an entry fails a test. What is derived from messages or
memories – and hides or leaves with them – says so in `by_message` and `by_memory`: the columns that name them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.adapters.postgres.statements import Statement


@dataclass(frozen=True, slots=True)
class Holding:
    """One table. `erase` deletes a person's rows; None is a table in which nothing is anybody's.

    `export` gives a person's rows as JSON, one a row, for the section it names; None where `not_exported` says why.
    """

    table: str
    holds: str
    erase: Statement | None = None
    section: str | None = None
    export: Statement | None = None
    not_exported: str | None = None
    by_message: tuple[str, ...] = ()
    by_memory: tuple[str, ...] = ()


def _of_person(table: str) -> Statement:
    return Statement(f"delete from {table} where user_id = %(user_id)s")


def _rows(table: str, order: str, *without: str) -> Statement:
    hidden = ", ".join(f"'{name}'" for name in ("user_id", *without))
    return Statement(
        f"select to_jsonb(t) - array[{hidden}] as item from {table} t where t.user_id = %(user_id)s order by {order}"
    )


_NO_NEED = "ids and instants that other sections hold"
_NOBODYS = "nothing in it is anybody's"

REGISTER: tuple[Holding, ...] = (
    Holding(
        "messages",
        "what both sides said, and the answers that replay",
        _of_person("messages"),
        "messages",
        _rows(
            "messages", "t.conversation_id, t.seq", "answer", "text_sha256", "seq", "admitted_at", "activates", "status"
        ),
        by_message=("message_id", "reply_to_id"),
        by_memory=("surfaced_memory_ids", "extracted_memory_candidate_ids"),
    ),
    Holding(
        "kept_words",
        "the words of forgotten messages, until that cannot be taken back any more",
        _of_person("kept_words"),
        not_exported="the person had them forgotten",
        by_message=("message_id",),
    ),
    Holding(
        "forgotten_messages",
        "which messages are forgotten, and on account of which",
        _of_person("forgotten_messages"),
        not_exported=_NO_NEED,
        by_message=("message_id", "because_of"),
    ),
    Holding(
        "dropped_evidence",
        "evidence ids that left memories with forgotten messages",
        _of_person("dropped_evidence"),
        not_exported=_NO_NEED,
        by_message=("message_id",),
        by_memory=("memory_id",),
    ),
    Holding(
        "memories",
        "what is remembered, with its evidence and its past",
        _of_person("memories"),
        "memories",
        Statement("""
            select to_jsonb(t) - array['user_id', 'updated_at', 'forget_at'] as item from memories t
            where t.user_id = %(user_id)s and t.forget_at is null and (t.evidence_message_ids = '{}' or exists (
                select from unnest(t.evidence_message_ids) as said (message_id)
                where not exists (
                    select from forgotten_messages f
                    where f.user_id = t.user_id and f.message_id = said.message_id)))
            order by t.created_at, t.memory_id"""),
        by_message=("evidence_message_ids", "context_message_ids"),
        by_memory=("memory_id", "superseded_by"),
    ),
    Holding(
        "corrections",
        "which memories the person denied or doubted, by id",
        _of_person("corrections"),
        "corrections",
        _rows("corrections", "t.created_at, t.correction_id"),
        by_message=("trigger_message_id", "corrected_message_id"),
        by_memory=("deactivated_memory_id", "disputed_memory_id"),
    ),
    Holding(
        "attempts",
        "the answers to messages of people who might not chat yet",
        _of_person("attempts"),
        "attempts",
        _rows("attempts", "t.created_at, t.message_id", "text_sha256"),
        by_message=("message_id",),
    ),
    Holding(
        "decisions",
        "what was decided of each message, and why; no text",
        _of_person("decisions"),
        "decisions",
        _rows("decisions", "t.received_at, t.decision_id"),
        by_message=("message_id",),
    ),
    Holding(
        "decision_verdicts",
        "what editors say of decisions",
        _of_person("decision_verdicts"),
        not_exported="the work of the editors",
    ),
    Holding(
        "guard_log",
        "hits of the content guard; no text",
        _of_person("guard_log"),
        "guard_log",
        _rows("guard_log", "t.created_at, t.message_id"),
        by_message=("message_id",),
    ),
    Holding(
        "crisis_log",
        "crises, with the listed phrases that told them",
        _of_person("crisis_log"),
        "crisis_log",
        _rows("crisis_log", "t.created_at, t.message_id"),
        by_message=("message_id",),
    ),
    Holding(
        "crisis_events",
        "crises that a human is told of, until they are; no text",
        _of_person("crisis_events"),
        not_exported="the crisis log says the same",
        by_message=("message_id",),
    ),
    Holding(
        "llm_calls",
        "calls of models: tokens, time and cost; no text",
        _of_person("llm_calls"),
        not_exported="figures about models",
        by_message=("message_id",),
    ),
    Holding(
        "extraction_runs",
        "batches of messages that a model looked at for things to remember: figures; no text",
        _of_person("extraction_runs"),
        not_exported="figures about models",
    ),
    Holding(
        "extraction_samples",
        "memories of batches that people look at, and what they say of them; no words of the person",
        _of_person("extraction_samples"),
        not_exported="the work of the editors",
        by_memory=("memory_id",),
    ),
    Holding(
        "after_turn_due",
        "whose turns a job has yet to look at",
        _of_person("after_turn_due"),
        not_exported=_NO_NEED,
    ),
    Holding(
        "procrastinate_jobs",
        "jobs to be run, with the id of the person",
        Statement(
            "delete from procrastinate_jobs where lock = 'after_turn:' || %(user_id)s::text and status <> 'doing'"
        ),
        not_exported=_NO_NEED,
    ),
    Holding(
        "conversations",
        "conversations: their lease and their counters",
        _of_person("conversations"),
        not_exported="the friends' section names it",
        by_message=("lease_message_id",),
    ),
    Holding(
        "conversation_owners",
        "whose conversation it is",
        _of_person("conversation_owners"),
        not_exported="the friends' section names it",
    ),
    Holding(
        "relationships",
        "how close friend and person are",
        _of_person("relationships"),
        not_exported="it stands with the friend",
    ),
    Holding(
        "friends",
        "the person's friends and their personas",
        _of_person("friends"),
        "friends",
        Statement("""
            select to_jsonb(t) - 'user_id' || jsonb_build_object('relationship', to_jsonb(r) - 'user_id') as item
            from friends t join relationships r on r.user_id = t.user_id and r.ai_friend_id = t.ai_friend_id
            where t.user_id = %(user_id)s order by t.assigned_at, t.ai_friend_id"""),
    ),
    Holding(
        "controls",
        "what the person switched",
        _of_person("controls"),
        "controls",
        _rows("controls", "t.user_id"),
    ),
    Holding(
        "users",
        "the person: state and answers",
        _of_person("users"),
        "user",
        Statement("""
            select to_jsonb(t) - array['mem_version', 'state'] || jsonb_build_object('user_state', t.state) as item
            from users t where t.user_id = %(user_id)s"""),
    ),
    Holding("erased_users", "digests of the ids of erased people", not_exported="whoever is there has no data"),
    Holding("data_keys", "the ids of data keys in use", not_exported=_NOBODYS),
    Holding("persona_assignments", "when which persona was given, to nobody in particular", not_exported=_NOBODYS),
    Holding("persona_assignment_standing", "how many of each stand in the window", not_exported=_NOBODYS),
    Holding("policy_switches", "which policies were in force, and who switched", not_exported=_NOBODYS),
    Holding("policy_bundles", "policies", not_exported=_NOBODYS),
    Holding("policy_processes", "running processes", not_exported=_NOBODYS),
    Holding("safety_counts", "how many crises and guard hits a month saw", not_exported=_NOBODYS),
    Holding("policy_hits", "how often entries of policies are seen", not_exported=_NOBODYS),
    Holding("procrastinate_events", "when jobs changed their status", not_exported=_NOBODYS),
    Holding("procrastinate_periodic_defers", "when scheduled jobs were queued", not_exported=_NOBODYS),
    Holding("procrastinate_workers", "running workers", not_exported=_NOBODYS),
    Holding("alembic_version", "the revision of the schema", not_exported=_NOBODYS),
)
"""In the order of erasure: what refers to something comes before it."""

STATEMENTS: Mapping[str, Statement] = {
    f"{step} {holding.table}": statement
    for holding in REGISTER
    for step, statement in (("erase", holding.erase), ("export", holding.export))
    if statement is not None
}
