"""`charter packs`: which packs there are, and what they need to be called.

Not here: how packs are found. `registry` does that.
"""

import os
from typing import Any

import typer

from charter.auth import ApiKey, Auth
from charter.cli.figures import read_figures
from charter.cli.options import AsJson, PackNames, examples
from charter.cli.output import print_hint, print_json, print_rows
from charter.cli.registry import Pack, load_packs

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add `charter packs`."""
    app.command("packs", epilog=examples("charter packs", "charter packs --json"))(list_packs)


def list_packs(packs: PackNames = None, as_json: AsJson = False) -> None:
    """List the packs, their size, and the credentials they read. Tokens are of all their schemas."""
    found = [_describe(pack) for pack in load_packs(packs)]
    if as_json:
        print_json(found)
        return
    rows = [
        (pack["name"], pack["tools"], f"{pack['tokens']:,}", _tell_credential(pack), pack["summary"])
        for pack in found
    ]
    print_rows(("*Pack", ">Tools", ">Tokens", "Credential", "What it covers"), rows)
    print_hint("charter tools PACK lists the tools of one.")


def _describe(pack: Pack) -> dict[str, Any]:
    variables = sorted({auth.env for auth in _find_auths(pack) if isinstance(auth, ApiKey) and auth.env})
    return {
        "name": pack.name,
        "module": pack.module,
        "summary": pack.summary,
        "tools": len(pack.tools),
        "tokens": read_figures(pack.tools).everything,
        "base_url": pack.tools[0].api.base_url if pack.tools else None,
        "credentials": [{"env": name, "set": bool(os.environ.get(name))} for name in variables],
    }


def _find_auths(pack: Pack) -> list[Auth | None]:
    return [tool.api.auth for tool in pack.tools]


def _tell_credential(pack: dict[str, Any]) -> str:
    return (
        ", ".join(f"{each['env']}{'' if each['set'] else ' (not set)'}" for each in pack["credentials"])
        or "-"
    )
