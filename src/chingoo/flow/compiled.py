"""One compiled policy: the bundle and everything built from it, held by every turn for its whole life."""

from contextlib import suppress
from dataclasses import dataclass

from chingoo.engine.engine import Engine, build_engine
from chingoo.engine.images import Matchers
from chingoo.engine.unbuildable import UnbuildableError
from chingoo.errors import PolicyRefusedError
from chingoo.memory.reader import MemoryReader, build_reader
from chingoo.model.grammar import GrammarParser
from chingoo.policy.bundle import Bundle
from chingoo.source.findings import Finding
from chingoo.source.places import Place

_NOWHERE = Place("policies", 1, 1)


@dataclass(frozen=True, slots=True)
class CompiledPolicy:
    """The bundle, its engine, and what reads memories. `close` frees what the engine holds outside Python's memory."""

    bundle: Bundle
    engine: Engine
    memory: MemoryReader

    @property
    def history_limit(self) -> int:
        """How many messages of each mode a turn is told of."""
        return self.bundle.context.budget.max_conversation_messages

    @property
    def reply_window(self) -> int:
        """How many of the last replies a turn is told of."""
        return self.bundle.gates.repetition.window

    def close(self) -> None:
        """Free the rule engine's handles; call once, after the last use."""
        self.engine.close()


def compile_policy(
    bundle: Bundle, parser: GrammarParser | None = None, matchers: Matchers | None = None
) -> CompiledPolicy:
    """Build the matchers, rule engines and readers of a bundle; with a grammar parser, these listen better.

    `matchers` that another process made of the same bundle save most of the work; those of another one are not used.
    PolicyRefusedError with a finding: it cannot be done, whatever the reason. A set that no law yet knows to be broken
    must not end a process that has a good one.
    """
    try:
        if matchers is not None and matchers.are_read:
            with suppress(ValueError):
                return _built(bundle, parser, matchers)
            matchers = None
        return _built(bundle, parser, matchers or Matchers())
    except MemoryError:
        raise
    except Exception as error:
        finding = unbuildable(error)
        raise PolicyRefusedError(f"no engine can be built of these policies: {finding.message}", (finding,)) from error


def _built(bundle: Bundle, parser: GrammarParser | None, matchers: Matchers) -> CompiledPolicy:
    memory = build_reader(bundle, parser, matchers)
    return CompiledPolicy(bundle=bundle, engine=build_engine(bundle, matchers), memory=memory)


def unbuildable(error: Exception) -> Finding:
    """What went wrong with a set, as a finding; where that is not known, at the policies as a whole."""
    if isinstance(error, UnbuildableError):
        return Finding("policy-cannot-be-built", error.what, error.place or _NOWHERE)
    hint = "take back the last change; that no check said so before is a defect, which is worth telling"
    return Finding("policy-cannot-be-built", f"{type(error).__name__}: {error}", _NOWHERE, hint=hint)
