"""One conversation: which tools it holds, which have been loaded, and what is sent this turn.

What a search finds and answers is `searching.py`'s; calling an API is the tool's own.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from charter.checking import FLAG, Kind, check_kinds, read_modes
from charter.discovery.catalogue import Catalogue, Definition, Options, ToolLike, find_catalogue, translate
from charter.discovery.given import is_deep, is_mapping, read_names, say_value
from charter.discovery.qualified import TOOL_SEARCH, read_tools
from charter.discovery.ranking import Ranker
from charter.discovery.remainder import Remainders, is_rest_query
from charter.discovery.searching import Found, find_tools, leave_out, show, write_answer
from charter.discovery.toolsearch import Ask, ToolSearch, read_arguments, read_ask
from charter.discovery.transcript import read_loaded, read_past_calls
from charter.errors import DeclarationError, ToolValidationError
from charter.locks import Lock
from charter.record import OnCall, listening
from charter.schema.dialects import Dialect
from charter.schema.readback import read_back
from charter.secret import HiddenHeaders

__all__ = ["ToolSession", "as_session"]


_KINDS = {"progressive": FLAG, "resident": Kind("names of tools", lambda value: isinstance(value, Iterable))}


class ToolSession:
    """The tools of one conversation. The model is first shown ToolSearch alone and loads what it needs.

    Threads may share a session. It cannot be pickled or copied: `state()` and `restore`, or `fork()`, are for that.

    Args:
        tools: what the session holds; the same tools share one catalogue, so building it again is cheap.
        progressive: False sends every schema and offers no ToolSearch.
        threshold: tools whose `schema_tokens` is this or less are sent from the start.
        mode: modes that every tool is put into, beside its own.
        resident: qualified names that are sent from the start.
        budget: the most schema tokens that may be loaded at once.
        listing: how ToolSearch lists what it can load: "auto", "names", "folded", "packs", "packs_alone".
        on_call: told of every call that the session makes, after the tool's own and the Api's.
        search: "core", or a function `(text, entries, limit) -> names, best first`.

    Raises:
        DeclarationError: two tools share a name, a name is unknown, or an option makes no sense.
    """

    def __init__(  # noqa: PLR0913 - each is one option of the user's
        self,
        tools: Iterable[ToolLike],
        *,
        progressive: bool = True,
        threshold: int = 0,
        mode: str | tuple[str, ...] | None = None,
        resident: Iterable[str] = (),
        budget: int | None = None,
        listing: str = "auto",
        on_call: OnCall | None = None,
        search: str | Ranker = "core",
    ) -> None:
        _check_tokens("threshold", threshold)
        _check_tokens("budget", budget)
        check_kinds({"progressive": progressive, "resident": resident}, _KINDS, "ToolSession")
        named = frozenset((resident,) if isinstance(resident, str) else resident)
        catalogue = find_catalogue(read_tools(tools), read_modes(mode, "ToolSession"))
        catalogue.check_finder(search)
        self._on_call = on_call
        self._start(catalogue, Options(progressive, threshold, named, listing), budget, search)

    def _start(
        self, catalogue: Catalogue, options: Options, budget: int | None, search: str | Ranker
    ) -> None:
        self.catalogue = catalogue
        self.tools: dict[str, ToolLike] = dict(catalogue.tools)
        """Every tool held, by qualified name, in the order given."""
        self._options, self._budget, self._finder = options, budget, search
        self._opening = catalogue.open(options)
        self._loaded: dict[str, None] = {}
        self._remainders = Remainders()
        self._lock = Lock()
        self._dialects: set[Dialect] = set()
        self._forget_rendering()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "ToolSession: a session is neither pickled nor copied. Keep state() for restore(tools, state), or fork()."
        )

    def __repr__(self) -> str:
        return f"<ToolSession {len(self.tools)} tools, {len(self._loaded)} loaded>"

    @property
    def loaded(self) -> list[str]:
        """Return the names that were loaded, in load order."""
        with self._lock:
            return list(self._loaded)

    @property
    def searchable(self) -> bool:
        """Tell whether ToolSearch is offered: it is when some tool is not sent from the start."""
        return self._opening.search is not None

    def visible(self) -> dict[str, ToolLike]:
        """Return what can be called this turn, in the order to send: resident, ToolSearch, loaded."""
        return dict(self._show())

    def _show(self) -> dict[str, ToolLike]:
        with self._lock:
            if self._visible is None:
                shown = {name: self.catalogue.tools[name] for name in self._opening.resident}
                if self._opening.search is not None:
                    shown[TOOL_SEARCH] = ToolSearch(self._opening.search.description, self._run_search)
                shown.update((name, self.catalogue.tools[name]) for name in self._loaded)
                self._visible = shown
            return self._visible

    def definitions(self, dialect: Dialect | None = None) -> tuple[Definition, ...]:
        """Return what is sent this turn, in order. What an earlier turn sent is a prefix of it.

        Raises:
            DeclarationError: the dialect cannot say something of a schema; the text names the fix.
            Exception: whatever a tool raises whose schema cannot be built.
        """
        with self._lock:
            known = self._definitions.get(dialect)
            if known is None:
                self._dialects |= {dialect} if dialect else set()
                known = self._definitions[dialect] = self._define(dialect)
            return known

    def _define(self, dialect: Dialect | None) -> tuple[Definition, ...]:
        search = self._opening.search
        if search is not None and dialect is not None:
            search = translate(search, dialect)
        resident = tuple(self.catalogue.define(name, dialect) for name in self._opening.resident)
        loaded = tuple(self.catalogue.define(name, dialect) for name in self._loaded)
        return (*resident, *((search,) if search else ()), *loaded)

    def search(self, query: object, max_results: object = None) -> dict[str, Any]:
        """Load what a query matches and tell what was loaded.

        Without `max_results` one need gets five tools, and each of several needs three.
        Returns `{"loaded": [...], "note": "..."}`, with `"unknown"` (names that no tool has, to close
        ones) and `"needs"` (arguments, to the tools that produce them) when there are any.

        Raises:
            ToolValidationError: an argument is of the wrong kind; nothing was loaded.
        """
        return self._answer(self._find(read_ask(query, max_results)))

    def _find(self, ask: Ask) -> Found:
        return find_tools(self.catalogue, self.catalogue.finder(self._finder), ask.query, ask.limit)

    def _answer(self, found: Found) -> dict[str, Any]:
        with self._lock:
            fresh = [name for name in found.names if name not in self._show()]
            left_out = leave_out(self.catalogue, self._loaded, fresh, self._budget)
            self.load(name for name in fresh if name not in left_out)
            return write_answer(self.catalogue, found, self._show(), left_out, self._budget)

    async def _run_search(self, arguments: object) -> str:
        query, max_results = read_arguments(arguments)
        if is_rest_query(query):
            with self._lock:
                return self._remainders.read(str(query))
        ask = read_ask(query, max_results)
        # A first search builds the index, and a load builds schemas: neither may hold up the loop.
        import asyncio  # noqa: PLC0415 - loaded wherever this runs; who only lists tools need not load it

        found = await asyncio.to_thread(self._find, ask)
        return json.dumps(self._answer(found), ensure_ascii=False, separators=(",", ":"))

    async def dispatch(
        self,
        name: str,
        arguments: Any = None,
        *,
        headers: Mapping[str, str | None] | None = None,
        client: Any = None,
    ) -> Any:
        """Run ToolSearch, which returns JSON text, or call a visible tool.

        `headers` and `client` are the host's, as in `Tool.ainvoke`; a tool is given them where there are any.

        Raises:
            ToolValidationError: there is no such tool, it is not loaded, or its arguments are wrong.
            CharterError: whatever else the tool raises.
        """
        headers = None if headers is None else HiddenHeaders(headers)
        tool = self._find_visible(name)
        if not hasattr(tool, "qualified_name") and is_deep(arguments):  # Api tools look for themselves
            raise ToolValidationError(f"{name}: the arguments are nested too deeply. Send them flatter.")
        given: Any = self._read_back(name, {} if arguments is None else arguments)
        options = {"headers": headers, "client": client}
        with listening(self._on_call):
            return await tool.ainvoke(given, **{key: one for key, one in options.items() if one is not None})

    def _find_visible(self, name: object) -> ToolLike:
        tool = self._show().get(name) if isinstance(name, str) else None
        if tool is None:
            raise self._refuse(name)
        return tool

    def _read_back(self, name: str, arguments: Any) -> Any:
        """Return what a foreign tool wants, whose schema some dialect had to rewrite; Api tools take both."""
        if not self._dialects or not is_mapping(arguments) or name == TOOL_SEARCH:
            return arguments
        if hasattr(self.tools[name], "qualified_name"):
            return arguments
        plain = self.catalogue.define(name).parameters
        sent = (self.catalogue.define(name, dialect).parameters for dialect in tuple(self._dialects))
        return arguments if all(one == plain for one in sent) else read_back(arguments, plain)

    def _refuse(self, name: object) -> ToolValidationError:
        if not isinstance(name, str):
            return ToolValidationError(f"{say_value(name)} is no name of a tool: use one that you were sent.")
        if name in self.catalogue.tools:
            return ToolValidationError(
                f"{name}: the tool is not loaded. Call {TOOL_SEARCH} with the query 'select:{name}', then call it."
            )
        close = self.catalogue.index.find_close(name[:200], 3)
        fix = f"Use one of: {', '.join(close)}." if close else "Use a tool that you were sent."
        also = f" {TOOL_SEARCH} finds others." if self.searchable else ""
        return ToolValidationError(f"{show(name)}: there is no such tool. {fix}{also}")

    def load(self, names: Iterable[str]) -> None:
        """Load tools by their exact names, past any budget; names that no tool has are left out."""
        with self._lock:
            for name in names:
                if name in self.catalogue.tools and name not in self._opening.resident:
                    self._loaded[name] = None
            self._forget_rendering()

    def reset(self) -> None:
        """Forget what was loaded."""
        with self._lock:
            self._loaded = {}
            self._forget_rendering()

    def _forget_rendering(self) -> None:
        self._visible: dict[str, ToolLike] | None = None
        self._definitions: dict[Dialect | None, tuple[Definition, ...]] = {}

    def fork(self) -> "ToolSession":
        """Return a session over the same tools with the same options, and nothing loaded."""
        twin = object.__new__(type(self))
        twin._on_call = self._on_call
        twin._start(self.catalogue, self._options, self._budget, self._finder)
        return twin

    def state(self) -> dict[str, Any]:
        """Return what has to be kept to go on later: a small dict that JSON can hold."""
        return {"loaded": self.loaded}

    @classmethod
    def restore(cls, tools: Iterable[ToolLike], state: object, **options: Any) -> "ToolSession":
        """Return a session as it was when `state` was taken; tools that exist no longer are left out.

        Raises:
            DeclarationError: `state` is nothing that `state()` returned.
        """
        names = read_names(state.get("loaded")) if is_mapping(state) else None
        if names is None:
            raise DeclarationError(
                f"ToolSession.restore: {repr(state)[:60]} is no state. Pass what state() returned."
            )
        session = cls(tools, **options)
        session.load(names)
        return session

    def replay(self, messages: Iterable[Any]) -> None:
        """Load what the messages of a conversation show to have been loaded, in the same order.

        Where a search's result is no longer readable its query is run again; then tools that were
        called are loaded. OpenAI Chat, OpenAI Responses, Anthropic and Google shapes are understood.

        Raises:
            DeclarationError: `messages` is no list of messages.
        """
        finished = [call for call in read_past_calls(messages) if call.finished]
        for call in finished:
            if call.name == TOOL_SEARCH:
                names = read_loaded(call)
                if names is None:
                    self._search_again(call.arguments)
                else:
                    self.load(names)
        self.load(call.name for call in finished if f"select:{call.name}" not in call.result)

    def _search_again(self, arguments: object) -> None:
        try:
            query, max_results = read_arguments(arguments)
            if not is_rest_query(query):
                self.search(query, max_results)
        except ToolValidationError:
            return  # it was refused in the conversation too

    def cut(self, text: str, max_tokens: int) -> str:
        """Return a result's text, or its beginning and a note with the query that reads on."""
        with self._lock:
            return self._remainders.cut(text, max_tokens, can_read_on=self.searchable)


def as_session(tools: "ToolSession | Iterable[ToolLike]") -> ToolSession:
    """Return a session as it is, and a plain list as a session that sends every schema."""
    return tools if isinstance(tools, ToolSession) else ToolSession(tools, progressive=False)


def _check_tokens(option: str, value: object) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise DeclarationError(f"ToolSession: {option}={value!r} is no number of tokens. Give 0 or more.")
