"""From a model's words to what may be said: protocol off, repairs, gates; the rewrite's prompt, and the safe reply."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from chingoo.flow.showing import shown_in, surfaced
from chingoo.flow.telling import Teller, asked_back
from chingoo.flow.view import TurnView
from chingoo.memory.repeats import Repeats
from chingoo.model.corrections import MemoryAnswer
from chingoo.model.enums import Language, ReplyOrigin, Role
from chingoo.model.llm import ChatMessage
from chingoo.model.people import StoredMessage
from chingoo.model.turn import Known
from chingoo.reply.composer import SAYS_AI, ComposeInput, compose, fitting_emoji
from chingoo.reply.disclosure import ensure_says_ai
from chingoo.reply.gates.report import GateReport
from chingoo.reply.prompt import FittedPrompt, build_prompt, fit_prompt
from chingoo.reply.protocol import parse_reply
from chingoo.reply.repair import repair
from chingoo.reply.rewrite import build_rewrite


@dataclass(frozen=True, slots=True)
class Draft:
    """The words of a reply, their origin, and the memories they show. `rewritten`: changed for a gate's sake."""

    text: str
    origin: ReplyOrigin
    rewritten: bool = False
    surfaced: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """A model's answer after repairs, and what the gates still say of it."""

    draft: Draft
    report: GateReport

    @property
    def passed(self) -> bool:
        """True when it may be said."""
        return self.report.passed


def reply_prompt(view: TurnView) -> FittedPrompt:
    """The prompt of the voice call."""
    return fit_prompt(view.compiled.bundle, view.prompt_input())


def judge(view: TurnView, raw: str) -> Judgement:
    """Take the protocol off, say that it is an AI where that was asked (S-16), repair, and judge (GATE-01, C-28)."""
    compiled = view.compiled
    bundle, engine = compiled.bundle, compiled.engine
    answer = parse_reply(raw)
    said = answer.text
    honest = ensure_says_ai(bundle, engine, view.gates(said, ReplyOrigin.LLM), view.decision.signals)
    palette = fitting_emoji(bundle, view.template, view.plan)
    shown = shown_in(compiled, answer, honest, view.offered, view.remembered.known)
    repaired = repair(bundle, engine, view.gates(honest, ReplyOrigin.LLM, surfaced(shown)), palette)
    if repaired.reply != honest:
        shown = shown_in(compiled, answer, repaired.reply, view.offered, view.remembered.known)
    draft = Draft(
        repaired.reply,
        ReplyOrigin.LLM,
        rewritten=repaired.reply != said,
        surfaced=tuple(memory.memory_id for memory in shown),
    )
    return Judgement(draft, repaired.report)


def rewrite_prompt(view: TurnView, judged: Judgement) -> tuple[ChatMessage, ...]:
    """The prompt of the one rewrite: all that is left to mend (GATE-02)."""
    given = view.prompt_input()
    bundle = view.compiled.bundle
    return build_rewrite(bundle, given, build_prompt(bundle, given), judged.draft.text, judged.report.violations)


def fixed_draft(view: TurnView, evidence: Sequence[StoredMessage] = ()) -> Draft | None:
    """The words policy fixes, if it fixes them: of the decision, else of what the person asks about its memories.

    `evidence` are the messages behind the memory whose source was asked for.
    """
    if view.decision.reply is not None:
        return Draft(view.decision.reply, ReplyOrigin.FIXED)
    remembered, teller = view.remembered, _teller(view)
    if remembered.answers:
        told = _told(view, teller, remembered.answers[0], evidence)
        return replace(told, text=_honestly(view, told.text))
    asked = asked_back(remembered.heeded, only_commands=remembered.only_commands)
    return None if asked is None else Draft(_honestly(view, teller.plain(asked)), ReplyOrigin.FIXED)


def _told(view: TurnView, teller: Teller, answer: MemoryAnswer, evidence: Sequence[StoredMessage]) -> Draft:
    """What is known, and from where: from the memories themselves, which are shown by it."""
    known = view.remembered.known
    if answer is MemoryAnswer.KNOWN_ASKED:
        listed = known[: view.compiled.bundle.memory.surfacing.listed]
        return Draft(teller.known(known), ReplyOrigin.FIXED, surfaced=tuple(one.memory_id for one in listed))
    if answer is MemoryAnswer.SOURCE_ASKED:
        memory = next((one for one in known if one.memory_id == view.remembered.source_of), None)
        shown = () if memory is None else (memory.memory_id,)
        words = teller.source(memory, evidence, view.request.mode, view.zone)
        return Draft(words, ReplyOrigin.FIXED, surfaced=shown)
    return Draft(teller.plain(answer), ReplyOrigin.FIXED)


def offline_draft(view: TurnView) -> Draft:
    """The reply without a model: within the friend's own bands, or to a correction in the words written for it."""
    return Draft(_composed(view, ReplyOrigin.OFFLINE), ReplyOrigin.OFFLINE)


def safe_draft(view: TurnView, *, rewritten: bool = False) -> Draft:
    """The reply when the model failed or its words did not pass (S-01, GATE-03)."""
    return Draft(_composed(view, ReplyOrigin.SAFE), ReplyOrigin.SAFE, rewritten)


def still_holds(view: TurnView, draft: Draft, before: Known) -> bool:
    """Whether all that a reply shows may still be shown, after somebody else changed what is known of the person.

    Neither a memory that is gone, nor the words of a message that was forgotten while the model wrote (FORGET-05).
    """
    if not set(draft.surfaced) <= {memory.memory_id for memory in view.remembered.known}:
        return False
    left = {line.message_id for line in view.known.history}
    heard = [line for line in before.history if line.role is Role.USER and line.text is not None]
    forgotten = [line.text or "" for line in heard if line.message_id not in left]
    if not forgotten or draft.origin is not ReplyOrigin.LLM:
        return True
    policy = view.compiled.bundle.memory.forgetting
    said = [line.text for line in view.known.history if line.role is Role.USER and line.text is not None]
    elsewhere = (*said, view.request.text)
    return not any(Repeats(policy, text, elsewhere).within(draft.text) for text in forgotten)


def _teller(view: TurnView) -> Teller:
    signals = view.decision.signals
    return Teller(view.compiled, Language(signals.reply_language), signals.user_text_norm)


def _honestly(view: TurnView, text: str) -> str:
    """Words that answer a correction or a question; behind what the friend is, where that was asked as well (S-16)."""
    signals = view.decision.signals
    if not signals.asks_if_ai:
        return text
    says_ai = view.compiled.engine.fixed.say(SAYS_AI, Language(signals.reply_language), signals.user_text_norm, None)
    return f"{says_ai} {text}"


def _composed(view: TurnView, origin: ReplyOrigin) -> str:
    compiled = view.compiled
    if view.remembered.heeded:
        return _honestly(view, _teller(view).plain(view.remembered.heeded[0]))
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
