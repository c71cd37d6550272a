"""Text to search terms: splitting, folding, stop words, stems.

No ranking here; words for the same thing are data in `synonyms.py`.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib import import_module

from charter.discovery.stems import STEMS
from charter.locks import Lock
from charter.normalizing import strip_marks

__all__ = [
    "STOP_WORDS",
    "find_chunks",
    "has_capital",
    "read_chunk",
    "read_terms",
    "split_chunks",
    "split_words",
    "stem",
]

STOP_WORDS = frozenset(
    """a about after all also am an and any anyone anything are around as at be because been before being both but
    by can can't cannot could couldn't did didn't do does doesn't doing don't each either else etc ever every for
    from had has hasn't have haven't having he he's her hers herself him his how i i'd i'll i'm i've if in into is
    isn't it it's its itself just kindly let let's like may maybe me might mine more most my myself need needs needed
    no nor not of oh ok okay on once only onto or our ours out over own per please pls really same shall she she's
    should so some someone something such than thank thanks that that's the their theirs them then there there's
    these they they're thing things this those though through to too under until up upon us very via want wanted
    wants was wasn't we we'd we'll we're we've were weren't what what's whatever when where where's whether which
    while who whom whose why will with within without won't would wouldn't yes yet you you'd you'll you're you've
    your yours yourself able actually again ahead already always anyway assist assistance currently ensure e.g
    followed following further furthermore go going gonna got hello help helps hey hi however i.e including
    interested know looking lot moreover much must next now possible possibly regarding specific specifically stuff
    sure using various wanna wish wonder wondering additionally afterwards finally first lastly later second
    secondly third""".split()
)
"""Words of a request that say nothing of which tool it needs."""

_CHUNK = re.compile(r"[^\W_]{1,60}(?:['’][^\W_]{1,12})?")
_CASE = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])"
)
_PLURAL = re.compile(r"[A-Z]{2,}s")
# Thai, Lao, Tibetan, Myanmar, Khmer, kana, Chinese characters, Hangul: written without spaces or glued together.
_UNSPACED = re.compile(
    r"[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)

# A stemmer keeps the word that it is at work on.
_one_at_a_time = Lock()


def read_terms(text: str, *, stems: bool = True, stops: bool = True) -> list[str]:
    """Read the search terms of a text, in order, repeats kept.

    >>> read_terms("refunded the payment_intents of a GitHub customer")
    ['refund', 'payment', 'intent', 'git', 'hub', 'github', 'custom']
    """
    return [term for chunk in find_chunks(text) for term in read_chunk(chunk, stems, stops)]


def find_chunks(text: str) -> list[str]:
    """Return the words of a text as they are written, identifiers whole."""
    return _CHUNK.findall(strip_marks(text))


def split_words(text: str) -> list[str]:
    """Split text and identifiers into lower-case words without accents.

    Scripts that are written without spaces are cut into overlapping pairs of characters.

    >>> split_words("getHTTPResponse v2 Événement PRs")
    ['get', 'http', 'response', 'v', '2', 'evenement', 'pr']
    """
    return [piece for pieces in split_chunks(text) for piece in pieces]


def split_chunks(text: str) -> Iterator[tuple[str, ...]]:
    """Yield each written word as the pieces it is made of.

    >>> list(split_chunks("GitHub issue"))
    [('git', 'hub'), ('issue',)]
    """
    return map(_split_chunk, find_chunks(text))


def has_capital(text: str) -> frozenset[str]:
    """Return the words that begin with a capital inside a sentence: names, as a rule.

    >>> sorted(has_capital("Find the Retro page of Old Street. Then close it."))
    ['old', 'retro', 'street']
    """
    folded = strip_marks(text)
    found: set[str] = set()
    end = 0
    for match in _CHUNK.finditer(folded):
        gap = folded[end : match.start()].rstrip()
        before = gap[-1:] or folded[max(end - 1, 0) : end]
        end = match.end()
        if match.group()[0].isupper() and before not in ("", *".?!:;\"'"):
            found.update(_split_chunk(match.group()))
            found.add(match.group().lower())
    return frozenset(found)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a lower-case word.

    >>> stem("scheduling") == stem("schedules")
    True
    """
    if len(word) < 3 or not word.isascii() or word.isdigit():
        return word
    known = _read_stems().get(word)
    if known is not None:
        return known
    with _one_at_a_time:
        return _load_stemmer()(word)


@cache
def _read_stems() -> dict[str, str]:
    """Read the stems that came with us: a search of our own packs then needs no stemmer."""
    pairs = (pair.partition(":") for pair in STEMS.split())
    return {word: stem or word for word, _, stem in pairs}


@cache
def _load_stemmer() -> Callable[[str], str]:
    """Import the stemmer when a word is first read: it brings thirty languages."""
    return import_module("snowballstemmer").stemmer("english").stemWord


@lru_cache(maxsize=65_536)
def read_chunk(chunk: str, stems: bool, stops: bool) -> tuple[str, ...]:
    """Read the search terms of one word as it is written."""
    pieces = _split_chunk(chunk)
    # A brand or a version is one word as well as two: GitHub, OAuth2.
    words = (*pieces, "".join(pieces)) if len(pieces) == 2 and pieces[0].isascii() else pieces
    kept = [word for word in words if not stops or word not in STOP_WORDS]
    return tuple(stem(word) for word in kept) if stems else tuple(kept)


@lru_cache(maxsize=65_536)
def _split_chunk(chunk: str) -> tuple[str, ...]:
    if chunk.islower() and chunk.isascii() and chunk.isalpha():
        return (chunk,)
    if _PLURAL.fullmatch(chunk):
        return (chunk[:-1].lower(),)
    plain = _strip_apostrophe(chunk)
    if not plain.isascii() and _UNSPACED.search(plain):
        return tuple(_cut_unspaced(plain))
    return tuple(piece.lower() for piece in _CASE.split(plain) if piece)


def _strip_apostrophe(chunk: str) -> str:
    """Return the word without an ending such as 's, or an article such as l'."""
    head, mark, tail = chunk.replace("’", "'").partition("'")
    if not mark or f"{head}'{tail}".lower() in STOP_WORDS:
        return f"{head}{mark}{tail}"
    return tail if len(head) <= 2 < len(tail) else head


def _cut_unspaced(chunk: str) -> Iterator[str]:
    place = 0
    for run in _UNSPACED.finditer(chunk):
        if run.start() > place:
            yield chunk[place : run.start()].lower()
        text, place = run.group(), run.end()
        yield from (text[at : at + 2] for at in range(max(1, len(text) - 1)))
    if place < len(chunk):
        yield chunk[place:].lower()
