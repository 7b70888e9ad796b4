"""The running service: everything chosen, put together, and closed again in the end."""

import asyncio
import gc
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from chingoo.adapters.clock import RandomIds, SystemClock
from chingoo.adapters.detector import ModerationDetector
from chingoo.adapters.jobs import JobQueue
from chingoo.adapters.llm.anthropic import anthropic_llm
from chingoo.adapters.llm.bedrock import bedrock_llm
from chingoo.adapters.llm.openai import openai_llm
from chingoo.adapters.memory import keep_memory_whole
from chingoo.adapters.metrics import PrometheusMetrics
from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.policy_records import PostgresPolicyRecords
from chingoo.adapters.postgres.queries import data_keys
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.ports.models import Detector, Llm
from chingoo.service.batch_extraction import BatchExtraction
from chingoo.service.context import ContextService
from chingoo.service.conversations import ConversationService
from chingoo.service.health import HealthService
from chingoo.service.jobs import JobService
from chingoo.service.logs import LogService
from chingoo.service.memories import MemoryService
from chingoo.service.people import PeopleService
from chingoo.service.policies import PolicyHolder
from chingoo.service.policy_service import PolicyService
from chingoo.service.reviews import ReviewService
from chingoo.service.turn import TurnService, TurnSettings, TurnWatcher
from chingoo.service.voice import VoiceSettings
from chingoo.settings.values import Provider, Settings
from chingoo.wiring.database import WAIT_S, Progress, guaranteed, migrated_address, vault_of
from chingoo.wiring.ground import Ground, living_policies, turn_watchers
from chingoo.wiring.policies import compiled_policies, grammar_parser


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
    reviews: ReviewService
    jobs: JobService
    health: HealthService
    queue: JobQueue
    metrics: PrometheusMetrics
    clock: SystemClock
    ids: RandomIds


@dataclass(frozen=True, slots=True)
class _Models:
    """The models that are asked over HTTP, each where there is one."""

    llm: Llm | None
    detector: Detector | None


@asynccontextmanager
async def build(settings: Settings, progress: Progress, kind: str = "api") -> AsyncIterator[Services]:
    """The running service without its web server. ChingooError names what is in the way and the remedy.

    `kind` is what the process is called among the others, `api` or `worker`.
    """
    keep_memory_whole()
    async with AsyncExitStack() as stack:
        with progress("compiling the policies"):
            parser = await asyncio.to_thread(grammar_parser, settings)
            files, compiled = await asyncio.to_thread(compiled_policies, settings.policy_dir, parser)
        url = await migrated_address(settings, progress, stack)
        clock = SystemClock()
        holder = PolicyHolder(compiled, clock.now())
        stack.callback(holder.close)
        vault = vault_of(settings, lambda: guaranteed(holder.current.bundle))
        database = await Database.open(url, connections=settings.pool_size, wait_s=WAIT_S, vault=vault)
        stack.push_async_callback(database.close)
        await data_keys.check_keys(database, clock.now())
        models = _models(settings, stack)
        ground = Ground(
            settings,
            url,
            database,
            PostgresStore(database),
            PostgresPolicyRecords(database),
            clock,
            RandomIds(),
            PrometheusMetrics(),
        )
        life = await living_policies(ground, holder, kind, files, parser, stack)
        watchers = await turn_watchers(ground, stack)
        # A bundle is a million small objects that live as long as the process: no collection need look at them again.
        gc.collect()
        gc.freeze()
        yield _services(ground, holder, PolicyService(holder, clock, life, ground.records), models, watchers)


def _services(
    ground: Ground,
    holder: PolicyHolder,
    policies: PolicyService,
    models: _Models,
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
        memories=MemoryService(store, holder, clock, ids, metrics),
        context=ContextService(store, holder, clock, ids),
        policies=policies,
        logs=LogService(store),
        reviews=ReviewService(store, clock, metrics),
        jobs=jobs,
        health=HealthService(store, holder),
        queue=JobQueue(ground.url, jobs),
        metrics=metrics,
        clock=clock,
        ids=ids,
    )


def _models(settings: Settings, stack: AsyncExitStack) -> _Models:
    llm, detector = _llm(settings), _detector(settings)
    for model in (llm, detector):
        if model is not None:
            stack.push_async_callback(model.aclose)
    return _Models(llm, detector)


def _llm(settings: Settings) -> Llm | None:
    make = {Provider.OPENAI: openai_llm, Provider.ANTHROPIC: anthropic_llm, Provider.BEDROCK: bedrock_llm}
    if settings.llm_provider is Provider.OFFLINE:
        return None
    return make[settings.llm_provider](settings.llm_base_url, settings.llm_api_key)


def _detector(settings: Settings) -> Detector | None:
    if settings.detector_url is None:
        return None
    return ModerationDetector(settings.detector_url, settings.detector_api_key, settings.detector_model)
