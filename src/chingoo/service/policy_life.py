"""How this process comes to the policies it decides by, in step with all others: start, reload, activate, follow.

The truth is the newest switch in the database. A set is made ready in every process before the switch to it is written,
so that all of them swap at about the same instant; whoever missed that makes it ready when it sees the switch.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar, TypeVarTuple

from chingoo.errors import ChingooError, NotFoundError, PolicyRefusedError, UnavailableError
from chingoo.flow.compiled import CompiledPolicy
from chingoo.model.policies import Process, Switch
from chingoo.ports.machine import Clock, Metrics
from chingoo.ports.notifications import Notifications
from chingoo.service.garbage import collect_all
from chingoo.service.policies import PolicyHolder
from chingoo.service.policy_needs import BundleShelf, Packing, PolicyCompiler, PolicyRecords

_TICK_S: Final = 1.0  # half of the two seconds within which every process follows a switch
_READY_S: Final = 60.0  # a set that was built and that nobody switched to is not kept longer
_log = logging.getLogger(__name__)

T = TypeVar("T")
Given = TypeVarTuple("Given")

Build = Callable[[str, Mapping[str, str]], CompiledPolicy]
"""From a digest and its texts. PolicyRefusedError: they do not fit this release."""


class PolicyLife:
    """The policies of one process. Used from one event loop; building happens in a thread.

    It is always the same thread: the C library keeps what each thread allocates apart, and sets that come and go in
    several of them leave more behind in each than the system gets back.
    """

    def __init__(
        self,
        holder: PolicyHolder,
        records: PolicyRecords,
        compiler: PolicyCompiler,
        shelf: BundleShelf,
        packing: Packing,
        build: Build,
        clock: Clock,
        metrics: Metrics,
        process: Process,
    ) -> None:
        """`build` reads and builds a set, in a thread. `process` names this one; its digest is filled in."""
        self._holder, self._records, self._compiler = holder, records, compiler
        self._shelf, self._packing, self._build = shelf, packing, build
        self._clock, self._metrics, self._process = clock, metrics, process
        self._at = 0  # the number of the switch this process has followed
        self._failed = 0  # the number of a switch it could not follow
        self._ready: tuple[CompiledPolicy, float] | None = None  # made ready for a switch to come, and when
        self._littered = False  # a set was swapped out, and its garbage is not collected yet
        self._judging, self._swapping = asyncio.Lock(), asyncio.Lock()
        self._builder = ThreadPoolExecutor(max_workers=1, thread_name_prefix="policies")

    @property
    def process(self) -> Process:
        """This process, and what it decides by."""
        return Process(self._process.id, self._process.kind, self._holder.current.bundle.digest)

    async def start(self, files: Mapping[str, str]) -> str | None:
        """Decide between what is on disk, which the holder holds (`files`), and the newest switch.

        The disk wins where it is news: it is not what this machine last found there, or, where nothing is noted, it was
        never in force. So a deployment or an edit takes effect by a start, and a process that is merely restarted
        neither undoes an `activate` nor brings back what others have replaced. Says what an operator should know.
        """
        digest = self._holder.current.bundle.digest
        newest = await self._records.newest()
        last_seen = await asyncio.to_thread(self._shelf.last_seen)
        news = digest != last_seen if last_seen is not None else not await self._records.was_in_force(digest)
        said = None
        if newest is None or newest.digest == digest or news:
            await self._records.store(digest, self._packing.pack(files), self._process.id)
            newest = await self._records.switch(digest, self._process.id, "start", self._clock.now())
            self._at = newest.switch_id
        else:
            said = await self._follow_instead(digest, newest)
        await self._note_seen(digest)
        await self._records.beat(self.process)
        return said

    async def reload(self, who: str, reason: str) -> None:
        """Compile what is on disk and switch every process to it.

        PolicyRefusedError with the findings, UnavailableError: all stay with what they have.
        """
        async with self._judging:
            started = self._clock.monotonic()
            try:
                judged = await self._compiler.judge()
            except ChingooError:
                self._counted("failed")
                raise
            if judged.digest is None:
                self._counted("refused")
                raise PolicyRefusedError("the policies on disk have errors; the ones in force stay", judged.findings)
            self._metrics.observe("chingoo_policy_compile_seconds", self._clock.monotonic() - started)
            await self._switch_all(judged.digest, who, reason)
            await self._note_seen(judged.digest)
            self._counted("good")

    async def activate(self, digest: str, reason: str, who: str) -> None:
        """Switch every process to a stored set. NotFoundError: there is none. PolicyRefusedError: it does not fit this
        release any more."""
        await self._switch_all(digest, who, reason)

    async def run(self, notifications: Notifications) -> None:
        """Follow the others' switches, until cancelled: as they are told, and by a look each second."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._listen(notifications))
            both.create_task(self._look())

    async def stop(self) -> None:
        """Free what was made ready, and take leave of the others; the policy in force is not freed."""
        self._forget_ready()
        self._builder.shutdown(wait=False, cancel_futures=True)
        try:
            await self._records.leave(self._process.id)
        except ChingooError as error:
            _log.info("the database does not know that this process ends: %s", error.detail)

    async def follow(self) -> None:
        """One look: a sign of life, and the newest switch followed if it is not yet. UnavailableError."""
        newest = await self._records.beat(self.process)
        self._drop_stale()
        self._clean_up()
        if newest is None or newest.switch_id <= max(self._at, self._failed):
            return
        async with self._swapping:
            if newest.switch_id <= max(self._at, self._failed):
                return
            try:
                await self._swap_to(newest)
            except (PolicyRefusedError, NotFoundError) as error:
                self._failed = newest.switch_id
                self._counted("not_followed")
                _log.error("cannot follow the switch to %s; the policies stay: %s", newest.digest, error.detail)
                return
        _log.info("followed the switch to %s (%s, by %s)", newest.digest, newest.reason, newest.who)
        await self._records.beat(self.process)

    async def _follow_instead(self, digest: str, newest: Switch) -> str:
        try:
            await self._swap_to(newest)
        except (PolicyRefusedError, NotFoundError) as error:
            return f"the policies in force elsewhere ({newest.digest}) cannot be used here: {error.detail}"
        return (
            f"the policies on disk ({digest}) are not in force: {newest.who} switched to {newest.digest} at "
            f"{newest.at.isoformat(timespec='seconds')} ({newest.reason}); POST /v1/policies/reload takes those on disk"
        )

    async def _switch_all(self, digest: str, who: str, reason: str) -> None:
        files = await self._files(digest)
        await self._records.store(digest, await self._aside(self._packing.pack, files), self._process.id)
        async with self._swapping:
            if digest == self._holder.current.bundle.digest:
                self._at = (await self._records.switch(digest, who, reason, self._clock.now())).switch_id
            else:
                compiled = await self._built(digest, files)
                try:
                    switch = await self._records.switch(digest, who, reason, self._clock.now())
                except BaseException:
                    compiled.close()
                    raise
                self._swap(compiled, switch)
        await self._records.beat(self.process)

    async def _swap_to(self, switch: Switch) -> None:
        """Follow a switch. NotFoundError, PolicyRefusedError, UnavailableError: nothing has changed."""
        if switch.digest == self._holder.current.bundle.digest:
            self._at = switch.switch_id
            return
        compiled = self._take_ready(switch.digest)
        if compiled is None:
            compiled = await self._built(switch.digest, await self._files(switch.digest))
        self._swap(compiled, switch)

    def _swap(self, compiled: CompiledPolicy, switch: Switch) -> None:
        started = self._clock.monotonic()
        self._holder.swap(compiled, self._clock.now())
        self._at = switch.switch_id
        self._littered = True
        self._forget_ready()
        self._metrics.observe("chingoo_policy_swap_seconds", self._clock.monotonic() - started)
        self._counted("switched")

    async def _files(self, digest: str) -> dict[str, str]:
        """The texts of a set, from this machine's file or from the database, then kept here."""
        found = await self._aside(self._shelf.read, digest)
        if found is not None:
            return found
        packed = await self._records.bundle(digest)
        found = None if packed is None else await self._aside(self._packing.unpack, packed, digest)
        if packed is None or found is None:
            raise NotFoundError(f"no policies with the digest `{digest[:80]}` are stored; see /v1/policies/history")
        try:
            await self._aside(self._shelf.write, digest, packed)
        except UnavailableError as error:
            _log.warning("%s", error.detail)
        return found

    async def _built(self, digest: str, files: Mapping[str, str]) -> CompiledPolicy:
        started = self._clock.monotonic()
        compiled = await self._aside(self._build, digest, files)
        self._metrics.observe("chingoo_policy_build_seconds", self._clock.monotonic() - started)
        return compiled

    async def _aside(self, work: Callable[[*Given], T], *given: *Given) -> T:
        """Do what takes long beside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._builder, work, *given)

    async def _listen(self, notifications: Notifications) -> None:
        async for said in notifications.listen():
            what, _, rest = said.partition(" ")
            digest, _, speaker = rest.partition(" ")
            try:
                if what == "prepare" and speaker != self._process.id:
                    await self._make_ready(digest)
                elif what == "switch":
                    await self.follow()
            except ChingooError as error:
                _log.warning("told to %s %s: %s", what, digest, error.detail)

    async def _look(self) -> None:
        away = False
        while True:
            await asyncio.sleep(_TICK_S)
            try:
                await self.follow()
                away = False
            except ChingooError as error:
                if not away:
                    _log.warning("cannot see whether policies were switched: %s", error.detail)
                away = True

    async def _make_ready(self, digest: str) -> None:
        async with self._swapping:
            known = self._ready[0].bundle.digest if self._ready else None
            if digest not in (known, self._holder.current.bundle.digest):
                compiled = await self._built(digest, await self._files(digest))
                self._forget_ready()
                self._ready = (compiled, self._clock.monotonic())

    def _take_ready(self, digest: str) -> CompiledPolicy | None:
        if self._ready is None or self._ready[0].bundle.digest != digest:
            return None
        compiled, self._ready = self._ready[0], None
        return compiled

    def _drop_stale(self) -> None:
        """What nobody switched to within a minute is not kept."""
        if self._ready is not None and self._clock.monotonic() - self._ready[1] > _READY_S:
            self._forget_ready()

    def _clean_up(self) -> None:
        """Free the memory of sets that are out of use: whatever garbage still holds them is collected."""
        if self._littered and not self._holder.retiring:
            self._littered = False
            collect_all()

    def _forget_ready(self) -> None:
        if self._ready is not None:
            self._ready[0].close()
            self._ready = None

    async def _note_seen(self, digest: str) -> None:
        try:
            await asyncio.to_thread(self._shelf.note_seen, digest)
        except UnavailableError as error:
            _log.warning("%s", error.detail)

    def _counted(self, outcome: str) -> None:
        self._metrics.count("chingoo_policy_switches_total", {"outcome": outcome})
