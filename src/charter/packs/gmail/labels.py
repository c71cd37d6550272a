"""Labels: Gmail's folders and tags. List, read, make, change and delete them.

Not here: putting a label on mail. `messages_modify` and `threads_modify` do.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, Field

from charter import AtLeastOneOf, keep
from charter.packs.gmail.api import Mailbox, api, scope

__all__ = ["PALETTE", "TOOLS"]

PALETTE = frozenset(
    f"#{colour}"
    for colour in """
    000000 007286 04502e 076239 083018 094228 0b4f30 0b804b 0d3472 0d3b44 149e60 16a765 16a766 1a764d
    1c4587 1e53b8 202124 285bac 2a9c68 2da2bb 3c78d8 3d188e 3dc789 41236d 42d692 434343 43d692 44b984
    464646 4986e7 4a86e8 521d28 54240e 594c05 633e04 653e9b 662e37 666666 684e07 68dfa9 6d9eeb 711a36
    757575 7858c3 7a2e0b 7a4706 822111 83334c 89d3b2 8a1c0a 8e63ce 98d7e4 994a64 999999 a0eac9 a2dcc1
    a46a21 a479e2 a4c2f4 aa8831 ac2b16 b3efd3 b65775 b694e8 b6cff5 b99aff b9e4d0 c2185b c2c2c2 c6f3de
    c9daf8 cc3a21 cca6ac cccccc cf8933 d0bcf1 d5ae49 d93025 e07798 e3d7ff e4d7f5 e66550 e7e7e7 eaa041
    ebdbde efa093 efefef f2b2a8 f2c960 f3f3f3 f691b2 f691b3 f6c5be f7a7c0 fad165 fb4c2f fbc8d9 fbd3e0
    fbe983 fcda83 fcdee8 fce8b3 fdedc1 fef1d1 ff7537 ffad46 ffad47 ffbc6b ffc8af ffd6a2 ffdeb5 ffe6c7
    ffffff
    """.split()
)
"""The only colours that Gmail accepts."""


def _check_colour(colour: str) -> str:
    """Accept a colour of the palette; name the three nearest of any other."""
    lower = colour.lower()
    if lower in PALETTE:
        return lower
    nearest = sorted(PALETTE, key=lambda each: (_distance(lower, each), each))[:3]
    raise ValueError(f"{colour!r} is not a label colour of Gmail's. The nearest are {', '.join(nearest)}")


def _distance(one: str, other: str) -> int:
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return sum((a - b) ** 2 for a, b in pairs)


Colour = Annotated[str, Field(pattern="^#[0-9a-fA-F]{6}$"), AfterValidator(_check_colour)]


class LabelColour(BaseModel):
    """Text and background together, or neither."""

    background_color: Colour = Field(
        description="From Gmail's palette: red #fb4c2f, orange #ffad47, yellow #fad165, green #16a766, "
        "blue #4a86e8, purple #a479e2, pink #f691b3, grey #cccccc, …"
    )
    text_color: Colour = Field(description="Likewise: black #000000, white #ffffff, …")


InList = Literal["labelShow", "labelShowIfUnread", "labelHide"]
InMessages = Literal["show", "hide"]


class LabelsList(Mailbox):
    """List all labels, Gmail's own and the user's, with their ids."""


labels_list = api.get(
    "gmail/v1/users/{userId}/labels",
    LabelsList,
    hints="folders tags categories",
    response_handler=keep("labels.id", "labels.name", "labels.type"),
    scopes=scope("labels"),
)


class LabelsGet(Mailbox):
    """Get a label: settings, colour, and how many messages and threads it holds, read and unread."""

    id: str


labels_get = api.get(
    "gmail/v1/users/{userId}/labels/{id}",
    LabelsGet,
    hints="folder tag count how many unread",
    scopes=scope("labels"),
    needs={"id": "labels_list"},
)


class LabelsCreate(Mailbox):
    """Make a label."""

    name: str = Field(description="Parent/Child nests it.")
    label_list_visibility: InList | None = Field(None, description="Default labelShow.")
    message_list_visibility: InMessages | None = Field(None, description="Default show.")
    color: LabelColour | None = None


labels_create = api.post(
    "gmail/v1/users/{userId}/labels",
    LabelsCreate,
    hints="new add folder tag category color background",
    scopes=scope("labels"),
)


class LabelsUpdate(Mailbox):
    """Replace all settings of a label. To change some, use labels_patch."""

    id: str
    name: str
    label_list_visibility: InList
    message_list_visibility: InMessages
    color: LabelColour | None = None


labels_update = api.put(
    "gmail/v1/users/{userId}/labels/{id}",
    LabelsUpdate,
    hints="folder tag overwrite rename color",
    scopes=scope("labels"),
    needs={"id": "labels_list"},
)


class LabelsPatch(Mailbox):
    """Change a label's name, visibility or colour; the rest stays."""

    id: str
    name: str | None = None
    label_list_visibility: InList | None = None
    message_list_visibility: InMessages | None = None
    color: LabelColour | None = None

    wire_rules: ClassVar = (
        AtLeastOneOf("name", "label_list_visibility", "message_list_visibility", "color"),
    )


labels_patch = api.patch(
    "gmail/v1/users/{userId}/labels/{id}",
    LabelsPatch,
    hints="folder tag rename recolour color hide show edit",
    scopes=scope("labels"),
    needs={"id": "labels_list"},
)


class LabelsDelete(Mailbox):
    """Delete a label for good and take it off all mail; the mail stays."""

    id: str


labels_delete = api.delete(
    "gmail/v1/users/{userId}/labels/{id}",
    LabelsDelete,
    hints="remove folder tag category",
    scopes=scope("labels"),
    needs={"id": "labels_list"},
)

TOOLS = (labels_list, labels_get, labels_create, labels_update, labels_patch, labels_delete)
