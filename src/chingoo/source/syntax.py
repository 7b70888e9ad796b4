"""What the YAML parser complains about, in the words of people who write policies."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from yaml import MarkedYAMLError

from chingoo.source.findings import Finding, OtherPlace
from chingoo.source.places import Place


@dataclass(frozen=True, slots=True)
class _Saying:
    """A parser complaint: parts of its context and problem, and what we say instead.

    `opened`: something began earlier and went wrong here. The finding stands where it began: there it is mended.
    """

    context: str
    problem: str
    message: str
    hint: str | None = None
    opened: bool = False


_GLUED_DASH = re.compile(r"\s*-([^\s-].*?)\s*")
_IN_QUOTES = "put the text in quotes"
_CLOSE_QUOTES = "a quotation mark is never closed"
_MORE_QUOTES = {
    "'": "put the whole text in \"double quotes\", or write '' for each ' inside it",
    '"': "put the whole text in 'single quotes', or write \\\" for each \" inside it",
}
_SAYINGS = (
    _Saying("flow sequence", "", "a list in [ ] is not closed, or a comma is missing", "close it with ]", True),
    _Saying("flow mapping", "", "keys in { } are not closed, or a comma is missing", "close it with }", True),
    _Saying("flow node", "", "a [ or { is not closed, or something is missing between commas", None, True),
    _Saying("quoted scalar", "end of stream", _CLOSE_QUOTES, "close the quotes", True),
    _Saying("quoted scalar", "document indicator", _CLOSE_QUOTES, "close the quotes", True),
    _Saying(
        "quoted scalar",
        "escape",
        "an unknown \\ sequence inside double quotes",
        "write \\\\ for a backslash, or use 'single quotes'",
    ),
    _Saying(
        "",
        "mapping values are not allowed",
        "a second `: ` in one line, or a key that is indented too far",
        "put the text in quotes if the colon belongs to it",
    ),
    _Saying(
        "simple key",
        "could not find expected ':'",
        "a key without `:`, or a line that is not indented like the ones around it",
        "write `key: value`, or indent the line like the ones around it",
        True,
    ),
    _Saying(
        "block mapping",
        "",
        "this line is not indented like the keys around it, or it lacks its key",
        "indent it like the other keys",
    ),
    _Saying(
        "block collection",
        "",
        "this line is not indented like the list around it, or it lacks its `- `",
        "start each item with `- `, all in the same column",
    ),
    _Saying("", "tab", "a tab; only spaces may be used", "use spaces"),
    _Saying(
        "",
        "block sequence entries are not allowed",
        "a list item where no list can start",
        "start the list on a line of its own",
    ),
    _Saying("", "cannot start any token", "a text may not start with this character", _IN_QUOTES),
    _Saying("", "expected <document start>", "text after the end of the document", "one file holds one document"),
    _Saying("block scalar", "", "a text after | or > is not indented well", "indent its lines by the same spaces"),
    _Saying("alias", "", "`*` at the start of a text means something else in YAML", _IN_QUOTES, True),
    _Saying("anchor", "", "`&` at the start of a text means something else in YAML", _IN_QUOTES, True),
    _Saying("tag", "", "`!` at the start of a text means something else in YAML", _IN_QUOTES, True),
    _Saying("directive", "", "`%` at the start of a line means something else in YAML", _IN_QUOTES, True),
)


def syntax_finding(error: MarkedYAMLError, file: str, lines: Sequence[str]) -> Finding:
    """The finding for what the parser stumbled over; `lines` are the file's."""
    context, problem = error.context or "", error.problem or ""
    last_line = len(lines)
    place = _place(error.problem_mark or error.context_mark, file, last_line)
    line = lines[place.line - 1]
    before, found = line[: place.column - 1], line[place.column - 1 : place.column]
    if "quoted scalar" not in context and before.endswith(("'", '"')) and found.strip("'\",]}"):
        return Finding("yaml-syntax", "the quotes end before this", place, hint=_MORE_QUOTES[before[-1]])
    if "flow" in context and found in ("{", "["):
        message = f"`{found}` cannot stand inside a text without quotes"
        return Finding(
            "yaml-syntax", message, place, hint="put the whole text in quotes, or add the comma that is missing"
        )
    if found == "-" and "block mapping" in context:
        hint = "start it in the same column as the items above it"
        return Finding("yaml-syntax", "this item is not indented like the others of its list", place, hint=hint)
    begun = _place(error.context_mark or error.problem_mark, file, last_line)
    glued = _GLUED_DASH.fullmatch(lines[begun.line - 1]) if "simple key" in context else None
    if glued is not None:
        return Finding("yaml-syntax", "a space is missing after the dash", begun, hint=f"write `- {glued[1]}`")
    for saying in _SAYINGS:
        if saying.context in context and saying.problem in problem:
            begin = begun if saying.opened and error.context_mark else place
            others = (OtherPlace(place, "it was read up to here"),) if begin.line != place.line else ()
            return Finding("yaml-syntax", saying.message, begin, hint=saying.hint, others=others)
    return Finding("yaml-syntax", f"this is no YAML: {problem or context}", place)


def _place(mark: object, file: str, last_line: int) -> Place:
    line, column = getattr(mark, "line", 0) + 1, getattr(mark, "column", 0) + 1
    return Place(file, line, column) if line <= last_line else Place(file, last_line, 1)
