"""Calls from other processes, after a fork, under an interrupt, and more at once than there are connections."""

import asyncio
import multiprocessing
import pickle
import signal
import subprocess
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from charter import Bearer
from tests.faults.calls import TOKEN, make_tools, outcome_of
from tests.faults.faults import OK, PARSED, respond_json, say, say_and_stall
from tests.faults.server import Connection, FaultServer
from tests.house.sources import ROOT


def call_pickled(pickled: bytes) -> Any:
    return pickle.loads(pickled).invoke({})


@pytest.mark.parametrize("start", ["spawn", "fork"])
def test_a_tool_called_before_works_in_another_process(start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAULTY_TOKEN", TOKEN)
    with FaultServer(say(respond_json(OK))) as server, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork beside threads is what is tried here
        tool = make_tools(server.url, auth=Bearer(env="FAULTY_TOKEN"))["GET"]
        assert PARSED(tool.invoke({}))
        context = multiprocessing.get_context(start)
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            assert PARSED(pool.submit(call_pickled, pickle.dumps(tool)).result(timeout=60))
        server.wait_until_ended()
        assert PARSED(tool.invoke({}))


def test_a_pickled_tool_has_lost_its_token() -> None:
    tool = make_tools("http://127.0.0.1:9")["GET"]
    assert TOKEN.encode() not in pickle.dumps(tool)


_INTERRUPTED = """
import sys
from tests.faults.calls import make_tools

try:
    make_tools(sys.argv[1])["GET"].invoke({})
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_ends_a_sync_call() -> None:
    with FaultServer(say_and_stall(b"")) as server:
        command = [sys.executable, "-c", _INTERRUPTED, server.url]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
            assert server.arrived.wait(30)
            child.send_signal(signal.SIGINT)
            said, _ = child.communicate(timeout=10)
    assert (child.returncode, said) == (0, "interrupted\n")


@pytest.mark.anyio
async def test_more_calls_than_connections_wait_their_turn() -> None:
    def answer(connection: Connection) -> None:
        while True:
            connection.send(respond_json(OK))
            if not connection.read_again():
                return

    with FaultServer(answer) as server:
        tool = make_tools(server.url)["POST"]
        outcomes = await asyncio.gather(*(outcome_of(tool) for _ in range(400)))
        assert all(map(PARSED, outcomes))
        assert server.connections <= 100
