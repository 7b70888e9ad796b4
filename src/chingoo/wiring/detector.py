"""The detector that comes with the project, put together: the policies' weights, a sentence model, the learnt head."""

import asyncio
import gc
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import structlog

from chingoo.adapters.clock import RandomIds
from chingoo.adapters.sentence_model import load_encoder, load_head
from chingoo.engine.engine import Engine, build_engine
from chingoo.engine.entries import forget_forms
from chingoo.errors import SettingsError
from chingoo.hearing.hearing import Hearing
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.detector import DetectorDocument
from chingoo.ports.machine import Ids
from chingoo.service.garbage import without_collections
from chingoo.service.moderation import MOST_WAITING, ModerationService
from chingoo.settings.values import Settings
from chingoo.wiring.database import Progress
from chingoo.wiring.policies import loaded_bundle

_SHOWN_OF_SUM = 12


def hearing_of(engine: Engine) -> Hearing:
    """The detector over an engine, which the caller closes. SettingsError, HeadError: what of it is missing."""
    if engine.weigher is None:
        raise SettingsError("these policies weigh no words (policies/weighing.yaml), which the detector adds to")
    return Hearing(engine, engine.weigher, load_head(), load_encoder())


@asynccontextmanager
async def own_detector(settings: Settings, progress: Progress) -> AsyncIterator[tuple[ModerationService, Ids]]:
    """The detector as a service, and where the ids of its answers come from.

    PolicyRefusedError, SettingsError, HeadError: why it cannot be had.
    """
    with progress("compiling the policies and loading the sentence model"):
        hearing, bundle = await asyncio.to_thread(_loaded, settings)
    warn_of_other_weights(hearing.head.note.weights, bundle.weighing.sum)
    name = f"chingoo-{hearing.head.note.sum[:_SHOWN_OF_SUM]}"
    service = ModerationService(name, hearing.scores, _bounds(bundle.detector), MOST_WAITING)
    gc.collect()
    gc.freeze()
    try:
        yield service, RandomIds()
    finally:
        service.close()
        hearing.engine.close()


def warn_of_other_weights(learnt_beside: str, weights: str) -> None:
    """Say so when the head was learnt beside other weights, known by their sums, than the policies have."""
    if learnt_beside != weights:
        structlog.get_logger("chingoo.detector").warning(
            "the detector was learnt beside other weights than those of policies/weighing.yaml: it may hear too much "
            "or too little until `make detector` learns it anew",
            learnt_beside=learnt_beside,
            weights=weights,
        )


def _loaded(settings: Settings) -> tuple[Hearing, Bundle]:
    with without_collections():
        bundle = loaded_bundle(settings.policy_dir)
        try:
            engine = build_engine(bundle)
        finally:
            forget_forms()
        return hearing_of(engine), bundle


def _bounds(policy: DetectorDocument) -> Mapping[str, float]:
    """From which score on the policies look at a category."""
    return {category: least / 100 for one in policy.says for category, least in one.categories.items()}
