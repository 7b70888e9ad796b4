"""Compiles the policies on disk in a process of its own, so that no mistake in them can slow or end this one.

The child gets a task as JSON on standard input, and leaves the outcome as JSON on standard output, a sound set as a
bundle file in the folder that the task names, and an image of its matchers beside it. It also builds rules and readers,
proves the invariants, decides the cases, and throws all of it away: what would take all memory or for ever does so
there. It gives way to everything else from its first line on, so that turns have the processors when they need them.
"""

import asyncio
import gc
import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from chingoo.adapters.engine_images import EngineImages
from chingoo.adapters.policy_bundles import BundleFiles, pack
from chingoo.adapters.policy_files import read_policy_files, read_promises, read_schemas
from chingoo.engine.images import Matchers
from chingoo.errors import ChingooError, PolicyRefusedError, UnavailableError
from chingoo.flow.compiled import compile_policy, unbuildable
from chingoo.model.policies import Judged
from chingoo.proof.whole import check_whole, try_cases
from chingoo.source.findings import Finding, has_errors

_MIB: Final = 1024 * 1024
_KEPT_ENVIRONMENT: Final = ("PATH", "PYTHONPATH", "PYTHONHOME", "LANG", "LC_ALL", "HOME", "TMPDIR", "LD_LIBRARY_PATH")
"""What the child is told of our environment: nothing that may be secret."""

_CHILD: Final = (
    "from chingoo.adapters.giving_way import give_way; give_way(); "
    "from chingoo.adapters.policy_compiler import main; main()"
)


class Task(msgspec.Struct):
    """What the child is to do, and how far it may go. `bundles` None: judge only."""

    root: str
    schemas: str
    bundles: str | None
    cpu_seconds: int
    memory_mib: int


class Outcome(msgspec.Struct):
    """What it found. `refused` says why there is no digest where no finding does."""

    digest: str | None
    findings: list[Finding]
    refused: str | None = None


class ChildCompiler:
    """Judges the policies of one folder."""

    def __init__(
        self,
        root: Path,
        schema_root: Path,
        bundles: BundleFiles,
        *,
        seconds: float = 300.0,
        work_seconds: int = 60,
        memory_mib: int = 2048,
    ) -> None:
        """What the child may take: `work_seconds`, longer ones where others have the processors, but `seconds` in all;
        and `memory_mib`. A set that needs more is refused."""
        self._seconds, self._work_seconds = seconds, work_seconds
        self._task = msgspec.json.encode(
            Task(str(root), str(schema_root), str(bundles.folder), work_seconds, memory_mib)
        )

    async def judge(self) -> Judged:
        """Compile what is on disk; a sound set lies in its bundle file afterwards.

        PolicyRefusedError: no process of that size could compile it. UnavailableError: none could be started.
        """
        environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
        try:
            child = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                _CHILD,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise UnavailableError(f"no process could be started to compile the policies: {error.strerror}") from error
        try:
            said, complaint = await asyncio.wait_for(child.communicate(self._task), self._seconds)
        except TimeoutError:
            raise PolicyRefusedError(f"compiling the policies took longer than {self._seconds:g} s", ()) from None
        finally:
            if child.returncode is None:
                with suppress(ProcessLookupError):
                    child.kill()
                await child.wait()
        if child.returncode == -signal.SIGXCPU:
            raise PolicyRefusedError(f"compiling the policies takes more than {self._work_seconds} s of work", ())
        return _read(said, complaint, child.returncode)


def _read(said: bytes, complaint: bytes, status: int | None) -> Judged:
    try:
        outcome = msgspec.json.decode(said, type=Outcome)
    except msgspec.MsgspecError:
        last = complaint.decode("utf-8", "replace").strip().rpartition("\n")[2][:300]
        raise PolicyRefusedError(f"the policies could not be compiled (status {status}): {last}", ()) from None
    if outcome.refused is not None:
        raise PolicyRefusedError(outcome.refused, tuple(outcome.findings))
    return Judged(outcome.digest, tuple(outcome.findings))


def compile_task(task: Task) -> Outcome:
    """What the child does, once it has bounded itself."""
    root = Path(task.root)
    files = read_policy_files(root)
    whole = check_whole(files, read_schemas(Path(task.schemas)), promises=read_promises(root))
    findings = list(whole.findings)
    if whole.bundle is None or whole.judging is None or has_errors(findings):
        return Outcome(None, findings)
    matchers = Matchers()
    try:
        compiled = compile_policy(whole.bundle, matchers=matchers)
    except PolicyRefusedError as error:
        return Outcome(None, [*findings, *(one for one in error.findings if isinstance(one, Finding))])
    findings += try_cases(compiled.engine, whole.bundle, whole.judging, whole.trees).findings
    sound = not has_errors(findings)
    if sound and task.bundles is not None:
        with suppress(UnavailableError):
            EngineImages(Path(task.bundles)).write(whole.bundle.digest, matchers.image())
        BundleFiles(Path(task.bundles)).write(whole.bundle.digest, pack(files))
    compiled.close()
    if not sound:
        return Outcome(None, findings)
    return Outcome(whole.bundle.digest, findings)


def main() -> None:
    """The child."""
    answer = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints does not belong into the answer
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    resource.setrlimit(resource.RLIMIT_AS, (task.memory_mib * _MIB, task.memory_mib * _MIB))
    resource.setrlimit(resource.RLIMIT_CPU, (task.cpu_seconds, task.cpu_seconds + 1))
    gc.disable()  # it ends soon, and looking for garbage would be a third of its work
    try:
        outcome = compile_task(task)
    except MemoryError:
        outcome = Outcome(None, [], f"compiling the policies takes more than {task.memory_mib} MiB of memory")
    except ChingooError as error:
        outcome = Outcome(None, [], error.detail)
    except Exception as error:  # noqa: BLE001 - a law that stumbles over a set refuses it like one that finds something
        outcome = Outcome(None, [unbuildable(error)])
    with answer:
        answer.write(msgspec.json.encode(outcome))
