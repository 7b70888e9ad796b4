"""Precision and recall of what is remembered from plain talk, by language, on the gold set and on PersonaExt.

    python tools/evaluate_extraction.py [--show LANGUAGE] [--personaext FOLDER] [--spacy en=en_core_web_sm]

FOLDER holds the JSON lines of PersonaExt (github.com/Cyn7hia/PAED, outputs/data/splits); no licence is stated, so none
of it is kept here. With --spacy, grammar parsers listen beside the patterns.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import yaml

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.adapters.spacy_parser import load_spacy
from chingoo.engine.engine import Engine, build_engine
from chingoo.engine.evaluate import evaluate
from chingoo.memory.listening import Listener, build_listener
from chingoo.model.decision import Decision, EvaluationInput
from chingoo.model.grammar import GrammarParser
from chingoo.policy.compile import load
from chingoo.settings.readers import spacy_models

ROOT = Path(__file__).resolve().parents[1]
GOLD = ROOT / "tests" / "memory" / "gold_extraction.yaml"
SAID_AT = datetime(2026, 3, 10, 12, tzinfo=UTC)
GOAL, EACH = (0.90, 0.70), (0.80, 0.55)

KNOWN_RELATIONS: Mapping[str, str] = {
    "like_food": "pref:food:",
    "dislike_food": "pref:food:",
    "like_drink": "pref:drink:",
    "favorite_drink": "pref:drink:",
    "dislike_drink": "pref:drink:",
    "favorite_music_artist": "pref:music:",
    "dislike_music": "pref:music:",
    "favorite_sport": "pref:sport:",
    "like_sport": "pref:sport:",
    "dislike_sport": "pref:sport:",
    "favorite_hobby": "pref:hobby:",
    "like_activity": "pref:",
    "live_in_citystatecountry": "fact:current_city",
    "employed_by_company": "fact:occupation",
    "employed_by_general": "fact:occupation",
    "attend_school": "fact:school",
    "has_degree": "fact:major",
}
"""The relations of PersonaExt that have a memory key of ours, by where its value would be kept."""


def engines(parser: GrammarParser | None = None) -> tuple[Engine, Listener]:
    """The engine and the listener of the shipped policies."""
    result = load(read_policy_files(ROOT), read_schemas(ROOT))
    if result.bundle is None:
        raise SystemExit("\n".join(map(str, result.findings)))
    return build_engine(result.bundle), build_listener(result.bundle, parser)


def decided(engine: Engine, text: str) -> Decision:
    """The decision on a message."""
    return evaluate(engine, EvaluationInput(text=text, received_at=SAID_AT))


def heard(engine: Engine, listener: Listener, text: str) -> dict[str, str]:
    """What would be kept of a message: values by key, an event's key without its slug, each value in lower case."""
    facts = listener.heard(text, decided(engine, text), SAID_AT, UTC)
    return {comparable(fact.memory_key): fact.memory_value.lower() for fact in facts}


def comparable(key: str) -> str:
    """A key as the gold set writes it."""
    return key.rpartition(":")[0] if key.startswith("event:") else key


def judge(wanted: Mapping[str, str], found: Mapping[str, str]) -> tuple[int, int, int]:
    """Right, wrong and missed ones of one message."""
    right = sum(key in wanted and wanted[key].lower() in ("", value) for key, value in found.items())
    return right, len(found) - right, len(wanted) - right


def share(part: int, whole: int) -> float:
    """A share; nothing of nothing is all."""
    return part / whole if whole else 1.0


def run_gold(engine: Engine, listener: Listener, path: Path, *, show: str) -> bool:
    """Print the table of the gold set; whether the goals are met."""
    gold: Mapping[str, list[dict[str, Any]]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    total, met = Counter[str](), True
    print(f"{path.name}\n{'':8}{'said':>6}{'right':>7}{'wrong':>7}{'missed':>8}{'precision':>11}{'recall':>8}")
    for language, sayings in gold.items():
        count = Counter[str]()
        for saying in sayings:
            wanted, found = saying.get("heard", {}), heard(engine, listener, saying["say"])
            right, wrong, missed = judge(wanted, found)
            count.update(right=right, wrong=wrong, missed=missed)
            if show in (language, "all") and (wrong or missed):
                print(f"    {saying['say']}\n      wanted {wanted}\n      heard  {found}")
        met &= print_line(language, len(sayings), count, EACH)
        total.update(count)
    return met & print_line("all", sum(map(len, gold.values())), total, GOAL)


def print_line(name: str, said: int, count: Mapping[str, int], goal: tuple[float, float]) -> bool:
    """One line of the table; whether its goal is met."""
    right, wrong, missed = (count.get(kind, 0) for kind in ("right", "wrong", "missed"))
    precision, recall = share(right, right + wrong), share(right, right + missed)
    print(f"{name:8}{said:6}{right:7}{wrong:7}{missed:8}{precision:11.3f}{recall:8.3f}")
    return precision >= goal[0] and recall >= goal[1]


def run_personaext(engine: Engine, listener: Listener, folder: Path, *, show: bool) -> None:
    """Print the recall on the relations of PersonaExt that have a key of ours."""
    count: dict[str, Counter[str]] = {}
    for text, label, tail in sorted(set(triples(folder))):
        prefix = KNOWN_RELATIONS.get(label)
        if prefix is None:
            continue
        found = heard(engine, listener, text)
        hit = any(key.startswith(prefix) and overlap(value, tail) for key, value in found.items())
        count.setdefault(label, Counter())["right" if hit else "missed"] += 1
        if show and not hit:
            print(f"    {label}: {text}  ->  {tail}   heard {found}")
    print(f"\nPersonaExt\n{'':26}{'said':>6}{'recall':>8}")
    for label, one in sorted(count.items()):
        print(f"{label:26}{one.total():6}{share(one['right'], one.total()):8.3f}")
    right = sum(one["right"] for one in count.values())
    said = sum(one.total() for one in count.values())
    print(f"{'all':26}{said:6}{share(right, said):8.3f}")


def triples(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Text, relation and tail of every triple in the files of a folder."""
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for triple in json.loads(line)["triplets"]:
                tokens = triple["tokens"]
                text = " ".join(tokens).replace(" ' ", "'").replace(" '", "'")
                yield text, triple["label"], " ".join(tokens[index] for index in triple["tail"])


def overlap(value: str, tail: str) -> bool:
    """Whether a value and a tail share a word."""
    return bool(set(value.replace("|", " ").split()) & set(tail.lower().split()))


def run_speed(engine: Engine, listener: Listener, path: Path) -> None:
    """Print how long listening takes for a message of the gold set."""
    gold = yaml.safe_load(path.read_text(encoding="utf-8"))
    texts = [saying["say"] for sayings in gold.values() for saying in sayings]
    said = [(text, decided(engine, text)) for text in texts]
    times = []
    for _ in range(5):
        for text, decision in said:
            started = time.perf_counter()
            listener.heard(text, decision, SAID_AT, UTC)
            times.append((time.perf_counter() - started) * 1000)
    times.sort()
    print(f"\nlistening: p50 {median(times):.3f} ms, p99 {times[int(len(times) * 0.99)]:.3f} ms a message")


def main() -> None:
    """Run; the exit code is 1 where the gold set's goals are missed."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--gold", type=Path, default=GOLD)
    arguments.add_argument("--personaext", type=Path)
    arguments.add_argument(
        "--spacy", default="", metavar="LANGUAGE=MODEL,…", help="grammar parsers beside the patterns"
    )
    arguments.add_argument(
        "--show", default="", metavar="LANGUAGE", help="print what was missed or wrong (all, or personaext)"
    )
    given = arguments.parse_args()
    parser = load_spacy(dict(spacy_models(given.spacy))) if given.spacy else None
    if given.spacy and parser is None:
        raise SystemExit("no parser could be loaded")
    engine, listener = engines(parser)
    met = run_gold(engine, listener, given.gold, show=given.show)
    if given.personaext is not None:
        run_personaext(engine, listener, given.personaext, show=given.show == "personaext")
    run_speed(engine, listener, given.gold)
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
