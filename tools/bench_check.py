"""How long judging and building the shipped policies takes, also with many more words: `python tools/bench_check.py`.

CPU seconds, the least of three, beside their budgets; `loop` is what a million additions take, to compare machines by.
"""

import gc
from collections.abc import Callable, Mapping
from pathlib import Path
from time import process_time
from typing import TypeVar

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.flow.compiled import CompiledPolicy, compile_policy
from chingoo.proof.run import check_files

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[1]
TOPICS, HEAD = "policies/topics.yaml", "  topics.travel:\n    entries:\n      en:\n"
BUDGETS = ((0, 1.5), (30_000, 5.0), (100_000, 15.0))


def with_words(files: Mapping[str, str], number: int) -> dict[str, str]:
    """The files, and that many further words of a topic."""
    words = "".join(f"        - station{index} | stations{index}\n" for index in range(number))
    return {**files, TOPICS: files[TOPICS].replace(HEAD, HEAD + words)}


def least(work: Callable[[], T], free: Callable[[T], object] = lambda _: None, times: int = 3) -> float:
    """CPU seconds of the quickest of so many runs; what they made is freed after it was measured."""
    took = []
    for _ in range(times):
        before = process_time()
        made = work()
        took.append(process_time() - before)
        free(made)
        del made
        gc.collect()
    return min(took)


def main() -> None:
    """Print the table."""
    files, schemas = read_policy_files(ROOT), read_schemas(ROOT)
    gc.disable()
    print(f"loop {least(lambda: sum(range(1_000_000))) * 1000:.1f} ms")
    print(f"{'more words':>10}  {'check':>7}  {'build':>7}  budget of both")
    for number, budget in BUDGETS:
        many = with_words(files, number)
        result = check_files(many, schemas)
        if result.bundle is None:
            raise SystemExit("the policies have errors: chingoo policy check")
        bundle = result.bundle
        check = least(lambda many=many: check_files(many, schemas))  # type: ignore[misc]
        build = least(lambda bundle=bundle: compile_policy(bundle), CompiledPolicy.close)  # type: ignore[misc]
        kept = "ok" if check + build <= budget else "MISSED"
        print(f"{number:>10,}  {check:>6.2f}s  {build:>6.2f}s  {budget:g} s {kept}")


if __name__ == "__main__":
    main()
