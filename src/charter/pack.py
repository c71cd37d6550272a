"""A pack: the tools of a package's modules, read off its compiled catalogue where there is one, importing none.

Not here: writing a catalogue. `compiling` does that, by the command `charter compile`.
"""

import hashlib
import json
import pkgutil
import sys
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from charter import __version__
from charter.errors import DeclarationError
from charter.schema.dialects import Dialect, render_in_dialect

if TYPE_CHECKING:
    from charter.tool import Tool

__all__ = [
    "CATALOGUE",
    "CompiledTool",
    "Pack",
    "digest_of_schema",
    "digest_of_sources",
    "find_pack",
    "found_tools",
    "listed_tools",
]

CATALOGUE = "catalogue.jsonl"
"""The compiled catalogue, beside the package's `__init__.py`: a header, then one line a tool."""


class Pack:
    """The tools of a pack and its `configure`, each imported when it is first used.

    In the package's `__init__.py`, for which type checkers read the stub that `charter compile` writes beside it:

        _pack = Pack(__name__, modules=("messages", "labels"))
        TOOLS = _pack.tools
        __getattr__, __dir__ = _pack.find, _pack.names

    `modules` are its submodules in the order of their tools; all of them unless given. A module's `TOOLS`, or every
    tool in it, is part of the pack's; other tools are found by name alone. `configure` is the submodule `api`'s.
    """

    def __init__(self, package: str, *, modules: Sequence[str] | None = None) -> None:
        self.package = package
        self._modules = modules
        self._found: dict[str, Any] = {}
        self._made_from: str | None = None  # the digest of the sources of the catalogue
        self._is_told = False
        self.tools = cast("tuple[Tool, ...]", tuple(self._read() or self._import_all()))
        """What a session is given: every tool of the pack but those found by name alone."""

    def find(self, name: str) -> Any:
        """Return a tool, or the pack's `configure`.

        Raises:
            AttributeError: there is no such name.
        """
        if name in self._found:
            return self._found[name]
        if name == "configure":
            return import_module(f"{self.package}.api").configure
        raise AttributeError(f"module {self.package!r} has no attribute {name!r}")

    def names(self) -> list[str]:
        """Return every public name, sorted."""
        return sorted({"TOOLS", "configure", *self._found})

    def modules(self) -> list[ModuleType]:
        """Import and return the submodules, in order."""
        package = sys.modules.get(self.package) or import_module(self.package)
        every = [
            info.name for info in pkgutil.iter_modules(package.__path__) if not info.name.startswith("_")
        ]
        return [import_module(f"{self.package}.{name}") for name in self._modules or every]

    @cached_property
    def has_changed_sources(self) -> bool:
        """Whether the sources of the package are others than those that its catalogue was made from.

        A reason to look closer: a comment changes them too.
        """
        return self._made_from is not None and self._made_from != digest_of_sources(self.package)

    def is_older_than_source(self) -> bool:
        """Whether the catalogue is not what the tools declare; imports them only where their sources have changed."""
        if not self.has_changed_sources:
            return False
        declared = {name for module in self.modules() for name in found_tools(module)}
        return declared != self._found.keys() or any(tool.is_outdated() for tool in self._found.values())

    def warn_once(self, problem: str) -> None:
        """Warn that the catalogue is not what the tools declare; later problems of it are not told."""
        if not self._is_told:
            self._is_told = True
            warnings.warn(
                f"{self.package}: its compiled catalogue {problem}. Run charter compile {self.package}.",
                stacklevel=3,
            )

    def _read(self) -> "list[CompiledTool]":
        """Read the compiled catalogue; empty when there is none, or none that can be read."""
        try:
            source = pkgutil.get_data(self.package, CATALOGUE)
        except OSError:
            return []
        try:
            header, *lines = map(json.loads, (source or b"").splitlines())
            tools = [CompiledTool(line, self) for line in lines]
            self._made_from = header.get("sources", "")
        except (ValueError, LookupError, TypeError, AttributeError):
            self.warn_once("cannot be read")
            return []
        self._found |= {line["attribute"]: tool for line, tool in zip(lines, tools, strict=True)}
        return [tool for line, tool in zip(lines, tools, strict=True) if line["listed"]]

    def _import_all(self) -> "list[Tool]":
        listed: list[Tool] = []
        for module in self.modules():
            self._found |= found_tools(module)
            listed += listed_tools(module).values()
        return listed


class CompiledTool:
    """A tool as its catalogue line says it. Its module is imported when more than that is asked of it."""

    def __init__(self, line: Mapping[str, Any], pack: Pack) -> None:
        self.pack: str = line["pack"]
        self.name: str = line["name"]
        self.qualified_name: str = line["qualified_name"]
        self.description: str = line["description"]
        self.method: str = line["method"]
        self.route: str = line["route"]
        self.is_read_only: bool = line["is_read_only"]
        self.hints: str = line["hints"]
        self.needs: Mapping[str, str] = line["needs"]
        self.scopes = tuple(line["scopes"])
        self._schema: Mapping[str, Any] = line["parameters"]
        self._home: tuple[str, str] = (line["module"], line["attribute"])
        self._digest: str = line["digest"]
        self._catalogue = pack

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse what would change nothing of the tool, as the tool itself does.

        Raises:
            DeclarationError: the line is read already.
        """
        if not name.startswith("_") and "_home" in self.__dict__:
            raise DeclarationError(
                f"{self.qualified_name}: {name} cannot be set on a tool. Use derived() or with_mode()."
            )
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"<Tool {self.qualified_name} {self.method} {self.route}>"

    def __reduce__(self) -> Any:
        """Be found by name in another process, or carried whole where the Api was configured in this one."""
        tool = _find_tool(*self._home)
        return tool.__reduce__() if tool.api.is_configured else (_find_tool, self._home)

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Be a `Tool` to whoever has imported that class; to import it for the question would undo the purpose."""
        module = sys.modules.get("charter.tool")
        return module.Tool if module else CompiledTool

    @property
    def parameters(self) -> dict[str, str]:
        """Top-level parameter name -> its description, for the search."""
        properties: Mapping[str, Mapping[str, Any]] = self._schema.get("properties", {})
        return {name: schema.get("description", "") for name, schema in properties.items()}

    def to_json_schema(self, dialect: Dialect | None = None) -> dict[str, Any]:
        """Return name, description and parameters, as `Tool.to_json_schema` does; a copy the caller may edit.

        Raises:
            DeclarationError: the dialect cannot say something.
        """
        parameters = json.loads(json.dumps(self._schema))
        if dialect is not None:
            return render_in_dialect(self.name, self.description, parameters, dialect)
        return {"name": self.name, "description": self.description, "parameters": parameters}

    def paths(self, under: str = "", depth: int = 1, *, by_cost: bool = False) -> Any:
        """List what a projection can name, as `Tool.paths` does; the first level needs no import."""
        if not under and depth == 1 and not by_cost:
            return list(self._schema.get("properties", {}))
        return self._find().paths(under, depth, by_cost=by_cost)

    def prepare(self) -> "CompiledTool":
        """Return the tool: its schema is ready, and its module is imported by its first call."""
        return self

    async def ainvoke(self, arguments: Any = None, /, **options: Any) -> Any:
        """Call the tool, importing its module at the first call."""
        return await self._find().ainvoke(arguments, **options)

    def __getattr__(self, name: str) -> Any:
        """Return anything else of the tool itself."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._find(), name)

    def _find(self) -> Any:
        """Return the tool itself; at the first time, compare it with its line if its sources have changed."""
        held = self.__dict__
        if "_live" not in held:
            held["_live"] = _find_tool(*held["_home"])
            if held["_catalogue"].has_changed_sources and self.is_outdated():
                held["_catalogue"].warn_once(f"is older than its source: {self.qualified_name} has changed")
        return held["_live"]

    def is_outdated(self) -> bool:
        """Whether a model is shown something else than the tool now declares."""
        shown = _find_tool(*self._home).to_json_schema()
        return digest_of_schema(shown["description"], shown["parameters"]) != self._digest


def digest_of_schema(description: str, parameters: Mapping[str, Any]) -> str:
    """Return the digest of what a model is shown of a tool."""
    shown = json.dumps([description, parameters], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(shown.encode()).hexdigest()[:16]


def digest_of_sources(package: str) -> str:
    """Return the digest of a package's sources and of Charter's version, which a tool's schema also depends on."""
    held = hashlib.sha256(__version__.encode())
    for folder in import_module(package).__path__:
        for path in sorted(Path(folder).rglob("*.py")):
            held.update(path.relative_to(folder).as_posix().encode())
            held.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return held.hexdigest()[:16]


def find_pack(module: ModuleType) -> Pack | None:
    """Return the pack that a module holds, if it holds one."""
    return next((value for value in vars(module).values() if isinstance(value, Pack)), None)


def listed_tools(module: ModuleType) -> dict[str, "Tool"]:
    """Return attribute -> tool of those that a module gives its pack; one without a name there has the tool's own."""
    tools = found_tools(module)
    listed = getattr(module, "TOOLS", None)
    if listed is None:
        return tools
    given = cast("Sequence[Tool]", listed)
    names = {id(tool): name for name, tool in tools.items()}
    return {names.get(id(tool), tool.name): tool for tool in given}


def found_tools(module: ModuleType) -> dict[str, "Tool"]:
    """Return attribute -> tool of every tool that a module declares."""
    declared = sys.modules.get("charter.tool")  # a module that declares tools has imported it
    if declared is None:
        return {}
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, declared.Tool) and value.args_schema.__module__ == module.__name__
    }


def _find_tool(module: str, attribute: str) -> Any:
    tool = getattr(import_module(module), attribute, None)
    if tool is None:
        raise DeclarationError(f"{module}: has no {attribute}, but its catalogue has. Run charter compile.")
    return tool
