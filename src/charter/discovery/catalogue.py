"""The tools of many sessions: read once for each set of tools, shared, built lazily.

Which of them one conversation has loaded is `session.py`'s.
"""

import json
import logging
import marshal
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from charter.discovery.entry import Entry, read_entry, read_parameters
from charter.discovery.given import is_mapping
from charter.discovery.index import Index
from charter.discovery.listing import choose_listing
from charter.discovery.needs import fill_needs
from charter.discovery.qualified import SEPARATOR, TOOL_SEARCH, name_tools, qualify
from charter.discovery.ranking import Finder, Ranker, RankerIndex
from charter.discovery.semantic import SemanticIndex
from charter.discovery.toolsearch import define_search
from charter.discovery.vectors import find_vectors
from charter.errors import DeclarationError
from charter.locks import Lock
from charter.schema.cost import json_tokens, write_compact
from charter.schema.dialects import Dialect, render_in_dialect

__all__ = ["Catalogue", "Definition", "Opening", "Options", "ToolLike", "find_catalogue", "translate"]

MAX_CATALOGUES = 64
"""Sets of tools whose catalogues are kept; the least used is dropped."""
MAX_OPENINGS = 64

_SEARCHES = ("core", "semantic")
_log = logging.getLogger(__name__)


class ToolLike(Protocol):
    """What can be discovered. `hints`, `needs`, `parameters` (names to descriptions),
    `prepare` and `with_mode` are used where there are any.
    """

    @property
    def name(self) -> str:
        """The name within its pack."""
        ...

    @property
    def pack(self) -> str:
        """What it belongs to."""
        ...

    @property
    def description(self) -> str:
        """What the model reads; its first sentence counts most in a search."""
        ...

    @property
    def to_json_schema(self) -> Callable[[], dict[str, Any]]:
        """Return `{"name", "description", "parameters"}`."""
        ...

    @property
    def ainvoke(self) -> Callable[..., Awaitable[Any]]:
        """Call it with a dict of arguments, and `client=` when the host gave one."""
        ...


class Definition:
    """One tool as a model is sent it, under its qualified name. `tokens` is what `parameters` costs, by the rule of
    `schema_tokens`.
    """

    __slots__ = ("_packed", "description", "name", "tokens")

    def __init__(self, name: str, description: str, parameters: Mapping[str, Any], tokens: int) -> None:
        self.name, self.description, self.tokens = name, description, tokens
        # Every turn hands out every schema, and unpacking one is several times faster than copying it.
        self._packed = marshal.dumps(json.loads(write_compact(parameters)))

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the JSON Schema of its arguments; a copy the caller may edit."""
        return marshal.loads(self._packed)  # noqa: S302 - packed here


@dataclass(frozen=True, slots=True)
class Options:
    """What a session is opened with that decides its first turn."""

    progressive: bool = True
    threshold: int = 0
    resident: frozenset[str] = frozenset()
    listing: str = "auto"


@dataclass(frozen=True, slots=True)
class Opening:
    """The first turn: what is sent whole, and ToolSearch unless nothing is left for it to load."""

    resident: tuple[str, ...]
    search: Definition | None


class Catalogue:
    """Tools by qualified name, with what is read off them when it is first wanted. Thread-safe.

    Raises:
        DeclarationError: two tools share a name, or one would shadow ToolSearch.
    """

    def __init__(self, tools: Sequence[ToolLike]) -> None:
        self.tools: Mapping[str, ToolLike] = name_tools(tools)
        self._places = {name: place for place, name in enumerate(sorted(self.tools))}
        self._definitions: dict[tuple[str, Dialect | None], Definition] = {}
        self._prepared: set[str] = set()
        self._openings: dict[Options, Opening] = {}
        self._index: Index | None = None
        self._semantic: SemanticIndex | None = None
        self._lock = Lock()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return what the search knows of each tool, by name, so that no order of the tools shows."""
        return self.index.entries

    @property
    def index(self) -> Index:
        """Return the index over all tools, built when it is first asked for."""
        if self._index is None:
            with self._lock:
                if self._index is None:
                    entries = [_read_entry(name, self.tools[name]) for name in self._places]
                    self._index = Index.build(fill_needs(entries))
        return self._index

    def define(self, name: str, dialect: Dialect | None = None) -> Definition:
        """Return how one tool is sent, built once for each dialect.

        Raises:
            DeclarationError: the dialect cannot say something of its schema.
            Exception: whatever the tool raises when its schema cannot be built.
        """
        known = self._definitions.get((name, dialect))
        if known is None:
            if dialect is None:
                made = _define(name, self.tools[name].to_json_schema())
            else:
                made = translate(self.define(name), dialect)
            known = self._definitions.setdefault((name, dialect), made)
        return known

    def prepare(self, name: str) -> bool:
        """Build what it takes to send a tool and to call it. Return whether it can be built."""
        if name not in self._prepared:
            try:
                self.define(name)
                getattr(self.tools[name], "prepare", _nothing)()
            except Exception as error:
                _log.warning("%s cannot be loaded: %r", name, error)
                return False
            self._prepared.add(name)
        return True

    def entry(self, name: str) -> Entry:
        """Return what the search knows of one tool."""
        return self.index.entries[self._places[name]]

    def check_finder(self, search: str | Ranker) -> None:
        """Check a session's `search=`.

        Raises:
            DeclarationError: it is neither a name that is known nor a function, or its extra is not installed.
        """
        if search not in _SEARCHES and not callable(search):
            raise DeclarationError(
                f"ToolSession: search={search!r} is unknown. Use one of {_SEARCHES}, or a function."
            )
        if search == "semantic":
            find_vectors()

    def finder(self, search: str | Ranker) -> Finder:
        """Return what answers searches, built when it is first asked for.

        Raises:
            DeclarationError: `search` is "semantic" and its extra is not installed.
        """
        if callable(search):
            return RankerIndex(self.entries, search)
        return self._find_semantic() if search == "semantic" else self.index

    def _find_semantic(self) -> SemanticIndex:
        if self._semantic is None:
            index = self.index
            with self._lock:
                if self._semantic is None:
                    self._semantic = SemanticIndex.build(index)
        return self._semantic

    def open(self, options: Options) -> Opening:
        """Return the first turn of sessions with these options.

        Raises:
            DeclarationError: a resident name or the form of the listing is unknown.
        """
        known = self._openings.get(options)
        if known is None:
            known = self._build_opening(options)
            if len(self._openings) >= MAX_OPENINGS:
                self._openings.clear()
            self._openings[options] = known
        return known

    def _build_opening(self, options: Options) -> Opening:
        for name in sorted(options.resident - self.tools.keys()):
            close = ", ".join(self.index.find_close(name, 3)) or "a name of session.tools"
            raise DeclarationError(f"ToolSession: resident names no tool {name!r}. Use {close}.")
        if not options.progressive:
            return Opening(tuple(self.tools), None)
        resident = tuple(
            name for name in self.tools if name in options.resident or self._is_small(name, options)
        )
        deferred = self.tools.keys() - set(resident)
        text = choose_listing(deferred, options.listing)
        return Opening(resident, _define(TOOL_SEARCH, define_search(text)) if deferred else None)

    def _is_small(self, name: str, options: Options) -> bool:
        if not options.threshold:
            return False
        try:
            return self.define(name).tokens <= options.threshold
        except Exception:  # a tool that cannot be built is told of when it is asked for
            return False


def translate(definition: Definition, dialect: Dialect) -> Definition:
    """Return a definition as one provider takes it; without arguments it may have no parameters at all.

    Raises:
        DeclarationError: the dialect cannot say something of its schema.
    """
    name, description = definition.name, definition.description
    told = render_in_dialect(name, description, definition.parameters, dialect)
    return Definition(name, told["description"], told.get("parameters", {}), definition.tokens)


def _define(name: str, schema: Mapping[str, Any]) -> Definition:
    parameters = schema["parameters"]
    return Definition(name, schema["description"], parameters, json_tokens(parameters))


def _nothing() -> None:
    """Stand in for `prepare` of a tool that has none."""


def _read_entry(name: str, tool: ToolLike) -> Entry:
    """Read an entry, without building a schema where the tool says what its parameters are."""
    needs: Mapping[str, str] = getattr(tool, "needs", None) or {}
    parameters = {key: {"description": text} for key, text in _read_parameters(tool).items()}
    return read_entry(
        name,
        tool.description,
        {"properties": parameters},
        pack=tool.pack,
        hints=getattr(tool, "hints", "") or "",
        needs={key: made if SEPARATOR in made else qualify(tool.pack, made) for key, made in needs.items()},
    )


def _read_parameters(tool: ToolLike) -> Mapping[str, str]:
    known: Mapping[str, str] | None = getattr(tool, "parameters", None)
    if is_mapping(known):
        return known
    try:
        return read_parameters(tool.to_json_schema().get("parameters"))
    except Exception:  # one broken tool must not take the search of all others with it
        return {}


_Key = tuple[tuple[str, ...], tuple[int, ...]]
_catalogues: OrderedDict[_Key, tuple[Catalogue, tuple[ToolLike, ...]]] = OrderedDict()
_catalogues_lock = Lock()


def find_catalogue(tools: Sequence[ToolLike], modes: tuple[str, ...] = ()) -> Catalogue:
    """Return the one catalogue of these very tools in these modes beside their own, built when it is first asked for.

    Raises:
        DeclarationError: the tools cannot be in one session, or one of them has no modes.
    """
    # The entry keeps the tools alive, so no other object can come to have one of these identities.
    key = (modes, tuple(map(id, tools)))
    with _catalogues_lock:
        known = _catalogues.get(key)
        if known is not None:
            _catalogues.move_to_end(key)
            return known[0]
    made = Catalogue([_set_modes(tool, modes) for tool in tools])
    with _catalogues_lock:
        made = _catalogues.setdefault(key, (made, tuple(tools)))[0]
        while len(_catalogues) > MAX_CATALOGUES:
            _catalogues.popitem(last=False)
    return made


def _set_modes(tool: ToolLike, modes: tuple[str, ...]) -> ToolLike:
    for mode in modes:
        change = getattr(tool, "with_mode", None)
        if change is None:
            name = qualify(tool.pack, tool.name)
            raise DeclarationError(
                f"ToolSession: mode={mode!r}, but {name} has no modes. Leave it out, or leave out mode."
            )
        tool = change(mode)
    return tool
