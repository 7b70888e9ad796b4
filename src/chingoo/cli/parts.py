"""What the commands are made of: the composition root as a protocol, so that tests bring small fakes of it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID

from chingoo.model.decision import EvaluationInput
from chingoo.proof.hits import EntryUse
from chingoo.proof.promises import PRODUCT, Promises
from chingoo.settings.values import Settings
from chingoo.web.services import Services

if TYPE_CHECKING:
    from litestar import Litestar

Progress = Callable[[str], AbstractContextManager[None]]
"""`with progress("starting the database"):` says so when it takes longer than a second."""


@dataclass(frozen=True, slots=True)
class PolicySources:
    """Policy texts by path, and schema texts by file name, as they are on disk.

    `promises` are PRODUCT.md beside them and what is compared with it; `corpus` are files of ordinary talk by path, one
    message a line.
    """

    files: Mapping[str, str]
    schemas: Mapping[str, str]
    promises: Promises | None = None
    corpus: Mapping[str, str] = field(default_factory=dict)

    @property
    def texts(self) -> Mapping[str, str]:
        """Everything that findings may show a line of."""
        product = self.promises.product if self.promises is not None else None
        return {**self.files, **self.corpus, **({} if product is None else {PRODUCT: product})}


class DecisionOnRecord(Protocol):
    """What is kept of a decision: facts and rules, the verdict of an editor, and never the message."""

    @property
    def rules(self) -> Sequence[str]:
        """The routing rule, then what fed it."""
        ...

    @property
    def facts_record(self) -> Mapping[str, bool | int | str]:
        """The facts that the rules saw."""
        ...

    @property
    def received_at(self) -> datetime:
        """When it was."""
        ...

    @property
    def verdict(self) -> str | None:
        """right, false_alarm or missed; None when nobody judged it."""
        ...

    @property
    def note(self) -> str | None:
        """What the editor said of it."""
        ...


class OfflinePolicies(Protocol):
    """The policy engine without storage: `service.policies.PolicyService` is one."""

    def evaluate(self, given: EvaluationInput, persona_template_id: str | None, explain: bool) -> Mapping[str, Any]:
        """What a turn would be decided to be."""
        ...


class Parts(Protocol):
    """Everything that commands start or ask. Each part may raise ChingooError with the remedy."""

    def build(self, settings: Settings, progress: Progress, kind: str) -> AbstractAsyncContextManager[Services]:
        """The running service without its web server: database migrated, policies compiled; closed at the end.

        `kind` is what the process is called among the others, `api` or `worker`.
        """
        ...

    def worker(self, services: Services) -> Awaitable[None]:
        """Run the jobs of built services until cancelled."""
        ...

    def detector(self, settings: Settings, progress: Progress) -> "AbstractAsyncContextManager[Litestar]":
        """The web application of a detector of one's own, policies compiled and model loaded; closed at the end."""
        ...

    async def upgrade_database(self, settings: Settings, progress: Progress) -> str:
        """Migrate the database to this release; the revision it is at now."""
        ...

    async def rotate_keys(self, settings: Settings, progress: Progress) -> Mapping[str, int]:
        """Seal everything anew under the first data key; how many rows of each kind."""
        ...

    def offline_policies(self, settings: Settings) -> AbstractContextManager[OfflinePolicies]:
        """The policies on disk, compiled, without a database."""
        ...

    def policy_sources(self, root: Path) -> PolicySources:
        """The policy files below a folder, read and not judged."""
        ...

    async def recorded_decision(
        self, settings: Settings, progress: Progress, decision_id: UUID
    ) -> DecisionOnRecord | None:
        """A decision of the running service, or None. DatabaseUnreachableError."""
        ...

    async def policy_hits(self, settings: Settings, progress: Progress, since: date) -> Sequence[EntryUse]:
        """How often each entry was seen from a day on, the most used first. DatabaseUnreachableError."""
        ...

    async def safety_counts(
        self, settings: Settings, progress: Progress, first: date | None, last: date | None
    ) -> Mapping[str, Any]:
        """The body of `GET /v1/audit/counts`. DatabaseUnreachableError."""
        ...

    def code_pages(self) -> Mapping[str, str]:
        """The files of the pages that explain finding codes (`source.codes.code_pages` reads them)."""
        ...
