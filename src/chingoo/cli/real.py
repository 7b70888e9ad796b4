"""The real parts: each is looked up in the composition root when a command asks for it, so that others start fast."""

from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from chingoo.cli.parts import DecisionOnRecord, OfflinePolicies, PolicySources, Progress
from chingoo.proof.hits import EntryUse
from chingoo.settings.values import Settings
from chingoo.web.services import Services

if TYPE_CHECKING:
    from litestar import Litestar


class RealParts:
    """A `cli.parts.Parts` made of `chingoo.wiring` and `chingoo.worker`."""

    def build(self, settings: Settings, progress: Progress, kind: str) -> AbstractAsyncContextManager[Services]:
        """The running service without its web server."""
        from chingoo.wiring import build

        return build.build(settings, progress, kind)

    def worker(self, services: Services) -> Awaitable[None]:
        """The jobs of built services, until cancelled."""
        from chingoo.wiring import build
        from chingoo.worker.run import run

        if not isinstance(services, build.Services):
            raise TypeError("only services that `build` made have a queue")
        return run(services)

    @asynccontextmanager
    async def detector(self, settings: Settings, progress: Progress) -> "AsyncIterator[Litestar]":
        """The web application of a detector of one's own."""
        from chingoo.web.moderation import moderation_app
        from chingoo.wiring import detector

        async with detector.own_detector(settings, progress) as (moderation, ids):
            yield moderation_app(moderation, ids)

    async def upgrade_database(self, settings: Settings, progress: Progress) -> str:
        """Migrate the database; its revision."""
        from chingoo.wiring import commands

        return await commands.upgrade_database(settings, progress)

    async def rotate_keys(self, settings: Settings, progress: Progress) -> Mapping[str, int]:
        """Everything sealed anew."""
        from chingoo.wiring import commands

        return await commands.rotate_keys(settings, progress)

    def offline_policies(self, settings: Settings) -> AbstractContextManager[OfflinePolicies]:
        """The policies on disk, compiled."""
        from chingoo.wiring import policies

        return policies.offline_policies(settings)

    def policy_sources(self, root: Path) -> PolicySources:
        """The policy files below a folder."""
        from chingoo.wiring import policies

        files, schemas = policies.policy_sources(root)
        return PolicySources(files, schemas, policies.policy_promises(root), policies.ordinary_talk(root))

    async def recorded_decision(
        self, settings: Settings, progress: Progress, decision_id: UUID
    ) -> DecisionOnRecord | None:
        """A decision of the running service."""
        from chingoo.wiring import commands

        return await commands.recorded_decision(settings, progress, decision_id)

    async def policy_hits(self, settings: Settings, progress: Progress, since: date) -> Sequence[EntryUse]:
        """The counts of the running service."""
        from chingoo.wiring import commands

        return await commands.policy_hits(settings, progress, since)

    async def safety_counts(
        self, settings: Settings, progress: Progress, first: date | None, last: date | None
    ) -> Mapping[str, Any]:
        """Guard hits and crises of the running service by month."""
        from chingoo.wiring import commands

        return await commands.safety_counts(settings, progress, first, last)

    def code_pages(self) -> Mapping[str, str]:
        """The pages of finding codes."""
        from chingoo.wiring import policies

        return policies.code_pages()
