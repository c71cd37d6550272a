"""What discovery knows of a tool, as plain data.

No ranking and no loading here: see `index.py` and `catalogue.py`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from charter.discovery.given import is_mapping

__all__ = ["Entry", "read_entry", "read_parameters", "split_description"]

_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n\s*\n")


def _nothing() -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Entry:
    """One tool as the search sees it. Immutable, cheap, independent of the tool's args model."""

    name: str
    """Qualified name: `stripe__refunds_create`."""
    pack: str
    leaf: str
    summary: str
    """First sentence of the description."""
    hints: str = ""
    """Words people use for the task that the name and description lack."""
    parameters: Mapping[str, str] = field(default_factory=_nothing)
    """Top-level parameter name to its description, "" when it has none."""
    needs: Mapping[str, str] = field(default_factory=_nothing)
    """Argument to the qualified name of the tool that produces it."""
    details: str = ""
    """The rest of the description."""


def read_entry(
    name: str,
    description: str,
    schema: Mapping[str, object] | None = None,
    *,
    pack: str = "",
    hints: str = "",
    needs: Mapping[str, str] | None = None,
) -> Entry:
    """Read an entry off a qualified name, a description and a JSON Schema of the parameters.

    Without `pack` a name with `__` is split at the first one. A schema of an unexpected shape
    counts as having no parameters; nothing is raised for it.

    >>> read_entry("stripe__refunds_create", "Refund a charge. In full or in part.").summary
    'Refund a charge.'
    """
    pack, leaf = _split_name(name, pack)
    summary, details = split_description(description)
    return Entry(name, pack, leaf, summary, hints, read_parameters(schema), dict(needs or {}), details)


def split_description(description: str) -> tuple[str, str]:
    """Split a description into its first sentence and the rest.

    >>> split_description("Send a message. It goes at once.")
    ('Send a message.', 'It goes at once.')
    """
    parts = _SENTENCE_END.split(description.strip(), maxsplit=1)
    return parts[0].strip(), parts[1].strip() if len(parts) > 1 else ""


def read_parameters(schema: object) -> dict[str, str]:
    """Read parameter names and descriptions off the top level of a JSON Schema.

    >>> read_parameters({"properties": {"id": {"type": "string", "description": "Charge id."}}})
    {'id': 'Charge id.'}
    """
    properties = schema.get("properties") if is_mapping(schema) else None
    if not is_mapping(properties):
        return {}
    return {str(name): _describe(value) for name, value in properties.items()}


def _describe(schema: object) -> str:
    text = schema.get("description") if is_mapping(schema) else None
    return text if isinstance(text, str) else ""


def _split_name(name: str, pack: str) -> tuple[str, str]:
    if pack:
        return pack, name.removeprefix(f"{pack}__")
    head, separator, tail = name.partition("__")
    return (head, tail) if separator and head and tail else ("", name)
