"""The texts of proactive messages, one by one: in which language, on which rung, and for what."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from chingoo.policy.documents.base import Place
from chingoo.policy.documents.retention import RetentionDocument, RungID


@dataclass(frozen=True, slots=True)
class RungText:
    """One text. `place` is that of the group it stands in; `use` is the memory key or stage it is for."""

    text: str
    language: str
    rung: RungID
    use: str
    place: Place


def rung_texts(retention: RetentionDocument) -> Iterator[RungText]:
    """Every text, language by language."""
    for language, texts in retention.texts.items():
        for text in texts.follow_up:
            yield RungText(text, language, RungID.FOLLOW_UP, "", texts.place)
        for key, listed in texts.nudge.items():
            for text in listed:
                yield RungText(text, language, RungID.NUDGE, key, texts.place)
        for stage in fields(texts.check_in):
            for text in () if stage.name == "place" else getattr(texts.check_in, stage.name):
                yield RungText(text, language, RungID.CHECK_IN, stage.name, texts.check_in.place)
