"""Word vectors that the `wordllama` package carries, read without a network.

What is compared with them is `semantic.py`'s. numpy is imported here only, when vectors are first wanted.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from charter.errors import DeclarationError
from charter.locks import Lock

__all__ = ["WordVectors", "find_vectors", "load_vectors"]

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_loading = Lock()


class WordVectors:
    """A vector for every word, added up from the pieces that it is made of."""

    def __init__(self, table: Any, tokenizer: Any) -> None:
        self._table = table
        self._tokenizer = tokenizer
        self.numpy: Any = import_module("numpy")
        self.size: int = table.shape[1]

    def read(self, words: Sequence[str]) -> Any:
        """Return one row for each word, as 32-bit numbers."""
        rows = self.numpy.zeros((len(words), self.size), dtype="float32")
        limit = self._table.shape[0]
        for row, pieces in zip(
            rows, self._tokenizer.encode_batch(list(words), add_special_tokens=False), strict=True
        ):
            places = [place for place in pieces.ids if place < limit]
            if places:
                row += self._table[places].astype("float32").sum(axis=0)
        return rows


def load_vectors() -> WordVectors:
    """Load the vectors, once for the process. The package itself is not imported: doing so sets up logging.

    Raises:
        DeclarationError: the extra `semantic` is not installed, or carries no vectors.
    """
    with _loading:
        return _load_vectors()


def find_vectors() -> Path:
    """Return the folder that holds the vectors, without loading them.

    Raises:
        DeclarationError: the extra `semantic` is not installed.
    """
    found = find_spec("wordllama")
    if found is None or found.origin is None:
        raise DeclarationError(
            "search='semantic': the word vectors are not installed. Run pip install 'charter[semantic]'."
        )
    return Path(found.origin).parent


@cache
def _load_vectors() -> WordVectors:
    folder = find_vectors()
    try:
        table = import_module("safetensors.numpy").load_file(folder / _WEIGHTS)["embedding.weight"]
        tokenizer = import_module("tokenizers").Tokenizer.from_file(str(folder / _TOKENIZER))
    except Exception as error:
        raise DeclarationError(
            f"search='semantic': the word vectors cannot be read ({error}). Install 'charter[semantic]' again."
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return WordVectors(table, tokenizer)
