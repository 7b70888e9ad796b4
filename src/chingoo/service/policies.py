"""Which policy is in force: the one reference that every turn holds."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from chingoo.flow.compiled import CompiledPolicy


class PolicyHolder:
    """The compiled policy in force, swapped atomically; an old one is closed when its last user is done.

    Used from one event loop's thread only; `swap` and `use` never await in between, so no lock is needed.
    """

    def __init__(self, compiled: CompiledPolicy, built_at: datetime) -> None:
        self.current = compiled
        self.built_at = built_at
        self._uses: dict[int, int] = {}
        self._retired: dict[int, CompiledPolicy] = {}

    @contextmanager
    def use(self) -> Iterator[CompiledPolicy]:
        """The policy in force now, kept alive and unchanged until the block ends."""
        compiled = self.current
        key = id(compiled)
        self._uses[key] = self._uses.get(key, 0) + 1
        try:
            yield compiled
        finally:
            self._uses[key] -= 1
            if not self._uses[key]:
                del self._uses[key]
                if key in self._retired:
                    self._retired.pop(key).close()

    @property
    def retiring(self) -> bool:
        """Whether turns in flight still use a policy that is not in force any more."""
        return bool(self._retired)

    def close(self) -> None:
        """Free the policy in force; nothing can be decided any more."""
        self.current.close()

    def swap(self, compiled: CompiledPolicy, built_at: datetime) -> None:
        """Put another policy in force; turns in flight finish on theirs."""
        old, self.current, self.built_at = self.current, compiled, built_at
        if id(old) in self._uses:
            self._retired[id(old)] = old
        else:
            old.close()
