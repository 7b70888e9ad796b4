"""One compiled policy: the bundle and everything built from it, held by every turn for its whole life."""

from dataclasses import dataclass

from chingoo.engine.engine import Engine, build_engine
from chingoo.policy.bundle import Bundle


@dataclass(frozen=True, slots=True)
class CompiledPolicy:
    """The bundle and its engine. `close` frees what the engine holds outside Python's memory."""

    bundle: Bundle
    engine: Engine

    def close(self) -> None:
        """Free the rule engine's handles; call once, after the last use."""
        self.engine.close()


def compile_policy(bundle: Bundle) -> CompiledPolicy:
    """Build the matchers and rule engines of a bundle."""
    return CompiledPolicy(bundle=bundle, engine=build_engine(bundle))
