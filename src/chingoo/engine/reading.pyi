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
