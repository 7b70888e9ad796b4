"""The composition root: chooses the adapters, builds the services over them, and closes all of it in the end."""

import asyncio
import gc
import logging
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from chingoo.adapters import policy_bundles
from chingoo.adapters.background import beside, on_hangup
from chingoo.adapters.cipher import AesCipher
from chingoo.adapters.clock import RandomIds, SystemClock
from chingoo.adapters.detector import ModerationDetector
from chingoo.adapters.jobs import JobQueue
from chingoo.adapters.llm.anthropic import anthropic_llm
from chingoo.adapters.llm.bedrock import bedrock_llm
from chingoo.adapters.llm.openai import openai_llm
from chingoo.adapters.memory import give_back_memory
from chingoo.adapters.metrics import PrometheusMetrics
from chingoo.adapters.policy_bundles import BundleFiles
from chingoo.adapters.policy_compiler import ChildCompiler
from chingoo.adapters.policy_files import (
    read_code_pages,
    read_ordinary_talk,
    read_policy_files,
    read_promises,
    read_schemas,
)
from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.embedded import EmbeddedPostgres
from chingoo.adapters.postgres.migrations import HEAD, upgrade
from chingoo.adapters.postgres.notifications import PostgresNotifications
from chingoo.adapters.postgres.policy_records import PostgresPolicyRecords
from chingoo.adapters.postgres.queries import data_keys, recorded
from chingoo.adapters.postgres.queries.recorded import RecordedDecision
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.adapters.postgres.vault import Vault
from chingoo.adapters.spacy_parser import load_spacy
from chingoo.adapters.webhook import Webhook
from chingoo.errors import PolicyRefusedError
from chingoo.flow.compiled import CompiledPolicy, compile_policy
from chingoo.model.grammar import GrammarParser
from chingoo.model.policies import Process
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import LoadResult, load
from chingoo.ports.cipher import Cipher
from chingoo.ports.models import Detector, Llm
from chingoo.proof.hits import EntryUse
from chingoo.proof.promises import Promises
from chingoo.proof.run import check_files
from chingoo.service.batch_extraction import BatchExtraction
from chingoo.service.context import ContextService
from chingoo.service.conversations import ConversationService
from chingoo.service.crisis_reports import CrisisReporter
from chingoo.service.garbage import without_collections
from chingoo.service.health import HealthService
from chingoo.service.jobs import JobService
from chingoo.service.logs import LogService
from chingoo.service.memories import MemoryService
from chingoo.service.people import PeopleService
from chingoo.service.policies import PolicyHolder
from chingoo.service.policy_build import build_policy
from chingoo.service.policy_hits import EntryCounter, read_uses
from chingoo.service.policy_life import PolicyLife
from chingoo.service.policy_service import PolicyService
from chingoo.service.policy_shadow import Flip, ShadowPolicy
from chingoo.service.turn import TurnService, TurnSettings, TurnWatcher
from chingoo.service.voice import VoiceSettings
from chingoo.settings.values import Provider, Settings

Progress = Callable[[str], AbstractContextManager[None]]

_SCHEMA_ROOT = Path(__file__).resolve().parents[2]
_WAIT_S = 5.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Services:
    """Everything the entry points need."""

    turns: TurnService
    people: PeopleService
    conversations: ConversationService
    memories: MemoryService
    context: ContextService
    policies: PolicyService
    logs: LogService
    jobs: JobService
    health: HealthService
    queue: JobQueue
    metrics: PrometheusMetrics
    clock: SystemClock
    ids: RandomIds


@asynccontextmanager
async def build(settings: Settings, progress: Progress, kind: str = "api") -> AsyncIterator[Services]:
    """The running service without its web server. ChingooError names what is in the way and the remedy.

    `kind` is what the process is called among the others, `api` or `worker`.
    """
    async with AsyncExitStack() as stack:
        with progress("compiling the policies"):
            parser = await asyncio.to_thread(_parser, settings)
            files, compiled = await asyncio.to_thread(_compiled, settings.policy_dir, parser)
        url = await _database(settings, progress, stack)
        with progress("migrating the database"):
            await asyncio.to_thread(upgrade, url)
        clock = SystemClock()
        holder = PolicyHolder(compiled, clock.now())
        stack.callback(holder.close)
        vault = Vault(_cipher(settings), lambda: _guaranteed(holder.current.bundle))
        database = await Database.open(url, connections=settings.pool_size, wait_s=_WAIT_S, vault=vault)
        stack.push_async_callback(database.close)
        await data_keys.check_keys(database, clock.now())
        llm = _llm(settings)
        if llm is not None:
            stack.push_async_callback(llm.aclose)
        detector = _detector(settings)
        if detector is not None:
            stack.push_async_callback(detector.aclose)
        ground = Ground(settings, url, database, PostgresStore(database), clock, RandomIds(), PrometheusMetrics())
        records = PostgresPolicyRecords(database)
        life = await _living(ground, holder, records, kind, files, parser, stack)
        watchers = await _watching(ground, records, stack)
        watchers += await _reporting(ground, stack)
        # A bundle is a million small objects that live as long as the process: no collection need look at them again.
        gc.collect()
        gc.freeze()
        yield _services(
            ground, holder, PolicyService(holder, ground.clock, life, records), Models(llm, detector), watchers
        )


async def upgrade_database(settings: Settings, progress: Progress) -> str:
    """Migrate the database to this release; the revision it is at now."""
    async with AsyncExitStack() as stack:
        url = await _database(settings, progress, stack)
        with progress("migrating the database"):
            await asyncio.to_thread(upgrade, url)
    return HEAD


async def rotate_keys(settings: Settings, progress: Progress) -> Mapping[str, int]:
    """Seal everything anew under the first data key; how many rows of each kind."""
    _, compiled = await asyncio.to_thread(_compiled, settings.policy_dir)
    heads = _guaranteed(compiled.bundle)
    compiled.close()
    async with AsyncExitStack() as stack:
        url = await _database(settings, progress, stack)
        with progress("migrating the database"):
            await asyncio.to_thread(upgrade, url)
        vault = Vault(_cipher(settings), lambda: heads)
        database = await Database.open(url, connections=1, wait_s=_WAIT_S, vault=vault)
        stack.push_async_callback(database.close)
        with progress("sealing anew"):
            return await data_keys.rotate(database, SystemClock().now())


@contextmanager
def offline_policies(settings: Settings) -> Iterator[PolicyService]:
    """The policies on disk, compiled, without a database."""
    clock = SystemClock()
    _, compiled = _compiled(settings.policy_dir)
    service = PolicyService(PolicyHolder(compiled, clock.now()), clock)
    try:
        yield service
    finally:
        service.close()


def policy_sources(root: Path) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Policy texts by path and schema texts by file name, as they are on disk."""
    return read_policy_files(root), read_schemas(_SCHEMA_ROOT)


def policy_promises(root: Path) -> Promises:
    """PRODUCT.md beside the policies, and what is compared with it."""
    return read_promises(root)


def ordinary_talk(root: Path) -> Mapping[str, str]:
    """The files of ordinary talk that no refusal may touch, by path."""
    return read_ordinary_talk(root)


def code_pages() -> Mapping[str, str]:
    """The pages that explain the codes of findings."""
    return read_code_pages()


async def recorded_decision(settings: Settings, progress: Progress, decision_id: UUID) -> RecordedDecision | None:
    """A decision of the running service with its verdict, or None."""
    async with AsyncExitStack() as stack:
        url = await _database(settings, progress, stack)
        database = await Database.open(url, connections=1, wait_s=_WAIT_S)
        stack.push_async_callback(database.close)
        return await recorded.recorded_decision(database, decision_id)


async def policy_hits(settings: Settings, progress: Progress, since: date) -> tuple[EntryUse, ...]:
    """How often each entry of the policies on disk was seen from a day on, the most used first, dead ones last.

    What was counted under earlier sets is counted for the entries that still stand in their lists.
    """
    files, schemas = policy_sources(settings.policy_dir)
    result = load(files, schemas)
    if result.bundle is None:
        raise _refused(settings.policy_dir, result)
    async with AsyncExitStack() as stack:
        url = await _database(settings, progress, stack)
        with progress("migrating the database"):
            await asyncio.to_thread(upgrade, url)
        database = await Database.open(url, connections=1, wait_s=_WAIT_S)
        stack.push_async_callback(database.close)
        return await read_uses(PostgresPolicyRecords(database), policy_bundles, result.bundle, since)


async def safety_counts(
    settings: Settings, progress: Progress, first: date | None, last: date | None
) -> Mapping[str, Any]:
    """Guard hits and crises of the running service by month."""
    async with AsyncExitStack() as stack:
        url = await _database(settings, progress, stack)
        with progress("migrating the database"):
            await asyncio.to_thread(upgrade, url)
        database = await Database.open(url, connections=1, wait_s=_WAIT_S)
        stack.push_async_callback(database.close)
        return await LogService(PostgresStore(database)).counts(first, last)


@dataclass(frozen=True, slots=True)
class Ground:
    """What all services stand on."""

    settings: Settings
    url: str
    database: Database
    store: PostgresStore
    clock: SystemClock
    ids: RandomIds
    metrics: PrometheusMetrics


@dataclass(frozen=True, slots=True)
class Models:
    """The models that are asked over HTTP, each where there is one."""

    llm: Llm | None
    detector: Detector | None


async def _living(
    ground: Ground,
    holder: PolicyHolder,
    records: PostgresPolicyRecords,
    kind: str,
    files: Mapping[str, str],
    parser: GrammarParser | None,
    stack: AsyncExitStack,
) -> PolicyLife:
    """Agree with the other processes on the policies, and follow them until the stack is closed."""
    settings, schemas = ground.settings, read_schemas(_SCHEMA_ROOT)

    def built(digest: str, texts: Mapping[str, str]) -> CompiledPolicy:
        give_back_memory()  # that of the set before the last, and of what was only needed to build
        return build_policy(digest, texts, lambda read: load(read, schemas), parser)

    shelf = BundleFiles(settings.data_dir / "bundles")
    life = PolicyLife(
        holder,
        records,
        ChildCompiler(settings.policy_dir, _SCHEMA_ROOT, shelf),
        shelf,
        policy_bundles,
        built,
        ground.clock,
        ground.metrics,
        Process(f"{socket.gethostname()}:{os.getpid()}", kind, ""),
    )
    said = await life.start(files)
    if said is not None:
        _log.warning(said)
    stack.push_async_callback(life.stop)
    notifications = PostgresNotifications(ground.url)
    await stack.enter_async_context(beside("following the policies", lambda: life.run(notifications)))
    stack.enter_context(on_hangup(lambda: life.reload("SIGHUP", f"SIGHUP to {life.process.id}")))
    return life


async def _watching(ground: Ground, records: PostgresPolicyRecords, stack: AsyncExitStack) -> list[TurnWatcher]:
    """Who looks at settled turns: the counter of entries, and the shadow if there is one."""
    counter = EntryCounter(records, ground.metrics)
    stack.push_async_callback(counter.flush)
    await stack.enter_async_context(beside("counting entries", counter.run))
    shadow_dir = ground.settings.shadow_policy_dir
    if shadow_dir is None:
        return [counter]
    try:
        _, compiled = await asyncio.to_thread(_compiled, shadow_dir)
    except PolicyRefusedError as error:
        # It has no effect, and so it does not keep the service from starting either.
        _log.error("no shadow: %s; `chingoo policy check` shows them", error.detail)
        return [counter]
    shadow = ShadowPolicy(compiled, ground.metrics, _tell_flip)
    stack.callback(shadow.close)
    await stack.enter_async_context(beside("the shadow", shadow.run))
    return [counter, shadow]


async def _reporting(ground: Ground, stack: AsyncExitStack) -> list[TurnWatcher]:
    """Who tells a human of crises, if there is somebody to tell."""
    settings = ground.settings
    if settings.crisis_url is None or settings.webhook_secret is None:
        return []
    webhook = Webhook(settings.crisis_url, settings.webhook_secret, ground.clock)
    stack.push_async_callback(webhook.aclose)
    reporter = CrisisReporter(ground.store, webhook, ground.metrics)
    await stack.enter_async_context(beside("reporting crises", reporter.run))
    return [reporter]


def _tell_flip(flip: Flip) -> None:
    structlog.get_logger("chingoo.shadow").info(
        "the shadow decides otherwise",
        decision_id=str(flip.decision_id),
        live=f"{flip.live.pipeline} {flip.live.safety_policy}",
        shadow=f"{flip.shadow.pipeline} {flip.shadow.safety_policy}",
        live_rule=flip.live_rule,
        shadow_rule=flip.shadow_rule,
        live_digest=flip.live_digest,
        shadow_digest=flip.shadow_digest,
    )


def _services(
    ground: Ground,
    holder: PolicyHolder,
    policies: PolicyService,
    models: Models,
    watchers: Sequence[TurnWatcher],
) -> Services:
    settings, store, clock, ids, metrics = ground.settings, ground.store, ground.clock, ground.ids, ground.metrics
    voice = VoiceSettings(
        voice_model=settings.llm_voice_model,
        mechanics_model=settings.llm_mechanics_model,
        call_timeout_s=settings.llm_timeout_s,
    )
    turns = TurnService(
        store=store,
        policies=holder,
        llm=models.llm,
        detector=models.detector,
        clock=clock,
        ids=ids,
        metrics=metrics,
        settings=TurnSettings(
            deadline_s=settings.turn_deadline_s,
            lease_margin_s=settings.lease_margin_s,
            patience_s=settings.wait_margin_s,
            reap_after_s=settings.reap_after_s,
            voice=voice,
            reports_crises=settings.crisis_url is not None,
        ),
        watchers=watchers,
    )
    batches = BatchExtraction(store, holder, models.llm, clock, ids, metrics, voice)
    jobs = JobService(store, holder, turns, batches, store, clock, metrics)
    return Services(
        turns=turns,
        people=PeopleService(store, holder, clock, ids),
        conversations=ConversationService(store),
        memories=MemoryService(store, holder, clock, ids),
        context=ContextService(store, holder, clock, ids),
        policies=policies,
        logs=LogService(store),
        jobs=jobs,
        health=HealthService(store, holder),
        queue=JobQueue(ground.url, jobs),
        metrics=metrics,
        clock=clock,
        ids=ids,
    )


def _compiled(root: Path, parser: GrammarParser | None = None) -> tuple[Mapping[str, str], CompiledPolicy]:
    """The texts in a folder, and what they compile to. PolicyRefusedError with all findings."""
    files, schemas = policy_sources(root)
    with without_collections():
        result = check_files(files, schemas, promises=policy_promises(root))
        if result.bundle is None:
            raise _refused(root, result)
        return files, compile_policy(result.bundle, parser)


def _refused(root: Path, result: LoadResult) -> PolicyRefusedError:
    return PolicyRefusedError(f"the policies in {root} have errors", result.findings)


async def _database(settings: Settings, progress: Progress, stack: AsyncExitStack) -> str:
    if settings.database_url is not None:
        return settings.database_url
    with progress("starting the embedded database"):
        server = await asyncio.to_thread(EmbeddedPostgres.attach, settings.data_dir, progress=_log.info)
    stack.callback(server.detach)
    await stack.enter_async_context(beside("watching the embedded database", server.keep_alive))
    return server.url


def _cipher(settings: Settings) -> Cipher | None:
    return AesCipher(settings.data_key) if settings.data_key else None


def _guaranteed(bundle: Bundle) -> frozenset[str]:
    """The first parts of the keys of guaranteed families: what is sealed where there is a data key."""
    return frozenset(family.key for family in bundle.memory.families.values() if family.guaranteed)


def _llm(settings: Settings) -> Llm | None:
    make = {Provider.OPENAI: openai_llm, Provider.ANTHROPIC: anthropic_llm, Provider.BEDROCK: bedrock_llm}
    if settings.llm_provider is Provider.OFFLINE:
        return None
    return make[settings.llm_provider](settings.llm_base_url, settings.llm_api_key)


def _detector(settings: Settings) -> Detector | None:
    if settings.detector_url is None:
        return None
    return ModerationDetector(settings.detector_url, settings.detector_api_key, settings.detector_model)


def _parser(settings: Settings) -> GrammarParser | None:
    return load_spacy(dict(settings.spacy_models)) if settings.spacy_models else None
