"""Which memories a model is shown, and which of them a reply shows (S-11, CORR-02, GATE-04, LIFE-07)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice

from chingoo.flow.compiled import CompiledPolicy
from chingoo.model.decision import Decision
from chingoo.model.enums import MemoryReadPolicy, Mode
from chingoo.model.people import Memory
from chingoo.model.turn import TurnRequest
from chingoo.reply.fill import filled
from chingoo.reply.gates.report import Surfaced
from chingoo.reply.gates.sensitive_memory import is_guarded
from chingoo.reply.prompt_input import ContextItem
from chingoo.reply.protocol import ModelReply

_MARK = "mem"


def offered(
    compiled: CompiledPolicy, request: TurnRequest, decision: Decision, known: Sequence[Memory]
) -> tuple[Memory, ...]:
    """The memories of a prompt, most important first: none, a few that always matter, or as many as policy allows.

    `known` is what was known before and the turn leaves ACTIVE, without suppressed keys (LIFE-06). Nothing that belongs
    to a topic that must not be brought up now (SAFE-12); in intimate mode nothing sensitive (PERS-32).
    """
    policy, reading = compiled.bundle.memory, decision.routing.memory_read_policy
    if reading is MemoryReadPolicy.NONE:
        return ()
    always = [one for one in known if policy.families[one.type].always_in_context]
    if reading is MemoryReadPolicy.LIGHT:
        return tuple(islice(_fit(compiled, request, decision, always), policy.surfacing.light))
    raised = compiled.memory.mentions.in_order(request.text, known)
    newest = sorted(known, key=lambda one: one.last_confirmed_at, reverse=True)
    ordered = {one.memory_id: one for one in (*always, *raised, *newest)}
    return tuple(islice(_fit(compiled, request, decision, ordered.values()), policy.surfacing.full))


def context_items(compiled: CompiledPolicy, memories: Iterable[Memory], now: datetime) -> tuple[ContextItem, ...]:
    """The memories as a prompt holds them, each with the mark by which the model declares that it used it."""
    marks = compiled.bundle.planning.prompt.memory_marks
    return tuple(
        ContextItem(
            kind="memory",
            text=_text(compiled, memory),
            mark=mark,
            certain=memory.extracted_from in marks.certain_from and memory.confidence >= marks.certain_at_least,
            long_ago=now - memory.last_confirmed_at > timedelta(days=marks.long_ago_days),
            disputed=memory.is_disputed,
        )
        for mark, memory in _marked(memories).items()
    )


def held(memories: Sequence[Memory], items: Iterable[ContextItem]) -> tuple[Memory, ...]:
    """Those of the offered memories that a prompt holds, by the items that fitted into it, in their order."""
    marks = _marked(memories)
    return tuple(marks[item.mark] for item in items if item.mark in marks)


def shown_in(
    compiled: CompiledPolicy, reply: ModelReply, text: str, shown: Sequence[Memory], known: Sequence[Memory]
) -> tuple[Memory, ...]:
    """The memories that a reply shows: what the model declares, then what its words mention, in their order.

    `text` are the words as they will be said, `shown` the prompt's memories, `known` all that could be mentioned. What
    is only declared has no place in the words and stands first: a correction points at the last one.
    """
    marks = _marked(shown)
    mentioned = compiled.memory.mentions.in_order(text, known)
    declared = [marks[mark] for mark in reply.used if mark in marks and marks[mark] not in mentioned]
    return (*declared, *mentioned)


def surfaced(memories: Iterable[Memory]) -> tuple[Surfaced, ...]:
    """As the gates see them."""
    return tuple(Surfaced(str(memory.memory_id), memory.memory_key) for memory in memories)


def _marked(memories: Iterable[Memory]) -> Mapping[str, Memory]:
    """The memories of a prompt by their marks."""
    return {f"{_MARK}{number}": memory for number, memory in enumerate(memories, start=1)}


def _fit(
    compiled: CompiledPolicy, request: TurnRequest, decision: Decision, memories: Iterable[Memory]
) -> Iterator[Memory]:
    bundle = compiled.bundle
    guarded = frozenset(decision.taboo_guard)
    for memory in memories:
        if request.mode is Mode.INTIMATE and bundle.memory.families[memory.type].sensitive:
            continue
        if not is_guarded(bundle.gates, compiled.engine, bundle.topics.sensitive, guarded, memory.memory_key):
            yield memory


def _text(compiled: CompiledPolicy, memory: Memory) -> str:
    """A memory in words: `current city: Lisbon`, `likes sushi (food)`."""
    stated = compiled.memory.keys.stated(memory.memory_key, memory.memory_value)
    head, *rest = memory.memory_key.split(":")
    kind = " ".join(rest[:-1] or rest).replace("_", " ")
    name = f"{head}_{stated.stance}" if stated.stance else head
    text = compiled.bundle.planning.prompt.context.told.get(name, "{kind}: {value}")
    return filled(text, kind=kind, value=stated.value.replace("_", " "))
