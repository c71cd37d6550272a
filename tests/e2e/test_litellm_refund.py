"""A refund from beginning to end through LiteLLM, which needs nothing but the OpenAI Chat loop."""

import json
import os
import re
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.counterparties.aimock import Aimock
from tests.counterparties.venv import make_venv
from tests.e2e.bodies import is_growing, read_tools
from tests.e2e.shop import KEY, LOADED, Shop, script
from tests.house.model import CONVERSATION, read_environment
from tests.house.sources import ROOT


def install() -> Path:
    """Return the Python of an environment with LiteLLM, whose pins collide with ours, and what Charter needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return make_venv("litellm", "litellm>=1.100", *project["dependencies"])


@pytest.fixture(scope="session")
def python(start_or_skip: Callable[[Callable[[], Path]], Path]) -> Path:
    return start_or_skip(install)


def run_python(python: Path, *command: str, **env: str) -> str:
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        [str(python), *command],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "LITELLM_LOCAL_MODEL_COST_MAP": "True", **env},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.anyio
async def test_a_refund_is_made_whole_and_streamed(aimock: Aimock, shop: Shop, python: Path) -> None:
    payments = [shop.pay(900), shop.pay(700)]
    aimock.script([reply for intent in payments for reply in script(intent)])
    env = {"STRIPE_URL": f"{shop.url}/", "STRIPE_API_KEY": KEY, "MODEL_URL": aimock.openai_url}
    printed = run_python(python, "-m", "tests.e2e.litellm_errand", **env)
    for told in json.loads(printed.splitlines()[-1]):
        assert (told["content"], told["turns"], told["loaded"]) == ("Refunded.", 5, LOADED)
        assert told["usage"]["total_tokens"] > 0
    assert sorted(shop.refunds()) == sorted((intent, 250) for intent in payments)
    lists = read_tools(aimock)
    assert is_growing(lists[:5]) and lists[5:] == lists[:5]


def test_the_example_of_the_page_runs(aimock: Aimock, python: Path) -> None:
    page = (ROOT / "docs" / "frameworks.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[:1]
    blocks += re.findall(r"^```python litellm\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    aimock.script([CONVERSATION[0], CONVERSATION[-1]])
    printed = run_python(python, "-c", "\n".join(blocks), **read_environment(aimock))
    assert printed.splitlines()[-1] == "Nothing is left."
    assert [len(body["tools"]) for body in aimock.bodies()] == [1, 2]
