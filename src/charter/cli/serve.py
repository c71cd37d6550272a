"""`charter serve`: an MCP server over packs, on stdio or HTTP.

Not here: the server. `charter.adapters.mcp` is imported when it is asked for, since it needs an extra.
"""

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from charter.cli.options import PackNames, examples
from charter.cli.registry import load_tools
from charter.discovery.session import ToolSession
from charter.errors import CharterError, DeclarationError

if TYPE_CHECKING:
    from charter.tool import Tool

__all__ = ["app", "register"]


def register(app: typer.Typer) -> None:
    """Add `charter serve`."""
    app.command(
        "serve",
        epilog=examples(
            "charter serve --pack gmail,stripe",
            "charter serve --config charter.toml",
            "charter serve --http 127.0.0.1:8000 --pack stripe",
            "charter serve --http 0.0.0.0:8000 --auth issuer=https://id.example.com"
            " --auth audience=https://mcp.example.com/mcp",
        ),
    )(serve)


def serve(
    packs: PackNames = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="A charter.toml; options here win over it."),
    ] = None,
    http: Annotated[
        str | None, typer.Option("--http", metavar="HOST:PORT", help="Serve over HTTP instead of stdio.")
    ] = None,
    auth: Annotated[
        list[str] | None,
        typer.Option(
            "--auth",
            metavar="NAME=VALUE",
            help="Accept tokens: issuer=, audience=, scopes=, jwks=, resource=.",
        ),
    ] = None,
    mode: Annotated[
        str | None, typer.Option("--mode", help="growing, steady or all, for every client that can have it.")
    ] = None,
    separator: Annotated[
        str | None, typer.Option("--separator", help="Between pack and tool; _ for hosts that reject __.")
    ] = None,
    resident: Annotated[
        list[str] | None,
        typer.Option("--resident", metavar="TOOL", help="A tool that is listed from the start."),
    ] = None,
    store: Annotated[
        str | None, typer.Option("--store", metavar="URL", help="redis://..., shared by several servers.")
    ] = None,
) -> None:
    """Serve packs to MCP clients."""
    given = {
        "packs": _split(packs),
        "mode": mode,
        "separator": separator,
        "resident": _split(resident),
    }
    over_http = {"address": http, "auth": _read_pairs(auth), "store": store}
    run(config, given, over_http)


def _split(names: Sequence[str] | None) -> list[str] | None:
    return [part for name in names for part in name.split(",") if part] if names else None


def _read_pairs(pairs: Sequence[str] | None) -> dict[str, str] | None:
    """Read NAME=VALUE options.

    Raises:
        DeclarationError: one has no equals sign.
    """
    if not pairs:
        return None
    wrong = [pair for pair in pairs if "=" not in pair]
    if wrong:
        raise DeclarationError(f"--auth {wrong[0]}: has no value. Write --auth issuer=https://...")
    return {name.strip(): value.strip() for name, _, value in (pair.partition("=") for pair in pairs)}


def run(path: Path | None, given: dict[str, Any], over_http: dict[str, Any]) -> None:
    """Serve what a file and the options say; options that are None leave it to the file.

    Raises:
        CharterError: the extra is missing, a pack cannot be loaded, or an option makes no sense.
    """
    configs, serving = load_adapter("config"), load_adapter("serving")
    config = configs.Config() if path is None else configs.read_config(path)
    config = configs.override(config, given, over_http)
    tools = load_tools(config.packs or None)
    configure_apis(tools, {name: table.base_url for name, table in config.apis.items()})
    session = ToolSession(
        configs.project_tools(tools, config.tools, str(path or "charter.toml")),
        threshold=config.threshold,
        resident=config.resident,
        budget=config.budget,
        listing=config.listing,
        mode=config.tool_mode,
    )
    serving.serve_config(session, config)


def configure_apis(tools: "Sequence[Tool]", addresses: dict[str, str]) -> None:
    """Send the calls of packs elsewhere.

    Raises:
        DeclarationError: there is no such pack.
    """
    packs = {tool.pack: tool for tool in tools}
    for pack, address in addresses.items():
        if pack not in packs:
            raise DeclarationError(f"apis.{pack}: there is no such pack. Use {', '.join(packs)}.")
        api: Any = packs[pack].api  # asking for it imports the tool's module, so only of packs that are named
        api.configure(base_url=address)


def load_adapter(module: str) -> Any:
    """Import a module of the MCP adapter.

    Raises:
        CharterError: the extra is not installed.
    """
    try:
        return importlib.import_module(f"charter.adapters.mcp.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types", "starlette"):
            raise
        raise CharterError(
            'serve: the MCP server is not installed. Run pip install "charter[mcp]".'
        ) from None


# The application when nothing but this command is wanted.
app = typer.Typer(name="charter", add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
register(app)


@app.callback()
def _describe() -> None:
    """Serve tools to MCP clients."""
