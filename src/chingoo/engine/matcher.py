"""Finds the entries of all word lists in one pass: one automaton, whole words, and folded views where there are signs.

Keys are padded with spaces, so that one pass sees whole words and every overlap; the leftmost-longest mode of the
automaton would lose some of them.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from chingoo.engine.automata import Meaning, Words, words_of
from chingoo.engine.automaton import Automaton, Edges
from chingoo.engine.collected import Collected, long_enough, skeletons, spell, with_elisions
from chingoo.engine.entries import entry_name, forms_of
from chingoo.engine.found import Found, Group, Lists
from chingoo.engine.gathering import Gathering, drop_unmet
from chingoo.engine.hits import Target
from chingoo.engine.keys import MatchTables, Spelled, squeezed
from chingoo.engine.scan import Scan
from chingoo.policy.documents.base import View, WordList
from chingoo.text.fold import FoldedView, Folding
from chingoo.text.normalise import NormalisedText
from chingoo.text.offsets import Offsets, Span
from chingoo.text.signs import suspicious_words

_SYLLABLE = re.compile("[가-힣]")
_LATIN = re.compile("[a-z]")
_SPACE = re.compile(" ")
_PLAIN, _COMPACT, _SOUND, _EVASION = View.PLAIN, View.COMPACT, View.SOUND, View.EVASION
"""The views by names of their own: a member of an enumeration costs as much to look up as to note a hit."""


class Automata(NamedTuple):
    """One automaton for each way of looking, or None where nothing is looked for in that way."""

    plain: Automaton[Meaning] | None
    compact: Automaton[Meaning] | None
    folded: Automaton[Meaning] | None
    folded_words: Words
    spaced_out: Automaton[tuple[Target, ...]] | None
    sounded: Automaton[Meaning] | None


class Matcher:
    """Immutable; made by `compile_matcher`."""

    def __init__(
        self, automata: Automata, tables: MatchTables, lists: Iterable[str], demanding: frozenset[str]
    ) -> None:
        """`demanding` are those of the lists of which an entry requires another."""
        self.automata, self.demanding = automata, demanding
        self._plain, self._compact, self._folded, words, self._spaced_out, self._sounded = automata
        self._tables = tables
        self._edges = Edges(
            heads=tables.arabic_heads,
            tails=tables.hangul_tails,
            elisions=tables.elisions,
            sounds=tables.hangul_sounds,
        )
        self._folding = Folding(tables.fold, words.any_in)
        self._lists, self._demanding = Lists(lists), Group(demanding)
        if self._plain is not None and not self._plain.is_told:
            self._plain.tell(self._lists, self._edges)

    @property
    def plain_automaton(self) -> Automaton[Meaning] | None:
        """The one automaton of whole words, for measuring it alone."""
        return self._plain

    def scan(self, text: NormalisedText, *, by_ear: bool = True) -> Scan:
        """Everything that is seen in a text; `by_ear` also Arabizi by its sounds, which other languages need not."""
        found = Found(self._lists, self._plain, _PLAIN)
        gathering = Gathering(found)
        if self._plain is not None:
            self._plain.gather(f" {text.match} ", found, self._edges)
        if self._compact is not None and _SYLLABLE.search(text.match):
            self._scan_compact(self._compact, text.match, gathering)
        if by_ear and self._sounded is not None and _LATIN.search(text.match):
            self._scan_sounded(self._sounded, text.match, gathering)
        if self._folded is not None:
            suspects = suspicious_words(text.user_text_norm)
            if suspects:
                self._scan_folded(self._folded, text, suspects, gathering)
        drop_unmet(found, self._demanding.seen_in(found))
        return Scan(text, found, gathering.offsets)

    def _scan_compact(self, automaton: Automaton[Meaning], match: str, gathering: Gathering) -> None:
        """Hangul without its spaces (C-09). A text may repeat a word without end."""
        times: dict[int, int] = {}
        most = self._tables.fold.most_words
        for targets, start, end in automaton.gather_compact(match, self._edges):
            times[id(targets)] = times.get(id(targets), 0) + 1
            if times[id(targets)] <= most:
                for target in targets:
                    gathering.add(target, start, end, _COMPACT)

    def _scan_sounded(self, automaton: Automaton[Meaning], match: str, gathering: Gathering) -> None:
        """Arabizi by its sounds. A hit stands on the words that were heard, unless these are known to be others."""
        heard = f" {self._tables.sounds(match)} "
        starts: list[int] = []
        spaces: list[int] = []
        for begin, stop, rule, targets in automaton.ruled(heard):
            start = begin + rule.left
            end = self._edges.end(heard, start, stop - rule.right, rule)
            if end < 0:
                continue
            if not starts:
                starts = [0, *(found.end() for found in _SPACE.finditer(match)), len(match) + 1]
                spaces = [found.start() for found in _SPACE.finditer(heard)]
            first, final = bisect_left(spaces, start) - 1, bisect_left(spaces, end) - 1
            where = starts[first], starts[final + 1] - 1
            if squeezed(match[slice(*where)]) in self._tables.misheard:
                continue
            for target in targets:
                gathering.add(target, *where, _SOUND)

    def _scan_folded(
        self, automaton: Automaton[Meaning], text: NormalisedText, suspects: list[int], gathering: Gathering
    ) -> None:
        """The evasion views; a hit counts only where it rests on a token that was changed."""
        for view in self._folding.views(text.user_text_norm, suspects):
            offsets = gathering.offsets = gathering.offsets or Offsets(text)
            spans: dict[tuple[int, int], Span | None] = {}
            for target, first, last in self._folded_hits(automaton, view):
                words = view.words[first][0], view.words[last][1]
                if words not in spans:
                    spans[words] = offsets.match_span_of_words(*words)
                where = spans[words]
                if where is not None:
                    gathering.add(target, *where, _EVASION)

    def _folded_hits(self, automaton: Automaton[Meaning], view: FoldedView) -> Iterator[tuple[Target, int, int]]:
        """Targets with the first and last token of the view they rest on."""
        padded = f" {view.text} "
        count = padded.count
        first = counted_to = 0
        for begin, stop, rule, targets in automaton.ruled(padded):
            start = begin + rule.left
            end = self._edges.end(padded, start, stop - rule.right, rule)
            if end < 0:
                continue
            first += count(" ", counted_to, start) if counted_to <= start else -count(" ", start, counted_to)
            counted_to = start
            final = first - 1 + count(" ", start, end)
            if any(view.altered[first - 1 : final + 1]):
                for target in targets:
                    yield target, first - 1, final
        if view.joined and self._spaced_out is not None:
            tokens = view.text.split(" ")
            for index in view.joined:
                for _, _, targets in self._spaced_out.hits(tokens[index]):
                    for target in targets:
                        yield target, index, index


def compile_matcher(
    lists: Mapping[str, WordList], tables: MatchTables, slots: Mapping[str, WordList] | None = None
) -> Matcher:
    """A matcher for all entries of all lists. EntryError: an entry cannot be matched.

    `slots` are the lists that entries may name in braces; `lists` itself if left out.
    """
    named = lists if slots is None else slots
    plain = Collected()
    compact, folded, sounded = (Collected(ruled=True) for _ in range(3))
    spaced_out: dict[str, list[Target]] = {}
    for list_id, words in lists.items():
        spelled: list[Spelled] = []
        for language, entries in words.entries.items():
            typed, letters = tables.typed.get(language), tables.letters.get(language, ())
            for entry in entries:
                target = Target(list_id, entry, entry_name(entry), language)
                for form in forms_of(entry, language, named):
                    spell(spelled, form, target, typed, letters)
        plain.take_plain(spelled, tables.elisions)
        if View.COMPACT in words.views:
            compact.take_compact(spelled)
        if View.SOUND in words.views:
            sounded.take_sounded(spelled, tables.sounds)
        if View.EVASION in words.views:
            plain.take_disguised(spelled)
            together = skeletons(spelled, spaces="")
            folded.take_folded(skeletons(with_elisions(spelled, tables.elisions)), together)
            for text, _, target in long_enough(together):
                spaced_out.setdefault(text, []).append(target)
    apart = {text: tuple(dict.fromkeys(targets)) for text, targets in spaced_out.items()}
    demanding = frozenset(
        list_id
        for list_id, words in lists.items()
        if any(entry.requires for entries in words.entries.values() for entry in entries)
    )
    automata = Automata(
        plain.automaton(),
        compact.automaton(),
        folded.automaton(),
        words_of(folded.texts),
        Automaton(apart) if apart else None,
        sounded.automaton(),
    )
    return Matcher(automata, tables, lists, demanding)
