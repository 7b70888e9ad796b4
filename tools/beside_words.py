"""A decision as the service makes it with the shipped detector beside it: asked where it could make things stricter."""

from collections.abc import Callable
from dataclasses import replace

from chingoo.engine.detector import detector_says
from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.model.decision import Decision, EvaluationInput
from chingoo.model.enums import SafetyPolicy
from chingoo.policy.bundle import Bundle
from chingoo.wiring.detector import hearing_of

Decide = Callable[[EvaluationInput], Decision]


def by_words(engine: Engine) -> Decide:
    """The words alone."""
    return lambda given: evaluate(engine, given)


def beside_words(engine: Engine, bundle: Bundle) -> Decide:
    """The words, and the detector where they see neither a crisis nor what is refused outright."""
    hearing = hearing_of(engine)

    def decide(given: EvaluationInput) -> Decision:
        decision = evaluate(engine, given)
        if decision.signals.crisis.detected or decision.routing.safety_policy is SafetyPolicy.HARD_REFUSE:
            return decision
        said = detector_says(bundle.detector, hearing.scores(given.text))
        return evaluate(engine, replace(given, detector=said))

    return decide
