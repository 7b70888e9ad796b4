"""What tests of decisions share: asking the shipped engine in one line."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.model.decision import Decision, EvaluationInput

Decide = Callable[..., Decision]


@pytest.fixture
def decide(engine: Engine) -> Decide:
    """Decides a text: `decide(text, age_band=…, explain=True)`."""
    return asking(engine)


@pytest.fixture
def decide_by_rules(engine: Engine) -> Decide:
    """The same by rules alone: what words weigh together is not heard."""
    return asking(replace(engine, weigher=None))


def asking(engine: Engine) -> Decide:
    """Has an engine decide texts, all at one time."""

    def ask(text: str, *, explain: bool = False, **parts: Any) -> Decision:
        return evaluate(engine, EvaluationInput(text, datetime(2026, 3, 2, 12, tzinfo=UTC), **parts), explain)

    return ask
