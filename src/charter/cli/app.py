"""The application: every group of commands registers here.

Not here: a command. Each lives in a module with `register(app)`, and `GROUPS` says which there are.
"""

from collections.abc import Callable
from typing import Annotated

import typer

from charter import __version__
from charter.cli import call, check, compiled, cost, egress, hints, install, packs, search, serve, show, tools
from charter.cli.demo import command as demo
from charter.cli.options import examples

__all__ = ["GROUPS", "app"]

GROUPS: tuple[Callable[[typer.Typer], None], ...] = (
    demo.register,
    packs.register,
    tools.register,
    search.register,
    hints.register,
    show.register,
    cost.register,
    check.register,
    call.register,
    egress.register,
    compiled.register,
    serve.register,
    install.register,
)
"""What adds commands, in the order `charter --help` lists them."""

# Plain help and no pretty tracebacks: those show local variables, and so secrets.
app = typer.Typer(
    name="charter",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"charter {__version__}")
        raise typer.Exit


@app.callback(
    epilog=examples(
        "charter demo",
        'charter search "refund a payment"',
        "charter show stripe__refunds_create",
        "charter call gmail__messages_list q=is:unread",
        "charter tools --pack my_pack.py",
    )
)
def _describe(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Many typed API tools for a language model at the cost of one."""


for group in GROUPS:
    group(app)
