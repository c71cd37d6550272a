"""Google Calendar: events of any calendar of the user, and which calendars there are.

Not here: free/busy, sharing, colours, settings, push notifications, making and deleting calendars.
"""

from charter import Pack

_pack = Pack(__name__, modules=("events", "writing", "calendar_list", "calendars"))
TOOLS = _pack.tools
"""Every tool of the pack."""
__getattr__, __dir__ = _pack.find, _pack.names
