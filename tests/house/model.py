"""A model for the examples of docs/frameworks.md: it searches, asks for the balance, and answers."""

import gc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from charter.packs.stripe.api import api
from tests.counterparties.aimock import Aimock, calls, text

CONVERSATION = [
    calls(("ToolSearch", {"query": "select:stripe__balance_retrieve"})),
    calls(("stripe__balance_retrieve", {})),
    text("Nothing is left."),
]


EXAMPLES = 20
"""Examples that the page may have at most; each goes through the whole conversation."""


@contextmanager
def serve_model(aimock: Aimock, origin: str) -> Iterator[None]:
    """Point every provider's client at the model, and the Stripe pack at an API that answers anything."""
    aimock.script(CONVERSATION * EXAMPLES)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        # Some frameworks keep a client for the whole process, open beyond the loop of one example.
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.filterwarnings("ignore", "Inheritance class", DeprecationWarning)  # google-genai on aiohttp
        warnings.filterwarnings("ignore", "FUNCTION_CALL is not a valid", UserWarning)  # aimock's own word
        patch.setattr(api, "base_url", f"{origin}/")
        for name, value in read_environment(aimock).items():
            patch.setenv(name, value)
        yield
        gc.collect()


def read_environment(aimock: Aimock) -> dict[str, str]:
    """Return the variables by which the clients find their servers."""
    return {
        "OPENAI_BASE_URL": aimock.openai_url,
        "ANTHROPIC_BASE_URL": aimock.anthropic_url,
        "GOOGLE_GEMINI_BASE_URL": aimock.gemini_url,
        **dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"), "x"),
        "STRIPE_API_KEY": "sk_test_123",
        "OPENAI_AGENTS_DISABLE_TRACING": "1",
    }
