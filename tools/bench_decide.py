"""The decision of a message: by language and step, by size of the lists, and for texts made to be slow.

`python tools/bench_decide.py [messages] [rounds]`: messages of 5 to 60 words, put together with a seed from the
known-good talk of policies/corpus and, for every tenth, from words of the lists and of the cases; interleaved rounds,
CPU time. The parts are timed bare: the rules by asking the rule engine itself, which a decision does once for the same
facts. A machine at work on other things is slow at this too: `loop` says how fast it is in plain Python.
"""

import gc
import random
import statistics
import string
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.engine.engine import Engine, build_engine, lists_of, match_tables
from chingoo.engine.entries import entry_name
from chingoo.engine.evaluate import evaluate
from chingoo.engine.matcher import compile_matcher
from chingoo.engine.valence import read_feeling
from chingoo.model.decision import EvaluationInput, FactRecord
from chingoo.model.enums import Language
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import load
from chingoo.policy.documents.base import Entry, WordList
from chingoo.text.language import detect_language
from chingoo.text.normalise import NormalisedText, normalise

ROOT = Path(__file__).resolve().parent.parent
SEED = 20260302
SHORTEST, LONGEST = 5, 60
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
BUDGET_P50_US, BUDGET_P99_US, BUDGET_RATIO, BUDGET_SLOW_MS = 150.0, 500.0, 1.5, 5.0
FEW_KEYWORDS, MANY_KEYWORDS = 300, 100_000
LONGEST_TEXT = 4000
SYLLABLES = ("ba", "dor", "mi", "zul", "ke", "fan", "tro", "il", "seg", "nu", "pla", "wix", "ro", "jem", "cha", "oft")


@dataclass(frozen=True, slots=True)
class Message:
    """A message, and everything its parts are timed with."""

    language: str
    given: EvaluationInput
    text: NormalisedText
    record: FactRecord
    facts: tuple[int, ...]


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
    apart = len(messages) // len(steps)
    for _ in range(rounds):
        for turn in range(len(messages)):
            for place, (name, step) in enumerate(steps.items()):
                # each on another message, so that none finds at hand what the one before it has just looked at
                number = (turn + place * apart) % len(messages)
                spent = _timed(step, messages[number])
                taken[name].append(spent)
                best[name][number] = min(best[name][number], spent)
    _print_languages(messages, best["evaluate"])
    _print_steps(taken, best)
    _print_sizes(engine, bundle, messages[:300], rounds)
    _print_slow_texts(engine, bundle, rounds)
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
    listed = {language.value: [*_listed(bundle, language.value), *_cases()] for language in Language}
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
        record = decided.facts_record
        facts = engine.table.codec.coded(record, engine.table.mentioned)
        messages.append(Message(language, given, normalise(given.text), record, facts))
    return messages


def _talk(language: str) -> list[str]:
    lines = (ROOT / "policies" / "corpus" / f"{language}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _cases() -> list[str]:
    """What the cases beside the policies say."""
    folder = ROOT / "policies"
    documents = [yaml.safe_load(path.read_text("utf-8")) for path in sorted(folder.glob("*.cases.yaml"))]
    return [case["text"] for document in documents for case in document["cases"]]


def _listed(bundle: Bundle, language: str) -> list[str]:
    entries = (entry for words in lists_of(bundle).values() for entry in words.entries.get(language, ()))
    return [entry_name(entry) for entry in entries if "{" not in entry.text]


def _steps(engine: Engine) -> dict[str, Callable[[Message], Any]]:
    """What is timed: the whole, then its bare parts."""
    plain: Any = engine.matcher.plain_automaton
    return {
        "evaluate": lambda message: evaluate(engine, message.given),
        "normalise": lambda message: normalise(message.given.text),
        "automaton": lambda message: plain.hits(f" {message.text.match} "),
        "language": lambda message: detect_language(message.text.match, engine.languages),
        "valence": lambda message: read_feeling(engine.matcher.scan(message.text), engine.valence),
        "scan": lambda message: engine.matcher.scan(message.text),
        "rules": lambda message: engine.rules.decide_afresh(message.facts),
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


def _print_sizes(engine: Engine, bundle: Bundle, messages: Sequence[Message], rounds: int) -> None:
    """The same messages and the same hits, once with few keywords and once with a great many beside them."""
    chance = random.Random(SEED)
    entries = [
        (list_id, language, entry)
        for list_id, words in lists_of(bundle).items()
        for language, own in words.entries.items()
        for entry in own
        if "{" not in entry.text and "|" not in entry.text
    ]
    kept = chance.sample(entries, FEW_KEYWORDS)
    place = bundle.topics.place
    invented = ["".join(chance.choice(SYLLABLES) for _ in range(chance.randint(3, 6))) for _ in range(MANY_KEYWORDS)]
    engines = {}
    for size, more in ((FEW_KEYWORDS, ()), (MANY_KEYWORDS, invented)):
        lists: dict[str, dict[str, list[Entry]]] = {}
        for list_id, language, entry in kept:
            lists.setdefault(list_id, {}).setdefault(language, []).append(entry)
        for number, word in enumerate(more):
            own = lists.setdefault(kept[number % len(kept)][0], {})
            own.setdefault("en", []).append(Entry(word, place))
        words = {
            list_id: WordList(place, {language: tuple(own) for language, own in of_list.items()})
            for list_id, of_list in lists.items()
        }
        matcher = compile_matcher(words, match_tables(bundle.lexicons))
        engines[size] = replace(engine, matcher=matcher)
    gc.collect()
    gc.freeze()
    best = {size: [float("inf")] * len(messages) for size in engines}
    for _ in range(rounds):
        for number, message in enumerate(messages):
            for size, sized in engines.items():
                spent = _timed(lambda told, sized=sized: evaluate(sized, told.given), message)  # type: ignore[misc]
                best[size][number] = min(best[size][number], spent)
    few, many = (statistics.median(best[size]) for size in (FEW_KEYWORDS, MANY_KEYWORDS))
    print(
        f"\n{FEW_KEYWORDS} keywords {few:.0f} µs, {MANY_KEYWORDS} keywords {many:.0f} µs: {many / few:.2f} x "
        f"(budget {BUDGET_RATIO} x)"
    )


def _print_slow_texts(engine: Engine, bundle: Bundle, rounds: int) -> None:
    """Texts of the greatest length that look like what is sought, without end."""
    took: list[tuple[float, str]] = []
    for name, text in slow_texts([name for language in Language for name in _listed(bundle, language.value)]).items():
        given = EvaluationInput(text, AT)
        times = []
        for _ in range(rounds):
            start = time.thread_time_ns()
            evaluate(engine, given)
            times.append((time.thread_time_ns() - start) / 1e6)
        took.append((min(times), name))
    print(
        f"\n{len(took)} texts of {LONGEST_TEXT} characters that are made to be slow, ms CPU (budget {BUDGET_SLOW_MS})"
    )
    for spent, name in sorted(took, reverse=True):
        print(f"{name:<28}{spent:>8.1f}{' over budget' if spent > BUDGET_SLOW_MS else ''}")
    print(f"loop {_loop():.0f} ns a turn (about 40 on an idle machine of today)")


def _loop() -> float:
    """Nanoseconds of CPU for one turn of a plain loop, the best of some."""
    best = float("inf")
    for _ in range(5):
        start, total = time.thread_time_ns(), 0
        for number in range(100_000):
            total += number * number % 7
        best = min(best, (time.thread_time_ns() - start) / 100_000)
    return best


def slow_texts(names: Sequence[str]) -> dict[str, str]:
    """Near-matches, repeated prefixes, disguises, marks without end: each repeated to the greatest length."""
    chance = random.Random(SEED)
    longest = sorted(names, key=len)[-400:]
    made = {
        "near matches": lambda: chance.choice(names)[:-1] + " ",
        "near matches with endings": lambda: chance.choice(names) + "x ",
        "nothing but hits": lambda: chance.choice(names) + " ",
        "repeated prefixes": lambda: chance.choice(longest)[:-2],
        "letters in rows": lambda: " ".join(chance.choices(string.ascii_lowercase, k=3)) + " no ",
        "syllables in rows": lambda: " ".join(chance.choices("자살죽고싶다나가", k=3)) + " 우리 ",
    }
    pieces = {
        "one phrase": "kill myself ",
        "the beginning of a phrase": "i want to ",
        "phrase and exception": "i don't want to die my friend wants to die ",
        "combining marks": "e\u0301\u0323",
        "marks out of order": "a\u0323\u0301\u0300b ",
        "marks of Arabic": "أ\u064b\u064e",
        "invisible": "k\u200bi\u200bl\u200bl ",
        "spaced letters": "k i l l ",
        "dotted letters": "k.i.l.l ",
        "leet": "k1ll my5elf 5u1c1de ",
        "one letter": "a",
        "stretched": "kiiilll myyyseeelf ",
        "jamo": "ㅈㅏㅅㅏㄹ ",
        "laughter": "죽을ㅋㅋㅋ",
        "Hangul": "자살을하고싶",
        "Hangul in pieces": "죽 고 싶 어 ",
        "mixed scripts": "kіll mуsеlf ",
        "apostrophes and digits": "a'2'",
        "elisions": "l'j'd'",
        "emoji": "👨\u200d👩\u200d👧",
        "punctuation": "!?.,",
        "words in one character": "ﷺ",
        "fractions": "¾",
        "facts": "in 2 weeks my sister's wedding, my size is M. ",
        "Korean facts": "나는 땅콩이랑 새우 알레르기가 있어 ",
        "lists": "i am allergic to nuts, wool, nickel, ",
        "numbers and currencies": "my budget 500 AED 20 $ ",
        "ligatures": "ﬃ ﬁ",
        "fullwidth": "ｋｉｌｌ ",
        "Cyrillic": "хочу умереть ",
        "Arabic": "والانتحار ",
        "Arabizi": "3ayez amoot 7 ",
        "negations": "not never no ",
        "feelings": "very not good ",
    }
    texts = {name: _filled(make) for name, make in made.items()}
    return texts | {name: _filled(lambda piece=piece: piece) for name, piece in pieces.items()}  # type: ignore[misc]


def _filled(make: Callable[[], str]) -> str:
    text = ""
    while len(text) < LONGEST_TEXT:
        text += make()
    return text[:LONGEST_TEXT]


def _quantiles(times: Sequence[float]) -> tuple[float, float]:
    cuts = statistics.quantiles(times, n=100)
    return cuts[49], cuts[98]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, int(sys.argv[2]) if len(sys.argv) > 2 else 5)
