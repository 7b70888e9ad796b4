"""The policy engine alone – evaluation and the gates – and which policies are in force."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from chingoo.model.decision import EvaluationInput, Utterance
from chingoo.model.enums import AgeBand
from chingoo.web.answers.engine import EvaluationAnswer, ReplyCheckAnswer
from chingoo.web.answers.operations import PoliciesActive, PolicyHistory
from chingoo.web.bodies import Evaluation, Nothing, PolicyActivation, PolicyReload, ReplyCheck
from chingoo.web.credentials import Caller
from chingoo.web.endpoint import LARGE_BODY, SERVICE, Answer, AnyEndpoint, Call, Endpoint, as_json
from chingoo.web.queries import HistoryQuery
from chingoo.web.services import Policies

_ENGINE = frozenset({Caller.APP, Caller.EDITOR})


def policy_routes(policies: Policies) -> Sequence[AnyEndpoint]:
    """`evaluate`, `check-reply` and everything under `/v1/policies`."""
    return (*_engine_routes(policies), *_reading(policies), *_switching(policies))


def _engine_routes(policies: Policies) -> Sequence[AnyEndpoint]:
    async def evaluate(call: Call[Evaluation, Nothing]) -> Answer:
        body = call.body
        template = None if body.persona_template_id is None else str(body.persona_template_id)
        return as_json(
            policies.evaluate(evaluation_input(body, call.instant(body.received_at)), template, body.explain)
        )

    async def check_reply(call: Call[ReplyCheck, Nothing]) -> Answer:
        return as_json(policies.check_reply(reply_check(call.body)))

    return (
        Endpoint(
            method="POST",
            path="/v1/evaluate",
            name="evaluate",
            tag="policies",
            summary="Decide what a turn would be",
            description="No storage, no model: the same function that decides a turn. Only `text` is required; the "
            "rest is an ACTIVE friend-mode user of unknown age without history. `explain` adds `trace`.",
            handle=evaluate,
            callers=_ENGINE,
            body=Evaluation,
            answers={200: EvaluationAnswer},
            example={"text": "who won the election, president?", "age_band": "25-34", "explain": True},
            max_body=LARGE_BODY,
        ),
        Endpoint(
            method="POST",
            path="/v1/check-reply",
            name="check_reply",
            tag="policies",
            summary="Judge a reply by the quality gates",
            description="For clients with a model of their own. Only `reply` is required; style parameters that are "
            "given win over the template's, and gates without a parameter are skipped.",
            handle=check_reply,
            callers=_ENGINE,
            body=ReplyCheck,
            answers={200: ReplyCheckAnswer},
            example={"reply": "That sounds like a good plan.", "user_text": "I will rest today"},
            max_body=LARGE_BODY,
        ),
    )


def _reading(policies: Policies) -> Sequence[AnyEndpoint]:
    async def active(_: Call[Nothing, Nothing]) -> Answer:
        return as_json(await policies.active())

    async def history(call: Call[Nothing, HistoryQuery]) -> Answer:
        return as_json(await policies.history(call.query.limit))

    return (
        Endpoint(
            method="GET",
            path="/v1/policies/active",
            name="active_policies",
            tag="policies",
            summary="Read which policies are in force",
            description="The bundle of the process that answers, its files, and every running process (`api`, which "
            "may also run jobs, or `worker`) with the digest it decides by. They are the same again within two seconds "
            "of a switch.",
            handle=active,
            callers=SERVICE,
            answers={200: PoliciesActive},
            problems=(503,),
        ),
        Endpoint(
            method="GET",
            path="/v1/policies/history",
            name="policy_history",
            tag="policies",
            summary="Read who switched policies, to what, when and why",
            description="Newest first.",
            handle=history,
            callers=frozenset({Caller.EDITOR, Caller.OPERATOR}),
            query=HistoryQuery,
            answers={200: PolicyHistory},
            problems=(503,),
        ),
    )


def _switching(policies: Policies) -> Sequence[AnyEndpoint]:
    async def reload(call: Call[PolicyReload, Nothing]) -> Answer:
        reason = None if call.body.reason is None else str(call.body.reason).strip()
        return as_json(await policies.reload(call.principal.name, reason))

    async def activate(call: Call[PolicyActivation, Nothing]) -> Answer:
        body = call.body
        return as_json(await policies.activate(str(body.digest), str(body.reason).strip(), call.principal.name))

    return (
        Endpoint(
            method="POST",
            path="/v1/policies/reload",
            name="reload_policies",
            tag="policies",
            summary="Compile what is on disk and switch to it at once",
            description="All processes switch; turns in flight finish on the old policies. Broken ones are refused "
            "with 422 and every finding (`file`, `line`, `column`, `detail`); the old ones stay in force. What is in "
            "force already is not switched to again. SIGHUP does the same.",
            handle=reload,
            callers=frozenset({Caller.EDITOR}),
            body=PolicyReload,
            answers={200: PoliciesActive},
            problems=(422, 503),
            example={"reason": "three new words for threats"},
        ),
        Endpoint(
            method="POST",
            path="/v1/policies/activate",
            name="activate_policies",
            tag="policies",
            summary="Go back to a stored bundle, at once",
            description="Every bundle that was ever in force is stored; `/v1/policies/history` lists them. All "
            "processes switch, and stay there when they are started again, until the files on disk change or "
            "`/v1/policies/reload` takes them. 404: no such bundle. 422: this release cannot read it any more.",
            handle=activate,
            callers=frozenset({Caller.EDITOR}),
            body=PolicyActivation,
            answers={200: PoliciesActive},
            problems=(404, 422, 503),
            example={"digest": "0" * 64, "reason": "the new words refused harmless jokes"},
        ),
    )


def evaluation_input(body: Evaluation, received_at: datetime) -> EvaluationInput:
    """The body as the engine takes it; the text untrimmed, so that spans count from its first character."""
    return EvaluationInput(
        text=str(body.text),
        received_at=received_at,
        user_state=body.user_state,
        age_band=AgeBand.UNKNOWN if body.age_band is None else AgeBand(str(body.age_band)),
        mode=body.mode,
        source=body.source,
        country=None if body.country is None else str(body.country),
        client_locale=None if body.client_locale is None else str(body.client_locale),
        client_timezone=None if body.client_timezone is None else str(body.client_timezone),
        history=tuple(Utterance(item.role, str(item.text)) for item in body.history),
        suppressed_topics=frozenset(body.suppressed_topics),
    )


def reply_check(body: ReplyCheck) -> Mapping[str, Any]:
    """Every field of the body as a plain JSON value; `stable_style_params` holds those that were given, or is None."""
    return {"user_text": "", **msgspec.to_builtins(body, enc_hook=str)}
