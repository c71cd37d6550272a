"""Linear's own schema, cut to what the pack touches, and its judgement of a request.

Not here: making arguments. What the file holds and how it is renewed: tools/linear_schema.py.
"""

import gzip
from datetime import date, datetime
from pathlib import Path
from typing import Any

from graphql import (
    GraphQLError,
    GraphQLScalarType,
    build_schema,
    get_operation_ast,
    parse,
    validate,
)
from graphql.execution.values import get_variable_values

SCHEMA = build_schema(gzip.decompress(Path(__file__).with_name("schema.graphql.gz").read_bytes()).decode())


def _read_date(value: Any) -> Any:
    if len(value) != 10 or not date.fromisoformat(value):
        raise GraphQLError(f"{value!r} is no date")
    return value


def _read_time(value: Any) -> Any:
    if datetime.fromisoformat(value).tzinfo is None:
        raise GraphQLError(f"{value!r} has no zone")
    return value


for _name, _read in (("TimelessDate", _read_date), ("DateTime", _read_time)):
    _scalar = SCHEMA.type_map[_name]
    assert isinstance(_scalar, GraphQLScalarType)
    for _slot in ("parse_value", "coerce_input_value"):  # the older and the newer name
        setattr(_scalar, _slot, _read)


def find_faults(body: dict[str, Any]) -> list[str]:
    """Return what Linear would refuse of a request: of its document, or of its variables."""
    document = parse(body["query"])
    faults = [error.message for error in validate(SCHEMA, document)]
    operation = get_operation_ast(document, body.get("operationName"))
    if faults or operation is None:
        return faults or ["no such operation"]
    read: Any = get_variable_values(SCHEMA, operation.variable_definitions or (), body.get("variables", {}))
    if isinstance(read, list):
        return [error.message for error in read]
    coerced = getattr(read, "coerced", read)
    given = body.get("variables", {})
    taken = {
        name: value for name, value in coerced.items() if name in given
    }  # the rest are the document's defaults
    return [] if taken == given else [f"{taken} is not {given}"]
