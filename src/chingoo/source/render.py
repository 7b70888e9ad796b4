"""Findings as terminal text, as JSON, and as annotations of a continuous-integration run."""

import json
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from chingoo.source.findings import Finding, Severity
from chingoo.source.reader import lines_of

_WIDEST = 110
_LEAD = 40


def render_text(findings: Iterable[Finding], sources: Mapping[str, str]) -> str:
    """For people: place, severity, code and sentence; the line with a caret; the hint; the other places.

    `sources` maps paths to file texts; findings of files that are not in it are shown without their line.
    """
    lines: dict[str, list[str]] = {}
    shown = []
    for finding in findings:
        file = finding.place.file
        if file not in lines and file in sources:
            lines[file] = lines_of(sources[file])
        shown.append(_one(finding, lines.get(file, [])))
    return "\n\n".join(shown)


def render_json(findings: Iterable[Finding]) -> str:
    """For programs: a list of objects."""
    return json.dumps([as_json(finding) for finding in findings], ensure_ascii=False, indent=2)


def as_json(finding: Finding) -> dict[str, Any]:
    """One finding as an object of plain values."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "file": finding.place.file,
        "line": finding.place.line,
        "column": finding.place.column,
        "width": finding.width,
        "hint": finding.hint,
        "others": [
            {"file": o.place.file, "line": o.place.line, "column": o.place.column, "label": o.label}
            for o in finding.others
        ],
    }


def render_annotations(findings: Iterable[Finding]) -> str:
    """For continuous integration: one workflow command a finding."""
    return "\n".join(_annotation(finding) for finding in findings)


def summary(findings: Iterable[Finding]) -> str:
    """One line: how many errors and warnings in how many files."""
    found = list(findings)
    errors = sum(finding.severity is Severity.ERROR for finding in found)
    warnings = len(found) - errors
    files = len({finding.place.file for finding in found})
    parts = [_counted(errors, "error"), *([_counted(warnings, "warning")] if warnings else [])]
    return f"{' and '.join(parts)} in {_counted(files, 'file')}" if found else "no findings"


def display_width(text: str) -> int:
    """Cells a text takes in a terminal: Hangul and emoji two, combining marks none."""
    return sum(_cells(character) for character in text)


def _one(finding: Finding, lines: list[str]) -> str:
    place = finding.place
    out = [f"{place}: {finding.severity}[{finding.code}]: {finding.message}"]
    if 0 < place.line <= len(lines):
        number = str(place.line)
        line, caret = _line_and_caret(lines[place.line - 1], place.column, finding.width)
        gutter = " " * len(number)
        out += [f"{gutter} |", f"{number} | {line}".rstrip(), f"{gutter} | {caret}"]
    out += [f"  see {other.place}: {other.label}" for other in finding.others]
    if finding.hint:
        out.append(f"  hint: {finding.hint}")
    return "\n".join(out)


def _line_and_caret(line: str, column: int, width: int) -> tuple[str, str]:
    """The line as it can be shown, and carets under what is meant; long lines are cut around it."""
    start = min(column - 1, len(line))
    cut_left = start - _LEAD if len(line) > _WIDEST and start > _LEAD else 0
    window = line[cut_left : cut_left + _WIDEST]
    prefix = "… " if cut_left else ""
    suffix = " …" if cut_left + _WIDEST < len(line) else ""
    shown = [_visible(character) for character in window]
    at = start - cut_left
    before = prefix + "".join(shown[:at])
    meant = "".join(shown[at : at + width])
    return prefix + "".join(shown) + suffix, " " * display_width(before) + "^" * max(1, display_width(meant))


def _visible(character: str) -> str:
    """What cannot be seen is spelled out; a tab is one space."""
    if character == "\t":
        return " "
    if character in "\u200d\ufe0e\ufe0f":
        return character
    if "\udc80" <= character <= "\udcff":
        return f"<{ord(character) - 0xDC00:#04x}>"
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp", "Zs") and character != " "
    return f"<U+{ord(character):04X}>" if hidden else character


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _annotation(finding: Finding) -> str:
    place = finding.place
    end = place.column + finding.width
    message = finding.message if finding.hint is None else f"{finding.message}\nhint: {finding.hint}"
    others = "".join(f"\nsee {other.place}: {other.label}" for other in finding.others)
    where = f"file={_property(place.file)},line={place.line},col={place.column},endColumn={end}"
    return f"::{finding.severity} {where},title={_property(finding.code)}::{_data(message + others)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
