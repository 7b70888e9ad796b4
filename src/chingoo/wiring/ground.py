"""What all services of a process stand on, and what goes on beside their turns until the process ends."""

import asyncio
import logging
import os
import socket
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass

import structlog

from chingoo.adapters import policy_bundles
from chingoo.adapters.background import beside, on_hangup
from chingoo.adapters.clock import RandomIds, SystemClock
from chingoo.adapters.engine_images import EngineImages
from chingoo.adapters.memory import give_back_memory
from chingoo.adapters.metrics import PrometheusMetrics
from chingoo.adapters.policy_bundles import BundleFiles
from chingoo.adapters.policy_compiler import ChildCompiler
from chingoo.adapters.policy_files import read_schemas
from chingoo.adapters.postgres.database import Database
from chingoo.adapters.postgres.notifications import PostgresNotifications
from chingoo.adapters.postgres.policy_records import PostgresPolicyRecords
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.adapters.webhook import Webhook
from chingoo.errors import PolicyRefusedError
from chingoo.flow.compiled import CompiledPolicy
from chingoo.model.grammar import GrammarParser
from chingoo.model.policies import Process
from chingoo.policy.compile import SetReader
from chingoo.service.crisis_reports import CrisisReporter
from chingoo.service.policies import PolicyHolder
from chingoo.service.policy_build import build_policy
from chingoo.service.policy_hits import EntryCounter
from chingoo.service.policy_life import PolicyLife
from chingoo.service.policy_shadow import Flip, ShadowPolicy
from chingoo.service.turn import TurnWatcher
from chingoo.settings.values import Settings
from chingoo.wiring.policies import SCHEMA_ROOT, compiled_policies

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ground:
    """What all services stand on."""

    settings: Settings
    url: str
    database: Database
    store: PostgresStore
    records: PostgresPolicyRecords
    clock: SystemClock
    ids: RandomIds
    metrics: PrometheusMetrics


async def living_policies(
    ground: Ground,
    holder: PolicyHolder,
    kind: str,
    files: Mapping[str, str],
    parser: GrammarParser | None,
    stack: AsyncExitStack,
) -> PolicyLife:
    """Agree with the other processes on the policies, and follow them until the stack is closed."""
    settings, reader = ground.settings, SetReader(read_schemas(SCHEMA_ROOT))

    def built(digest: str, texts: Mapping[str, str]) -> CompiledPolicy:
        give_back_memory()  # that of the set before the last, and of what was only needed to build
        return build_policy(digest, texts, reader.load, parser, images.read)

    shelf = BundleFiles(settings.data_dir / "bundles")
    images = EngineImages(shelf.folder)
    life = PolicyLife(
        holder,
        ground.records,
        ChildCompiler(settings.policy_dir, SCHEMA_ROOT, shelf),
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


async def turn_watchers(ground: Ground, stack: AsyncExitStack) -> list[TurnWatcher]:
    """Who looks at settled turns: the counter of entries, a shadow and a reporter of crises where they are set."""
    counter = EntryCounter(ground.records, ground.metrics)
    stack.push_async_callback(counter.flush)
    await stack.enter_async_context(beside("counting entries", counter.run))
    others = [await _shadow(ground, stack), await _reporter(ground, stack)]
    return [counter, *(watcher for watcher in others if watcher is not None)]


async def _shadow(ground: Ground, stack: AsyncExitStack) -> TurnWatcher | None:
    shadow_dir = ground.settings.shadow_policy_dir
    if shadow_dir is None:
        return None
    try:
        _, compiled = await asyncio.to_thread(compiled_policies, shadow_dir)
    except PolicyRefusedError as error:
        # It has no effect, and so it does not keep the service from starting either.
        _log.error("no shadow: %s; `chingoo policy check` shows them", error.detail)
        return None
    shadow = ShadowPolicy(compiled, ground.metrics, _tell_flip)
    stack.callback(shadow.close)
    await stack.enter_async_context(beside("the shadow", shadow.run))
    return shadow


async def _reporter(ground: Ground, stack: AsyncExitStack) -> TurnWatcher | None:
    settings = ground.settings
    if settings.crisis_url is None or settings.webhook_secret is None:
        return None
    webhook = Webhook(settings.crisis_url, settings.webhook_secret, ground.clock)
    stack.push_async_callback(webhook.aclose)
    reporter = CrisisReporter(ground.store, webhook, ground.metrics)
    await stack.enter_async_context(beside("reporting crises", reporter.run))
    return reporter


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
