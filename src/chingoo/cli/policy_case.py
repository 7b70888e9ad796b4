"""`chingoo policy case from-decision`: an editor's verdict on a decision, kept as a case."""

import asyncio
import sys
from pathlib import Path
from uuid import UUID

from chingoo.cli.parts import Parts
from chingoo.cli.policy_edit import written
from chingoo.cli.progress import ProgressLines
from chingoo.errors import InvalidInputError, NotFoundError
from chingoo.model.policies import Verdict
from chingoo.proof.recorded import recorded_case
from chingoo.settings.values import Settings


def from_decision(parts: Parts, settings: Settings, root: Path, decision_id: str, verdict: str | None) -> str:
    """Write the case, and say where. `verdict` where nobody has given one yet, or to give another."""
    identity = _uuid(decision_id)
    decision = asyncio.run(parts.recorded_decision(settings, ProgressLines(sys.stderr), identity))
    if decision is None:
        raise NotFoundError(f"there is no decision {identity}; the decision log lists them (GET /v1/decisions)")
    meant = verdict or decision.verdict
    if meant is None:
        raise InvalidInputError(f"nobody has judged this decision yet; say --verdict {', '.join(Verdict)}")
    files = parts.policy_sources(root).files
    changed = recorded_case(
        files, str(identity), decision.facts_record, decision.rules[0], meant, decision.note, decision.received_at
    )
    return "\n".join([*written(root, files, changed), "then `chingoo policy test`"])


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidInputError(f"`{text}` is no id of a decision; it looks like 7d1f0c52-9a0b-4c8e-…") from None
