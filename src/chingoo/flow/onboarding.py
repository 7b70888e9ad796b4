"""What activation remembers of the onboarding answers: those that policy gives a memory key (POL-01, UK-10)."""

from chingoo.flow.identity import memory_id
from chingoo.flow.view import TurnView
from chingoo.model.enums import ExtractedFrom, MemoryStatus
from chingoo.model.people import Memory, MemoryChange


def onboarding_memories(view: TurnView) -> tuple[MemoryChange, ...]:
    """One new memory for each answer with `remember_as` that is not known or suppressed; evidence is the answer itself.

    So no message stands behind it, which only onboarding may do (UK-10).
    """
    bundle, known = view.compiled.bundle, view.known
    families = {family.key: (name, family) for name, family in bundle.memory.families.items()}
    taken = {memory.memory_key for memory in known.memories} | set(known.controls.suppressed_memory_keys)
    changes = []
    for answer in bundle.onboarding.answers:
        value = getattr(known.user.answers, answer.id, None)
        if answer.remember_as is None or value is None or answer.remember_as in taken:
            continue
        name, family = families[answer.remember_as.partition(":")[0]]
        memory = Memory(
            memory_id=memory_id(
                view.request.user_id, view.request.ai_friend_id, answer.remember_as, view.request.message_id
            ),
            user_id=view.request.user_id,
            ai_friend_id=view.request.ai_friend_id,
            type=name,
            memory_key=answer.remember_as,
            memory_value=str(value),
            confidence=family.initial_confidence[ExtractedFrom.ONBOARDING],
            status=MemoryStatus.ACTIVE,
            extracted_from=ExtractedFrom.ONBOARDING,
            created_at=known.received_at,
            last_confirmed_at=known.received_at,
        )
        changes.append(MemoryChange(op="insert", memory=memory))
    return tuple(changes)
