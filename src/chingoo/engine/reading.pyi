from collections.abc import Callable, Mapping, Sequence, Set

from chingoo.engine.utterance import Utterance

def read_words(
    said: Utterance,
    norm: str,
    tokens: list[str],
    runs: list[tuple[int, int]],
    lines: Set[int],
    compounds: Mapping[str, Sequence[str]],
    priced: bool,
    pause_of: Callable[[str], int],
) -> None: ...
def places_of(
    words: list[str], heads: Set[str], firsts: Set[str], longest_head: int, longest_tail: int
) -> tuple[set[int], list[tuple[int, str]]]: ...
