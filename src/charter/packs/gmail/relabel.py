"""Labels put on and taken off: what messages, batches of them and threads have in common.

Not here: labels themselves (`labels`).
"""

from typing import ClassVar, Self

from pydantic import Field, model_validator

from charter import AtLeastOneOf
from charter.packs.gmail.api import Mailbox
from charter.packs.gmail.classification import ClassificationLabel

__all__ = ["Relabel", "RelabelClassified"]

_NEVER = {"SENT", "DRAFT"}
"""System labels that Gmail alone sets."""


class Relabel(Mailbox):
    """Labels to add and to remove."""

    add_label_ids: list[str] | None = Field(None, max_length=100, description="Ids, not names.")
    remove_label_ids: list[str] | None = Field(None, max_length=100)

    wire_rules: ClassVar = (AtLeastOneOf("add_label_ids", "remove_label_ids"),)

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        added, removed = set(self.add_label_ids or ()), set(self.remove_label_ids or ())
        if not (added or removed or self._changes_classification()):
            raise ValueError("no label to add or remove: give at least one")
        if both := sorted(added & removed):
            raise ValueError(f"{', '.join(both)} would be added and removed: choose one")
        if fixed := sorted((added | removed) & _NEVER):
            raise ValueError(f"Gmail alone sets {', '.join(fixed)}: leave it out")
        return self

    def _changes_classification(self) -> bool:
        return False


class RelabelClassified(Relabel):
    """Labels to add and to remove, the organisation's classification among them."""

    add_classification_labels: list[ClassificationLabel] | None = Field(
        None, max_length=20, description="Google Workspace only."
    )
    remove_classification_label_ids: list[str] | None = None

    wire_rules: ClassVar = (
        AtLeastOneOf(
            "add_label_ids",
            "remove_label_ids",
            "add_classification_labels",
            "remove_classification_label_ids",
        ),
    )

    def _changes_classification(self) -> bool:
        return bool(self.add_classification_labels or self.remove_classification_label_ids)
