"""What the life of policies needs from the outside, as protocols; `wiring` chooses who implements them."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Protocol
from uuid import UUID

from chingoo.model.policies import EntryCount, Judged, Process, Switch, Verdict


class PolicyRecords(Protocol):
    """What all processes know of policies, in the database. Every method is one transaction.

    UnavailableError: the database is away.
    """

    async def store(self, digest: str, packed: bytes, process_id: str) -> None:
        """Keep a set for good, and tell the processes other than this to make ready for it."""
        ...

    async def bundle(self, digest: str) -> bytes | None:
        """The bytes of a stored set, as they were given, or None."""
        ...

    async def newest(self) -> Switch | None:
        """The switch that is in force, or None before the first."""
        ...

    async def switch(self, digest: str, who: str, reason: str, now: datetime) -> Switch:
        """Switch all processes. If that set is in force already, nothing is written and its switch comes back."""
        ...

    async def history(self, limit: int) -> list[Mapping[str, Any]]:
        """Switches, newest first: digest, who, reason, at."""
        ...

    async def was_in_force(self, digest: str) -> bool:
        """Whether any switch ever named this set."""
        ...

    async def beat(self, process: Process) -> Switch | None:
        """A sign of life, and what the process decides by; the switch that is in force."""
        ...

    async def leave(self, process_id: str) -> None:
        """The process ends; it is shown no more."""
        ...

    async def processes(self) -> Sequence[Process]:
        """All processes that gave a sign of life within some seconds."""
        ...

    async def add_hits(self, counts: Sequence[EntryCount]) -> None:
        """Add counts to those of the same day, set and entry; no two of `counts` have the same three."""
        ...

    async def hits(self, since: date) -> list[EntryCount]:
        """The counts from a day on."""
        ...

    async def give_verdict(
        self, decision_id: UUID, verdict: Verdict, note: str | None, who: str, now: datetime
    ) -> bool:
        """Note a verdict beside its decision, in place of an earlier one; False if there is no such decision."""
        ...


class PolicyCompiler(Protocol):
    """Compiles what is on disk, away from this process."""

    async def judge(self) -> Judged:
        """A sound set lies among the `BundleShelf`'s files afterwards.

        PolicyRefusedError: it could not be compiled at all. UnavailableError: nothing could be tried.
        """
        ...


class BundleShelf(Protocol):
    """Policy sets in files of this machine. UnavailableError: they cannot be written."""

    def read(self, digest: str) -> dict[str, str] | None:
        """The texts of a set by path, or None if there is no sound file of it."""
        ...

    def write(self, digest: str, packed: bytes) -> None:
        """Keep a set."""
        ...

    def last_seen(self) -> str | None:
        """What a process of this machine last found in the policy folder."""
        ...

    def note_seen(self, digest: str) -> None:
        """Note what was found in the policy folder."""
        ...


class Packing(Protocol):
    """How a set is written into one piece of bytes."""

    def pack(self, files: Mapping[str, str]) -> bytes:
        """The texts as bytes."""
        ...

    def unpack(self, packed: bytes, digest: str) -> dict[str, str] | None:
        """The texts, or None if these are not the bytes of that set."""
        ...
