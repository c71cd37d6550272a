"""An instance written with the names of its plan, at every depth, formats applied.

Pydantic itself writes every value (enums, dates, decimals, the author's own serializers); this walks the result beside
the instance and changes names. Not here: where the values then go.
"""

import math
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any, cast

from pydantic import BaseModel, RootModel, SecretBytes, SecretStr
from pydantic_core import PydanticSerializationError

from charter.errors import ToolValidationError, TransformError
from charter.fields import FieldPlan, ModelGraph
from charter.shapes import Shape
from charter.wire.formats import encode_format

__all__ = ["write_fields"]


def write_fields(graph: ModelGraph, instance: BaseModel, tool: str) -> dict[str, Any]:
    """Write the given fields of an args model: Python name -> JSON value with wire names below.

    Unset fields are left out.

    Raises:
        TransformError: a value cannot be serialized, or not in its format.
    """
    try:
        dumped = _dump(graph, instance)
    except (PydanticSerializationError, UnicodeError) as error:
        raise TransformError(f"{tool}: the arguments cannot be written as JSON ({error}).") from error
    fields = graph[type(instance)].fields
    return {
        name: write_value(
            graph, fields[name].shape, getattr(instance, name), value, f"{tool}: {fields[name].wire}"
        )
        for name, value in dumped.items()
        if name in fields
    }


def _dump(graph: ModelGraph, instance: BaseModel) -> dict[str, Any]:
    try:
        return instance.model_dump(mode="json", exclude_unset=True, by_alias=False)
    except UnicodeDecodeError:  # Pydantic writes bytes as the text that they are, and these are none
        copy = cast("BaseModel", _with_texts(graph, instance))
        return copy.model_dump(mode="json", exclude_unset=True, by_alias=False)


def _with_texts(graph: ModelGraph, value: Any) -> Any:
    """Return a copy in which bytes are the letters of their base64, but for those that an author's own code writes."""
    if isinstance(value, bytes):
        return b64encode(value)
    if isinstance(value, BaseModel):
        plan = graph.get(type(value))
        fields: Mapping[str, FieldPlan] = plan.fields if plan else {}
        own = {name for name, field in fields.items() if _is_written_by_author(field.shape)}
        return value.model_copy(
            update={name: _with_texts(graph, getattr(value, name)) for name in value.model_fields_set - own}
        )
    if isinstance(value, Mapping):
        return {key: _with_texts(graph, child) for key, child in cast("Mapping[Any, Any]", value).items()}
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(_with_texts(graph, item) for item in value)
    return value


def _is_written_by_author(shape: Shape) -> bool:
    return (shape.python is bytes and not shape.is_bytes) or any(map(_is_written_by_author, shape.items))


def write_value(graph: ModelGraph, shape: Shape, value: Any, dumped: Any, where: str) -> Any:
    """Write one value, given what Pydantic made of it."""
    if value is None:
        return None
    if shape.format:
        return encode_format(shape.format, value, where)
    if shape.kind == "union":
        return write_value(graph, _option_of(shape, value), value, dumped, where)
    if isinstance(value, RootModel):
        inner: Any = cast("RootModel[Any]", value).root
        return write_value(graph, shape.items[0] if shape.kind == "root" else shape, inner, dumped, where)
    if isinstance(value, BaseModel):
        return _write_model(graph, value, dumped, where)
    if isinstance(value, Mapping) and shape.kind == "map":
        return _write_map(graph, shape, cast("Mapping[Any, Any]", value), dumped, where)
    if shape.kind == "list" and isinstance(dumped, list):
        return _write_list(graph, shape, value, cast("list[Any]", dumped), where)
    if isinstance(value, bytes) and (shape.is_bytes or shape.python is None):
        return b64encode(value).decode()
    return _write_scalar(value, dumped, where)


def _write_scalar(value: Any, dumped: Any, where: str) -> Any:
    if isinstance(value, (SecretStr, SecretBytes)):  # Pydantic writes asterisks
        secret = value.get_secret_value()
        return secret.decode() if isinstance(secret, bytes) else secret
    if isinstance(value, float) and not math.isfinite(value):
        tool, _, field = where.partition(": ")
        raise ToolValidationError.of_fields(tool, [{"field": field, "problem": "must be a finite number"}])
    return dumped


def _write_model(graph: ModelGraph, value: BaseModel, dumped: Any, where: str) -> Any:
    plan = graph.get(type(value))
    if plan is None or not isinstance(dumped, dict) or type(value).__pydantic_decorators__.model_serializers:
        return cast("Any", dumped)
    written: dict[str, Any] = {}
    for name, child in cast("dict[str, Any]", dumped).items():
        field: FieldPlan | None = plan.fields.get(name)
        if field is None:
            written[name] = child
        else:
            written[field.wire] = write_value(
                graph, field.shape, getattr(value, name), child, f"{where}.{field.wire}"
            )
    return written


def _write_map(graph: ModelGraph, shape: Shape, value: Mapping[Any, Any], dumped: Any, where: str) -> Any:
    if not isinstance(dumped, dict) or len(cast("dict[str, Any]", dumped)) != len(value):
        return cast("Any", dumped)
    members = cast("dict[str, Any]", dumped).items()
    pairs = zip(members, value.values(), strict=True)
    return {key: write_value(graph, shape.items[0], item, child, where) for (key, child), item in pairs}


def _write_list(graph: ModelGraph, shape: Shape, value: Any, dumped: list[Any], where: str) -> list[Any]:
    items = list(cast("Iterable[Any]", value))
    if len(items) != len(dumped) or (shape.pairs and len(items) != len(shape.items)):
        return dumped
    pairs = enumerate(zip(items, dumped, strict=True))
    return [write_value(graph, shape.item(at), item, child, where) for at, (item, child) in pairs]


def _option_of(shape: Shape, value: Any) -> Shape:
    """Return the option of a union that a value belongs to, the closest first."""
    for is_option in (_is_exactly, _is_scalar_of, _is_like):
        for option in shape.items:
            if is_option(option, value):
                return option
    return Shape("scalar")


def _is_exactly(option: Shape, value: Any) -> bool:
    if option.kind == "union":
        return any(_is_exactly(inner, value) for inner in option.items)
    if isinstance(value, BaseModel):
        return option.model is type(value)
    return option.kind == "scalar" and isinstance(value, (str, int)) and value in option.literals


def _is_scalar_of(option: Shape, value: Any) -> bool:
    return option.python is not None and isinstance(value, option.python)


def _is_like(option: Shape, value: Any) -> bool:
    match option.kind:
        case "list":
            return isinstance(value, (list, tuple, set, frozenset))
        case "map":
            return isinstance(value, Mapping)
        case "union":
            return any(_is_like(inner, value) for inner in option.items)
        case _:
            return False
