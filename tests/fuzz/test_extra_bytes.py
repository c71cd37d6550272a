"""10,000 calls of 40 users, a hundred at once, against servers that send more than their answers.

Not among the tests that every change runs; `make fuzz` runs it.
"""

import pytest

from charter import aclose
from tests.faults.extra import KINDS, count_outcomes, run_gateway

pytestmark = pytest.mark.anyio
CALLS = 10_000


@pytest.mark.parametrize("is_late", [False, True], ids=["with the answer", "behind the answer"])
@pytest.mark.parametrize("kind", KINDS)
async def test_no_call_of_ten_thousand_gets_anothers_answer_or_fails(kind: str, is_late: bool) -> None:
    await aclose()
    async with run_gateway(KINDS[kind], is_late=is_late) as gateway:
        outcomes = await count_outcomes(gateway.url, calls=CALLS, at_once=100)
        await aclose()
    assert set(outcomes) <= {"own", "none"}
    assert outcomes.total() == gateway.asked == CALLS
    assert len(gateway.spoiled) > CALLS // 20
