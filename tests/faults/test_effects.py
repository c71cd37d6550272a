"""After a failure, whether a write may have taken effect is what is known to have left; a read never has."""

from collections.abc import AsyncIterator

import pytest

from charter import CharterError, TransportError, aclose
from charter.environment import read_trust
from tests.faults.effects import EFFECTS, NOTHING_SENT, Effect, World

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["GET", "POST"])
async def world(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    await aclose()
    world = World(request.param, monkeypatch)
    with world.closing:
        yield world
    monkeypatch.undo()
    read_trust.cache_clear()
    await aclose()


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.what)
async def test_what_may_have_taken_effect_is_told_for_every_way_to_fail(effect: Effect, world: World) -> None:
    outcome = await effect.happen(world)
    if isinstance(outcome, bool):  # of a call in another process
        assert outcome is (effect.may and world.method == "POST")
        return
    assert isinstance(outcome, CharterError), repr(outcome)
    assert outcome.may_have_taken_effect is (effect.may and world.method == "POST")
    if isinstance(outcome, TransportError):
        told = outcome.for_model()
        assert (
            "It may have taken effect: check before repeating it." in told
        ) is outcome.may_have_taken_effect
        if effect in NOTHING_SENT:
            assert "Nothing was sent" in told
        elif world.method == "GET":
            assert "safe to try again" in told
