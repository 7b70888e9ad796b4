"""What a text states about the person."""

from dataclasses import replace

from chingoo.engine.evaluate import evaluate
from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.records import evaluation_input, zone_of
from chingoo.memory.targets import Hear
from chingoo.model.decision import Decision, ExtractedFact
from chingoo.model.turn import Known, TurnRequest


def heard(
    compiled: CompiledPolicy, request: TurnRequest, known: Known, text: str, decision: Decision
) -> tuple[ExtractedFact, ...]:
    """Everything of a text that may be remembered: the guaranteed facts of its decision, then what the listener hears.

    Each key once; a guaranteed fact wins. A thing that is known by its name in another language stands under that one.
    """
    listened = compiled.memory.listener.heard(text, decision, known.received_at, zone_of(request, known))
    met = compiled.memory.sameness.met(listened, known.memories, known.controls.suppressed_memory_keys)
    facts = {fact.memory_key: fact for fact in (*met, *decision.facts)}
    return tuple(facts.values())


def hearer(compiled: CompiledPolicy, request: TurnRequest, known: Known) -> Hear:
    """The same for any words: a target of a command, a denied sentence, an earlier message."""
    given = replace(evaluation_input(compiled, request, known), history=())

    def hear(text: str) -> tuple[ExtractedFact, ...]:
        return heard(compiled, request, known, text, evaluate(compiled.engine, replace(given, text=text)))

    return hear
