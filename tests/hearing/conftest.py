"""The detector that comes with the project, with its real sentence model: one for each worker."""

import pytest

from chingoo.engine.engine import Engine
from chingoo.hearing.hearing import Hearing
from chingoo.wiring.detector import hearing_of


@pytest.fixture(scope="session")
def hearing(engine: Engine) -> Hearing:
    """It, over the shipped policies."""
    return hearing_of(engine)
