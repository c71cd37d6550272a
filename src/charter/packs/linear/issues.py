"""Issues: find, read, write, change, label, follow, archive and delete them.

Not here: comments, relations between issues, and the whole filter of Linear; see comments, relations and whole_filter.
"""

from datetime import date
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

from charter import AtLeastOneOf, AtMostOneOf
from charter.packs.linear.answers import tidy
from charter.packs.linear.api import READ, WRITE, Clear, Create, Page, api, pages
from charter.packs.linear.documents import PAGE, PAGE_INFO, write_mutation, write_query
from charter.packs.linear.filters import (
    ByCycle,
    ByIssue,
    ByLabel,
    ByPerson,
    ByProject,
    ByState,
    ByTeam,
    DateBetween,
    Dates,
    Flag,
    Number,
    Text,
)

__all__ = ["ISSUE", "ISSUES_DOCUMENT", "TOOLS"]

ISSUE = (
    "id identifier title url priority priorityLabel estimate dueDate createdAt updatedAt archivedAt "
    "state { id name type } team { id key } assignee { id name } project { id name } "
    "cycle { id number name } parent { id identifier } "
    f"labels(first: 10) {{ nodes {{ id name }} {PAGE_INFO} }}"
)
_ISSUE_ALONE = (
    f"{ISSUE} description branchName startedAt completedAt canceledAt trashed snoozedUntilAt slaBreachesAt "
    "creator { id name } delegate { id name } projectMilestone { id name } "
    f"children(first: 50) {{ nodes {{ id identifier title state {{ name type }} }} {PAGE_INFO} }} "
    f"attachments(first: 20) {{ nodes {{ id title url }} {PAGE_INFO} }} "
    f"relations(first: 50) {{ nodes {{ id type relatedIssue {{ id identifier title }} }} {PAGE_INFO} }} "
    f"inverseRelations(first: 50) {{ nodes {{ id type issue {{ id identifier title }} }} {PAGE_INFO} }}"
)
_CHANGED = f"success issue {{ {ISSUE} }}"
_ARCHIVED = "success entity { id identifier archivedAt trashed }"
ISSUES_DOCUMENT = write_query(
    "issues", f"filter: IssueFilter, sort: [IssueSortInput!], {PAGE}", f"nodes {{ {ISSUE} }} {PAGE_INFO}"
)

PRIORITY = "0 none, 1 urgent, 2 high, 3 medium, 4 low."
ISSUE_ID = "Id, or identifier such as ENG-123."
MARKDOWN = "Markdown."
EMPTY_CLEARS = "'' clears."

Priority = Annotated[int, Field(ge=0, le=4, description=PRIORITY)]
Issue = Annotated[str, Field(description=ISSUE_ID)]
ClearableId = Annotated[str, Clear, Field(description=EMPTY_CLEARS)]


class IssueMatch(BaseModel):
    assignee: ByPerson | None = None
    creator: ByPerson | None = None
    state: ByState | None = None
    team: ByTeam | None = None
    project: ByProject | None = None
    cycle: ByCycle | None = None
    labels: ByLabel | None = None
    priority: Number | None = Field(None, description=PRIORITY)
    estimate: Number | None = None
    number: Number | None = None
    parent: ByIssue | None = None
    title: Text | None = None
    description: Text | None = None
    created_at: DateBetween | None = None
    updated_at: DateBetween | None = None
    completed_at: Dates | None = None
    due_date: Dates | None = None


class IssueFilter(IssueMatch):
    has_blocked_by_relations: Flag | None = None
    or_: list[IssueMatch] | None = Field(None, alias="or", description="One of these too.")


class Order(BaseModel):
    order: Literal["Ascending", "Descending"]


class IssueSort(BaseModel):
    priority: Order | None = None
    due_date: Order | None = None
    created_at: Order | None = None
    updated_at: Order | None = None


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
    team_id: str | None = Field(None, description="Its issues rank first.")
    include_comments: bool | None = None


search_issues = api.query(
    write_query(
        "searchIssues",
        f"term: String!, teamId: String, includeComments: Boolean, {PAGE}",
        f"totalCount nodes {{ {ISSUE} }} {PAGE_INFO}",
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

    team_id: str
    title: str | None = None
    description: str | None = Field(None, description=MARKDOWN)
    assignee_id: str | None = None
    delegate_id: str | None = Field(None, description="An agent user.")
    state_id: str | None = None
    priority: Priority | None = None
    estimate: int | None = None
    due_date: date | None = None
    label_ids: list[str] | None = None
    project_id: str | None = None
    project_milestone_id: str | None = None
    cycle_id: str | None = None
    parent_id: str | None = Field(None, description=ISSUE_ID)
    subscriber_ids: list[str] | None = None
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
    description: Annotated[str, Clear] | None = Field(None, description=f"{MARKDOWN} {EMPTY_CLEARS}")
    assignee_id: ClearableId | None = None
    delegate_id: ClearableId | None = None
    state_id: str | None = None
    priority: Priority | None = None
    estimate: Annotated[int | Literal[""], Clear] | None = Field(None, description=EMPTY_CLEARS)
    due_date: Annotated[date | Literal[""], Clear] | None = Field(None, description=EMPTY_CLEARS)
    label_ids: list[str] | None = Field(None, description="Replaces all.")
    added_label_ids: list[str] | None = None
    removed_label_ids: list[str] | None = None
    project_id: ClearableId | None = None
    project_milestone_id: ClearableId | None = None
    cycle_id: ClearableId | None = None
    parent_id: ClearableId | None = None
    subscriber_ids: list[str] | None = Field(None, description="Replaces all.")
    team_id: str | None = Field(None, description="Moves it.")
    snoozed_until_at: Annotated[AwareDatetime | Literal[""], Clear] | None = Field(
        None, description=EMPTY_CLEARS
    )


_CHANGES = f"{_SHARED}, addedLabelIds: [String!], removedLabelIds: [String!], teamId: String, snoozedUntilAt: DateTime"


class IssueUpdate(IssueChange, OneIssue):
    """Change an issue: state, assignee, priority, dates, labels, place."""


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
    ids: list[str] = Field(min_length=1, max_length=50, description="Ids, not identifiers.")


class IssueBatchUpdate(IssueChange, ManyIssues):
    """Make the same change to up to 50 issues."""


issue_batch_update = api.mutation(
    write_mutation("issueBatchUpdate", "ids: [UUID!]!", f"success issues {{ {ISSUE} }}", fields=_CHANGES),
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

    label_id: str


class IssueRemoveLabel(OneIssue):
    """Take a label off an issue."""

    label_id: str


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

    user_id: str | None = Field(None, description="Default yourself.")
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
