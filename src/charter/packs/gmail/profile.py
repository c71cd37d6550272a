"""The mailbox itself: whose it is and how full.

Not here: settings such as signatures or out-of-office answers.
"""

from charter import keep
from charter.packs.gmail.api import Mailbox, api, scope

__all__ = ["TOOLS"]


class ProfileGet(Mailbox):
    """Get the user's email address, counts of messages and threads, and the current historyId."""


profile_get = api.get(
    "gmail/v1/users/{userId}/profile",
    ProfileGet,
    hints="who am I my own address account mailbox size how many",
    response_handler=keep("emailAddress", "messagesTotal", "threadsTotal", "historyId"),
    scopes=scope("metadata"),
)

TOOLS = (profile_get,)
