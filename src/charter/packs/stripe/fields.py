"""Types and wordings that arguments of many Stripe tools share.

Not here: objects with fields of their own; see addresses, pricing and billing.
"""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, model_validator

__all__ = ["EXPAND", "MINOR", "UNIX", "Clear", "Create", "Metadata", "TaxBehavior"]

MINOR = "Smallest currency unit."
UNIX = "Unix seconds."
EXPAND = "Ids to return as objects."

Clear = Literal[""]
"""Sent in place of a value, this removes what is stored. Only updates take it."""

TaxBehavior = Literal["exclusive", "inclusive", "unspecified"]


def _check_metadata(metadata: dict[str, str]) -> dict[str, str]:
    if len(metadata) > 50:
        raise ValueError(f"{len(metadata)} keys. Keep at most 50.")
    for key, value in metadata.items():
        if not 0 < len(key) <= 40 or "[" in key or "]" in key:
            raise ValueError(f"key {key[:60]!r}. Use 1 to 40 characters without square brackets.")
        if len(value) > 500:
            raise ValueError(f"value of {key!r} has {len(value)} characters. Keep at most 500.")
    return metadata


Metadata = Annotated[dict[str, str], AfterValidator(_check_metadata)]


class Create(BaseModel):
    """Arguments that make something new, where an empty text has nothing to clear."""

    clearable: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="after")
    def _refuse_empty_text(self) -> Self:
        empty = [name for name, value in self if value == "" and name not in self.clearable]
        if empty:
            raise ValueError(f"{', '.join(empty)} empty: there is nothing to clear yet. Leave it out.")
        return self
