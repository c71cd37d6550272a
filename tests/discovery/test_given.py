"""Values from outside are told apart and read, whatever they are."""

from types import SimpleNamespace

import pytest

from charter.discovery.given import (
    clean_text,
    get,
    is_deep,
    is_list,
    is_mapping,
    read_json,
    read_names,
    say_value,
)


@pytest.mark.parametrize("value", [{"id": 1}, SimpleNamespace(id=1)])
def test_a_member_is_read_of_dicts_and_objects(value: object) -> None:
    assert get(value, "id") == 1
    assert get(value, "other") is None


def test_text_is_no_list_and_a_list_no_mapping() -> None:
    assert (is_list("ab"), is_list(["a"]), is_list(("a",))) == (False, True, True)
    assert (is_mapping({}), is_mapping([])) == (True, False)


@pytest.mark.parametrize("value", [None, "a", {"a": 1}, ["a", 1]])
def test_only_a_list_of_texts_is_names(value: object) -> None:
    assert read_names(value) is None
    assert read_names(("a", "b")) == ["a", "b"]


@pytest.mark.parametrize("text", ["", "{", "tea", '{"a": 1}}', "[" * 100_000])
def test_what_is_no_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="line 1 column|nested too deeply"):
        read_json(text)


@pytest.mark.parametrize("text", ['{"a": NaN}', "[Infinity]", '"\\ud83d"', "[" * 202 + "]" * 202])
def test_what_is_json_to_python_alone_is_none(text: str) -> None:
    with pytest.raises(ValueError):
        read_json(text)


def test_text_and_values_may_be_nested_equally_deep() -> None:
    assert not is_deep(read_json("[" * 201 + "]" * 201))


def test_halves_of_a_character_that_came_apart_are_one_again() -> None:
    assert read_json('{"a": "\ud83d\ude00"}') == {"a": "\U0001f600"}
    assert clean_text("a\ud83d\ude00b\ud83d") == "a\U0001f600b?"


def test_depth_is_told_without_walking_what_is_held_twice_twice() -> None:
    shared: list[object] = []
    for _ in range(150):
        shared = [shared, shared]
    assert not is_deep(shared)
    circle: list[object] = []
    circle.append({"a": circle})
    assert is_deep(circle)


class Odd:
    def __repr__(self) -> str:
        raise ZeroDivisionError

    @property
    def content(self) -> str:
        raise ZeroDivisionError


def test_an_object_that_fails_when_it_is_asked_says_nothing() -> None:
    assert get(Odd(), "content") is None
    assert say_value(Odd()) == "a value of type Odd"
    assert say_value(10**5000) == "a value of type int"
    assert say_value("\ud83d").isascii()
