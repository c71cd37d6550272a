"""Pages: the cursor of the next page."""

from typing import Any

import pytest

from charter import DeclarationError, Pages


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
    assert pages.find_next(body) == cursor


@pytest.mark.parametrize("body", [None, 1, "x", True, [], {}, [[]], {"data": None}])
def test_an_answer_of_any_kind_is_the_last_page(body: Any) -> None:
    assert Pages("after", cursor="data.-1.id", more="has_more").find_next(body) is None
    assert Pages("after", cursor="data.-1.id").find_next(body) is None


NEXT = "<https://evil.example/x?page=3&per_page=9>; rel=next"


@pytest.mark.parametrize(
    ("pages", "body", "headers", "given", "found"),
    [
        (Pages("page", by="number", items="rooms"), {"rooms": [1]}, {}, None, 2),
        (Pages("page", by="number", items="rooms"), {"rooms": [1]}, {}, "7", 8),
        (Pages("page", by="number", items="rooms", first=0), {"rooms": [1]}, {}, None, 1),
        (Pages("page", by="number", items="rooms"), {"rooms": []}, {}, 2, None),
        (Pages("page", by="number", items="rooms", more="more"), {"rooms": [1], "more": False}, {}, 2, None),
        (Pages("page", by="number", items=""), [1, 2], {}, None, 2),
        (Pages("page", by="number", items=""), {"message": "x"}, {}, None, None),
        (Pages("offset", by="offset", items="rooms"), {"rooms": [1, 2]}, {}, None, 2),
        (Pages("offset", by="offset", items="rooms"), {"rooms": [1, 2]}, {}, 40, 42),
        (Pages("offset", by="offset", items="rooms"), {"rooms": []}, {}, 40, None),
        (Pages("page", by="link"), [], {"link": NEXT}, None, "3"),
        (
            Pages("page", by="link"),
            [],
            {"link": f'<https://a.example/?page=1>; rel="first", {NEXT}'},
            None,
            "3",
        ),
        (Pages("page", by="link"), [], {"link": '<https://a.example/?page=1>; rel="prev"'}, None, None),
        (Pages("page", by="link"), [], {"link": '</x?page=4>; title="a, b; c"; rel="last next"'}, None, "4"),
        (Pages("page", by="link"), [], {"link": "</x?page=4>; rel=nextish"}, None, None),
        (Pages("page", by="link"), [], {"link": "no link"}, None, None),
        (Pages("page", by="link"), [], {}, None, None),
        (Pages("page", by="link", cursor="next"), {"next": "https://[/?page=4"}, {}, None, None),
        (Pages("after", by="link", cursor="next"), {"next": "/rooms?after=a%2Fb%3D"}, {}, None, "a/b="),
        (Pages("after", by="link", cursor="next"), {"next": None}, {}, None, None),
        (Pages("after", by="link", cursor="next"), {"next": "/rooms"}, {}, None, None),
    ],
    ids=str,
)
def test_the_next_page_is_counted_or_read_off_a_link(
    pages: Pages, body: Any, headers: dict[str, str], given: Any, found: Any
) -> None:
    assert pages.find_next(body, headers, given=given) == found


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "no cursor. Say where it is in an answer"),
        ({"by": "number"}, "no items. Say where they are in an answer"),
        ({"by": "offset"}, "no items"),
        ({"cursor": 5}, "Pages: cursor=5 cannot be"),
        ({"cursor": "n", "more": ""}, "more='' cannot be"),
        ({"by": "number", "items": "", "first": "1"}, "first='1' cannot be. Give a whole number"),
        ({"by": "luck"}, "by='luck' cannot be. Give one of 'cursor', 'number'"),
    ],
)
def test_pages_that_could_not_be_walked_are_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(DeclarationError, match=told):
        Pages("page", **options)
