"""Evaluation without a turn, and everything that can be asked and told about policies."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from chingoo.engine.evaluate import evaluate
from chingoo.errors import FieldError, InvalidInputError, NotFoundError, UnavailableError
from chingoo.flow.answers import evaluate_body, instant
from chingoo.flow.check_reply import check_reply
from chingoo.model.decision import EvaluationInput
from chingoo.model.policies import Process, Verdict
from chingoo.policy.bundle import Bundle
from chingoo.ports.machine import Clock
from chingoo.service.policies import PolicyHolder
from chingoo.service.policy_life import PolicyLife
from chingoo.service.policy_needs import PolicyRecords


class PolicyService:
    """Evaluation without storage or model, and what can be asked and told about policies."""

    def __init__(
        self,
        holder: PolicyHolder,
        clock: Clock,
        life: PolicyLife | None = None,
        records: PolicyRecords | None = None,
    ) -> None:
        """Without `life` and `records` there is no database; only evaluation works."""
        self._holder, self._clock, self._life, self._records = holder, clock, life, records

    def evaluate(self, given: EvaluationInput, persona_template_id: str | None, explain: bool) -> dict[str, Any]:
        """What a turn would be decided to be."""
        with self._holder.use() as compiled:
            if persona_template_id is not None:
                template = compiled.bundle.personas.get(persona_template_id)
                if template is None:
                    raise unknown_template(compiled.bundle)
                given = replace(given, taboo_soft_bounds=frozenset(template.taboo_soft_bounds))
            decision = evaluate(compiled.engine, given, explain)
        return evaluate_body(decision, explain=explain)

    def check_reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The gates alone; `body` holds every field of the contract as plain JSON values."""
        with self._holder.use() as compiled:
            template = body["persona_template_id"]
            if template is not None and template not in compiled.bundle.personas:
                raise unknown_template(compiled.bundle)
            return check_reply(compiled, body, self._clock.now())

    def close(self) -> None:
        """Free the policy in force; nothing can be decided any more."""
        self._holder.close()

    async def active(self) -> dict[str, Any]:
        """Which bundle is in force here, what it is made of, and what all running processes decide by."""
        bundle = self._holder.current.bundle
        return {
            "digest": bundle.digest,
            "built_at": instant(self._holder.built_at),
            "files": [{"path": file.path, "sha256": file.sha256} for file in bundle.files],
            "counts": dict(bundle.counts),
            "processes": [{"id": one.id, "kind": one.kind, "digest": one.digest} for one in await self._processes()],
        }

    async def history(self, limit: int) -> dict[str, Any]:
        """Who switched to what, when and why, newest first."""
        return {"items": [dict(row) for row in await self._known().history(limit)]}

    async def reload(self, who: str, reason: str | None = None) -> dict[str, Any]:
        """Compile what is on disk and switch to it; PolicyRefusedError with all findings keeps the old one (S-20)."""
        await self._living().reload(who, reason or "reload")
        return await self.active()

    async def activate(self, digest: str, reason: str, who: str) -> dict[str, Any]:
        """Go back to a stored bundle. NotFoundError: none has that digest. PolicyRefusedError: it does not fit here."""
        await self._living().activate(digest, reason, who)
        return await self.active()

    async def give_verdict(self, decision_id: UUID, verdict: Verdict, note: str | None, who: str) -> dict[str, Any]:
        """Note what an editor says of a decision. NotFoundError: there is none."""
        now = self._clock.now()
        if not await self._known().give_verdict(decision_id, verdict, note, who, now):
            raise NotFoundError("no decision has this id")
        shown = {"verdict": verdict.value, "note": note, "who": who, "given_at": instant(now)}
        return {"decision_id": str(decision_id), "verdict": shown}

    async def _processes(self) -> list[Process]:
        if self._life is None or self._records is None:
            return []
        own = self._life.process
        others = [one for one in await self._records.processes() if one.id != own.id]
        return sorted([own, *others], key=lambda one: one.id)

    def _living(self) -> PolicyLife:
        if self._life is None:
            raise _no_database()
        return self._life

    def _known(self) -> PolicyRecords:
        if self._records is None:
            raise _no_database()
        return self._records


def _no_database() -> UnavailableError:
    return UnavailableError("there is no database here; only evaluation works")


def unknown_template(bundle: Bundle) -> InvalidInputError:
    """The error for a persona template that the library does not hold."""
    names = sorted(bundle.personas)
    detail = f"no such persona template; the library holds {names[0]} to {names[-1]}"
    return InvalidInputError(detail, [FieldError("/persona_template_id", detail)])
