"""What a conversation has loaded is put together from the template, what is kept, and a handle."""

import pytest

from charter import ToolSession
from charter.adapters.mcp.conversation import Caller, open_conversation
from charter.adapters.mcp.store import MemoryStore, Progress
from tests.adapters.mcp.samples import make_things

pytestmark = pytest.mark.anyio

LIST, CREATE, DELETE, REPLACE = (f"shop__{tool.name}" for tool in make_things())


def make_caller(store: MemoryStore, owner: str | None = "ada") -> Caller:
    return Caller(None, False, owner, "", store)


async def test_what_was_loaded_comes_in_order_and_names_that_are_gone_are_left_out() -> None:
    store = MemoryStore()
    await store.add_loaded("ada", [CREATE, "shop__gone"])
    template = ToolSession(make_things())
    template.load([LIST])
    conversation = await open_conversation(template, make_caller(store), [DELETE])
    assert conversation.session.loaded == [LIST, CREATE, DELETE]
    assert template.loaded == [LIST]


async def test_only_what_is_new_is_kept() -> None:
    store = MemoryStore()
    conversation = await open_conversation(ToolSession(make_things()), make_caller(store))
    conversation.session.load([CREATE])
    assert await conversation.save() == [CREATE]
    again = await open_conversation(ToolSession(make_things()), make_caller(store))
    assert await again.save() == []
    assert await store.read_progress("ada") == Progress([CREATE], 0)


async def test_a_tool_counts_as_listed_when_the_list_was_read_after_its_load() -> None:
    store = MemoryStore()
    await store.add_loaded("ada", [LIST])
    conversation = await open_conversation(ToolSession(make_things()), make_caller(store))
    assert not conversation.has_listed(LIST)
    await conversation.mark_listed()
    await store.add_loaded("ada", [CREATE])
    later = await open_conversation(ToolSession(make_things()), make_caller(store))
    assert later.has_listed(LIST)
    assert not later.has_listed(CREATE)
    assert later.has_listed("shop__never_loaded")


async def test_of_a_caller_without_an_owner_nothing_is_kept() -> None:
    store = MemoryStore()
    conversation = await open_conversation(ToolSession(make_things()), make_caller(store, None))
    conversation.session.load([CREATE])
    assert await conversation.save() == [CREATE]
    await conversation.mark_listed()
    assert (
        await open_conversation(ToolSession(make_things()), make_caller(store, None))
    ).session.loaded == []
