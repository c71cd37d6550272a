"""Fixtures that every test may ask for: the real servers that Charter is tried against, and the clock's backend.

The servers themselves are in tests/counterparties/. A server that cannot be had skips its tests
with the reason; under CI=true nothing may be missing, so there it fails.
"""

import os
import threading
import urllib.request
from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

import pytest

from charter import aclose
from charter.background import THREAD, run_sync
from tests.counterparties.aimock import Aimock, start_aimock
from tests.counterparties.emulate import Emulate, start_emulate
from tests.counterparties.localstripe import start_localstripe
from tests.counterparties.loopback import Loopback
from tests.counterparties.node import NotInstallable

T = TypeVar("T")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under CI=true a test that would be skipped has failed."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI") == "true":
        report.outcome, report.longrepr = "failed", f"skipped where nothing may be: {report.longrepr}"
    return report


def _start(start: Callable[[], T]) -> T:
    try:
        return start()
    except NotInstallable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def start_or_skip() -> Callable[[Callable[[], T]], T]:
    """Start or install what a test needs: `start_or_skip(lambda: make_venv("x", "x"))`."""
    return _start


@pytest.fixture(scope="session")
def _localstripe_process() -> Iterator[str]:
    with _start(start_localstripe) as process:
        yield process.ready["url"]


@pytest.fixture
def localstripe_url(_localstripe_process: str) -> str:
    """The origin of an empty localstripe, such as `http://127.0.0.1:40123`; any `sk_test_...` key works."""
    request = urllib.request.Request(f"{_localstripe_process}/_config/data", method="DELETE")
    urllib.request.urlopen(request, timeout=30).close()
    return _localstripe_process


@pytest.fixture(scope="session")
def _aimock_process() -> Iterator[Aimock]:
    server = _start(start_aimock)
    yield server
    server.close()


@pytest.fixture
def aimock(_aimock_process: Aimock) -> Aimock:
    """A model provider with nothing scripted and nothing recorded; see tests/counterparties/aimock.py."""
    _aimock_process.reset()
    return _aimock_process


@pytest.fixture(scope="session")
def _emulate_process() -> Iterator[Emulate]:
    server = _start(start_emulate)
    yield server
    server.close()


@pytest.fixture
def emulate(_emulate_process: Emulate) -> Emulate:
    """Google, Stripe, GitHub, Slack and Linear holding their seed; see tests/counterparties/emulate.py."""
    _emulate_process.reset_all()
    return _emulate_process


@pytest.fixture(scope="session")
def _loopback_server() -> Iterator[Loopback]:
    server = Loopback()
    yield server
    server.close()


@pytest.fixture
def loopback(_loopback_server: Loopback) -> Loopback:
    """An API of our own that keeps what it was asked and answers `{}`; see tests/counterparties/loopback.py."""
    _loopback_server.reset()
    return _loopback_server


@pytest.fixture(autouse=True)
def _own_pool() -> Iterator[None]:
    """Leave no connection of `invoke` to the next test, whose servers may be on ports of this one's."""
    yield
    if any(thread.name == THREAD for thread in threading.enumerate()):
        run_sync(aclose)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests (`pytestmark = pytest.mark.anyio`) run on asyncio."""
    return "asyncio"
