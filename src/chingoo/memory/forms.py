"""The forms of a phrase, as tokens; and phrases in which words that mean nothing may stand anywhere."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from chingoo.policy.documents.corrections import Command, CorrectionsDocument
from chingoo.text.normalise import matching

Tokens = tuple[str, ...]

_GROUP = re.compile(r"\([^()\[\]]*\)|\[[^()\[\]]*\]")
"""The innermost brackets; they may stand in one another."""

_BRACKET, _MARKS = re.compile(r"[(\[]"), re.compile(r"([|()\[\]])")
_OPENING, _CLOSING = frozenset("(["), frozenset(")]")
_MOST_REMEMBERED = 20_000
_FEWEST_WORDS, _MOST_WORDS = 2, 20


def forms_of(lines: Iterable[str]) -> Iterator[str]:
    """The forms of phrases: what stands between bars; `(one | other)` is said, `[one | other]` may be said."""
    return (form for line in lines for form in _forms_of_line(line))


@lru_cache(maxsize=_MOST_REMEMBERED)
def _forms_of_line(line: str) -> tuple[str, ...]:
    """The forms of one phrase. They depend on it alone, and laws and the grammar ask in turn."""
    return tuple(" ".join(form.split()) for form in _spread(line))


def _spread(written: str) -> Iterator[str]:
    for alternative in _alternatives(written):
        found = _GROUP.search(alternative)
        if found is None:
            yield alternative
            continue
        choices = found.group()[1:-1].split("|")
        for choice in (*choices, "") if found.group()[0] == "[" else choices:
            yield from _spread(f"{alternative[: found.start()]} {choice} {alternative[found.end() :]}")


def _alternatives(written: str) -> list[str]:
    """What stands between bars that no bracket holds."""
    if _BRACKET.search(written) is None:
        return written.split("|")
    parts, depth = [""], 0
    for piece in _MARKS.split(written):
        depth += (piece in _OPENING) - (piece in _CLOSING)
        if piece == "|" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def tokens_of(text: str) -> Tokens:
    """The words of a text in matching form."""
    return tuple(matching(text).split())


class Words:
    """The tokens of many phrases, each of their words normalised once."""

    def __init__(self) -> None:
        self._known: dict[str, Tokens] = {}

    def tokens(self, form: str) -> Tokens:
        """As `tokens_of`, for a phrase of the policies."""
        known = self._known
        for word in (words := form.split()):
            if word not in known:
                known[word] = tokens_of(word)
        return tuple(token for word in words for token in known[word])


class Loose:
    """One language's phrases without slots; its fillers left out, and what people shorten written out."""

    def __init__(self, document: CorrectionsDocument, phrases: Iterable[tuple[Command, Tokens]]) -> None:
        self._fillers = frozenset(matching(word) for word in document.fillers)
        self._spelling = {matching(short): tokens_of(word) for short, word in document.spelling.items()}
        found: dict[Tokens, set[Command]] = {}
        for command, whole in phrases:
            tokens = self._without(whole)
            if len(tokens) >= _FEWEST_WORDS:
                found.setdefault(tokens, set()).add(command)
        self._phrases = {tokens: next(iter(commands)) for tokens, commands in found.items() if len(commands) == 1}

    def command(self, tokens: Tokens) -> Command | None:
        """The one command that these words are, if any."""
        if len(tokens) > _MOST_WORDS or self._has_nothing_to_change(tokens):
            return None
        return self._phrases.get(self._without(tokens))

    def _has_nothing_to_change(self, tokens: Tokens) -> bool:
        return self._fillers.isdisjoint(tokens) and self._spelling.keys().isdisjoint(tokens)

    def _without(self, tokens: Tokens) -> Tokens:
        if self._has_nothing_to_change(tokens):
            return tokens
        spelt = (word for token in tokens for word in self._spelling.get(token, (token,)))
        return tuple(token for token in spelt if token not in self._fillers)
