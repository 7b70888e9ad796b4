"""Changes the safety rules in every way a typo could, one at a time, and counts how many of the changes are caught.

    tools/mutate_policies.py [--root FOLDER] [--show] [--only WORDS]

Caught means that a check, an invariant or a case says so. Changes that no facts could tell apart (two rules that never
hold together, swapped) are left out. Each change that is not caught is named with its place and the case it lacks. Ends
with 1 when there is one.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.engine.engine import build_engine
from chingoo.policy.compile import load
from chingoo.proof.judging import load_judging
from chingoo.source.render import render_text
from mutation.catching import ALIKE, Catcher
from mutation.mutant import Mutant
from mutation.routing import pipeline_mutants, routing_mutants
from mutation.weighing import weighing_mutants
from mutation.words import words_mutants

EVERY = 500
"""After so many changes it is said how far it is."""


def main() -> int:
    """Run all mutants; 1 when one is not caught."""
    parser = argparse.ArgumentParser(description="How many changes of safety rules are caught?")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--show", action="store_true", help="name every change and what caught it")
    parser.add_argument("--only", default="", help="only changes whose name has this in it")
    given = parser.parse_args()
    began = time.perf_counter()
    files, schemas = read_policy_files(given.root), read_schemas(given.root)
    loaded, judging = load(files, schemas), load_judging(files, schemas)
    if loaded.bundle is None or judging.judging is None:
        print(render_text([*loaded.findings, *judging.findings], files), file=sys.stderr)
        return 2
    bundle = loaded.bundle
    engine = build_engine(bundle)
    catcher = Catcher(bundle, engine, judging.judging)
    for name in catcher.failing:
        print(f"fails without any change: {name}", file=sys.stderr)
    made = (*routing_mutants(bundle), *pipeline_mutants(bundle), *words_mutants(bundle), *weighing_mutants(bundle))
    chosen = [mutant for mutant in made if given.only in str(mutant)]
    score: Counter[tuple[str, str]] = Counter()
    missed: list[Mutant] = []
    for number, mutant in enumerate(chosen, 1):
        caught = catcher.catch(mutant)
        if caught is None:
            missed.append(mutant)
        score[mutant.area, "not caught" if caught is None else caught.split()[0]] += 1
        if given.show:
            print(f"{caught or 'NOT CAUGHT'}: {mutant}", flush=True)
        elif number % EVERY == 0:
            took = time.perf_counter() - began
            print(f"{number} of {len(chosen)}, {len(missed)} not caught, {took:.0f} s", file=sys.stderr)
    engine.close()
    tell(score, missed, time.perf_counter() - began)
    return 1 if missed else 0


def tell(score: Counter[tuple[str, str]], missed: list[Mutant], took: float) -> None:
    """The changes that are not caught, and the score."""
    for mutant in missed:
        print(f"not caught: {mutant}\n    missing: {mutant.wanted}")
    for (area, caught), amount in sorted(score.items()):
        print(f"{area:10} {caught:10} {amount:5}")
    total = sum(amount for (_, caught), amount in score.items() if caught != ALIKE)
    print(f"{total - len(missed)} of {total} changes are caught, {took:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
