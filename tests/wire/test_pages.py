"""Pages: the cursor of the next page."""

from typing import Any

import pytest

from charter import Pages


@pytest.mark.parametrize(
    ("pages", "body", "cursor"),
    [
        (Pages("pageToken", cursor="nextPageToken"), {"nextPageToken": "a"}, "a"),
        (Pages("pageToken", cursor="nextPageToken"), {"items": []}, None),
        (Pages("pageToken", cursor="nextPageToken"), {"nextPageToken": ""}, None),
        (Pages("pageToken", cursor="nextPageToken"), {"nextPageToken": None}, None),
        (Pages("page", cursor="next"), {"next": 2}, 2),
        (Pages("page", cursor="next"), {"next": 0}, 0),
        (Pages("page", cursor="next"), {"next": True}, None),
        (Pages("page", cursor="next"), {"next": 1.5}, None),
        (Pages("page", cursor="next"), {"next": {"a": 1}}, None),
        (Pages("page", cursor="next"), {"next": ["a"]}, None),
        (Pages("after", cursor="data.-1.id"), {"data": [{"id": "a"}, {"id": "b"}]}, "b"),
        (Pages("after", cursor="data.-1.id"), {"data": []}, None),
        (Pages("after", cursor="data.-1.id"), {"data": {"id": "a"}}, None),
        (Pages("after", cursor="id", more="more"), {"id": "a", "more": True}, "a"),
        (Pages("after", cursor="id", more="more"), {"id": "a", "more": False}, None),
        (Pages("after", cursor="id", more="more"), {"id": "a"}, None),
        (Pages("after", cursor="a.b.c"), {"a": {"b": {"c": "x"}}}, "x"),
    ],
    ids=str,
)
def test_the_cursor_is_read_off_the_answer(pages: Pages, body: Any, cursor: Any) -> None:
    assert pages.next_cursor(body) == cursor


@pytest.mark.parametrize("body", [None, 1, "x", True, [], {}, [[]], {"data": None}])
def test_an_answer_of_any_kind_is_the_last_page(body: Any) -> None:
    assert Pages("after", cursor="data.-1.id", more="has_more").next_cursor(body) is None
    assert Pages("after", cursor="data.-1.id").next_cursor(body) is None
