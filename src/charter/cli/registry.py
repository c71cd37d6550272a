"""Which packs there are, and the tools of those asked for. A pack is imported when its tools are wanted.

Not here: the packs that come with Charter; `charter.packs` lists them.
"""

import importlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

from charter.discovery.catalogue import Catalogue, find_catalogue
from charter.discovery.qualified import SEPARATOR
from charter.errors import CharterError
from charter.pack import CompiledTool, find_pack
from charter.packs import PACKS

if TYPE_CHECKING:
    from charter.tool import Tool

__all__ = ["Pack", "find_modules", "find_tool", "is_pack", "load_packs", "load_tools"]

GROUP = "charter.packs"
"""Entry point group in which other distributions name their packs."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The tools of one module, under the name that it was asked for."""

    name: str
    module: str
    summary: str
    tools: "tuple[Tool, ...]"


def find_modules() -> Mapping[str, str]:
    """Return name -> module of every pack installed; of one name, the pack that comes with Charter counts."""
    return {**PACKS, **{name: module for name, module in _find_offered().items() if name not in PACKS}}


def _find_offered() -> dict[str, str]:
    """Return name -> module of the packs that other distributions offer, by name."""
    return dict(sorted((entry.name, entry.value) for entry in entry_points(group=GROUP)))


def load_packs(names: Iterable[str] | None = None, *, tell: bool = True) -> list[Pack]:
    """Load packs by name, module or file; all that are installed when none is named.

    Without names a pack that cannot be imported is told of on stderr and left out. With `tell`, stderr also says of
    what was loaded that its catalogue is older than its source, or that it bears the name of another pack.

    Raises:
        CharterError: a pack that was named cannot be loaded.
    """
    known = find_modules()
    wanted = [part for name in names or () for part in name.split(",") if part]
    packs = [_load(name, known) for name in dict.fromkeys(wanted)] if wanted else _load_all(known)
    if tell:
        _tell(problem for pack in packs for problem in _find_problems(pack))
        _tell(
            f"{module}: is installed as {name}, but the pack of that name that comes along counts. "
            f"Name it by module: --pack {module}."
            for name, module in _find_offered().items()
            if name in PACKS and known[name] in {pack.module for pack in packs}
        )
    return packs


def _tell(problems: Iterable[str]) -> None:
    for problem in problems:
        sys.stderr.write(f"charter: {problem}\n")


def _load_all(known: Mapping[str, str]) -> list[Pack]:
    packs: list[Pack] = []
    for name in known:
        try:
            packs.append(_load(name, known))
        except CharterError as error:
            _tell([str(error)])
    return packs


def _find_problems(pack: Pack) -> Iterator[str]:
    """Say what a pack is not wrong for, but what its user should know."""
    held = find_pack(sys.modules[pack.module])
    if held and held.is_older_than_source():
        yield f"{pack.name}: its compiled catalogue is older than its source. Run charter compile {pack.name}."
    if pack.module not in PACKS.values():
        for name in sorted({tool.pack for tool in pack.tools} & PACKS.keys()):
            yield f"{pack.name}: its tools are named {name}__..., as those of the pack {name} that comes along."


def load_tools(names: Iterable[str] | None = None) -> "list[Tool]":
    """Load the tools of packs as `load_packs` does, each tool once."""
    tools = [tool for pack in load_packs(names) for tool in pack.tools]
    return list({id(tool): tool for tool in tools}.values())


def is_pack(name: str) -> bool:
    """Tell whether a name can be a pack's: an installed one, a file, or a module that is there."""
    if name in find_modules() or name.endswith(".py") or "." in name:
        return True
    _see_working_folder()
    return SEPARATOR not in name and name.isidentifier() and importlib.util.find_spec(name) is not None


def find_tool(name: str, names: Sequence[str] | None = None) -> "Tool":
    """Find one tool as a person writes its name; only the pack that the name tells is loaded, if it tells one.

    Raises:
        CharterError: no tool, or more than one, has the name.
    """
    pack = name.partition(SEPARATOR)[0]
    catalogue = find_catalogue(load_tools(names or ([pack] if pack in find_modules() else None)))
    selection = catalogue.index.select([name])
    if len(selection.found) == 1:
        return cast("Tool", catalogue.tools[selection.found[0]])
    if selection.found:
        raise CharterError(f"{name}: is the name of several. Use one of {', '.join(selection.found)}.")
    raise CharterError(f"{name}: there is no such tool. {_suggest(name, catalogue)}")


def _suggest(name: str, catalogue: Catalogue) -> str:
    close = catalogue.index.find_close(name, 3)
    return f"Use one of {', '.join(close)}." if close else "Run charter tools to see them all."


def _load(name: str, known: Mapping[str, str]) -> Pack:
    module = _import(name, known)
    tools = getattr(module, "TOOLS", None)
    if not isinstance(tools, (list, tuple)) or not all(_is_tool(tool) for tool in tools):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        raise CharterError(f"{name}: {module.__name__} has no TOOLS. Add TOOLS = (tool, ...).")
    summary = (module.__doc__ or "").strip().partition("\n")[0]
    return Pack(name, module.__name__, summary, tuple(tools))  # pyright: ignore[reportUnknownArgumentType]


def _is_tool(value: object) -> bool:
    """Tell whether a value is a tool; a pack that is compiled lists its tools without importing that class."""
    declared = sys.modules.get("charter.tool")
    return isinstance(value, CompiledTool) or (declared is not None and isinstance(value, declared.Tool))


def _import(name: str, known: Mapping[str, str]) -> ModuleType:
    try:
        if name in known:
            return importlib.import_module(known[name])
        if name.endswith(".py"):
            return _import_file(Path(name))
        _see_working_folder()
        return importlib.import_module(name)
    except CharterError:
        raise
    except ModuleNotFoundError as error:
        if error.name and name.startswith(error.name):
            there = ", ".join(known)
            raise CharterError(
                f"{name}: there is no such pack or module. Installed are {there}; or name a module."
            ) from None
        raise CharterError(f"{name}: its import failed: {error}. Install what it needs.") from error
    except Exception as error:
        raise CharterError(f"{name}: its import failed: {error!r}. Mend the module.") from error


def _see_working_folder() -> None:
    """Let modules be imported from the folder that the user is in, where their own usually are."""
    if "" not in sys.path:
        sys.path.insert(0, "")


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise CharterError(f"{path}: there is no such file. Name a .py file that holds TOOLS.")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
