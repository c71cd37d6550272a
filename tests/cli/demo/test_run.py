"""One run of the errand, in this process."""

import pytest

from charter import CharterError
from charter.cli.demo.run import run_errand, run_with_everything
from charter.packs import gmail, stripe

pytestmark = pytest.mark.anyio
TOOLS = [*gmail.TOOLS, *stripe.TOOLS]


@pytest.mark.parametrize("listing", ["names", "folded", "packs", "packs_alone"])
async def test_the_errand_is_done_whatever_the_form_of_the_listing(listing: str) -> None:
    done = await run_errand(TOOLS, listing=listing)
    assert len(done.world.stripe.refunds) == 1, done.answer
    assert len(done.world.gmail.sent) == 1
    assert done.answer.startswith("Done.")


async def test_runs_do_not_see_each_others_worlds() -> None:
    first = await run_errand(TOOLS)
    second = await run_errand(TOOLS)
    assert first.world is not second.world
    assert first.bill == second.bill
    assert len(second.world.stripe.refunds) == 1


async def test_the_packs_are_pointed_back_afterwards() -> None:
    before = [(tool.api.base_url, tool.api.auth) for tool in TOOLS]
    await run_errand(TOOLS)
    assert [(tool.api.base_url, tool.api.auth) for tool in TOOLS] == before


async def test_a_client_that_fails_leaves_nothing_behind() -> None:
    class Broken:
        @property
        def chat(self) -> "Broken":
            return self

        completions = chat

        async def create(self, **_: object) -> object:
            raise CharterError("model: is out. Wait.")

    before = stripe.TOOLS[0].api.base_url
    with pytest.raises(CharterError, match="is out"):
        await run_errand(TOOLS, client=Broken())
    assert stripe.TOOLS[0].api.base_url == before


async def test_a_search_saves_most_of_the_tokens() -> None:
    found, sent = (await run_errand(TOOLS)).bill, (await run_with_everything(TOOLS)).bill
    assert found.first_turn * 20 < sent.first_turn
    assert found.total * 4 < sent.total


async def test_the_same_requests_can_be_billed_with_every_schema() -> None:
    done = await run_errand(TOOLS)
    searches = [turn for turn in done.turns if turn.calls and all(call.is_search for call in turn.calls)]
    bill = done.bill_with(TOOLS)
    assert bill.turns == len(done.turns) - len(searches)
    assert bill.first_turn == (await run_with_everything(TOOLS)).bill.first_turn
