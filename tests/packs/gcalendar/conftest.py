"""The calendar on loopback that the pack's tests write to."""

from collections.abc import Iterator

import pytest

from charter import Bearer
from charter.packs import gcalendar
from charter.packs.gcalendar.api import api
from tests.counterparties.loopback import Loopback
from tests.packs.gcalendar.calendar import Calendar


@pytest.fixture
def calendar(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Iterator[Calendar]:
    for setting in ("auth", "base_url"):
        monkeypatch.setattr(api, setting, getattr(api, setting))
    gcalendar.configure(base_url=loopback.url, auth=Bearer("ya29.test"))
    yield Calendar(loopback)
