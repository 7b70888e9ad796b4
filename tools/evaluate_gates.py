"""Precision, recall and cost of every gate on the labelled replies of tests/reply/gold.

`python tools/evaluate_gates.py [--misses] [rounds]`: what a gate lets pass that it should see (recall), what it objects
to among the replies that are fine (precision, over the good replies of all gates), and the median time of one look and
of each gate. `--misses` prints the lines.
"""

import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.reply.gold_lines import GoldLine, gold_lines  # noqa: E402 - the tests' folder is put on the path above

from chingoo.adapters.policy_files import read_policy_files, read_schemas  # noqa: E402
from chingoo.engine.engine import Engine, build_engine  # noqa: E402
from chingoo.policy.bundle import Bundle  # noqa: E402
from chingoo.policy.compile import load  # noqa: E402
from chingoo.policy.documents.gates import GateID  # noqa: E402
from chingoo.reply.gates import JUDGES, check  # noqa: E402
from chingoo.reply.gates.look import look_at  # noqa: E402
from chingoo.reply.gates.report import GateInput  # noqa: E402

T = TypeVar("T")
GOAL, BUDGET_US = 0.95, 500.0


def main(show_misses: bool, rounds: int) -> None:
    """Judge every line, print the table, then time."""
    result = load(read_policy_files(ROOT), read_schemas(ROOT))
    if result.bundle is None:
        sys.exit("the policies do not compile; see `chingoo policy check`")
    bundle, engine = result.bundle, build_engine(result.bundle)
    lines = list(gold_lines())
    given = [line.given(engine) for line in lines]
    caught, missed, false = _judge(bundle, engine, lines, given)
    _print_scores(lines, caught, missed, false)
    if show_misses:
        _print_lines("not seen", missed)
        _print_lines("seen where nothing is", false)
    _print_times(bundle, engine, given, rounds)
    engine.close()


Judged = list[tuple[GateID, GoldLine]]


def _judge(
    bundle: Bundle, engine: Engine, lines: list[GoldLine], given: list[GateInput]
) -> tuple[Judged, Judged, Judged]:
    caught: Judged = []
    missed: Judged = []
    false: Judged = []
    for line, one in zip(lines, given, strict=True):
        objecting = {violation.gate for violation in check(bundle, engine, one).violations}
        if line.bad:
            (caught if line.gate in objecting else missed).append((line.gate, line))
        else:
            false.extend((gate, line) for gate in objecting)
    return caught, missed, false


def _print_scores(lines: list[GoldLine], caught: Judged, missed: Judged, false: Judged) -> None:
    good = sum(not line.bad for line in lines)
    languages = len({line.language for line in lines})
    print(f"{len(lines)} replies in {languages} languages, {good} of them fine\n")
    print(f"{'gate':30}{'bad':>5}{'seen':>6}{'recall':>8}{'false':>7}{'precision':>11}")
    for gate in GateID:
        kinds = Counter(line.kind for owner, line in caught + missed if owner is gate)
        _print_score(gate.value, sum(kinds.values()), _of(caught, gate), _of(false, gate))
        for kind, bad in kinds.items() if len(kinds) > 1 else ():
            seen = sum(owner is gate and line.kind == kind for owner, line in caught)
            print(f"  {kind:28}{bad:>5}{seen:>6}{seen / bad:>8.3f}")


def _print_score(name: str, bad: int, seen: int, false: int) -> None:
    recall = seen / bad if bad else 1.0
    precision = seen / (seen + false) if seen + false else 1.0
    below = "  below the goal" if min(recall, precision) < GOAL else ""
    print(f"{name:30}{bad:>5}{seen:>6}{recall:>8.3f}{false:>7}{precision:>11.3f}{below}")


def _of(judged: Judged, gate: GateID) -> int:
    return sum(owner is gate for owner, _ in judged)


def _print_lines(title: str, judged: Judged) -> None:
    print(f"\n{title}:")
    for gate, line in judged:
        print(f"  {gate.value:18}{line.kind:22}{line.language}  {line.user_text!r} -> {line.reply!r}")


def _print_times(bundle: Bundle, engine: Engine, given: list[GateInput], rounds: int) -> None:
    """Medians over all lines of the best of the rounds; a look is what all gates share."""
    looks = [look_at(bundle, engine, one) for one in given]
    print(f"\n{'look':30}{_median(lambda one: look_at(bundle, engine, one), given, rounds):>8.1f} µs")
    for gate, judge in JUDGES.items():
        print(f"{gate.value:30}{_median(judge, looks, rounds):>8.1f} µs")
    whole = _median(lambda one: check(bundle, engine, one), given, rounds)
    print(f"{'all together, p50':30}{whole:>8.1f} µs, {'within' if whole <= BUDGET_US else 'over'} {BUDGET_US:g} µs")


def _median(work: Callable[[T], object], given: Sequence[T], rounds: int) -> float:
    best = [float("inf")] * len(given)
    for _ in range(rounds):
        for number, one in enumerate(given):
            start = time.perf_counter()
            work(one)
            best[number] = min(best[number], time.perf_counter() - start)
    return statistics.median(best) * 1e6


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    main("--misses" in sys.argv, numbers[0] if numbers else 5)
