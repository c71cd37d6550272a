"""Extras are named after what they bring, and `all` holds every one."""

import re
import tomllib

from tests.house.sources import PACKAGE, ROOT

EXTRAS: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
    "optional-dependencies"
]


def read_own(requirements: list[str]) -> set[str]:
    """Return the extras of Charter itself that requirements name."""
    named = [re.fullmatch(r"charter\[(.+)\]", line) for line in requirements]
    return {name.strip() for match in named if match for name in match[1].split(",")}


def test_all_holds_every_extra() -> None:
    assert read_own(EXTRAS["all"]) == EXTRAS.keys() - {"all"}


def test_every_adapter_has_an_extra_of_its_name() -> None:
    adapters = {path.stem for path in (PACKAGE / "adapters").iterdir() if not path.stem.startswith("_")}
    assert {name.replace("_", "-") for name in adapters} - EXTRAS.keys() == set()


def test_a_missing_extra_is_seen() -> None:
    assert read_own(["charter[a, b]", "x>=1"]) == {"a", "b"}
