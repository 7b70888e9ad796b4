"""What processes tell one another about policies: switches, who decides by what, counts of entries, verdicts."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class Verdict(StrEnum):
    """What an editor says of a decision: it was right, it refused or alarmed for nothing, or it missed something."""

    RIGHT = "right"
    FALSE_ALARM = "false_alarm"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch of policy for all processes; of two, the one with the higher number is in force."""

    switch_id: int
    digest: str
    who: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Process:
    """A running process and the bundle it decides by. `kind` is `api` or `worker`."""

    id: str
    kind: str
    digest: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of compiling the policies on disk: the digest of a bundle that is kept now, or None.

    `findings` are the compiler's, warnings included (`source.findings.Finding`).
    """

    digest: str | None
    findings: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class EntryCount:
    """How often an entry of a bundle was seen on a day, and in how many of these turns the decision was a refusal.

    `entry` is "file:line:column" as in the spans of decisions. Nothing here belongs to a person.
    """

    digest: str
    entry: str
    day: date
    hits: int
    refusals: int
