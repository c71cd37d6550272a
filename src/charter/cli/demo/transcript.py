"""How a run is shown while it goes on, and its bill at the end.

Not here: what was sent. `recording` has it.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from charter.cli.demo.errand import TASK
from charter.cli.demo.recording import Call, Turn
from charter.cli.demo.run import Bill, Run
from charter.cli.demo.server import Exchange, World
from charter.cli.output import print_labelled, print_line, print_rows
from charter.schema.cost import json_tokens

__all__ = ["print_bill", "print_opening", "print_state", "print_turn", "render_run"]

SHOWN = 300
"""Characters of arguments or a result that are shown."""
SHOWN_OF_WIRE = 160


def print_opening(tools: int, packs: Sequence[str], model: str) -> None:
    """Print what the demo is about to do."""
    print_line(
        f"{tools} tools of {' and '.join(packs)}, {model}, and both APIs on loopback with state.", "bold"
    )
    print_line()
    print_labelled("user", TASK)


def print_turn(number: int, turn: Turn) -> None:
    """Print what a turn sends when it starts, and its calls when they are back."""
    if turn.answer:
        print_labelled("says" if turn.calls else "answer", turn.answer, "bold")
    for call in turn.calls:
        _print_call(call)
    if not turn.is_done:
        tools = "1 tool" if len(turn.tools) == 1 else f"{len(turn.tools)} tools"
        sent = (
            f"turn {number}: {tools}, {turn.tool_tokens:,} tokens; messages, {turn.message_tokens:,} tokens"
        )
        print_line()
        print_line(sent, "bold green")


def _print_call(call: Call) -> None:
    if call.is_search:
        print_labelled("search", _read_query(call.arguments), "cyan")
        loaded = ", ".join(f"{name} {tokens}" for name, tokens in call.loaded.items())
        print_labelled("loaded", loaded or _cut(call.result))
        return
    print_labelled("call", f"{call.name} {_cut(_space(call.arguments))}", "cyan")
    if call.exchange is None:
        print_labelled("refused", f"{call.result.rstrip('.')}. Nothing was sent.", "yellow")
        return
    print_labelled("wire", _tell_request(call.exchange), "magenta")
    received = _count(call.exchange.answer)
    print_labelled("", f"{call.exchange.status}, {len(call.exchange.answer):,} bytes", "magenta")
    print_labelled(
        "result", f"{_cut(_space(call.result))}  [{_count(call.result.encode())} tokens of {received}]"
    )


def _read_query(arguments: str) -> str:
    try:
        return str(json.loads(arguments)["query"])
    except (ValueError, KeyError, TypeError):
        return arguments


def _space(text: str) -> str:
    """Return JSON with room between its members, where lines may break."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except ValueError:
        return text


def _tell_request(exchange: Exchange) -> str:
    body = exchange.body.decode("utf-8", "replace")
    return _cut(f"{exchange.method} {exchange.target}{f'  {body}' if body else ''}", SHOWN_OF_WIRE)


def _count(content: bytes) -> int:
    try:
        return json_tokens(json.loads(content))
    except ValueError:
        return len(content) // 4


def _cut(text: str, limit: int = SHOWN) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def print_state(world: World) -> None:
    """Print what the run changed in the APIs, read off their state."""
    print_line()
    for refund in world.stripe.refunds.values():
        print_labelled(
            "state",
            f"Stripe has refund {refund['id']}: {refund['amount']} {refund['currency']}, {refund['charge']}",
        )
    for letter in world.gmail.sent:
        print_labelled("state", f"Gmail has sent {letter.id} to {letter.mail['To']}, thread {letter.thread}")


def print_bill(searched: Bill, everything: Bill) -> None:
    """Print both bills side by side."""
    print_line()
    rows = [_row("with ToolSearch", searched), _row("every schema, every turn", everything)]
    ratios = (
        f"1/{everything.first_turn / searched.first_turn:.0f}",
        f"1/{everything.total / searched.total:.1f}",
    )
    print_rows(("*input tokens", ">first turn's tools", ">whole run", ">turns"), [*rows, ("", *ratios, "")])


def _row(name: str, bill: Bill) -> tuple[str, str, str, str]:
    return name, f"{bill.first_turn:,}", f"{bill.total:,}", str(bill.turns)


def render_run(run: Run, everything: Bill, model: str) -> dict[str, Any]:
    """Render a run as JSON: the requests as they were sent, what each turn did, the bills, the state at the end."""
    return {
        "task": TASK,
        "model": model,
        "turns": [_render_turn(turn) for turn in run.turns],
        "answer": run.answer,
        "with_search": _render_bill(run.bill),
        "with_everything": _render_bill(everything),
        "state": {
            "refunds": list(run.world.stripe.refunds.values()),
            "sent": [
                {
                    "id": letter.id,
                    "threadId": letter.thread,
                    "to": str(letter.mail["To"]),
                    "text": letter.text,
                }
                for letter in run.world.gmail.sent
            ],
        },
    }


def _render_bill(bill: Bill) -> Mapping[str, int]:
    return {"turns": bill.turns, "first_turn": bill.first_turn, "total": bill.total}


def _render_turn(turn: Turn) -> dict[str, Any]:
    return {
        "request": {"messages": turn.messages, "tools": turn.tools},
        "tokens": {"tools": turn.tool_tokens, "messages": turn.message_tokens},
        "calls": [_render_call(call) for call in turn.calls],
    }


def _render_call(call: Call) -> dict[str, Any]:
    rendered: dict[str, Any] = {"name": call.name, "arguments": call.arguments, "result": call.result}
    if call.is_search:
        rendered["loaded"] = dict(call.loaded)
    if call.exchange:
        rendered["wire"] = {
            "method": call.exchange.method,
            "target": call.exchange.target,
            "body": call.exchange.body.decode("utf-8", "replace"),
            "status": call.exchange.status,
        }
    return rendered
