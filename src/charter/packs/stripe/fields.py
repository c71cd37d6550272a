"""Types and wordings that arguments of many Stripe tools share.

Not here: objects with fields of their own; see addresses, pricing and billing.
"""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal, Self, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, model_validator

from charter import Format

__all__ = ["EXPAND", "MINOR", "Change", "Clear", "Create", "Id", "Metadata", "Moment", "TaxBehavior"]

MINOR = "Smallest currency unit."
EXPAND = "Ids to return as objects."

Clear = Literal[""]
"""Sent in place of a value, this removes what is stored. Only updates take it."""

TaxBehavior = Literal["exclusive", "inclusive", "unspecified"]


def _check_offset(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("needs an offset, such as 2026-01-31T09:00:00Z or …+01:00")
    return moment


def _read_id(value: Any) -> Any:
    return cast("dict[str, Any]", value).get("id", value) if isinstance(value, dict) else value


Id = Annotated[str, BeforeValidator(_read_id)]
"""The id of an object that answers show whole: given as they show it, the object stands for its id."""

Moment = Annotated[datetime, AfterValidator(_check_offset), Format("unix-time")]
"""A moment as people write it. The Unix seconds of Stripe's answers are taken as they are."""


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
        if needed := [name for name in empty if type(self).model_fields[name].is_required()]:
            raise ValueError(f"{', '.join(needed)} empty: give it a text.")
        if empty:
            raise ValueError(f"there is nothing to clear yet in {', '.join(empty)}. Leave it out.")
        return self


class Change(BaseModel):
    """Arguments that change something, where an empty object or list would go out as nothing at all."""

    @model_validator(mode="after")
    def _refuse_nothing(self) -> Self:
        empty = [name for name, value in self if _is_nothing(value)]
        if empty:
            raise ValueError(
                f"{', '.join(empty)} empty: nothing would be sent. Give a value or leave it out."
            )
        return self


def _is_nothing(value: Any) -> bool:
    return value in ({}, []) or (isinstance(value, BaseModel) and not value.model_fields_set)
