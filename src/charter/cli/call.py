"""`charter call`: one real call of one tool.

Not here: how arguments are typed. `arguments` reads them.
"""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from charter.base_url import read_base_url
from charter.cli.arguments import ArgumentsError, read_words
from charter.cli.options import AsJson, PackNames, ToolName, examples
from charter.cli.output import print_json, print_value
from charter.cli.registry import find_tool
from charter.errors import CharterError
from charter.tool import Tool
from charter.wire.trim import apply_handler

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add `charter call`."""
    app.command(
        "call",
        epilog=examples(
            "charter call gmail__messages_list q=is:unread maxResults:=5",
            "charter call gmail__messages_send message.to[]=ann@example.com message.text=Hello",
            """charter call stripe__refunds_create '{"charge": "ch_1", "metadata": {"order": "1042"}}'""",
            "charter call stripe__charges_list --base-url http://localhost:8420 - < arguments.json",
        ),
    )(call_tool)


def call_tool(
    tool: ToolName,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ARGUMENT",
            help="key=value, key:=json, a.b=value to nest, key[]=value for a list; a JSON object; or - for stdin.",
        ),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", metavar="URL", help="Send the call there, not to the vendor.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FILE", help="Add the whole answer to a file, for charter check --answers."
        ),
    ] = None,
    packs: PackNames = None,
    as_json: AsJson = False,
) -> None:
    """Call a tool and print its trimmed result. Credentials come from the environment."""
    found = find_tool(tool, packs)
    try:
        arguments = read_words(words or [], sys.stdin)
    except ArgumentsError as error:
        raise typer.BadParameter(str(error), param_hint="ARGUMENT") from None
    if base_url:
        found.api.base_url = read_base_url(base_url, "--base-url")
    result = (_saving(found, save) if save else found).invoke(arguments)
    (print_json if as_json else print_value)(result)


def _saving(tool: Tool, path: Path) -> Tool:
    """Return the tool with a handler that adds each answer to a file before it is trimmed."""
    try:
        path.open("a").close()
    except OSError as error:
        raise CharterError(f"{path}: cannot be written ({error.strerror}). Name another file.") from None

    def save(answer: Any, arguments: Any) -> Any:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"tool": tool.qualified_name, "answer": answer}) + "\n")
        return apply_handler(tool.response_handler, answer, arguments)

    return tool.derived(response_handler=save)
