"""From a model's words to what may be said: protocol off, repairs, gates; the rewrite's prompt, and the safe reply."""

from dataclasses import dataclass

from chingoo.flow.view import TurnView
from chingoo.model.enums import ReplyOrigin
from chingoo.model.llm import ChatMessage
from chingoo.reply.composer import ComposeInput, compose, fitting_emoji
from chingoo.reply.disclosure import ensure_says_ai
from chingoo.reply.gates.report import GateReport
from chingoo.reply.prompt import build_prompt
from chingoo.reply.protocol import spoken
from chingoo.reply.repair import repair
from chingoo.reply.rewrite import build_rewrite


@dataclass(frozen=True, slots=True)
class Draft:
    """The words of a reply and where they come from. `rewritten`: changed for a gate's sake."""

    text: str
    origin: ReplyOrigin
    rewritten: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """A model's answer after repairs, and what the gates still say of it."""

    draft: Draft
    report: GateReport

    @property
    def passed(self) -> bool:
        """True when it may be said."""
        return self.report.passed


def reply_prompt(view: TurnView) -> tuple[ChatMessage, ...]:
    """The prompt of the voice call."""
    return build_prompt(view.compiled.bundle, view.prompt_input())


def judge(view: TurnView, raw: str) -> Judgement:
    """Take the protocol off, say that it is an AI where that was asked (S-16), repair, and judge (GATE-01, C-28)."""
    bundle, engine = view.compiled.bundle, view.compiled.engine
    said = spoken(raw)
    honest = ensure_says_ai(bundle, engine, view.gates(said, ReplyOrigin.LLM), view.decision.signals)
    palette = fitting_emoji(bundle, view.template, view.plan)
    repaired = repair(bundle, engine, view.gates(honest, ReplyOrigin.LLM), palette)
    draft = Draft(repaired.reply, ReplyOrigin.LLM, rewritten=repaired.reply != said)
    return Judgement(draft, repaired.report)


def rewrite_prompt(view: TurnView, judged: Judgement) -> tuple[ChatMessage, ...]:
    """The prompt of the one rewrite: all that is left to mend (GATE-02)."""
    given = view.prompt_input()
    bundle = view.compiled.bundle
    return build_rewrite(bundle, given, build_prompt(bundle, given), judged.draft.text, judged.report.violations)


def fixed_draft(view: TurnView) -> Draft | None:
    """The words policy fixes, if it fixes them."""
    return None if view.decision.reply is None else Draft(view.decision.reply, ReplyOrigin.FIXED)


def offline_draft(view: TurnView) -> Draft:
    """The offline composer's reply: no model, within the friend's own bands."""
    return Draft(_composed(view, ReplyOrigin.OFFLINE), ReplyOrigin.OFFLINE)


def safe_draft(view: TurnView, *, rewritten: bool = False) -> Draft:
    """The reply when the model failed or its words did not pass (S-01, GATE-03)."""
    return Draft(_composed(view, ReplyOrigin.SAFE), ReplyOrigin.SAFE, rewritten)


def _composed(view: TurnView, origin: ReplyOrigin) -> str:
    compiled = view.compiled
    return compose(
        compiled.bundle,
        compiled.engine,
        ComposeInput(
            template=view.template,
            style=view.friend.assignment.stable_style_params,
            stage=view.known.relationship.relationship_stage,
            plan=view.plan,
            decision=view.decision,
            gates=view.gates("", origin),
            seed=view.seed,
        ),
    )
