"""Unicode normalisation in time linear in the text, whatever it holds: nothing else here may call `unicodedata` for it.

Not here: what is refused of the text afterwards. Normalising a whole text sorts its runs of combining marks, which
takes time in the square of a run.
"""

import unicodedata
from typing import Literal

__all__ = ["LONGEST_WHOLE", "normalize_each", "normalize_short", "strip_marks"]

LONGEST_WHOLE = 256
"""Characters of a text that is normalised as a whole, so that its marks may be sorted and composed."""


def normalize_each(text: str) -> str:
    """Replace each character by what it is compatible with, by itself: marks are neither sorted nor composed.

    >>> normalize_each("．．／ﬁle")
    '../file'
    """
    if text.isascii():
        return text
    return text.translate({ord(each): unicodedata.normalize("NFKC", each) for each in _find_others(text)})


def strip_marks(text: str) -> str:
    """Return text without accents and compatibility forms, its case kept.

    >>> strip_marks("Ａｃｃéｎｔ")
    'Accent'
    """
    if text.isascii():
        return text
    bare = text.translate({ord(each): _strip(each) for each in _find_others(text)})
    return unicodedata.normalize("NFC", bare)  # without marks there is nothing to sort: it joins Hangul


def normalize_short(text: str, form: Literal["NFC", "NFKC"] = "NFKC") -> str:
    r"""Normalise a short text as a whole.

    >>> normalize_short("e\u0301", "NFC") == "\u00e9"
    True

    Raises:
        ValueError: it is longer than `LONGEST_WHOLE` characters.
    """
    if len(text) > LONGEST_WHOLE:
        raise ValueError(f"more than {LONGEST_WHOLE} characters")
    return unicodedata.normalize(form, text)


def _find_others(text: str) -> set[str]:
    return {each for each in set(text) if not each.isascii()}


def _strip(character: str) -> str:
    parts = unicodedata.normalize("NFKD", character)
    return "".join(part for part in parts if unicodedata.category(part)[0] != "M")
