"""Teams, and the states their issues go through.

Not here: making teams, and who is in them.
"""

from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from charter import NotOnly
from charter.packs.linear.answers import tidy
from charter.packs.linear.api import READ, WRITE, Cleared, Create, Page, api, pages
from charter.packs.linear.documents import PAGE_INFO, write_list, write_mutation, write_query
from charter.packs.linear.filters import ById, ByTeam, Text
from charter.packs.linear.ids import StateId, TeamId

__all__ = ["TOOLS"]

_TEAM = (
    "id key name displayName description visibility timezone cyclesEnabled triageEnabled issueEstimationType"
)
_STATE = "id name type position color description archivedAt team { id key }"
_TEAM_ALONE = (
    f"{_TEAM} issueCount createdAt updatedAt archivedAt parent {{ id name }} defaultIssueState {{ id name }} "
    "activeCycle { id number name startsAt endsAt } "
    f"states(first: 50) {{ nodes {{ id name type position }} {PAGE_INFO} }} "
    f"members(first: 50) {{ nodes {{ id name }} {PAGE_INFO} }} "
    f"labels(first: 50) {{ nodes {{ id name }} {PAGE_INFO} }}"
)
_CHANGED = f"success workflowState {{ {_STATE} }}"


class Visibility(BaseModel):
    eq: Literal["private", "public", "restricted"]


class TeamFilter(BaseModel):
    id: ById | None = None
    key: Text | None = None
    name: Text | None = None
    visibility: Visibility | None = None


class TeamsList(Page):
    """List teams."""

    filter: TeamFilter | None = None


teams_list = api.query(
    write_list("teams", "filter: TeamFilter", _TEAM, size=20),
    TeamsList,
    hints="groups squads departments which boards team id key",
    response_handler=tidy,
    pagination=pages("teams"),
    scopes=READ,
)


class TeamGet(BaseModel):
    """Read one team: its states, people, labels and current cycle."""

    id: TeamId


team_get = api.query(
    write_query("team", "id: String!", _TEAM_ALONE),
    TeamGet,
    hints="group squad details members statuses sprint workflow settings",
    response_handler=tidy,
    scopes=READ,
    needs={"id": "teams_list"},
)


class StateFilter(BaseModel):
    id: ById | None = None
    name: Text | None = None
    type: Text | None = None
    team: ByTeam | None = None


class WorkflowStatesList(Page):
    """List the states that issues can be in, by team."""

    filter: StateFilter | None = None


workflow_states_list = api.query(
    write_list("workflowStates", "filter: WorkflowStateFilter", _STATE, size=25),
    WorkflowStatesList,
    hints="statuses columns todo in progress done board stages state id",
    response_handler=tidy,
    pagination=pages("workflowStates"),
    scopes=READ,
)


class OneState(BaseModel):
    id: StateId


class WorkflowStateGet(OneState):
    """Read one workflow state."""


workflow_state_get = api.query(
    write_query("workflowState", "id: String!", f"{_STATE} createdAt updatedAt"),
    WorkflowStateGet,
    hints="status column stage details",
    response_handler=tidy,
    scopes=READ,
    needs={"id": "workflow_states_list"},
)

COLOR = "As #rrggbb."


class WorkflowStateCreate(Create):
    """Add a workflow state to a team."""

    team_id: TeamId
    name: str
    type: Literal["backlog", "unstarted", "started", "completed", "canceled"]
    color: str = Field(description=COLOR)
    description: str | None = None
    position: float | None = None


workflow_state_create = api.mutation(
    write_mutation(
        "workflowStateCreate",
        "",
        _CHANGED,
        fields="teamId: String!, name: String!, type: String!, color: String!, description: String, position: Float",
    ),
    WorkflowStateCreate,
    hints="new status column stage board",
    response_handler=tidy,
    scopes=WRITE,
    needs={"team_id": "teams_list"},
)


class WorkflowStateUpdate(OneState):
    """Change a workflow state's name, colour, description or place; its type stays."""

    wire_rules: ClassVar = (NotOnly("id"),)

    name: str | None = None
    color: str | None = Field(None, description=COLOR)
    description: Cleared[str] = None
    position: float | None = None


workflow_state_update = api.mutation(
    write_mutation(
        "workflowStateUpdate",
        "id: String!",
        _CHANGED,
        fields="name: String, color: String, description: String, position: Float",
    ),
    WorkflowStateUpdate,
    hints="rename recolor reorder status column stage edit",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "workflow_states_list"},
)


class WorkflowStateArchive(OneState):
    """Archive a workflow state, once every issue in it is archived."""


workflow_state_archive = api.mutation(
    write_mutation("workflowStateArchive", "id: String!", "success entity { id name archivedAt }"),
    WorkflowStateArchive,
    hints="delete remove status column stage",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "workflow_states_list"},
)

TOOLS = (
    teams_list,
    team_get,
    workflow_states_list,
    workflow_state_get,
    workflow_state_create,
    workflow_state_update,
    workflow_state_archive,
)
