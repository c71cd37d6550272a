"""The errand through LiteLLM, in the environment that holds it: prints what came of it as JSON."""

import asyncio
import json
import os
from types import SimpleNamespace
from typing import Any

import litellm  # pyright: ignore[reportMissingImports]

import charter
from charter import ToolSession
from charter.adapters.openai import RunResult, run
from charter.packs import gmail, stripe
from charter.packs.stripe.api import api

WISH = "Customer mail@example.com wants the last payment back."


async def go_through(*, stream: bool) -> dict[str, Any]:
    session = ToolSession([*gmail.TOOLS, *stripe.TOOLS])
    client = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=litellm.acompletion)))
    asked: dict[str, Any] = {
        "model": "openai/m",
        "messages": [{"role": "user", "content": WISH}],
        "session": session,
        "api_base": os.environ["MODEL_URL"],
        "api_key": "x",
    }
    if stream:
        result: Any = [event async for event in await run(client, stream=True, **asked)][-1]
    else:
        result = await run(client, **asked)
    assert isinstance(result, RunResult)
    return {"content": result.content, "turns": result.turns, "loaded": session.loaded, "usage": result.usage}


async def main() -> list[dict[str, Any]]:
    api.configure(base_url=os.environ["STRIPE_URL"])
    told = [await go_through(stream=stream) for stream in (False, True)]
    await charter.aclose()
    return told


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main())))
