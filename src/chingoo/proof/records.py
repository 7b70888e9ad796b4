"""Fact records to try: everyday ones, neighbours that differ in one fact, random ones; and how they are told."""

from collections.abc import Iterable, Iterator, Mapping

from chingoo.model.decision import FactRecord, FactValue
from chingoo.policy.documents.facts import FactDecl
from chingoo.policy.documents.routing import Condition

_MASK = (1 << 64) - 1
_UNBOUNDED = 1_000_000
_DENSITIES = 8

Domains = Mapping[str, tuple[FactValue, ...]]
"""For each fact the values worth trying: all of them, or for an integer those around every bound that rules name."""


def highest(decl: FactDecl) -> int:
    """The greatest value of an integer fact."""
    return _UNBOUNDED if decl.at_most is None else decl.at_most


def neutral_record(facts: Mapping[str, FactDecl], chosen: Mapping[str, FactValue]) -> FactRecord:
    """An everyday record: the chosen values, and false, 0 or the first member for all other facts."""
    return {name: chosen.get(name, _plainest(decl)) for name, decl in facts.items()}


def domains(facts: Mapping[str, FactDecl], conditions: Iterable[Condition], neutral: FactRecord) -> Domains:
    """The values worth trying, the neutral one first, given every condition that will look at them."""
    bounds = {(one.fact, bound) for condition in conditions for one in leaves(condition) for bound in _bounds(one)}
    return {name: tuple(dict.fromkeys((neutral[name], *_values(name, decl, bounds)))) for name, decl in facts.items()}


def neighbours(record: FactRecord, values: Domains) -> Iterator[FactRecord]:
    """Every record that differs from this one in one fact."""
    for name, options in values.items():
        for value in options:
            if value != record[name] or type(value) is not type(record[name]):
                yield {**record, name: value}


def random_records(values: Domains, seed: int, amount: int) -> Iterator[FactRecord]:
    """Records at random, the same for the same seed: some with hardly a fact out of the ordinary, some with most.

    Were every fact drawn evenly, nearly all records would meet the first rules of a table and hardly any its last.
    """
    state = seed & _MASK
    for _ in range(amount):
        state, density = _next(state)
        record: FactRecord = {}
        for name, options in values.items():
            state, number = _next(state)
            drawn = number % _DENSITIES <= density % _DENSITIES
            record[name] = options[(number >> 8) % len(options)] if drawn else options[0]
        yield record


def leaves(condition: Condition) -> Iterator[Condition]:
    """The comparisons of a condition."""
    if condition.fact is not None:
        yield condition
    for part in (*(condition.all or ()), *(condition.any or ()), *((condition.not_,) if condition.not_ else ())):
        yield from leaves(part)


def differences(record: FactRecord, neutral: FactRecord) -> FactRecord:
    """The facts in which a record is not like the neutral one."""
    return {name: value for name, value in record.items() if value != neutral[name]}


def told(facts: Mapping[str, FactValue]) -> str:
    """Facts as a writer would write them: `age_band is 13-17, sexual is 1`."""
    return ", ".join(f"{name} is {value_told(value)}" for name, value in facts.items())


def value_told(value: FactValue) -> str:
    """A value as it is written in YAML."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plainest(decl: FactDecl) -> FactValue:
    if decl.type == "enum":
        return decl.members[0]
    return False if decl.type == "boolean" else 0


def _bounds(leaf: Condition) -> Iterator[int]:
    for bound in (leaf.gte, leaf.lte, leaf.is_):
        if isinstance(bound, int) and not isinstance(bound, bool):
            yield bound


def _values(name: str, decl: FactDecl, bounds: set[tuple[str | None, int]]) -> tuple[FactValue, ...]:
    if decl.type == "enum":
        return decl.members
    if decl.type == "boolean":
        return (False, True)
    top = highest(decl)
    named = {bound + step for fact, bound in bounds if fact == name for step in (-1, 0, 1)}
    return tuple(sorted({value for value in (0, 1, top, *named) if 0 <= value <= top}))


def _next(state: int) -> tuple[int, int]:
    """SplitMix64: the next state, and a number from 0 to 2**64 - 1."""
    state = (state + 0x9E3779B97F4A7C15) & _MASK
    value = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return state, value ^ (value >> 31)
