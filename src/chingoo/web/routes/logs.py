"""The decision log and the two audit logs, for trust and safety."""

from collections.abc import Sequence

from chingoo.web.answers.operations import AuditCounts, AuditPage, DecisionPage, VerdictAnswer
from chingoo.web.bodies import Nothing, VerdictGiven
from chingoo.web.credentials import Caller
from chingoo.web.endpoint import Answer, AnyEndpoint, Call, Endpoint, as_json
from chingoo.web.queries import AuditQuery, CountsQuery, DecisionsQuery
from chingoo.web.services import Logs, Policies

_EDITOR = frozenset({Caller.EDITOR})


def log_routes(logs: Logs, policies: Policies) -> Sequence[AnyEndpoint]:
    """`/v1/decisions` with their verdicts, and `/v1/audit`."""
    return (*_decision_routes(logs, policies), *_audit_routes(logs))


def _decision_routes(logs: Logs, policies: Policies) -> Sequence[AnyEndpoint]:
    async def list_decisions(call: Call[Nothing, DecisionsQuery]) -> Answer:
        query = call.query
        since = None if query.since is None else query.since.at
        before = str(query.before) if query.before else None
        pipeline = None if query.pipeline is None else str(query.pipeline)
        return as_json(await logs.decisions(query.user_id, pipeline, since, query.limit, before))

    async def give_verdict(call: Call[VerdictGiven, Nothing]) -> Answer:
        body = call.body
        note = None if body.note is None else str(body.note).strip()
        decision_id = call.path["decision_id"]
        return as_json(await policies.give_verdict(decision_id, body.verdict, note, call.principal.name))

    return (
        Endpoint(
            method="POST",
            path="/v1/decisions/{decision_id:uuid}/verdict",
            name="give_verdict",
            tag="logs",
            summary="Say whether a decision was right",
            description="`right`, `false_alarm` (it refused or alarmed for nothing) or `missed`. It stands beside the "
            "decision from then on; a later verdict replaces it. Write nothing into the note that a person said.",
            handle=give_verdict,
            callers=_EDITOR,
            body=VerdictGiven,
            answers={200: VerdictAnswer},
            problems=(404, 503),
            example={"verdict": "false_alarm", "note": "a film title"},
        ),
        Endpoint(
            method="GET",
            path="/v1/decisions",
            name="list_decisions",
            tag="logs",
            summary="Read decision records",
            description="Newest first; they hold no message text. `since` is an instant of the turns, `before` is "
            "`next` of the page before.",
            handle=list_decisions,
            callers=_EDITOR,
            query=DecisionsQuery,
            answers={200: DecisionPage},
            problems=(503,),
        ),
    )


def _audit_routes(logs: Logs) -> Sequence[AnyEndpoint]:
    async def list_audit(call: Call[Nothing, AuditQuery]) -> Answer:
        query = call.query
        since = None if query.since is None else query.since.at
        before = str(query.before) if query.before else None
        return as_json(await logs.audit(str(query.kind), query.user_id, since, query.limit, before))

    async def count_audit(call: Call[Nothing, CountsQuery]) -> Answer:
        query = call.query
        first = None if query.since is None else query.since.first
        last = None if query.until is None else query.until.first
        return as_json(await logs.counts(first, last))

    return (
        Endpoint(
            method="GET",
            path="/v1/audit",
            name="list_audit",
            tag="logs",
            summary="Read one of the two audit logs",
            description="`guardrail` or `crisis`, newest first; of a message they hold the triggering phrases at most.",
            handle=list_audit,
            callers=_EDITOR,
            query=AuditQuery,
            answers={200: AuditPage},
            problems=(503,),
        ),
        Endpoint(
            method="GET",
            path="/v1/audit/counts",
            name="count_audit",
            tag="logs",
            summary="Count guard hits and crises by month",
            description="By month (UTC), category or level, and language, over all users and without a trace of "
            "anybody: the counts outlast the erasure of users. Every crisis reply names crisis services, so that the "
            "`crisis` events of a year are its referrals. `since` and `until` are months, both included.",
            handle=count_audit,
            callers=_EDITOR | {Caller.OPERATOR},
            query=CountsQuery,
            answers={200: AuditCounts},
            problems=(503,),
        ),
    )
