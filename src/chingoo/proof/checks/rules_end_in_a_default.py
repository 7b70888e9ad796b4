"""The last routing rule always holds and no rule before it does: each message has an outcome, each rule a use."""

from collections.abc import Iterator

from chingoo.model.enums import Pipeline, SafetyPolicy
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, OtherPlace


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for a missing default, for rules after a default, and for refusals without words."""
    bundle = subject.bundle
    rules = bundle.routing.rules
    if rules and rules[-1].when is not None:
        message = f"the last rule `{rules[-1].id}` has a condition; a message that fits no rule would have no outcome"
        hint = "let the table end with a rule without `when`"
        yield Finding("rule-no-default", message, rules[-1].place, hint=hint, about=rules[-1].id)
    default = next((rule for rule in rules[:-1] if rule.when is None), None)
    if default is not None:
        unreached = rules[rules.index(default) + 1 :]
        message = f"`{default.id}` always holds, so {_counted(len(unreached))} never reached"
        others = (OtherPlace(unreached[0].place, "the first that is never reached"),)
        hint = "give it a `when`, or let it be the last rule"
        yield Finding("rule-unreachable", message, default.place, 1, hint, others, about=default.id)
    for rule in (*rules, bundle.routing.strictest):
        refuses = rule.then.pipeline is Pipeline.REFUSAL or rule.then.safety_policy is SafetyPolicy.HARD_REFUSE
        if refuses and rule.then.reply is None:
            message = f"the rule `{rule.id}` refuses but says nothing"
            yield Finding(
                "rule-without-words", message, rule.then.place, hint="add `reply:` with the name of a fixed reply"
            )


def _counted(number: int) -> str:
    return "the rule after it is" if number == 1 else f"the {number} rules after it are"
