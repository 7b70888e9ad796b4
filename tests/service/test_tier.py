"""Which model answers (MODEL-01, C-53)."""

from typing import Any

import pytest
from tests.reply.situations import decided

from chingoo.engine.engine import Engine
from chingoo.flow.tier import MECHANICS, VOICE, model_role
from chingoo.model.enums import Pipeline
from chingoo.policy.bundle import Bundle

LONG = "how tall is the tower " * 30


@pytest.mark.parametrize(
    ("text", "pipeline", "signals", "mechanical", "role"),
    [
        ("hello", Pipeline.FRIEND_CHAT, {}, False, VOICE),
        ("hello", Pipeline.ONBOARDING_CHAT, {}, True, VOICE),
        ("hello", Pipeline.EMOTIONAL_SUPPORT, {"valence": 0.0}, True, VOICE),
        ("how tall is the tower?", Pipeline.INFO_QA, {"valence": 0.0}, False, MECHANICS),
        ("how tall is the tower?", Pipeline.INFO_QA, {"valence": -0.8}, False, MECHANICS),  # 3
        (LONG, Pipeline.INFO_QA, {"valence": -0.8}, False, VOICE),  # 3 + 1
        (LONG, Pipeline.INFO_QA, {"valence": 0.8}, False, VOICE),
        (LONG, Pipeline.INFO_QA, {"valence": -0.74}, False, MECHANICS),
        (LONG, Pipeline.INFO_QA, {"valence": -0.8}, True, MECHANICS),  # 3 + 1 - 1: a rewrite is mechanical work
        ("why am I so stressed?", Pipeline.INFO_QA, {"valence": -0.8}, False, VOICE),  # 3 + 2: a question in distress
        ("why am I so stressed?", Pipeline.INFO_QA, {"valence": -0.8}, True, VOICE),
        ("why am I so stressed?", Pipeline.INFO_QA, {"valence": -0.2}, False, MECHANICS),
    ],
)
def test_points_choose_the_model(
    bundle: Bundle,
    engine: Engine,
    text: str,
    pipeline: Pipeline,
    signals: dict[str, Any],
    mechanical: bool,
    role: str,
) -> None:
    decision = decided(engine, text, pipeline=pipeline, **signals)
    assert model_role(bundle.models.router, decision, text, mechanical=mechanical) == role
