"""The packs that come with Charter, one folder per vendor, and the list of them.

Not here: anything a pack needs beyond the front door of `charter`. Nothing is imported until a pack is asked for.
"""

from collections.abc import Mapping

__all__ = ["PACKS"]

PACKS: Mapping[str, str] = {
    "gcalendar": "charter.packs.gcalendar",
    "gmail": "charter.packs.gmail",
    "linear": "charter.packs.linear",
    "stripe": "charter.packs.stripe",
}
"""Name of each pack -> the module that holds its `TOOLS`. A distribution of its own adds packs by entry points of the
group `charter.packs`."""
