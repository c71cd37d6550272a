"""A refund from beginning to end through LiteLLM, which needs nothing but the OpenAI Chat loop."""

import json
import os
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.counterparties.aimock import Aimock
from tests.counterparties.venv import make_venv
from tests.e2e.bodies import is_growing, read_tools
from tests.e2e.shop import KEY, LOADED, Shop, script
from tests.house.sources import ROOT


def install() -> Path:
    """Return the Python of an environment with LiteLLM, whose pins collide with ours, and what Charter needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return make_venv("litellm", "litellm>=1.100", *project["dependencies"])


@pytest.fixture(scope="session")
def python(start_or_skip: Callable[[Callable[[], Path]], Path]) -> Path:
    return start_or_skip(install)


@pytest.mark.anyio
async def test_a_refund_is_made_whole_and_streamed(aimock: Aimock, shop: Shop, python: Path) -> None:
    payments = [shop.pay(900), shop.pay(700)]
    aimock.script([reply for intent in payments for reply in script(intent)])
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        "STRIPE_URL": f"{shop.url}/",
        "STRIPE_API_KEY": KEY,
        "MODEL_URL": aimock.openai_url,
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    command = [str(python), "-m", "tests.e2e.litellm_errand"]
    done = subprocess.run(
        command, check=False, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    for told in json.loads(done.stdout.splitlines()[-1]):
        assert (told["content"], told["turns"], told["loaded"]) == ("Refunded.", 5, LOADED)
        assert told["usage"]["total_tokens"] > 0
    assert sorted(shop.refunds()) == sorted((intent, 250) for intent in payments)
    lists = read_tools(aimock)
    assert is_growing(lists[:5]) and lists[5:] == lists[:5]
