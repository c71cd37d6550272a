"""`charter demo`: the whole loop, offline, or with a real model.

Not here: the loop, the world and the model.
"""

import asyncio
import importlib
import os
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from charter.cli.demo.run import Run, run_errand, run_with_everything
from charter.cli.demo.transcript import print_bill, print_opening, print_state, print_turn, render_run
from charter.cli.options import AsJson, examples
from charter.cli.output import print_json
from charter.cli.registry import load_packs
from charter.errors import CharterError
from charter.tool import Tool

__all__ = ["ERRAND_PACKS", "register"]

ERRAND_PACKS = ("gmail", "stripe")


def register(app: typer.Typer) -> None:
    """Add `charter demo`."""
    app.command("demo", epilog=examples("charter demo", "charter demo --live gpt-5-mini"))(run_demo)


def run_demo(
    live: Annotated[
        str | None,
        typer.Option(
            "--live", metavar="MODEL", help="Ask this model: OPENAI_API_KEY, and OPENAI_BASE_URL if set."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run an errand over Gmail and Stripe, offline.

    A mail is found, a charge refunded and the mail answered, by the real loop and the real tools, against both APIs on
    loopback. Nothing is sent to Google or Stripe, with a real model neither.
    """
    tools = [tool for pack in load_packs(ERRAND_PACKS) for tool in pack.tools]
    client, model = (_open_client(), live) if live else (None, "scripted")
    if not as_json:
        print_opening(len(tools), ERRAND_PACKS, live or "a scripted model")
    done = asyncio.run(_run(tools, client, model, silent=as_json))
    everything = done.bill_with(tools) if live else asyncio.run(run_with_everything(tools)).bill
    if as_json:
        print_json(render_run(done, everything, model))
    else:
        print_state(done.world)
        print_bill(done.bill, everything)


async def _run(tools: Sequence[Tool], client: Any, model: str, *, silent: bool) -> Run:
    try:
        return await run_errand(tools, None if silent else print_turn, client=client, model=model)
    except Exception as error:
        if client is None or isinstance(error, CharterError):
            raise
        raise CharterError(
            f"demo: the model failed: {error}. Check the key, the model and the URL."
        ) from error


def _open_client() -> Any:
    if not os.environ.get("OPENAI_API_KEY"):
        raise CharterError("demo: OPENAI_API_KEY is not set. Set it, or leave --live out to run offline.")
    try:
        openai = importlib.import_module("openai")
    except ModuleNotFoundError:
        raise CharterError("demo: the openai package is not installed. Run pip install openai.") from None
    return openai.AsyncOpenAI()
