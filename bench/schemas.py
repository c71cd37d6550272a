"""What schemas and listings cost, and what a process pays that lists, searches and loads every pack's tools.

Sessions that are already there are measured in session.py, projections in paths.py.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from bench.table import Row
from charter import Tool, json_tokens, schema_tokens
from charter.discovery.listing import choose_listing
from charter.packs import PACKS

OPERATIONS = Path(__file__).with_name("operations.txt")
"""The names of 613 operations of seventeen APIs, as a listing would show them."""
BARS = {"gmail": 5_200, "stripe": 17_000, "gcalendar": 20_000}
LISTED_GMAIL = 24
"""Operations that Gmail's bar counts; the pack's other tools are left out of the sum."""
BEYOND = {"messages_trash", "messages_untrash", "messages_delete", "history_list", "profile_get"}
ROUNDS = 15

BASE = "import pydantic, httpx2"
WHOLE = f"""
{"; ".join(f"import {module}" for module in PACKS.values())}
from charter import ToolSession
from charter.adapters.openai import to_openai_tools
session = ToolSession([tool for module in ({", ".join(PACKS.values())},) for tool in module.TOOLS])
to_openai_tools(session)
session.search("refund a payment")
to_openai_tools(session)
"""
MEMORY = """
for line in open("/proc/self/status"):
    if line.startswith("VmRSS"):
        print(int(line.split()[1]) / 1024)
"""


def load_tools(pack: str) -> Sequence[Tool]:
    """Return the tools of one pack."""
    return import_module(PACKS[pack]).TOOLS


def plain_tokens(tool: Tool) -> int:
    """Return what the same model costs as Pydantic itself would render it."""
    return json_tokens(tool.args_schema.model_json_schema())


def run(program: str) -> tuple[float, str]:
    """Return the processor seconds of a fresh interpreter running a program, and what it printed."""
    before = os.times()
    shown = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent, shown


def compare_processes() -> tuple[float, float]:
    """Return the ratio of processor time, and the extra megabytes, of the whole over the base, taking turns."""
    seconds: dict[str, list[float]] = {BASE: [], WHOLE: []}
    for at in range(ROUNDS + 1):
        for program in (BASE, WHOLE):
            spent, _ = run(program)
            if at:  # the first round fills the disk cache
                seconds[program].append(spent)
    memory = {program: float(run(program + "\n" + MEMORY)[1]) for program in (BASE, WHOLE)}
    ratio = statistics.median(seconds[WHOLE]) / statistics.median(seconds[BASE])
    return ratio, memory[WHOLE] - memory[BASE]


def schema_rows() -> list[Row]:
    """Measure each pack's schemas, and against a plain rendering of the same models."""
    found: list[Row] = []
    for pack in PACKS:
        tools = load_tools(pack)
        counted = [tool for tool in tools if pack != "gmail" or tool.name not in BEYOND]
        tokens = sum(map(schema_tokens, counted))
        found.append(Row(f"schemas of {pack} ({len(counted)} tools)", tokens, BARS.get(pack), "tokens"))
        plain = sum(map(plain_tokens, tools))
        ratio = sum(map(schema_tokens, tools)) / plain
        found.append(Row(f"schemas of {pack} / plain rendering", ratio, 0.75, "x"))
    return found


def listing_rows() -> list[Row]:
    """Measure the listing of every operation in each form."""
    names = OPERATIONS.read_text().split()
    bars = {"names": None, "folded": 2_300, "packs": 500}
    return [
        Row(f"listing {len(names)} names, {form}", json_tokens(choose_listing(names, form)), bar, "tokens")
        for form, bar in bars.items()
    ]


def rows() -> list[Row]:
    """Measure schemas, listings and cold processes."""
    ratio, memory = compare_processes()
    return [
        *schema_rows(),
        *listing_rows(),
        Row("cold: every pack, session, list, search, load / import pydantic, httpx2", ratio, 1.5, "x"),
        Row("memory of that process over the other's", memory, 25, "MB"),
    ]
