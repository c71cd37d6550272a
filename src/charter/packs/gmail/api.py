"""What every Gmail tool shares: address, credential, spelling, whose mailbox, and the scopes Google asks for.

Not here: any operation. The host may widen a tool to another mailbox; a model always works in its user's own.
"""

from typing import Annotated, Self

from pydantic import BaseModel, Field, model_validator

from charter import Api, Bearer, Case, Failures, Mode, Unsent

__all__ = ["FULL", "Listing", "Mailbox", "Reading", "Searching", "TextFrom", "api", "configure", "scope"]

api = Api(
    "gmail",
    base_url="https://gmail.googleapis.com/",
    auth=Bearer(env="GOOGLE_ACCESS_TOKEN"),
    case=Case.CAMEL,
    max_bytes=64 * 1024 * 1024,  # a file of 25 MB comes as 34 MB of base64
    failures=Failures(
        throttled=frozenset(
            {"dailyLimitExceeded", "quotaExceeded", "rateLimitExceeded", "userRateLimitExceeded"}
        ),
        named=("error.errors.*.reason",),
    ),
)

FULL = ("https://mail.google.com/",)
"""The scope that deleting for good needs; no narrower one will do."""


def scope(name: str) -> tuple[str, ...]:
    """Name the one scope a tool needs, the narrowest that works.

    >>> scope("send")
    ('https://www.googleapis.com/auth/gmail.send',)
    """
    return (f"https://www.googleapis.com/auth/gmail.{name}",)


configure = api.configure
"""Set `auth`, `base_url` or `client` for all Gmail tools of this process; each is optional."""


class Mailbox(BaseModel):
    """Whose mailbox: the user's who gave the credential. The model neither sees nor sets it."""

    user_id: Annotated[str, Mode("disabled")] = "me"


TextFrom = Annotated[int | None, Unsent(), Field(description="nextTextFrom of a cut text.")]
"""From which character of its text a mail or a file is read."""


class Listing(Mailbox):
    """One page of a list."""

    max_results: int | None = Field(None, ge=1, le=500, description="Default 100.")
    page_token: str | None = Field(None, description="nextPageToken of the page before.")

    @model_validator(mode="after")
    def _ask_for_a_page_that_a_model_can_take(self) -> Self:
        if self.max_results is not None:  # Gmail's own page is larger than the default of some lists
            self.model_fields_set.add("max_results")
        return self


class Searching(Listing):
    """One page of what a search finds."""

    q: str | None = Field(
        None,
        description="As in Gmail's search box: from:ann subject:rent is:unread has:attachment after:2026/01/31. "
        "Days are Pacific; after:1767691800 (Unix time) is exact.",
    )
    include_spam_trash: bool | None = Field(None, description="Default false.")


class Reading(Mailbox):
    """One message or thread, whole or its headers alone. Which `format` there is differs."""

    id: str
    metadata_headers: list[str] | None = Field(None, description="With metadata: only these headers.")

    @model_validator(mode="after")
    def _headers_go_with_metadata(self) -> Self:
        if self.metadata_headers and getattr(self, "format", None) != "metadata":
            raise ValueError("metadataHeaders needs format metadata")
        return self
