"""The Redis that the tests of shared state ask for."""

import os
from collections.abc import Iterator

import pytest

from tests.counterparties.node import NotInstallable
from tests.counterparties.redis import RedisServer, run_redis


@pytest.fixture(scope="module")
def redis_server() -> Iterator[RedisServer]:
    """A real Redis; without the binary the test is skipped, and under CI=true it fails."""
    try:
        with run_redis() as server:
            yield server
    except NotInstallable as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))
