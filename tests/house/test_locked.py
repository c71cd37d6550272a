"""What CI installs: hashes.txt holds the releases of constraints.txt, each with the hashes of its files."""

import re
import tomllib
from itertools import chain

from tests.house.sources import ROOT

_PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)==([^\s\\]+)", re.MULTILINE)


def read_pins(name: str) -> dict[str, str]:
    """Return name -> version of a file of pins."""
    return {
        re.sub(r"[-_.]+", "-", package).lower(): version
        for package, version in _PIN.findall((ROOT / name).read_text())
    }


def test_the_hashes_are_those_of_the_constraints() -> None:
    assert read_pins("hashes.txt") == read_pins("constraints.txt")
    entries = re.split(r"\n(?=\S)", (ROOT / "hashes.txt").read_text().strip())
    assert [entry.split("==")[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_no_address_is_written_where_releases_are_named() -> None:
    for name in ("hashes.txt", "constraints.txt", "pyproject.toml"):
        assert "://" not in (ROOT / name).read_text()


def test_every_dependency_is_pinned_and_has_a_lower_bound() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, groups = told["project"], told["dependency-groups"]
    optional = chain.from_iterable([*project["optional-dependencies"].values(), *groups.values()])
    pins = read_pins("constraints.txt")
    for line in chain(project["dependencies"], optional):
        if isinstance(line, str) and not line.startswith("charter["):
            name = re.match(r"[\w.-]+", line)
            assert name and re.sub(r"[-_.]+", "-", name[0]).lower() in pins, line
            assert ">=" in line or "==" in line, line
