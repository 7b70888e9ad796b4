"""Where phrases may begin in a message, whatever is written together with their first words."""

from hypothesis import given
from hypothesis import strategies as st

from chingoo.engine.reading import places_of

HEADS = {"و", "ال", "وال", "ب"}
FIRSTS = {"week", "l", "an", "an's", "모임", "모", "يوم", "الي", "3", "x모임"}
HEAD, TAIL = 3, 7
words = st.lists(
    st.lists(st.sampled_from([*sorted(FIRSTS), *sorted(HEADS), "'", "'s", "은", "에서", "a", "é", "я"]), min_size=1)
    .map("".join)
    .filter(lambda word: len(word) <= 20),
    max_size=6,
)


def stems(word: str) -> set[str]:
    """A word, and what may be left of it."""
    found = {word}
    if "؀" < word[0] < "ۿ":
        found |= {word[cut:] for cut in range(1, HEAD + 1) if word[:cut] in HEADS}
    if "가" <= word[-1] <= "힣":
        found |= {word[:-cut] for cut in range(1, TAIL + 1)}
    if "'" in word:
        found |= {word.partition("'")[2], word.removesuffix("'s"), word.removesuffix("'")}
    return found


@given(words)
def test_every_stem_that_begins_a_phrase_is_found(said: list[str]) -> None:
    glued, leading = places_of(said, HEADS, FIRSTS, HEAD, TAIL)
    assert set(leading) == {(place, stem) for place, word in enumerate(said) for stem in stems(word) & FIRSTS}
    marks = "'"
    assert glued == {
        place
        for place, word in enumerate(said)
        if any(letter in marks or "가" <= letter <= "힣" or "ء" <= letter <= "ي" for letter in word)
    }
