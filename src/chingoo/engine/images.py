"""Matchers as bytes, so that what one process has built others need only read.

What keys stand for is read as numbers. The things themselves are a hundred thousand small objects that would have to be
made under the interpreter's lock, of which texts ask for few: each is made when it is first found.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate
from typing import Any, Final, TypeVar

import msgspec

from chingoo.engine.automata import Held, Meaning, Words
from chingoo.engine.automaton import Automaton
from chingoo.engine.entries import entry_name
from chingoo.engine.hits import Target
from chingoo.engine.keys import MatchTables, Rule
from chingoo.engine.matcher import Automata, Matcher, compile_matcher
from chingoo.policy.documents.base import Entry, WordList

_LENGTH: Final = 8  # bytes that say how long a head is
_INT: Final = "i"

T = TypeVar("T")


class Matchers:
    """Makes the matchers of a set, or reads them from the image that another process made of those of the same set.

    They are known by names. For one thread.
    """

    def __init__(self, image: bytes | memoryview | None = None) -> None:
        """ValueError: it is no image."""
        self._images = {} if image is None else _named(memoryview(image))
        self._made: dict[str, tuple[Matcher, Mapping[str, WordList]]] = {}

    @property
    def are_read(self) -> bool:
        """Whether there was an image to read them from."""
        return bool(self._images)

    def matcher(
        self,
        name: str,
        lists: Mapping[str, WordList],
        tables: MatchTables,
        slots: Mapping[str, WordList] | None = None,
    ) -> Matcher:
        """A matcher as `compile_matcher` makes it. EntryError. ValueError: the image was made for other lists."""
        image = self._images.get(name)
        made = compile_matcher(lists, tables, slots) if image is None else matcher_of(image, lists, tables)
        self._made[name] = made, lists
        return made

    def image(self) -> bytes:
        """The image of all that were made."""
        images = {name: image_of(*made) for name, made in self._made.items()}
        head = msgspec.msgpack.encode({name: len(image) for name, image in images.items()})
        return b"".join([len(head).to_bytes(_LENGTH, "little"), head, *images.values()])


def _named(view: memoryview) -> dict[str, memoryview]:
    begin = _LENGTH + int.from_bytes(view[:_LENGTH], "little")
    try:
        sizes = msgspec.msgpack.decode(view[_LENGTH:begin], type=dict[str, int])
    except msgspec.MsgspecError as error:
        raise ValueError("this is no image of matchers") from error
    ends = list(accumulate(sizes.values(), initial=begin))
    if ends[-1] != len(view):
        raise ValueError("this image of matchers is not whole")
    return {name: view[at : at + size] for (name, size), at in zip(sizes.items(), ends, strict=False)}


class _Head(msgspec.Struct, array_like=True):
    """What an image begins with. `entries` is the sum of the entries whose places in the lists are the numbers of
    targets; `sizes` are those of the parts that follow, less than 0 for an automaton that is not there."""

    entries: bytes
    demanding: list[str]
    lists: list[tuple[str, ...]]
    rules: list[Rule]
    sizes: list[int]


def image_of(matcher: Matcher, lists: Mapping[str, WordList]) -> bytes:
    """The image of a matcher for these lists."""
    numbers, automata = _Numbers(lists), matcher.automata
    words = automata.folded_words
    images = [
        _image(automata.plain, numbers.meaning),
        _image(automata.compact, numbers.meaning),
        _image(automata.folded, numbers.meaning),
        _image(words.open, int),
        _image(automata.spaced_out, numbers.some_targets),
        _image(automata.sounded, numbers.meaning),
    ]
    parts = [*numbers.parts(), " ".join(sorted(words.whole)).encode(), *images]
    head = msgspec.msgpack.encode(
        _Head(
            _sum(lists),
            sorted(matcher.demanding),
            list(numbers.lists),
            list(numbers.rules),
            [-1 if part is None else len(part) for part in parts],
        )
    )
    return b"".join([len(head).to_bytes(_LENGTH, "little"), head, *filter(None, parts)])


def matcher_of(image: bytes | memoryview, lists: Mapping[str, WordList], tables: MatchTables) -> Matcher:
    """The matcher of an image that was made for these lists. ValueError: it was not, or is no image."""
    try:
        return _read(memoryview(image), lists, tables)
    except (msgspec.MsgspecError, LookupError, TypeError) as error:
        raise ValueError("this is no image of a matcher for these lists") from error


def _read(view: memoryview, lists: Mapping[str, WordList], tables: MatchTables) -> Matcher:
    begin = _LENGTH + int.from_bytes(view[:_LENGTH], "little")
    head = msgspec.msgpack.decode(view[_LENGTH:begin], type=_Head)
    parts: list[memoryview | None] = []
    for size in head.sizes:
        parts.append(None if size < 0 else view[begin : begin + size])
        begin += max(size, 0)
    if begin != len(view):
        raise ValueError("this image of a matcher is not whole")
    *numbers, whole, plain, compact, folded, opened, spaced_out, sounded = parts
    made = _Made(head, lists, [_integers(part) for part in numbers])
    words = Words(frozenset(bytes(whole or b"").decode().split()), _automaton(opened, bool))
    automata = Automata(
        _automaton(plain, made.meaning),
        _automaton(compact, made.meaning),
        _automaton(folded, made.meaning),
        words,
        _automaton(spaced_out, made.some_targets),
        _automaton(sounded, made.meaning),
    )
    return Matcher(automata, tables, lists, frozenset(head.demanding))


def _image(automaton: Automaton[T] | None, number: Callable[[T], int]) -> bytes | None:
    return None if automaton is None else automaton.image([number(value) for value in automaton.values()])


def _automaton(image: memoryview | None, make: Callable[[int], T]) -> Automaton[T] | None:
    return None if image is None else Automaton.of_image(image, make)


def _integers(part: memoryview | None) -> "array[int]":
    integers = array(_INT)
    integers.frombytes(part or b"")
    return integers


def _entries(lists: Mapping[str, WordList]) -> Iterator[tuple[str, str, tuple[Entry, ...]]]:
    """The entries of all lists, by list and language: their numbers are those of the targets."""
    for list_id, words in lists.items():
        for language, entries in words.entries.items():
            yield list_id, language, entries


def _sum(lists: Mapping[str, WordList]) -> bytes:
    told = sha256()
    for list_id, language, entries in _entries(lists):
        told.update("\n".join([list_id, language, *[entry.text for entry in entries], ""]).encode())
    return told.digest()


class _Rows:
    """Rows of numbers, written one after the other."""

    def __init__(self) -> None:
        self.ends, self.numbers = array(_INT, [0]), array(_INT)

    def add(self, row: Iterable[int]) -> int:
        """Write a row; its number."""
        self.numbers.extend(row)
        self.ends.append(len(self.numbers))
        return len(self.ends) - 2


class _Numbers:
    """Numbers for everything that keys stand for. What is one and the same thing has one number."""

    def __init__(self, lists: Mapping[str, WordList]) -> None:
        entries = [(list_id, language, entry) for list_id, language, listed in _entries(lists) for entry in listed]
        self._targets = {entry: number for number, entry in enumerate(entries)}
        self.lists: dict[tuple[str, ...], int] = {}
        self.rules: dict[Rule, int] = {}
        self._some, self._held, self._meanings = _Rows(), _Rows(), _Rows()
        self._known: dict[int, int] = {}

    def parts(self) -> list[bytes]:
        """All rows."""
        rows = (self._some, self._held, self._meanings)
        return [one.tobytes() for row in rows for one in (row.ends, row.numbers)]

    def some_targets(self, targets: tuple[Target, ...]) -> int:
        """The number of some targets."""
        return self._once(targets, lambda: self._some.add(map(self._target, targets)))

    def meaning(self, meaning: Meaning) -> int:
        """The number of a meaning."""
        lists, targets, held = meaning
        return self._once(
            meaning,
            lambda: self._meanings.add((self._listed(lists), self.some_targets(targets), *map(self._of_held, held))),
        )

    def _of_held(self, held: Held) -> int:
        rule = self.rules.setdefault(held.rule, len(self.rules))
        return self._once(
            held, lambda: self._held.add((rule, self._listed(held.lists), self.some_targets(held.targets)))
        )

    def _listed(self, lists: tuple[str, ...]) -> int:
        return self.lists.setdefault(lists, len(self.lists))

    def _target(self, target: Target) -> int:
        return self._targets[target.list_id, target.language, target.entry]

    def _once(self, thing: Any, number: Callable[[], int]) -> int:
        known = self._known.get(id(thing))
        if known is None:
            known = self._known[id(thing)] = number()
        return known


class _Made:
    """Everything that keys stand for, by its number, made when it is first asked for; asked again, it is the same.

    Of what two threads make at once, one is kept for both: hits are told apart by the things themselves.
    """

    def __init__(self, head: _Head, lists: Mapping[str, WordList], numbers: Sequence["array[int]"]) -> None:
        self._entries = list(_entries(lists))
        self._starts = [0]
        for _, _, entries in self._entries:
            self._starts.append(self._starts[-1] + len(entries))
        if _sum(lists) != head.entries:
            raise ValueError("this is the image of a matcher for other lists")
        named = {list_id: list_id for list_id in lists}  # the very names that all others use are compared much faster
        self._lists = [tuple([named[one] for one in some]) for some in head.lists]
        self._rules = head.rules
        self._some_ends, self._some, self._held_ends, self._held, self._meaning_ends, self._meanings = numbers
        self._targets: dict[int, Target] = {}
        self._known_some: dict[int, tuple[Target, ...]] = {}
        self._known_held: dict[int, Held] = {}
        self._known_meanings: dict[int, Meaning] = {}

    def meaning(self, number: int) -> Meaning:
        """A meaning."""
        known = self._known_meanings.get(number)
        if known is None:
            lists, targets, *held = _row(self._meaning_ends, self._meanings, number)
            known = (self._lists[lists], self.some_targets(targets), tuple([self._of_held(one) for one in held]))
            return self._known_meanings.setdefault(number, known)
        return known

    def some_targets(self, number: int) -> tuple[Target, ...]:
        """Some targets."""
        known = self._known_some.get(number)
        if known is None:
            known = tuple([self._target(one) for one in _row(self._some_ends, self._some, number)])
            return self._known_some.setdefault(number, known)
        return known

    def _of_held(self, number: int) -> Held:
        known = self._known_held.get(number)
        if known is None:
            rule, lists, targets = _row(self._held_ends, self._held, number)
            known = Held(self._rules[rule], self._lists[lists], self.some_targets(targets))
            return self._known_held.setdefault(number, known)
        return known

    def _target(self, number: int) -> Target:
        known = self._targets.get(number)
        if known is None:
            place = bisect_right(self._starts, number) - 1
            list_id, language, entries = self._entries[place]
            entry = entries[number - self._starts[place]]
            known = Target(list_id, entry, entry_name(entry), language)
            return self._targets.setdefault(number, known)
        return known


def _row(ends: "array[int]", numbers: "array[int]", number: int) -> "array[int]":
    return numbers[ends[number] : ends[number + 1]]
