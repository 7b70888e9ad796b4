"""What giving out many friends would look like: the spread over templates and keys, and the cap as time goes on."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log

from chingoo.model.people import Assignment, Window
from chingoo.persona.assignment import assign
from chingoo.persona.chance import hash64
from chingoo.policy.documents.personas import PersonaTemplate
from chingoo.policy.documents.planning import AssignmentPolicy

_SEED, _GAP = 1, 2  # what a draw is for


@dataclass(frozen=True, slots=True)
class Stretch:
    """One stretch of the time simulated: how many were given, fallbacks, and the fullest window that ended in it.

    `taken` of the `total` in that window had the commonest key; the cap allowed `cap`.
    """

    until: datetime
    given: int
    fallbacks: int
    key: str
    taken: int
    total: int
    cap: int


@dataclass(frozen=True, slots=True)
class Simulation:
    """The spread over templates and combo keys, and the stretches in order. `over`: that broke the cap unsaid."""

    given: int
    templates: Mapping[str, int]
    keys: Mapping[str, int]
    fallbacks: int
    over: int
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """So many friends from `start` on, `hours` in all, arriving by chance; the same seed gives the same run."""

    amount: int
    start: datetime
    hours: float
    seed: int
    stretches: int = 12


def simulate(library: Mapping[str, PersonaTemplate], policy: AssignmentPolicy, plan: Plan) -> Simulation:
    """Give them out one after the other under the cap (PERS-07…16)."""
    window = _Rolling(timedelta(hours=policy.window_hours))
    templates: Counter[str] = Counter()
    keys: Counter[str] = Counter()
    stretches = [_Fullest() for _ in range(plan.stretches)]
    over = 0
    for number, at in enumerate(_arrivals(plan)):
        window.move(at)
        made = assign(library, policy, hash64(plan.seed, _SEED, number) >> 32, window.now())
        key = str(made.combo_key)
        taken, total = window.keys[key] + 1, window.keys.total() + 1
        cap = max(policy.cap_at_least, policy.cap_percent * total // 100)
        over += taken > cap and not made.fallback
        templates[made.persona_template_id] += 1
        keys[key] += 1
        window.take(at, key)
        share = (at - plan.start) / timedelta(hours=plan.hours)
        stretches[min(int(share * plan.stretches), plan.stretches - 1)].take(made, taken, total, cap)
    length = timedelta(hours=plan.hours) / plan.stretches
    shown = tuple(one.shown(plan.start + length * (index + 1)) for index, one in enumerate(stretches))
    return Simulation(plan.amount, dict(templates), dict(keys), sum(one.fallbacks for one in shown), over, shown)


def _arrivals(plan: Plan) -> Iterator[datetime]:
    """Instants with gaps by chance, stretched to end where the plan ends."""
    gaps = [-log((hash64(plan.seed, _GAP, number) + 1) / 2**64) for number in range(plan.amount + 1)]
    whole, passed = sum(gaps), 0.0
    for gap in gaps[:-1]:
        passed += gap
        yield plan.start + timedelta(hours=plan.hours * passed / whole)


class _Rolling:
    """The window over assignments that come in order."""

    def __init__(self, length: timedelta) -> None:
        self._length = length
        self._held: deque[tuple[datetime, str]] = deque()
        self._fresh: list[tuple[datetime, str]] = []
        self.keys: Counter[str] = Counter()

    def move(self, at: datetime) -> None:
        """Let the window end before `at`: those of the same instant do not count, those too old no longer."""
        for one in self._fresh if self._fresh and self._fresh[0][0] < at else ():
            self._held.append(one)
            self.keys[one[1]] += 1
        if self._fresh and self._fresh[0][0] < at:
            self._fresh = []
        while self._held and self._held[0][0] < at - self._length:
            self.keys[self._held.popleft()[1]] -= 1

    def now(self) -> Window:
        """The window as a store would give it."""
        return Window(self.keys.total(), self.keys)

    def take(self, at: datetime, key: str) -> None:
        """One more, counted from the next later instant on."""
        self._fresh.append((at, key))


class _Fullest:
    """Gathers a stretch; the fullest window is the one with the largest share of one key."""

    def __init__(self) -> None:
        self._given = self._fallbacks = 0
        self._fullest = ("", 0, 0, 0)

    def take(self, made: Assignment, taken: int, total: int, cap: int) -> None:
        """One assignment with its key's count in its own window, itself included."""
        self._given += 1
        self._fallbacks += made.fallback
        if taken * max(self._fullest[2], 1) >= self._fullest[1] * total:
            self._fullest = (str(made.combo_key), taken, total, cap)

    def shown(self, until: datetime) -> Stretch:
        """What was gathered."""
        key, taken, total, cap = self._fullest
        return Stretch(until, self._given, self._fallbacks, key, taken, total, cap)
