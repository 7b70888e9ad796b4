"""What changed between two bundles, in words: rules, words of lists, replies, and everything else that was written."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import z3

from chingoo.engine.outcomes import FullOutcome, full_outcome
from chingoo.model.decision import FactRecord
from chingoo.model.enums import SafetyPolicy
from chingoo.policy.areas import AREAS
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Entry, Place, WordList
from chingoo.policy.documents.facts import FactDecl
from chingoo.policy.documents.replies import FixedReply
from chingoo.policy.documents.routing import RoutingRule
from chingoo.policy.parse import yaml_key
from chingoo.proof.formula import FactSpace, FormulaError, firings
from chingoo.proof.outcomes import STRICTNESS, looser
from chingoo.proof.records import differences, neutral_record, told
from chingoo.proof.satisfy import Search

_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed: what it is called, how, and in detail.

    `how` is added, removed or changed; for rules also loosened or tightened, and for rules that allow, widened or
    narrowed. `place` is where it stands now, or where it stood.
    """

    kind: str
    what: str
    how: str
    detail: str
    place: Place

    def told(self) -> str:
        """The change in one line."""
        return f"{self.kind} {self.what}: {self.how}" + (f" ({self.detail})" if self.detail else "")


@dataclass(frozen=True, slots=True)
class BundleDiff:
    """All changes from one bundle to another, in the order of areas; none when they say the same."""

    changes: tuple[Change, ...]

    def told(self) -> str:
        """All changes, one a line."""
        return "\n".join(change.told() for change in self.changes) or "nothing changed"


def diff(before: Bundle, after: Bundle, neutral: FactRecord | None = None) -> BundleDiff:
    """What changed. `neutral` are everyday facts, for examples that differ from them as little as can be."""
    changes = [*_rules(before, after, neutral or {})]
    for area in AREAS:
        old, new = getattr(before, area.field), getattr(after, area.field)
        for path, was, now in _parts(old, new, ()):
            if path[:1] != ("rules",) or area.field != "routing":
                changes += _change(area.field, path, was, now)
    return BundleDiff(tuple(changes))


# rules


def _rules(before: Bundle, after: Bundle, neutral: FactRecord) -> Iterator[Change]:
    """Changes of the routing table. Whether a rule decides more or less is asked of all facts, not of its wording."""
    old = {rule.id: rule for rule in before.routing.rules}
    new = {rule.id: rule for rule in after.routing.rules}
    for name in (name for name in old if name not in new):
        yield Change("rule", name, "removed", old[name].because, old[name].place)
    compared = _TwoTables(before, after, neutral)
    for name, rule in new.items():
        if name not in old:
            yield Change("rule", name, "added", rule.because, rule.place)
            continue
        was, now = full_outcome(old[name], before.pipelines), full_outcome(rule, after.pipelines)
        yield from _outcome(rule, was, now)
        yield from compared.reach(rule, refuses=now.safety_policy is not SafetyPolicy.ALLOW)
        if old[name].because != rule.because:
            yield Change("rule", name, "changed", f"because: {rule.because}", rule.place)


def _outcome(rule: RoutingRule, was: FullOutcome, now: FullOutcome) -> Iterator[Change]:
    for field in fields(FullOutcome):
        first, second = getattr(was, field.name), getattr(now, field.name)
        if first != second:
            how = "changed"
            if field.name in STRICTNESS:
                how = "loosened" if looser(field.name, first, second) else "tightened"
            yield Change("rule", rule.id, how, f"{field.name} from {first} to {second}", rule.place)


class _TwoTables:
    """Two routing tables over the facts that both know."""

    def __init__(self, before: Bundle, after: Bundle, neutral: FactRecord) -> None:
        facts = {**before.facts.facts, **after.facts.facts}
        self.neutral = neutral_record(facts, {name: neutral[name] for name in neutral if name in facts})
        self.space = FactSpace(facts, z3.Context())
        self.search = Search(self.space, self.neutral)
        self.comparable = _same_values(before.facts.facts, after.facts.facts)
        try:
            self.before = self._fires(before.routing.rules)
            self.after = self._fires(after.routing.rules)
        except FormulaError:
            self.comparable = False

    def reach(self, rule: RoutingRule, *, refuses: bool) -> Iterator[Change]:
        """Whether a rule now decides what it did not, or no longer decides what it did."""
        if not self.comparable:
            return
        was, now = self.before[rule.id], self.after[rule.id]
        more, less = self._example(now, z3.Not(was)), self._example(was, z3.Not(now))
        if more is not None:
            how = "tightened" if refuses else "widened"
            yield Change("rule", rule.id, how, f"now also decides when {more}", rule.place)
        if less is not None:
            how = "loosened" if refuses else "narrowed"
            yield Change("rule", rule.id, how, f"no longer decides when {less}", rule.place)

    def _example(self, *formulas: Any) -> str | None:
        model = self.search.smallest(*formulas)
        if model is None:
            return None
        return told(differences(self.space.read(model), self.neutral)) or "nothing is out of the ordinary"

    def _fires(self, rules: tuple[RoutingRule, ...]) -> dict[str, Any]:
        return dict(zip((rule.id for rule in rules), firings(self.space, rules), strict=True))


def _same_values(before: Mapping[str, FactDecl], after: Mapping[str, FactDecl]) -> bool:
    """Whether every fact that both know has the same values in both."""
    both = before.keys() & after.keys()
    return all((before[n].type, before[n].members) == (after[n].type, after[n].members) for n in both)


# everything else


def _parts(old: Any, new: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """The smallest parts that differ, with where they are; None stands for what is not there."""
    if old == new:
        return
    if _is_leaf(old) or _is_leaf(new) or type(old) is not type(new):
        if not _says_same(old, new):
            yield path, old, new
    elif is_dataclass(old):
        for field in fields(old):
            if field.name != "place":
                yield from _parts(getattr(old, field.name), getattr(new, field.name), (*path, yaml_key(field.name)))
    else:
        was, now = _keyed(old), _keyed(new)
        for key in dict.fromkeys((*was, *now)):
            yield from _parts(was.get(key), now.get(key), (*path, key))


def _is_leaf(value: Any) -> bool:
    """Word lists and replies are compared as wholes, by what they hold; tuples of plain values too."""
    if isinstance(value, WordList | FixedReply) or value is None:
        return True
    if isinstance(value, Mapping):
        return False
    if isinstance(value, tuple):
        return not (value and all(is_dataclass(item) and getattr(item, "id", None) for item in value))
    return not is_dataclass(value)


def _keyed(value: Any) -> dict[str, Any]:
    """The parts of a mapping, or of a list of things that have ids, by their names."""
    if isinstance(value, Mapping):
        return {str(key): part for key, part in value.items()}
    return {str(item.id): item for item in value}


def _says_same(old: Any, new: Any) -> bool:
    return bool(_plain(old) == _plain(new))


def _plain(value: Any) -> Any:
    """A value without the places where its parts stand."""
    if isinstance(value, Entry):
        return (value.text, value.requires)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value) if field.name != "place"}
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    return tuple(_plain(item) for item in value) if isinstance(value, tuple) else value


def _change(area: str, path: tuple[str, ...], old: Any, new: Any) -> Iterator[Change]:
    place = getattr(new, "place", None) or getattr(old, "place", None) or Place(area, 1, 1)
    name = " ".join(path[1:] if path[:1] == ("lists",) else (area, *path))
    if isinstance(old, WordList) or isinstance(new, WordList):
        yield from _words(name, old, new, place)
        return
    kind = "reply" if isinstance(old, FixedReply) or isinstance(new, FixedReply) else "policy"
    if old is None or new is None:
        yield Change(kind, name, "added" if old is None else "removed", _short(new if old is None else old), place)
    elif isinstance(old, FixedReply):
        was, now = [*old.variants], [*new.variants]
        yield from _items(kind, name, was, now, place)
        if sorted(was) == sorted(now):
            yield Change(kind, name, "changed", "order or note", place)
    elif isinstance(old, tuple) and all(isinstance(item, str | Entry) for item in (*old, *new)):
        yield from _items(kind, name, map(_word, old), map(_word, new), place)
    else:
        yield Change(kind, name, "changed", f"from {_short(old)} to {_short(new)}", place)


def _words(name: str, old: WordList | None, new: WordList | None, place: Place) -> Iterator[Change]:
    """Words added to and removed from a list, language by language, and how the list is matched."""
    if old is None or new is None:
        how = "added" if old is None else "removed"
        listed = new or old
        amount = sum(len(entries) for entries in listed.entries.values()) if listed is not None else 0
        yield Change("list", name, how, f"{amount} words", place)
        return
    for language in dict.fromkeys((*old.entries, *new.entries)):
        was = [_word(entry) for entry in old.entries.get(language, ())]
        now = [_word(entry) for entry in new.entries.get(language, ())]
        yield from _items("words", f"{name} {language}", was, now, place)
    if old.views != new.views:
        yield Change("list", name, "changed", f"matched {', '.join(old.views)}, now {', '.join(new.views)}", place)


def _items(kind: str, name: str, was: Iterable[str], now: Iterable[str], place: Place) -> Iterator[Change]:
    first, second = list(was), list(now)
    added = [item for item in second if item not in first]
    removed = [item for item in first if item not in second]
    for how, items in (("added", added), ("removed", removed)):
        if items:
            yield Change(kind, name, how, ", ".join(f"`{_cut(item)}`" for item in items), place)


def _word(entry: Entry | str) -> str:
    if isinstance(entry, str):
        return entry
    return entry.text if entry.requires is None else f"{entry.text} (with {entry.requires})"


def _short(value: Any) -> str:
    return _cut(str(_plain(value)))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
