"""Arguments that cover every parameter of a tool: drawn from its schema, the same on every run.

Not here: what the vendor makes of them (`vendor`).
"""

from collections.abc import Iterator
from typing import Any

from charter import Tool

SAMPLES: dict[str, Any] = {
    "id": "18c/ü 1?#%2F",
    "messageId": "18c&=+;b",
    "q": 'from:"Zoë" is:unread a&b=c #x +y',
    "pageToken": "0987/+=&",
    "startHistoryId": "18446744073709551615",
    "labelId": "Label_7",
    "name": "Tax/2025 – ä",
    "backgroundColor": "#16a766",
    "textColor": "#ffffff",
    "to": ["Zoë Müller <zoe@example.org>", "bob@example.org"],
    "cc": ['"Doe, John" <john@example.org>'],
    "bcc": ["hidden@example.org"],
    "replyTo": ["Answers <answers@example.org>"],
    "from": "Ada <alias@example.org>",
    "subject": "Grüße & a long subject that has to be folded because it does not fit into one line of a mail",
    "text": "Hello,\n\nlunch at ½ past?\n.\nFrom here on: ünïcode\n",
    "html": "<p>Hello, lunch at ½ past?</p>",
    "inReplyTo": "<two@example.org>",
    "references": "<one@example.org>",
    "attachments": [
        {"filename": "übersicht.pdf", "mediaType": "application/pdf", "content": "JVBERi0xLjQAAf8="},
        {"filename": "notes.txt", "mediaType": "text/plain", "content": "SGk="},
    ],
}

COMPANIONS: dict[str, dict[str, Any]] = {
    "metadataHeaders": {"format": "metadata"},
    "threadId": {"inReplyTo": SAMPLES["inReplyTo"], "subject": SAMPLES["subject"]},
}
"""What a rule wants beside a parameter."""

LEAST: dict[str, dict[str, Any]] = {
    "messages_send": {"message": {"to": SAMPLES["to"]}},
    "messages_modify": {"addLabelIds": ["STARRED"]},
    "messages_batch_modify": {"removeLabelIds": ["UNREAD"]},
    "threads_modify": {"removeLabelIds": ["INBOX"]},
    "labels_patch": {"name": "Renamed"},
}
"""What a rule wants of a call that gives nothing optional."""

ALSO: dict[str, list[dict[str, Any]]] = {
    "messages_get": [{"id": "1", "format": "metadata", "metadataHeaders": ["Subject", "X-A b"]}],
    "messages_batch_modify": [
        {"ids": [str(n) for n in range(1000)], "addLabelIds": ["A"]},
        {"ids": ["1"], "addLabelIds": [f"L{n}" for n in range(101)]},
    ],
    "messages_list": [{"maxResults": 1}, {"maxResults": 500, "includeSpamTrash": False}],
}
"""Limits and combinations beyond what the schema suggests."""


def variants(tool: Tool) -> Iterator[dict[str, Any]]:
    """Yield the least a call needs, everything at once, each optional alone, and each value of an enum."""
    schema = tool.to_json_schema()["parameters"]
    least = {name: _least(schema["properties"][name], name) for name in schema.get("required", ())}
    least = {**least, **LEAST.get(tool.name, {})}
    yield least
    yield {**_full(schema), **({"format": "metadata"} if "metadataHeaders" in schema["properties"] else {})}
    yield from _each(schema, least)
    if message := schema["properties"].get("message"):
        for each in _each(message, least["message"]):
            yield {**least, "message": each}
    yield from ALSO.get(tool.name, [])


def _each(schema: dict[str, Any], least: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name, described in schema["properties"].items():
        if name in schema.get("required", ()):
            continue
        for value in described.get("enum") or [_value(described, name)]:
            yield {**least, **COMPANIONS.get(name, {}), name: value}


def _full(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: _value(described, name) for name, described in schema["properties"].items()}


def _least(schema: dict[str, Any], name: str) -> Any:
    if schema.get("type") != "object":
        return _value(schema, name)
    return {each: _least(schema["properties"][each], each) for each in schema.get("required", ())}


def _value(schema: dict[str, Any], name: str) -> Any:
    if name in SAMPLES:
        return SAMPLES[name]
    if "enum" in schema:
        return schema["enum"][-1]
    match schema["type"]:
        case "object":
            return _full(schema)
        case "array":
            return [_value(schema["items"], f"{name} 1"), _value(schema["items"], f"{name} 2")]
        case "integer":
            return schema.get("maximum", 7)
        case "boolean":
            return True
        case "string":
            return f"{name} ü"
        case other:
            raise AssertionError(f"no sample for {name}: {other}")
