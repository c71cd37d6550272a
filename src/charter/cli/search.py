"""`charter search`: what a model would find for the same words.

Not here: how it is found. `charter.discovery` does that.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from charter.cli.options import AsJson, PackNames, examples
from charter.cli.output import print_hint, print_json, print_line, print_rows
from charter.cli.registry import load_tools
from charter.discovery.catalogue import Catalogue, find_catalogue
from charter.discovery.explain import Explanation, explain, render_explanation
from charter.discovery.query import Need, Select
from charter.discovery.toolsearch import MAX_RESULTS, read_ask

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add `charter search`."""
    app.command(
        "search",
        epilog=examples(
            'charter search "refund a payment"',
            'charter search "+gmail send; refund a payment" --limit 3',
            'charter search --explain "give the customer her money back"',
        ),
    )(search_tools)


def search_tools(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="As a model writes it: words, +must, a; b or select:NAME.")
    ],
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, max=MAX_RESULTS, help="Tools for each need; 5, or 3 of several."),
    ] = None,
    explained: Annotated[
        bool,
        typer.Option(
            "--explain", help="Show which words of the query each tool has, where, and what they count."
        ),
    ] = False,
    packs: PackNames = None,
    as_json: AsJson = False,
) -> None:
    """Search as ToolSearch does, best first. Nothing found is no error."""
    catalogue = find_catalogue(load_tools(packs))
    ask = read_ask(query, limit)
    if explained:
        _print_explanations(explain(catalogue.index, query, ask.limit), as_json=as_json)
        return
    answers = [_answer(catalogue, part, ask.limit) for part in ask.query.parts]
    if as_json:
        print_json(answers)
        return
    for at, answer in enumerate(answers):
        if at:
            print_line()
        if len(answers) > 1:
            print_line(answer["query"], "bold")
        _print_answer(answer)
    print_hint("charter show TOOL tells all about one; a model loads it with select:TOOL.")


def _print_explanations(explanations: Sequence[Explanation], *, as_json: bool) -> None:
    if as_json:
        print_json([asdict(each) for each in explanations])
        return
    for at, each in enumerate(explanations):
        if at:
            print_line()
        for line in render_explanation(each).splitlines():
            print_line(line, "" if line.startswith(" ") else "cyan")


def _answer(catalogue: Catalogue, part: Need | Select, limit: int) -> dict[str, Any]:
    if isinstance(part, Select):
        chosen = catalogue.index.select(part.names)
        return {
            "query": f"select:{','.join(part.names)}",
            "found": [_describe(catalogue, name, None) for name in chosen.found],
            "unknown": {name: list(close) for name, close in chosen.unknown.items()},
        }
    hits = catalogue.index.find(part.text, limit, required=part.required)
    words = [*(f"+{word}" for word in part.required), part.text]
    return {
        "query": " ".join(words),
        "found": [_describe(catalogue, hit.name, hit.score) for hit in hits],
        "unknown": {},
    }


def _describe(catalogue: Catalogue, name: str, score: float | None) -> dict[str, Any]:
    return {"name": name, "score": score, "summary": catalogue.entry(name).summary}


def _print_answer(answer: dict[str, Any]) -> None:
    rows = [
        (found["name"], "" if found["score"] is None else f"{found['score']:.2f}", found["summary"])
        for found in answer["found"]
    ]
    if rows:
        print_rows(("*Tool", ">Score", "What it does"), rows)
    elif not answer["unknown"]:
        print_line("Nothing fits. Try other words.", "yellow")
    for name, close in answer["unknown"].items():
        print_line(f"{name}: there is no such tool. Close: {', '.join(close) or 'none'}.", "yellow")
