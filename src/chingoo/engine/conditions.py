"""The routing table made ready for both evaluators: checked against the fact record, `not` pushed inward, values coded.

Values become small whole numbers, because the rule engine holds "1", 1, 1.0 and true to be equal, and because an
absent or null fact would switch a negated test off: every declared fact is present in every record.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from chingoo.engine.unbuildable import UnbuildableError
from chingoo.model.decision import FactRecord, FactValue
from chingoo.policy.documents.facts import FactDecl, FactsDocument
from chingoo.policy.documents.routing import Condition, RoutingDocument, RoutingRule


class RuleTableError(UnbuildableError):
    """The table names an unknown fact or member, compares what cannot be compared, or ends without a default."""


@dataclass(frozen=True, slots=True)
class Compare:
    """One positive comparison of a coded fact."""

    fact: str
    op: Literal["eq", "ne", "gte", "lt"]
    value: int


@dataclass(frozen=True, slots=True)
class Combine:
    """All or any of some tests; never empty."""

    op: Literal["all", "any"]
    parts: "tuple[Test, ...]"


Test = Compare | Combine
_TRUTH: Mapping[FactValue, int] = {False: 0, True: 1}
_SMALL: Mapping[FactValue, int] = {number: number for number in range(100)}


@dataclass(frozen=True, slots=True)
class CodedRule:
    """A rule and its test; None always holds."""

    rule: RoutingRule
    test: Test | None


class FactCodec:
    """Checks and codes fact values: false and true are 0 and 1, a member is its number, an integer itself."""

    def __init__(self, document: FactsDocument) -> None:
        self.decls: Mapping[str, FactDecl] = dict(document.facts)
        self._members = {
            name: {member: number for number, member in enumerate(decl.members)}
            for name, decl in self.decls.items()
            if decl.type == "enum"
        }
        self._codes: dict[str, Mapping[FactValue, int]] = {}
        for name, decl in self.decls.items():
            members: dict[FactValue, int] = dict(self._members.get(name, {}).items())
            self._codes[name] = members or (_SMALL if decl.type == "integer" else _TRUTH)

    def code(self, fact: str, value: FactValue) -> int:
        """The number of a value. RuleTableError: it is no value of that fact."""
        decl = self.decls.get(fact)
        if decl is None:
            raise RuleTableError(f"the fact `{fact}` is not declared")
        members = self._members.get(fact)
        if members is not None and isinstance(value, str) and value in members:
            return members[value]
        if decl.type == "boolean" and isinstance(value, bool):
            return int(value)
        if decl.type == "integer" and isinstance(value, int) and not isinstance(value, bool):
            return value
        raise RuleTableError(f"`{value}` is no value of the fact `{fact}`")

    def coded(self, record: FactRecord, facts: tuple[str, ...]) -> tuple[int, ...]:
        """The numbers of some facts of a record, in order. RuleTableError: one is missing or has no such value."""
        codes = self._codes
        try:
            return tuple([codes[fact][record[fact]] for fact in facts])
        except KeyError:
            return tuple(self.code(fact, self._value(record, fact)) for fact in facts)

    def _value(self, record: FactRecord, fact: str) -> FactValue:
        """A fact's value. RuleTableError: the record lacks it."""
        if fact not in record:
            raise RuleTableError(f"the fact record lacks {fact}")
        return record[fact]


@dataclass(frozen=True, slots=True)
class RuleTable:
    """The table: rules in order of precedence, and the facts they mention."""

    rules: tuple[CodedRule, ...]
    mentioned: tuple[str, ...]
    codec: FactCodec


def compile_table(routing: RoutingDocument, facts: FactsDocument) -> RuleTable:
    """The table of a routing document. RuleTableError names the rule that is wrong."""
    codec = FactCodec(facts)
    if not routing.rules or routing.rules[-1].when is not None:
        raise RuleTableError("the last rule must have no `when`, so that every record has an outcome", routing.place)
    coded = tuple(CodedRule(rule, _coded(rule, codec)) for rule in routing.rules)
    mentioned = dict.fromkeys(fact for one in coded if one.test is not None for fact in _facts_of(one.test))
    return RuleTable(coded, tuple(mentioned), codec)


def facts_of(condition: Condition | None) -> tuple[str, ...]:
    """The facts a condition names, each once."""
    if condition is None:
        return ()
    inner = [*(condition.all or ()), *(condition.any or ()), *([condition.not_] if condition.not_ else [])]
    own = [condition.fact] if condition.fact is not None else []
    return tuple(dict.fromkeys([*own, *(fact for part in inner for fact in facts_of(part))]))


def _coded(rule: RoutingRule, codec: FactCodec) -> Test | None:
    if rule.when is None:
        return None
    return positive(rule.when, codec, negated=False)


def _facts_of(test: Test) -> Iterator[str]:
    if isinstance(test, Compare):
        yield test.fact
    else:
        for part in test.parts:
            yield from _facts_of(part)


def positive(condition: Condition, codec: FactCodec, *, negated: bool) -> Test:
    """A condition, or its negation, as positive comparisons alone."""
    _check_shape(condition)
    if condition.not_ is not None:
        return positive(condition.not_, codec, negated=not negated)
    parts = condition.all if condition.all is not None else condition.any
    if parts is not None:
        op: Literal["all", "any"] = "all" if (condition.all is not None) != negated else "any"
        return Combine(op, tuple(positive(part, codec, negated=negated) for part in parts))
    return _comparison(condition, condition.fact or "", codec, negated=negated)


def _comparison(condition: Condition, fact: str, codec: FactCodec, *, negated: bool) -> Test:
    """One comparison of a condition, or its complement over the facts that are always present."""
    try:
        if condition.is_ is not None:
            return Compare(fact, "ne" if negated else "eq", codec.code(fact, condition.is_))
        if condition.in_ is not None:
            one: Literal["ne", "eq"] = "ne" if negated else "eq"
            tests = tuple(Compare(fact, one, codec.code(fact, member)) for member in condition.in_)
            return Combine("all" if negated else "any", tests)
        bound = condition.gte if condition.gte is not None else (condition.lte or 0) + 1
        from_bound_on = (condition.gte is not None) != negated
        return Compare(fact, "gte" if from_bound_on else "lt", codec.code(fact, bound))
    except RuleTableError as error:
        raise RuleTableError(error.what, condition.place) from error


def _check_shape(condition: Condition) -> None:
    """Exactly one of all, any, not, fact; a fact with exactly one comparison; nothing empty."""
    kinds = [condition.all, condition.any, condition.not_, condition.fact]
    comparisons = [condition.is_, condition.in_, condition.gte, condition.lte]
    given = sum(kind is not None for kind in kinds)
    compared = sum(comparison is not None for comparison in comparisons)
    wants = 1 if condition.fact is not None else 0
    empty = condition.all == () or condition.any == () or condition.in_ == ()
    if given != 1 or compared != wants or empty:
        raise RuleTableError(
            "a condition is one of `all`, `any`, `not`, or a `fact` with one of is, in, gte, lte", condition.place
        )
