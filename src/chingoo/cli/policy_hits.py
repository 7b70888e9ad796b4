"""`chingoo policy hits`: which words of the lists are used, which are never seen, and which only ever refuse."""

import asyncio
import sys
from collections.abc import Sequence
from datetime import date

from chingoo.cli.parts import LineUse, Parts
from chingoo.cli.progress import ProgressLines
from chingoo.settings.values import Settings

_WIDEST = 60


def counted(parts: Parts, settings: Settings, since: date, *, dead: bool, noisy: float | None, most: int) -> str:
    """The lines of words with their use since a day: all, only `dead` ones, or only those with so many % refused."""
    uses = asyncio.run(parts.policy_hits(settings, ProgressLines(sys.stderr), since))
    chosen = [use for use in uses if _wanted(use, dead=dead, noisy=noisy)]
    never = sum(not use.hits for use in uses)
    lines = [f"{'hits':>8}  {'refused':>7}  {'last':10}  words"]
    lines += [_line(use) for use in chosen[:most]]
    if len(chosen) > most:
        lines.append(f"… and {len(chosen) - most} more; --most shows more")
    lines.append(f"{len(uses)} lines of words since {since}; {never} were never seen")
    return "\n".join(lines)


def _wanted(use: LineUse, *, dead: bool, noisy: float | None) -> bool:
    if dead:
        return not use.hits
    return noisy is None or (use.hits > 0 and 100 * use.refusals / use.hits >= noisy)


def _line(use: LineUse) -> str:
    refused = f"{100 * use.refusals / use.hits:.0f} %" if use.hits else ""
    last = "never" if use.last_hit is None else use.last_hit.isoformat()
    return f"{use.hits:8}  {refused:>7}  {last:10}  {_words(use.entries)}  ({use.file}:{use.line})"


def _words(entries: Sequence[str]) -> str:
    shown = ", ".join(entry.split("|")[0].strip() for entry in entries)
    return shown if len(shown) <= _WIDEST else f"{shown[: _WIDEST - 1]}…"
