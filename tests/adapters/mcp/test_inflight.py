"""A call is found by who made it and its id, and by nobody else."""

import anyio
import pytest

from charter.adapters.mcp.inflight import Inflight

pytestmark = pytest.mark.anyio


async def test_only_the_one_who_made_a_call_cancels_it() -> None:
    inflight = Inflight()
    with inflight.track("ada", 7) as scope:
        assert not inflight.cancel("bob", 7)
        assert not inflight.cancel("ada", 8)
        assert inflight.cancel("ada", "7")
        await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert not inflight.cancel("ada", 7)


async def test_an_id_that_is_used_twice_stands_for_the_later_call() -> None:
    inflight = Inflight()
    with inflight.track("ada", 1) as first:
        with inflight.track("ada", 1) as second:
            inflight.cancel("ada", 1)
            await anyio.sleep_forever()
        assert second.cancelled_caught
        assert not first.cancel_called
        assert not inflight.cancel("ada", 1)
