"""Fixtures of the errand: a shop on localstripe that Charter's Stripe pack calls, and a session over two packs."""

from collections.abc import AsyncIterator

import pytest

import charter
from charter import ToolSession
from charter.packs import gmail, stripe
from charter.packs.stripe.api import api
from tests.e2e.shop import KEY, Shop


@pytest.fixture
async def shop(localstripe_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Shop]:
    monkeypatch.setattr(api, "base_url", f"{localstripe_url}/")
    monkeypatch.setenv("STRIPE_API_KEY", KEY)
    yield Shop(localstripe_url)
    await charter.aclose()


@pytest.fixture
def session() -> ToolSession:
    return ToolSession([*gmail.TOOLS, *stripe.TOOLS])
