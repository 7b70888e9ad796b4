"""The response protocol: what a model wraps around its message is taken off and read, and never shown (LLM-01…07).

Tolerant by design: a tag that is missing, unclosed, unopened or misspelt in case does not lose the message, and
nothing inside a hidden block reaches a person. Where the two cannot both be had – a thinking block that never ends and
has no form – the block stays hidden, and the answer counts as empty. A message is plain text: the lines of code
fences, which models put around their tags or their message, are taken off wherever they stand.
"""

import re
from dataclasses import dataclass, field

_NAMES = "thinking|think|draft|dispatch|memories|used_memories"
_THOUGHTS = frozenset(("thinking", "think", "draft"))
_FIELDS = "mode|userintensity|feelheardcheck|readyshare|strategy"
_BLOCK = re.compile(rf"<\s*({_NAMES})\b[^<>]*>(.*?)<\s*/\s*\1\s*>", re.IGNORECASE | re.DOTALL)
_OPENING = re.compile(rf"<\s*({_NAMES})\b[^<>]*>", re.IGNORECASE)
_CLOSING = re.compile(rf"<\s*/\s*(?:{_NAMES})\s*>", re.IGNORECASE)
_EMPTY = re.compile(rf"<\s*(?:{_NAMES})\b[^<>]*/\s*>", re.IGNORECASE)
_TAG = re.compile(rf"<\s*/?\s*(?:{_NAMES})\b[^<>]*>", re.IGNORECASE)
_SPEECH = re.compile(r"<\s*/?\s*(?:message|reply|response|answer|final)\b[^<>]*>", re.IGNORECASE)
_CUT_TAG = re.compile(r"</?[A-Za-z_]*\Z")
_FENCE_LINE = re.compile(r"^[ \t]*```[\w-]*[ \t]*(?:\n|\Z)", re.MULTILINE)
_FIELD_LINE = re.compile(rf"[ \t]*({_FIELDS})[ \t]*:[ \t]*([^\n]*)(?:\n|\Z)", re.IGNORECASE)
_INLINE_MARKS = re.compile(r"[ \t]*[\[(]\s*((?:mem|ep)\d+(?:\s*,\s*(?:mem|ep)\d+)*)\s*[\])]", re.IGNORECASE)
_MARK = re.compile(r"(?:mem|ep)\d+", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n{3,}")
_SPACES = re.compile(r" {2,}")
_LEAST_BARE_FIELDS = 2


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's answer taken apart. `text` is what a person may see, and may be empty.

    `used` are the marks of the memories it says it used, in order, each once. `fields` are the lines of its thinking
    (`Mode`, `UserIntensity`, …) under lower-case names; `dispatch` is the action it asked for.
    """

    text: str
    used: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    dispatch: str | None = None


@dataclass(slots=True)
class _Hidden:
    """What was taken off, in order: names of tags with what they held."""

    blocks: list[tuple[str, str]] = field(default_factory=list)

    def take(self, match: re.Match[str]) -> str:
        name = match.group(1).lower()
        self.blocks.append((name, match.group(2)))
        return "\n" if name in _THOUGHTS else ""

    def take_marks(self, match: re.Match[str]) -> str:
        self.blocks.append(("memories", match.group(1)))
        return ""

    def of(self, *names: str) -> list[str]:
        return [inner for name, inner in self.blocks if name in names]


def parse_reply(raw: str) -> ModelReply:
    """Take a model's answer apart."""
    hidden = _Hidden()
    text = _EMPTY.sub("", _FENCE_LINE.sub("", raw.strip()))
    text = _BLOCK.sub(hidden.take, text)
    text = _without_unopened(text)
    text = _without_unclosed(text, hidden)
    text = _SPEECH.sub("", _INLINE_MARKS.sub(hidden.take_marks, text))
    text = _without_bare_fields(_CUT_TAG.sub("", _without_tags(text)).strip(), hidden)
    marks = (mark.lower() for inner in hidden.of("memories", "used_memories") for mark in _MARK.findall(inner))
    actions = [inner.strip() for inner in hidden.of("dispatch") if inner.strip()]
    thoughts = "\n".join(hidden.of("thinking", "think"))
    return ModelReply(
        text=_SPACES.sub(" ", _BLANK_LINES.sub("\n\n", text)).strip(),
        used=tuple(dict.fromkeys(marks)),
        fields=tuple((name.lower(), value.strip()) for name, value in _FIELD_LINE.findall(thoughts)),
        dispatch=actions[0] if actions else None,
    )


def spoken(raw: str) -> str:
    """What a person may see of a model's answer; empty when there is nothing but thinking."""
    return parse_reply(raw).text


def _without_unopened(text: str) -> str:
    """A closing tag without its opening: what stands before it was hidden, unless nothing stands after it."""
    closings = [tag for tag in _CLOSING.finditer(text) if not _OPENING.search(text, 0, tag.start())]
    for tag in reversed(closings):
        after = text[tag.end() :]
        if _has_words(after):
            return after
        text = text[: tag.start()] + after
    return text


def _without_unclosed(text: str, hidden: _Hidden) -> str:
    """Opening tags without their closing: each hides up to where its form ends, and what follows is the message.

    That is a closing tag of another name; else, of thinking and drafts, the first blank line or the last line of known
    fields; of marks and actions, the end of their line. Words before the tag are the message in any case.
    """
    opening = _OPENING.search(text)
    while opening is not None:
        before, rest = text[: opening.start()], text[opening.end() :].lstrip("\n")
        inner, after = _hidden_part(opening.group(1).lower(), rest)
        hidden.blocks.append((opening.group(1).lower(), inner))
        text = f"{before}\n{after}"
        opening = _OPENING.search(text)
    return _without_tags(text)


def _without_tags(text: str) -> str:
    """Without any tag that is left, also those that come about when one within them is taken out."""
    while (bare := _TAG.sub("", text)) != text:
        text = bare
    return text


def _hidden_part(name: str, rest: str) -> tuple[str, str]:
    """(what the tag hides, what follows)."""
    closing = _CLOSING.search(rest)
    if closing is not None:
        return rest[: closing.start()], rest[closing.end() :]
    if name not in _THOUGHTS:
        inner, _, after = rest.partition("\n")
        return inner, after
    inner, blank_line, after = rest.partition("\n\n")
    if blank_line and _has_words(after):
        return inner, after
    end = _end_of_fields(rest)
    return (rest[:end], rest[end:]) if end else (rest, "")


def _end_of_fields(text: str) -> int:
    """Where the known fields at the beginning of a text end; 0 if there are none."""
    end = 0
    while (line := _FIELD_LINE.match(text, end)) is not None and line.end() > end:
        end = line.end()
    return end


def _without_bare_fields(text: str, hidden: _Hidden) -> str:
    """Fields of thinking without any tag around them; one alone may be a sentence of the message."""
    end = _end_of_fields(text)
    if len(_FIELD_LINE.findall(text[:end])) < _LEAST_BARE_FIELDS:
        return text
    hidden.blocks.append(("thinking", text[:end]))
    return text[end:].strip()


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in _OPENING.sub("", _CLOSING.sub("", text)))
