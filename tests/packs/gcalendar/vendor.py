"""Calendar's own methods, one for each tool.

Not here: which arguments are tried (`arguments`), and how a request is built (`tests.packs.google`).
"""

from tests.packs.google import GoogleClient, join_words

RESOURCES = {"calendar_list": "calendarList", "calendars": "calendars", "events": "events"}


def find_method(tool: str) -> list[str]:
    """`calendar_list_get` -> calendarList, get."""
    resource = next(name for name in RESOURCES if tool.startswith(f"{name}_"))
    return [RESOURCES[resource], join_words(tool.removeprefix(f"{resource}_").split("_"))]


GCALENDAR = GoogleClient("calendar.v3", find_method)
