"""Reading before writing: what a tool reads of its own API before its request is built, and what it makes of that.

Not here: the reads themselves. `call` makes them, each as a call of its own.
"""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from charter.errors import DeclarationError

__all__ = ["Found", "Readable", "Reader", "ReadsFirst", "check_reads"]


class Readable(Protocol):
    """A tool that may be read first."""

    @property
    def qualified_name(self) -> str:
        """Pack and name."""
        ...

    @property
    def is_read_only(self) -> bool:
        """Whether a call changes nothing."""
        ...

    @property
    def api(self) -> Any:
        """What it shares with the other tools of its vendor."""
        ...

    def call_spec(self) -> Any:
        """Return everything that a call needs to know."""
        ...


class Reader(Protocol):
    """Reads with a tool that `ReadsFirst` names: `await read(messages_get, id="m1")`.

    The read is a call of its own within the same deadline, with the same credentials, host's headers and client. It
    returns the whole answer, as the tool's own response handler would get it.
    """

    def __call__(
        self, tool: Any, arguments: Mapping[str, Any] | None = None, /, **more: Any
    ) -> Awaitable[Any]:
        """Make the read.

        Raises:
            CharterError: as any call; nothing has been written then.
        """
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """The answer, where reading has found it already: nothing more is sent, and the response handler trims it."""

    data: Any


@dataclass(frozen=True, slots=True, init=False)
class ReadsFirst:
    """What a tool reads of its own API before it writes: `reads_first=ReadsFirst(add_files, files_get)`.

    `prepare` is given the validated arguments, an instance of the args class, and a `Reader`. It returns the arguments
    that the request is built from, or what it has `Found`. `tools` are all that it may read.
    """

    prepare: Callable[[Any, Reader], Awaitable[Any]]
    tools: tuple[Readable, ...]

    def __init__(self, prepare: Callable[[Any, Reader], Awaitable[Any]], *tools: Readable) -> None:
        object.__setattr__(self, "prepare", prepare)
        object.__setattr__(self, "tools", tools)

    def names(self) -> list[str]:
        """Return the qualified names of what may be read, sorted."""
        return sorted(tool.qualified_name for tool in self.tools)

    def find(self, tool: Readable) -> Readable | None:
        """Return the declared tool that `tool` is, which after pickling is another object."""
        return next((one for one in self.tools if one.qualified_name == tool.qualified_name), None)


def check_reads(reads_first: ReadsFirst | None, where: str, api: object) -> ReadsFirst | None:
    """Return what the tool `where`, which is one of `api`, reads first, checked.

    Raises:
        DeclarationError: the function cannot be awaited, or a tool writes or is of another Api.
    """
    if reads_first is None:
        return None
    if not inspect.iscoroutinefunction(reads_first.prepare):
        raise DeclarationError(f"{where}: what reads first is no async function. Declare it with async def.")
    if not reads_first.tools:
        raise DeclarationError(f"{where}: reads first, but names no tool. Name those that it reads.")
    for tool in reads_first.tools:
        if not tool.is_read_only:
            raise DeclarationError(
                f"{where}: {tool.qualified_name} is no read, and only reads may come first. Name one that reads."
            )
        if tool.api is not api:
            raise DeclarationError(
                f"{where}: {tool.qualified_name} is of another Api, with other credentials. Name one of its own."
            )
    return reads_first
