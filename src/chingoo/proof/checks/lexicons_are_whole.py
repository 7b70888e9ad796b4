"""The lexicons have every set, table and number that the engine takes from them."""

from collections.abc import Iterator, Mapping

from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding

_TAKEN: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "arabic": {"sets": ("heads",)},
    "arabizi": {"sets": ("misheard",), "tables": ("sounds",)},
    "evasion": {
        "sets": ("masks", "masked"),
        "tables": ("leet", "leet_other", "to_cyrillic", "to_hangul", "to_latin"),
    },
    "korean": {"sets": ("endings", "sounds", "tails")},
    "languages": {"sets": ("alone", "guessable"), "numbers": ("enough", "least_confidence")},
}


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for everything that a lexicon lacks."""
    for name, taken in _TAKEN.items():
        lexicon = subject.bundle.lexicons[name]
        for kind, wanted in taken.items():
            for part in wanted:
                if part not in getattr(lexicon, kind):
                    message = f"`{part}` is missing in `{kind}`; the engine needs it"
                    yield Finding("lexicon-part-missing", message, lexicon.place, about=kind)
