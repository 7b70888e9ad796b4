"""Recorded decisions as cases: an editor's verdict, kept with the facts that rules saw and without the message."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from chingoo.engine.conditions import RuleTable
from chingoo.engine.reference import first_rule
from chingoo.errors import ChingooError
from chingoo.model.decision import FactValue
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.cases import CasesDocument, RecordedCase
from chingoo.proof.records import neutral_record, value_told
from chingoo.source.findings import Finding, sorted_findings
from chingoo.source.reader import read
from chingoo.source.suggest import did_you_mean
from chingoo.source.tree import ListNode, MapNode, Scalar

CASES = "policies/routing.cases.yaml"
_RIGHT = "right"


class RecordedCaseError(ChingooError):
    """A decision cannot become a case: it is one already, or the file of cases is not as it should be."""


def recorded_findings(table: RuleTable, bundle: Bundle, documents: Mapping[str, CasesDocument]) -> tuple[Finding, ...]:
    """A finding for every recorded case that is decided otherwise, or names what is not there."""
    cases = [case for path in sorted(documents) for case in documents[path].recorded]
    return sorted_findings(finding for case in cases for finding in _judged(table, bundle, case))


def recorded_case(
    files: Mapping[str, str],
    decision_id: str,
    facts: Mapping[str, FactValue],
    rule: str,
    verdict: str,
    note: str | None,
    at: datetime,
) -> dict[str, str]:
    """The changed text by path: the decision at the end of the recorded cases of the routing table.

    A decision that was `right` must be made by the same rule again, any other must not. RecordedCaseError.
    """
    text = files.get(CASES, "")
    tree = read(text, CASES).tree
    if not isinstance(tree, MapNode):
        raise RecordedCaseError(f"{CASES} is not there, or cannot be read; mend it first")
    listed = tree.get("recorded")
    name = f"recorded.{decision_id}"
    if name in _ids(listed):
        raise RecordedCaseError(f"this decision is a case already: `{name}` in {CASES}")
    plain = {name: value for name, value in facts.items() if value not in (False, 0, "none")}
    shown = ", ".join(f"{name}: {value_told(value)}" for name, value in plain.items())
    remark = f"{verdict}, decided {at.date().isoformat()}" + (f"; {note}" if note else "")
    lines = [
        *(() if listed is not None else ("recorded:",)),
        f"  - id: {name}",
        f"    facts: {{{shown}}}",
        f"    {'rule' if verdict == _RIGHT else 'not_rule'}: {rule}",
        f'    note: "{_escaped(remark)}"',
    ]
    made = "\n".join([text.rstrip("\n"), *lines]) + "\n"
    after = read(made, CASES).tree
    if not isinstance(after, MapNode) or name not in _ids(after.get("recorded")):
        raise RecordedCaseError(f"`recorded:` must be the last part of {CASES}; move it to the end first")
    return {CASES: made}


def _judged(table: RuleTable, bundle: Bundle, case: RecordedCase) -> Iterator[Finding]:
    facts = bundle.facts.facts
    rules = [rule.id for rule in bundle.routing.rules]
    unknown = [("fact", name, list(facts)) for name in case.facts if name not in facts]
    unknown += [("rule", name, rules) for name in (case.rule, case.not_rule) if name is not None and name not in rules]
    for what, name, known in unknown:
        offer = did_you_mean(name, known)
        hint = f"did you mean `{offer}`?" if offer else "delete the case, or write what it is called now"
        yield Finding("case-unknown", f"there is no {what} `{name}`", case.place, hint=hint, about=name)
    if unknown:
        return
    found = first_rule(table, neutral_record(facts, {**case.facts})).id
    wrong = "it names neither a rule that must decide nor one that must not" if case.rule == case.not_rule else None
    if case.rule is not None and found != case.rule:
        wrong = f"the rule is {found}, not {case.rule}"
    elif found == case.not_rule:
        wrong = f"{found} decides again"
    if wrong is not None:
        hint = "if the verdict still holds, mend the policy"
        yield Finding("case-failed", f"`{case.id}`: {wrong}", case.place, hint=hint, about=case.id)


def _ids(listed: object) -> Iterator[str]:
    for item in listed.items if isinstance(listed, ListNode) else ():
        name = item.get("id") if isinstance(item, MapNode) else None
        if isinstance(name, Scalar):
            yield name.text


def _escaped(text: str) -> str:
    shown = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ").replace("\t", " ")
    return "".join(one if one.isprintable() else " " for one in shown)
