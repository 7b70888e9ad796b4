"""How a friend types what it says: small first letters after an interjection, and the short forms of its register."""

import re
from collections.abc import Mapping, Sequence


def small(sentence: str, keep_capital: Sequence[str]) -> str:
    """With a small first letter, unless the first word keeps its capital wherever it stands."""
    first = sentence.split(maxsplit=1)[0].rstrip(",.")
    if first in keep_capital:
        return sentence
    start = next((place for place, char in enumerate(sentence) if char.isalpha()), 0)
    return sentence[:start] + sentence[start : start + 1].lower() + sentence[start + 1 :]


def casual(text: str, forms: Mapping[str, str]) -> str:
    """With the short forms of a register; before a mark nothing is shortened, for "as plain as I am" keeps its verb."""
    if not forms:
        return text
    every = "|".join(re.escape(one) for one in sorted(forms, key=len, reverse=True))
    capitals = {one[:1].upper() + one[1:]: forms[one][:1].upper() + forms[one][1:] for one in forms}
    known = {**capitals, **forms}
    return re.sub(rf"(?i)\b(?:{every})(?= \w)", lambda found: known.get(found[0], found[0]), text)
