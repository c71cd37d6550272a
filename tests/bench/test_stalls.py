"""Stalls: each kind of argument and answer is valid JSON of the size that the row says."""

import json

import pytest

from bench.stalls import SIZE, make_arguments, make_kinds

KINDS = make_kinds()


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_answer_is_a_megabyte_of_json(kind: str) -> None:
    assert json.loads(KINDS[kind])
    assert 0.9 * SIZE <= len(KINDS[kind]) <= 1.1 * SIZE


def test_arguments_are_objects_or_their_json() -> None:
    for given in make_arguments().values():
        assert isinstance(json.loads(given) if isinstance(given, str) else given, dict)
