"""Fixtures of the packs' tests: credentials that nothing checks.

Not here: the real servers (tests/conftest.py).
"""

import pytest


@pytest.fixture
def google_token(monkeypatch: pytest.MonkeyPatch) -> str:
    """The token that Google's packs find in the environment."""
    monkeypatch.setenv("GOOGLE_ACCESS_TOKEN", "ya29.test")
    return "ya29.test"
