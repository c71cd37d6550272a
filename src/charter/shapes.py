"""What a value may be, read off an annotation as far as names, forgiveness and formats need to know.

Not here: whether a value is valid. That is Pydantic's to say.
"""

import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, is_typeddict

from pydantic import BaseModel, Discriminator, EncodedBytes, PlainSerializer, RootModel, WrapSerializer

from charter.errors import DeclarationError
from charter.markers import Clearable, Format

__all__ = ["Shape", "is_optional", "models_of", "read_shape", "split_annotated", "takes_null"]

Kind = Literal["model", "root", "list", "map", "union", "scalar"]
JsonScalar = Literal["text", "number", "boolean"]

ANY_SCALAR: frozenset[JsonScalar] = frozenset({"text", "number", "boolean"})
_LISTS = (list, tuple, set, frozenset, Sequence)
_MAPS = (dict, Mapping)
_NUMBERS = (int, float, Decimal)
_WRITERS = (EncodedBytes, PlainSerializer, WrapSerializer)
"""Metadata by which an author says how a value is written."""
_TEXTS = (str, bytes, date, time, timedelta)


@dataclass(frozen=True, slots=True)
class Shape:
    """One node of an annotation: a model, a container with its items, a union with its options, or a scalar."""

    kind: Kind
    model: type[BaseModel] | None = None
    items: tuple["Shape", ...] = ()
    scalars: frozenset[JsonScalar] = frozenset()
    """The JSON scalars that may be a value, as they are."""
    python: type[Any] | None = None
    """The class of a scalar's values."""
    literals: frozenset[Any] = frozenset()
    members: tuple[Enum, ...] = ()
    """The enum members among the literals."""
    format: Format | None = None
    is_chosen: bool = False
    """A union with a discriminator, which says what option a value is."""
    pairs: bool = False
    """A tuple of fixed length: each item has a shape of its own."""
    is_bytes: bool = False
    """Bytes, which a model writes as base64; not where the author says how they are written."""
    is_clearable: bool = False
    """Null stands here for nothing at all, as its author says."""

    @property
    def is_structured(self) -> bool:
        """Whether every value is an object or a list, so that a string can only be their JSON."""
        return not self.scalars

    def item(self, position: int) -> "Shape":
        """Return the shape of the list item at `position`."""
        return self.items[position] if self.pairs else self.items[0]


def read_shape(annotation: Any, where: str) -> Shape:
    """Read the shape of an annotation; `where` names the field for the error.

    Raises:
        DeclarationError: the annotation nests an object that is not a Pydantic model, or marks as clearable what has
            no None.
    """
    return _read(annotation, where, frozenset())


def split_annotated(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Split `Annotated[T, ...]` into T and its metadata."""
    if get_origin(annotation) is Annotated:
        bare, *metadata = get_args(annotation)
        return bare, tuple(metadata)
    return annotation, ()


def is_optional(annotation: Any) -> bool:
    """Whether None is one of the annotation's options."""
    return _is_union(annotation) and type(None) in get_args(annotation)


def takes_null(annotation: Any) -> bool:
    """Whether None is a value of the annotation, however it says so.

    >>> takes_null(Literal["a", None]), takes_null(Any), takes_null(list[str | None])
    (True, True, False)
    """
    return _takes_null(annotation, frozenset())


def _takes_null(annotation: Any, aliases: frozenset[Any]) -> bool:
    bare, _ = split_annotated(annotation)
    if _is_union(bare):
        return any(_takes_null(arm, aliases) for arm in get_args(bare))
    if get_origin(bare) is Literal:
        return None in get_args(bare)
    inner = _inner_of(bare)
    if inner is not None:
        return bare not in aliases and _takes_null(inner, aliases | {bare})
    return bare is None or bare in (Any, object, type(None)) or isinstance(bare, TypeVar)


def models_of(shape: Shape) -> Iterator[type[BaseModel]]:
    """Yield the models that the shape names, not those inside them."""
    if shape.kind == "model" and shape.model:
        yield shape.model
    for item in shape.items:
        yield from models_of(item)


def _inner_of(annotation: Any) -> Any:
    """Return what an alias or a RootModel stands for; None for anything else."""
    if isinstance(annotation, type) and issubclass(annotation, RootModel):
        return cast("type[BaseModel]", annotation).model_fields["root"].annotation
    return getattr(cast("Any", annotation), "__value__", None)


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, types.UnionType)


def _read(annotation: Any, where: str, aliases: frozenset[int], *, beside_none: bool = False) -> Shape:
    bare, metadata = split_annotated(annotation)
    if metadata:
        inner = _read(bare, where, aliases, beside_none=beside_none)
        clearable = any(isinstance(mark, Clearable) for mark in metadata)
        if clearable and not (beside_none or takes_null(bare)):
            raise DeclarationError(f"{where}: is Clearable, but its type has no None. Add `| None` to it.")
        formats = [mark for mark in metadata if isinstance(mark, Format)]
        chosen = any(
            isinstance(mark, Discriminator) or getattr(mark, "discriminator", None) for mark in metadata
        )
        mark = formats[-1] if formats else inner.format
        return replace(
            inner,
            format=mark,
            scalars=inner.scalars | _scalars_of_wire(mark),
            is_chosen=chosen or inner.is_chosen,
            is_clearable=clearable or inner.is_clearable,
            is_bytes=inner.is_bytes and not any(isinstance(mark, _WRITERS) for mark in metadata),
        )
    if hasattr(bare, "__value__"):
        return _read_alias(bare, where, aliases)
    if isinstance(bare, TypeVar):
        return Shape("scalar", scalars=ANY_SCALAR)
    if _is_union(bare):
        return _read_union(bare, where, aliases)
    if get_origin(bare) is Literal:
        shape = _read_literals(get_args(bare))
        return replace(shape, members=tuple(member for member in get_args(bare) if isinstance(member, Enum)))
    return _read_class(bare, where, aliases)


def _read_alias(alias: Any, where: str, aliases: frozenset[int]) -> Shape:
    if id(alias) in aliases:
        return Shape("scalar", scalars=ANY_SCALAR)
    return _read(alias.__value__, where, aliases | {id(alias)})


def _read_union(annotation: Any, where: str, aliases: frozenset[int]) -> Shape:
    arms, optional = get_args(annotation), takes_null(annotation)
    options = [_read(arm, where, aliases, beside_none=optional) for arm in arms if arm is not type(None)]
    if len(options) == 1:
        return options[0]
    return Shape(
        "union",
        items=tuple(options),
        scalars=frozenset[JsonScalar]().union(*(option.scalars for option in options)),
        is_clearable=any(option.is_clearable for option in options),
    )


def _read_class(annotation: Any, where: str, aliases: frozenset[int]) -> Shape:
    kind = get_origin(annotation) or annotation
    arguments = get_args(annotation)
    if not isinstance(kind, type):
        return Shape("scalar", scalars=ANY_SCALAR)
    return _read_kind(cast("type[Any]", kind), arguments, where, aliases)


def _read_kind(kind: type[Any], arguments: tuple[Any, ...], where: str, aliases: frozenset[int]) -> Shape:
    identity = id(kind)
    if issubclass(kind, RootModel):
        if identity in aliases:
            return Shape("scalar", scalars=ANY_SCALAR)
        root = _read(kind.model_fields["root"].annotation, where, aliases | {identity})
        return Shape("root", model=cast("type[BaseModel]", kind), items=(root,), scalars=root.scalars)
    if issubclass(kind, BaseModel):
        return Shape("model", model=kind)
    if is_typeddict(kind) or is_dataclass(kind) or hasattr(kind, "_fields"):
        raise DeclarationError(
            f"{where}: {kind.__name__} is not a Pydantic model. Declare it as a BaseModel."
        )
    if issubclass(kind, Enum):
        return _read_literals(kind)
    if issubclass(kind, _MAPS):
        value = (
            _read(arguments[1], where, aliases)
            if len(arguments) == 2
            else Shape("scalar", scalars=ANY_SCALAR)
        )
        return Shape("map", items=(value,))
    if issubclass(kind, _LISTS) and not issubclass(kind, (str, bytes)):
        return _read_list(cast("type[Any]", kind), arguments, where, aliases)
    return Shape("scalar", scalars=_scalars_of(kind), python=kind, is_bytes=issubclass(kind, bytes))


def _scalars_of(kind: Any) -> frozenset[JsonScalar]:
    if issubclass(kind, bool):
        return frozenset({"boolean"})
    if issubclass(kind, _NUMBERS):
        return frozenset({"number"})
    return frozenset({"text"}) if issubclass(kind, _TEXTS) else ANY_SCALAR


def _scalars_of_wire(mark: Format | None) -> frozenset[JsonScalar]:
    """Return the scalars that a value may be given as because the API itself writes it so: seconds, for a moment."""
    is_number = mark is not None and mark.steps[-1:] in (("unix-time",), ("unix-time-ms",))
    return frozenset({"number"}) if is_number else frozenset()


def _read_literals(members: Iterable[Any]) -> Shape:
    values = [member.value if isinstance(member, Enum) else member for member in members]
    scalars = frozenset[JsonScalar]().union(*(_scalars_of(type(value)) for value in values))
    return Shape("scalar", scalars=scalars, literals=frozenset(values))


def _read_list(kind: type[Any], arguments: tuple[Any, ...], where: str, aliases: frozenset[int]) -> Shape:
    pairs = kind is tuple and bool(arguments) and arguments[-1] is not Ellipsis
    wanted = arguments if pairs else arguments[:1]
    items = tuple(_read(argument, where, aliases) for argument in wanted)
    return Shape("list", items=items or (Shape("scalar", scalars=ANY_SCALAR),), pairs=pairs)
