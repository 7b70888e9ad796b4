"""What activation remembers of the onboarding answers: those that policy gives a memory key (POL-01, UK-10)."""

from collections.abc import Iterator

from chingoo.model.decision import ExtractedFact
from chingoo.model.enums import ExtractedFrom
from chingoo.model.turn import Known
from chingoo.policy.bundle import Bundle


def onboarding_facts(bundle: Bundle, known: Known) -> Iterator[ExtractedFact]:
    """One fact for each answer with `remember_as` under a key that nothing is known of; the answer itself is evidence.

    So no message stands behind it, which only onboarding may do (UK-10).
    """
    families = {family.key: (name, family) for name, family in bundle.memory.families.items()}
    taken = {memory.memory_key for memory in known.memories} | set(known.controls.suppressed_memory_keys)
    for answer in bundle.onboarding.answers:
        value = getattr(known.user.answers, answer.id, None)
        if answer.remember_as is None or value is None or answer.remember_as in taken:
            continue
        name, family = families[answer.remember_as.partition(":")[0]]
        confidence = family.initial_confidence[ExtractedFrom.ONBOARDING]
        yield ExtractedFact(name, answer.remember_as, str(value), confidence, ExtractedFrom.ONBOARDING)
