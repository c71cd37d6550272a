"""What is kept of Linear's answers: all that the documents select, without nulls, inner lists as plain lists.

Not here: what is selected; that is beside each tool.
"""

from typing import Any, cast

__all__ = ["tidy"]


def tidy(data: Any) -> Any:
    """Leave out members that are null; an inner list that is complete becomes a plain one, a cut one keeps its mark.

    >>> tidy({"id": "1", "cycle": None, "labels": {"nodes": [{"id": "2"}], "pageInfo": {"hasNextPage": False}}})
    {'id': '1', 'labels': [{'id': '2'}]}
    """
    return _tidy_members(cast("dict[str, Any]", data)) if isinstance(data, dict) else _tidy(data)


def _tidy(data: Any) -> Any:
    if isinstance(data, list):
        return [_tidy(item) for item in cast("list[Any]", data)]
    if not isinstance(data, dict):
        return data
    members = cast("dict[str, Any]", data)
    nodes, info = members.get("nodes"), members.get("pageInfo")
    is_whole = isinstance(info, dict) and cast("dict[str, Any]", info).get("hasNextPage") is False
    if isinstance(nodes, list) and is_whole and len(members) == 2:
        return _tidy(nodes)
    return _tidy_members(members)


def _tidy_members(members: dict[str, Any]) -> dict[str, Any]:
    kept = {key: _tidy(value) for key, value in members.items() if value is not None}
    return kept or members
