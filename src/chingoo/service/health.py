"""Whether the service can do its work (S-35)."""

from chingoo.ports.store import Store
from chingoo.service.policies import PolicyHolder


class HealthService:
    """Readiness: the database answers and a bundle is in force; what else is away is named, not fatal."""

    def __init__(self, store: Store, holder: PolicyHolder) -> None:
        self._store, self._holder = store, holder

    async def degraded(self) -> tuple[str, ...]:
        """Names of the parts that are away but not needed. DatabaseUnreachableError: the database is."""
        await self._store.ping()
        return ()
