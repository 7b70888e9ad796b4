"""Sizes, heights and weights: letters, and numbers beside the words that give them meaning (INST-06, INST-07, C-36)."""

from collections.abc import Mapping
from typing import NamedTuple

from chingoo.engine.amounts import number_at, told_number
from chingoo.engine.glimpse import Glimpse
from chingoo.engine.utterance import Utterance
from chingoo.engine.vocabulary import Vocabulary, Words
from chingoo.policy.documents.instant import AnchorsDocument

SIZE, SHOE_SIZE, HEIGHT, WEIGHT = "size", "shoe_size", "height_cm", "weight_kg"
CM, METRE, FOOT, INCH, KG, POUND = "cm", "m", "ft", "in", "kg", "lb"
_CM_IN_INCH, _INCHES_IN_FOOT, _KG_IN_POUND, _CM_IN_METRE = 2.54, 12, 0.45359237, 100
_NO_WORDS: frozenset[str] = frozenset()
_LONGEST_LETTERS = 5  # XXXXL is the longest there is
_FEW_METRES = 3  # a height below three is in metres: nobody is so tall, or so small in centimetres


class Measured(NamedTuple):
    """What was measured, its value, and where it ends."""

    key: str
    value: str
    stop: int


class SizeReader:
    """Reads the slots of `body_params`."""

    def __init__(
        self,
        anchors: AnchorsDocument,
        letters: Vocabulary[str],
        measures: Vocabulary[str],
        about: Vocabulary[str],
        words: Mapping[str, Vocabulary[str]],
        look_alikes: Mapping[int, str],
        breaks: Vocabulary[str],
    ) -> None:
        """`words` are the anchors of clothes, shoes and of other things that have sizes."""
        self._anchors = anchors
        self._letters = letters
        self._measures = measures
        self._about = about
        self._clothes, self._shoes, self._others = (words[name] for name in ("clothes", "shoes", "others"))
        self._look_alikes = look_alikes
        self._breaks = breaks

    @property
    def longest_about(self) -> int:
        """How many words may stand between fixed words and a number."""
        return self._about.longest

    def may_be_letters(self, glimpse: Glimpse) -> bool:
        """Whether a text may hold a size in letters."""
        return glimpse.may_hold_in_disguise(self._letters, self._look_alikes)

    def size(self, said: Utterance, index: int, stop: int) -> Measured | None:
        """A letter, or a number beside an anchor; beside a shoe it is a shoe size."""
        return self.letter(said, index, stop) or self.number(said, index, stop)

    def letter(self, said: Utterance, index: int, stop: int) -> Measured | None:
        """A size in letters, also in letters that only look like them (INST-D05)."""
        found = self._letter_at(said, index, stop)
        if found is None or self._is_other(said, index, shoes=True):
            return None
        return Measured(SIZE, *found)

    def number(self, said: Utterance, index: int, stop: int) -> Measured | None:
        """A size in numbers."""
        number = number_at(said, index, stop)
        if number is None or number.value != int(number.value) or self._measures.at(said.texts, number.stop, stop):
            return None
        value = int(number.value)
        near = self._near(said, index, self._shoes)
        if near == "clause":
            shoes = self._anchors.shoes
            fits = shoes.min <= value <= shoes.max
            return Measured(SHOE_SIZE, str(value), number.stop) if fits else None
        clothes = self._anchors.clothes
        if near is not None or self._is_other(said, index) or not clothes.min <= value <= clothes.max:
            return None
        if self._near(said, index, self._clothes) is None:
            return None
        return Measured(SIZE, str(value), number.stop)

    def height(self, said: Utterance, index: int, stop: int, *, unit_needed: bool) -> Measured | None:
        """A height in centimetres, from centimetres, metres, or feet and inches."""
        index = self._after_about(said, index, stop)
        number = number_at(said, index, stop)
        if number is None:
            return None
        unit = self._measures.at(said.texts, number.stop, stop)
        end = unit[1] if unit is not None else number.stop
        centimetres = None
        if unit is None and not unit_needed:
            centimetres = number.value * (_CM_IN_METRE if number.value < _FEW_METRES else 1)
        elif unit is not None and unit[0] == CM:
            centimetres = number.value
        elif unit is not None and unit[0] == METRE:
            centimetres = number.value * _CM_IN_METRE
            more = number_at(said, end, stop)
            if more is not None and said.gaps[end].strip() == "" and number.value == int(number.value):
                centimetres, end = centimetres + more.value, more.stop
                after = self._measures.at(said.texts, end, stop)
                end = after[1] if after is not None and after[0] == CM else end
        elif unit is not None and unit[0] == FOOT:
            inches = number_at(said, end, stop)
            centimetres = number.value * _INCHES_IN_FOOT * _CM_IN_INCH
            if inches is not None and inches.value < _INCHES_IN_FOOT:
                centimetres, end = centimetres + inches.value * _CM_IN_INCH, inches.stop
                after = self._measures.at(said.texts, end, stop)
                end = after[1] if after is not None and after[0] == INCH else end
        bounds = self._anchors.height_cm
        if centimetres is None or not bounds.min <= round(centimetres) <= bounds.max:
            return None
        return Measured(HEIGHT, str(round(centimetres)), end)

    def weight(self, said: Utterance, index: int, stop: int, *, unit_needed: bool) -> Measured | None:
        """A weight in kilograms, from kilograms or pounds."""
        index = self._after_about(said, index, stop)
        number = number_at(said, index, stop)
        if number is None:
            return None
        unit = self._measures.at(said.texts, number.stop, stop)
        if unit is None and unit_needed:
            return None
        if unit is not None and unit[0] not in (KG, POUND):
            return None
        kilograms = float(round(number.value * _KG_IN_POUND)) if unit and unit[0] == POUND else number.value
        bounds = self._anchors.weight_kg
        if not bounds.min <= kilograms <= bounds.max:
            return None
        return Measured(WEIGHT, told_number(kilograms), unit[1] if unit is not None else number.stop)

    def is_choice(self, said: Utterance, index: int, stop: int, joins: Vocabulary[str]) -> bool:
        """Whether another size follows at once: `M/L` and `M or L` tell no size."""
        if index >= stop:
            return False
        joined = joins.at(said.texts, index, stop)
        if joined is not None:
            index = joined[1]
        elif said.gaps[index].strip() not in ("/", "-", "–"):
            return False
        number = number_at(said, index, stop)
        is_number = number is not None and self._measures.at(said.texts, number.stop, stop) is None
        return is_number or self._letter_at(said, index, stop) is not None

    def _letter_at(self, said: Utterance, index: int, stop: int) -> tuple[str, int] | None:
        found = self._letters.at(said.texts, index, stop)
        if found is not None or index >= stop:
            return found
        text = said.texts[index]
        folded = text.translate(self._look_alikes)
        if folded == text or len(text) > _LONGEST_LETTERS:
            return None
        found = self._letters.at(Words([folded], _NO_WORDS, _NO_WORDS), 0, 1)
        return (found[0], index + 1) if found is not None else None

    def _is_other(self, said: Utterance, index: int, *, shoes: bool = False) -> bool:
        """Whether the size is of something that is not worn as clothes."""
        near_shoes = shoes and self._near(said, index, self._shoes) is not None
        return near_shoes or self._near(said, index, self._others) is not None

    def _near(self, said: Utterance, index: int, words: Vocabulary[str]) -> str | None:
        """Where one of some words stands near a number: in its `clause`, elsewhere in its `sentence`, or nowhere."""
        start, stop = said.sentence(index)
        clause_start, clause_stop = said.clause(index)
        within = self._anchors.within_characters
        first = index
        while first > start and said.distance(first - 1, index) <= within:
            first -= 1
            if self._breaks.at(said.texts, first, stop) is not None:
                break
        after = (
            cut
            for cut in self._breaks.places(said.texts, index + 1, stop)
            if self._breaks.at(said.texts, cut, stop) is not None
        )
        stop = next(after, stop)
        found = None
        for position in words.places(said.texts, first, stop):
            if said.distance(position, index) > within:
                break
            if words.at(said.texts, position, stop) is not None:
                if clause_start <= position < clause_stop:
                    return "clause"
                found = "sentence"
        return found

    def _after_about(self, said: Utterance, index: int, stop: int) -> int:
        found = self._about.at(said.texts, index, stop)
        return found[1] if found is not None else index
