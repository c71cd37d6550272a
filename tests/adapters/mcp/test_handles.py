"""Handles carry what was loaded, and nobody can make or change one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.adapters.mcp.handles import Handles
from charter.errors import ToolValidationError

NAMES = [f"pack__tool_{at}" for at in range(613)]


@given(st.sets(st.sampled_from(NAMES)))
def test_what_is_written_is_read(loaded: set[str]) -> None:
    handles = Handles(NAMES, b"key")
    assert handles.read(handles.write(loaded)) == sorted(loaded, key=sorted(NAMES).index)


def test_ten_tools_of_six_hundred_take_fifty_characters() -> None:
    assert len(Handles(NAMES, b"key").write(NAMES[::62])) <= 50


@given(st.text(), st.data())
def test_no_other_text_is_a_handle(text: str, data: st.DataObject) -> None:
    handles = Handles(NAMES, b"key")
    good = handles.write(NAMES[:3])
    at = data.draw(st.integers(0, len(good) - 2))  # the last character has bits that nobody reads
    changed = good[:at] + ("A" if good[at] != "A" else "B") + good[at + 1 :]
    for wrong in (text, changed, good[:-4], good + "AAAA", None, 5, ["x"]):
        with pytest.raises(ToolValidationError, match="Call ToolSearch again"):
            handles.read(wrong)


def test_a_handle_is_of_one_key_one_principal_and_one_set_of_tools() -> None:
    handle = Handles(NAMES, b"key").write(NAMES[:3], "ada")
    for handles, principal in (
        (Handles(NAMES, b"other"), "ada"),
        (Handles(NAMES, b"key"), "bob"),
        (Handles(NAMES, b"key"), ""),
        (Handles(NAMES[1:], b"key"), "ada"),
    ):
        with pytest.raises(ToolValidationError):
            handles.read(handle, principal)
    assert Handles(NAMES, b"key").read(handle, "ada") == sorted(NAMES[:3])
