"""A pack: the tools of a package's modules, read off its compiled catalogue where there is one, importing none.

Not here: writing a catalogue. `compiling` does that, by the command `charter compile`.
"""

import json
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from charter.errors import DeclarationError
from charter.schema.dialects import Dialect, render_in_dialect

if TYPE_CHECKING:
    from charter.tool import Tool

__all__ = ["CATALOGUE", "CompiledTool", "Pack", "found_tools", "listed_tools"]

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

    def _read(self) -> "list[CompiledTool]":
        """Read the compiled catalogue; empty when there is none."""
        try:
            source = pkgutil.get_data(self.package, CATALOGUE)
        except OSError:
            return []
        listed: list[CompiledTool] = []
        for line in map(json.loads, (source or b"").splitlines()[1:]):
            tool = self._found[line["attribute"]] = CompiledTool(line)
            if line["listed"]:
                listed.append(tool)
        return listed

    def _import_all(self) -> "list[Tool]":
        listed: list[Tool] = []
        for module in self.modules():
            self._found |= found_tools(module)
            listed += listed_tools(module).values()
        return listed


class CompiledTool:
    """A tool as its catalogue line says it. Its module is imported when more than that is asked of it."""

    def __init__(self, line: Mapping[str, Any]) -> None:
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

    def __repr__(self) -> str:
        return f"<Tool {self.qualified_name} {self.method} {self.route}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _find_tool, self._home

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
        return _find_tool(*self._home).paths(under, depth, by_cost=by_cost)

    def prepare(self) -> "CompiledTool":
        """Return the tool: its schema is ready, and its module is imported by its first call."""
        return self

    async def ainvoke(self, arguments: Any = None, /, **options: Any) -> Any:
        """Call the tool, importing its module at the first call."""
        return await _find_tool(*self._home).ainvoke(arguments, **options)

    def __getattr__(self, name: str) -> Any:
        """Return anything else of the tool itself."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(_find_tool(*self.__dict__["_home"]), name)


def listed_tools(module: ModuleType) -> dict[str, "Tool"]:
    """Return attribute -> tool of those that a module gives its pack."""
    tools = found_tools(module)
    listed = getattr(module, "TOOLS", None)
    if listed is None:
        return tools
    names = {id(tool): name for name, tool in tools.items()}
    return {names[id(tool)]: tool for tool in listed}


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
