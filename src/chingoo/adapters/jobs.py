"""The worker: procrastinate on the same database runs what turns queued and what the schedule says (JOB, S-33)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

import procrastinate
import psycopg
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import Status

from chingoo.adapters.postgres.address import checked

QUEUE = "chingoo"
AFTER_TURN = "after_turn"
"""The queue and the task that `chingoo_defer_after_turn` of migration 0002 writes."""

EVERY_MINUTE = "* * * * *"
SCHEDULE: Mapping[str, str] = {"expire-memories": "7 3 * * *", "decay": "17 3 * * *", "extract": "*/5 * * * *"}
"""When the jobs run that do their work by the clock, in UTC; whose batch is due, policy says."""

TIDY = "37 3 * * *"
_KEEP_FAILED_H = 24 * 7  # for somebody to look at
_ATTEMPTS = 5
_FIRST_WAIT_S = 2
_STALLED_S = 30.0
_AGAIN_S = 1.0
_CONNECTED_WITHIN_S = 5.0  # a worker told to stop waits so long for a database that is gone, a few times over
_LOOK_S = 1.0  # beside being notified: nobody notifies of a job that waited for another one of its user
_log = logging.getLogger(__name__)


class Bodies(Protocol):
    """What the jobs do; this module only says when."""

    async def after_turn(self, user_id: UUID) -> None:
        """What follows a user's turns."""
        ...

    async def sweep(self) -> int:
        """Queue what coalescing missed."""
        ...

    async def run(self, name: str, now: datetime | None, user_ids: Sequence[UUID] | None) -> Mapping[str, Any]:
        """A job by its name."""
        ...


class JobQueue:
    """One worker process's share of the queue. Any number of processes may run one; a job runs in one of them.

    A job that fails is tried again a few times, later each time; one whose worker was killed is put back by the sweep.
    What succeeded is deleted. The scheduled jobs run once however many workers there are.
    """

    def __init__(self, url: str, bodies: Bodies, *, concurrency: int = 2, grace_s: float = 10.0) -> None:
        """`concurrency` jobs run at a time; on the way out, running ones have `grace_s` to finish."""
        self._bodies = bodies
        self._concurrency, self._grace_s = concurrency, grace_s
        connector = procrastinate.PsycopgConnector(
            conninfo=checked(url), min_size=1, max_size=concurrency + 1, timeout=_CONNECTED_WITHIN_S
        )
        self._app = procrastinate.App(connector=connector)
        self._register()
        # Its own log lines hold the arguments of jobs, and so user ids; ours below hold names.
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)

    async def run(self) -> None:
        """Work until cancelled, across losses of the database; cancelled, let running jobs finish first."""
        while True:
            try:
                async with self._app.open_async():
                    await self._app.run_worker_async(
                        queues=[QUEUE],
                        concurrency=self._concurrency,
                        delete_jobs="successful",
                        install_signal_handlers=False,
                        shutdown_graceful_timeout=self._grace_s,
                        fetch_job_polling_interval=_LOOK_S,
                        stalled_worker_timeout=_STALLED_S,
                        worker_middleware=[_observe],
                    )
            except (ConnectorException, psycopg.Error) as error:
                # without a database the library cannot stop in order, and says that instead of that it was cancelled
                if _is_told_to_stop():
                    raise asyncio.CancelledError from error
                _log.warning("the worker lost the database (%s) and tries again", type(error).__name__)
            await asyncio.sleep(_AGAIN_S)

    async def drain(self) -> None:
        """Run what is queued now, and return."""
        async with self._app.open_async():
            await self._app.run_worker_async(
                queues=[QUEUE],
                wait=False,
                delete_jobs="successful",
                install_signal_handlers=False,
                listen_notify=False,
                worker_middleware=[_observe],
            )

    def _register(self) -> None:
        retry = procrastinate.RetryStrategy(max_attempts=_ATTEMPTS, exponential_wait=_FIRST_WAIT_S)

        @self._app.task(name=AFTER_TURN, queue=QUEUE, retry=retry)
        async def after_turn(user_id: str) -> None:
            await self._bodies.after_turn(UUID(user_id))

        self._schedule("sweep", EVERY_MINUTE, self._sweep)
        self._schedule("reap", EVERY_MINUTE, lambda: self._bodies.run("reap", None, None))
        self._schedule("tidy", TIDY, self._tidy)
        for name, cron in SCHEDULE.items():
            self._schedule(name, cron, self._named(name))

    def _named(self, name: str) -> Callable[[], Awaitable[object]]:
        return lambda: self._bodies.run(name, None, None)

    def _schedule(self, name: str, cron: str, body: Callable[[], Awaitable[object]]) -> None:
        async def task(timestamp: int) -> None:
            del timestamp
            await body()

        registered = self._app.task(name=name, queue=QUEUE, lock=name, queueing_lock=name)(task)
        self._app.periodic(cron=cron)(registered)

    async def _sweep(self) -> None:
        await self._put_back_stalled()
        await self._bodies.sweep()

    async def _put_back_stalled(self) -> None:
        """Queue anew what a killed worker left "doing", which would also hold up the user's next job."""
        jobs = self._app.job_manager
        for job in await jobs.get_stalled_jobs(seconds_since_heartbeat=_STALLED_S):
            try:
                await jobs.retry_job(job)
            except UniqueViolation:  # a newer one is waiting already and will do
                await jobs.finish_job(job, Status.FAILED, delete_job=True)

    async def _tidy(self) -> None:
        """Forget jobs that failed for good, once an operator had a week to look at them."""
        await self._app.job_manager.delete_old_jobs(
            nb_hours=_KEEP_FAILED_H, include_failed=True, include_aborted=True, include_cancelled=True
        )


async def _observe(call_next: Callable[[], Awaitable[Any]], context: procrastinate.JobContext, _: object) -> Any:
    """Log failures by the names of job and error, without arguments."""
    try:
        return await call_next()
    except Exception as error:
        _log.warning("job %s failed: %s", context.job.task_name, type(error).__name__)
        raise


def _is_told_to_stop() -> bool:
    """Whether the running task was cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
