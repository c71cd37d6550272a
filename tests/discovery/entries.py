"""Entries to search, for the tests beside this file."""

import string

from hypothesis import strategies as st

from charter.discovery.entry import Entry

_WORDS = (
    "create",
    "list",
    "get",
    "update",
    "send",
    "issue",
    "label",
    "invoice",
    "page",
    "webhook",
    "zebra",
    "quince",
)

PACKS: dict[str, dict[str, tuple[str, str]]] = {
    "gmail": {
        "messages_list": ("Find messages by search query and label.", "inbox unread who wrote"),
        "messages_send": ("Send a new message.", "write to"),
        "drafts_create": ("Write a draft.", "compose without sending"),
        "drafts_send": ("Send a draft.", "prepared unsent"),
        "labels_create": ("Create a label.", "folder colour"),
        "threads_trash": ("Move a thread to the bin.", "throw away conversation"),
    },
    "stripe": {
        "refunds_create": ("Refund a charge, in full or in part.", "money back reimburse"),
        "refunds_list": ("List refunds.", ""),
        "charges_list": ("List charges.", "what did she pay"),
        "disputes_list": ("List disputes.", "chargeback contested"),
        "customers_list": ("List customers.", "client buyer"),
        "subscriptions_cancel": ("Cancel a subscription.", "stop plan"),
    },
}


def make_entries() -> list[Entry]:
    """Return twelve entries of two packs."""
    return [
        Entry(f"{pack}__{leaf}", pack, leaf, summary, hints, {"id": "Which one."})
        for pack, tools in PACKS.items()
        for leaf, (summary, hints) in tools.items()
    ]


@st.composite
def draw_entries(draw: st.DrawFn) -> list[Entry]:
    """Draw entries with distinct names of one to three words, in one or two packs."""
    word = st.sampled_from(_WORDS) | st.text(string.ascii_lowercase, min_size=1, max_size=8)
    leaves = st.lists(word, min_size=1, max_size=3).map("_".join)
    names = draw(
        st.lists(st.tuples(st.sampled_from(["shop", "mail"]), leaves), min_size=1, max_size=12, unique=True)
    )
    texts = st.lists(word, max_size=6).map(" ".join)
    return [Entry(f"{pack}__{leaf}", pack, leaf, draw(texts), draw(texts)) for pack, leaf in names]
