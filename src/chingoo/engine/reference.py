"""The routing table evaluated in plain Python, straight from the documents: what the rule engine is held against."""

from chingoo.engine.conditions import RuleTable
from chingoo.model.decision import FactRecord
from chingoo.policy.documents.routing import Condition, RoutingRule


def first_rule(table: RuleTable, record: FactRecord) -> RoutingRule:
    """The first rule whose condition holds; the last one always does."""
    return next(coded.rule for coded in table.rules if coded.rule.when is None or holds(coded.rule.when, record))


def holds(condition: Condition, record: FactRecord) -> bool:
    """Whether a condition holds for a record. KeyError: the record lacks a fact."""
    if condition.all is not None:
        return all(holds(part, record) for part in condition.all)
    if condition.any is not None:
        return any(holds(part, record) for part in condition.any)
    if condition.not_ is not None:
        return not holds(condition.not_, record)
    return _compares(condition, record)


def _compares(condition: Condition, record: FactRecord) -> bool:
    """Whether the one comparison of a condition holds."""
    value = record[condition.fact or ""]
    if condition.is_ is not None:
        return type(value) is type(condition.is_) and value == condition.is_
    if condition.in_ is not None:
        return value in condition.in_
    number = int(value)
    return number >= condition.gte if condition.gte is not None else number <= (condition.lte or 0)
