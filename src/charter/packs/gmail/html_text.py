"""HTML mail turned into the text a reader would see.

Not here: which body of a mail is read. One pass without backtracking: mail is written by strangers.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

__all__ = ["read_html", "read_references"]

LINK_LIMIT = 300
"""Characters of the longest link that is shown whole; of a longer one, only its host."""

_START = re.compile(r"<(?:!--|[A-Za-z/!?])")
_TAG = re.compile(r"(/?)([A-Za-z][A-Za-z0-9]*)")
_HREF = re.compile(r"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)
_UNSEEN = ("script", "style", "title")
_ENDS = {name: re.compile(f"</{name}", re.IGNORECASE) for name in _UNSEEN}
_PARAGRAPHS = frozenset("p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre hr section article".split())
_LINES = frozenset("div tr li dt dd address center header footer figure form".split())
_CELLS = frozenset(("td", "th"))
_HUGE_REFERENCE = re.compile(r"&#[0-9]{10,};?")
_PADDING = re.compile("[\u200b\u034f\u00ad\ufeff\u2060]|[\u200c\u200d](?=\\s|$)")


def read_html(html: str) -> str:
    r"""Turn HTML into text: a line for a block, `- ` for an item, a link behind its words.

    >>> read_html("<p>Hi&nbsp;Ann,</p><ul><li>see <a href='https://x.org/1'>this</a></ul>")
    'Hi Ann,\n\n- see this (https://x.org/1)'
    """
    page = _Page()
    for kind, value, attributes in _read_tokens(html):
        if kind == "text":
            page.add_text(value)
        elif kind == "open":
            page.open(value, attributes)
        else:
            page.close(value)
    return page.text()


def _read_tokens(html: str) -> Iterator[tuple[Literal["text", "open", "close"], str, str]]:
    position = 0
    while position < len(html):
        found = _START.search(html, position)
        start = found.start() if found else len(html)
        if start > position:
            yield "text", html[position:start], ""
        if found is None:
            return
        comment = html.startswith("<!--", start)
        end = html.find("-->" if comment else ">", start)
        if end < 0:
            if not comment:
                yield "text", html[start:], ""
            return
        position = end + (3 if comment else 1)
        tag = None if comment else _TAG.match(html, start + 1)
        if tag is None:
            continue
        name = tag[2].lower()
        yield "close" if tag[1] else "open", name, html[tag.end() : end]
        if name in _ENDS and not tag[1]:
            closing = _ENDS[name].search(html, position)
            position = closing.start() if closing else len(html)


def read_references(text: str) -> str:
    """Return text with its character references read, of which Python reads none of thousands of digits."""
    return html.unescape(_HUGE_REFERENCE.sub("\ufffd", text))


@dataclass(slots=True)
class _Page:
    pieces: list[str] = field(default_factory=list[str])
    link: str = ""
    words_before_link: int = 0
    verbatim: int = 0

    def add_text(self, raw: str) -> None:
        text = _PADDING.sub("", read_references(raw))
        if self.verbatim:
            self.pieces.append(text)
        elif text.strip() or not self._at_line_start():
            self.pieces.append(re.sub(r"\s+", " ", text))

    def open(self, name: str, attributes: str) -> None:
        self._break(name)
        if name == "li":
            self.pieces.append("- ")
        elif name == "pre":
            self.verbatim += 1
        elif name == "a":
            found = _HREF.search(attributes)
            self.link = read_references(next(filter(None, found.groups()), "")).strip() if found else ""
            self.words_before_link = len(self.pieces)

    def close(self, name: str) -> None:
        if name == "a":
            self._add_link()
        elif name == "pre":
            self.verbatim = max(0, self.verbatim - 1)
        if name != "br":
            self._break(name)

    def text(self) -> str:
        lines = [re.sub(r"[ \t]+", " ", line).strip() for line in "".join(self.pieces).split("\n")]
        kept = [line for line in lines if line != "-"]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()

    def _break(self, name: str) -> None:
        if name in _PARAGRAPHS:
            self.pieces.append("\n\n")
        elif name == "br" or (name in _LINES and not self._at_line_start()):
            self.pieces.append("\n")
        elif name in _CELLS:
            self.pieces.append(" ")

    def _at_line_start(self) -> bool:
        return not self.pieces or self.pieces[-1].endswith("\n")

    def _add_link(self) -> None:
        link, self.link = self.link, ""
        if not link:
            return
        words = "".join(self.pieces[self.words_before_link :]).strip()
        if not words or words in link or not link.lower().startswith(("http://", "https://", "mailto:")):
            return
        self.pieces.append(f" ({link if len(link) <= LINK_LIMIT else _name_host(link)})")


def _name_host(link: str) -> str:
    try:
        return f"link to {urlsplit(link).netloc}"
    except ValueError:
        return "link"
