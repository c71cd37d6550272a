"""Classification labels: an organisation's own scheme for its mail, set up in Google Workspace.

Not here: Gmail's labels (`labels`).
"""

from typing import Any

from pydantic import BaseModel, ConfigDict

from charter import Case

__all__ = ["ClassificationLabel", "write_label"]


def _drop_description(schema: dict[str, Any]) -> None:
    schema.pop("description", None)


_UNDESCRIBED = ConfigDict(json_schema_extra=_drop_description)
"""For models whose field says enough: the docstring is for readers of the code."""


class ClassificationField(BaseModel):
    """One field's value of a classification label."""

    model_config = _UNDESCRIBED

    field_id: str
    selection: str | None = None


class ClassificationLabel(BaseModel):
    """A label of the organisation's own scheme, with its fields."""

    model_config = _UNDESCRIBED

    label_id: str
    fields: list[ClassificationField] | None = None


def write_label(label: ClassificationLabel) -> dict[str, Any]:
    """Write a label as Gmail spells it, for a mail that is encoded as a whole.

    >>> write_label(ClassificationLabel(label_id="L", fields=[ClassificationField(field_id="F")]))
    {'labelId': 'L', 'fields': [{'fieldId': 'F'}]}
    """
    written: dict[str, Any] = {"labelId": label.label_id}
    if label.fields is not None:
        written["fields"] = [
            {Case.CAMEL.spell(name): value for name, value in field.model_dump(exclude_none=True).items()}
            for field in label.fields
        ]
    return written
