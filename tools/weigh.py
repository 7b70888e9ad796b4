"""Learns what the word lists weigh, from labelled lines, and writes the weights into policies/weighing.yaml.

`make weigh` (or `python tools/weigh.py [--show]`): reads labelled lines (see weigh_lines.py), looks which lists each
touches, and fits one linear model for each part of the file. `at_least` and `look_back_from` stay as people set them.
With `--show` nothing is written. The table says how many lines each bound catches that no other rule sees, on fifths of
the lines that the model was not fitted on.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.engine.engine import build_engine
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import load
from chingoo.policy.documents.weighing import TalkWeighing, Weighing, WeighingDocument
from chingoo.proof.checks.weights_are_as_learnt import sum_of
from chingoo.proof.judging import load_judging
from weigh_lines import CASE, CORPUS, TALK, Seen, lines_to_learn, looked_at

ROOT = Path(__file__).resolve().parent.parent
PATH = "policies/weighing.yaml"
FOLDS = 5
COUNTS_FOR = {CASE: 3, CORPUS: 5, "ordinary": 5, "health_education": 3, "flirt_mild": 3}
"""The kinds that must not be touched at all, and how many lines each of theirs counts for."""

ROUNDS = 12
HEAVIER = 2.0
MARGIN = 6
"""Lines of these kinds that come so near to a bound are made heavier by so much, in so many rounds at most."""

HARMING = ("harassment",)
LIGHTEST = 4
STRENGTH = {"message": 0.2, "others": 0.1, "talk": 0.1, "harassment": 0.3}
"""How freely each model may follow its lines (scikit-learn's C)."""


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
    seen = list(looked_at(engine, result.bundle, lines_to_learn(ROOT, engine, judging)))
    engine.close()
    learnt = _learnt(seen, result.bundle.weighing)
    learnt = replace(learnt, sum=sum_of(learnt))
    if not given.show:
        (ROOT / PATH).write_text(_rewritten(files[PATH], learnt), "utf-8")
        print(f"{PATH} is written")


def _asking_for_all(bundle: Bundle) -> Bundle:
    """The bundle with a weight for each list that only weighs, so that it is looked for even if it had none yet."""
    weighing = bundle.weighing
    message = replace(weighing.message, weights=dict.fromkeys(weighing.lists, 0))
    return replace(bundle, weighing=replace(weighing, message=message))


def _learnt(seen: Sequence[Seen], document: WeighingDocument) -> WeighingDocument:
    """The document with new weights."""
    alone = [one for one in seen if not one.line.kind.startswith("context") and one.line.kind != TALK]
    talks = [one for one in seen if one.line.earlier]

    def message(name: str, own: tuple[str, ...], left_out: tuple[str, ...]) -> Weighing:
        rule: Weighing = getattr(document, name)
        chosen = [one for one in alone if one.line.kind not in left_out]
        base, weights = _fitted(
            name,
            [dict.fromkeys(one.said if own == HARMING else one.now, 1) for one in chosen],
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
        harassment=message("harassment", HARMING, ()),
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
    gated = np.array([kind in COUNTS_FOR and not caught for kind, caught in kinds])
    for _ in range(ROUNDS):
        model.fit(rows, right, sample_weight=counts_for)
        near = gated & (model.decision_function(rows) * 100 > at_least - MARGIN)
        if not near.any():
            break
        counts_for = np.where(near, counts_for * HEAVIER, counts_for)
    print(f"  {near.sum()} lines that must not be touched come nearer than {MARGIN} to the bound")
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
