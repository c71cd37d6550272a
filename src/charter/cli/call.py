"""`charter call`: one real call of one tool.

Not here: how arguments are typed. `arguments` reads them.
"""

import sys
from typing import Annotated

import typer

from charter.cli.arguments import ArgumentsError, read_words
from charter.cli.options import AsJson, PackNames, ToolName, examples
from charter.cli.output import print_json, print_value
from charter.cli.registry import find_tool
from charter.settings import read_base_url

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
    result = found.invoke(arguments)
    (print_json if as_json else print_value)(result)
