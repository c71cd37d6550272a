"""The store in memory keeps what it is given, for as long as it should and no longer."""

import pytest

from charter.adapters.mcp import store as store_module
from charter.adapters.mcp.store import MemoryStore, Progress

pytestmark = pytest.mark.anyio


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_session_lives_while_it_is_used() -> None:
    clock = Clock()
    store = MemoryStore(idle_seconds=10, clock=clock)
    assert await store.open_session("a", {"client": "x"})
    clock.now = 9
    assert await store.read_session("a") == {"client": "x"}
    clock.now = 18
    assert await store.read_session("a") == {"client": "x"}
    clock.now = 28
    assert await store.read_session("a") is None


async def test_sessions_are_limited_and_room_comes_back() -> None:
    clock = Clock()
    store = MemoryStore(max_sessions=2, idle_seconds=10, clock=clock)
    assert [await store.open_session(name, {}) for name in "abc"] == [True, True, False]
    await store.close_session("a")
    assert await store.open_session("c", {})
    clock.now = 11
    assert await store.open_session("d", {})


async def test_what_is_loaded_adds_up_without_repeating() -> None:
    store = MemoryStore()
    await store.add_loaded("a", ["x", "y"])
    await store.add_loaded("a", ["y", "z"])
    await store.mark_listed("a", 2)
    assert await store.read_progress("a") == Progress(["x", "y", "z"], 2)
    assert await store.read_progress("b") == Progress([], 0)
    await store.forget("a")
    assert await store.read_progress("a") == Progress([], 0)


async def test_what_is_read_cannot_change_what_is_kept() -> None:
    store = MemoryStore()
    await store.add_loaded("a", ["x"])
    (await store.read_progress("a")).loaded.append("y")
    assert (await store.read_progress("a")).loaded == ["x"]


async def test_long_texts_are_forgotten_oldest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MAX_CHARACTERS", 10)
    store = MemoryStore()
    await store.keep_text("a", "1234567")
    await store.keep_text("b", "1234567")
    assert await store.read_text("a") is None
    assert await store.read_text("b") == "1234567"


async def test_each_process_has_a_key_of_its_own() -> None:
    assert await MemoryStore().signing_key() != await MemoryStore().signing_key()
    store = MemoryStore()
    assert await store.signing_key() == await store.signing_key()
    await store.check()
    await store.aclose()
