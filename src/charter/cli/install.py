"""`charter install`: the entry that makes a client start this server, printed or merged into its file.

Not here: what the server does. `serve` starts it.
"""

import json
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from charter.cli.options import examples
from charter.errors import CharterError

__all__ = ["CLIENTS", "Client", "merge_entry", "register", "render_entry"]


@dataclass(frozen=True, slots=True)
class Client:
    """Where a client keeps its servers: the file, the table in it, and what each entry says beside the command."""

    path: str
    table: str
    more: Mapping[str, Any]
    other_paths: Mapping[str, str]
    """Of other systems, by `sys.platform`."""


CLIENTS: dict[str, Client] = {
    "claude-code": Client(".mcp.json", "mcpServers", {"type": "stdio"}, {}),
    "claude-desktop": Client(
        "~/.config/Claude/claude_desktop_config.json",
        "mcpServers",
        {},
        {
            "darwin": "~/Library/Application Support/Claude/claude_desktop_config.json",
            "win32": "~/AppData/Roaming/Claude/claude_desktop_config.json",
        },
    ),
    "codex": Client("~/.codex/config.toml", "mcp_servers", {}, {}),
    "cursor": Client("~/.cursor/mcp.json", "mcpServers", {}, {}),
    "vscode": Client(".vscode/mcp.json", "servers", {"type": "stdio"}, {}),
}
_NAME = re.compile(r"[A-Za-z0-9_-]{1,24}")


def register(app: typer.Typer) -> None:
    """Add `charter install`."""
    app.command(
        "install",
        epilog=examples(
            "charter install claude-code --pack gmail,stripe",
            "charter install codex --pack stripe --write",
            "charter install vscode --config charter.toml --write",
        ),
    )(install)


def install(
    client: Annotated[str, typer.Argument(metavar="CLIENT", help=f"One of {', '.join(CLIENTS)}.")],
    packs: Annotated[
        list[str] | None, typer.Option("--pack", metavar="PACK", help="As in charter serve.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="As in charter serve.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="What the client calls the server.")] = "charter",
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="The file, if elsewhere.")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Merge the entry into the client's file.")] = False,
) -> None:
    """Print the entry for a client's configuration, or merge it into the file with --write."""
    if client not in CLIENTS:
        raise CharterError(f"install: there is no client {client!r}. Use one of {', '.join(CLIENTS)}.")
    if not _NAME.fullmatch(name):
        raise CharterError(f"install: name {name!r} is not letters, digits, '_' or '-'. Give such a name.")
    known = CLIENTS[client]
    path = file or Path(known.other_paths.get(sys.platform, known.path)).expanduser()
    entry = {**known.more, **_find_command(packs or (), config)}
    if not write:
        typer.echo(f"Add to {path}:", err=True)
        typer.echo(render_entry(known, name, entry), nl=False)
        return
    backup = merge_entry(path, known, name, entry)
    kept = f"; what was there is in {backup}" if backup else ""
    typer.echo(f"{path}: {name} is set up{kept}. Restart the client.", err=True)


def _find_command(packs: Sequence[str], config: Path | None) -> dict[str, Any]:
    """Return the command with its whole path: a client's PATH is not a terminal's."""
    parts = [part for pack in packs for part in pack.split(",") if part]
    program = shutil.which("charter") or str(Path(sys.executable).with_name("charter"))
    arguments = ["serve"]
    if parts:
        whole = (str(Path(part).resolve()) if part.endswith(".py") else part for part in parts)
        arguments += ["--pack", ",".join(whole)]
    if config is not None:
        arguments += ["--config", str(config.resolve())]
    return {"command": program, "args": arguments}


def render_entry(client: Client, name: str, entry: Mapping[str, Any]) -> str:
    """Return the entry as the client's file holds it, alone in its table."""
    if client.path.endswith(".toml"):
        return _render_toml(client.table, name, entry)
    return json.dumps({client.table: {name: entry}}, indent=2) + "\n"


def _render_toml(table: str, name: str, entry: Mapping[str, Any]) -> str:
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
    return "\n".join([f"[{table}.{name}]", *lines, ""])


def merge_entry(path: Path, client: Client, name: str, entry: Mapping[str, Any]) -> Path | None:
    """Put the entry into the file and leave the rest of it as it is. Return the backup, or None without a need for one.

    Raises:
        CharterError: the file cannot be read or written, or holds what cannot be merged; it is left as it was.
    """
    try:
        before = path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise CharterError(f"{path}: cannot be read ({error}). Add the entry by hand.") from None
    merge = _merge_toml if path.suffix == ".toml" else _merge_json
    after = merge(before, path, client, {name: entry})
    if after == before:
        return None
    backup = _back_up(path) if before else None
    _replace(path, after)
    return backup


def _merge_json(text: str, path: Path, client: Client, entries: Mapping[str, Any]) -> str:
    try:
        parsed: Any = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise CharterError(f"{path}: is no plain JSON ({error}). Add the entry by hand.") from None
    held: dict[str, Any] = (
        cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else {client.table: None}
    )
    table: Any = held.setdefault(client.table, {})
    if not isinstance(table, dict):
        raise CharterError(f"{path}: {client.table} is no object. Mend it, or add the entry by hand.")
    known = cast("dict[str, Any]", table)
    if all(known.get(name) == entry for name, entry in entries.items()):
        return text
    known.update(entries)
    return json.dumps(held, indent=_read_indent(text), ensure_ascii=False) + "\n"


def _read_indent(text: str) -> int | str:
    found = re.search(r"\n([ \t]+)\S", text)
    return 2 if found is None else found[1]


def _merge_toml(text: str, path: Path, client: Client, entries: Mapping[str, Any]) -> str:
    """Replace or append the one table as text, so that comments and order of the rest stay."""
    (name, entry), *_ = entries.items()
    try:
        held: Any = tomllib.loads(text).get(client.table, {})
    except tomllib.TOMLDecodeError as error:
        raise CharterError(f"{path}: is no TOML ({error}). Mend it, or add the entry by hand.") from None
    if isinstance(held, dict) and cast("dict[str, Any]", held).get(name) == entry:
        return text
    kept = _drop_table(text, client.table, name)
    after = f"{kept.rstrip()}\n\n{_render_toml(client.table, name, entry)}".lstrip("\n")
    try:
        tomllib.loads(after)
    except tomllib.TOMLDecodeError:
        raise CharterError(
            f"{path}: {client.table} cannot be merged as it is written. Add it by hand."
        ) from None
    return after


def _drop_table(text: str, table: str, name: str) -> str:
    """Return the text without `[table.name]` and the tables below it."""
    mine = re.compile(rf"\s*\[+\s*{re.escape(table)}\s*\.\s*[\"']?{re.escape(name)}[\"']?\s*[.\]]")
    kept: list[str] = []
    inside = False
    for line in text.splitlines(keepends=True):
        if re.match(r"\s*\[", line):
            inside = mine.match(line) is not None
        if not inside:
            kept.append(line)
    return "".join(kept)


def _back_up(path: Path) -> Path:
    """Copy the file beside itself under a name that is free."""
    at = 0
    while True:
        at += 1
        backup = path.with_name(f"{path.name}.backup{at}")
        if not backup.exists():
            shutil.copy2(path, backup)
            return backup


def _replace(path: Path, text: str) -> None:
    """Write the file in one step, so that a client never reads half of it, with the permissions that it had."""
    target = path.resolve()
    part = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8")
        if target.exists():
            shutil.copymode(target, part)
        os.replace(part, target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise CharterError(f"{path}: cannot be written ({error.strerror}). Check its permissions.") from None
