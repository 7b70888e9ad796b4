"""Numbers as people write them, and amounts of money: 2,000 AED, $500, 2k dhs, 5만원."""

from typing import NamedTuple

from chingoo.engine.utterance import Utterance
from chingoo.engine.vocabulary import Vocabulary

_MOST_DIGITS = 9  # what has more is an id, no amount
_GROUP = 3  # digits between two thousands signs
SKIPPED = 3  # small words around a number that are passed over (about, at most)
_FEWEST, _MOST = 1, 1_000_000_000


class Number(NamedTuple):
    """A number and where it ends."""

    value: float
    stop: int


class MoneyWords(NamedTuple):
    """What amounts are made of: currencies, thousands and the like, words for numbers, words for `about` and `to`."""

    currencies: Vocabulary[str]
    multipliers: Vocabulary[str]
    numbers: Vocabulary[str]
    about: Vocabulary[str]
    ranges: Vocabulary[str]


def number_at(said: Utterance, index: int, stop: int, *, spaced: bool = False) -> Number | None:
    """The number written in digits at `index`; `spaced`: groups of thousands may be apart (5 000)."""
    if index >= stop or not _is_digits(said.texts[index]):
        return None
    digits, position = said.texts[index], index + 1
    decimals = ""
    while position < stop and _is_digits(said.texts[position]):
        gap, group = said.gaps[position], said.texts[position]
        grouped = len(group) == _GROUP and len(said.texts[index]) <= _GROUP and digits != "0"
        if grouped and (gap in (",", ".", "'") or (spaced and gap == " ")):
            digits += group
        elif gap in (",", ".") and not decimals:
            decimals = group
            position += 1
            break
        else:
            break
        position += 1
    if len(digits) > _MOST_DIGITS or len(decimals) > _MOST_DIGITS:
        return None
    return Number(float(f"{int(digits)}.{decimals or 0}"), position)


def amount_at(said: Utterance, index: int, stop: int, words: MoneyWords) -> tuple[str, int] | None:
    """The amount at `index` as memory values read (`2000 AED`), and where it ends. Without a currency it is none."""
    position = _skip(said, index, stop, words.about)
    currency = words.currencies.at(said.texts, position, stop)
    if currency is not None:
        position = _skip(said, currency[1], stop, words.about)
    number = _scaled(said, position, stop, words)
    if number is None:
        return None
    position = number.stop
    upper = _upper(said, position, stop, words, currency)
    if upper is not None:
        number, position = upper, upper.stop
    behind = words.currencies.at(said.texts, position, stop)
    if behind is not None and currency is None:
        currency, position = behind, behind[1]
    if currency is None or not _FEWEST <= number.value <= _MOST:
        return None
    return f"{told_number(number.value)} {currency[0]}", position


def told_number(value: float) -> str:
    """A number without needless decimals."""
    return str(int(value)) if value == int(value) else f"{value:.2f}".rstrip("0")


def _upper(
    said: Utterance, index: int, stop: int, words: MoneyWords, currency: tuple[str, int] | None
) -> Number | None:
    """The upper end of a range that begins before `index`: a budget of 300 to 500 is one of 500."""
    if index >= stop:
        return None
    if currency is None:
        own = words.currencies.at(said.texts, index, stop)
        index = own[1] if own is not None else index
    joined = words.ranges.at(said.texts, index, stop)
    if joined is not None:
        return _scaled(said, joined[1], stop, words)
    if index < stop and said.gaps[index].strip() in ("-", "–", "—", "~"):
        return _scaled(said, index, stop, words)
    return None


def _scaled(said: Utterance, index: int, stop: int, words: MoneyWords) -> Number | None:
    """A number with the thousands behind it."""
    number = number_at(said, index, stop, spaced=True)
    if number is None:
        spoken = words.numbers.at(said.texts, index, stop)
        times = words.multipliers.at(said.texts, index, stop)
        if spoken is None and times is None:
            return None
        number = Number(float(spoken[0]), spoken[1]) if spoken is not None else Number(1.0, index)
        if spoken is not None and words.multipliers.at(said.texts, spoken[1], stop) is None:
            return None
    while True:
        times = words.multipliers.at(said.texts, number.stop, stop)
        if times is None or number.value > _MOST:
            return number
        number = Number(number.value * float(times[0]), times[1])


def _skip(said: Utterance, index: int, stop: int, words: Vocabulary[str]) -> int:
    for _ in range(SKIPPED):
        found = words.at(said.texts, index, stop)
        if found is None:
            break
        index = found[1]
    return index


def _is_digits(text: str) -> bool:
    return text.isdecimal()
