"""Labels of issues: list, read, make, change and delete them.

Not here: putting a label on an issue; `issue_add_label` does. Labels of projects are in projects.
"""

from typing import ClassVar

from pydantic import BaseModel, Field

from charter import NotOnly
from charter.packs.linear.answers import tidy
from charter.packs.linear.api import READ, WRITE, Cleared, Create, Page, api, pages
from charter.packs.linear.documents import write_list, write_mutation, write_query
from charter.packs.linear.filters import ById, Flag, Text
from charter.packs.linear.ids import LabelId, TeamId
from charter.packs.linear.teams import COLOR

__all__ = ["TOOLS"]

_LABEL = "id name color description isGroup archivedAt team { id key } parent { id name }"
_CHANGED = f"success issueLabel {{ {_LABEL} }}"


class OfTeam(BaseModel):
    id: ById | None = None
    key: Text | None = None
    null: bool | None = Field(None, description="true: of the whole workspace.")


class LabelFilter(BaseModel):
    id: ById | None = None
    name: Text | None = None
    is_group: Flag | None = None
    team: OfTeam | None = None


class IssueLabelsList(Page):
    """List issue labels, of teams and of the workspace."""

    filter: LabelFilter | None = None


issue_labels_list = api.query(
    write_list("issueLabels", "filter: IssueLabelFilter", _LABEL, size=25),
    IssueLabelsList,
    hints="tags categories ticket bug label id",
    response_handler=tidy,
    pagination=pages("issueLabels"),
    scopes=READ,
)


class OneLabel(BaseModel):
    id: LabelId


class IssueLabelGet(OneLabel):
    """Read one issue label."""


issue_label_get = api.query(
    write_query("issueLabel", "id: String!", f"{_LABEL} createdAt updatedAt lastAppliedAt"),
    IssueLabelGet,
    hints="tag category details",
    response_handler=tidy,
    scopes=READ,
    needs={"id": "issue_labels_list"},
)


class IssueLabelCreate(Create):
    """Make an issue label, for one team or the whole workspace."""

    name: str
    team_id: TeamId | None = Field(None, description="Default the workspace.")
    color: str | None = Field(None, description=COLOR)
    description: str | None = None
    is_group: bool | None = None
    parent_id: LabelId | None = Field(None, description="A group.")


issue_label_create = api.mutation(
    write_mutation(
        "issueLabelCreate",
        "",
        _CHANGED,
        fields="name: String!, teamId: String, color: String, description: String, isGroup: Boolean, parentId: String",
    ),
    IssueLabelCreate,
    hints="new tag category add",
    response_handler=tidy,
    scopes=WRITE,
    needs={"team_id": "teams_list", "parent_id": "issue_labels_list"},
)


class IssueLabelUpdate(OneLabel):
    """Change an issue label."""

    wire_rules: ClassVar = (NotOnly("id"),)

    name: str | None = None
    color: str | None = Field(None, description=COLOR)
    description: Cleared[str] = None
    is_group: bool | None = None
    parent_id: Cleared[LabelId] = Field(None, description="A group.")


issue_label_update = api.mutation(
    write_mutation(
        "issueLabelUpdate",
        "id: String!",
        _CHANGED,
        fields="name: String, color: String, description: String, isGroup: Boolean, parentId: String",
    ),
    IssueLabelUpdate,
    hints="rename recolor tag category edit",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issue_labels_list", "parent_id": "issue_labels_list"},
)


class IssueLabelDelete(OneLabel):
    """Delete an issue label and take it off all issues."""


issue_label_delete = api.mutation(
    write_mutation("issueLabelDelete", "id: String!", "success entityId"),
    IssueLabelDelete,
    hints="remove tag category",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issue_labels_list"},
)

TOOLS = (issue_labels_list, issue_label_get, issue_label_create, issue_label_update, issue_label_delete)
