"""The decision of a message, by language and step: p50 and p99 beside the bare parts it is made of.

`python tools/bench_decide.py [messages] [rounds]`: messages of 5 to 60 words, put together with a seed from the
known-good talk of policies/corpus and, for every tenth, from words of the lists; interleaved rounds, CPU time.
"""

import gc
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.engine.engine import Engine, build_engine, lists_of
from chingoo.engine.entries import entry_name
from chingoo.engine.evaluate import evaluate
from chingoo.engine.valence import read_feeling
from chingoo.model.decision import EvaluationInput, FactRecord
from chingoo.model.enums import Language
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import load
from chingoo.text.language import detect_language
from chingoo.text.normalise import NormalisedText, normalise

ROOT = Path(__file__).resolve().parent.parent
SEED = 20260302
SHORTEST, LONGEST = 5, 60
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
BUDGET_P50_US, BUDGET_P99_US, BUDGET_RATIO = 150.0, 500.0, 1.5


@dataclass(frozen=True, slots=True)
class Message:
    """A message, and everything its parts are timed with."""

    language: str
    given: EvaluationInput
    text: NormalisedText
    record: FactRecord


def main(amount: int, rounds: int) -> None:
    """Measure and print."""
    bundle = _bundle()
    engine = build_engine(bundle)
    messages = _messages(engine, bundle, amount)
    gc.collect()
    gc.freeze()
    steps = _steps(engine)
    taken: dict[str, list[float]] = {name: [] for name in steps}
    best: dict[str, list[float]] = {name: [float("inf")] * len(messages) for name in steps}
    for _ in range(rounds):
        for number, message in enumerate(messages):
            for name, step in steps.items():  # one after the other on the same message, as in a turn
                spent = _timed(step, message)
                taken[name].append(spent)
                best[name][number] = min(best[name][number], spent)
    _print_languages(messages, best["evaluate"])
    _print_steps(taken, best)
    engine.close()


def _bundle() -> Bundle:
    result = load(read_policy_files(ROOT), read_schemas(ROOT))
    if result.bundle is None:
        sys.exit("the policies do not compile; see `chingoo policy check`")
    return result.bundle


def _messages(engine: Engine, bundle: Bundle, amount: int) -> list[Message]:
    """Messages of every language in turn."""
    chance = random.Random(SEED)
    talk = {language.value: _talk(language.value) for language in Language}
    listed = {language.value: _listed(bundle, language.value) for language in Language}
    messages = []
    for number in range(amount):
        language = list(Language)[number % len(Language)].value
        words: list[str] = []
        length = chance.randint(SHORTEST, LONGEST)
        while len(words) < length:
            source = listed[language] if number % 10 == 0 and chance.random() < 0.3 else talk[language]
            words += chance.choice(source).split()
        given = EvaluationInput(" ".join(words[:length]), AT)
        decided = evaluate(engine, given)
        messages.append(Message(language, given, normalise(given.text), decided.facts_record))
    return messages


def _talk(language: str) -> list[str]:
    lines = (ROOT / "policies" / "corpus" / f"{language}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _listed(bundle: Bundle, language: str) -> list[str]:
    entries = (entry for words in lists_of(bundle).values() for entry in words.entries.get(language, ()))
    return [entry_name(entry) for entry in entries if "{" not in entry.text]


def _steps(engine: Engine) -> dict[str, Callable[[Message], Any]]:
    """What is timed: the whole, then its bare parts."""
    plain: Any = engine.matcher.plain_automaton
    return {
        "evaluate": lambda message: evaluate(engine, message.given),
        "normalise": lambda message: normalise(message.given.text),
        "automaton": lambda message: list(plain.iter(f" {message.text.match} ")),
        "language": lambda message: detect_language(message.text.match, engine.languages),
        "valence": lambda message: read_feeling(engine.matcher.scan(message.text), engine.valence),
        "scan": lambda message: engine.matcher.scan(message.text),
        "rules": lambda message: engine.rules.first_rule(message.record),
    }


def _timed(step: Callable[[Message], Any], message: Message) -> float:
    """CPU microseconds of one call."""
    start = time.thread_time_ns()
    step(message)
    return (time.thread_time_ns() - start) / 1000


def _print_languages(messages: Sequence[Message], times: Sequence[float]) -> None:
    print(
        f"decide, {len(messages)} messages of {SHORTEST}-{LONGEST} words, µs CPU (best of the rounds for each message)"
    )
    print(f"{'language':<10}{'p50':>8}{'p99':>8}")
    for language in [*(one.value for one in Language), "all"]:
        own = [time for message, time in zip(messages, times, strict=True) if language in (message.language, "all")]
        p50, p99 = _quantiles(own)
        over = " over budget" if p50 > BUDGET_P50_US or p99 > BUDGET_P99_US else ""
        print(f"{language:<10}{p50:>8.0f}{p99:>8.0f}{over}")


def _print_steps(taken: dict[str, list[float]], best: dict[str, list[float]]) -> None:
    print(f"\n{'step':<12}{'p50':>8}{'p99':>8}{'p50 of all rounds':>20}")
    for name, times in best.items():
        p50, p99 = _quantiles(times)
        print(f"{name:<12}{p50:>8.1f}{p99:>8.1f}{_quantiles(taken[name])[0]:>20.1f}")
    valence = _quantiles([both - scan for both, scan in zip(best["valence"], best["scan"], strict=True)])[0]
    bare = sum(_quantiles(best[name])[0] for name in ("normalise", "automaton", "language", "rules")) + max(
        valence, 0.0
    )
    whole = _quantiles(best["evaluate"])[0]
    print(f"bare parts together {bare:.1f} µs; the whole is {whole / bare:.2f} x that (budget {BUDGET_RATIO} x)")


def _quantiles(times: Sequence[float]) -> tuple[float, float]:
    cuts = statistics.quantiles(times, n=100)
    return cuts[49], cuts[98]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, int(sys.argv[2]) if len(sys.argv) > 2 else 5)
