"""Characters that do not show in an editor, found before the file is parsed."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from chingoo.source.findings import Finding
from chingoo.source.places import Place

LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""Everything the YAML parser counts as the end of a line."""

_ODD = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    "\u2028-\u202f\u205f-\u206f\u3000\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U000e0000-\U000e0fff]"
)
_PLAIN = bytes([ord("\n"), *range(ord(" "), 0x7F)])
"""The characters of ASCII that are never odd. Most of a file are these, and bytes are sorted out in no time."""
_NO_TAB = 'delete it, and press the space bar instead; where a text needs one, write \\t inside "double quotes"'
_JOINERS = ("\u200d", "\ufe0e", "\ufe0f")
_EMOJI_PARTS = ("So", "Sk")


@dataclass(frozen=True, slots=True)
class OddCharacter:
    """An odd character, where it stands, and whether the parser would refuse the whole file because of it."""

    finding: Finding
    character: str
    index: int
    fatal: bool


def line_starts(text: str) -> list[int]:
    """The index of each line's first character."""
    return [0, *(match.end() for match in LINE_BREAK.finditer(text))]


def place_of(index: int, starts: list[int], file: str) -> Place:
    """The place of a character by its index in the text."""
    line = bisect_right(starts, index)
    return Place(file, line, index - starts[line - 1] + 1)


def odd_characters(text: str, file: str) -> Iterator[OddCharacter]:
    """Every character that a reader cannot see or would take for another, in the order of the text."""
    others = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    odd = _ODD.findall("".join(set(others.decode("utf-8", "surrogatepass"))))
    found = [(index, character) for character in odd for index in _everywhere(character, text)]
    if not found:
        return
    starts = line_starts(text)
    for index, character in sorted(found):
        code, what, hint, fatal = _judge(character)
        message = what if code in ("yaml-tab", "yaml-not-utf8") else f"{what} ({_name(character)})"
        yield OddCharacter(Finding(code, message, place_of(index, starts, file), hint=hint), character, index, fatal)


def _everywhere(character: str, text: str) -> Iterator[int]:
    """Every index of an odd character where it is odd: no line break of two characters, and no joint of an emoji."""
    index = text.find(character)
    while index >= 0:
        joined = character in _JOINERS and _inside_emoji(text, index)
        if not joined and not text.startswith("\r\n", index):
            yield index
        index = text.find(character, index + 1)


def _judge(character: str) -> tuple[str, str, str, bool]:
    """(code, what it is, what to do, whether the parser gives up)."""
    category = unicodedata.category(character)
    escape = f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"
    escaped = f'delete it, or write it as {escape} inside "double quotes" where it is meant'
    told = ("yaml-invisible-character", "a character that cannot be seen", escaped, False)
    if character == "\t":
        told = ("yaml-tab", "a tab; only spaces may be used", _NO_TAB, False)
    elif character in "\r\x85\u2028\u2029":
        told = ("yaml-odd-line-break", "an unusual line break", "end the line with a plain line break", False)
    elif "\udc80" <= character <= "\udcff":
        byte = f"the byte {ord(character) - 0xDC00:#04x} is no UTF-8 text"
        told = ("yaml-not-utf8", byte, "save the file as UTF-8", True)
    elif category in ("Cc", "Cs", "Cn"):
        told = ("yaml-control-character", "a character that must not be in a text file", "delete it", True)
    elif character == "\ufffd":
        told = ("yaml-broken-character", "a character that was lost in a conversion", "write it again", False)
    elif category == "Zs":
        told = ("yaml-odd-space", "a space that is not the plain one", f"use a plain space, or write {escape}", False)
    return told


def _name(character: str) -> str:
    number, name = f"U+{ord(character):04X}", unicodedata.name(character, "").lower()
    return f"{number}, {name}" if name else number


def _inside_emoji(text: str, index: int) -> bool:
    """Joiners and variation marks are part of how emoji are written."""
    before = text[index - 1] if index else ""
    after = text[index + 1] if index + 1 < len(text) else ""
    if not before:
        return False
    emoji_before = before in ("\ufe0e", "\ufe0f") or unicodedata.category(before) in _EMOJI_PARTS
    if text[index] == "\u200d":
        return emoji_before and after != "" and unicodedata.category(after) in _EMOJI_PARTS
    return (
        emoji_before
        or before in "#*0123456789\u203c\u2049\u2194\u2195\u2122\u2139\u00a9\u00ae\u3030\u303d"
        or (unicodedata.category(before) == "Sm")
    )
