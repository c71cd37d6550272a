"""Values from outside are told apart and read, whatever they are."""

from types import SimpleNamespace

import pytest

from charter.discovery.given import get, is_list, is_mapping, read_json, read_names


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
