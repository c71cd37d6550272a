"""Gmail: mail, conversations, drafts and labels of one mailbox.

Not here: settings (filters, forwarding, out-of-office), push notifications, importing mail, deleting in bulk for good.
"""

from charter.packs.gmail import drafts, history, labels, messages, profile, threads
from charter.packs.gmail.api import api, configure
from charter.packs.gmail.drafts import (
    drafts_create,
    drafts_delete,
    drafts_get,
    drafts_list,
    drafts_send,
    drafts_update,
)
from charter.packs.gmail.history import history_list
from charter.packs.gmail.labels import (
    labels_create,
    labels_delete,
    labels_get,
    labels_list,
    labels_patch,
    labels_update,
)
from charter.packs.gmail.messages import (
    messages_attachments_get,
    messages_batch_modify,
    messages_delete,
    messages_get,
    messages_list,
    messages_modify,
    messages_send,
    messages_trash,
    messages_untrash,
)
from charter.packs.gmail.profile import profile_get
from charter.packs.gmail.threads import (
    threads_delete,
    threads_get,
    threads_list,
    threads_modify,
    threads_trash,
    threads_untrash,
)

__all__ = [
    "TOOLS",
    "api",
    "configure",
    "drafts_create",
    "drafts_delete",
    "drafts_get",
    "drafts_list",
    "drafts_send",
    "drafts_update",
    "history_list",
    "labels_create",
    "labels_delete",
    "labels_get",
    "labels_list",
    "labels_patch",
    "labels_update",
    "messages_attachments_get",
    "messages_batch_modify",
    "messages_delete",
    "messages_get",
    "messages_list",
    "messages_modify",
    "messages_send",
    "messages_trash",
    "messages_untrash",
    "profile_get",
    "threads_delete",
    "threads_get",
    "threads_list",
    "threads_modify",
    "threads_trash",
    "threads_untrash",
]

TOOLS = (
    *messages.TOOLS,
    *threads.TOOLS,
    *drafts.TOOLS,
    *labels.TOOLS,
    *history.TOOLS,
    *profile.TOOLS,
)
"""Every tool of the pack."""
