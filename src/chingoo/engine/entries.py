"""How entries of word lists are written: other forms after `|`, `-` where a word goes on, `{list}` for its words.

* `election | elections`: one entry in two forms; it is called by its first.
* `selbstmord-`: any ending may follow. `-죽고 싶-`: it may also stand inside a word.
* `=나`: this very word, without the particles or clitics its language would allow.
* `{safety.ages} years old`: one form for each word of that list in the same language (or in `any`).
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

from chingoo.engine.unbuildable import UnbuildableError
from chingoo.policy.documents.base import Entry, WordList
from chingoo.text.normalise import matching

ANY_LANGUAGE = "any"
_MOST_FORMS = 20_000
_MOST_REMEMBERED = 200_000
_SLOT = re.compile(r"\{([A-Za-z0-9][A-Za-z0-9_.-]*)\}")


class EntryError(UnbuildableError):
    """An entry that cannot be matched: nothing is left of it, it names an unknown list, or has too many forms."""


class Form(NamedTuple):
    """One form of an entry in matching form.

    `glued`: may stand inside a word; `open`: any ending may follow; `exact`: nothing may, not even a particle.
    """

    text: str
    glued: bool = False
    open: bool = False
    exact: bool = False


def entry_name(entry: Entry) -> str:
    """What an entry is called in hits and traces: its first form, without marks of how it is matched."""
    return entry.text.split("|", 1)[0].strip().strip("-=").strip()


def forms_of(entry: Entry, language: str, lists: Mapping[str, WordList]) -> tuple[Form, ...]:
    """All forms of an entry, without repetition. EntryError: it has none, or too many."""
    forms = _forms(entry, language, lists, ())
    if not forms:
        raise EntryError(f"nothing is left of `{entry.text}` to look for", entry.place)
    return forms


def _forms(entry: Entry, language: str, lists: Mapping[str, WordList], within: tuple[str, ...]) -> tuple[Form, ...]:
    """The forms, in the order written; `within` are the lists being filled in, to see a list that holds itself."""
    if "{" not in entry.text:
        return _as_written(entry.text)
    choices = {slot: _words(slot, entry, language, lists, within) for slot in _SLOT.findall(entry.text)}
    for written in entry.text.split("|"):
        amount = prod(len(choices[slot]) for slot in _SLOT.findall(written))
        if amount > _MOST_FORMS:
            what = f"`{entry.text}` stands for {amount} phrases; at most {_MOST_FORMS} are taken"
            raise EntryError(what, entry.place)
    return _filled_in(entry.text, tuple(choices.items()))


@lru_cache(maxsize=_MOST_REMEMBERED)
def _filled_in(entry_text: str, choices: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[Form, ...]:
    """The forms of an entry with each slot filled with each of its words."""
    words = dict(choices)
    forms: dict[Form, None] = {}
    for written in entry_text.split("|"):
        bare, glued, is_open, exact = _marks(written)
        parts = [(part,) if index % 2 == 0 else words[part] for index, part in enumerate(_SLOT.split(bare))]
        for text in map(matching, map("".join, product(*parts))):
            if text:
                forms[Form(text, glued, is_open, exact)] = None
    return tuple(forms)


@lru_cache(maxsize=_MOST_REMEMBERED)
def _as_written(entry_text: str) -> tuple[Form, ...]:
    """The forms of an entry without slots. They depend on its text alone, and laws and matchers ask in turn."""
    forms: dict[Form, None] = {}
    for written in entry_text.split("|"):
        bare, glued, is_open, exact = _marks(written)
        text = matching(bare)
        if text:
            forms[Form(text, glued, is_open, exact)] = None
    return tuple(forms)


def forget_forms() -> None:
    """Forget the forms of entries: nobody asks for them once a set is judged and built."""
    _as_written.cache_clear()
    _filled_in.cache_clear()


def _marks(written: str) -> tuple[str, bool, bool, bool]:
    """A form without its marks, and whether it is glued, open, exact."""
    stripped = written.strip()
    return stripped.strip("-="), stripped.startswith("-"), stripped.endswith("-"), stripped.startswith("=")


def _words(
    list_id: str, entry: Entry, language: str, lists: Mapping[str, WordList], within: tuple[str, ...]
) -> tuple[str, ...]:
    """The words of a list in one language, in matching form."""
    words = lists.get(list_id)
    if words is None or list_id in within:
        why = "holds itself" if list_id in within else "is not known"
        raise EntryError(f"the list `{list_id}` in `{entry.text}` {why}", entry.place)
    spoken = [*words.entries.get(language, ()), *words.entries.get(ANY_LANGUAGE, ())]
    inner = (*within, list_id)
    return tuple(dict.fromkeys(form.text for word in spoken for form in _forms(word, language, lists, inner)))
