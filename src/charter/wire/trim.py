"""Response handlers: what of an answer a model needs for its next step.

Not here: reading the answer. `response` does that.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any, cast

__all__ = ["Handler", "apply_handler", "find_unmatched", "keep", "pass_through", "takes_arguments"]

Handler = Callable[[Any], Any] | Callable[[Any, Any], Any]
"""Takes the parsed answer, and the arguments where it wants them, and returns what the model gets, or what
can be awaited for it."""

Tree = dict[str, "Tree"]

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def pass_through(data: Any) -> Any:
    """Return the answer as it came: turns an inherited handler off."""
    return data


def takes_arguments(handler: Handler) -> bool:
    """Whether a handler wants the arguments too: it has a second parameter without a default.

    >>> takes_arguments(lambda answer, arguments: answer), takes_arguments(lambda answer, limit=5: answer)
    (True, False)
    """
    if isinstance(handler, FunctionType):  # nearly all are, and asking for a signature takes long
        return handler.__code__.co_argcount - len(handler.__defaults__ or ()) > 1
    if isinstance(handler, _Keep):
        return False
    try:
        parameters = inspect.signature(handler).parameters.values()
    except ValueError:  # a class or function that is not Python's own may not tell
        return False
    wanted = [one for one in parameters if one.default is one.empty and one.kind in _POSITIONAL]
    return len(wanted) > 1


def apply_handler(handler: Handler, answer: Any, arguments: Any) -> Any:
    """Return what a handler makes of an answer, given the arguments where it wants them."""
    apply = cast("Callable[..., Any]", handler)
    return apply(answer, arguments) if takes_arguments(handler) else apply(answer)


def keep(*paths: str, nulls: bool = True) -> Callable[[Any], Any]:
    """Make a handler that keeps the members at these dotted paths and drops the others.

    Lists are gone through item by item; a path that ends at an object keeps all of it; anything that is no object, and
    an object in which nothing was kept, is returned as it came. Without `nulls`, members that are null are dropped too,
    at every depth.

    >>> keep("id", "data.id")({"id": 1, "data": [{"id": 2, "x": 3}], "y": 4})
    {'id': 1, 'data': [{'id': 2}]}
    >>> keep("id", "card", nulls=False)({"id": 1, "card": {"brand": "visa", "wallet": None}})
    {'id': 1, 'card': {'brand': 'visa'}}
    """
    tree: Tree = {}
    for path in paths:
        if any(path.startswith(f"{other}.") for other in paths):
            continue  # a path that ends above it keeps it anyway
        node = tree
        for key in path.split("."):
            node = node.setdefault(key, {})
    return _Keep(tree, nulls)


def find_unmatched(handler: Handler, answers: Iterable[Any]) -> list[str]:
    """Find the paths of a `keep` handler that no answer has, such as misspelt ones; none for any other handler.

    >>> find_unmatched(keep("id", "titel"), [{"id": 1, "title": "x"}])
    ['titel']
    """
    if not isinstance(handler, _Keep):
        return []
    matched = {path for answer in answers for path in _find_matched(answer, handler.tree, "")}
    return [path for path in _list_paths(handler.tree, "") if path not in matched]


def _find_matched(data: Any, tree: Tree, path: str) -> Iterator[str]:
    if isinstance(data, list):
        for item in cast("list[Any]", data):
            yield from _find_matched(item, tree, path)
    elif isinstance(data, dict):
        for key, below in tree.items():
            if key in data:
                yield f"{path}{key}"
                yield from _find_matched(cast("dict[str, Any]", data)[key], below, f"{path}{key}.")


def _list_paths(tree: Tree, path: str) -> Iterator[str]:
    for key, below in tree.items():
        if below:
            yield from _list_paths(below, f"{path}{key}.")
        else:
            yield f"{path}{key}"


@dataclass(frozen=True, slots=True)
class _Keep:
    """A class, for a tool that holds one is pickled with it."""

    tree: Tree
    nulls: bool

    def __call__(self, data: Any) -> Any:
        return self._prune(data, self.tree)

    def _prune(self, data: Any, tree: Tree) -> Any:
        if not tree and self.nulls:
            return data
        if isinstance(data, list):
            return [self._prune(item, tree) for item in cast("list[Any]", data)]
        if not isinstance(data, dict):
            return data
        members = cast("dict[str, Any]", data)
        kept = {
            key: self._prune(members[key], tree.get(key, tree))
            for key in tree or members
            if key in members and (self.nulls or members[key] is not None)
        }
        if kept or not tree or any(key in members for key in tree):
            return kept
        return members
