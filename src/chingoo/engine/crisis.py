"""The crisis check (§9): words that suffice, words that count in context, and somebody else at risk."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from chingoo.engine.apart import sentences_of_tokens
from chingoo.engine.excused import Excused
from chingoo.engine.found import Group
from chingoo.engine.hits import Hit
from chingoo.engine.scan import Scan
from chingoo.engine.seen import Seen
from chingoo.engine.sights import Combinations, Hits, combinations, places
from chingoo.engine.together import Asked
from chingoo.model.decision import CrisisSignal
from chingoo.model.enums import CrisisLevel
from chingoo.policy.documents.base import View
from chingoo.policy.documents.crisis import CrisisDocument, CrisisException

CRISIS = "crisis"
_Phrase = tuple[Hit, ...]


class CrisisFinding(NamedTuple):
    """The signal, and what in the policy led to it (None without a crisis).

    `excused` is what exceptions told to mean less here, where there is no crisis for it.
    """

    signal: CrisisSignal
    seen: Seen | None
    excused: Excused | None = None


_NO_CRISIS = CrisisFinding(CrisisSignal(None), None)
_NOTHING_EXCUSED = Excused((), ())


class CrisisReader:
    """The crisis rules of one bundle."""

    def __init__(self, document: CrisisDocument, asked: Asked) -> None:
        self._document = document
        direct, third = document.direct, document.third_party
        self._certain = document.certain.lists if document.certain is not None else ()
        self._hints = _given(document.context.hints)
        self._before = (document.context.words, *self._hints, *_given(document.context.before))
        self._burdens = _given(document.context.burdens)
        self._whispers = _given(document.context.whispers)
        self._together = combinations(direct.combinations, asked)
        self._signs = combinations(third.signs, asked)
        self._handed_on = combinations(third.near, asked)
        self._hinted = combinations(document.context.combinations, asked)
        self._exceptions = Combinations(((exception.near, exception) for exception in document.exceptions), asked)
        self._leading = Group((*self._hints, *self._whispers))
        self._alone = Group(
            (*direct.lists, *third.lists, *self._certain, document.context.words, *self._hints, *self._whispers)
        )

    def read(self, scan: Scan, earlier: Callable[[], Sequence[Scan]]) -> CrisisFinding:
        """The level and its phrases. `earlier` gives the scans of the user's recent messages, if they are needed."""
        if not self._may_tell(scan):
            return _NO_CRISIS
        own = list(self._direct(scan))
        others = list(self._others(scan))
        weakened, excused = self._weakened(scan, [*own, *others]) if own or others else ([], _NOTHING_EXCUSED)
        weak = _Stretches(hit for phrase in weakened for hit in phrase)
        said = [phrase for phrase in own if not weak.touch(phrase)]
        said += [(hit,) for hit in self._hits(scan, self._certain)]
        about_others = [phrase for phrase in others if not weak.touch(phrase)]
        if said:
            handed_on = _Stretches(hit for hits in self._handed_on.places(scan) for hit in hits)
            about_others += [phrase for phrase in said if handed_on.touch(phrase)]
            said = [phrase for phrase in said if not handed_on.touch(phrase)]
        if said:
            rule = self._document.direct
            return crisis_finding(
                CrisisLevel.HIGH_RISK, scan, said, Seen("crisis.direct", CRISIS, rule.place, rule.because, ())
            )
        if about_others:
            third = self._document.third_party
            told = Seen("crisis.third_party", CRISIS, third.place, third.because, ())
            return crisis_finding(CrisisLevel.THIRD_PARTY, scan, about_others, told)
        found = self._in_context(scan, weakened, earlier)
        return found if found.signal.level is not None or not weakened else found._replace(excused=excused)

    def _may_tell(self, scan: Scan) -> bool:
        """Whether a text has words of its own that any level begins with; most texts have none, and are done here."""
        if self._alone.any_in(scan.found):
            return True
        return any(telling.are_met(scan) for telling in (self._together, self._signs, self._hinted))

    def _direct(self, scan: Scan) -> Iterator[_Phrase]:
        """Everything that would suffice by itself."""
        for hit in self._hits(scan, self._document.direct.lists):
            yield (hit,)
        yield from self._together.places(scan)

    def _others(self, scan: Scan) -> Iterator[_Phrase]:
        """Everything that says that somebody else is at risk."""
        for hit in self._hits(scan, self._document.third_party.lists):
            yield (hit,)
        yield from self._signs.places(scan)

    def _hits(self, scan: Scan, lists: Iterable[str]) -> Iterator[Hit]:
        for list_id in lists:
            if scan.has(list_id):
                yield from scan.hits(list_id)

    def _weakened(self, scan: Scan, phrases: list[_Phrase]) -> tuple[list[_Phrase], Excused]:
        """The phrases that an idiom, a title or a negation makes mean less, and what told so."""
        weak: dict[_Phrase, None] = {}
        by: list[str] = []
        told: list[Hits] = []
        for near, exception in self._exceptions.met(scan):
            found = list(places(near, scan))
            if not found:
                continue
            if exception.whole:
                return phrases, Excused((exception.id,), (), whole=True)
            touched = list(_touched(exception, scan, found, phrases))
            if touched:
                weak |= dict.fromkeys(touched)
                by.append(exception.id)
                told += found
        return list(weak), Excused(tuple(by), (*weak, *told))

    def _in_context(self, scan: Scan, weakened: list[_Phrase], earlier: Callable[[], Sequence[Scan]]) -> CrisisFinding:
        """The second layer: context words now and before, or several different ones at once."""
        rule = self._document.context
        apart = frozenset(_outermost(hit for phrase in weakened for hit in phrase))
        weaker = (phrase for phrase in weakened if phrase[0] in apart)
        telling: list[_Phrase] = [*((hit,) for hit in self._hits(scan, (rule.words,))), *weaker]
        told = Seen("crisis.context", CRISIS, rule.place, rule.because, ())
        if _different(telling) >= rule.distinct_now:
            return crisis_finding(CrisisLevel.CONTEXT, scan, telling, told)
        if not (telling or self._leading.any_in(scan.found) or self._hinted.are_met(scan)):
            return _NO_CRISIS
        past = earlier()
        if not past:
            return _NO_CRISIS
        hints: list[_Phrase] = [(hit,) for hit in self._hits(scan, self._hints)]
        plain_hints = list(self._hinted.places(scan))
        now = telling + hints + plain_hints
        if not now and not any(map(scan.has, self._whispers)):
            return _NO_CRISIS
        told_before = [self._told_before(scanned) for scanned in past]
        before = [spoken(scanned, hit) for scanned, was in zip(past, told_before, strict=True) for hit in was.hits]
        burdens = [
            spoken(scanned, hit)
            for scanned, was in zip(past, told_before, strict=True)
            for hit in self._borne_before(scanned, was)
        ]
        much = plain_hints or (hints and _different(now) >= rule.hints_now)
        enough = rule.direct_is_enough and any(was.sufficed for was in told_before)
        words = len(before) + len(burdens) // rule.burdens_for_one
        needed = 1 if much else rule.in_history if now else rule.whispers_after
        if not enough and words < needed:
            return _NO_CRISIS
        said: Iterable[_Phrase] = now or ((hit,) for hit in self._hits(scan, self._whispers))
        found = crisis_finding(CrisisLevel.CONTEXT, scan, said, told)
        phrases = (*found.signal.phrases, *before, *burdens)
        return found._replace(signal=CrisisSignal(CrisisLevel.CONTEXT, phrases))

    def _borne_before(self, past: Scan, told: "_Before") -> list[Hit]:
        """Burdens an earlier message tells of, without those that its other words tell already."""
        telling = _Stretches(told.hits)
        return [hit for hit in _outermost(self._hits(past, self._burdens)) if not telling.touch((hit,))]

    def _told_before(self, past: Scan) -> "_Before":
        """What an earlier message says, with repetition: context words, and words that sufficed then."""
        plain = list(self._direct(past))
        weak = _Stretches(hit for phrase in self._weakened(past, plain)[0] for hit in phrase)
        direct = [phrase for phrase in plain if not weak.touch(phrase)]
        hinted = [phrase for phrase in self._hinted.places(past) if not weak.touch(phrase)]
        together = (hit for phrase in (*direct, *hinted) for hit in phrase)
        return _Before(_outermost([*self._hits(past, self._before), *together]), sufficed=bool(direct))


class _Before(NamedTuple):
    """What an earlier message says, and whether some of it sufficed by itself."""

    hits: list[Hit]
    sufficed: bool


def crisis_finding(level: CrisisLevel, scan: Scan, phrases: Iterable[_Phrase], told: Seen) -> CrisisFinding:
    """A finding with its phrases, each once, in order of appearance."""
    hits = _outermost(hit for phrase in phrases for hit in phrase)
    words = tuple(dict.fromkeys(spoken(scan, hit) for hit in hits))
    first_of = {(hit.name, spoken(scan, hit)): hit for hit in reversed(hits)}
    shown = tuple(sorted(first_of.values(), key=lambda hit: hit.start))
    return CrisisFinding(CrisisSignal(level, words), told._replace(hits=shown))


def _given(list_id: str | None) -> tuple[str, ...]:
    return () if list_id is None else (list_id,)


def _is_of(phrase: _Phrase, lists: Iterable[str]) -> bool:
    return any(hit.list_id in lists for hit in phrase)


def _different(phrases: Iterable[_Phrase]) -> int:
    return len({phrase[0].name for phrase in phrases})


def spoken(scan: Scan, hit: Hit) -> str:
    """A hit in words fit for the log: as said, or as listed where it was disguised."""
    return hit.name if hit.view is View.EVASION else scan.text.match[hit.start : hit.end]


def _outermost(hits: Iterable[Hit]) -> list[Hit]:
    """Hits in order, without those that lie inside another."""
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda one: (one.start, -one.end)):
        if not kept or hit.end > kept[-1].end:
            kept.append(hit)
    return kept


def _touched(
    exception: CrisisException, scan: Scan, found: Sequence[Hits], phrases: Iterable[_Phrase]
) -> Iterator[_Phrase]:
    """The phrases that an exception makes mean less where it is seen."""
    covers = exception.covers
    if exception.reach is not None:
        yield from _reached(scan, found, exception.reach, [one for one in phrases if not covers or _is_of(one, covers)])
    elif covers:
        covered = {hit for place in found for hit in place if hit.list_id in covers}
        yield from (phrase for phrase in phrases if not covered.isdisjoint(phrase))
    else:
        taken = _Stretches(hit for place in found for hit in place)
        yield from (phrase for phrase in phrases if taken.touch(phrase))


def _reached(scan: Scan, found: Iterable[Hits], reach: int, phrases: Iterable[_Phrase]) -> Iterator[_Phrase]:
    """The phrases at most `reach` words from a place of `found`, of which a word stands in a sentence with it."""
    sentence_of = sentences_of_tokens(scan)

    def sentences(hits: Hits) -> range:
        numbers = [sentence_of[hit.first_token] for hit in hits]
        return range(min(numbers), max(numbers) + 1)

    around: dict[int, list[tuple[int, int]]] = {}
    for place in found:
        first = min(hit.first_token for hit in place) - reach
        behind = max(hit.last_token for hit in place) + 1 + reach
        for number in sentences(place):
            around.setdefault(number, []).append((first, behind))
    joined = {number: _Joined(stretches) for number, stretches in around.items()}
    for phrase in phrases:
        near = [joined[number] for number in sentences(phrase) if number in joined]
        if any(one.touches(hit.first_token, hit.last_token + 1) for one in near for hit in phrase):
            yield phrase


class _Joined:
    """Stretches, half-open, joined where they overlap."""

    def __init__(self, stretches: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(stretches):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def touches(self, start: int, end: int) -> bool:
        """Whether a stretch shares something with one of them."""
        index = bisect_left(self._starts, end) - 1
        return index >= 0 and self._ends[index] > start


class _Stretches:
    """The stretches of text that some hits take up, joined where they touch."""

    def __init__(self, hits: Iterable[Hit]) -> None:
        stretches = {(hit.start, hit.end) for hit in hits}
        self._joined = _Joined(stretches) if stretches else None

    def touch(self, phrase: _Phrase) -> bool:
        """Whether a phrase shares characters with one of them."""
        if self._joined is None:
            return False
        for hit in phrase:  # noqa: SIM110 - said of every phrase of a text that is made of nothing else
            if self._joined.touches(hit.start, hit.end):
                return True
        return False
