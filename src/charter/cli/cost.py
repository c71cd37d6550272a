"""`charter cost`: what tools cost in a prompt, dearest first, and what a first turn costs.

Not here: the counting. `figures` and `charter.schema.cost` do that.
"""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from charter.cli.figures import read_figures
from charter.cli.options import AsJson, PackNames, examples
from charter.cli.output import print_json, print_line, print_rows
from charter.cli.registry import find_tool, is_pack, load_tools
from charter.discovery.qualified import SEPARATOR
from charter.schema.cost import json_tokens, schema_tokens
from charter.tool import Tool

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add `charter cost`."""
    app.command(
        "cost", epilog=examples("charter cost", "charter cost stripe", "charter cost stripe__refunds_create")
    )(show_cost)


def show_cost(
    name: Annotated[
        str | None, typer.Argument(metavar="PACK|TOOL", help="Default: all packs installed.")
    ] = None,
    packs: PackNames = None,
    as_json: AsJson = False,
) -> None:
    """Count tokens: of tools, dearest first, and of a first turn. Of one tool: by parameter."""
    if name and _is_tool(name):
        cost = _count_parameters(find_tool(name, packs))
    else:
        cost = _count_tools(load_tools([*([name] if name else []), *(packs or [])]))
    if as_json:
        print_json(cost)
        return
    kind = "Parameter" if "parameters" in cost else "Tool"
    rows = [(part["name"], f"{part['tokens']:,}") for part in cost[f"{kind.lower()}s"]]
    print_rows((f"*{kind}", ">Tokens"), [*rows, ("total", f"{cost['total']:,}")])
    if "first_turn" in cost:
        print_line()
        print_line(_tell_first_turn(cost), "bold")


def _is_tool(name: str) -> bool:
    return (SEPARATOR in name or "_" in name) and not is_pack(name)


def _count_tools(tools: Sequence[Tool]) -> dict[str, Any]:
    figures = read_figures(tools)
    costs: list[dict[str, Any]] = [
        {"name": tool.qualified_name, "tokens": schema_tokens(tool)} for tool in tools
    ]
    return {
        "tools": sorted(costs, key=_dearest_first),
        "total": sum(cost["tokens"] for cost in costs),
        "first_turn": figures.first_turn,
        "everything": figures.everything,
    }


def _count_parameters(tool: Tool) -> dict[str, Any]:
    """Count each parameter by taking it out and rendering the rest."""
    schema = tool.to_json_schema()["parameters"]
    whole = json_tokens(schema)
    properties = schema.get("properties", {})
    costs: list[dict[str, Any]] = []
    for name in properties:
        rest = {key: value for key, value in properties.items() if key != name}
        costs.append({"name": name, "tokens": whole - json_tokens({**schema, "properties": rest})})
    return {"name": tool.qualified_name, "parameters": sorted(costs, key=_dearest_first), "total": whole}


def _dearest_first(cost: dict[str, Any]) -> tuple[int, str]:
    return -cost["tokens"], cost["name"]


def _tell_first_turn(cost: dict[str, Any]) -> str:
    count = len(cost["tools"])
    return (
        f"A first turn sends {cost['first_turn']:,} tokens: ToolSearch alone. "
        f"All {count} tools with descriptions and schemas: {cost['everything']:,}."
    )
