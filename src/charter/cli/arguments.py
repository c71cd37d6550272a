"""Arguments of a tool as they are typed in a shell: `q=x`, `message.subject=x`, `ids[]=x`, `limit:=5`, JSON or `-`.

Not here: whether they fit the tool. The tool says that.
"""

import json
from collections.abc import Sequence
from typing import Any, TextIO, cast

__all__ = ["ArgumentsError", "read_words"]


class ArgumentsError(ValueError):
    """Words that are no arguments; the text says which and how to write them."""


def read_words(words: Sequence[str], stdin: TextIO) -> dict[str, Any]:
    """Read arguments off the words of a command line.

    >>> import sys
    >>> read_words(["q=is:unread", "maxResults:=5", "message.to[]=a@x.org"], sys.stdin)
    {'q': 'is:unread', 'maxResults': 5, 'message': {'to': ['a@x.org']}}

    Raises:
        ArgumentsError: a word is neither of the forms, or two words contradict each other.
    """
    arguments: dict[str, Any] = {}
    for word in words:
        if word == "-":
            _merge(arguments, _read_object(stdin.read(), "stdin"))
        elif word.lstrip().startswith("{"):
            _merge(arguments, _read_object(word, "the argument"))
        else:
            _put(arguments, word)
    return arguments


def _merge(arguments: dict[str, Any], more: dict[str, Any]) -> None:
    twice = arguments.keys() & more.keys()
    if twice:
        raise ArgumentsError(f"{', '.join(sorted(twice))}: given twice. Give each argument once.")
    arguments.update(more)


def _read_object(text: str, where: str) -> dict[str, Any]:
    value = _read_json(text, where)
    if not isinstance(value, dict):
        raise ArgumentsError(f"{where}: is JSON, but no object. Write {{...}}.")
    return cast("dict[str, Any]", value)


def _read_json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArgumentsError(
            f"{where}: is not JSON ({error}). Quote it for the shell, or use key=value."
        ) from None


def _put(arguments: dict[str, Any], word: str) -> None:
    key, sign, text = word.partition("=")
    if not sign or not key.strip(":[]."):
        raise ArgumentsError(
            f"{word!r}: is no argument. Write key=value, key:=json, a JSON object, or - for stdin."
        )
    is_json = key.endswith(":")
    path = key.removesuffix(":")
    value = _read_json(text, path) if is_json else text
    *above, last = path.split(".")
    target = arguments
    for name in above:
        if name.endswith("[]"):
            raise ArgumentsError(
                f"{path}: a list of objects is no list of fields. Write {name}:={{...}} for each."
            )
        inner = target.setdefault(name, {})
        if not isinstance(inner, dict):
            raise ArgumentsError(f"{path}: {name} is given as a value too. Give one of them.")
        target = cast("dict[str, Any]", inner)
    _assign(target, last, value, path)


def _assign(target: dict[str, Any], name: str, value: Any, path: str) -> None:
    if name.endswith("[]"):
        items = target.setdefault(name.removesuffix("[]"), [])
        if not isinstance(items, list):
            raise ArgumentsError(f"{path}: is given as a value too. Give one of them.")
        cast("list[Any]", items).append(value)
    elif name in target:
        raise ArgumentsError(f"{path}: given twice. For a list write {path}[]=... each time.")
    else:
        target[name] = value
