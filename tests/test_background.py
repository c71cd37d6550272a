"""Sync calls: from any thread, over one pool, in the caller's context; never inside a running loop."""

import asyncio
import contextvars
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pydantic import BaseModel

from charter import Api, APIError, Bearer, CharterError, Tool, ToolValidationError
from charter.background import is_in_loop, run_sync
from tests.counterparties.loopback import Asked, Loopback, Reply

USER: contextvars.ContextVar[str] = contextvars.ContextVar("USER", default="nobody")


class ThingsGet(BaseModel):
    """Read a thing."""

    id: str


def make_tool(loopback: Loopback, **options: Any) -> Tool:
    return Api("shop", base_url=loopback.url, **options).get("things/{id}", ThingsGet)


def echo(asked: Asked) -> Reply:
    return Reply({"path": asked.path})


def test_calls_from_many_threads_each_get_their_own_answer(loopback: Loopback) -> None:
    loopback.answer = echo
    tool = make_tool(loopback)
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda at: tool.invoke({"id": str(at)}), range(200)))
    assert [answer["path"] for answer in answers] == [f"/things/{at}" for at in range(200)]


def test_calls_from_any_thread_share_one_pool(loopback: Loopback) -> None:
    tool = make_tool(loopback)
    for _ in range(3):
        thread = threading.Thread(target=tool.invoke, args=({"id": "x"},))
        thread.start()
        thread.join()
    assert len({asked.port for asked in loopback.asked}) == 1


def test_a_call_runs_in_the_callers_context(loopback: Loopback) -> None:
    async def read_user() -> str:
        return USER.get()

    tool = make_tool(loopback, auth=Bearer(read_user))

    def call(user: str) -> None:
        USER.set(user)
        tool.invoke({"id": user})

    with ThreadPoolExecutor(4) as pool:
        users = [f"user-{at}" for at in range(20)]
        list(pool.map(call, users))
    told = {asked.path: asked.header("authorization") for asked in loopback.asked}
    assert told == {f"/things/{user}": f"Bearer {user}" for user in users}
    assert USER.get() == "nobody"


def test_calls_between_loops_that_come_and_go(loopback: Loopback) -> None:
    tool = make_tool(loopback)
    for _ in range(3):
        assert tool.invoke({"id": "x"}) == {}
        assert asyncio.run(tool.ainvoke({"id": "x"})) == {}
    loopback.wait_for_connections(1)


def test_a_sync_call_inside_a_loop_is_refused_with_the_way_out(loopback: Loopback) -> None:
    tool = make_tool(loopback)

    async def call() -> None:
        assert is_in_loop()
        tool.invoke({"id": "x"})

    with pytest.raises(
        CharterError, match=r"^shop__things_get: invoke blocks a running event loop. Await ainvoke"
    ):
        asyncio.run(call())
    assert loopback.asked == []
    assert not is_in_loop()


def test_a_sync_call_in_a_thread_of_a_loop_is_fine(loopback: Loopback) -> None:
    async def call() -> Any:
        return await asyncio.to_thread(make_tool(loopback).invoke, {"id": "x"})

    assert asyncio.run(call()) == {}


def test_an_error_shows_the_callers_frame_and_no_event_loops(loopback: Loopback) -> None:
    loopback.reply({"message": "No."}, status=404)
    for arguments, kind in (({}, ToolValidationError), ({"id": "x"}, APIError)):
        with pytest.raises(kind) as raised:
            make_tool(loopback).invoke(arguments)
        files = [frame.filename for frame in traceback.extract_tb(raised.value.__traceback__)]
        assert files[0] == __file__
        assert not [name for name in files if "asyncio" in name or "concurrent" in name]
        assert raised.value.__context__ is None


def test_what_is_run_may_return_or_raise_anything() -> None:
    async def give() -> int:
        return 3

    async def fail() -> int:
        raise SystemError("odd")

    assert run_sync(give) == 3
    with pytest.raises(SystemError, match="odd"):
        run_sync(fail)
