"""What a misspelt word may have meant, one slip away.

Words that are known are never corrected.
"""

from collections.abc import Iterator, Mapping

__all__ = ["correct"]

SHORTEST = 5
"""Letters from which on a word is corrected: shorter ones have too many neighbours."""
LONGEST = 24
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def correct(word: str, known: Mapping[str, object]) -> str | None:
    """Return the known word that is one slip away, or None.

    A slip is two letters swapped, one left out, one doubled or too many, or one wrong: tried in that
    order, and the first word that is found is returned.

    >>> correct("attachement", {"attachment": 1})
    'attachment'
    """
    if not SHORTEST <= len(word) <= LONGEST or not word.isascii() or not word.isalpha():
        return None
    return next((slip for slip in _find_slips(word) if slip in known), None)


def _find_slips(word: str) -> Iterator[str]:
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    yield from (left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1)
    yield from (left + right[1:] for left, right in cuts if right)
    yield from (left + letter + right for left, right in cuts for letter in _LETTERS)
    # A wrong first letter is rare, and makes another word of most short ones.
    yield from (left + letter + right[1:] for left, right in cuts if left and right for letter in _LETTERS)
