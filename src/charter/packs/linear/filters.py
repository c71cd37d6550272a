"""What lists are narrowed by: the comparators that triage needs, filters one level deep, and that of issues.

Not here: the whole filter of issues, recursive through dozens of types; see whole_filter.
"""

from typing import Literal

from pydantic import BaseModel, Field

__all__ = [
    "PRIORITY",
    "ByCycle",
    "ById",
    "ByIssue",
    "ByLabel",
    "ByPerson",
    "ByProject",
    "ByState",
    "ByTeam",
    "DateBetween",
    "Dates",
    "Flag",
    "Has",
    "IssueFilter",
    "IssueSort",
    "Number",
    "Text",
]

PRIORITY = "0 none, 1 urgent, 2 high, 3 medium, 4 low."

Has = Field(None, description="true: has none.")


class Text(BaseModel):
    eq: str | None = None
    neq: str | None = None
    in_: list[str] | None = Field(None, alias="in")
    nin: list[str] | None = None
    contains_ignore_case: str | None = None


class ById(BaseModel):
    eq: str | None = None
    in_: list[str] | None = Field(None, alias="in")
    nin: list[str] | None = None


class Number(BaseModel):
    eq: float | None = None
    in_: list[float] | None = Field(None, alias="in")
    gte: float | None = None
    lte: float | None = None


class DateBetween(BaseModel):
    gte: str | None = Field(None, description="ISO 8601 time, or duration from now: -P2W is two weeks ago.")
    lt: str | None = None


class Dates(DateBetween):
    null: bool | None = None


class Flag(BaseModel):
    eq: bool


class ByPerson(BaseModel):
    id: ById | None = None
    email: Text | None = None
    display_name: Text | None = None
    is_me: Flag | None = None
    null: bool | None = Has


class ByState(BaseModel):
    id: ById | None = None
    name: Text | None = None
    type: Text | None = Field(
        None, description="triage, backlog, unstarted, started, completed, canceled, duplicate."
    )


class ByTeam(BaseModel):
    id: ById | None = None
    key: Text | None = Field(None, description="As in ENG-123.")
    name: Text | None = None


class ByProject(BaseModel):
    id: ById | None = None
    name: Text | None = None
    null: bool | None = Has


class ByCycle(BaseModel):
    id: ById | None = None
    number: Number | None = None
    is_active: Flag | None = None
    is_next: Flag | None = None
    is_previous: Flag | None = None
    null: bool | None = Has


class ByLabel(BaseModel):
    id: ById | None = None
    name: Text | None = None
    length: Number | None = Field(None, description="How many there are.")


class ByIssue(BaseModel):
    id: ById | None = None
    null: bool | None = Has


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
