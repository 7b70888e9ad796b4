"""How words sound whose language has no spelling (Arabizi): groups of signs become sounds, and doubled ones are one."""

import re
from collections.abc import Mapping

_START, _END = "^", "$"
_REPEATED = re.compile(r"([^\W\d_])\1+")


_LONGEST_KEPT, _MOST_KEPT = 24, 20_000


class _Heard(dict[str, str]):
    """The sounds of words. People use the same words again and again, so those heard before are kept."""

    def __init__(self, table: Mapping[str, str]) -> None:
        super().__init__()
        self._single = str.maketrans({signs: sound for signs, sound in table.items() if len(signs) == 1})
        groups = sorted((signs for signs in table if len(signs) > 1), key=_by_length, reverse=True)
        self._groups = {signs.strip(_START + _END): table[signs] for signs in reversed(groups)}
        self._group = re.compile("|".join(map(_pattern, groups))) if groups else None

    def __missing__(self, word: str) -> str:
        spoken = word if self._group is None else self._group.sub(lambda found: self._groups[found[0]], word)
        heard = _REPEATED.sub(r"\1", spoken.translate(self._single))
        if len(word) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[word] = heard
        return heard


class Sounds:
    """A table of sounds. What it makes of a text has as many spaces as the text, so that words can be counted off."""

    def __init__(self, table: Mapping[str, str]) -> None:
        """Keys are signs, or groups of signs; `^` before a group is the beginning of a word, `$` after it the end."""
        self._heard = _Heard(table)

    def __call__(self, text: str) -> str:
        """The sounds of a text in matching form, word by word."""
        return " ".join(map(self._heard.__getitem__, text.split(" ")))


def _by_length(signs: str) -> tuple[int, int]:
    """Longer groups first, and those that only stand at an edge of a word before the same signs anywhere."""
    return len(signs.strip(_START + _END)), len(signs)


def _pattern(signs: str) -> str:
    start = r"(?<!\S)" if signs.startswith(_START) else ""
    end = r"(?!\S)" if signs.endswith(_END) else ""
    return start + re.escape(signs.strip(_START + _END)) + end
