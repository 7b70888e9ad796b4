"""Mistyped rules about words: signals, safety, the content guard, crisis, topics."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Distances, Near, Sight
from chingoo.policy.documents.signals import SignalRule
from chingoo.source.places import Place
from mutation.conditions import Changed, distances_changed, nears, sights
from mutation.mutant import Mutant, altered

NONE: frozenset[str] = frozenset()


def words_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Everything about words, changed in one place."""
    for area in ("signals", "safety"):
        yield from signal_mutants(bundle, area)
    yield from count_mutants(bundle)
    yield from guard_mutants(bundle)
    yield from crisis_mutants(bundle)
    yield from crisis_context_mutants(bundle)
    yield from topic_mutants(bundle)


def signal_mutants(bundle: Bundle, area: str) -> Iterator[Mutant]:
    """Signals seen less, or more."""
    document = getattr(bundle, area)
    signals: Mapping[str, SignalRule] = document.signals
    for name, rule in signals.items():

        def mutant(one: Any, name: str = name, **changes: Any) -> Mutant:
            changed = {**signals, name: altered(signals[name], **changes)}
            after = altered(bundle, **{area: altered(document, signals=changed)})
            return Mutant(area, one.place, f"{name}: {one.what}", one.wanted, after, one.needs)

        for seen in sights(rule.when, rule.distances):
            yield mutant(seen, when=seen.sight)
        for one, rest in each_changed(rule.unless, rule.distances):
            yield mutant(one, unless=rest)
        if rule.distances is not None:
            own = (*rule.when.any, *rule.unless)
            for what, wanted, after in distances_changed(rule.distances, own):
                when = replace(rule.when, any=after[: len(rule.when.any)])
                one = Changed(rule.distances.place, what, wanted, None, NONE)
                yield mutant(one, when=when, unless=after[len(rule.when.any) :])


def each_changed(
    combinations: tuple[Near, ...], distances: Distances | None
) -> Iterator[tuple[Changed, tuple[Near, ...]]]:
    """Each way in which one of some combinations is changed, with all of them after it."""
    for index, near in enumerate(combinations):
        for one in nears(near, distances):
            kept = () if one.near is None else (one.near,)
            yield one, (*combinations[:index], *kept, *combinations[index + 1 :])


def count_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Words that are counted forgotten, or no longer left out."""
    safety = bundle.safety
    for name, count in safety.counts.items():
        for field, wanted in (
            ("lists", "a message that only {} counts"),
            ("none", "a message that {} excuses"),
            ("unless", "a message with a word that counts beside {}"),
        ):
            listed: tuple[str, ...] = getattr(count, field)
            for list_id in listed if len(listed) > 1 or field != "lists" else ():
                changed = altered(count, **{field: tuple(one for one in listed if one != list_id)})
                after = replace(bundle, safety=replace(safety, counts={**safety.counts, name: changed}))
                what = f"{name}: {field} without {list_id}"
                yield Mutant("safety", count.place, what, wanted.format(list_id), after, frozenset((list_id,)))
        for step in (-1, 1) if count.unless else ():
            beside = count.beside + step
            changed = altered(count, beside=beside)
            after = replace(bundle, safety=replace(safety, counts={**safety.counts, name: changed}))
            wanted = (
                f"a message with {' or '.join(count.unless)} {max(beside, count.beside)} words off a word that counts"
            )
            what = f"{name}: barred from {beside} words off"
            yield Mutant("safety", count.place, what, wanted, after, frozenset(count.lists))


def guard_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Categories of the content guard forgotten, seen less or more, or in another order."""
    guard = bundle.safety.guard

    def mutant(place: Place, what: str, wanted: str, changed: Any, needs: frozenset[str] = NONE) -> Mutant:
        after = replace(bundle, safety=replace(bundle.safety, guard=tuple(changed)))
        return Mutant("guard", place, what, wanted, after, needs)

    for index, category in enumerate(guard):
        before, behind = guard[:index], guard[index + 1 :]
        wanted = f"a message of {category.id}"
        yield mutant(category.place, f"guard without {category.id}", wanted, (*before, *behind))
        for strictness in ("always", "intimate"):
            for one in sights(getattr(category, strictness) or Sight(category.place, ())):
                changed = (*before, altered(category, **{strictness: one.sight}), *behind)
                yield mutant(one.place, f"{category.id}, {strictness}: {one.what}", one.wanted, changed, one.needs)
        if behind:
            what = f"{behind[0].id} before {category.id}"
            wanted = f"a message of both {category.id} and {behind[0].id}"
            yield mutant(category.place, what, wanted, (*before, behind[0], category, *behind[1:]))


def crisis_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Phrases of crisis and their exceptions: seen less, or more.

    `covers` of exceptions is left alone: what it leaves out makes a difference only to a phrase that shares letters
    with a word of the exception's other lists, and there is none.
    """
    crisis = bundle.crisis

    def mutant(place: Place, what: str, wanted: str, needs: frozenset[str] = NONE, **changes: Any) -> Mutant:
        return Mutant("crisis", place, what, wanted, replace(bundle, crisis=altered(crisis, **changes)), needs)

    parts: dict[str, tuple[Any, tuple[str, ...]]] = {
        "direct": (crisis.direct, ("combinations",)),
        "third_party": (crisis.third_party, ("near", "signs")),
        "context": (crisis.context, ("combinations",)),
    }
    for name, (part, groups) in parts.items():
        for group in groups:
            for one, rest in each_changed(getattr(part, group), crisis.distances):
                after = {name: altered(part, **{group: rest})}
                yield mutant(one.place, f"{name}: {one.what}", one.wanted, one.needs, **after)
    for name in ("direct", "third_party", "certain"):
        part = getattr(crisis, name)
        for list_id in part.lists if part is not None else ():
            lists = tuple(one for one in part.lists if one != list_id)
            after = {name: altered(part, lists=lists) if lists or name != "certain" else None}
            wanted = f"a message that only {list_id} tells"
            yield mutant(part.place, f"{name} without {list_id}", wanted, frozenset((list_id,)), **after)
    for index, exception in enumerate(crisis.exceptions):
        before, behind = crisis.exceptions[:index], crisis.exceptions[index + 1 :]
        for one in nears(exception.near, crisis.distances_of_exceptions):
            kept = () if one.near is None else (replace(exception, near=one.near),)
            what = f"{exception.id}: {one.what}"
            yield mutant(one.place, what, one.wanted, one.needs, exceptions=(*before, *kept, *behind))
        needs = frozenset(exception.near.lists)
        if exception.whole:
            part_only = replace(exception, whole=False)
            wanted = f"a message that {exception.id} weakens, with another phrase"
            what = f"{exception.id}: not whole"
            yield mutant(exception.place, what, wanted, needs, exceptions=(*before, part_only, *behind))
        if exception.reach is not None:
            short = replace(exception, reach=None)
            what = f"{exception.id}: without reach"
            wanted = f"a message that {exception.id} weakens, with the phrase some words away"
            yield mutant(exception.place, what, wanted, needs, exceptions=(*before, short, *behind))
    yield from distance_mutants(bundle)


def distance_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """The distances of crisis, which most of its combinations have in common, mistyped."""
    crisis = bundle.crisis
    direct, near, signs, context = (
        crisis.direct.combinations,
        crisis.third_party.near,
        crisis.third_party.signs,
        crisis.context.combinations,
    )
    for what, wanted, after in distances_changed(crisis.distances, (*direct, *near, *signs, *context)):
        rest = list(after)
        parts = [tuple(rest.pop(0) for _ in some) for some in (direct, near, signs, context)]
        changed = altered(
            crisis,
            direct=altered(crisis.direct, combinations=parts[0]),
            third_party=altered(crisis.third_party, near=parts[1], signs=parts[2]),
            context=altered(crisis.context, combinations=parts[3]),
        )
        yield Mutant("crisis", crisis.distances.place, what, wanted, replace(bundle, crisis=changed))
    own = tuple(exception.near for exception in crisis.exceptions)
    for what, wanted, after in distances_changed(crisis.distances_of_exceptions, own):
        excusing = tuple(replace(one, near=near) for one, near in zip(crisis.exceptions, after, strict=True))
        changed = altered(crisis, exceptions=excusing)
        place = crisis.distances_of_exceptions.place
        yield Mutant("crisis", place, f"exceptions, {what}", wanted, replace(bundle, crisis=changed))


def crisis_context_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Numbers and words of the second layer, and what is answered, changed."""
    crisis = bundle.crisis
    context = crisis.context

    def mutant(place: Place, what: str, wanted: str, **changes: Any) -> Mutant:
        return Mutant("crisis", place, what, wanted, replace(bundle, crisis=altered(crisis, **changes)))

    for name in ("history_messages", "in_history", "distinct_now", "hints_now", "burdens_for_one", "whispers_after"):
        for value in (getattr(context, name) - 1, getattr(context, name) + 1):
            changed = altered(context, **{name: value})
            wanted = f"a message for which {name} just suffices, or just does not"
            yield mutant(context.place, f"context: {name} {value}", wanted, context=changed)
    changed = altered(context, direct_is_enough=not context.direct_is_enough)
    wanted = "a message that only a crisis before makes one"
    yield mutant(context.place, f"context: direct_is_enough {changed.direct_is_enough}", wanted, context=changed)
    for name in ("hints", "before", "burdens", "whispers"):
        if getattr(context, name) is not None:
            changed = altered(context, **{name: None})
            yield mutant(context.place, f"context without {name}", f"a message that {name} tell", context=changed)
    levels = ("HIGH_RISK", "CONTEXT", "THIRD_PARTY")
    for level in levels:
        for other in levels:
            if other != level:
                replies = altered(crisis.replies, **{level: getattr(crisis.replies, other)})
                wanted = f"a case of {level} with its reply"
                yield mutant(crisis.replies.place, f"{other} words for {level}", wanted, replies=replies)


def topic_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Sensitive topics forgotten."""
    topics = bundle.topics
    for topic in topics.sensitive:
        after = replace(topics, sensitive=tuple(one for one in topics.sensitive if one is not topic))
        wanted = f"a case in which {topic} is guarded"
        yield Mutant("topics", topics.place, f"{topic} not sensitive", wanted, replace(bundle, topics=after))
