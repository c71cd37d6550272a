"""What is no message is answered and does not reach the server. The whole is tried in tests/e2e/test_mcp_stdio.py."""

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, jsonrpc_message_adapter

from charter.adapters.mcp.stdio import Item, answer_malformed, relay

pytestmark = pytest.mark.anyio


def fail(line: str) -> Exception:
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError as error:
        return error
    raise AssertionError


@pytest.mark.parametrize(("line", "code"), [("{", -32700), ("[]", -32600), ('{"id":1}', -32600)])
def test_the_code_says_what_is_wrong(line: str, code: int) -> None:
    answer = answer_malformed(fail(line))
    assert answer is not None
    assert answer.error.code == code
    assert '"id":null' in answer.model_dump_json(by_alias=True, exclude_unset=True)


def test_a_blank_line_is_not_worth_an_answer() -> None:
    assert answer_malformed(fail("  \n")) is None


async def test_messages_pass_in_order_between_mistakes() -> None:
    note = SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="x"))
    sending, reading = anyio.create_memory_object_stream[Item](5)
    passing, passed = anyio.create_memory_object_stream[Item](5)
    writing, written = anyio.create_memory_object_stream[SessionMessage](5)
    for item in (note, fail("{"), note, fail(""), RuntimeError("x")):
        sending.send_nowait(item)
    sending.close()
    await relay(reading, passing, writing)
    assert [passed.receive_nowait() for _ in range(2)] == [note, note]
    answers = [written.receive_nowait().message for _ in range(2)]
    assert [answer.error.code for answer in answers if isinstance(answer, JSONRPCError)] == [-32700, -32600]
    for stream in (reading, passed, writing, written):
        stream.close()
