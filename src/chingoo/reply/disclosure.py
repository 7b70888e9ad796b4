"""Saying what it is: which notices are due, and that a friend asked directly says so itself (S-16, decisions)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal
from zlib import crc32

from chingoo.engine.engine import Engine
from chingoo.model.decision import Decision, Signals
from chingoo.model.enums import Language
from chingoo.model.turn import Known
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.disclosure import DisclosureDocument
from chingoo.policy.documents.gates import GateID
from chingoo.reply.composer import SAYS_AI
from chingoo.reply.gates import check
from chingoo.reply.gates.ai_denial import says_so
from chingoo.reply.gates.look import abbreviations_of
from chingoo.reply.gates.report import GateInput
from chingoo.reply.sentence_cut import cut_after_sentences
from chingoo.text.normalise import normalise

NoticeKind = Literal["ai_disclosure", "break_reminder"]
AI_DISCLOSURE: NoticeKind = "ai_disclosure"
BREAK_REMINDER: NoticeKind = "break_reminder"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the service says beside the reply; not the friend's words."""

    kind: NoticeKind
    text: str


def due_notices(bundle: Bundle, decision: Decision, known: Known) -> tuple[Notice, ...]:
    """The notices of this turn, in the order in which they are shown; none where none is due, or beside crisis words.

    Where the result is not empty, the turn's instant is noted as the time of disclosure. `known` is from before the
    turn. Everybody whose age is not known is treated as a minor.
    """
    policy, now, last = bundle.disclosure, known.received_at, known.disclosure.last_disclosed_at
    if decision.signals.crisis.detected:
        return ()
    kinds: tuple[NoticeKind, ...] = (AI_DISCLOSURE,)
    if last is not None and not _starts_afresh(policy, known):
        minor = not decision.effective_age_band.is_adult
        if now - last < interval(policy, known.user.answers.country_or_region, minor=minor):
            return ()
        if minor and policy.break_reminder:
            kinds = (AI_DISCLOSURE, BREAK_REMINDER)
    language = Language(decision.signals.reply_language)
    return tuple(_notice(bundle, language, kind, now) for kind in kinds)


def interval(policy: DisclosureDocument, country: str | None, *, minor: bool) -> timedelta:
    """How long use may go on before the next disclosure; a country can only make it shorter."""
    places = [policy.everywhere]
    if country is not None and country.upper() in policy.countries:
        places.append(policy.countries[country.upper()])
    return timedelta(minutes=min(place.minor_minutes if minor else place.adult_minutes for place in places))


def _starts_afresh(policy: DisclosureDocument, known: Known) -> bool:
    """Whether use begins again after a long pause: then as on the first day."""
    before = known.relationship.last_user_message_at
    return before is not None and known.received_at - before >= timedelta(hours=policy.again_after_hours)


def _notice(bundle: Bundle, language: Language, kind: NoticeKind, now: datetime) -> Notice:
    variants = bundle.replies[language].replies[f"notice.{kind}"].variants
    return Notice(kind, variants[crc32(now.date().isoformat().encode()) % len(variants)])


def says_ai(bundle: Bundle, engine: Engine, reply: str) -> bool:
    """Whether a reply plainly says that it is an AI."""
    return says_so(bundle.gates, engine.output_matcher.scan(normalise(reply)))


def ensure_says_ai(bundle: Bundle, engine: Engine, given: GateInput, signals: Signals) -> str:
    """The reply; where the person asked what the friend is, beginning with a sentence that says so, unless it does.

    A reply that denies it stays as it is, for the gate to object: no sentence put before it would mend that. Of the
    sentences in the person's language, put before the reply or in the place of its first sentence, the first
    one is taken that keeps the reply within the gates, or else the one that breaks the fewest.
    """
    if not signals.asks_if_ai or says_ai(bundle, engine, given.reply):
        return given.reply
    language = Language(signals.reply_language)
    sentences = bundle.replies[language].replies[SAYS_AI].variants
    report = check(bundle, engine, given)
    silent = [bundle.gates.unsaid]
    if any(one.gate is GateID.AI_DENIAL and one.measured != silent for one in report.violations):
        return given.reply
    pieces = cut_after_sentences(given.reply, abbreviations_of(bundle, report.language))
    rest = "".join(pieces[1:]).strip()
    tried = [*(f"{sentence} {given.reply.strip()}" for sentence in sentences)]
    if rest:
        tried += [f"{sentence} {rest}" for sentence in sentences]
    return _least_broken(bundle, engine, given, tried)


def _least_broken(bundle: Bundle, engine: Engine, given: GateInput, texts: Sequence[str]) -> str:
    best, fewest = texts[0], None
    for text in texts:
        broken = len(check(bundle, engine, replace(given, reply=text)).violations)
        if broken == 0:
            return text
        if fewest is None or broken < fewest:
            best, fewest = text, broken
    return best
