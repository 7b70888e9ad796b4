"""`chingoo policy hits`: which words of the lists are used, which are never seen, and which only ever refuse."""

import asyncio
import sys
from datetime import date

from chingoo.cli.parts import Parts
from chingoo.cli.progress import ProgressLines
from chingoo.proof.hits import EntryUse
from chingoo.settings.values import Settings

_WIDEST = 60


def counted(parts: Parts, settings: Settings, since: date, *, dead: bool, noisy: float | None, most: int) -> str:
    """The words with their use since a day: all, only `dead` ones, or only those of which so many % were refused."""
    uses = asyncio.run(parts.policy_hits(settings, ProgressLines(sys.stderr), since))
    chosen = [use for use in uses if _wanted(use, dead=dead, noisy=noisy)]
    never = sum(use.is_dead for use in uses)
    lines = [f"{'hits':>8}  {'refused':>7}  {'last':10}  word"]
    lines += [_line(use) for use in chosen[:most]]
    if len(chosen) > most:
        lines.append(f"… and {len(chosen) - most} more; --most shows more")
    lines.append(f"{len(uses)} words looked for since {since}; {never} were never seen")
    return "\n".join(lines)


def _wanted(use: EntryUse, *, dead: bool, noisy: float | None) -> bool:
    if dead:
        return use.is_dead
    return noisy is None or (not use.is_dead and 100 * use.refused_share >= noisy)


def _line(use: EntryUse) -> str:
    refused = "" if use.is_dead else f"{100 * use.refused_share:.0f} %"
    last = "never" if use.last_hit is None else use.last_hit.isoformat()
    word = use.entry if len(use.entry) <= _WIDEST else f"{use.entry[: _WIDEST - 1]}…"
    return f"{use.hits:8}  {refused:>7}  {last:10}  {word}  ({use.list_id}, {use.language}; {use.place})"
