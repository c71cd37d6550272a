"""`charter compile`: write a pack's compiled catalogue and its stub, or check that they are up to date.

Not here: what is in them. `charter.compiling` makes them.
"""

from pathlib import Path
from typing import Annotated

import typer

from charter.cli.options import examples
from charter.cli.output import print_rows
from charter.cli.registry import load_packs
from charter.compiling import compile_pack, find_stale
from charter.errors import CharterError

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add `charter compile`."""
    app.command(
        "compile", epilog=examples("charter compile", "charter compile my_pack.py", "charter compile --check")
    )(compile_packs)


def compile_packs(
    packs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PACK]...", help="By name, module or .py file. Default: all installed."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a file is stale.")] = False,
) -> None:
    """Write a pack's catalogue and stub beside it, so that sessions need not import its models.

    Of a pack that is one module, or has its tools in `__init__.py`, the catalogue is a record of what a model is
    shown: keep it beside the code and run --check in CI.
    """
    texts: dict[Path, str] = {}
    for pack in load_packs(packs, tell=False):
        texts |= compile_pack(pack.module)
    stale = find_stale(texts)
    if check and stale:
        files = ", ".join(f"{path.parent.name}/{path.name}" for path in stale)
        raise CharterError(f"{files}: not what the tools declare. Run charter compile.")
    for path in stale:
        path.write_text(texts[path], "utf-8")
    print_rows(
        ("*File", "State"),
        [(f"{path.parent.name}/{path.name}", "written" if path in stale else "up to date") for path in texts],
    )
