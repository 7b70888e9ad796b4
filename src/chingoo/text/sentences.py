"""Where sentences end (GATE-11, C-27): runs of marks count once; decimals, addresses, abbreviations are no end."""

import re

_RUN = re.compile("[.!?…。｡．！？؟؛]+[\"'”’»)\\]}]*")
_LINE = re.compile(r"\n")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
_ADDRESS_TAIL = ".,!?…;:)\"'"
_LAST_WORD = re.compile(r"[^\W_](?:[\w.'-]*[^\W_])?$")
_WORDS = re.compile(r"[^\W_]")
_INITIAL_EXCEPTION = "I"
_LONGEST_ABBREVIATION = 24  # so far back is looked for one: bounds the work for each full stop


def split_sentences(text: str, abbreviations: frozenset[str]) -> list[str]:
    """The sentences of `text`, with their closing marks, without empty ones.

    `abbreviations` are lower-case and without their last dot (`mr`, `e.g`). A text without any letter or digit is one
    sentence unless it is blank; elsewhere a segment without letters or digits belongs to the sentence before it.
    """
    sentences: list[str] = []
    start = 0
    addresses = _addresses(text)
    for run in _RUN.finditer(text):
        if _ends_sentence(text, run, abbreviations, addresses):
            _add(sentences, text[start : run.end()])
            start = run.end()
    _add(sentences, text[start:])
    if not sentences and text.strip():
        return [text.strip()]
    return sentences


def sentence_ends(text: str) -> list[int]:
    """Where sentences and lines of `text` end, in order: behind their closing marks."""
    addresses = _addresses(text)
    ends = [run.end() for run in _RUN.finditer(text) if _ends_sentence(text, run, frozenset(), addresses)]
    return sorted((*ends, *(line.end() for line in _LINE.finditer(text))))


def _add(sentences: list[str], segment: str) -> None:
    """Append a segment, unless it has no word."""
    if _WORDS.search(segment):
        sentences.append(segment.strip())


def _addresses(text: str) -> list[tuple[int, int]]:
    """Where web and mail addresses stand, without the mark that closes the sentence around them."""
    if "." not in text or not ("@" in text or "/" in text or "www" in text.lower()):
        return []  # as mostly, and seen much sooner
    return [
        (found.start(), found.start() + len(found.group().rstrip(_ADDRESS_TAIL))) for found in _ADDRESS.finditer(text)
    ]


def _ends_sentence(
    text: str, run: re.Match[str], abbreviations: frozenset[str], addresses: list[tuple[int, int]]
) -> bool:
    """Whether this run of marks closes a sentence."""
    if any(start <= run.start() < end for start, end in addresses):
        return False
    if run.group() != ".":
        return True
    before, after = text[: run.start()], text[run.end() : run.end() + 1]
    if not after:
        return True
    inside_number = before[-1:].isdigit() and after.isdigit()
    inside_name = before[-1:].isalnum() and after.isascii() and after.islower()
    if inside_number or inside_name:
        return False
    word = _LAST_WORD.search(before, max(0, len(before) - _LONGEST_ABBREVIATION))
    return word is None or not _is_short_form(word.group(), after, abbreviations)


def _is_short_form(word: str, after: str, abbreviations: frozenset[str]) -> bool:
    """Whether the dot after `word` belongs to the word: a known abbreviation, an initial, or U.S.-like letters."""
    if word.lower() in abbreviations:
        return True
    lone_letter = len(word) == 1 or word[-2] == "."
    return lone_letter and word[-1].isupper() and word != _INITIAL_EXCEPTION and (after.isspace() or after.isupper())
