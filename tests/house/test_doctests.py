"""Every example in a docstring runs."""

import doctest
import importlib

import pytest

from tests.house.sources import SOURCES

MODULES = [
    "charter." + source.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    for source in SOURCES
    if ">>>" in source.text
]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_of_a_module_runs(name: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=flags)
    assert tried
    assert not failed


def test_there_are_examples() -> None:
    assert len(MODULES) > 5
