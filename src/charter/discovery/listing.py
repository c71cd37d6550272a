"""How ToolSearch lists the tools it can load: by name, folded by pack, or packs only; chosen by cost.

What else ToolSearch says of itself is `toolsearch.py`'s.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Literal, get_args

from charter.discovery.qualified import SEPARATOR
from charter.errors import DeclarationError
from charter.schema.cost import json_tokens

__all__ = ["ListingForm", "choose_listing", "check_form", "fold", "read_nouns", "render_listing"]

ListingForm = Literal["auto", "names", "folded", "packs", "packs_alone"]

MAX_NAMES = 1_000
"""Tokens above which the names are folded."""
MAX_FOLDED = 3_000
"""Tokens above which packs are listed instead of names."""
MAX_PACKS = 1_000
"""Tokens that packs are listed in: when too many share them, without what they act on, then cut."""
MAX_NOUNS = 200
"""Characters of what one pack acts on at most; many packs share the tokens of MAX_PACKS."""
PACK_ALONE = 20
"""Characters left for a pack's own name where packs share."""

_HEADINGS = {
    "names": "Tools:",
    "folded": f"Tools by pack (a full name is pack{SEPARATOR}tool, and a_{{b,c}} is short for a_b a_c):",
    "packs": "Packs of tools, with what they act on:",
    "packs_alone": "Packs of tools:",
}
_ACTIONS = frozenset(
    """add append apply archive assign attach bulk cancel capture check clear close compare complete copy count
    create delete delta detach dismiss download empty execute export extract finalize find forward generate get
    import info insert invite join list lock mark merge modify move open patch permanent post preview publish query
    quick read reject remove rename reopen reply request rerun reset resolve retrieve revoke run schedule search
    send set start status stop submit subscribe sync transcribe translate trash unarchive unlock unresolve
    unsubscribe untrash update upload upsert validate void watch write""".split()
)
_JOINTS = frozenset("and as at batch by for from in into me of on or to upcoming with".split())


def check_form(form: str) -> ListingForm:
    """Return `form` when it is one.

    Raises:
        DeclarationError: it is not.
    """
    forms: tuple[ListingForm, ...] = get_args(ListingForm)
    for known in forms:
        if known == form:
            return known
    raise DeclarationError(f"ToolSession: listing={form!r} is unknown. Use one of {', '.join(forms)}.")


def choose_listing(names: Iterable[str], form: str = "auto") -> str:
    """Render the fullest listing that its cost allows, or the form asked for.

    The text depends on the set of names only, not on their order.

    Raises:
        DeclarationError: there is no such form.
    """
    known = sorted(set(names))
    wanted = check_form(form)
    if wanted != "auto":
        return render_listing(known, wanted)
    if len(known) <= MAX_NAMES:  # a name and its line end are more than a token
        text = render_listing(known, "names")
        if json_tokens(text) <= MAX_NAMES:
            return text
    if len(known) <= MAX_FOLDED * 2:  # a name folded is two characters or more
        text = render_listing(known, "folded")
        if json_tokens(text) <= MAX_FOLDED:
            return text
    return render_listing(known, "packs" if _noun_room(len(_by_pack(known))) else "packs_alone")


def render_listing(names: Sequence[str], form: Literal["names", "folded", "packs", "packs_alone"]) -> str:
    """Render sorted qualified names in one form.

    >>> print(render_listing(["gmail__drafts_get", "gmail__drafts_send"], "folded").splitlines()[1])
    gmail: drafts_{get,send}
    """
    packs = _by_pack(names)
    if form == "names":
        lines = list(names)
    elif form == "folded":
        lines = [f"{pack}: {' '.join(fold(leaves))}" for pack, leaves in packs.items()]
    elif form == "packs":
        room = _noun_room(len(packs))
        lines = [_describe_pack(pack, leaves, room) for pack, leaves in packs.items()]
    else:
        lines = [_list_packs(list(packs))]
    return "\n".join([_HEADINGS[form], *lines])


def _by_pack(names: Sequence[str]) -> Mapping[str, list[str]]:
    packs: dict[str, list[str]] = {}
    for name in names:
        pack, _, leaf = name.partition(SEPARATOR)
        packs.setdefault(pack, []).append(leaf)
    return dict(sorted(packs.items()))


def fold(leaves: Sequence[str]) -> list[str]:
    """Write distinct names with their shared beginnings once, in as few characters as one level allows.

    A beginning ends with "_". Reading `a_{b,c}` as `a_b a_c` gives back every name.

    >>> fold(["refunds_create", "refunds_list", "balance_get"])
    ['balance_get', 'refunds_{create,list}']
    """
    ordered = sorted(leaves)
    _, alone, groups = _Folding(ordered).write(0, len(ordered), "", "")
    items = [(leaf, leaf) for leaf in alone]
    items += [(start, f"{start}{{{','.join(ends)}}}") for start, ends in groups]
    return [text for _, text in sorted(items)]


_Written = tuple[int, tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]
"""Characters, members of the nearest group, groups made below it."""


class _Folding:
    """The cheapest way to write each run of names that share a beginning; each run is weighed once."""

    def __init__(self, ordered: Sequence[str]) -> None:
        self.ordered = ordered
        self.write = cache(self._write)

    def _write(self, low: int, high: int, start: str, group: str) -> _Written:
        """Write names[low:high], which share `start`; `group` is the beginning they would join."""
        joined = self._members(low, high, start, group)
        if start == group:
            return joined
        cost, ends, groups = self._members(low, high, start, start)
        cost += len(start) + len("{} ")
        if len(ends) < 2 or cost > joined[0]:
            return joined
        return cost, (), ((start, ends), *groups)

    def _members(self, low: int, high: int, start: str, group: str) -> _Written:
        cost, ends, groups = 0, (), ()
        while low < high:
            name, after = self.ordered[low], self._run_end(low, high, start)
            if after - low == 1:
                added: _Written = (len(name) - len(group) + 1, (name[len(group) :],), ())
            else:
                added = self.write(low, after, name[: name.index("_", len(start)) + 1], group)
            cost, ends, groups = cost + added[0], ends + added[1], groups + added[2]
            low = after
        return cost, ends, groups

    def _run_end(self, low: int, high: int, start: str) -> int:
        name = self.ordered[low]
        mark = name.find("_", len(start)) + 1
        if mark == 0 or mark == len(name):
            return low + 1
        end = low + 1
        while end < high and self.ordered[end].startswith(name[:mark]):
            end += 1
        return end


def _noun_room(packs: int) -> int:
    """Return the characters that each pack has for what it acts on, 0 where that is too little to tell."""
    room = min(MAX_NOUNS, MAX_PACKS * 4 // max(packs, 1) - PACK_ALONE)
    return room if room >= PACK_ALONE else 0


def _describe_pack(pack: str, leaves: Sequence[str], room: int) -> str:
    kept: list[str] = []
    length = 0
    nouns = read_nouns(leaves)
    for noun in nouns:
        length += len(noun) + len(", ")
        if length > room:
            kept.extend("…" if kept else ())
            break
        kept.append(noun)
    return f"{pack}: {', '.join(kept)}" if kept else pack


def read_nouns(leaves: Iterable[str]) -> list[str]:
    """Read what tools act on off their names, the most frequent first.

    >>> read_nouns(["refunds_create", "refunds_list", "search_customers", "refund_get"])
    ['refunds', 'customers']
    """
    counts: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for leaf in sorted(leaves):
        for rank, noun in enumerate(_phrases(leaf)):
            key = noun.removesuffix("s")
            spelled[key] = max(spelled.get(key, ""), noun)
            counts[key] += 1 if rank else 100  # what comes first in a name is what the tool is about
    ranked = [spelled[key] for key, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    known = set(ranked)
    return list(dict.fromkeys(_drop_owner(noun, known) for noun in ranked))


def _drop_owner(noun: str, known: Collection[str]) -> str:
    """Return `forms responses` as `responses` where `forms` is listed by itself."""
    owner, _, rest = noun.partition(" ")
    return rest if rest and owner in known else noun


def _phrases(leaf: str) -> list[str]:
    phrases: list[str] = []
    words: list[str] = []
    for word in [*leaf.lower().split("_"), ""]:
        if word and word not in _ACTIONS and word not in _JOINTS:
            words.append(word)
        elif words:
            phrases.append(" ".join(words))
            words = []
    return phrases or [leaf.replace("_", " ")]


def _list_packs(packs: Sequence[str]) -> str:
    kept: list[str] = []
    room = MAX_PACKS * 4
    for pack in packs:
        room -= len(pack) + len(", ")
        if room < 0:
            return f"{', '.join(kept)} and {len(packs) - len(kept)} more"
        kept.append(pack)
    return ", ".join(kept)
