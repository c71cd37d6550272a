import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from charter.discovery import vectors
from charter.discovery.catalogue import Catalogue
from charter.errors import DeclarationError
from tests.discovery.samples import make_tools


def test_like_words_have_like_vectors() -> None:
    read = vectors.load_vectors().read(["invoice", "bill", "volcano"])
    unit = read / ((read**2).sum(axis=1, keepdims=True) ** 0.5)
    assert unit[0] @ unit[1] > unit[0] @ unit[2]


def test_no_words_are_no_rows_and_any_word_has_one() -> None:
    assert vectors.load_vectors().read([]).shape == (0, 256)
    assert vectors.load_vectors().read(["", "退款", "\x00"]).shape == (3, 256)


def test_vectors_are_loaded_once_and_leave_logging_alone() -> None:
    before = list(logging.getLogger().handlers)
    assert vectors.load_vectors() is vectors.load_vectors()
    assert logging.getLogger().handlers == before


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(name: str) -> None:
        assert name == "wordllama"

    monkeypatch.setattr(vectors, "find_spec", find_nothing)
    with pytest.raises(DeclarationError, match=r"charter\[semantic\]"):
        vectors.find_vectors()
    with pytest.raises(DeclarationError, match=r"charter\[semantic\]"):
        Catalogue(make_tools()).check_finder("semantic")


def test_a_package_without_vectors_is_told_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def find_empty(_: str) -> Any:
        return SimpleNamespace(origin=str(tmp_path / "__init__.py"))

    monkeypatch.setattr(vectors, "find_spec", find_empty)
    vectors._load_vectors.cache_clear()
    with pytest.raises(DeclarationError, match="cannot be read"):
        vectors.load_vectors()
