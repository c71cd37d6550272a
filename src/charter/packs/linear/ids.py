"""Ids of Linear's things: which may be an issue's identifier, and which tool shows those that may not.

Not here: filters by id, and what ids belong to; those are beside each tool.
"""

import re
from functools import partial
from typing import Annotated

from pydantic import AfterValidator, Field

__all__ = [
    "CommentId",
    "CycleId",
    "Issue",
    "IssueId",
    "LabelId",
    "MilestoneId",
    "ProjectId",
    "ProjectLabelId",
    "RelationId",
    "StateId",
    "StatusId",
    "TeamId",
    "UserId",
]

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]{0,6}-\d{1,6}")


def _refuse_identifier(value: str, shown_by: str) -> str:
    if _IDENTIFIER.fullmatch(value):
        raise ValueError(f"is an issue's identifier. Take the id from {shown_by}")
    return value


def _shown_by(tool: str) -> AfterValidator:
    return AfterValidator(partial(_refuse_identifier, shown_by=tool))


Issue = Annotated[str, Field(description="Or ENG-123.")]
"""An issue where Linear takes either."""

IssueId = Annotated[str, _shown_by("issues_list")]
UserId = Annotated[str, _shown_by("users_list")]
TeamId = Annotated[str, _shown_by("teams_list")]
StateId = Annotated[str, _shown_by("workflow_states_list")]
LabelId = Annotated[str, _shown_by("issue_labels_list")]
CommentId = Annotated[str, _shown_by("comments_list")]
CycleId = Annotated[str, _shown_by("cycles_list")]
RelationId = Annotated[str, _shown_by("issue_get")]
ProjectId = Annotated[str, _shown_by("projects_list")]
MilestoneId = Annotated[str, _shown_by("project_get")]
StatusId = Annotated[str, _shown_by("project_statuses_list")]
ProjectLabelId = Annotated[str, _shown_by("project_labels_list")]
