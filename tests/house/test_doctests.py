"""Every example in a docstring runs."""

import doctest
import importlib

import pytest

from charter import Api
from tests.house.sources import SOURCES

MODULES = [
    "charter." + source.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    for source in SOURCES
    if ">>>" in source.text
]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_of_a_module_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module(name)
    for api in (value for value in vars(module).values() if isinstance(value, Api)):
        for setting in ("auth", "base_url", "client"):  # what an example configures ends with it
            monkeypatch.setattr(api, setting, getattr(api, setting))
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testmod(module, optionflags=flags)
    assert tried
    assert not failed


def test_there_are_examples() -> None:
    assert len(MODULES) > 5
