"""Projects: find, read, plan, change, label, delete and restore them.

Not here: milestones, updates and initiatives.
"""

from datetime import date
from typing import ClassVar

from pydantic import BaseModel, Field

from charter import NotOnly
from charter.packs.linear.answers import tidy
from charter.packs.linear.api import READ, WRITE, Cleared, Create, Page, api, pages
from charter.packs.linear.documents import PAGE_INFO, write_list, write_mutation, write_query
from charter.packs.linear.filters import ById, ByPerson, DateBetween, Dates, Flag, Number, Text
from charter.packs.linear.ids import ProjectId, ProjectLabelId, StatusId, TeamId, UserId
from charter.packs.linear.issues import MARKDOWN, Priority

__all__ = ["TOOLS"]

_PROJECT = (
    "id name url description health progress priority startDate targetDate completedAt canceledAt archivedAt "
    f"updatedAt status {{ id name type }} lead {{ id name }} teams(first: 10) {{ nodes {{ id key }} {PAGE_INFO} }}"
)
_PROJECT_ALONE = (
    f"{_PROJECT} content color icon createdAt startedAt creator {{ id name }} "
    "lastUpdate { id body health createdAt } "
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
    write_list("projects", "filter: ProjectFilter", _PROJECT, size=10),
    ProjectsList,
    hints="epics roadmap at risk late behind schedule on track progress find project id",
    response_handler=tidy,
    pagination=pages("projects"),
    scopes=READ,
)


class OneProject(BaseModel):
    id: ProjectId = Field(description="Id, or what stands for it in its URL.")


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
    team_ids: list[TeamId] = Field(min_length=1)
    description: str | None = Field(None, description=_SUMMARY)
    content: str | None = Field(None, description=MARKDOWN)
    lead_id: UserId | None = None
    member_ids: list[UserId] | None = None
    status_id: StatusId | None = None
    priority: Priority | None = None
    start_date: date | None = None
    target_date: date | None = None
    label_ids: list[ProjectLabelId] | None = None
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

    wire_rules: ClassVar = (NotOnly("id"),)

    name: str | None = None
    team_ids: list[TeamId] | None = Field(None, description="Replaces all.")
    description: str | None = Field(None, description=_SUMMARY)
    content: Cleared[str] = Field(None, description=MARKDOWN)
    lead_id: Cleared[UserId] = None
    member_ids: list[UserId] | None = Field(None, description="Replaces all.")
    status_id: StatusId | None = None
    priority: Priority | None = None
    start_date: Cleared[date] = None
    target_date: Cleared[date] = None
    label_ids: list[ProjectLabelId] | None = Field(None, description="Replaces all.")
    color: str | None = None
    icon: Cleared[str] = None


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

    label_id: ProjectLabelId


class ProjectRemoveLabel(OneProject):
    """Take a label off a project."""

    label_id: ProjectLabelId


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
    write_list("projectStatuses", "", "id name type position description archivedAt", size=25),
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
    write_list(
        "projectLabels",
        "filter: ProjectLabelFilter",
        "id name color description isGroup archivedAt parent { id name }",
        size=25,
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
