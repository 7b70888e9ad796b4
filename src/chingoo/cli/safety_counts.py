"""`chingoo safety-counts`: guard hits and crises by month, for the reports that the law asks for."""

import asyncio
import json
import re
import sys
from datetime import date
from typing import Final

from chingoo.cli.parts import Parts
from chingoo.cli.progress import ProgressLines
from chingoo.errors import InvalidInputError
from chingoo.settings.values import Settings

_MONTH: Final = re.compile(r"([12][0-9]{3})-(0[1-9]|1[0-2])")


def counted(parts: Parts, settings: Settings, since: str | None, until: str | None, *, as_json: bool) -> str:
    """The counts of the months from `since` to `until`, both included and written like 2026-03."""
    body = asyncio.run(parts.safety_counts(settings, ProgressLines(sys.stderr), _month(since), _month(until)))
    if as_json:
        return json.dumps(body, ensure_ascii=False, indent=2)
    items = body["items"]
    lines = [f"{'month':8} {'log':10} {'kind':32} {'language':9} {'events':>8}"]
    for one in items:
        kind = one["level"] or one["category"]
        lines.append(f"{one['month']:8} {one['log']:10} {kind:32} {one['language']:9} {one['events']:8}")
    crises = sum(one["events"] for one in items if one["log"] == "crisis")
    lines.append(f"{crises} crises, each answered with the names of crisis services")
    return "\n".join(lines)


def _month(written: str | None) -> date | None:
    if written is None:
        return None
    found = _MONTH.fullmatch(written)
    if found is None:
        raise InvalidInputError(f"`{written}` is no month; write it like 2026-03")
    return date(int(found[1]), int(found[2]), 1)
