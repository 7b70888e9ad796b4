"""Lays a policy file out in the one canonical way; what it says, and every comment, stays as it was.

Only the layout changes: two columns of indentation a level (lists too), one space after `-`, `:` and `,`, double quotes
where both kinds would do, no blanks at line ends, no two empty lines in a row, one line break at the end. Line breaks,
the order of keys and the words of comments are the writer's.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from chingoo.source.reader import read
from chingoo.source.tree import plain

_STEP = 2
_FILE = "text"
_BLOCK_HEADER = re.compile(r"[|>](?:[+-]?([1-9])?|([1-9])[+-]?)(?:\s|$)")
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')
_GLUED_BEFORE = ("[", "{")
_GLUED_AFTER = ("]", "}")
_DROPPED = (yaml.DocumentStartToken, yaml.DocumentEndToken)
_OPENS = (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken)
_CLOSES = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)


def format_text(text: str) -> str:
    """The same file in canonical layout. A text that the reader refuses comes back as it is; `read` says why.

    format_text(format_text(x)) == format_text(x), and both say the same as x.
    """
    before = read(text, _FILE)
    if before.tree is None or before.findings:
        return text
    whole = text.removeprefix("\ufeff").replace("\r\n", "\n")
    formatted = _Writer(whole).written()
    after = read(formatted, _FILE)
    if after.tree is None or after.findings or plain(after.tree) != plain(before.tree):
        return text
    return formatted


@dataclass(slots=True)
class _Block:
    """A block list or group of keys: the column it stood in, and the one it gets. `bare`: a list not indented."""

    old: int
    new: int
    keys: bool
    bare: bool = False

    @property
    def shift(self) -> int:
        """How far its parts move."""
        return self.new - self.old


@dataclass(slots=True)
class _Writer:
    """Writes one file anew, token after token, with what stands between them."""

    text: str
    out: list[str] = field(default_factory=list)
    gap: str = ""
    position: int = 0
    blocks: list[_Block] = field(default_factory=list)
    flow: int = 0
    flow_shift: int = 0
    last: str = ""
    starts_key: bool = False
    leftmost: int | None = None

    def written(self) -> str:
        """The whole file."""
        steps: Mapping[type, Callable[[Any], None]] = {
            yaml.BlockMappingStartToken: self._open_block,
            yaml.BlockSequenceStartToken: self._open_block,
            yaml.BlockEndToken: self._close_block,
            yaml.KeyToken: self._key,
            yaml.BlockEntryToken: self._entry,
            yaml.ScalarToken: self._scalar,
        }
        for token in yaml.scan(self.text, Loader=yaml.CSafeLoader):
            start, end = token.start_mark.index, token.end_mark.index
            if isinstance(token, yaml.StreamEndToken):
                break
            if isinstance(token, _DROPPED):
                self.gap += self.text[self.position : start]
                self.position = end
            elif type(token) in steps:
                steps[type(token)](token)
            elif end > start:
                self._punctuation(token)
        self.gap += self.text[self.position :]
        self._comments(self.gap.split("\n"), None, 0)
        return "".join(self.out).rstrip(" ") + "\n" if self.out else ""

    # structure

    def _open_block(self, token: Any) -> None:
        new = self.blocks[-1].new + _STEP if self.blocks else 0
        self.blocks.append(_Block(token.start_mark.column, new, isinstance(token, yaml.BlockMappingStartToken)))

    def _close_block(self, _token: Any) -> None:
        self._leave_bare_list()
        self.blocks.pop()

    def _leave_bare_list(self) -> None:
        if self.blocks and self.blocks[-1].bare:
            self.blocks.pop()

    def _key(self, _token: Any) -> None:
        if not self.flow:
            self._leave_bare_list()
            self.starts_key = True

    def _entry(self, token: Any) -> None:
        if self.blocks and self.blocks[-1].keys:
            top = self.blocks[-1]
            self.blocks.append(_Block(token.start_mark.column, top.new + _STEP, False, bare=True))
        self._put(token, "-", self.blocks[-1].new)

    # what is written

    def _punctuation(self, token: Any) -> None:
        raw = self.text[token.start_mark.index : token.end_mark.index]
        if isinstance(token, _OPENS) and not self.flow:
            own_line = "\n" in self._gap_before(token)
            column = self._value_column()
            self.flow_shift = column - token.start_mark.column if own_line else self._shift()
            self._put(token, raw, column)
        else:
            self._put(token, raw, max(0, token.start_mark.column + self.flow_shift))
        self.flow += isinstance(token, _OPENS)
        self.flow -= isinstance(token, _CLOSES)

    def _scalar(self, token: Any) -> None:
        raw = self.text[token.start_mark.index : token.end_mark.index]
        own_line = "\n" in self._gap_before(token)
        if self.flow:
            column, shift = max(0, token.start_mark.column + self.flow_shift), self.flow_shift
        else:
            column = self._key_column() if self.starts_key else self._value_column()
            shift = column - token.start_mark.column if own_line else self._shift()
        self.starts_key = False
        if token.style in ("|", ">"):
            kept = _without_last_breaks(raw)
            self._put(token, self._block_text(kept), column, len(kept))
            self.leftmost = self._key_column()
        elif "\n" in raw:
            self._put(token, self._moved(raw, shift), column)
        else:
            self._put(token, _quoted(raw, token.style), column)

    def _put(self, token: Any, raw: str, column: int, length: int | None = None) -> None:
        """Write a token; `column` is where it goes if it is the first on its line."""
        gap = self._gap_before(token)
        if "\n" in gap or not self.out:
            self._comments(gap.split("\n"), token.start_mark.column, column)
            self.out.append(" " * column)
        else:
            self.out.append(_between(self.last, raw))
        self.out.append(raw)
        self.last, self.gap, self.leftmost = raw, "", None
        self.position = token.end_mark.index if length is None else token.start_mark.index + length

    def _gap_before(self, token: Any) -> str:
        return self.gap + self.text[self.position : token.start_mark.index]

    def _comments(self, lines: list[str], old: int | None, new: int) -> None:
        """What stands between two tokens on different lines; leaves the output at the start of a line.

        `old` and `new` are the columns of the token that follows, `old` None at the end of the file.
        """
        at_start = not self.out
        first, between = lines[0].strip(" "), lines[1:] if old is None else lines[1:-1]
        if at_start:
            between = [lines[0], *between] if len(lines) > 1 or old is None else []
        elif first:
            self.out.append(f"  {first}")
        kept: list[str] = []
        for line in between:
            comment = line.strip(" ")
            column = self._comment_column(len(line) - len(line.lstrip(" ")), old, new)
            if comment or (kept and kept[-1]) or (not kept and not at_start):
                kept.append(" " * column + comment if comment else "")
        if old is None:
            while kept and not kept[-1]:
                kept.pop()
        elif not at_start or kept:
            kept.append("")
        self.out.append("\n".join(kept if at_start else ["", *kept]))

    def _comment_column(self, written: int, old: int | None, new: int) -> int:
        """A comment goes with what follows if it stood in its column, else with the block whose column it stood in.

        After a text of several lines it must not stand where it would become a part of the text.
        """
        column = self._comment_beside(written, old, new)
        return column if self.leftmost is None else min(column, self.leftmost)

    def _comment_beside(self, written: int, old: int | None, new: int) -> int:
        if self.flow:
            return max(0, written + self.flow_shift)
        if written == old:
            return new
        for block in self.blocks:
            if block.old == written:
                return block.new
        inner = [block.new + _STEP for block in self.blocks if block.old < written]
        return max([*inner, new] if old is not None and old < written else inner, default=new)

    # columns

    def _shift(self) -> int:
        return self.blocks[-1].shift if self.blocks else 0

    def _key_column(self) -> int:
        return self.blocks[-1].new if self.blocks else 0

    def _value_column(self) -> int:
        return self.blocks[-1].new + _STEP if self.blocks else 0

    # texts of several lines

    def _moved(self, raw: str, shift: int) -> str:
        """A text that goes on over lines, its further lines moved along."""
        first, *rest = raw.split("\n")
        least = self._key_column() + 1 if self.blocks and not self.flow else 0
        moved = [first]
        for line in rest:
            bare = line.lstrip(" ")
            moved.append(" " * max(least, len(line) - len(bare) + shift) + bare if bare else "")
        return "\n".join(moved)

    def _block_text(self, raw: str) -> str:
        """A text after | or >, its lines one step inside its key, or as far as its header says."""
        header, *lines = raw.split("\n")
        written = next((len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" ")), None)
        match = _BLOCK_HEADER.match(header)
        if written is None or match is None or not self.blocks:
            return raw
        told = match.group(1) or match.group(2)
        top = self.blocks[-1]
        if told:
            written = top.old + int(told)
        indent = " " * (top.new + (int(told) if told else _STEP))
        return "\n".join([header.rstrip(" "), *(indent + line[written:] if line[written:] else "" for line in lines)])


def _without_last_breaks(raw: str) -> str:
    """A block text without the empty lines after it; where `+` keeps them, only without its last line break."""
    header = raw.split("\n", 1)[0].split("#", 1)[0]
    if "+" in header:
        return raw.removesuffix("\n")
    return re.sub(r"\n[ \n]*\Z", "", raw)


def _between(last: str, raw: str) -> str:
    """What goes between two tokens of one line."""
    glued = raw in (":", ",") or last in _GLUED_BEFORE or (raw in _GLUED_AFTER and last != ":")
    return "" if glued and not (last == ":" and raw == ",") else " "


def _quoted(raw: str, style: str | None) -> str:
    """A text in single quotes goes into double ones where nothing in it would need an escape."""
    inner = raw[1:-1]
    return f'"{inner}"' if style == "'" and "''" not in inner and not _ESCAPED.search(inner) else raw
