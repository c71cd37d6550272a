"""Whether what an author writes can be meant: kinds of values, and the one check of options against a table of them.

Not here: the tables. Each stands beside the options that it is for.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from charter.errors import DeclarationError
from charter.markers import RESERVED_MODES, Case

__all__ = [
    "ANYTHING",
    "CASE",
    "CODES",
    "COUNT",
    "FLAG",
    "FUNCTION",
    "NUMBER",
    "TEXT",
    "WORDS",
    "Kind",
    "check_fields",
    "check_kinds",
    "instance_of",
    "list_of",
    "map_of",
    "one_of",
    "or_none",
    "read_modes",
]

_SHOWN = 60
"""Characters of a wrong value that are told."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What an option may be: the sentence that says it, and whether a value is that."""

    wanted: str
    fits: Callable[[Any], bool]
    is_shown: bool = True
    """Whether a wrong value may be told: where anything may be held, a key may."""


def check_kinds(values: Mapping[str, Any], kinds: Mapping[str, Kind], where: str) -> None:
    """Check options by name; one without a kind may be anything.

    >>> check_kinds({"timeout": "3"}, {"timeout": NUMBER}, "RoomsGet")
    Traceback (most recent call last):
    charter.errors.DeclarationError: RoomsGet: timeout='3' cannot be. Give a number above zero.

    Raises:
        DeclarationError: a value is of another kind.
    """
    for name, value in values.items():
        kind = kinds.get(name)
        if kind and not kind.fits(value):
            told = _show(value) if kind.is_shown else type(value).__name__
            raise DeclarationError(f"{where}: {name}={told} cannot be. Give {kind.wanted}.")


def _show(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= _SHOWN else f"{told[: _SHOWN - 3]}..."


def one_of(*allowed: Any) -> Kind:
    """Return the kind of a closed set."""
    told = ", ".join(getattr(value, "name", None) or repr(value) for value in allowed)
    return Kind(
        f"one of {told}", lambda value: any(value is each or _is_same_text(value, each) for each in allowed)
    )


def _is_same_text(value: Any, other: Any) -> bool:
    return type(value) is str and type(other) is str and value == other


def instance_of(kind: type[Any], wanted: str) -> Kind:
    """Return the kind of an object of a class."""
    return Kind(wanted, lambda value: isinstance(value, kind))


def or_none(kind: Kind) -> Kind:
    """Return the kind that may be left out with None."""

    def fits(value: Any) -> bool:
        return value is None or kind.fits(value)

    return replace(kind, wanted=f"{kind.wanted}, or None", fits=fits)


def list_of(kind: Kind) -> Kind:
    """Return the kind of a list, tuple or set of values of one kind; a text is none."""

    def fits(value: Any) -> bool:
        is_list = isinstance(value, (list, tuple, set, frozenset))
        return is_list and all(map(kind.fits, cast("Iterable[Any]", value)))

    return Kind(f"a list, each of it {kind.wanted}", fits)


def map_of(kind: Kind) -> Kind:
    """Return the kind of a mapping from texts to values of one kind."""

    def fits(value: Any) -> bool:
        if not isinstance(value, Mapping):
            return False
        members = cast("Mapping[Any, Any]", value).items()
        return all(isinstance(name, str) and kind.fits(member) for name, member in members)

    return Kind(f"a mapping of names to {kind.wanted}", fits, is_shown=kind is not ANYTHING)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < math.inf


TEXT = Kind("a text that is not empty", lambda value: isinstance(value, str) and bool(value.strip()))
WORDS = Kind("a text", lambda value: isinstance(value, str))
CODES = Kind("a set of codes", lambda value: isinstance(value, (set, frozenset)))
CASE = Kind("a member of Case, such as Case.CAMEL", lambda value: isinstance(value, Case))
FLAG = Kind("True or False", lambda value: isinstance(value, bool))
NUMBER = Kind("a number above zero", _is_number)
COUNT = Kind("a whole number above zero", lambda value: _is_number(value) and isinstance(value, int))
FUNCTION = Kind("a function", callable)
ANYTHING = Kind("anything", lambda value: True)


def check_fields(instance: Any, kinds: Mapping[str, Kind]) -> None:
    """Check the fields of an object that an author makes, by their names.

    Raises:
        DeclarationError: a value is of another kind.
    """
    check_kinds({name: getattr(instance, name) for name in kinds}, kinds, type(instance).__name__)


def read_modes(given: Any, where: str) -> tuple[str, ...]:
    """Return the labels of the modes that something is put into: one text, several, or None for no mode.

    Raises:
        DeclarationError: a label is no text, is empty, or says for itself who a field is for.
    """
    labels = (given,) if isinstance(given, str) else () if given is None else given
    if not list_of(ANYTHING).fits(labels):
        raise DeclarationError(
            f"{where}: mode={_show(given)} is no label. Give a text such as 'pro', or None."
        )
    for label in labels:
        if not TEXT.fits(label):
            raise DeclarationError(f"{where}: a mode needs a label, got {label!r}. Give one, such as 'pro'.")
        if label in RESERVED_MODES:
            raise DeclarationError(
                f"{where}: no tool can be in the mode {label!r}. Use a label of your own, such as 'pro'."
            )
    return tuple(dict.fromkeys(labels))
