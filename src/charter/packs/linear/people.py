"""People and the workspace: who is asking, who there is, and in which organization.

Not here: teams, and inviting or removing people.
"""

from pydantic import BaseModel

from charter.packs.linear.answers import tidy
from charter.packs.linear.api import READ, Page, api, pages
from charter.packs.linear.documents import PAGE_INFO, write_list, write_query
from charter.packs.linear.filters import ById, Flag, Text
from charter.packs.linear.ids import UserId

__all__ = ["TOOLS"]

_USER = "id name displayName email active admin guest app isMe timezone title statusLabel url"
_USER_ALONE = f"{_USER} createdAt lastSeen teams(first: 50) {{ nodes {{ id key name }} {PAGE_INFO} }}"


class Viewer(BaseModel):
    """Read yourself: the user whom the key belongs to, and their teams."""


viewer = api.query(
    write_query("viewer", "", _USER_ALONE),
    Viewer,
    hints="me myself my id account current user whoami",
    response_handler=tidy,
    scopes=READ,
)


class Organization(BaseModel):
    """Read the workspace: name, URL key, number of people, project statuses."""


organization = api.query(
    write_query("organization", "", "id name urlKey createdAt userCount projectStatuses { id name type }"),
    Organization,
    hints="company account organisation how many people",
    response_handler=tidy,
    scopes=READ,
)


class UserFilter(BaseModel):
    id: ById | None = None
    name: Text | None = None
    display_name: Text | None = None
    email: Text | None = None
    active: Flag | None = None
    admin: Flag | None = None


class UsersList(Page):
    """List the people of the workspace."""

    filter: UserFilter | None = None
    include_disabled: bool | None = None


users_list = api.query(
    write_list("users", "filter: UserFilter, includeDisabled: Boolean", _USER, size=15),
    UsersList,
    hints="members colleagues teammates who find person by email assignee id",
    response_handler=tidy,
    pagination=pages("users"),
    scopes=READ,
)


class UserGet(BaseModel):
    """Read one person and their teams."""

    id: UserId


user_get = api.query(
    write_query("user", "id: String!", _USER_ALONE),
    UserGet,
    hints="member colleague teammate profile details",
    response_handler=tidy,
    scopes=READ,
    needs={"id": "users_list"},
)

TOOLS = (viewer, organization, users_list, user_get)
