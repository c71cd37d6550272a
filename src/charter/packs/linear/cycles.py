"""Cycles: a team's recurring stretches of work, elsewhere called sprints.

Not here: putting an issue into a cycle; `cycle_id` of an issue does.
"""

from typing import ClassVar

from pydantic import AwareDatetime, BaseModel

from charter import NotOnly
from charter.packs.linear.answers import tidy
from charter.packs.linear.api import READ, WRITE, Cleared, Page, api, pages
from charter.packs.linear.documents import PAGE_INFO, write_list, write_mutation, write_query
from charter.packs.linear.filters import ById, ByTeam, DateBetween, Flag, Number, Text
from charter.packs.linear.ids import CycleId

__all__ = ["TOOLS"]

_CYCLE = (
    "id number name description startsAt endsAt completedAt archivedAt progress isActive isNext isPrevious "
    "team { id key }"
)
_CYCLE_ALONE = (
    f"{_CYCLE} issues(first: 50) {{ nodes {{ id identifier title priority state {{ name type }} "
    f"assignee {{ id name }} }} {PAGE_INFO} }}"
)
_CHANGED = f"success cycle {{ {_CYCLE} }}"


class CycleFilter(BaseModel):
    id: ById | None = None
    team: ByTeam | None = None
    number: Number | None = None
    name: Text | None = None
    is_active: Flag | None = None
    is_next: Flag | None = None
    is_previous: Flag | None = None
    is_future: Flag | None = None
    is_past: Flag | None = None
    starts_at: DateBetween | None = None
    ends_at: DateBetween | None = None


class CyclesList(Page):
    """List cycles, which Linear's teams use as sprints."""

    filter: CycleFilter | None = None


cycles_list = api.query(
    write_list("cycles", "filter: CycleFilter", _CYCLE, size=15),
    CyclesList,
    hints="iterations current sprint next sprint velocity progress",
    response_handler=tidy,
    pagination=pages("cycles"),
    scopes=READ,
)


class OneCycle(BaseModel):
    id: CycleId


class CycleGet(OneCycle):
    """Read one cycle and its issues."""


cycle_get = api.query(
    write_query("cycle", "id: String!", _CYCLE_ALONE),
    CycleGet,
    hints="sprint iteration details contents scope tickets in it",
    response_handler=tidy,
    scopes=READ,
    needs={"id": "cycles_list"},
)


class CycleUpdate(OneCycle):
    """Change a cycle's name, description or dates."""

    wire_rules: ClassVar = (NotOnly("id"),)

    name: Cleared[str] = None
    description: Cleared[str] = None
    starts_at: AwareDatetime | None = None
    ends_at: AwareDatetime | None = None
    completed_at: Cleared[AwareDatetime] = None


cycle_update = api.mutation(
    write_mutation(
        "cycleUpdate",
        "id: String!",
        _CHANGED,
        fields="name: String, description: String, startsAt: DateTime, endsAt: DateTime, completedAt: DateTime",
    ),
    CycleUpdate,
    hints="edit rename reschedule extend shorten complete sprint iteration",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "cycles_list"},
)


class CycleArchive(OneCycle):
    """Archive a cycle; its issues are taken out of it."""


cycle_archive = api.mutation(
    write_mutation("cycleArchive", "id: String!", "success entity { id number archivedAt }"),
    CycleArchive,
    hints="delete remove sprint iteration",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "cycles_list"},
)


class CycleStartUpcomingToday(OneCycle):
    """Start a team's next cycle as of last midnight, completing the one before."""


cycle_start_upcoming_today = api.mutation(
    write_mutation("cycleStartUpcomingCycleToday", "id: String!", _CHANGED),
    CycleStartUpcomingToday,
    hints="begin sprint now early iteration",
    response_handler=tidy,
    scopes=WRITE,
    needs={"id": "cycles_list"},
)

TOOLS = (cycles_list, cycle_get, cycle_update, cycle_archive, cycle_start_upcoming_today)
