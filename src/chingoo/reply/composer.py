"""The offline composer: a short reply inside the friend's own bands, from a plan and a seed, without any model.

It knows nothing of what was said but the plan, so it says nothing of it either: it answers, stays, and leaves room. The
same input gives the same words; every candidate passes the gates before it is said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar
from zlib import crc32

from chingoo.engine.engine import Engine
from chingoo.model.decision import Decision
from chingoo.model.enums import EmojiFreq, Language, LexiconBias, Mode, Pipeline, RelationshipStage, ReplyOrigin
from chingoo.model.people import StableStyleParams
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.policy.documents.planning import Tone
from chingoo.policy.documents.replies import Clauses, OwnClauses, OwnStay, RepliesDocument
from chingoo.reply.fill import filled
from chingoo.reply.gates import check
from chingoo.reply.gates.report import GateInput, GateReport
from chingoo.reply.layout import LAYOUTS, TWO_MAINS, Size
from chingoo.reply.plan import ResponsePlan
from chingoo.reply.typed import casual, small

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
    """The word that joins a clause to what stands before: two alike in one sentence sound like a list."""
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
        sizes = list(self._pick(LAYOUTS[given.style.msg_length_pref], "layout"))
        asks = self._asks()
        if asks and len(sizes) > 1:
            sizes.pop()
        sentences = self._statements(sizes)
        if given.asks_if_ai:
            sentences[:1] = [self._pick(self._document.replies[SAYS_AI].variants, "ai")]
        elif self._everyday() and self._leads() and not self._one_in(3, "lead"):
            sentences[0] = self._led(self._pick(self._leads(), "which lead"), sentences[0])
        elif self._one_in(3, "hint") and not self._leaves():
            sentences[0] = self._with_hint(sentences[0])
        if asks:
            sentences.append(self._pick(self._questions(), "question"))
        elif self._everyday():
            sentences[-1] = self._with_habit(sentences[-1])
        return self._with_emoji(" ".join(map(self._typed, sentences)))

    def _clauses(self) -> Clauses:
        if self._leaves():
            return self._texts.farewell
        moment = self._moment()
        if moment is not None:
            return self._texts.moments[moment]
        if _ABOUT_ITSELF in self._given.plan.answer_outline:
            return self._texts.itself
        if self._given.decision.routing.pipeline is Pipeline.INFO_QA:
            return self._texts.info
        if _GOOD_NEWS in self._given.plan.answer_outline:
            return self._texts.joy
        return self._texts.tones[self._given.plan.emotional_tone]

    def _moment(self) -> str | None:
        """The step of the plan that has clauses to itself."""
        return next((step for step in self._given.plan.answer_outline if step in self._texts.moments), None)

    def _of_moment(self) -> Sequence[str]:
        """What the archetype says to it in its own way."""
        outline, own = self._given.plan.answer_outline, self._own().moments
        return next((own[step] for step in outline if step in own), ())

    def _questions(self) -> Sequence[str]:
        """Those that fit what was said; of somebody who hurts the quiet ones, in whatever tone the friend speaks."""
        hurt = _HURT in self._given.plan.answer_outline and self._moment() is None
        clauses = self._texts.tones[Tone.SUPPORTIVE] if hurt else self._clauses()
        return clauses.questions or self._texts.questions

    def _leaves(self) -> bool:
        return _GOODBYE in self._given.plan.answer_outline

    def _asks(self) -> bool:
        allowed = self._given.plan.followup_question and not self._given.asks_if_ai
        return bool(allowed) and self._one_in(2, "asks")

    def _statements(self, sizes: Sequence[Size]) -> list[str]:
        """The first sentence answers, the others stay; no clause stands twice, and no sentence has two tails."""
        clauses, texts = self._clauses(), self._texts
        say, stay = self._mains(clauses)
        mains = iter(self._drawn_mains(clauses, self._pick(say, "say"), stay))
        adds, mores = iter(self._some(clauses.add, len(sizes), "add")), iter(self._mores(clauses))
        patterns = {Size.SHORT: texts.short, Size.MEDIUM: texts.medium, Size.PAIR: texts.pair, Size.LONG: texts.long}
        sentences = []
        for size in sizes:
            main, parts = next(mains), dict.fromkeys(("other", "add", "more"), "")
            if size in TWO_MAINS:
                parts["other"] = self._small(next(mains))
            if size is Size.MEDIUM:
                parts["add"] = next(adds)
            if size is Size.LONG:
                parts["more"] = next(mores)
            sentence = filled(patterns[size], main=main, **parts)
            sentences.append(sentence[:1].upper() + sentence[1:])
        return sentences

    def _drawn_mains(self, clauses: Clauses, first: str, stay: Sequence[str]) -> list[str]:
        """All main clauses in the order in which they are said: a long reply needs more than the archetype has."""
        rest = [one for one in clauses.stay if one not in stay]
        drawn = [first]
        for options, name in ((stay, "stay"), (rest, "more to stay with"), (clauses.say, "more to say")):
            if options:
                drawn += [one for one in self._some(options, len(options), name) if one not in drawn]
        return drawn

    def _mores(self, clauses: Clauses) -> list[str]:
        """Tails of two main clauses, first those that do not begin with the word that joins the two."""
        pair = _joint(self._texts.pair.partition("{main}")[2])
        drawn = self._some(clauses.more, len(clauses.more), "more")
        return sorted(drawn, key=lambda more: _joint(more) == pair)

    def _mains(self, clauses: Clauses) -> tuple[Sequence[str], Sequence[str]]:
        """What to answer and stay with: mostly the archetype's own words; on the day after a crisis the plain ones."""
        given = self._given
        say: Sequence[str] = clauses.say
        stay: Sequence[str] = clauses.stay
        if self._of_moment() and not self._one_in(5, "shared say"):
            say = self._of_moment()
        if clauses.own_stay is not None and not self._one_in(4, "shared stay"):
            stay = (self._own().quiet if clauses.own_stay is OwnStay.QUIET else self._own().lively).stay
        if clauses not in self._texts.tones.values():
            return say, stay
        if not given.plan.gentle:
            own = self._own().quiet if _HURT in given.plan.answer_outline else self._own().lively
            say = clauses.say if self._one_in(4, "shared say") else own.say
            stay = clauses.stay if self._one_in(3, "shared stay") else own.stay
        if given.stage in _FRIENDS and _HURT not in given.plan.answer_outline and self._one_in(5, "close"):
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
        if "," in " ".join(sentence.split(maxsplit=2)[:2]):  # it has an interjection of its own
            return sentence
        return filled(self._texts.hint, hint=lead, sentence=self._small(sentence))

    def _small(self, sentence: str) -> str:
        return small(sentence, self._texts.keep_capital)

    def _with_habit(self, sentence: str) -> str:
        """The friend's own habit of punctuation in the place of the full stop, now and then."""
        endings = [self._texts.habits[one] for one in self._given.plan.constraints.quirks if one in self._texts.habits]
        if not endings or not sentence.endswith(".") or not self._one_in(2, "habit"):
            return sentence
        return sentence[:-1] + self._pick(endings, "which habit")

    def _typed(self, sentence: str) -> str:
        """In the short forms of the register; whoever writes chat shorthand does not bother with capitals."""
        if self._given.asks_if_ai:
            return sentence
        register = self._given.style.lexicon_bias
        sentence = casual(sentence, self._texts.casual.get(register, {}))
        return self._small(sentence) if register is LexiconBias.INTERNET_SHORTHAND else sentence

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
