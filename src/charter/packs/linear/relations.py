"""Relations between issues: what blocks, duplicates or resembles what.

Not here: sub-issues; `parent_id` of an issue makes one.
"""

from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from charter import NotOnly
from charter.packs.linear.answers import tidy
from charter.packs.linear.api import READ, WRITE, Create, Page, api, pages
from charter.packs.linear.documents import write_list, write_mutation, write_query
from charter.packs.linear.ids import Issue, RelationId
from charter.packs.linear.issues import RELATED

__all__ = ["TOOLS"]

_RELATION = f"id type createdAt issue {{ {RELATED} }} relatedIssue {{ {RELATED} }}"
_CHANGED = f"success issueRelation {{ {_RELATION} }}"
_BOTH = {"issue_id": "issues_list", "related_issue_id": "issues_list"}

RelationType = Literal["blocks", "duplicate", "related", "similar"]


class IssueRelationsList(Page):
    """List relations between all issues; those of one are in issue_get."""


issue_relations_list = api.query(
    write_list("issueRelations", "", _RELATION, size=15),
    IssueRelationsList,
    hints="dependencies blockers blocked by links duplicates tickets",
    response_handler=tidy,
    pagination=pages("issueRelations"),
    scopes=READ,
)


class IssueRelationGet(BaseModel):
    """Read one relation."""

    id: RelationId


issue_relation_get = api.query(
    write_query("issueRelation", "id: String!", _RELATION),
    IssueRelationGet,
    hints="dependency blocker link duplicate ticket",
    response_handler=tidy,
    scopes=READ,
    needs={"id": "issue_get"},
)


class IssueRelationCreate(Create):
    """Relate two issues: the first blocks, duplicates or resembles the second."""

    issue_id: Issue
    related_issue_id: Issue
    type: RelationType = Field(description="blocks: issueId blocks relatedIssueId.")


issue_relation_create = api.mutation(
    write_mutation(
        "issueRelationCreate",
        "",
        _CHANGED,
        fields="issueId: String!, relatedIssueId: String!, type: IssueRelationType!",
    ),
    IssueRelationCreate,
    hints="link tickets mark as duplicate blocked by depends on dependency",
    response_handler=tidy,
    scopes=WRITE,
    needs=_BOTH,
)


class IssueRelationUpdate(BaseModel):
    """Change a relation."""

    wire_rules: ClassVar = (NotOnly("id"),)

    id: RelationId
    issue_id: Issue | None = None
    related_issue_id: Issue | None = None
    type: RelationType | None = None


issue_relation_update = api.mutation(
    write_mutation(
        "issueRelationUpdate",
        "id: String!",
        _CHANGED,
        fields="issueId: String, relatedIssueId: String, type: String",
    ),
    IssueRelationUpdate,
    hints="edit dependency blocker link duplicate tickets",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issue_get", **_BOTH},
)


class IssueRelationDelete(BaseModel):
    """Undo a relation; both issues stay."""

    id: RelationId


issue_relation_delete = api.mutation(
    write_mutation("issueRelationDelete", "id: String!", "success entityId"),
    IssueRelationDelete,
    hints="remove unlink dependency blocker duplicate tickets unblock no longer blocks",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "issue_get"},
)

TOOLS = (
    issue_relations_list,
    issue_relation_get,
    issue_relation_create,
    issue_relation_update,
    issue_relation_delete,
)
