"""What stood right before a message in its talk: what corrections may point at, and topics that may be closed."""

from collections.abc import Sequence

from chingoo.engine.engine import Engine
from chingoo.flow.compiled import CompiledPolicy
from chingoo.memory.grammar import Reading
from chingoo.memory.targets import Before, Shown
from chingoo.model.enums import Mode, ReplyOrigin, Role, TopicID
from chingoo.model.people import StoredMessage
from chingoo.policy.documents.corrections import Command
from chingoo.reply.gates.look import is_question
from chingoo.text.normalise import normalise


def talk_of(history: Sequence[StoredMessage], mode: Mode) -> list[StoredMessage]:
    """The messages of one mode that can be shown; the other mode has a history of its own (PERS-32)."""
    return [one for one in history if one.mode == mode and one.text is not None]


def before_of(compiled: CompiledPolicy, talk: Sequence[StoredMessage]) -> Before:
    """The last reply, what it answered, and the reply before that (CORR-01)."""
    reply, said, earlier = _last_lines(talk)
    return Before(
        reply=_shown(reply),
        said=compiled.memory.corrections.read(said.text or "") if said else Reading((), ()),
        said_text=said.text if said else None,
        said_id=said.message_id if said else None,
        earlier_reply=_shown(earlier),
    )


def closed_topics(engine: Engine, reading: Reading, talk: Sequence[StoredMessage]) -> tuple[TopicID, ...] | None:
    """The topics the person asks never to hear of again; None when nothing of the kind was said (CORR-07, S-10).

    Those that are named; else the topic with most hits in the last reply, else in the person's message before it.
    """
    if reading.first(Command.CLOSE_TOPIC, Command.CLOSE_TOPIC_NAMED) is None:
        return None
    named = [topic for said in reading.of(Command.CLOSE_TOPIC_NAMED) for topic in _topics(engine, said.x)]
    if named or reading.first(Command.CLOSE_TOPIC) is None:
        return tuple(dict.fromkeys(named))
    reply, said_before, _ = _last_lines(talk)
    for line in (reply, said_before):
        topics = _topics(engine, line.text or "") if line is not None else []
        if topics:
            return (topics[0],)
    return ()


def _topics(engine: Engine, text: str) -> list[TopicID]:
    """The topics of a text, the one with most hits first."""
    matches = engine.topics.read(engine.matcher.scan(normalise(text)))
    return [match.topic for match in sorted(matches, key=lambda match: -len(match.hits))]


def _last_lines(
    talk: Sequence[StoredMessage],
) -> tuple[StoredMessage | None, StoredMessage | None, StoredMessage | None]:
    lines = list(talk[-3:])
    reply = lines.pop() if lines and lines[-1].role is Role.ASSISTANT else None
    said = lines.pop() if lines and lines[-1].role is Role.USER else None
    earlier = lines.pop() if lines and lines[-1].role is Role.ASSISTANT else None
    return reply, said, earlier


def _shown(message: StoredMessage | None) -> Shown | None:
    if message is None:
        return None
    return Shown(
        message_id=message.message_id,
        memory_ids=message.surfaced_memory_ids,
        asks=is_question(message.text or ""),
        fixed=message.origin is ReplyOrigin.FIXED,
    )
