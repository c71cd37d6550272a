"""Nothing that a model or a transcript holds raises anything but a CharterError: 100,000 of each (`make fuzz`)."""

import pytest

from tests.properties.entry_points import ENTRY_POINTS, try_many


@pytest.mark.parametrize("name", ENTRY_POINTS)
def test_only_library_errors_come_out(name: str) -> None:
    try_many(name, 100_000)
