import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from charter.packs.gmail.html_text import LINK_LIMIT, read_html


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Hello", "Hello"),
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("a<br>b<br/>c<br><br>d", "a\nb\nc\n\nd"),
        ("<div>a</div> <div>b</div>\n</div> <p> c </p>", "a\nb\n\nc"),
        ("<div>a<div>b</div></div>c", "a\nb\nc"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ("<pre>x\n  y</pre>", "x\ny"),
        ("a &lt;b&gt; &amp; &eacute; &#8364;", "a <b> & é €"),
        ("a<!-- hidden > -->b", "ab"),
        ("<style>p > a {color: red}</style>a<script>if (1 < 2) {}</script>b<title>t</title>", "ab"),
        ("<SCRIPT>x</Script >y", "y"),
        ("3 < 4 and 5 > 4", "3 < 4 and 5 > 4"),
        ("<3 you", "<3 you"),
        ("cut <a href='x", "cut <a href='x"),
        ("cut <!-- off", "cut"),
        ("<!DOCTYPE html><html><body>a</body></html>", "a"),
        ("<?xml version='1.0'?>a", "a"),
        ("pre\u200bheader&zwnj; &zwnj; \u034f x", "preheader x"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("", ""),
    ],
)
def test_html_reads_as_a_person_would_see_it(html: str, text: str):
    assert read_html(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<a href="https://x.org/a?b=1&amp;c=2">pay</a>', "pay (https://x.org/a?b=1&c=2)"),
        ("<a class=x HREF='mailto:a@x.org'>write</a>", "write (mailto:a@x.org)"),
        ("<a href=https://x.org>https://x.org</a>", "https://x.org"),
        ("<a href='https://x.org'><img src=x></a>", ""),
        ("<a href='javascript:alert(1)'>x</a>", "x"),
        ("<a name=top>x</a>", "x"),
        ("</a>x", "x"),
    ],
)
def test_a_link_follows_its_words(html: str, text: str):
    assert read_html(html) == text


def test_a_very_long_link_shows_its_host_alone():
    link = "https://track.example.com/" + "x" * LINK_LIMIT
    assert read_html(f"<a href='{link}'>confirm</a>") == "confirm (link to track.example.com)"
    broken = "https://[" + "x" * LINK_LIMIT
    assert read_html(f"<a href='{broken}'>confirm</a>") == "confirm (link)"


def test_a_reference_of_thousands_of_digits_is_a_broken_character() -> None:
    assert read_html(f"<p>a&#{'9' * 5_000};b") == "a\ufffdb"
    assert read_html(f"<a href='https://x.example/&#{'9' * 5_000}'>x</a>").startswith("x")


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("<>!-/ab \"'=&;#x?\n"), max_size=60) | st.text())
def test_any_text_is_read(html: str):
    assert isinstance(read_html(html), str)


@pytest.mark.parametrize(
    "piece",
    ["<a ", "<!--", "<a '", "<script", "</script>", "<li>", "&amp", "<pre>", "<a href=x>y", "href =", " \t"],
)
def test_hostile_html_takes_time_in_proportion_to_its_length(piece: str):
    def seconds(times: int) -> float:
        """Return the seconds of this process's own work: what else the machine does is not in them."""
        started = time.process_time()
        read_html(piece * times)
        return time.process_time() - started

    small = max(min(seconds(5_000) for _ in range(3)), 0.001)
    assert (
        min(seconds(40_000) for _ in range(2)) < small * 32
    )  # eight times the length; quadratic would be 64
