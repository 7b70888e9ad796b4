"""Which decisions change from one bundle to another over given messages, and whether that is within a budget."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.errors import ChingooError
from chingoo.model.decision import Decision, EvaluationInput, RoutingDecision
from chingoo.model.enums import Pipeline, SafetyPolicy

_BUDGET = re.compile(r"([a-z_]+)=([+-])?([0-9]+(?:\.[0-9]+)?)%")
_PERCENT = 100
_NO_TOPIC = "none"


def _goes_to(pipeline: Pipeline, decision: Decision) -> bool:
    return decision.routing.pipeline is pipeline


_COUNTED: Mapping[str, Callable[[Decision], bool]] = {
    "refusals": lambda decision: decision.routing.pipeline is Pipeline.REFUSAL,
    "hard_refusals": lambda decision: decision.routing.safety_policy is SafetyPolicy.HARD_REFUSE,
    "soft_refusals": lambda decision: decision.routing.safety_policy is SafetyPolicy.SOFT_REFUSE,
    "crises": lambda decision: decision.signals.crisis.detected,
    "guard": lambda decision: decision.signals.guard.blocked,
    **{pipeline.value.lower(): partial(_goes_to, pipeline) for pipeline in Pipeline},
}
"""What budgets can be about, and which decisions count for it."""


class BudgetError(ChingooError):
    """A budget that cannot be read, or names nothing that is counted."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a share of decisions may change, in percentage points of all of them.

    With `sign` "+" only growth is limited, with "-" only shrinking, without one both.
    """

    metric: str
    sign: str
    points: float

    def allows(self, change: float) -> bool:
        """Whether a change of the share, in percentage points, is within the budget."""
        limited = change if self.sign == "+" else -change if self.sign == "-" else abs(change)
        return limited <= self.points + 1e-9


@dataclass(frozen=True, slots=True)
class Flip:
    """A message that is decided otherwise, and by which rules."""

    given: EvaluationInput
    before: Decision
    after: Decision

    @property
    def way(self) -> str:
        """From what to what, as `FRIEND_CHAT ALLOW → REFUSAL HARD_REFUSE`."""
        return f"{_named(self.before.routing)} → {_named(self.after.routing)}"


@dataclass(frozen=True, slots=True)
class FlipReport:
    """All flips over some messages.

    The mappings count flips by way, by topic touched, by language and by age band. `shares` are percentages of all
    messages before and after, for each thing that budgets can be about.
    """

    messages: int
    flips: int
    by_way: Mapping[str, int]
    by_topic: Mapping[str, int]
    by_language: Mapping[str, int]
    by_age_band: Mapping[str, int]
    shares: Mapping[str, tuple[float, float]]
    samples: tuple[Flip, ...]

    def exceeded(self, budgets: Iterable[Budget]) -> tuple[str, ...]:
        """In words, each budget that is exceeded."""
        over = []
        for budget in budgets:
            before, after = self.shares[budget.metric]
            if not budget.allows(after - before):
                limit = f"{budget.sign or '±'}{budget.points:g}"
                over.append(
                    f"{budget.metric}: {before:.2f}% to {after:.2f}% of all messages, allowed are {limit} points"
                )
        return tuple(over)


def flips(before: Engine, after: Engine, given: Iterable[EvaluationInput], samples: int = 20) -> FlipReport:
    """Decide every message with both engines. A flip is a change of routing, of the fixed reply or of the crisis level.

    Samples are the first flips of each way in turn, so that rare ways are shown too.
    """
    found: list[Flip] = []
    counted = {metric: [0, 0] for metric in (*_COUNTED, "flips")}
    messages = 0
    for one in given:
        messages += 1
        flip = Flip(one, evaluate(before, one), evaluate(after, one))
        for metric, counts in _COUNTED.items():
            counted[metric][0] += counts(flip.before)
            counted[metric][1] += counts(flip.after)
        if _outcome(flip.before) != _outcome(flip.after):
            found.append(flip)
            counted["flips"][1] += 1
    return FlipReport(
        messages=messages,
        flips=len(found),
        by_way=_most_first(flip.way for flip in found),
        by_topic=_most_first(topic for flip in found for topic in _topics(flip)),
        by_language=_most_first(flip.after.signals.language for flip in found),
        by_age_band=_most_first(flip.given.age_band.value for flip in found),
        shares={metric: (_share(was, messages), _share(now, messages)) for metric, (was, now) in counted.items()},
        samples=_in_turn(found, samples),
    )


def parse_budget(text: str) -> Budget:
    """A budget such as `refusals=+0.2%`. BudgetError: it is none."""
    match = _BUDGET.fullmatch(text.strip())
    known = (*_COUNTED, "flips")
    if match is None:
        raise BudgetError(f"`{text}` is no budget; write for example refusals=+0.2%")
    if match[1] not in known:
        raise BudgetError(f"nothing is counted as `{match[1]}`; known are {', '.join(known)}")
    return Budget(match[1], match[2] or "", float(match[3]))


def _outcome(decision: Decision) -> tuple[object, ...]:
    routing = decision.routing
    return (
        routing.pipeline,
        routing.safety_policy,
        routing.memory_read_policy,
        routing.vector_search_policy,
        routing.memory_write_policy,
        routing.relationship_update_policy,
        decision.reply_id,
        decision.signals.crisis.level,
    )


def _named(routing: RoutingDecision) -> str:
    return f"{routing.pipeline} {routing.safety_policy}"


def _topics(flip: Flip) -> list[str]:
    touched = (*flip.before.signals.topics, *flip.after.signals.topics)
    return list(dict.fromkeys(match.topic.value for match in touched)) or [_NO_TOPIC]


def _most_first(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def _share(count: int, messages: int) -> float:
    return _PERCENT * count / messages if messages else 0.0


def _in_turn(found: list[Flip], samples: int) -> tuple[Flip, ...]:
    by_way: dict[str, list[Flip]] = {}
    for flip in found:
        by_way.setdefault(flip.way, []).append(flip)
    rounds = max((len(one) for one in by_way.values()), default=0)
    turns = [one[index] for index in range(rounds) for one in by_way.values() if index < len(one)]
    return tuple(turns[:samples])
