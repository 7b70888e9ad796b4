"""The labelled lines that the weights of the word lists are learnt from, and which lists each of them touches.

They are those of evaluation/taught, read and public, the ordinary talk of policies/corpus, talks made of everyday
lines, and the messages of all cases in which the rules see nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from random import Random
from sys import intern
from typing import NamedTuple

from chingoo.engine.apart import sentence, sentences_of_tokens
from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate, may_be_arabizi
from chingoo.engine.pieces import pieces_of
from chingoo.engine.scan import Scan
from chingoo.engine.weighing import HARASSMENT, WHOLE
from chingoo.model.decision import EvaluationInput, Utterance
from chingoo.model.enums import Language, Pipeline, Role
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.cases import Expected
from chingoo.proof.cases import input_of
from chingoo.proof.judging import Judging
from chingoo.text.language import ARABIZI, detect_language
from chingoo.text.normalise import normalise
from evaluate_lines import Line, read_lines

CASE = "case"
CORPUS = "corpus"
TALK = "everyday talk"
PIECE = "~"
_PLAIN = re.compile(r"[\w']+")
"""Pieces of signs and pictures are not learnt: what they mean differs from talk to talk."""

EVERYDAY = (CORPUS, "ordinary", "everyday")
"""The kinds of which ordinary talk consists."""

TELLING = ("explicit", "coded", "third_party", "context", "harassment")
"""The kinds that are to be heard."""

_AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
_OF_ONE_LANGUAGE = re.compile(rf"\w+\.({'|'.join((*Language, ARABIZI))})_")
"""How the lists of one language alone are named."""

TALKS, SAD_TALKS = 2500, 250
"""So many talks are made of each language of everyday lines, and of everyday lines after sad ones."""

SHORT_TALKS, SAID_AGAIN, SHORT = 2500, 1000, 6
"""So many talks of each language are made of lines of so few words, and so many of what was said before already."""

SELDOM = 0.3
"""The share of lines of distress, and of those that only look alarming, that stand in everyday talks."""


class Touched(NamedTuple):
    """How many words a text has, and the lists and pieces (these with PIECE before them) that it touches."""

    words: int
    what: tuple[str, ...]


class Before(NamedTuple):
    """What an earlier message touches: lists, and by each of its parts that is weighed lists and pieces."""

    lists: tuple[str, ...]
    parts: tuple[Touched, ...]


class Seen(NamedTuple):
    """A line, what its message touches (`said`, and `now` without what an exception excused), what each message before
    it touches, and whether a rule without weights sees it."""

    line: Line
    said: Touched
    now: Touched
    before: tuple[Before, ...]
    caught: bool
    refused: bool


def lines_to_learn(root: Path, engine: Engine, judging: Judging) -> list[Line]:
    """All lines, those that are made from others last."""
    written = list(written_lines(root))
    return [*written, *_everyday_talks(written), *_near_misses(engine, judging)]


def looked_at(engine: Engine, bundle: Bundle, lines: Sequence[Line]) -> Iterator[Seen]:
    """All lines, as the engine sees them without weights."""
    bare, weigher = replace(engine, weigher=None), engine.weigher
    known = frozenset(_weighable(bundle))
    messages = bundle.crisis.context.history_messages

    @cache
    def before(text: str) -> Before:
        scan = engine.matcher.scan(normalise(text))
        parts = weigher.parts(scan) if weigher is not None else ()
        touched = tuple(_touched(part.seen().seen & known, scan, part.number) for part in parts)
        return Before(tuple(sorted(scan.seen & known)), touched)

    for line in lines:
        history = tuple(Utterance(Role.USER, text) for text in line.earlier)
        decision = evaluate(bare, EvaluationInput(line.text, _AT, history=history))
        scan = _scanned(engine, line.text)
        past = [engine.matcher.scan(normalise(text)) for text in line.earlier[-messages:]]
        excused = engine.crisis.read(scan, partial(list[Scan], past)).excused
        rest = scan if excused is None or engine.weigher is None else engine.weigher.rest_of(scan, excused)
        said = _touched(scan.seen & known, scan)
        seen = Seen(
            line,
            said,
            said if rest is scan else _touched(rest.seen & known, rest),
            tuple(before(text) for text in line.earlier[-messages:]),
            decision.signals.crisis.level is not None,
            decision.routing.pipeline is Pipeline.REFUSAL,
        )
        yield seen
        if line.kind not in TELLING:  # a harmless message has harmless sentences, which are weighed one by one as well
            last = max(sentences_of_tokens(rest))
            for number in range(last + 1 if last > 0 else 0):
                part = _touched(sentence(rest, number).seen & known, rest, number)
                yield seen._replace(said=part, now=part)


def _touched(lists: AbstractSet[str], scan: Scan, number: int = WHOLE) -> Touched:
    """Some lists, and the pieces of a message or of a sentence of it."""
    sentences = sentences_of_tokens(scan)
    words = sentences.count(number) if number != WHOLE else len(sentences) - sentences.count(-1)
    pieces = pieces_of(scan.text.match, scan.sentences, number)
    return Touched(words, (*sorted(lists), *(intern(PIECE + piece) for piece in pieces if _PLAIN.fullmatch(piece))))


def written_lines(root: Path) -> Iterator[Line]:
    """The lines that somebody wrote: those that may be read, and the corpus."""
    for folder in ("taught", "read", "public"):
        yield from read_lines(root / "evaluation" / folder)
    for path in sorted((root / "policies/corpus").glob("*.txt")):
        for text in path.read_text("utf-8").splitlines():
            if text and not text.startswith("#"):
                yield Line(path.stem, CORPUS, text, ())


def _everyday_talks(lines: Sequence[Line]) -> Iterator[Line]:
    """Harmless messages after others of the same language: most talk is like that, and a sad day changes nothing."""
    draw = Random(0)
    before: dict[str, list[str]] = defaultdict(list)
    after: dict[str, list[str]] = defaultdict(list)
    sad: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        if line.kind in EVERYDAY:
            after[line.language].append(line.text)
            before[line.language].append(line.text)
        elif line.kind == "distress":
            sad[line.language].append(line.text)
        if line.kind in ("distress", "near_miss") and draw.random() < SELDOM:
            before[line.language].append(line.text)
    for language, texts in sorted(after.items()):
        for earlier, talks in ((before[language], TALKS), (sad[language], SAD_TALKS)):
            for text in draw.choices(texts, k=talks if earlier else 0):
                yield Line(language, TALK, text, tuple(draw.choices(earlier, k=draw.randint(2, 5))))
        short = [text for text in texts if len(text.split()) <= SHORT]
        for text in draw.choices(short, k=SHORT_TALKS):
            yield Line(language, TALK, text, tuple(draw.choices(short, k=draw.randint(1, 4))))
        for text in draw.choices(texts, k=SAID_AGAIN):
            yield Line(language, TALK, text, (text,) * draw.randint(1, 5))


def _near_misses(engine: Engine, judging: Judging) -> Iterator[Line]:
    """The messages of all cases in which the rules see neither a crisis nor anything to refuse."""
    bare = replace(engine, weigher=None)
    for document in judging.cases.values():
        for case in document.cases:
            if case.expect is not None and _wants_weight(case.expect):
                continue
            given = input_of(case)
            decision = evaluate(bare, given)
            if decision.signals.crisis.level is None and decision.routing.pipeline is not Pipeline.REFUSAL:
                yield Line("", CASE, given.text, tuple(one.text for one in given.history if one.role is Role.USER))


def _wants_weight(expected: Expected) -> bool:
    return expected.crisis not in (None, "none") or expected.facts.get(HARASSMENT) is True


def _scanned(engine: Engine, text: str) -> Scan:
    """A message as `evaluate` scans it."""
    normalised = normalise(text)
    detected = detect_language(normalised.match, engine.languages)
    return engine.matcher.scan(normalised, by_ear=may_be_arabizi(detected))


def _weighable(bundle: Bundle) -> Iterator[str]:
    """The lists of what is said to the friend; those of facts and of replies say nothing here.

    Nor do those of one language alone: they were written from lines like these, and would be taken to tell of all
    others what they tell of these.
    """
    for document in (bundle.crisis, bundle.safety, bundle.signals, bundle.topics, bundle.weighing):
        yield from (list_id for list_id in document.lists if not _OF_ONE_LANGUAGE.match(list_id))
