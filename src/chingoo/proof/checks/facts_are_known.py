"""Every condition compares a declared fact with values it can have."""

from collections.abc import Iterator

from chingoo.policy.documents.facts import FactDecl
from chingoo.policy.documents.routing import Condition
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.source.suggest import did_you_mean


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every comparison that names no fact, or can never or must always hold by the fact's kind."""
    bundle = subject.bundle
    for part in subject.parts:
        if isinstance(part, Condition) and part.fact is not None:
            fact = bundle.facts.facts.get(part.fact)
            if fact is None:
                offer = did_you_mean(part.fact, bundle.facts.facts)
                hint = f"did you mean `{offer}`?" if offer else "declare it in policies/facts.yaml"
                message = f"there is no fact `{part.fact}`"
                yield Finding("fact-unknown", message, part.place, hint=hint, about=part.fact)
            else:
                yield from _comparison(part, part.fact, fact)


def _comparison(condition: Condition, name: str, fact: FactDecl) -> Iterator[Finding]:
    if fact.type == "boolean":
        yield from _boolean(condition, name)
    elif fact.type == "enum":
        yield from _enum(condition, name, fact)
    else:
        yield from _integer(condition, name, fact)


def _boolean(condition: Condition, name: str) -> Iterator[Finding]:
    if not isinstance(condition.is_, bool):
        message = f"`{name}` is true or false; compare it with `is: true` or `is: false`"
        yield Finding("fact-comparison", message, condition.place, about=name)


def _enum(condition: Condition, name: str, fact: FactDecl) -> Iterator[Finding]:
    values = condition.in_ if condition.in_ is not None else () if condition.is_ is None else (condition.is_,)
    if not values:
        message = f"`{name}` is one of {', '.join(fact.members)}; compare it with `is` or `in`"
        yield Finding("fact-comparison", message, condition.place, about=name)
    for value in values:
        if value not in fact.members:
            offer = did_you_mean(str(value), fact.members)
            hint = f"did you mean `{offer}`?" if offer else f"known here: {', '.join(fact.members)}"
            message = f"`{name}` is never `{value}`"
            yield Finding("fact-value", message, condition.place, hint=hint, about=str(value))


def _integer(condition: Condition, name: str, fact: FactDecl) -> Iterator[Finding]:
    exactly = condition.is_ if isinstance(condition.is_, int) and not isinstance(condition.is_, bool) else None
    bounds = [bound for bound in (condition.gte, condition.lte, exactly) if bound is not None]
    if not bounds:
        message = f"`{name}` is a number; compare it with `gte`, `lte` or `is`"
        yield Finding("fact-comparison", message, condition.place, about=name)
        return
    values = range((fact.at_most or 0) + 1)
    held = sum(
        (condition.gte is None or value >= condition.gte)
        and (condition.lte is None or value <= condition.lte)
        and (exactly is None or value == exactly)
        for value in values
    )
    if held in (0, len(values)):
        message = f"`{name}` goes from 0 to {values[-1]}; this {'always' if held else 'never'} holds"
        yield Finding("fact-value", message, condition.place, about=str(bounds[0]))
