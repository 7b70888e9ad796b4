"""Which later words of the friend repeat a message that is to be forgotten (FORGET-03)."""

from collections.abc import Iterable

from chingoo.policy.documents.memory import Forgetting
from chingoo.text.normalise import normalise


class Repeats:
    """Finds what repeats a text: a run of its words, or a long word of it that nobody says elsewhere."""

    def __init__(self, policy: Forgetting, text: str, elsewhere: Iterable[str]) -> None:
        """`elsewhere` are the person's other messages: a word that stands there as well is no sign of this one."""
        self._length = policy.echo_words
        tokens = normalise(text).match.split()
        self._runs = _runs(tokens, self._length)
        long_words = {token for token in tokens if len(token) >= policy.echo_letters}
        self._words = long_words.difference(*(normalise(other).match.split() for other in elsewhere))

    def within(self, said: str) -> bool:
        """Whether this repeats the text."""
        tokens = normalise(said).match.split()
        return not self._words.isdisjoint(tokens) or not self._runs.isdisjoint(_runs(tokens, self._length))


def _runs(tokens: list[str], length: int) -> set[tuple[str, ...]]:
    return {tuple(tokens[at : at + length]) for at in range(len(tokens) - length + 1)}
