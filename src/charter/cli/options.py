"""Options that several commands share, and the examples under their help.

Not here: what the options lead to.
"""

from typing import Annotated

import typer

__all__ = ["AsJson", "PackNames", "ToolName", "examples"]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
PackNames = Annotated[
    list[str] | None,
    typer.Option(
        "--pack",
        metavar="PACK",
        help="A pack by name, module or .py file with TOOLS; several by comma or by repeating. Default: all installed.",
    ),
]
ToolName = Annotated[str, typer.Argument(metavar="TOOL", help="As stripe__refunds_create.")]


def examples(*lines: str) -> str:
    """Render the examples at the end of a command's help.

    >>> examples("charter packs").splitlines()[1:]
    ['Examples:', '  charter packs']
    """
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])
