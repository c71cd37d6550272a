"""The parts of an event that a caller writes: guests, reminders, conference, attachments, kinds of event.

Not here: the tools that take them (`writing`).
"""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from charter import Clearable
from charter.packs.gcalendar.times import EventTime

__all__ = [
    "Attachment",
    "Attendee",
    "ConferenceData",
    "EventTime",
    "ExtendedProperties",
    "ExtendedPropertiesPatch",
    "FocusTime",
    "Organizer",
    "OutOfOffice",
    "Reminders",
    "Source",
    "WorkingLocation",
]


class Attendee(BaseModel):
    wire_read_only: ClassVar = ("id", "organizer", "self")

    email: str
    display_name: str | None = None
    optional: bool | None = None
    resource: bool | None = Field(None, description="A room or device.")
    response_status: Literal["needsAction", "declined", "tentative", "accepted"] | None = None
    comment: str | None = None
    additional_guests: int | None = Field(None, ge=0)


class Reminder(BaseModel):
    method: Literal["email", "popup"]
    minutes: int = Field(ge=0, le=40320, description="Before the start.")


class Reminders(BaseModel):
    use_default: bool | None = None
    overrides: list[Reminder] | None = Field(None, max_length=5, description="With useDefault false.")

    @model_validator(mode="after")
    def _default_or_own(self) -> Self:
        if self.use_default and self.overrides:
            raise ValueError("overrides need useDefault false")
        return self


class ConferenceSolutionKey(BaseModel):
    type: Literal["hangoutsMeet", "eventHangout", "eventNamedHangout", "addOn"] = Field(
        description="hangoutsMeet is Google Meet."
    )


class CreateConference(BaseModel):
    wire_read_only: ClassVar = ("status",)

    request_id: str = Field(description="Any new text.")
    conference_solution_key: ConferenceSolutionKey | None = None


class ConferenceData(BaseModel):
    wire_read_only: ClassVar = (
        "conference_id",
        "conference_solution",
        "entry_points",
        "notes",
        "parameters",
        "signature",
    )

    create_request: CreateConference | None = None


class Attachment(BaseModel):
    wire_read_only: ClassVar = ("file_id",)

    file_url: str
    title: str | None = None
    mime_type: str | None = None
    icon_link: str | None = None


class ExtendedProperties(BaseModel):
    private: dict[str, str] | None = None
    shared: dict[str, str] | None = None


class ExtendedPropertiesPatch(BaseModel):
    private: dict[str, Annotated[str | None, Clearable()]] | None = None
    shared: dict[str, Annotated[str | None, Clearable()]] | None = None


class Source(BaseModel):
    url: str = Field(pattern="^https?://")
    title: str | None = None


class Organizer(BaseModel):
    wire_read_only: ClassVar = ("id", "self")

    email: str
    display_name: str | None = None


AutoDecline = Literal[
    "declineNone", "declineAllConflictingInvitations", "declineOnlyNewConflictingInvitations"
]


class OutOfOffice(BaseModel):
    auto_decline_mode: AutoDecline | None = None
    decline_message: str | None = None


class FocusTime(OutOfOffice):
    chat_status: Literal["available", "doNotDisturb"] | None = None


class OfficeLocation(BaseModel):
    building_id: str | None = None
    floor_id: str | None = None
    floor_section_id: str | None = None
    desk_id: str | None = None
    label: str | None = None


class CustomLocation(BaseModel):
    label: str | None = None


class HomeOffice(BaseModel):
    pass


class WorkingLocation(BaseModel):
    type: Literal["homeOffice", "officeLocation", "customLocation"]
    home_office: HomeOffice | None = None
    office_location: OfficeLocation | None = None
    custom_location: CustomLocation | None = None

    @model_validator(mode="after")
    def _details_fit_the_type(self) -> Self:
        given = {"homeOffice": self.home_office, "officeLocation": self.office_location}
        for name, value in {**given, "customLocation": self.custom_location}.items():
            if value is not None and name != self.type:
                raise ValueError(f"{name} needs type {name}")
        return self
