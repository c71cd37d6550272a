"""Comments: read, write, change, delete and resolve them.

Not here: reactions, and documents' comments.
"""

from typing import ClassVar

from pydantic import BaseModel, Field

from charter import AtLeastOneOf, AtMostOneOf, NotOnly
from charter.packs.linear.answers import tidy
from charter.packs.linear.api import READ, WRITE, Cleared, Create, Page, api, pages
from charter.packs.linear.documents import PAGE_INFO, write_list, write_mutation, write_query
from charter.packs.linear.filters import ById, ByIssue, ByProject, DateBetween, Text
from charter.packs.linear.ids import CommentId, Issue, ProjectId
from charter.packs.linear.issues import MARKDOWN

__all__ = ["TOOLS"]

_COMMENT = (
    "id body url createdAt updatedAt editedAt resolvedAt quotedText user { id name } parent { id } "
    "issue { id identifier } project { id name }"
)
_CHANGED = f"success comment {{ {_COMMENT} }}"


class Author(BaseModel):
    id: ById | None = None
    email: Text | None = None


class CommentFilter(BaseModel):
    issue: ByIssue | None = None
    project: ByProject | None = None
    user: Author | None = None
    body: Text | None = None
    created_at: DateBetween | None = None


class CommentsList(Page):
    """List comments: of an issue, a project, a person, or all."""

    filter: CommentFilter | None = None


comments_list = api.query(
    write_list("comments", "filter: CommentFilter", _COMMENT, size=10),
    CommentsList,
    hints="discussion replies thread what people said ticket conversation notes",
    response_handler=tidy,
    pagination=pages("comments"),
    scopes=READ,
)


class OneComment(BaseModel):
    id: CommentId


class CommentGet(OneComment):
    """Read one comment and its replies."""


comment_get = api.query(
    write_query(
        "comment",
        "id: String!",
        f"{_COMMENT} children(first: 50) {{ nodes {{ id body createdAt user {{ id name }} }} {PAGE_INFO} }}",
    ),
    CommentGet,
    hints="show reply thread discussion message",
    response_handler=tidy,
    scopes=READ,
    needs={"id": "comments_list"},
)


class CommentCreate(Create):
    """Comment on an issue or project, or reply to a comment."""

    wire_rules: ClassVar = (
        AtLeastOneOf("issue_id", "project_id", "parent_id"),
        AtMostOneOf("issue_id", "project_id"),
    )

    body: str = Field(description=MARKDOWN)
    issue_id: Issue | None = None
    project_id: ProjectId | None = None
    parent_id: CommentId | None = Field(None, description="The comment replied to.")
    do_not_subscribe_to_issue: bool | None = None


comment_create = api.mutation(
    write_mutation(
        "commentCreate",
        "",
        _CHANGED,
        fields="body: String, issueId: String, projectId: String, parentId: String, doNotSubscribeToIssue: Boolean",
    ),
    CommentCreate,
    hints="reply answer add note say write message to ticket bug discussion",
    response_handler=tidy,
    scopes=("comments:create",),
    needs={"issue_id": "issues_list", "project_id": "projects_list", "parent_id": "comments_list"},
)


class CommentUpdate(OneComment):
    """Change a comment's text."""

    wire_rules: ClassVar = (NotOnly("id"),)

    body: str | None = Field(None, description=MARKDOWN)
    quoted_text: Cleared[str] = None


comment_update = api.mutation(
    write_mutation("commentUpdate", "id: String!", _CHANGED, fields="body: String, quotedText: String"),
    CommentUpdate,
    hints="edit reword correct reply note message",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "comments_list"},
)


class CommentDelete(OneComment):
    """Delete a comment."""


comment_delete = api.mutation(
    write_mutation("commentDelete", "id: String!", "success entityId"),
    CommentDelete,
    hints="remove reply note message from ticket",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "comments_list"},
)


class CommentResolve(OneComment):
    """Mark a thread as resolved, by its first comment."""

    resolving_comment_id: CommentId | None = Field(None, description="The reply that settles it.")


comment_resolve = api.mutation(
    write_mutation("commentResolve", "id: String!, resolvingCommentId: String", _CHANGED),
    CommentResolve,
    hints="close settle discussion done answered",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "comments_list", "resolving_comment_id": "comments_list"},
)


class CommentUnresolve(OneComment):
    """Open a resolved thread again."""


comment_unresolve = api.mutation(
    write_mutation("commentUnresolve", "id: String!", _CHANGED),
    CommentUnresolve,
    hints="reopen discussion not settled",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "comments_list"},
)

TOOLS = (
    comments_list,
    comment_get,
    comment_create,
    comment_update,
    comment_delete,
    comment_resolve,
    comment_unresolve,
)
