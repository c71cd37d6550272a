"""Linear: issues, comments, teams, people, workflow states, labels, cycles and projects of one workspace.

Not here: initiatives, documents, milestones, customers, notifications and webhooks.
"""

from charter import Pack

_pack = Pack(
    __name__,
    modules=(
        "issues",
        "comments",
        "relations",
        "people",
        "teams",
        "labels",
        "cycles",
        "projects",
        "whole_filter",
    ),
)
TOOLS = _pack.tools
"""Every tool of the pack but `issues_list_full`, whose filter is too large to be sent unnarrowed."""
__getattr__, __dir__ = _pack.find, _pack.names
