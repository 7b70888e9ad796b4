"""Background work: what each job does, whoever runs it – the worker on schedule or an operator over HTTP."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from chingoo.errors import NotFoundError
from chingoo.ports.machine import Clock, Metrics
from chingoo.ports.upkeep import Jobs, UpkeepStore
from chingoo.relationship.decay import decay
from chingoo.service.batch_extraction import BatchExtraction, Done
from chingoo.service.policies import PolicyHolder
from chingoo.service.turn import TurnService

_BATCH = 500  # rows that are read at once: the memory of a job has a bound


class JobService:
    """The jobs by name (JOB-02, JOB-03, S-02, BATCH-02). Each may be run twice; the second run finds nothing to do."""

    def __init__(
        self,
        store: UpkeepStore,
        policies: PolicyHolder,
        turns: TurnService,
        batches: BatchExtraction,
        queue: Jobs,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._store, self._policies, self._turns = store, policies, turns
        self._queue, self._clock, self._metrics = queue, clock, metrics
        self._jobs = {
            "decay": self._decay,
            "expire-memories": self._expire_memories,
            "extract": batches.run,
            "reap": self._reap,
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The jobs that `run` knows."""
        return tuple(sorted(self._jobs))

    async def run(self, name: str, now: datetime | None, user_ids: Sequence[UUID] | None) -> dict[str, Any]:
        """Run one job as of `now`, over all users or the given ones."""
        job = self._jobs.get(name)
        if job is None:
            raise NotFoundError(f"no such job; there are {', '.join(self.names)}")
        done = await job(now or self._clock.now(), user_ids)
        self._metrics.count("chingoo_jobs_total", {"job": name})
        why = {} if done.reason is None else {"reason": done.reason}
        return {"name": name, "processed": done.processed, **why}

    async def after_turn(self, user_id: UUID) -> None:
        """What follows a user's turns, once for all turns that are settled by now."""
        # What is marked is what was there before looking: a turn that settles meanwhile is left to the next job.
        mark = await self._store.after_turn_mark(user_id)
        if mark is not None:
            await self._store.mark_after_turn_done(user_id, mark)

    async def sweep(self) -> int:
        """Queue the after-turn job of every user whom coalescing missed; how many."""
        missed = await self._store.users_without_after_turn(_BATCH)
        for user_id in missed:
            await self._queue.defer_after_turn(user_id)
        return len(missed)

    async def _decay(self, now: datetime, user_ids: Sequence[UUID] | None) -> Done:
        policy = self._policies.current.bundle.relationship
        changed, after = 0, None
        while rows := await self._store.decay_candidates(now, _BATCH, after, user_ids):
            for user_id, friend_id, before in rows:
                decayed = decay(policy, before, now)
                if decayed != before and await self._store.write_decay(user_id, friend_id, before, decayed):
                    changed += 1
            after = rows[-1][:2]
        return Done(changed)

    async def _expire_memories(self, now: datetime, user_ids: Sequence[UUID] | None) -> Done:
        """What has run out expires; what was forgotten and cannot be taken back any more is erased (UK-12, C-68)."""
        expired = await self._store.expire_memories(now, user_ids)
        purged = await self._store.purge_forgotten(now, user_ids)
        return Done(expired + purged.messages + purged.memories)

    async def _reap(self, _now: datetime, user_ids: Sequence[UUID] | None) -> Done:
        return Done(await self._turns.reap(user_ids))
