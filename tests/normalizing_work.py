"""Counts what is handed to Unicode normalisation, and texts that cost it most.

The bound itself is asserted by the tests that use this.
"""

import unicodedata
from typing import Any

import pytest
from hypothesis import strategies as st

from charter import normalizing

ALTERNATING = "\u0300\u0316"
"""Two marks of different classes: a run of them is sorted in time in the square of its length."""

COSTLY = st.builds(
    lambda head, marks, times, tail: head + marks * times + tail,
    st.text(max_size=8),
    st.sampled_from([ALTERNATING, "\u0316\u0300\u031b", "\u0345\u0300", "\ufdfa", "e\u0301", "."]),
    st.sampled_from([1, 40, 300, 5_000, 40_000]),
    st.text(max_size=8),
)


class CountedNormalisation:
    """Stands in for `unicodedata` where `charter` normalises."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.longest_run = 0
        self.characters = 0
        monkeypatch.setattr(normalizing, "unicodedata", self)

    def __getattr__(self, name: str) -> Any:
        return getattr(unicodedata, name)

    def normalize(self, form: Any, text: str) -> str:
        self.characters += len(text)
        run = 0
        for character in text:
            run = run + 1 if unicodedata.combining(character) else 0
            self.longest_run = max(self.longest_run, run)
        return unicodedata.normalize(form, text)
