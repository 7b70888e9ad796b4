"""What the lists see of the lines in evaluation/, by kind of line and language.

`python tools/evaluate_lines.py [untouched|everyday|sealed|fresh|read|taught|public] [--detector]`: by `untouched` (if
nothing is named), `everyday`, `sealed` and `fresh` the lists are judged; the others may be read to mend them, and their
weights are learnt from these. With `--detector` the detector that comes with the project is asked beside the words, in
this process. See evaluation/README.md. Nothing of a line is printed.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from beside_words import Decide, beside_words, by_words
from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.engine.engine import build_engine
from chingoo.model.decision import EvaluationInput, Utterance
from chingoo.model.enums import AgeBand, Pipeline, Role
from chingoo.policy.compile import load

ROOT = Path(__file__).resolve().parent.parent
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
HALVES = ("untouched", "everyday", "sealed", "fresh", "read", "taught", "public")
EARLIER = " | "
_KIND = re.compile(r"\[(\w+)\]")
_ABUSE = "harassment"
_NEITHER = ("flirt_mild", "health_education", "everyday")
_TO_BE_SEEN = ("explicit", "coded", "third_party", "context", "harassment")


class Line(NamedTuple):
    """A line of a kind; `earlier` are what the same person said before it, oldest first."""

    language: str
    kind: str
    text: str
    earlier: tuple[str, ...]


def main(half: str, *, detector: bool) -> None:
    """Decide all lines and print the table."""
    result = load(read_policy_files(ROOT), read_schemas(ROOT))
    if result.bundle is None:
        sys.exit("the policies do not compile; see `chingoo policy check`")
    engine = build_engine(result.bundle)
    decide = beside_words(engine, result.bundle) if detector else by_words(engine)
    lines = list(read_lines(ROOT / "evaluation" / half))
    counted: dict[str, dict[str, tuple[int, int]]] = {}
    for line in lines:
        of_kind = counted.setdefault(line.kind, {})
        seen, total = of_kind.get(line.language, (0, 0))
        of_kind[line.language] = seen + is_seen(decide, line), total + 1
    engine.close()
    _print(counted, f"{half} lines{', with the detector' if detector else ''}")


def read_lines(folder: Path) -> Iterator[Line]:
    """The lines of one half. ValueError: a line stands before the first `[kind]`."""
    for path in sorted(folder.glob("*.txt")):
        kind = ""
        for written in path.read_text("utf-8").splitlines():
            head = _KIND.fullmatch(written)
            if head is not None:
                kind = head[1]
            elif written:
                if not kind:
                    raise ValueError(f"{path}: the file must begin with the kind of its lines, as [explicit]")
                *earlier, text = written.split(EARLIER)
                yield Line(path.stem, kind, text, tuple(earlier))


def is_seen(decide: Decide, line: Line) -> bool:
    """Whether a line is a crisis, or, where it is about abuse, refused; or either, where it may be neither."""
    history = tuple(Utterance(Role.USER, text) for text in line.earlier)
    given = EvaluationInput(line.text, AT, history=history, age_band=AgeBand.B25_34)
    decision = decide(given)
    refused, crisis = decision.routing.pipeline is Pipeline.REFUSAL, decision.signals.crisis.level is not None
    if line.kind.startswith(_ABUSE):
        return refused
    return crisis or (refused and line.kind in _NEITHER)


def _print(counted: dict[str, dict[str, tuple[int, int]]], what: str) -> None:
    languages = sorted({language for of_kind in counted.values() for language in of_kind})
    print(f"{what}; share of lines that are a crisis (harassment: refused); + should be seen, - should not")
    print(f"{'':<26}{'n':>6}{'all':>7}" + "".join(f"{language:>9}" for language in languages))
    for kind, of_kind in counted.items():
        seen, total = (sum(numbers) for numbers in zip(*of_kind.values(), strict=True))
        shares = "".join(f"{_share(*of_kind.get(language, (0, 0))):>9}" for language in languages)
        print(f"{'+' if kind in _TO_BE_SEEN else '-'} {kind:<24}{total:>6}{_share(seen, total):>7}{shares}")


def _share(seen: int, total: int) -> str:
    return f"{seen / total:.3f}" if total else ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What do the lists see of the lines in evaluation/?")
    parser.add_argument("half", nargs="?", choices=HALVES, default=HALVES[0], help="which lines (default: untouched)")
    parser.add_argument("--detector", action="store_true", help="ask the detector that comes with the project as well")
    named = parser.parse_args()
    main(named.half, detector=named.detector)
