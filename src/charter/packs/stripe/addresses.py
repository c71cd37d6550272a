"""Postal addresses and where goods are shipped.

Not here: email addresses and bank accounts.
"""

from pydantic import BaseModel, Field

__all__ = ["Address", "Parcel", "Recipient"]


class Address(BaseModel):
    line1: str | None = None
    line2: str | None = None
    city: str | None = None
    state: str | None = None
    postal_code: str | None = None
    country: str | None = Field(None, description="Two letters.")


class Recipient(BaseModel):
    name: str
    address: Address
    phone: str | None = None


class Parcel(Recipient):
    carrier: str | None = None
    tracking_number: str | None = None
