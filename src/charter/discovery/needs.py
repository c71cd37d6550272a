"""Which tool produces the identifier that another one takes, read off names and parameters.

A tool that declares any needs is taken at its word; what is said of it to a model is `searching.py`'s.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from charter.discovery.entry import Entry
from charter.discovery.words import split_words, stem

__all__ = ["fill_needs"]

_PRODUCE = ("list", "search", "find", "query")
_IDS = ("id", "ids")

_Producers = Mapping[tuple[str, tuple[str, ...]], str]


def fill_needs(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with the needs that their parameters show, for tools that declare none.

    A parameter such as `thread_id`, or `thread` described as an id, needs the tool of the same pack that
    lists threads, or else the one that searches them.

    >>> threads = Entry("mail__threads_list", "mail", "threads_list", "List threads.")
    >>> get = Entry("mail__reply", "mail", "reply", "Reply.", parameters={"threadId": ""})
    >>> fill_needs([threads, get])[1].needs
    {'threadId': 'mail__threads_list'}
    """
    producers = _find_producers(entries)
    return [_fill(entry, producers) for entry in entries]


def _find_producers(entries: Iterable[Entry]) -> _Producers:
    found: dict[tuple[str, tuple[str, ...]], tuple[int, str]] = {}
    for entry in entries:
        words = split_words(entry.leaf)
        rank = next((place for place, verb in enumerate(_PRODUCE) if verb in words), None)
        if rank is not None:
            thing = tuple(stem(word) for word in words if word != _PRODUCE[rank])
            found[entry.pack, thing] = min(
                found.get((entry.pack, thing), (rank, entry.name)), (rank, entry.name)
            )
    return {key: name for key, (_, name) in found.items()}


def _fill(entry: Entry, producers: _Producers) -> Entry:
    if entry.needs:
        return entry
    shown: dict[str, str] = {}
    for name, text in entry.parameters.items():
        thing = _read_thing(name, text)
        producer = producers.get((entry.pack, thing)) if thing else None
        if producer is not None and producer != entry.name:
            shown[name] = producer
    return replace(entry, needs=shown) if shown else entry


def _read_thing(name: str, text: str) -> tuple[str, ...]:
    """Return the terms of what a parameter identifies; none when it is no identifier."""
    words = split_words(name)
    if len(words) > 1 and words[-1] in _IDS:
        words = words[:-1]
    elif "id" not in split_words(text):
        return ()
    return tuple(stem(word) for word in words)
