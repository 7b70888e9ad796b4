"""How likely a message is of which category: what its words weigh, and what a sentence model hears, added up."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import may_be_arabizi
from chingoo.engine.weighing import Sums, Weigher
from chingoo.hearing.head import Head, Vectors
from chingoo.hearing.parts import parts_of
from chingoo.text.language import detect_language
from chingoo.text.normalise import normalise

Encode = Callable[[Sequence[str]], Vectors]
"""The vectors of texts, in their order. Whatever a text holds, it has one."""

_PARENT: Final = "/"
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Hearing:
    """A detector of one's own. The same text gives the same scores on one machine; nothing is remembered of it.

    It hears one message and knows nothing of what was said before. It is a second opinion: what it does not hear tells
    nothing, and what the words see stands, whatever it says.
    """

    engine: Engine
    weigher: Weigher
    head: Head
    encode: Encode

    def scores(self, text: str) -> Mapping[str, float]:
        """Scores from 0 to 1 by category, those of the part of the message that scores highest.

        A category has at least the score of what stands under it: self-harm that of self-harm/intent.
        """
        parts = parts_of(text)
        if not any(parts):
            parts = []
        found = dict.fromkeys(self.categories, 0.0)
        heard = self.head.hear(self.encode(parts)) if parts else ()
        for part, numbers in zip(parts, heard, strict=True):
            weighed = self.weighed(part)
            for output, number in zip(self.head.note.outputs, numbers, strict=True):
                total = getattr(weighed, output.weighs) / 100 + output.share * float(number) + output.offset
                found[output.category] = max(found[output.category], _logistic(total))
        for category, score in tuple(found.items()):
            above = category.partition(_PARENT)[0]
            found[above] = max(found.get(above, 0.0), score)
        return {category: round(score, _DIGITS) for category, score in found.items()}

    @property
    def categories(self) -> tuple[str, ...]:
        """What is scored."""
        return tuple(output.category for output in self.head.note.outputs)

    def weighed(self, text: str) -> Sums:
        """What the words of a text weigh by themselves, in hundredths, without what exceptions excuse."""
        normalised = normalise(text)
        detected = detect_language(normalised.match, self.engine.languages)
        scan = self.engine.matcher.scan(normalised, by_ear=may_be_arabizi(detected))
        excused = self.engine.crisis.read(scan, list).excused
        return self.weigher.alone(scan if excused is None else self.weigher.rest_of(scan, excused))


def _logistic(number: float) -> float:
    return 1 / (1 + exp(-number)) if number >= 0 else 1 - 1 / (1 + exp(number))
