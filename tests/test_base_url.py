"""Base URLs: one host and one path, to everyone who reads them."""

from typing import Any

import pytest

from charter import Api, DeclarationError
from charter.base_url import read_base_url

REFUSED: dict[str, tuple[Any, str]] = {
    "nothing": (None, "is NoneType, no text. Write https://host/path/."),
    "bytes": (b"https://api.example.com", "is bytes, no text. Write https://host/path/."),
    "a number": (8080, "is int, no text"),
    "a hole in the host": (
        "https://{region}.api.example.com/v1",
        "'https://{region}.api.example.com/v1' has a hole. Fill it in, and make one Api for each host.",
    ),
    "a hole in the path": ("https://api.example.com/{version}/", "has a hole"),
    "half a hole": ("https://api.example.com/v1}", "has a hole"),
    "a hole beside a password": ("https://u:s3cret@{x}.example", "is not an http(s) URL of host and path alone"),
    "an ideographic dot": ("https://api\u3002example\u3002com", "which is read as another. Write it in plain letters"),
    "a full-width dot": ("https://api.example\uff0ecom", "which is read as another"),
    "a half-width dot": ("https://api\uff61example.com", "which is read as another"),
    "full-width letters": ("https://\uff41\uff50\uff49.example.com", "which is read as another"),
    "a ligature": ("https://o\ufb03ce.example.com", "which is read as another"),
    "full-width digits in the port": ("https://api.example.com:\uff18\uff10", "is not an http(s) URL"),
    "a sign like a slash": ("https://api.example.com\u2044.evil.example", "is no host"),
    "a sign like a dot": ("https://api\u00b7example.com", "is no host"),
    "an encoded host": ("https://api%2eexample.com", "is no host"),
    "an empty part": ("https://api..example.com", "is no host"),
    "a part that begins with a hyphen": ("https://-api.example.com", "is no host"),
    "a part that is too long": (f"https://{'a' * 64}.example.com", "is no host"),
    "an address in one number": ("http://2130706433", "which is read as an address. Write four numbers"),
    "an address in hexadecimal": ("http://0x7f.0.0.1", "which is read as an address"),
    "an address in octal": ("http://0177.0.0.1", "which is read as an address"),
    "a short address": ("http://127.1", "which is read as an address"),
    "an address that is too large": ("http://127.0.0.256/", "which is read as an address"),
    "an address with a zone": ("http://[fe80::1%25eth0]/", "no IPv6 address"),
    "a step up": ("https://api.example.com/v1/../admin", "has a step in its path, '/v1/../admin'. Write where"),
    "a step to itself": ("https://api.example.com/./v1", "has a step in its path"),
    "a step at the end": ("https://api.example.com/v1/..", "has a step in its path"),
    "an encoded step": ("https://api.example.com/%2e%2e/admin", "has '%2e' in its path. Write the path without it."),
    "half an encoded step": ("https://api.example.com/.%2E/admin", "has '%2E' in its path"),
    "an encoded slash": ("https://api.example.com/a%2Fb", "has '%2F' in its path"),
    "an encoded backslash": ("https://api.example.com/a%5cb", "has '%5c' in its path"),
    "a broken escape": ("https://api.example.com/a%2", "has '%' in its path"),
    "an invisible character": ("https://api\u200b.example.com", "is not an http(s) URL"),
    "a right-to-left mark": ("https://api.example.com/\u202ev1", "is not an http(s) URL"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_a_base_url_that_can_be_read_in_two_ways_is_refused_with_its_fix(kind: str) -> None:
    url, told = REFUSED[kind]
    api = Api("shop", base_url="https://shop.example")
    with pytest.raises(DeclarationError) as raised:
        Api("shop", base_url=url)
    assert told in str(raised.value)
    assert str(raised.value).startswith("shop: base_url ")
    assert "s3cret" not in str(raised.value)
    if url is not None:
        with pytest.raises(DeclarationError):
            api.configure(base_url=url)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost",
        "http://127.0.0.1:1/",
        "http://[::1]:8080/v1",
        "http://[2001:db8::1]/",
        "https://例え.example/v1",
        "https://उदाहरण.example/",
        "https://bücher.example",
        "https://xn--bcher-kva.example",
        "https://a.b-c.example:8443/x.y/...z/",
        "https://my_service.internal/",
        "https://api.example.com./v1",
        "https://api.example.com/v1/%20a/@me/~x;y=1",
        "https://1password.example/",
        "https://api.example.com/v1:batch",
    ],
)
def test_a_base_url_may_name_any_one_host_and_path(url: str) -> None:
    assert read_base_url(url, "shop") == url.rstrip("/") + "/"
