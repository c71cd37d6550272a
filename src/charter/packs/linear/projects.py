"""Projects: find, read, plan, change, label, delete and restore them.

Not here: milestones, updates and initiatives.
"""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from charter.packs.linear.answers import tidy
from charter.packs.linear.api import READ, WRITE, Clear, Create, Page, api, pages
from charter.packs.linear.documents import PAGE, PAGE_INFO, write_mutation, write_query
from charter.packs.linear.filters import ById, ByPerson, DateBetween, Dates, Flag, Number, Text
from charter.packs.linear.issues import EMPTY_CLEARS, MARKDOWN, ClearableId, Priority

__all__ = ["TOOLS"]

_PROJECT = (
    "id name url description health progress priority startDate targetDate completedAt canceledAt archivedAt "
    f"updatedAt status {{ id name type }} lead {{ id name }} teams(first: 10) {{ nodes {{ id key }} {PAGE_INFO} }}"
)
_PROJECT_ALONE = (
    f"{_PROJECT} content createdAt startedAt creator {{ id name }} lastUpdate {{ id body health createdAt }} "
    f"members(first: 50) {{ nodes {{ id name }} {PAGE_INFO} }} "
    f"labels(first: 50) {{ nodes {{ id name }} {PAGE_INFO} }} "
    f"projectMilestones(first: 50) {{ nodes {{ id name targetDate status }} {PAGE_INFO} }}"
)
_CHANGED = f"success project {{ {_PROJECT} }}"
_ARCHIVED = "success entity { id name archivedAt trashed }"
_SUMMARY = "One line."
_ONE = {"id": "projects_list"}
_FOUND_BY = {
    "team_ids": "teams_list",
    "lead_id": "users_list",
    "member_ids": "users_list",
    "status_id": "project_statuses_list",
    "label_ids": "project_labels_list",
}
_FIELDS = (
    "description: String, content: String, leadId: String, memberIds: [String!], statusId: String, priority: Int, "
    "startDate: TimelessDate, targetDate: TimelessDate, labelIds: [String!], color: String, icon: String"
)


class ByStatus(BaseModel):
    id: ById | None = None
    name: Text | None = None
    type: Text | None = Field(None, description="backlog, planned, started, paused, completed, canceled.")


class Teams(BaseModel):
    id: ById | None = None
    key: Text | None = None


class SomeTeam(BaseModel):
    some: Teams


class ProjectFilter(BaseModel):
    id: ById | None = None
    name: Text | None = None
    status: ByStatus | None = None
    health: Text | None = Field(None, description="onTrack, atRisk, offTrack.")
    priority: Number | None = None
    lead: ByPerson | None = None
    accessible_teams: SomeTeam | None = None
    start_date: Dates | None = None
    target_date: Dates | None = None
    updated_at: DateBetween | None = None
    has_blocked_by_relations: Flag | None = None


class ProjectsList(Page):
    """List projects that match a filter."""

    filter: ProjectFilter | None = None


projects_list = api.query(
    write_query("projects", f"filter: ProjectFilter, {PAGE}", f"nodes {{ {_PROJECT} }} {PAGE_INFO}"),
    ProjectsList,
    hints="epics roadmap at risk late behind schedule on track progress find project id",
    response_handler=tidy,
    pagination=pages("projects"),
    scopes=READ,
)


class OneProject(BaseModel):
    id: str = Field(description="Id, or what stands for it in its URL.")


class ProjectGet(OneProject):
    """Read one project: plan, people, milestones, latest update."""


project_get = api.query(
    write_query("project", "id: String!", _PROJECT_ALONE),
    ProjectGet,
    hints="epic details health progress status report how is it going who leads",
    response_handler=tidy,
    scopes=READ,
    needs=_ONE,
)


class ProjectCreate(Create):
    """Make a project of one or more teams."""

    name: str
    team_ids: list[str] = Field(min_length=1)
    description: str | None = Field(None, description=_SUMMARY)
    content: str | None = Field(None, description=MARKDOWN)
    lead_id: str | None = None
    member_ids: list[str] | None = None
    status_id: str | None = None
    priority: Priority | None = None
    start_date: date | None = None
    target_date: date | None = None
    label_ids: list[str] | None = None
    color: str | None = None
    icon: str | None = None


project_create = api.mutation(
    write_mutation("projectCreate", "", _CHANGED, fields=f"name: String!, teamIds: [String!]!, {_FIELDS}"),
    ProjectCreate,
    hints="new epic start plan launch roadmap",
    response_handler=tidy,
    scopes=WRITE,
    needs=_FOUND_BY,
)


class ProjectUpdate(OneProject):
    """Change a project: status, lead, dates, text, people."""

    name: str | None = None
    team_ids: list[str] | None = Field(None, description="Replaces all.")
    description: str | None = Field(None, description=_SUMMARY)
    content: str | None = Field(None, description=MARKDOWN)
    lead_id: ClearableId | None = None
    member_ids: list[str] | None = Field(None, description="Replaces all.")
    status_id: str | None = None
    priority: Priority | None = None
    start_date: Annotated[date | Literal[""], Clear] | None = Field(None, description=EMPTY_CLEARS)
    target_date: Annotated[date | Literal[""], Clear] | None = Field(None, description=EMPTY_CLEARS)
    label_ids: list[str] | None = Field(None, description="Replaces all.")
    color: str | None = None
    icon: str | None = None


project_update = api.mutation(
    write_mutation(
        "projectUpdate", "id: String!", _CHANGED, fields=f"name: String, teamIds: [String!], {_FIELDS}"
    ),
    ProjectUpdate,
    hints="edit epic reschedule rename complete pause cancel deadline reassign lead",
    response_handler=tidy,
    scopes=WRITE,
    needs={**_ONE, **_FOUND_BY},
)


class ProjectDelete(OneProject):
    """Put a project in the bin; project_unarchive restores it."""


project_delete = api.mutation(
    write_mutation("projectDelete", "id: String!", _ARCHIVED),
    ProjectDelete,
    hints="remove trash archive epic",
    response_handler=tidy,
    scopes=WRITE,
    needs=_ONE,
)


class ProjectUnarchive(OneProject):
    """Bring a project back from the archive or the bin."""


project_unarchive = api.mutation(
    write_mutation("projectUnarchive", "id: String!", _ARCHIVED),
    ProjectUnarchive,
    hints="restore undelete recover epic",
    response_handler=tidy,
    scopes=WRITE,
    needs=_ONE,
)


class ProjectAddLabel(OneProject):
    """Put a project label on a project."""

    label_id: str


class ProjectRemoveLabel(OneProject):
    """Take a label off a project."""

    label_id: str


_LABELLED = {**_ONE, "label_id": "project_labels_list"}

project_add_label = api.mutation(
    write_mutation("projectAddLabel", "id: String!, labelId: String!", _CHANGED),
    ProjectAddLabel,
    hints="tag epic categorize mark",
    response_handler=tidy,
    scopes=WRITE,
    needs=_LABELLED,
)
project_remove_label = api.mutation(
    write_mutation("projectRemoveLabel", "id: String!, labelId: String!", _CHANGED),
    ProjectRemoveLabel,
    hints="untag epic unmark clear tag",
    response_handler=tidy,
    scopes=WRITE,
    needs=_LABELLED,
)


class ProjectStatusesList(Page):
    """List the statuses that projects can have."""


project_statuses_list = api.query(
    write_query(
        "projectStatuses", PAGE, f"nodes {{ id name type position description archivedAt }} {PAGE_INFO}"
    ),
    ProjectStatusesList,
    hints="epic stages planned paused completed status id",
    response_handler=tidy,
    pagination=pages("projectStatuses"),
    scopes=READ,
)


class ProjectLabelFilter(BaseModel):
    id: ById | None = None
    name: Text | None = None
    is_group: Flag | None = None


class ProjectLabelsList(Page):
    """List the labels that projects can have."""

    filter: ProjectLabelFilter | None = None


project_labels_list = api.query(
    write_query(
        "projectLabels",
        f"filter: ProjectLabelFilter, {PAGE}",
        f"nodes {{ id name color description isGroup archivedAt parent {{ id name }} }} {PAGE_INFO}",
    ),
    ProjectLabelsList,
    hints="epic tags categories label id",
    response_handler=tidy,
    pagination=pages("projectLabels"),
    scopes=READ,
)

TOOLS = (
    projects_list,
    project_get,
    project_create,
    project_update,
    project_delete,
    project_unarchive,
    project_add_label,
    project_remove_label,
    project_statuses_list,
    project_labels_list,
)
