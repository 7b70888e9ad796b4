"""Learns what the word lists weigh, from labelled lines, and writes the weights into policies/weighing.yaml.

`make weigh` (or `python tools/weigh.py [--show]`): reads labelled lines (see weigh_lines.py), looks which lists
and which pieces of words each touches, and fits one linear model for each part of the file: first one that may choose
few pieces only, then one that weighs those and all lists. `at_least` and `look_back_from` stay as people set them.
With `--show` nothing is written. The table says how many lines each bound catches that no other rule sees, on quarters
of the lines that the model was not fitted on.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from textwrap import wrap
from types import MappingProxyType
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.engine.engine import build_engine
from chingoo.engine.weighing import WHOLE_SHARE, share_by_length
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import load
from chingoo.policy.documents.weighing import Length, TalkWeighing, Weighing, WeighingDocument
from chingoo.proof.checks.weights_are_as_learnt import sum_of
from chingoo.proof.judging import load_judging
from weigh_lines import CASE, CORPUS, PIECE, TALK, Seen, Touched, lines_to_learn, looked_at

ROOT = Path(__file__).resolve().parent.parent
PATH = "policies/weighing.yaml"
FOLDS = 4
COUNTS_FOR = {CASE: 3, CORPUS: 5, "ordinary": 5, "everyday": 8, "health_education": 3, "flirt_mild": 3}
"""The kinds that must not be touched at all, and how many lines each of theirs counts for."""

ROUNDS = 12
HEAVIER = 2.0
MARGIN = 6
"""Lines of these kinds that come so near to a bound are made heavier by so much, in so many rounds at most."""

HARMING = ("harassment",)
UNSURE = ("comment",)
"""Kinds that are no crisis, but may put somebody down."""
NOW_ALONE, BEFORE_ALONE = "alone now", "alone before"
LIGHTEST = 3
"""What weighs less is left out."""

OFTEN = 5
"""In how many lines a piece must stand."""

STRENGTH = {"message": 0.1, "others": 0.3, "talk": 0.1, "harassment": 0.3}
CHOOSING = {"message": 1.0, "others": 0.5, "harassment": 0.5}
"""How freely each model may follow its lines, and that which chooses pieces may (scikit-learn's C)."""

WIDEST = 112


def main() -> None:
    """Learn, print the table, and write."""
    parser = argparse.ArgumentParser(description="What do the word lists weigh?")
    parser.add_argument("--show", action="store_true", help="write nothing")
    given = parser.parse_args()
    files, schemas = read_policy_files(ROOT), read_schemas(ROOT)
    result = load(files, schemas)
    if result.bundle is None:
        sys.exit("the policies do not compile; see `chingoo policy check`")
    engine = build_engine(asking_for_all(result.bundle))
    judging = load_judging(files, schemas).judging
    if judging is None:
        sys.exit("the cases cannot be read; see `chingoo policy check`")
    seen = list(looked_at(engine, result.bundle, lines_to_learn(ROOT, engine, judging)))
    engine.close()
    learnt = _learnt(seen, result.bundle.weighing)
    learnt = replace(learnt, sum=sum_of(learnt))
    if not given.show:
        (ROOT / PATH).write_text(_rewritten(files[PATH], learnt), "utf-8")
        print(f"{PATH} is written")


def asking_for_all(bundle: Bundle) -> Bundle:
    """The bundle with a weight for each list that only weighs, so that it is looked for even if it had none yet."""
    weighing = bundle.weighing
    message = replace(weighing.message, weights=dict.fromkeys(weighing.lists, 0))
    return replace(bundle, weighing=replace(weighing, message=message))


def _learnt(seen: Sequence[Seen], document: WeighingDocument) -> WeighingDocument:
    """The document with new weights."""
    alone = [one for one in seen if not one.line.kind.startswith("context") and one.line.kind != TALK]

    def message(name: str, own: tuple[str, ...], left_out: tuple[str, ...]) -> _Fit:
        rule: Weighing = getattr(document, name)
        chosen = [one for one in alone if one.line.kind not in left_out]
        return _fitted(
            name,
            [one.said if own == HARMING else one.now for one in chosen],
            [one.line.kind in own for one in chosen],
            rule.at_least,
            document.length,
            [(one.line.kind, one.refused if name == "harassment" else one.caught) for one in chosen],
        )

    def ruled(name: str, fit: _Fit) -> Weighing:
        rule: Weighing = getattr(document, name)
        return replace(rule, base=fit.base, weights=_of_lists(fit.weights), pieces=_of_pieces(fit.weights))

    danger = message("message", ("explicit", "coded"), ("third_party",))
    return replace(
        document,
        message=ruled("message", danger),
        others=ruled("others", message("others", ("third_party",), ("explicit", "coded"))),
        talk=_of_talks(document.talk, document.length, [one for one in seen if one.line.earlier], danger),
        harassment=ruled("harassment", message("harassment", HARMING, UNSURE)),
    )


def _of_talks(rule: TalkWeighing, length: Length, talks: Sequence[Seen], danger: "_Fit") -> TalkWeighing:
    """What lists weigh in talks, now and before, and how much of what messages weigh by themselves.

    Of pieces it takes no others: talks are too few to learn them from. Lists count here whatever the length.
    """
    most = rule.of_message.most

    def alone(parts: Sequence[Touched], weigh: Callable[[Touched], float]) -> float:
        return max(-most, min(most, max(map(weigh, parts), default=danger.base)))

    def shares_of(weigh: Callable[[Touched], float]) -> Mapping[str, Sequence[float]]:
        return {
            NOW_ALONE: [alone([talk.now], weigh) for talk in talks],
            BEFORE_ALONE: [max([alone(told.parts, weigh) for told in talk.before], default=0) for talk in talks],
        }

    fit = _fitted(
        "talk",
        [
            Touched(
                length.usual,
                (
                    *(f"now {one}" for one in talk.now.what if not one.startswith(PIECE)),
                    *dict.fromkeys(f"before {one}" for told in talk.before for one in told.lists),
                ),
            )
            for talk in talks
        ],
        [talk.line.kind == "context" for talk in talks],
        rule.at_least,
        length,
        [(talk.line.kind, talk.caught) for talk in talks],
        shares_of(danger.weigh_unseen),
        shares_of(danger.weigh),
    )
    shares = {name: fit.weights.pop(name, 0) for name in (NOW_ALONE, BEFORE_ALONE)}

    def of(when: str) -> dict[str, int]:
        return {name.removeprefix(when): weight for name, weight in fit.weights.items() if name.startswith(when)}

    return replace(
        rule,
        base=fit.base,
        of_message=replace(rule.of_message, now=shares[NOW_ALONE], before=shares[BEFORE_ALONE]),
        now=of("now "),
        before=of("before "),
    )


def _of_lists(weights: Mapping[str, int]) -> dict[str, int]:
    return {name: weight for name, weight in weights.items() if not name.startswith(PIECE)}


def _of_pieces(weights: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    """Pieces by their weights, the heaviest first."""
    by_weight: dict[int, list[str]] = defaultdict(list)
    for name, weight in weights.items():
        if name.startswith(PIECE):
            by_weight[weight].append(name.removeprefix(PIECE))
    return {str(weight): tuple(wrap(" ".join(by_weight[weight]), WIDEST)) for weight in sorted(by_weight, reverse=True)}


@dataclass(frozen=True, slots=True)
class _Fit:
    """Base and weights in hundredths, and what each row weighed when the model was fitted on others."""

    base: int
    weights: dict[str, int]
    unseen: dict[Touched, float]
    length: Length

    def weigh(self, touched: Touched) -> float:
        """What a row weighs."""
        share = share_by_length(touched.words, self.length) / WHOLE_SHARE
        return self.base + share * sum([self.weights.get(one, 0) for one in touched.what])

    def weigh_unseen(self, touched: Touched) -> float:
        """The same; of a row that the model was fitted on as if it had not been, for others will be new to it too."""
        known = self.unseen.get(touched)
        return self.weigh(touched) if known is None else known


def _fitted(
    name: str,
    touched: Sequence[Touched],
    wanted: Sequence[bool],
    at_least: int,
    length: Length,
    kinds: Sequence[tuple[str, bool]],
    more: Mapping[str, Sequence[float]] = MappingProxyType({}),
    more_as_seen: Mapping[str, Sequence[float]] = MappingProxyType({}),
) -> _Fit:
    """Fit a model, and print what the bound catches of the parts that were left out.

    `more`: what else is known of each row, by a name, in hundredths; `more_as_seen` what it will be taken for.
    """
    found, names = rows_of(touched, length)
    rows, as_seen = _beside(found, more), _beside(found, more_as_seen)
    names = [*names, *more]
    right = np.array(wanted)
    counts_for = np.array([COUNTS_FOR.get(kind, 1) for kind, _ in kinds], dtype=float)
    lists = np.array([PIECE not in one for one in names])
    model = LogisticRegression(C=STRENGTH[name], max_iter=2000, solver="liblinear")

    def chosen(rows: Any, right: Any, counts_for: Any) -> Any:
        """The numbers of all lists and of the pieces that tell something."""
        if lists.all():
            return np.arange(len(names))
        few = LogisticRegression(C=CHOOSING[name], l1_ratio=1, max_iter=40, solver="liblinear", random_state=0)
        with catch_warnings():
            simplefilter("ignore", ConvergenceWarning)  # it chooses as well before it has come to rest
            few.fit(rows, right, sample_weight=counts_for)
        return np.flatnonzero(lists | (np.abs(few.coef_[0]) * 100 >= LIGHTEST))

    unseen = np.zeros(len(right))
    for others, own in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(rows, right):
        kept = chosen(rows[others], right[others], counts_for[others])
        model.fit(rows[others][:, kept], right[others], sample_weight=counts_for[others])
        unseen[own] = 100 * model.decision_function(rows[own][:, kept])
    _tell(name, unseen, kinds, at_least)
    kept = chosen(rows, right, counts_for)
    rows, as_seen = rows[:, kept], as_seen[:, kept]
    gated = np.array([kind in COUNTS_FOR and not caught for kind, caught in kinds])
    for _ in range(ROUNDS):
        model.fit(rows, right, sample_weight=counts_for)
        near = gated & (model.decision_function(as_seen) * 100 > at_least - MARGIN)
        if not near.any():
            break
        counts_for = np.where(near, counts_for * HEAVIER, counts_for)
    print(f"  {near.sum()} lines that must not be touched come nearer than {MARGIN} to the bound", flush=True)
    hundredths = (round(float(one) * 100) for one in model.coef_[0])
    weights = {names[number]: weight for number, weight in zip(kept, hundredths, strict=True)}
    told = {one: weight for one, weight in sorted(weights.items()) if abs(weight) >= LIGHTEST}
    return _Fit(round(float(model.intercept_[0]) * 100), told, dict(zip(touched, unseen.tolist(), strict=True)), length)


def rows_of(touched: Sequence[Touched], length: Length) -> tuple[csr_matrix, list[str]]:
    """One row for each line, brought to one length, with a column for each list and for each piece that stands in
    enough of them."""
    often = Counter(chain.from_iterable(row.what for row in touched))
    names = sorted(one for one, times in often.items() if times >= OFTEN or PIECE not in one)
    columns = {name: number for number, name in enumerate(names)}
    found = [[columns[one] for one in row.what if one in columns] for row in touched]
    ends = np.cumsum([0, *map(len, found)]).astype(np.int32)  # liblinear takes no larger numbers
    cells = np.fromiter(chain.from_iterable(found), dtype=np.int32, count=ends[-1])
    shares = np.array([share_by_length(row.words, length) / WHOLE_SHARE for row in touched])
    counts = np.repeat(shares, list(map(len, found)))
    return csr_matrix((counts, cells, ends), shape=(len(touched), len(names))), names


def _beside(rows: csr_matrix, more: Mapping[str, Sequence[float]]) -> csr_matrix:
    """The rows with further columns."""
    return csr_matrix(hstack([rows, csr_matrix(np.array(list(more.values())).T / 100)])) if more else rows


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
        share = rule.of_message
        lines += [f"  look_back_from: {rule.look_back_from}", "  of_message:"]
        lines += [f"    most: {share.most}", f"    now: {share.now}", f"    before: {share.before}"]
        lines += [*_lists("now", rule.now), *_lists("before", rule.before)]
    else:
        lines += [*_lists("weights", rule.weights), "  pieces:" if rule.pieces else "  pieces: {}"]
        for weight, pieces in rule.pieces.items():
            lines += [f'    "{weight}":', *(f'      - "{some}"' for some in pieces)]
    return "\n".join(lines) + "\n"


def _lists(key: str, weights: Mapping[str, int]) -> list[str]:
    return [f"  {key}:", *(f"    {list_id}: {weight}" for list_id, weight in weights.items())]


if __name__ == "__main__":
    main()
