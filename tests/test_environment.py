"""What the environment says of connections: certificates and proxies, with the variable named when it cannot be."""

from pathlib import Path

import pytest

from charter.environment import UnusableSettingError, read_exempt, read_proxies, read_trust


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_certificates_that_cannot_be_read_are_told_by_path_and_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "broken.pem").write_text("no certificate")
    for path in (tmp_path / "missing.pem", tmp_path / "broken.pem"):
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        read_trust.cache_clear()
        with pytest.raises(UnusableSettingError) as raised:
            read_trust()
        assert f"SSL_CERT_FILE={str(path)!r}" in raised.value.problem
        assert raised.value.fix == "Mend or unset SSL_CERT_FILE"
    monkeypatch.delenv("SSL_CERT_FILE")
    assert read_trust() is read_trust()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ftp://proxy.example", "is no http, https or socks5 URL"),
        ("http://user:pa55@proxy:port", "is no http, https or socks5 URL"),
        ("http://user:pa55@", "names no host"),
        ("socks5://user:pa55@127.0.0.1:9", "needs the package socksio"),
    ],
)
@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_a_proxy_that_cannot_work_is_told_by_its_variable_and_without_its_password(
    name: str, text: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(UnusableSettingError) as raised:
        list(read_proxies())
    assert name in raised.value.problem
    assert problem in raised.value.problem
    assert "pa55" not in str(raised.value) + raised.value.fix


def test_proxies_are_read_by_scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "127.0.0.1:8080")
    monkeypatch.setenv("ALL_PROXY", "https://user:pw@proxy.example")
    found = {scheme: (str(proxy.url), proxy.auth) for scheme, proxy in read_proxies()}
    assert found == {
        "http": ("http://127.0.0.1:8080", None),
        "all": ("https://proxy.example", ("user", "pw")),
    }
    monkeypatch.setenv("NO_PROXY", "a.example, *")
    assert list(read_proxies()) == []


@pytest.mark.parametrize(
    ("entry", "pattern"),
    [
        ("a.example", "all://*a.example"),
        (".a.example", "all://*.a.example"),
        ("*.a.example", "all://*.a.example"),
        ("localhost", "all://localhost"),
        ("https://a.example", "https://a.example"),
        ("10.0.0.1", "all://10.0.0.1"),
        ("10.0.0.0/8", "all://10.0.0.0/8"),
        ("::1", "all://[::1]"),
        ("[::1]", "all://[::1]"),
        ("fe80::/10", "all://[fe80::]/10"),
    ],
)
def test_hosts_without_a_proxy_are_read_as_curl_reads_them(
    entry: str, pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", f" {entry} ,, a.example/path, http://b:port, 10.0.0.0/99")
    assert list(read_exempt()) == [pattern]
