"""Learns what `chingoo detector` listens with, from labelled lines, and writes src/chingoo/hearing/head.*.

`make detector` (or `python tools/learn_detector.py [--show]`, some five minutes): the lines are those that the weights
of words are learnt from (see weigh_lines.py), without talks. Each is listened to as a whole and by its sentences, as
the detector does. They are dealt into quarters; for each, a head and the weights of words are learnt from the other
three, so that both hear it as something new. The bound of each category is the lowest one at which no more is heard
wrongly, beyond what words alone see, than its `alarms` allow. The four heads listen side by side from then on. With
`--show` nothing is written. Lines in several languages may tell the same: what is said of them flatters.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import log
from pathlib import Path
from typing import Any, Final
from warnings import catch_warnings, simplefilter
from zlib import crc32

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.adapters.sentence_model import ENCODER, NOTE, NUMBERS, load_encoder
from chingoo.engine.engine import build_engine
from chingoo.hearing.head import HeadNote, Layers, Output, Vectors, Weighs, kept
from chingoo.hearing.parts import parts_of
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import load
from chingoo.policy.documents.detector import DetectorDocument
from chingoo.policy.documents.weighing import Length, WeighingDocument
from evaluate_lines import Line
from weigh import CHOOSING, COUNTS_FOR, LIGHTEST, STRENGTH, UNSURE, asking_for_all, rows_of
from weigh_lines import CORPUS, EVERYDAY, PIECE, TELLING, Seen, looked_at, written_lines

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "src/chingoo/hearing"
QUARTERS: Final = 4
HIDDEN: Final = 64
SHARE: Final = 1.0
"""How much of what a head hears counts beside what words weigh; from 0.7 to 1 nothing differs."""

AT_ONCE: Final = 64

HEARD: Final = {CORPUS: 5, "ordinary": 5, "everyday": 5, "health_education": 2, "flirt_mild": 2}
"""The kinds that must not be touched at all, and how many lines each of theirs counts for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A category, the kinds of lines that are of it, and which part of weighing.yaml tells of it.

    `near`: the kinds that only sound like it; `alarms`: the share of them, and of ordinary talk, that may be heard
    beyond what words see. `left_out` are kinds that may be either.
    """

    category: str
    weighs: Weighs
    kinds: tuple[str, ...]
    near: tuple[str, ...]
    alarms: tuple[float, float]
    left_out: tuple[str, ...] = ()


WANTED: Final = (
    Wanted(
        "self-harm/intent",
        "message",
        ("explicit", "coded"),
        ("near_miss", "not_crisis"),
        (0.01, 0.0007),
        ("third_party",),
    ),
    Wanted(
        "self-harm", "others", ("third_party",), ("near_miss", "not_crisis"), (0.005, 0.0003), ("explicit", "coded")
    ),
    Wanted("harassment", "harassment", ("harassment",), ("harassment_near_miss",), (0.01, 0.0003), UNSURE),
)


@dataclass(frozen=True, slots=True)
class Table:
    """All that is listened to. `of` is the line of each part; `unseen` what its words weigh, in hundredths, for each
    category, by weights learnt from others; `seen` whether words alone see the line."""

    kinds: Any
    of: Any
    quarter: Any
    vectors: Vectors
    unseen: Any
    seen: Any


def main() -> None:
    """Learn, print the table, and write."""
    parser = argparse.ArgumentParser(description="What does the detector listen with?")
    parser.add_argument("--show", action="store_true", help="write nothing")
    given = parser.parse_args()
    result = load(read_policy_files(ROOT), read_schemas(ROOT))
    if result.bundle is None:
        sys.exit("the policies do not compile; see `chingoo policy check`")
    lines = [line for line in written_lines(ROOT) if not line.kind.startswith("context")]
    engine = build_engine(asking_for_all(result.bundle))
    parts = [Line(line.language, line.kind, part, ()) for line in lines for part in parts_of(line.text)]
    of = np.array([number for number, line in enumerate(lines) for _ in parts_of(line.text)])
    seen = list(_wholes(looked_at(engine, result.bundle, parts)))
    engine.close()
    with threadpool_limits(1):
        note, layers = _learnt(lines, parts, of, seen, result.bundle)
    if not given.show:
        said, numbers = kept(note, layers)
        (FOLDER / NOTE).write_bytes(said)
        (FOLDER / NUMBERS).write_bytes(numbers)
        print(f"{FOLDER / NOTE} and {NUMBERS} are written")


def _wholes(seen: Iterator[Seen]) -> Iterator[Seen]:
    """What is seen of each part as a whole; its sentences are parts of their own already."""
    last: Line | None = None
    for one in seen:
        if one.line is not last:
            yield one
        last = one.line


def _learnt(
    lines: Sequence[Line], parts: Sequence[Line], of: Any, seen: Sequence[Seen], bundle: Bundle
) -> tuple[HeadNote, Layers]:
    quarter = np.array([crc32(line.text.encode()) % QUARTERS for line in lines])
    kinds = np.array([line.kind for line in lines])
    length = bundle.weighing.length
    unseen = np.array([_words_unseen(wanted, kinds[of], quarter[of], seen, length) for wanted in WANTED])
    caught = _seen_by_words(seen, unseen, of, len(lines), bundle.weighing)
    table = Table(kinds, of, quarter, _encoded(parts), unseen, caught)
    heads = [_head(table, number) for number in range(QUARTERS)]
    layers = Layers(
        inner=np.stack([one.coefs_[0] for one in heads]),
        inner_bias=np.stack([one.intercepts_[0] for one in heads]),
        outer=np.stack([one.coefs_[1] for one in heads]),
        outer_bias=np.stack([one.intercepts_[1] for one in heads]),
    )
    told = _heard_unseen(layers, table)
    outputs, figures = [], {}
    for number, wanted in enumerate(WANTED):
        totals = _highest(table, unseen[number] / 100 + SHARE * told[:, number])
        bound, figures[wanted.category] = _bound(wanted, table, totals, table.seen[number])
        offset = round(_asked(bundle.detector, wanted.category) - bound, 2)
        outputs.append(Output(wanted.category, wanted.weighs, SHARE, offset))
    note = HeadNote(
        encoder=ENCODER,
        weights=bundle.weighing.sum,
        learnt=datetime.now(UTC).date().isoformat(),
        lines=len(lines),
        layers=(table.vectors.shape[1], HIDDEN, len(WANTED)),
        heads=QUARTERS,
        outputs=tuple(outputs),
        figures=figures,
    )
    return note, layers


def _encoded(parts: Sequence[Line]) -> Vectors:
    encode = load_encoder()
    vectors = np.zeros((len(parts), len(encode(["."])[0])), dtype=np.float32)
    shortest = sorted(range(len(parts)), key=lambda number: len(parts[number].text))
    for start in range(0, len(parts), AT_ONCE):
        some = shortest[start : start + AT_ONCE]
        vectors[some] = encode([parts[number].text for number in some])
    return vectors


def _words_unseen(wanted: Wanted, kinds: Any, quarter: Any, seen: Sequence[Seen], length: Length) -> Any:
    """What the words of each part weigh, in hundredths, by weights that were learnt from the other quarters."""
    rows, names = rows_of([one.said if wanted.weighs == "harassment" else one.now for one in seen], length)
    lists = np.array([PIECE not in name for name in names])
    right, used = np.isin(kinds, wanted.kinds), ~np.isin(kinds, wanted.left_out)
    counts_for = np.array([COUNTS_FOR.get(kind, 1) for kind in kinds], dtype=float)
    unseen = np.zeros(len(seen))
    for number in range(QUARTERS):
        others, own = used & (quarter != number), quarter == number
        few = LogisticRegression(C=CHOOSING[wanted.weighs], l1_ratio=1, max_iter=40, solver="liblinear", random_state=0)
        with catch_warnings():
            simplefilter("ignore", ConvergenceWarning)
            few.fit(rows[others], right[others], sample_weight=counts_for[others])
        told = np.flatnonzero(lists | (np.abs(few.coef_[0]) * 100 >= LIGHTEST))
        model = LogisticRegression(C=STRENGTH[wanted.weighs], max_iter=2000, solver="liblinear")
        model.fit(rows[others][:, told], right[others], sample_weight=counts_for[others])
        unseen[own] = 100 * model.decision_function(rows[own][:, told])
    print(f"weighed for {wanted.category}", flush=True)
    return unseen


def _seen_by_words(seen: Sequence[Seen], unseen: Any, of: Any, lines: int, weighing: WeighingDocument) -> Any:
    """For each category whether rules, or weights that do not know the line, see it."""
    caught, refused = np.zeros(lines, dtype=bool), np.zeros(lines, dtype=bool)
    for line, one in zip(of, seen, strict=True):
        caught[line] |= one.caught
        refused[line] |= one.refused
    enough = np.zeros((len(WANTED), lines), dtype=bool)
    for number, wanted in enumerate(WANTED):
        np.logical_or.at(enough[number], of, unseen[number] >= getattr(weighing, wanted.weighs).at_least)
    crisis = caught | enough[0] | enough[1]
    return np.array([crisis, crisis, refused | enough[2]])


def _head(table: Table, number: int) -> Any:
    """A head learnt from all quarters but one. Of what is to be heard, the whole alone is sure to tell of it."""
    kinds = table.kinds[table.of]
    first = np.r_[True, table.of[1:] != table.of[:-1]]
    used = (table.quarter[table.of] != number) & (first | ~np.isin(kinds, TELLING))
    right = np.stack([np.isin(kinds, wanted.kinds) for wanted in WANTED], axis=1).astype(int)
    counts_for = np.array([HEARD.get(kind, 1) for kind in kinds], dtype=float)
    model = MLPClassifier(
        (HIDDEN,),
        alpha=1e-4,
        batch_size=256,
        max_iter=30,
        early_stopping=True,
        validation_fraction=0.05,
        n_iter_no_change=3,
        random_state=number,
    )
    with catch_warnings():
        simplefilter("ignore", ConvergenceWarning)  # it is stopped while it still hears what it was not taught
        model.fit(table.vectors[used], right[used], sample_weight=counts_for[used])
    print(f"head {number + 1} of {QUARTERS}", flush=True)
    return model


def _heard_unseen(layers: Layers, table: Table) -> Any:
    """What each part is heard as by the head that did not learn from it."""
    told = np.zeros((len(table.of), len(WANTED)))
    quarter = table.quarter[table.of]
    for number in range(QUARTERS):
        own = quarter == number
        told[own] = layers.hear(table.vectors[own], number)
    return told


def _highest(table: Table, totals: Any) -> Any:
    highest = np.full(len(table.kinds), -np.inf)
    np.maximum.at(highest, table.of, totals)
    return highest


def _bound(wanted: Wanted, table: Table, totals: Any, seen: Any) -> tuple[float, Mapping[str, Any]]:
    """The lowest bound that the alarms allow, and what is seen of each kind without and with it."""
    bound = -np.inf
    for kinds, share in zip((wanted.near, EVERYDAY), wanted.alarms, strict=True):
        of_kinds = np.isin(table.kinds, kinds)
        beyond = np.sort(np.where(seen, -np.inf, totals)[of_kinds])[::-1]
        bound = max(bound, float(beyond[int(share * of_kinds.sum())]))
    heard = seen | (totals > bound)
    figures: dict[str, list[float]] = defaultdict(list)
    print(f"{wanted.category}: bound {bound:.2f}; seen by words that do not know the line, and with the detector")
    for kind in sorted(set(table.kinds)):
        of_kind = table.kinds == kind
        figures[str(kind)] = [round(float(seen[of_kind].mean()), 4), round(float(heard[of_kind].mean()), 4)]
        print(f"  {kind:<24}{of_kind.sum():>7}{figures[str(kind)][0]:>9.4f}{figures[str(kind)][1]:>9.4f}")
    return bound, dict(figures)


def _asked(policy: DetectorDocument, category: str) -> float:
    """The logarithm of the odds from which on the policies look at a category: its bound is scored as that."""
    least = next(one.categories[category] for one in policy.says if category in one.categories) / 100
    return log(least / (1 - least))


if __name__ == "__main__":
    main()
