"""The texts a request may hold: each type reads itself strictly and says what it would take.

Each is a msgspec custom type: `parse` raises ValueError in the caller's words, `schema` is what OpenAPI says of it. Two
rules hold for every text: no null character (no database keeps one), and nothing that UTF-8 cannot carry.
"""

import unicodedata
from typing import Any, ClassVar, Final, Self

Schema = dict[str, Any]

_JOINERS: Final = "\u200c\u200d"
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


class PlainText(str):
    """Any text of at most `longest` characters; it may be empty."""

    __slots__ = ()
    longest: ClassVar[int] = 200

    @classmethod
    def parse(cls, given: object) -> Self:
        """The text as sent, or ValueError."""
        return cls(sound_text(given, cls.longest))

    @classmethod
    def schema(cls) -> Schema:
        """JSON Schema of the text."""
        return {"type": "string", "maxLength": cls.longest}


class Cursor(PlainText):
    """Where the next page begins: `next` of the page before."""

    __slots__ = ()
    longest = 512


class EarlierText(PlainText):
    """An earlier message, or the message that a reply answers."""

    __slots__ = ()
    longest = 4000


class EarlierReply(PlainText):
    """A reply given before."""

    __slots__ = ()
    longest = 16000


class SpokenText(str):
    """A text that says something: 1 to `longest` characters after trimming (S-12). It is kept as sent."""

    __slots__ = ()
    longest: ClassVar[int] = 4000

    @classmethod
    def parse(cls, given: object) -> Self:
        """The text as sent, or ValueError."""
        text = string(given)
        trimmed = sound_text(text.strip(), cls.longest)
        if all(unicodedata.category(letter) in _INVISIBLE or letter.isspace() for letter in trimmed):
            raise ValueError(f"must say something: 1 to {cls.longest:,} characters after trimming")
        return cls(text)

    @classmethod
    def schema(cls) -> Schema:
        """JSON Schema of the text; its length is counted after trimming, which a schema cannot say."""
        return {
            "type": "string",
            "minLength": 1,
            "description": f"1 to {cls.longest:,} characters after trimming; emoji alone are a message",
        }


class MessageText(SpokenText):
    """What the user says in a turn, trimmed."""

    __slots__ = ()

    @classmethod
    def parse(cls, given: object) -> Self:
        """The trimmed text, or ValueError."""
        return cls(super().parse(given).strip())


class Reason(SpokenText):
    """Why somebody did something, for those who read the history."""

    __slots__ = ()
    longest = 500


class Note(SpokenText):
    """What an editor adds to a verdict."""

    __slots__ = ()
    longest = 1000


class MemoryValue(SpokenText):
    """What is remembered, in the person's words."""

    __slots__ = ()
    longest = 500


class ReplyText(SpokenText):
    """A reply to judge."""

    __slots__ = ()
    longest = 16000


class PersonName(str):
    """A person's or a friend's name: 1 to 80 characters on one line, after trimming, without invisible ones (S-18)."""

    __slots__ = ()
    longest: ClassVar[int] = 80

    @classmethod
    def parse(cls, given: object) -> Self:
        """The trimmed name in composed form, or ValueError."""
        name = unicodedata.normalize("NFC", sound_text(given, 10 * cls.longest)).strip()
        if not 1 <= len(name) <= cls.longest:
            raise ValueError(f"a name has 1 to {cls.longest} characters after trimming")
        if any(unicodedata.category(letter) in _INVISIBLE and letter not in _JOINERS for letter in name):
            raise ValueError("a name holds no line breaks and no control or invisible characters")
        if not name.strip(_JOINERS):
            raise ValueError("a name holds at least one visible character")
        return cls(name)

    @classmethod
    def schema(cls) -> Schema:
        """JSON Schema of the name."""
        return {
            "type": "string",
            "minLength": 1,
            "description": f"1 to {cls.longest} characters on one line after trimming; no control characters",
        }


def string(given: object) -> str:
    """The value if it is a string, else ValueError."""
    if isinstance(given, str):
        return given
    raise ValueError(f"expected a string, got {kind_of(given)}")


def sound_text(given: object, longest: int) -> str:
    """The text if it can be stored and is short enough, else ValueError."""
    text = string(given)
    if "\0" in text:
        raise ValueError("a text holds no null character (U+0000)")
    if len(text) > longest:
        raise ValueError(f"at most {longest:,} characters, got {len(text):,}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("holds half of a surrogate pair, which is no character") from None
    return text


def kind_of(value: object) -> str:
    """What JSON calls a value."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "an array"
        case _:
            return "an object"
