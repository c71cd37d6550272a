"""Issues: find, read, write, change, label, follow, archive and delete them.

Not here: comments, relations between issues, and the whole filter of Linear; see comments, relations and whole_filter.
"""

from datetime import date
from typing import Annotated, ClassVar

from pydantic import AwareDatetime, BaseModel, Field

from charter import AtLeastOneOf, AtMostOneOf, NotOnly
from charter.packs.linear.answers import tidy
from charter.packs.linear.api import READ, WRITE, Cleared, Create, Page, api, pages
from charter.packs.linear.documents import PAGE_INFO, write_list, write_mutation, write_query
from charter.packs.linear.filters import PRIORITY, IssueFilter, IssueSort
from charter.packs.linear.ids import (
    CycleId,
    Issue,
    IssueId,
    LabelId,
    MilestoneId,
    ProjectId,
    StateId,
    TeamId,
    UserId,
)

__all__ = ["ISSUES_DOCUMENT", "MARKDOWN", "RELATED", "TOOLS", "Priority"]

_ISSUE = (
    "id identifier title url priority priorityLabel estimate dueDate createdAt updatedAt archivedAt "
    "state { id name type } team { id key } assignee { id name } project { id name } "
    "cycle { id number name } parent { id identifier } "
    f"labels(first: 10) {{ nodes {{ id name }} {PAGE_INFO} }}"
)
RELATED = "id identifier title state { name type }"
_ISSUE_ALONE = (
    f"{_ISSUE} description branchName startedAt completedAt canceledAt trashed snoozedUntilAt slaBreachesAt "
    "creator { id name } delegate { id name } projectMilestone { id name } "
    f"children(first: 50) {{ nodes {{ {RELATED} }} {PAGE_INFO} }} "
    f"subscribers(first: 50) {{ nodes {{ id name }} {PAGE_INFO} }} "
    f"attachments(first: 20) {{ nodes {{ id title url }} {PAGE_INFO} }} "
    f"relations(first: 50) {{ nodes {{ id type relatedIssue {{ {RELATED} }} }} {PAGE_INFO} }} "
    f"inverseRelations(first: 50) {{ nodes {{ id type issue {{ {RELATED} }} }} {PAGE_INFO} }}"
)
_CHANGED = f"success issue {{ {_ISSUE} }}"
_ARCHIVED = "success entity { id identifier archivedAt trashed }"
ISSUES_DOCUMENT = write_list("issues", "filter: IssueFilter, sort: [IssueSortInput!]", _ISSUE, size=10)

MARKDOWN = "Markdown."

Priority = Annotated[int, Field(ge=0, le=4, description=PRIORITY)]


class IssuesList(Page):
    """List issues that match a filter; all its parts must hold."""

    filter: IssueFilter | None = None
    sort: list[IssueSort] | None = None


issues_list = api.query(
    ISSUES_DOCUMENT,
    IssuesList,
    hints="tickets bugs tasks my work backlog assigned to me triage open urgent overdue sprint find query",
    response_handler=tidy,
    pagination=pages("issues"),
    scopes=READ,
)


class SearchIssues(Page):
    """Search issues by words in title, description and, if asked, comments."""

    term: str
    team_id: TeamId | None = Field(None, description="Its issues rank first.")
    include_comments: bool | None = None


search_issues = api.query(
    write_list(
        "searchIssues",
        "term: String!, teamId: String, includeComments: Boolean",
        _ISSUE,
        size=10,
        beside="totalCount",
    ),
    SearchIssues,
    hints="find ticket bug task full text keyword about mentioning",
    response_handler=tidy,
    pagination=pages("searchIssues"),
    scopes=READ,
    needs={"team_id": "teams_list"},
)


class OneIssue(BaseModel):
    id: Issue


class IssueGet(OneIssue):
    """Read one issue with its description, sub-issues, relations to others and attachments."""


issue_get = api.query(
    write_query("issue", "id: String!", _ISSUE_ALONE),
    IssueGet,
    hints="ticket bug task details show open status who is on it what blocks it blockers dependencies",
    response_handler=tidy,
    scopes=READ,
    needs={"id": "issues_list"},
)


class IssueCreate(Create):
    """Make an issue in a team."""

    wire_rules: ClassVar = (AtLeastOneOf("title", "template_id"),)

    team_id: TeamId
    title: str | None = None
    description: str | None = Field(None, description=MARKDOWN)
    assignee_id: UserId | None = None
    delegate_id: UserId | None = Field(None, description="An agent user.")
    state_id: StateId | None = None
    priority: Priority | None = None
    estimate: int | None = None
    due_date: date | None = None
    label_ids: list[LabelId] | None = None
    project_id: ProjectId | None = None
    project_milestone_id: MilestoneId | None = None
    cycle_id: CycleId | None = None
    parent_id: Issue | None = None
    subscriber_ids: list[UserId] | None = None
    template_id: str | None = None


_SHARED = (
    "title: String, description: String, assigneeId: String, delegateId: String, stateId: String, priority: Int, "
    "estimate: Int, dueDate: TimelessDate, labelIds: [String!], projectId: String, projectMilestoneId: String, "
    "cycleId: String, parentId: String, subscriberIds: [String!]"
)
_FOUND_BY = {
    "assignee_id": "users_list",
    "delegate_id": "users_list",
    "state_id": "workflow_states_list",
    "label_ids": "issue_labels_list",
    "subscriber_ids": "users_list",
    "project_id": "projects_list",
    "project_milestone_id": "project_get",
    "cycle_id": "cycles_list",
    "parent_id": "issues_list",
    "team_id": "teams_list",
}

issue_create = api.mutation(
    write_mutation("issueCreate", "", _CHANGED, fields=f"teamId: String!, {_SHARED}, templateId: String"),
    IssueCreate,
    hints="new ticket file report bug add task story feature request open sub-issue",
    response_handler=tidy,
    scopes=("issues:create",),
    needs=_FOUND_BY,
)


class IssueChange(BaseModel):
    """What may be changed of an issue; what is left out stays."""

    wire_rules: ClassVar = (
        AtMostOneOf("label_ids", "added_label_ids"),
        AtMostOneOf("label_ids", "removed_label_ids"),
    )

    title: str | None = None
    description: Cleared[str] = Field(None, description=MARKDOWN)
    assignee_id: Cleared[UserId] = None
    delegate_id: Cleared[UserId] = None
    state_id: StateId | None = None
    priority: Priority | None = None
    estimate: Cleared[int] = None
    due_date: Cleared[date] = None
    label_ids: list[LabelId] | None = Field(None, description="Replaces all.")
    added_label_ids: list[LabelId] | None = None
    removed_label_ids: list[LabelId] | None = None
    project_id: Cleared[ProjectId] = None
    project_milestone_id: Cleared[MilestoneId] = None
    cycle_id: Cleared[CycleId] = None
    parent_id: Cleared[Issue] = None
    subscriber_ids: list[UserId] | None = Field(None, description="Replaces all.")
    team_id: TeamId | None = Field(None, description="Moves it.")
    snoozed_until_at: Cleared[AwareDatetime] = None


_CHANGES = f"{_SHARED}, addedLabelIds: [String!], removedLabelIds: [String!], teamId: String, snoozedUntilAt: DateTime"


class IssueUpdate(IssueChange, OneIssue):
    """Change an issue: state, assignee, priority, dates, labels, place."""

    wire_rules: ClassVar = (*IssueChange.wire_rules, NotOnly("id"))


_CHANGED_BY = {
    **_FOUND_BY,
    "added_label_ids": "issue_labels_list",
    "removed_label_ids": "issue_labels_list",
}

issue_update = api.mutation(
    write_mutation("issueUpdate", "id: String!", _CHANGED, fields=_CHANGES),
    IssueUpdate,
    hints="edit ticket bug task assign unassign close reopen done move status rename sprint deadline sub-issue",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issues_list", **_CHANGED_BY},
)


class ManyIssues(BaseModel):
    ids: list[IssueId] = Field(min_length=1, max_length=50)


class IssueBatchUpdate(IssueChange, ManyIssues):
    """Make the same change to up to 50 issues."""

    wire_rules: ClassVar = (*IssueChange.wire_rules, NotOnly("ids"))


issue_batch_update = api.mutation(
    write_mutation("issueBatchUpdate", "ids: [UUID!]!", f"success issues {{ {_ISSUE} }}", fields=_CHANGES),
    IssueBatchUpdate,
    hints="bulk edit many tickets several bugs tasks at once mass assign close move sprint",
    response_handler=tidy,
    scopes=WRITE,
    needs={"ids": "issues_list", **_CHANGED_BY},
)


class IssueDelete(OneIssue):
    """Put an issue in the bin; issue_unarchive restores it for 30 days."""

    permanently_delete: bool | None = Field(None, description="At once and for good; admins only.")


issue_delete = api.mutation(
    write_mutation("issueDelete", "id: String!, permanentlyDelete: Boolean", _ARCHIVED),
    IssueDelete,
    hints="remove ticket bug task trash discard",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issues_list"},
)


class IssueArchive(OneIssue):
    """Archive an issue."""

    trash: bool | None = Field(None, description="Put it in the bin too.")


issue_archive = api.mutation(
    write_mutation("issueArchive", "id: String!, trash: Boolean", _ARCHIVED),
    IssueArchive,
    hints="put away hide ticket bug task",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issues_list"},
)


class IssueUnarchive(OneIssue):
    """Bring an issue back from the archive or the bin."""


issue_unarchive = api.mutation(
    write_mutation("issueUnarchive", "id: String!", _ARCHIVED),
    IssueUnarchive,
    hints="restore undelete recover ticket bug task",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issues_list"},
)


class IssueAddLabel(OneIssue):
    """Put a label on an issue."""

    label_id: LabelId


class IssueRemoveLabel(OneIssue):
    """Take a label off an issue."""

    label_id: LabelId


issue_add_label = api.mutation(
    write_mutation("issueAddLabel", "id: String!, labelId: String!", _CHANGED),
    IssueAddLabel,
    hints="tag ticket bug task categorize mark",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issues_list", "label_id": "issue_labels_list"},
)
issue_remove_label = api.mutation(
    write_mutation("issueRemoveLabel", "id: String!, labelId: String!", _CHANGED),
    IssueRemoveLabel,
    hints="untag ticket bug task unmark clear tag",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issues_list", "label_id": "issue_labels_list"},
)


class Follower(OneIssue):
    wire_rules: ClassVar = (AtMostOneOf("user_id", "user_email"),)

    user_id: UserId | None = Field(None, description="Default yourself.")
    user_email: str | None = None


class IssueSubscribe(Follower):
    """Notify a user of what happens to an issue."""


class IssueUnsubscribe(Follower):
    """Stop notifying a user of what happens to an issue."""


issue_subscribe = api.mutation(
    write_mutation("issueSubscribe", "id: String!, userId: String, userEmail: String", _CHANGED),
    IssueSubscribe,
    hints="follow watch subscribe cc keep me posted ticket bug task",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issues_list", "user_id": "users_list"},
)
issue_unsubscribe = api.mutation(
    write_mutation("issueUnsubscribe", "id: String!, userId: String, userEmail: String", _CHANGED),
    IssueUnsubscribe,
    hints="unfollow unwatch unsubscribe mute ticket bug task",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issues_list", "user_id": "users_list"},
)

TOOLS = (
    issues_list,
    search_issues,
    issue_get,
    issue_create,
    issue_update,
    issue_batch_update,
    issue_delete,
    issue_archive,
    issue_unarchive,
    issue_add_label,
    issue_remove_label,
    issue_subscribe,
    issue_unsubscribe,
)
