"""Gmail: mail, conversations, drafts and labels of one mailbox.

Not here: settings (filters, forwarding, out-of-office), push notifications, importing mail, deleting in bulk for good.
"""

from charter import Pack

_pack = Pack(__name__, modules=("sending", "messages", "threads", "drafts", "labels", "history", "profile"))
TOOLS = _pack.tools
"""Every tool of the pack."""
__getattr__, __dir__ = _pack.find, _pack.names
