"""`charter.toml`: what to serve and how, checked with the line that is wrong in each error.

What the settings mean is said in `setup.py` and `http.py`; loading packs is the command line's.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from charter.adapters.mcp.auth import TokenRules, read_auth
from charter.adapters.mcp.modes import Mode
from charter.adapters.mcp.store import IDLE_SECONDS, MAX_SESSIONS
from charter.discovery.catalogue import ToolLike
from charter.discovery.qualified import SEPARATOR, qualify
from charter.errors import DeclarationError

__all__ = ["Config", "HttpTable", "Projection", "override", "project_tools", "read_config"]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Projection(_Table):
    """A narrower copy of one tool: `[tools.stripe__charges_list]`."""

    keep: list[str] | None = None
    drop: list[str] | None = None
    pin: dict[str, Any] | None = None
    description: str | None = None


class ApiTable(_Table):
    """Where one pack's calls go: `[apis.stripe]`."""

    base_url: str


class HttpTable(_Table):
    """`[http]`: serving over HTTP instead of stdio."""

    address: str = "127.0.0.1:8000"
    hosts: list[str] = Field(default_factory=list)
    origins: list[str] = Field(default_factory=list)
    max_body: int = Field(4 * 1024 * 1024, gt=0)
    max_sessions: int = Field(MAX_SESSIONS, gt=0)
    idle_seconds: float = Field(IDLE_SECONDS, gt=0)
    shutdown_seconds: float = Field(10.0, ge=0)
    store: str | None = None
    auth: dict[str, str | list[str]] | None = None

    def rules(self) -> TokenRules | None:
        """Return which tokens are accepted; None lets everyone in.

        Raises:
            DeclarationError: the rules make no sense.
        """
        return None if self.auth is None else read_auth(self.auth)


class Config(_Table):
    """The whole file. Each field is also a key of it."""

    packs: list[str] = Field(default_factory=list)
    name: str = "charter"
    mode: Mode | None = None
    separator: str = SEPARATOR
    max_result_tokens: int = Field(20_000, gt=0)
    page_size: int = Field(500, gt=0)
    progress_seconds: float = Field(5.0, gt=0)
    resident: list[str] = Field(default_factory=list)
    threshold: int = Field(0, ge=0)
    budget: int | None = Field(None, ge=0)
    listing: str = "auto"
    tool_mode: str | None = None
    """The named mode of every tool."""
    apis: dict[str, ApiTable] = Field(default_factory=dict)
    tools: dict[str, Projection] = Field(default_factory=dict)
    http: HttpTable | None = None


def read_config(path: Path) -> Config:
    """Read a `charter.toml`.

    Raises:
        DeclarationError: it cannot be read, is no TOML, or holds something unknown; the text has the line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DeclarationError(f"{path}: cannot be read ({error}). Name a charter.toml.") from None
    try:
        config = Config.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        where = f"{path}:{line[1]}" if line else f"{path}:{text.count(chr(10)) + 1}"
        raise DeclarationError(f"{where}: is no TOML: {error}. Mend that line.") from None
    except ValidationError as error:
        raise DeclarationError(_describe(path, text, error)) from None
    try:
        if config.http is not None:
            config.http.rules()
    except DeclarationError as error:
        raise DeclarationError(f"{path}:{find_line(text, ('http', 'auth'))}: {error}") from None
    return config


def override(config: Config, given: Mapping[str, Any], over_http: Mapping[str, Any]) -> Config:
    """Return a configuration with options in place of what the file says; those that are None change nothing.

    Raises:
        DeclarationError: an option makes no sense.
    """
    options = {name: value for name, value in given.items() if value is not None}
    http = {name: value for name, value in over_http.items() if value is not None}
    if http:
        said = config.http.model_dump(exclude_unset=True) if config.http is not None else {}
        if config.http is None and "address" not in http:
            raise DeclarationError(f"serve: {next(iter(http))} is for HTTP. Give --http HOST:PORT too.")
        options["http"] = {**said, **http}
    try:
        return Config.model_validate({**config.model_dump(exclude_unset=True), **options})
    except ValidationError as error:
        found = error.errors()[0]
        name = ".".join(str(part) for part in found["loc"])
        raise DeclarationError(
            f"serve: {name} {found['input']!r}: {found['msg']}. Mend the option."
        ) from None


def _describe(path: Path, text: str, error: ValidationError) -> str:
    problems: list[str] = []
    for found in error.errors()[:5]:
        place = [str(part) for part in found["loc"]]
        line, name = find_line(text, place), ".".join(place)
        if found["type"] == "extra_forbidden":
            problems.append(f"{path}:{line}: {name} is unknown. {_suggest(found['loc'])}")
        else:
            problems.append(
                f"{path}:{line}: {name}: {found['msg']}, got {str(found['input'])[:60]!r}. Mend it."
            )
    return "\n".join(problems)


def _suggest(place: Sequence[int | str]) -> str:
    table: type[BaseModel] = Config
    if place[0] == "http" and len(place) > 1:
        table = HttpTable
    elif place[0] == "tools" and len(place) > 2:
        table = Projection
    elif place[0] == "apis" and len(place) > 2:
        table = ApiTable
    return f"Use {', '.join(table.model_fields)}."


def find_line(text: str, place: Iterable[str]) -> int:
    r"""Return the line on which a key is set, or that of the nearest table around it.

    >>> find_line('packs = []\n[http]\nport = 1\n', ["http", "port"])
    3
    """
    wanted = tuple(place)
    table: tuple[str, ...] = ()
    best = (0, 1)
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", line)
        key = re.match(r"\s*([A-Za-z0-9_.\"'-]+)\s*=", line)
        if header:
            table = _split_key(header[1])
            here = table
        elif key:
            here = (*table, *_split_key(key[1]))
        else:
            continue
        if here == wanted[: len(here)] and len(here) > best[0]:
            best = len(here), number
    return best[1]


def _split_key(key: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in key.split("."))


def project_tools(
    tools: Iterable[ToolLike], projections: Mapping[str, Projection], where: str = "charter.toml"
) -> list[ToolLike]:
    """Return the tools with the projected ones in place of those they narrow.

    Raises:
        DeclarationError: a projection is of a tool that is not there, or of one that cannot be narrowed.
    """
    left = dict(projections)
    made: list[ToolLike] = []
    for tool in tools:
        name = qualify(tool.pack, tool.name)
        projection = left.pop(name, None)
        made.append(tool if projection is None else _project(tool, name, projection, where))
    if left:
        raise DeclarationError(
            f"{where}: tools.{next(iter(left))} names no tool of the packs. Name one, as pack__tool."
        )
    return made


def _project(tool: ToolLike, name: str, projection: Projection, where: str) -> ToolLike:
    derive = getattr(tool, "derived", None)
    if derive is None:
        raise DeclarationError(f"{where}: tools.{name} cannot be narrowed. Remove its table.")
    wanted = projection.model_dump(exclude_none=True)
    try:
        return derive(name=tool.name, **wanted)
    except DeclarationError as error:
        raise DeclarationError(f"{where}: tools.{name}: {error}") from error
