"""What every Linear tool shares: address, key, spelling, paging, ids, and null that clears what is stored.

Not here: any operation. A personal key is sent as it is; for OAuth, `configure(auth=Bearer(...))`.
"""

from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from charter import Api, ApiKey, Case, Clearable, Failures, Pages

__all__ = ["READ", "WRITE", "Cleared", "Create", "Page", "api", "configure", "pages"]

T = TypeVar("T")

api = Api(
    "linear",
    base_url="https://api.linear.app/",
    auth=ApiKey(env="LINEAR_API_KEY", header="Authorization"),
    case=Case.CAMEL,
    failures=Failures(throttled=frozenset({"RATELIMITED"}), named=("errors.*.extensions.code",)),
)

READ = ("read",)
WRITE = ("write",)


configure = api.configure
"""Set `auth`, `base_url` or `client` for all Linear tools of this process; each is optional."""


def _read_empty(value: Any) -> Any:
    return None if value == "" else value


Cleared = Annotated[T | None, Clearable(), BeforeValidator(_read_empty)]
"""A field of an update that null clears. An empty text, which many write for nothing, is taken as null."""


class Create(BaseModel):
    """Arguments that make something new, where an empty text has nothing to clear."""

    @model_validator(mode="after")
    def _refuse_empty_text(self) -> Self:
        empty = [name for name, value in self if value == ""]
        if needed := [name for name in empty if type(self).model_fields[name].is_required()]:
            raise ValueError(f"{', '.join(needed)} empty: give it a text.")
        if empty:
            raise ValueError(f"there is nothing to clear yet in {', '.join(empty)}. Leave it out.")
        return self


class Page(BaseModel):
    """Where a list starts, how much of it comes back, and in which order."""

    first: int | None = Field(None, ge=1, le=250)
    after: str | None = Field(None, description="pageInfo.endCursor of the page before.")
    order_by: Literal["createdAt", "updatedAt"] | None = Field(None, description="Newest first.")
    include_archived: bool | None = None


def pages(root: str) -> Pages:
    """Say how the list under `root` is paged.

    >>> pages("issues").cursor
    'data.issues.pageInfo.endCursor'
    """
    info = f"data.{root}.pageInfo"
    return Pages("after", cursor=f"{info}.endCursor", more=f"{info}.hasNextPage", items=f"data.{root}.nodes")
