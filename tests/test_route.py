"""Routes: relative templates with holes."""

import pytest

from charter.errors import DeclarationError
from charter.route import read_route


@pytest.mark.parametrize(
    ("template", "parts", "holes"),
    [
        ("v1/refunds", ("v1/refunds",), ()),
        ("/v1/refunds", ("v1/refunds",), ()),
        ("v1/refunds/{refund}", ("v1/refunds/", ""), ("refund",)),
        ("users/{userId}/messages/{id}/modify", ("users/", "/messages/", "/modify"), ("userId", "id")),
        ("{a}{b}", ("", "", ""), ("a", "b")),
        ("files/{name}.json", ("files/", ".json"), ("name",)),
        ("sheets/{range}:append", ("sheets/", ":append"), ("range",)),
        ("{user-id}/{x.y}", ("", "/", ""), ("user-id", "x.y")),
        ("", ("",), ()),
    ],
)
def test_a_template_is_split_at_its_holes(
    template: str, parts: tuple[str, ...], holes: tuple[str, ...]
) -> None:
    route = read_route(template, "tool")
    assert (route.parts, route.holes) == (parts, holes)


@pytest.mark.parametrize(
    "template",
    [
        "https://evil.example/x",
        "//evil.example/x",
        "///evil.example/x",
        "a?b=c",
        "a#b",
        "a\\b",
        "a b",
        "a\nb",
        "a\0b",
        "a/{b",
        "a/b}",
        "a/{}",
        "a/{1}",
        "a/{b c}",
        "a/{{b}}",
    ],
)
def test_what_is_no_relative_path_is_refused(template: str) -> None:
    with pytest.raises(
        DeclarationError, match=r"^Args: route .* is not a relative path.* Put the host in base_url"
    ):
        read_route(template, "Args")


@pytest.mark.parametrize("template", ["../x", "a/../b", "a/./b", "a/..", ".", ".."])
def test_a_dot_segment_is_refused(template: str) -> None:
    with pytest.raises(DeclarationError, match=r"dot segment. Write the path in full"):
        read_route(template, "Args")


def test_a_hole_named_twice_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"names a hole twice. Rename one"):
        read_route("a/{b}/c/{b}", "Args")
