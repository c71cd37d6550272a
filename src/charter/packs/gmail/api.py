"""What every Gmail tool shares: address, credential, spelling, whose mailbox, and the scopes Google asks for.

Not here: any operation. The host may widen a tool to another mailbox; a model always works in its user's own.
"""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from charter import Api, Bearer, Case, Mode

__all__ = ["FULL", "Listing", "Mailbox", "Searching", "api", "configure", "scope"]

api = Api(
    "gmail",
    base_url="https://gmail.googleapis.com/",
    auth=Bearer(env="GOOGLE_ACCESS_TOKEN"),
    case=Case.CAMEL,
)

FULL = ("https://mail.google.com/",)
"""The scope that deleting for good needs; no narrower one will do."""


def scope(name: str) -> tuple[str, ...]:
    """Name the one scope a tool needs, the narrowest that works.

    >>> scope("send")
    ('https://www.googleapis.com/auth/gmail.send',)
    """
    return (f"https://www.googleapis.com/auth/gmail.{name}",)


def configure(**settings: Any) -> None:
    """Set `auth`, `base_url` or `client` for all Gmail tools of this process; each is optional.

    >>> from charter import Bearer
    >>> configure(auth=Bearer(env="GOOGLE_ACCESS_TOKEN"))
    """
    api.configure(**settings)


class Mailbox(BaseModel):
    """Whose mailbox: the user's who gave the credential. The model neither sees nor sets it."""

    user_id: Annotated[str, Mode("disabled")] = "me"


class Listing(Mailbox):
    """One page of a list."""

    max_results: int | None = Field(None, ge=1, le=500, description="Default 100.")
    page_token: str | None = Field(None, description="nextPageToken of the page before.")


class Searching(Listing):
    """One page of what a search finds."""

    q: str | None = Field(
        None,
        description="As in Gmail's search box: from:ann subject:rent is:unread has:attachment after:2026/01/31. "
        "Days are Pacific time; after:1767691800 (Unix seconds) is exact.",
    )
    include_spam_trash: bool | None = Field(None, description="Default false.")
