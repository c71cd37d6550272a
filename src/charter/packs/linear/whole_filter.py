"""The whole filter of issues, recursive through dozens of types, for hosts that narrow it with `derived`.

Not here: what a model is sent as it is; that is `issues_list`. The types are in issue_filter.txt, one a line.
"""

import pkgutil
from typing import Any, ForwardRef, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, create_model

from charter.packs.linear.answers import tidy
from charter.packs.linear.api import READ, Page, api, pages
from charter.packs.linear.filters import PRIORITY, IssueSort
from charter.packs.linear.issues import ISSUES_DOCUMENT

__all__ = ["issues_list_full"]

_SCALARS: dict[str, Any] = {
    "Boolean": bool,
    "DateTimeOrDuration": str,
    "Duration": str | float,
    "Float": float,
    "ID": str,
    "JSONObject": dict[str, Any],
    "String": str,
    "TimelessDateOrDuration": str,
}


class _Filter(BaseModel):
    model_config = ConfigDict(defer_build=True)


def _read_types() -> dict[str, type[BaseModel]]:
    text = (pkgutil.get_data(__package__ or "", "issue_filter.txt") or b"").decode()
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    names = {name for kind, name, *_ in lines if kind == "type"}
    enums = {name: Literal[tuple(values)] for kind, name, *values in lines if kind == "enum"}

    def read(written: str) -> Any:
        if written.startswith("["):
            return list[read(written[1:-1])]
        return ForwardRef(written) if written in names else {**_SCALARS, **enums}[written]

    types: dict[str, type[BaseModel]] = {}
    for kind, name, *fields in lines:
        if kind == "type":
            pairs = [field.split(":") for field in fields]
            members = {key: (read(written) | None, None) for key, written in pairs}
            types[name] = create_model(name, __base__=_Filter, __module__=__name__, **cast("Any", members))
    for model in types.values():
        model.model_rebuild(_types_namespace=types)
    return types


IssuesListFull = create_model(
    "IssuesListFull",
    __base__=Page,
    __module__=__name__,
    __doc__="List issues that match any filter that Linear knows, through everything an issue is tied to.",
    filter=(
        cast("Any", _read_types()["IssueFilter"] | None),
        Field(
            None,
            description=f"Times are ISO 8601 or durations from now: -P2W is two weeks ago. Priorities: {PRIORITY}",
        ),
    ),
    sort=(list[IssueSort] | None, None),
)

issues_list_full = api.query(
    ISSUES_DOCUMENT,
    IssuesListFull,
    hints="tickets bugs tasks advanced complex filter relations customers releases",
    response_handler=tidy,
    pagination=pages("issues"),
    scopes=READ,
)

TOOLS = ()
