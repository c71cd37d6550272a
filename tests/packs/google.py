"""What Google's own client builds for a call, and what its discovery document says that a call may hold.

Nothing is sent. Not here: which tool stands for which method, and which arguments are tried; that is each pack's.
"""

import json
import keyword
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from google.auth.credentials import AnonymousCredentials
from googleapiclient.discovery import build_from_document
from googleapiclient.http import MediaInMemoryUpload
from hypothesis import strategies as st

from tests.counterparties.loopback import Asked


@dataclass(frozen=True)
class Request:
    """A request as both sides mean it: decoded, order of query parameters with different names aside."""

    method: str
    segments: tuple[str, ...]
    query: tuple[tuple[str, str], ...]
    body: Any

    @classmethod
    def of(cls, method: str, url: str, body: str | bytes | None) -> "Request":
        parts = urlsplit(url)
        query = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair != ("alt", "json")]
        return cls(
            method,
            tuple(unquote(segment) for segment in parts.path.split("/")),
            tuple(sorted(query, key=lambda pair: pair[0])),
            json.loads(body) if body else None,
        )


class GoogleClient:
    """Google's client of one API, and the discovery document that it is made from."""

    def __init__(self, name: str, find_method: Callable[[str], Sequence[str]], **always: str) -> None:
        """`find_method` gives the way to a tool's method: resources, then the method. `always` goes with every call."""
        self.name = name
        self.find_method = find_method
        self.always = always

    @cached_property
    def document(self) -> dict[str, Any]:
        place = f"discovery_cache/documents/{self.name}.json"
        return json.loads(files("googleapiclient").joinpath(place).read_text())

    @cached_property
    def _service(self) -> Any:
        return build_from_document(json.dumps(self.document), credentials=AnonymousCredentials())

    def describe(self, tool: str) -> dict[str, Any]:
        """The discovery document's description of the operation behind a tool."""
        node = self.document
        *resources, method = self.find_method(tool)
        for name in resources:
            node = node["resources"][name]
        return node["methods"][method]

    def build(self, tool: str, arguments: dict[str, Any]) -> Request:
        """Build the request with Google's client: its parameters by name, everything else as the body."""
        described = self.describe(tool)
        parameters = described.get("parameters", {})
        keywords = {name: value for name, value in arguments.items() if name in parameters}
        body = {name: value for name, value in arguments.items() if name not in keywords}
        if "request" in described:
            keywords["body"] = body
        else:
            assert not body, f"{tool}: {sorted(body)} have no place"
        call = self._service
        *resources, method = self.find_method(tool)
        for name in resources:
            call = getattr(call, name)()
        request = getattr(call, f"{method}_" if keyword.iskeyword(method) else method)(
            **self.always, **keywords
        )
        return Request.of(request.method, request.uri, request.body)

    def upload(
        self, tool: str, resource: dict[str, Any], content: bytes, media_type: str, **path: str
    ) -> Asked:
        """Build the upload of a file and its resource with Google's client."""
        call = self._service
        *resources, method = self.find_method(tool)
        for name in resources:
            call = getattr(call, name)()
        media = MediaInMemoryUpload(content, media_type)
        request = getattr(call, method)(**self.always, **path, body=resource, media_body=media)
        parts = urlsplit(request.uri)
        pairs = [pair for pair in parse_qsl(parts.query) if pair != ("alt", "json")]
        body = request.body if isinstance(request.body, bytes) else request.body.encode()
        headers = tuple((name.lower(), value) for name, value in request.headers.items())
        return Asked(request.method, parts.path, urlencode(pairs), headers, body, 0)

    def writable(self, tool: str, is_left_out: Callable[[str], bool]) -> set[str]:
        """The members of a tool's body that a caller may write, as dotted paths."""
        described = self.describe(tool)
        return set(self._walk(described["request"], is_left_out, "")) if "request" in described else set()

    def _walk(self, node: dict[str, Any], is_left_out: Callable[[str], bool], under: str) -> Iterator[str]:
        node = self.document["schemas"].get(node.get("$ref"), node)
        for name, member in node.get("properties", {}).items():
            if not is_left_out(f"{under}{name}"):
                yield f"{under}{name}"
                yield from self._walk(member.get("items", member), is_left_out, f"{under}{name}.")


def join_words(words: Sequence[str]) -> str:
    """`quick`, `add` -> quickAdd."""
    return words[0] + "".join(word.capitalize() for word in words[1:])


def names_in(value: Any, under: str = "") -> set[str]:
    """The names of all members of a value, as dotted paths."""
    if isinstance(value, list):
        return {name for each in value for name in names_in(each, under)}
    if not isinstance(value, dict):
        return set()
    return {
        name for key, each in value.items() for name in ({f"{under}{key}"} | names_in(each, f"{under}{key}."))
    }


def any_json(names: str) -> st.SearchStrategy[Any]:
    """Any JSON, its members more often than not under one of the names that a reader of answers knows."""
    return st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(names.split()) | st.text(max_size=2), inner, max_size=5)
        ),
        max_leaves=20,
    )
