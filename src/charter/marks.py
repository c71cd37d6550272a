"""The markers of one field, gathered from its annotation: whether each can be meant, stands alone and has an effect.

Not here: what a marker leads to. `fields` and `plan` read that off what is gathered here.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast, get_args

from charter.checking import ANYTHING, FLAG, TEXT, Kind, check_kinds, list_of, one_of, or_none
from charter.errors import DeclarationError
from charter.markers import (
    Body,
    Case,
    ConflictsWith,
    Format,
    Gloss,
    Header,
    Mode,
    Path,
    Query,
    QueryStyle,
    Rule,
    WireName,
)
from charter.shapes import is_optional, split_annotated

__all__ = ["check_rules", "read_marks"]

_SEVERAL = Kind(
    "at least one, each a text or a function", lambda value: bool(value) and all(map(_is_step, value))
)
_MEDIA_TYPE = Kind("a media type such as 'text/plain'", lambda value: TEXT.fits(value) and "/" in value)

_KINDS: Mapping[type[Any], Mapping[str, Kind]] = {
    Path: {"allow_slash": FLAG},
    Query: {"style": or_none(one_of(*get_args(QueryStyle)))},
    Header: {"name": or_none(TEXT)},
    Body: {"embed": FLAG, "raw": or_none(_MEDIA_TYPE)},
    Format: {"steps": _SEVERAL},
    Mode: {"labels": list_of(ANYTHING)},
    WireName: {"name": TEXT},
    Gloss: {"text": TEXT},
    ConflictsWith: {
        "fields": Kind("names of fields", lambda value: bool(value) and list_of(TEXT).fits(value))
    },
}
_OF_FIELDS = (Path, Query, Header, Body, Mode, WireName, Case, ConflictsWith)
"""Markers that say something of a field, and nothing of an item or an option of its type."""


def read_marks(annotation: Any, metadata: Iterable[Any], where: str) -> tuple[Any, ...]:
    """Return the markers of a field: beside its type, on what is beside None, and within an alias of either.

    Raises:
        DeclarationError: one of them cannot be meant, is lost beside another, or stands where it has no effect.
    """
    inner = tuple(_read_outer(annotation, frozenset()))
    marks = (*metadata, *inner)
    for mark in marks:
        kind = cast("type[Any]", type(mark))
        if kind in _KINDS:
            values = {name: getattr(mark, name) for name in _KINDS[kind]}
            check_kinds(values, _KINDS[kind], f"{where}: {kind.__name__}")
        elif isinstance(mark, type) and mark in _KINDS:
            raise DeclarationError(
                f"{where}: {mark.__name__} is the marker's class. Write {mark.__name__}(...)."
            )
    if (
        sum(isinstance(mark, Gloss) for mark in marks) > 1
    ):  # of other kinds the last may replace the ones before it
        raise DeclarationError(f"{where}: has a Gloss twice, and only one is told. Write one of both.")
    for mark in _read_all(annotation, frozenset()):
        if isinstance(mark, _OF_FIELDS) and not any(mark is each for each in inner):
            name = type(mark).__name__
            raise DeclarationError(
                f"{where}: {name} on a part of the type has no effect. Put it on the field, around the whole type."
            )
    return marks


def check_rules(rules: Any, where: str) -> tuple[Rule, ...]:
    """Return the rules of a model, declared as `wire_rules`.

    Raises:
        DeclarationError: they are no rules, or one of them names no field though it needs some.
    """
    if not isinstance(rules, (tuple, list)):
        raise DeclarationError(f"{where}: wire_rules is no tuple. Write wire_rules: ClassVar = (..., ).")
    listed: tuple[Any, ...] = tuple(cast("Iterable[Any]", rules))
    for rule in listed:
        if not isinstance(rule, Rule):
            raise DeclarationError(
                f"{where}: wire_rules holds {rule!r}. Write rules such as ExactlyOneOf('a', 'b')."
            )
        if not rule.fields and rule.needs_fields:
            raise DeclarationError(f"{where}: {type(rule).__name__} names no field. Name those it is about.")
    return listed


def _is_step(step: Any) -> bool:
    return TEXT.fits(step) or callable(step)


def _read_outer(annotation: Any, aliases: frozenset[int]) -> Iterator[Any]:
    """Yield the metadata that says something of the whole value."""
    bare, metadata = split_annotated(annotation)
    yield from metadata
    if hasattr(bare, "__value__"):
        if id(bare) not in aliases:
            yield from _read_outer(bare.__value__, aliases | {id(bare)})
    elif is_optional(bare):
        for arm in get_args(bare):
            yield from _read_outer(arm, aliases)


def _read_all(annotation: Any, aliases: frozenset[int]) -> Iterator[Any]:
    """Yield the metadata of every part of an annotation."""
    bare, metadata = split_annotated(annotation)
    yield from metadata
    if hasattr(bare, "__value__"):
        if id(bare) not in aliases:
            yield from _read_all(bare.__value__, aliases | {id(bare)})
        return
    for part in get_args(bare):
        if not isinstance(part, (str, list)):
            yield from _read_all(part, aliases)
