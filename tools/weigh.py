"""Learns what the word lists weigh, from labelled lines, and writes the weights into policies/weighing.yaml.

`make weigh` (or `python tools/weigh.py [--show]`): reads the lines of evaluation/taught and evaluation/read and the
ordinary talk of policies/corpus, looks which lists each touches, and fits one linear model for each part of the file.
`at_least` and `look_back_from` stay as people set them. With `--show` nothing is written. The table says how many lines
each bound catches that no other rule sees, on fifths of the lines that the model was not fitted on.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.engine.engine import Engine, build_engine
from chingoo.engine.evaluate import evaluate, may_be_arabizi
from chingoo.engine.scan import Scan
from chingoo.engine.weighing import HARASSMENT
from chingoo.model.decision import EvaluationInput, Utterance
from chingoo.model.enums import Pipeline, Role
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import load
from chingoo.policy.documents.cases import Expected
from chingoo.policy.documents.weighing import TalkWeighing, Weighing, WeighingDocument
from chingoo.proof.cases import input_of
from chingoo.proof.checks.weights_are_as_learnt import sum_of
from chingoo.proof.judging import Judging, load_judging
from chingoo.text.language import detect_language
from chingoo.text.normalise import normalise
from evaluate_lines import Line, read_lines

ROOT = Path(__file__).resolve().parent.parent
PATH = "policies/weighing.yaml"
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
FOLDS = 5
CASE = "case"
CORPUS = "corpus"
TALK = "everyday talk"
TALKS, SAD_TALKS = 2500, 250
"""So many talks are made of each language of everyday lines, and of everyday lines after sad ones."""

SELDOM = 0.3
"""The share of lines of distress, and of those that only look alarming, that stand in everyday talks."""

COUNTS_FOR = {CASE: 3, CORPUS: 3, "ordinary": 3}
"""How many lines one of a kind counts for: these are the ones that must not be touched at all."""

ROUNDS = 12
HEAVIER = 2.0
MARGIN = 6
"""Cases and lines of the corpus that come so near to a bound are made heavier by so much, in so many rounds at most."""

LIGHTEST = 4
STRENGTH = {"message": 0.1, "others": 0.1, "talk": 0.1, "harassment": 0.2}
"""How freely each model may follow its lines (scikit-learn's C)."""


class Seen(NamedTuple):
    """A line, the lists that its message touches and those that what was said before it touches, and whether a rule
    without weights sees it already."""

    line: Line
    now: frozenset[str]
    before: frozenset[str]
    caught: bool
    refused: bool


def main() -> None:
    """Learn, print the table, and write."""
    parser = argparse.ArgumentParser(description="What do the word lists weigh?")
    parser.add_argument("--show", action="store_true", help="write nothing")
    given = parser.parse_args()
    files, schemas = read_policy_files(ROOT), read_schemas(ROOT)
    result = load(files, schemas)
    if result.bundle is None:
        sys.exit("the policies do not compile; see `chingoo policy check`")
    engine = build_engine(_asking_for_all(result.bundle))
    judging = load_judging(files, schemas).judging
    if judging is None:
        sys.exit("the cases cannot be read; see `chingoo policy check`")
    written = list(_lines())
    lines = [*written, *_everyday_talks(written), *_near_misses(engine, judging)]
    seen = list(_looked_at(engine, result.bundle, lines))
    engine.close()
    learnt = _learnt(seen, result.bundle.weighing)
    learnt = replace(learnt, sum=sum_of(learnt))
    if not given.show:
        (ROOT / PATH).write_text(_rewritten(files[PATH], learnt), "utf-8")
        print(f"{PATH} is written")


def _everyday_talks(lines: Sequence[Line]) -> Iterator[Line]:
    """Harmless messages after others of the same language: most talk is like that, and a sad day changes nothing."""
    draw = Random(0)
    before: dict[str, list[str]] = defaultdict(list)
    after: dict[str, list[str]] = defaultdict(list)
    sad: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        if line.kind in (CORPUS, "ordinary"):
            after[line.language].append(line.text)
            before[line.language].append(line.text)
        elif line.kind == "distress":
            sad[line.language].append(line.text)
        if line.kind in ("distress", "near_miss") and draw.random() < SELDOM:
            before[line.language].append(line.text)
    for language, texts in sorted(after.items()):
        for earlier, talks in ((before[language], TALKS), (sad[language], SAD_TALKS)):
            for text in draw.choices(texts, k=talks):
                yield Line(language, TALK, text, tuple(draw.choices(earlier, k=draw.randint(2, 5))))


def _asking_for_all(bundle: Bundle) -> Bundle:
    """The bundle with a weight for each list that only weighs, so that it is looked for even if it had none yet."""
    weighing = bundle.weighing
    message = replace(weighing.message, weights=dict.fromkeys(weighing.lists, 0))
    return replace(bundle, weighing=replace(weighing, message=message))


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


def _looked_at(engine: Engine, bundle: Bundle, lines: Sequence[Line]) -> Iterator[Seen]:
    """All lines, as the engine sees them without weights."""
    bare = replace(engine, weigher=None)
    known = frozenset(_weighable(bundle))
    for line in lines:
        history = tuple(Utterance(Role.USER, text) for text in line.earlier)
        decision = evaluate(bare, EvaluationInput(line.text, AT, history=history))
        past = (
            engine.matcher.scan(normalise(text)).seen
            for text in line.earlier[-bundle.crisis.context.history_messages :]
        )
        yield Seen(
            line,
            _scanned(engine, line.text).seen & known,
            frozenset[str]().union(*past) & known,
            decision.signals.crisis.level is not None,
            decision.routing.pipeline is Pipeline.REFUSAL,
        )


def _scanned(engine: Engine, text: str) -> Scan:
    """A message as `evaluate` scans it."""
    normalised = normalise(text)
    detected = detect_language(normalised.match, engine.languages)
    return engine.matcher.scan(normalised, by_ear=may_be_arabizi(detected))


def _weighable(bundle: Bundle) -> Iterator[str]:
    """The lists of what is said to the friend; those of facts and of replies say nothing here."""
    for document in (bundle.crisis, bundle.safety, bundle.signals, bundle.topics, bundle.weighing):
        yield from document.lists


def _lines() -> Iterator[Line]:
    for folder in ("taught", "read"):
        yield from read_lines(ROOT / "evaluation" / folder)
    for path in sorted((ROOT / "policies/corpus").glob("*.txt")):
        for text in path.read_text("utf-8").splitlines():
            if text and not text.startswith("#"):
                yield Line(path.stem, CORPUS, text, ())


def _learnt(seen: Sequence[Seen], document: WeighingDocument) -> WeighingDocument:
    """The document with new weights."""
    alone = [one for one in seen if not one.line.kind.startswith("context") and one.line.kind != TALK]
    talks = [one for one in seen if one.line.earlier]

    def message(name: str, own: tuple[str, ...], left_out: tuple[str, ...]) -> Weighing:
        rule: Weighing = getattr(document, name)
        chosen = [one for one in alone if one.line.kind not in left_out]
        base, weights = _fitted(
            name,
            [dict.fromkeys(one.now, 1) for one in chosen],
            [one.line.kind in own for one in chosen],
            rule.at_least,
            [(one.line.kind, one.refused if name == "harassment" else one.caught) for one in chosen],
        )
        return replace(rule, base=base, weights=weights)

    base, weights = _fitted(
        "talk",
        [{f"now {one}": 1 for one in talk.now} | {f"before {one}": 1 for one in talk.before} for talk in talks],
        [talk.line.kind == "context" for talk in talks],
        document.talk.at_least,
        [(talk.line.kind, talk.caught) for talk in talks],
    )

    def of(when: str) -> dict[str, int]:
        return {name.removeprefix(when): weight for name, weight in weights.items() if name.startswith(when)}

    return replace(
        document,
        message=message("message", ("explicit", "coded"), ("third_party",)),
        others=message("others", ("third_party",), ("explicit", "coded")),
        talk=replace(document.talk, base=base, now=of("now "), before=of("before ")),
        harassment=message("harassment", ("harassment",), ()),
    )


def _fitted(
    name: str,
    touched: Sequence[Mapping[str, int]],
    wanted: Sequence[bool],
    at_least: int,
    kinds: Sequence[tuple[str, bool]],
) -> tuple[int, dict[str, int]]:
    """Base and weights in hundredths; prints what the bound catches of the fifths that were left out."""
    vectors = DictVectorizer()
    rows, right = vectors.fit_transform(touched), np.array(wanted)
    rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)  # all that liblinear takes
    model = LogisticRegression(C=STRENGTH[name], max_iter=2000, solver="liblinear")
    counts_for = np.array([COUNTS_FOR.get(kind, 1) for kind, _ in kinds], dtype=float)
    apart = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    unseen = 100 * cross_val_predict(
        model, rows, right, cv=apart, method="decision_function", params={"sample_weight": counts_for}
    )
    _tell(name, unseen, kinds, at_least)
    gated = np.array([kind in (CASE, CORPUS) and not caught for kind, caught in kinds])
    for _ in range(ROUNDS):
        model.fit(rows, right, sample_weight=counts_for)
        near = gated & (model.decision_function(rows) * 100 > at_least - MARGIN)
        if not near.any():
            break
        counts_for = np.where(near, counts_for * HEAVIER, counts_for)
    print(f"  {near.sum()} cases or lines of the corpus come nearer than {MARGIN} to the bound")
    hundredths = (round(float(one) * 100) for one in model.coef_[0])
    weights = {
        key: weight for key, weight in zip(vectors.feature_names_, hundredths, strict=True) if abs(weight) >= LIGHTEST
    }
    return round(float(model.intercept_[0]) * 100), dict(sorted(weights.items()))


def _tell(name: str, unseen: Any, kinds: Sequence[tuple[str, bool]], at_least: int) -> None:
    """One line for each kind: how many there are, how many the rules see, and how many more by several bounds."""
    bounds = [at_least + step for step in (-100, -50, 0, 50, 100)]
    print(f"{name:<26}{'n':>7}{'rules':>8}" + "".join(f"{bound:>9}" for bound in bounds))
    for kind in dict.fromkeys(kind for kind, _ in kinds):
        of_kind = np.array([one == kind for one, _ in kinds])
        caught = np.array([by_rule for _, by_rule in kinds])
        shares = "".join(f"{(caught | (unseen >= bound))[of_kind].mean():>9.4f}" for bound in bounds)
        print(f"  {kind:<24}{of_kind.sum():>7}{caught[of_kind].mean():>8.3f}{shares}")


def _rewritten(text: str, document: WeighingDocument) -> str:
    """The file with new numbers; comments before the first part stay, and so do the lists."""
    head = text[: text.index("message:\n")]
    lists = text[text.index("lists:") :]
    parts = [
        _part("message", document.message),
        _part("others", document.others),
        _part("talk", document.talk),
        _part("harassment", document.harassment),
    ]
    return head + "\n".join(parts) + f"\nsum: {document.sum}\n\n" + lists


def _part(name: str, rule: Weighing | TalkWeighing) -> str:
    lines = [f"{name}:", f"  because: {rule.because}", f"  base: {rule.base}", f"  at_least: {rule.at_least}"]
    if isinstance(rule, TalkWeighing):
        lines.append(f"  look_back_from: {rule.look_back_from}")
        weighed = {"now": rule.now, "before": rule.before}
    else:
        weighed = {"weights": rule.weights}
    for key, weights in weighed.items():
        lines.append(f"  {key}:")
        lines += [f"    {list_id}: {weight}" for list_id, weight in weights.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
