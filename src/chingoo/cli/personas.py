"""`chingoo persona simulate`: how friends would spread over templates and keys, and how the cap holds over time."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from chingoo.cli.parts import Parts
from chingoo.errors import InvalidInputError, PolicyRefusedError
from chingoo.persona.simulation import Plan, Simulation, simulate
from chingoo.policy.compile import load

START: Final = datetime(2026, 1, 1, tzinfo=UTC)  # any instant does: only differences count
_SHOWN_KEYS: Final = 5
_BAR: Final = 30


@dataclass(frozen=True, slots=True)
class Wish:
    """How many friends, over how many hours, from which seed."""

    amount: int
    hours: float
    seed: int
    as_json: bool


def simulated(parts: Parts, root: Path, wish: Wish) -> str:
    """The report, for reading or as JSON."""
    if wish.amount < 1 or wish.hours <= 0:
        raise InvalidInputError("at least one friend and more than 0 hours are needed")
    sources = parts.policy_sources(root)
    loaded = load(sources.files, sources.schemas)
    if loaded.bundle is None:
        raise PolicyRefusedError(f"the policies in {root} have errors; see `chingoo policy check`", loaded.findings)
    bundle = loaded.bundle
    plan = Plan(wish.amount, START, wish.hours, wish.seed)
    done = simulate(bundle.personas, bundle.planning.assignment, plan)
    if wish.as_json:
        return json.dumps(asdict(done), default=str, ensure_ascii=False, indent=2)
    return "\n".join(_readable(done, bundle.planning.assignment.window_hours))


def _readable(done: Simulation, window_hours: int) -> Iterator[str]:
    yield f"{done.given} friends, {done.fallbacks} fallbacks, {done.over} over the cap that are none"
    yield ""
    yield "template"
    yield from _bars(dict(sorted(done.templates.items())), done.given)
    common = dict(sorted(done.keys.items(), key=lambda one: (-one[1], one[0]))[:_SHOWN_KEYS])
    yield ""
    yield f"combo key: {len(done.keys)} different ones; the commonest"
    yield from _bars(common, done.given)
    yield ""
    yield f"the cap over time: the fullest window of {window_hours} h that ended in each stretch"
    yield f"{'hour':>8}{'given':>8}{'fallbacks':>11}{'window':>8}{'same key':>10}{'cap':>6}{'share':>8}"
    for one in done.stretches:
        hour = (one.until - START).total_seconds() / 3600
        share = f"{one.taken / one.total:.1%}" if one.total else ""
        yield f"{hour:>8.1f}{one.given:>8}{one.fallbacks:>11}{one.total:>8}{one.taken:>10}{one.cap:>6}{share:>8}"


def _bars(counts: Mapping[str, int], given: int) -> Iterator[str]:
    width, most = max(map(len, counts)), max(counts.values())
    for name, count in counts.items():
        yield f"  {name:{width}} {count:>7} {count / given:>6.2%} {'#' * round(_BAR * count / most)}"
