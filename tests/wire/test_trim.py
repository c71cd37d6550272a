"""Trimming: what of an answer is kept."""

import pickle
from typing import Any

import pytest

from charter import keep, pass_through
from charter.wire.trim import find_unmatched, takes_arguments


@pytest.mark.parametrize(
    ("paths", "data", "kept"),
    [
        (["id"], {"id": 1, "x": 2}, {"id": 1}),
        (["id", "name"], {"name": "a", "id": 1, "x": 2}, {"id": 1, "name": "a"}),
        (["a.b"], {"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"b": 1}}),
        (["a"], {"a": {"b": {"c": 1}}, "d": 3}, {"a": {"b": {"c": 1}}}),
        (["a", "a.b"], {"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 2}}),
        (["data.id"], {"data": [{"id": 1, "x": 2}, {"id": 3}]}, {"data": [{"id": 1}, {"id": 3}]}),
        (["id"], [{"id": 1, "x": 2}], [{"id": 1}]),
        (["a.b.c"], {"a": [[{"b": {"c": 1, "d": 2}}]]}, {"a": [[{"b": {"c": 1}}]]}),
        (["id", "gone"], {"id": 1}, {"id": 1}),
        (["id"], {"id": None, "x": 1}, {"id": None}),
        (["customer.id"], {"customer": "cus_1", "x": 1}, {"customer": "cus_1"}),
        (
            ["data.id", "has_more"],
            {"data": [], "has_more": False, "url": "/x"},
            {"data": [], "has_more": False},
        ),
    ],
    ids=str,
)
def test_what_is_named_is_kept_and_the_rest_dropped(paths: list[str], data: Any, kept: Any) -> None:
    assert keep(*paths)(data) == kept


@pytest.mark.parametrize(
    "data", [{}, {"other": 1}, {"a": {"other": 1}}, None, 1, "text", True, [], [None, 1, "x"]]
)
def test_what_holds_nothing_of_it_comes_back_as_it_was(data: Any) -> None:
    assert keep("id", "a.b")(data) == data


@pytest.mark.parametrize(
    ("paths", "data", "kept"),
    [
        (["id", "name"], {"id": 1, "name": None, "x": 2}, {"id": 1}),
        (["data.id", "data.end"], {"data": [{"id": 1, "end": None}, None]}, {"data": [{"id": 1}, None]}),
        (
            ["a"],
            {"a": {"b": None, "c": [{"d": None, "e": 0}], "f": False}},
            {"a": {"c": [{"e": 0}], "f": False}},
        ),
        (["id", "a"], {"id": 1, "a": {"b": None}}, {"id": 1, "a": {}}),
        (["id", "a.b"], {"id": 1, "a": {"b": None, "c": 2}}, {"id": 1, "a": {}}),
        (["id"], {"id": None, "x": 1}, {}),
    ],
    ids=str,
)
def test_nulls_are_dropped_at_every_depth_where_asked(paths: list[str], data: Any, kept: Any) -> None:
    assert keep(*paths, nulls=False)(data) == kept


def test_nothing_in_the_answer_is_changed() -> None:
    data = {"id": 1, "data": [{"id": 2, "x": 3}]}
    keep("id", "data.id")(data)
    assert data == {"id": 1, "data": [{"id": 2, "x": 3}]}


def test_passing_through_returns_the_answer_itself() -> None:
    data = {"id": 1}
    assert pass_through(data) is data


@pytest.mark.parametrize("handler", [keep("id", "data.id"), keep("id", nulls=False), pass_through])
def test_a_handler_pickles(handler: Any) -> None:
    data = {"id": 1, "data": [{"id": 2, "x": 3}]}
    assert pickle.loads(pickle.dumps(handler))(data) == handler(data)


@pytest.mark.parametrize(
    ("paths", "answers", "unmatched"),
    [
        (["id", "titel"], [{"id": 1, "title": "x"}], ["titel"]),
        (["data.id", "data.owner.name"], [{"data": [{"id": 1}, {"owner": {"name": None}}]}], []),
        (["data.owner.nam"], [{"data": [{"owner": {"name": "x"}}]}], ["data.owner.nam"]),
        (["id", "next"], [{"id": 1}, {"next": "c"}], []),
        (["id"], [[], "text"], ["id"]),
    ],
    ids=str,
)
def test_a_path_that_no_answer_has_is_found(
    paths: list[str], answers: list[Any], unmatched: list[str]
) -> None:
    assert find_unmatched(keep(*paths), answers) == unmatched


def test_a_handler_of_the_authors_own_keeps_nothing_in_vain() -> None:
    assert find_unmatched(str, [{}]) == []


class Trimmer:
    def __call__(self, answer: Any, arguments: Any) -> Any:
        return answer, arguments


def cut(answer: Any, limit: int = 5) -> Any:
    return answer, limit


@pytest.mark.parametrize(
    ("handler", "wanted"),
    [(keep("id"), False), (pass_through, False), (cut, False), (dict, False), (Trimmer(), True)],
)
def test_a_handler_is_given_the_arguments_where_it_cannot_do_without(handler: Any, wanted: bool) -> None:
    assert takes_arguments(handler) is wanted
