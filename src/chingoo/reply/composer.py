"""The offline composer: a short reply inside the friend's own bands, from a plan and a seed, without any model.

It knows nothing of what was said but the plan, so it says nothing of it either: it answers, stays, and leaves room. The
same input gives the same words; every candidate passes the gates before it is said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar
from zlib import crc32

from chingoo.engine.engine import Engine
from chingoo.model.decision import Decision
from chingoo.model.enums import EmojiFreq, Language, Length, LexiconBias, Mode, Pipeline, RelationshipStage, ReplyOrigin
from chingoo.model.people import StableStyleParams
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.policy.documents.replies import Clauses, OwnClauses, RepliesDocument
from chingoo.reply.fill import filled
from chingoo.reply.gates import check
from chingoo.reply.gates.report import GateInput, GateReport
from chingoo.reply.plan import ResponsePlan

T = TypeVar("T")

SAYS_AI = "reply.says_ai"
LAST_RESORT = "reply.last_resort"
_TRIES = 100
_MIX = 2654435761
_GOODBYE = "goodbye"
_ABOUT_ITSELF = "about_itself"
_GOOD_NEWS = "share_joy"
_HURT = "reflect"
_FRIENDS = (RelationshipStage.FRIEND, RelationshipStage.CLOSE_FRIEND)


class _Size(Enum):
    """How much is hung on a main clause."""

    SHORT = 0
    MEDIUM = 1
    LONG = 2


_LAYOUTS: Mapping[Length, tuple[tuple[_Size, ...], ...]] = {
    Length.SHORT: (
        (_Size.SHORT, _Size.SHORT),
        (_Size.SHORT,),
        (_Size.MEDIUM,),
        (_Size.SHORT, _Size.MEDIUM),
        (_Size.SHORT, _Size.SHORT, _Size.SHORT),
    ),
    Length.MEDIUM: (
        (_Size.MEDIUM, _Size.MEDIUM),
        (_Size.LONG, _Size.MEDIUM),
        (_Size.MEDIUM, _Size.LONG),
        (_Size.MEDIUM, _Size.MEDIUM, _Size.MEDIUM),
    ),
    Length.LONG: (
        (_Size.LONG, _Size.LONG, _Size.MEDIUM),
        (_Size.LONG, _Size.LONG, _Size.LONG),
        (_Size.LONG, _Size.MEDIUM, _Size.LONG),
    ),
}


@dataclass(frozen=True, slots=True)
class ComposeInput:
    """What a reply is composed from. `gates` holds everything but the reply itself: earlier replies, guard, targets.

    `seed` should follow from the message, so that each turn is said differently. It speaks the decision's reply
    language, and says what it is in the first sentence if that was asked.
    """

    template: PersonaTemplate
    style: StableStyleParams
    stage: RelationshipStage
    plan: ResponsePlan
    decision: Decision
    gates: GateInput
    seed: int

    @property
    def language(self) -> Language:
        """The language to speak."""
        return Language(self.decision.signals.reply_language)

    @property
    def asks_if_ai(self) -> bool:
        """Whether the person asked what the friend is."""
        return self.decision.signals.asks_if_ai


def compose(bundle: Bundle, engine: Engine, given: ComposeInput) -> str:
    """A reply that passes every gate; if none can be made, a text of last resort that passes those of content.

    Pure: the same input gives the same reply.
    """
    document = bundle.replies[given.language]
    for attempt in range(_TRIES):
        text = _Draw(bundle, given, attempt).reply()
        if _judged(bundle, engine, given, text, ReplyOrigin.OFFLINE).passed:
            return text
    return _last_resort(bundle, engine, given, document)


def _judged(bundle: Bundle, engine: Engine, given: ComposeInput, text: str, origin: ReplyOrigin) -> GateReport:
    return check(bundle, engine, replace(given.gates, reply=text, origin=origin, surfaced=()))


def _last_resort(bundle: Bundle, engine: Engine, given: ComposeInput, document: RepliesDocument) -> str:
    """The first text, from the seed on, that passes as a safe reply; failing all, the seed's own."""
    variants = document.replies[SAYS_AI if given.asks_if_ai else LAST_RESORT].variants
    start = given.seed % len(variants)
    for text in (*variants[start:], *variants[:start]):
        if _judged(bundle, engine, given, text, ReplyOrigin.SAFE).passed:
            return text
    return variants[start]


def fitting_emoji(bundle: Bundle, template: PersonaTemplate, plan: ResponsePlan) -> tuple[str, ...]:
    """The emoji to take from: the friend's own, but quiet ones where a grin or a party would hurt."""
    glad = _GOOD_NEWS in plan.answer_outline
    quiet = plan.gentle or (plan.emotional_tone in bundle.gates.repairs.quiet_tones and not glad)
    return bundle.gates.repairs.emoji if quiet else template.emoji


def _joint(clause: str) -> str:
    """The word that joins a clause to what it hangs on: two alike in one sentence sound like a list."""
    return clause.strip(" ,،").partition(" ")[0].casefold()


class _Draw:
    """One attempt: every choice is drawn by its name, the attempt and the seed."""

    def __init__(self, bundle: Bundle, given: ComposeInput, attempt: int) -> None:
        self._bundle, self._given, self._attempt = bundle, given, attempt
        self._document = bundle.replies[given.language]
        self._texts = self._document.composer

    def reply(self) -> str:
        """A whole candidate."""
        given = self._given
        sizes = list(self._pick(_LAYOUTS[given.style.msg_length_pref], "layout"))
        asks = self._asks()
        if asks and len(sizes) > 1:
            sizes.pop()
        sentences = self._statements(sizes)
        if given.asks_if_ai:
            sentences[:1] = [self._pick(self._document.replies[SAYS_AI].variants, "ai")]
        elif self._everyday() and self._leads() and self._one_in(2, "lead"):
            sentences[0] = self._led(self._pick(self._leads(), "which lead"), sentences[0])
        elif self._one_in(3, "hint") and not self._leaves():
            sentences[0] = self._with_hint(sentences[0])
        if asks:
            sentences.append(self._pick(self._texts.questions, "question"))
        elif self._everyday():
            sentences[-1] = self._with_habit(sentences[-1])
        return self._with_emoji(" ".join(map(self._typed, sentences)))

    def _clauses(self) -> Clauses:
        if self._leaves():
            return self._texts.farewell
        if _ABOUT_ITSELF in self._given.plan.answer_outline:
            return self._texts.itself
        if self._given.decision.routing.pipeline is Pipeline.INFO_QA:
            return self._texts.info
        if _GOOD_NEWS in self._given.plan.answer_outline:
            return self._texts.joy
        return self._texts.tones[self._given.plan.emotional_tone]

    def _leaves(self) -> bool:
        return _GOODBYE in self._given.plan.answer_outline

    def _asks(self) -> bool:
        allowed = self._given.plan.followup_question and not self._given.asks_if_ai
        return bool(allowed) and self._one_in(2, "asks")

    def _statements(self, sizes: Sequence[_Size]) -> list[str]:
        """The first sentence answers, the others stay; no clause stands twice."""
        clauses = self._clauses()
        say, stay = self._mains(clauses)
        mains = [self._pick(say, "say"), *self._some(stay, len(sizes), "stay")]
        adds, mores = self._some(clauses.add, len(sizes), "add"), self._some(clauses.more, len(clauses.more), "more")
        patterns = {_Size.SHORT: self._texts.short, _Size.MEDIUM: self._texts.medium, _Size.LONG: self._texts.long}
        sentences = []
        for number, size in enumerate(sizes):
            add = adds[number % len(adds)]
            more = next((one for one in mores if _joint(one) != _joint(add)), mores[0])
            mores.remove(more)
            mores.append(more)
            sentence = filled(patterns[size], main=mains[number % len(mains)], add=add, more=more)
            sentences.append(sentence[:1].upper() + sentence[1:])
        return sentences

    def _mains(self, clauses: Clauses) -> tuple[Sequence[str], Sequence[str]]:
        """What to answer and stay with: mostly the archetype's own words; on the day after a crisis the plain ones."""
        say, stay = clauses.say, clauses.stay
        given = self._given
        if clauses not in self._texts.tones.values():
            return say, stay
        if not given.plan.gentle:
            quiet = given.plan.emotional_tone in self._bundle.gates.repairs.quiet_tones
            own = self._own().quiet if quiet else self._own().lively
            say = clauses.say if self._one_in(4, "shared say") else own.say
            stay = clauses.stay if self._one_in(3, "shared stay") else own.stay
        if given.stage in _FRIENDS and _HURT not in given.plan.answer_outline and self._one_in(4, "close"):
            stay = self._texts.close
        return say, stay

    def _own(self) -> OwnClauses:
        return self._texts.archetypes[self._given.template.core_archetype]

    def _with_hint(self, sentence: str) -> str:
        """An interjection of the friend's register before the sentence; in its own words where they are of it."""
        known = self._texts.hints[self._given.style.lexicon_bias]
        own = {token.casefold() for token in self._given.template.lexicon_bias.hint_tokens}
        return self._led(self._pick([word for word in known if word.casefold() in own] or known, "hint word"), sentence)

    def _leads(self) -> Sequence[str]:
        return self._texts.leads.get(self._given.template.id, ())

    def _led(self, lead: str, sentence: str) -> str:
        return filled(self._texts.hint, hint=lead, sentence=self._small(sentence))

    def _small(self, sentence: str) -> str:
        """With a small first letter, unless the first word keeps its capital wherever it stands."""
        first = sentence.split(maxsplit=1)[0].rstrip(",.")
        if first in self._texts.keep_capital:
            return sentence
        start = next((place for place, char in enumerate(sentence) if char.isalpha()), 0)
        return sentence[:start] + sentence[start : start + 1].lower() + sentence[start + 1 :]

    def _with_habit(self, sentence: str) -> str:
        """The friend's own habit of punctuation in the place of the full stop, now and then."""
        endings = [self._texts.habits[one] for one in self._given.plan.constraints.quirks if one in self._texts.habits]
        if not endings or not sentence.endswith(".") or not self._one_in(2, "habit"):
            return sentence
        return sentence[:-1] + self._pick(endings, "which habit")

    def _typed(self, sentence: str) -> str:
        """Whoever writes chat shorthand does not bother with capitals."""
        shorthand = self._given.style.lexicon_bias is LexiconBias.INTERNET_SHORTHAND
        return self._small(sentence) if shorthand and not self._given.asks_if_ai else sentence

    def _everyday(self) -> bool:
        """Whether nobody is hurting, leaving or left without an answer, so that a friend's habits may show.

        In intimate mode the voice that was chosen is heard, and no habit of the friend's stands before it.
        """
        plan = self._given.plan
        if self._given.gates.mode is Mode.INTIMATE:
            return False
        serious = plan.gentle or self._leaves() or _HURT in plan.answer_outline
        return not serious and self._clauses() is not self._texts.info

    def _with_emoji(self, text: str) -> str:
        """One emoji behind the last sentence, as the friend's frequency has it."""
        given = self._given
        frequency = given.style.emoji_freq
        shows = frequency is EmojiFreq.FREQUENT or (frequency is EmojiFreq.LIGHT and self._one_in(3, "emoji"))
        if not shows:
            return text
        return f"{text} {self._pick(fitting_emoji(self._bundle, given.template, given.plan), 'which emoji')}"

    def _number(self, name: str) -> int:
        """By the friend too: two friends who are told the same do not answer with the same words."""
        drawn = crc32(f"{self._given.template.id}:{self._given.seed}:{self._attempt}:{name}".encode())
        # A checksum is linear: its lowest bits go together for seeds that resemble each other. The product's do not.
        return (drawn * _MIX & 0xFFFFFFFF) >> 8

    def _pick(self, options: Sequence[T], name: str) -> T:
        return options[self._number(name) % len(options)]

    def _some(self, options: Sequence[T], count: int, name: str) -> list[T]:
        """Up to `count` different options, in a drawn order."""
        order = sorted(range(len(options)), key=lambda index: self._number(f"{name} {index}"))
        return [options[index] for index in order[: max(1, count)]]

    def _one_in(self, chances: int, name: str) -> bool:
        return self._number(name) % chances == 0
