"""What the property tests share: one catcher of requests for a module."""

from collections.abc import Iterator

import pytest

from tests.properties.echo import Caught


@pytest.fixture(scope="module")
def caught() -> Iterator[Caught]:
    catcher = Caught()
    yield catcher
    catcher.close()
