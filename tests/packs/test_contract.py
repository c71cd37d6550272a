"""The rules that every tool of every pack keeps, and for each a test that breaks it on purpose to see it caught.

What vendors document of their objects is in `vendors`. Not here: what one pack alone keeps.
"""

import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from graphql import TypeInfo, TypeInfoVisitor, Visitor, get_named_type, parse, visit
from pydantic import BaseModel

from charter import Api, APIError, Pages, Tool, ToolValidationError, keep
from charter.packs import PACKS, linear, stripe
from charter.schema.cost import json_tokens
from charter.schema.view import validate_arguments
from tests.packs.linear.vendor import SCHEMA
from tests.packs.vendors import VENDORS, Coin, Vendor, options_within

pytestmark = pytest.mark.anyio

MOST_TOKENS = 2_500
"""What a page of realistic items may cost that nobody asked a length for."""

TOOLS = [tool for vendor in VENDORS.values() for tool in vendor.tools]
UPDATES = [
    tool for tool in TOOLS if re.fullmatch(r"\w+_(update|patch)", tool.name) and "batch" not in tool.name
]
PAGED = [tool for tool in TOOLS if tool.pagination]

INSTRUCTIONS = {
    "stripe": "add_invoice_items deleted clear_usage off_session payment_behavior proration_behavior proration_date "
    "submit transfer_lookup_key trial_from_plan validate_location",
    "linear": "addedLabelIds removedLabelIds",
    "gmail": "",
    "gcalendar": "sendUpdates ifMatch addAttendees removeAttendees",
}
"""Arguments of updates that say how to do it, and leave nothing behind to read."""

SHOWN_ELSEWHERE = {
    "gmail drafts_update.message.attachments.content": "messages_attachments_get shows it",
    "gmail drafts_update.message.attachments.messageId": "the id of the message that the file is in",
    "gmail drafts_update.message.html": "shown as the text that a reader sees",
    "gcalendar events_patch.end.date": "an event has a date or a moment",
    "gcalendar events_patch.start.date": "an event has a date or a moment",
    "gcalendar events_update.end.date": "an event has a date or a moment",
    "gcalendar events_update.start.date": "an event has a date or a moment",
    "stripe customers_update.source": "becomes the customer's default_source",
    "stripe invoices_update.application_fee_amount": "an invoice does not show it; its payment's charge does",
    "stripe invoices_update.days_until_due": "becomes due_date",
    "stripe invoices_update.transfer_data": "an invoice does not show it; its payment does",
    "stripe invoice_items_update.price_data": "becomes pricing",
    "stripe invoice_items_update.pricing.price": "shown as pricing.price_details.price",
    "stripe invoice_items_update.tax_behavior": "becomes that of the price",
    "stripe invoice_items_update.tax_code": "becomes that of the product",
    "stripe invoice_items_update.unit_amount_decimal": "shown as pricing.unit_amount_decimal",
    "stripe subscriptions_update.items.price_data": "becomes price",
}
"""What an update writes and its object shows under another name, or not at all."""

NOT_TAKEN_BACK = {
    "gcalendar events_update.focusTimeProperties": "an event has those of its own kind alone",
    "gcalendar events_update.outOfOfficeProperties": "an event has those of its own kind alone",
    "gcalendar events_update.workingLocationProperties": "an event has those of its own kind alone",
    "gcalendar events_patch.workingLocationProperties.customLocation": "a place is of one kind",
    "gcalendar events_patch.workingLocationProperties.officeLocation": "a place is of one kind",
    "stripe disputes_update.evidence.enhanced_evidence.visa_compelling_evidence_3": "left out of the pack",
    "stripe invoice_items_update.pricing": "Stripe takes a price and shows price_details",
    "stripe prices_update.currency_options.eur.custom_unit_amount": "left out of the pack",
    "stripe prices_update.currency_options.eur.tiers": "left out of the pack",
    "stripe subscriptions_update.billing_cycle_anchor": "shown is a moment; written is whether to move it",
}
"""What a read shows under the name of an argument that takes something else."""

NO_TOOL = {
    "stripe": {
        "account": "a platform's own choice; accounts_list shows them",
        "client_reference_id": "the caller's own",
        "coupon": "made in the dashboard",
        "customer_account": "an account that is a customer; shown with it",
        "default_source": "legacy; a customer shows them under sources",
        "destination": "a platform's own choice; accounts_list and payouts_list show them",
        "discount": "shown by what it is on",
        "evidence": "files are uploaded by the host",
        "id": "the caller's own, of a new product",
        "ids": "products seen before",
        "mandate": "shown by the payment that made it",
        "meter": "made in the dashboard",
        "on_behalf_of": "a platform's own choice; accounts_list shows them",
        "payment_link": "made in the dashboard",
        "payment_method_configuration": "made in the dashboard",
        "price": "as for items, beside it",
        "product": "products_list, as for the price beside it",
        "promotion_code": "made in the dashboard",
        "shipping_rate": "made in the dashboard",
        "source": "a card's token, made by the page that took the card",
        "tax_code": "of Stripe's published list",
        "test_clock": "made by the host's tests",
    },
    "linear": {"templateId": "no tool lists templates"},
    "gmail": {
        "addClassificationLabels": "set up by the organisation; a mail shows its own",
        "attachments": "messages_get, within a mail",
        "classificationLabelValues": "set up by the organisation; a mail shows its own",
        "removeClassificationLabelIds": "as for those that are added",
        "threadId": "messages_get, within a mail",
    },
    "gcalendar": {
        "buildingId": "of the organisation's own directory",
        "deskId": "of the organisation's own directory",
        "floorId": "of the organisation's own directory",
        "floorSectionId": "of the organisation's own directory",
        "requestId": "the caller's own",
        "colorId": "one of eleven, in its description",
        "id": "the caller's own, of a new event",
    },
}
"""Id arguments that no tool yields, by any part of their path, and why."""


def reading_tool(update: Tool, tools: tuple[Tool, ...]) -> Tool | None:
    """Return the tool that reads one of what an update changes."""
    stem = update.name.rpartition("_")[0]
    return next((tool for tool in tools if tool.name in (f"{stem}_retrieve", f"{stem}_get")), None)


def holes_of(update: Tool) -> set[str]:
    """Return the arguments that say what is changed."""
    return {*re.findall(r"{(\w+)}", update.route), "id", "ids"}


def least_of(tool: Tool) -> dict[str, Any]:
    """Return the least that a reading tool is called with: ids and words."""
    schema = tool.to_json_schema()["parameters"]
    return dict.fromkeys(schema.get("required", ()), "1")


async def show(tool: Tool, vendor: Vendor, is_given: Coin = lambda _: True) -> Any:
    """Return what a reading tool shows of the vendor's answer to the least call."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=vendor.answer(tool, request, is_given))

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        return await tool.ainvoke(least_of(tool), client=client, headers={"Authorization": "Bearer key_1"})


def without_pages(value: Any, path: str = "") -> Any:
    """Write each whole page within an object as its items, and leave out what is not taken back."""
    if isinstance(value, list):
        return [without_pages(item, path) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("has_more") is False and "data" in value:
        return without_pages(value["data"], path)
    below = {name: f"{path}.{name}" for name in value}
    return {
        name: without_pages(child, below[name])
        for name, child in value.items()
        if below[name].lstrip(".") not in NOT_TAKEN_BACK
    }


# What a read shows, the write accepts.


def find_refused(update: Tool, shown: Mapping[str, Any]) -> list[str]:
    """Return what an update refuses of what is shown under the same name, with why."""
    schema = update.to_json_schema()["parameters"]
    needed = {name: shown.get(name, "1") for name in schema.get("required", ())}
    refused: list[str] = []
    for name in sorted((set(schema["properties"]) & set(shown)) - holes_of(update)):
        given = without_pages({name: shown[name]}, f"{update.pack} {update.name}")
        try:
            validate_arguments(update.plan, {**needed, **given}) if given else None
        except ToolValidationError as error:
            refused.append(str(error))
    return refused


@pytest.mark.parametrize("update", UPDATES, ids=lambda tool: tool.qualified_name)
async def test_what_a_read_shows_the_write_accepts(update: Tool) -> None:
    vendor = VENDORS[update.pack]
    reader = reading_tool(update, vendor.tools)
    assert reader, f"nothing reads one of what {update.name} changes"
    assert find_refused(update, await show(reader, vendor)) == []


class Colour(BaseModel):
    name: str


class ThingsUpdate(BaseModel):
    """Change a thing."""

    id: str
    colour: Colour | None = None
    note: str | None = None
    owner_id: str | None = None


shop = Api("stripe", base_url="https://shop.example/")
things_update = shop.post("things/{id}", ThingsUpdate)


def test_a_member_that_comes_back_in_another_shape_is_caught() -> None:
    assert find_refused(things_update, {"id": "1", "colour": {"name": "red"}, "more": 1}) == []
    assert find_refused(things_update, {"id": "1", "colour": "red"})
    assert find_refused(things_update, {"id": "1", "colour": {"name": "red", "made_at": 1}})


# Every writable member can be read.


def find_hidden(update: Tool, shown: Any, vendor: Vendor) -> list[str]:
    """Return what an update writes that no read of its object shows, where it is no instruction."""
    schema = update.to_json_schema()["parameters"]
    members = {name: child for name, child in schema["properties"].items() if name not in holes_of(update)}
    where = f"{update.pack} {update.name}"
    return sorted(set(_hidden(members, schema.get("$defs", {}), shown, where, vendor)))


def _hidden(members: Mapping[str, Any], defs: Any, shown: Any, where: str, vendor: Vendor) -> Iterator[str]:
    for name, child in members.items():
        path = f"{where}.{name}"
        if name in INSTRUCTIONS[where.partition(" ")[0]].split() or path in SHOWN_ELSEWHERE:
            continue
        there = [one for one in vendor.stored_as(name) if isinstance(shown, dict) and one in shown]
        if not there:
            yield path
            continue
        inner = _first_item(shown[there[0]])
        for option in options_within(child, defs) if isinstance(inner, dict) else ():
            for item in options_within(option.get("items", option), defs):
                yield from _hidden(item.get("properties", {}), defs, inner, path, vendor)


def _first_item(value: Any) -> Any:
    """Return one item of a list or of a page, and any other value as it is."""
    if isinstance(value, dict) and "has_more" in value:
        value = value.get("data")
    return value[0] if isinstance(value, list) and value else value


@pytest.mark.parametrize("update", UPDATES, ids=lambda tool: tool.qualified_name)
async def test_every_member_that_an_update_writes_can_be_read(update: Tool) -> None:
    vendor = VENDORS[update.pack]
    reader = reading_tool(update, vendor.tools)
    assert reader
    assert find_hidden(update, await show(reader, vendor), vendor) == []


def test_a_member_that_no_read_shows_is_caught() -> None:
    shown = {"colour": {"name": "red"}, "note": "x", "owner": {"id": "1"}}
    assert find_hidden(
        things_update, shown, replace(VENDORS["stripe"], stored_as=VENDORS["linear"].stored_as)
    ) == ["stripe things_update.owner_id"]
    shown = {"colour": {}, "owner_id": "1"}
    assert find_hidden(things_update, shown, VENDORS["stripe"]) == [
        "stripe things_update.colour.name",
        "stripe things_update.note",
    ]


# What the vendor lets clear can be cleared, and what would change nothing is refused.


@pytest.mark.parametrize("update", UPDATES, ids=lambda tool: tool.qualified_name)
def test_every_member_that_the_vendor_clears_can_be_cleared(update: Tool) -> None:
    assert VENDORS[update.pack].find_uncleared(update) == []


def test_a_member_that_cannot_be_cleared_is_caught() -> None:
    kept = stripe.customers_update.derived(name="customers_update", drop=["metadata"])
    assert VENDORS["stripe"].find_uncleared(kept) == []

    class CustomersUpdate(BaseModel):
        """Change a customer."""

        customer: str
        metadata: dict[str, str] | None = None

    update = shop.post("v1/customers/{customer}", CustomersUpdate)
    assert VENDORS["stripe"].find_uncleared(update) == ["metadata"]

    class CommentUpdate(BaseModel):
        """Change a comment."""

        id: str
        body: str | None = None
        quotedText: str | None = None

    assert linear.comment_update.document
    text = linear.comment_update.document.text
    stiff = Api("linear", base_url="https://shop.example/").mutation(text, CommentUpdate)
    assert VENDORS["linear"].find_uncleared(stiff) == ["quotedText"]


def find_idle(update: Tool) -> bool:
    """Return whether an update is taken that would change nothing."""
    required = update.to_json_schema()["parameters"].get("required", ())
    if set(required) - holes_of(update):
        return False
    try:
        validate_arguments(update.plan, {name: ["1"] if name == "ids" else "1" for name in required})
    except ToolValidationError:
        return False
    return True


@pytest.mark.parametrize(
    "update", [*UPDATES, linear.issue_batch_update], ids=lambda tool: tool.qualified_name
)
def test_an_update_of_nothing_is_refused(update: Tool) -> None:
    assert not find_idle(update)


def test_an_update_of_nothing_that_is_taken_is_caught() -> None:
    assert find_idle(things_update)


# Every id argument has a tool that yields it, or a reason.


def find_orphans(tool: Tool, vendor: Vendor) -> list[str]:
    """Return the id arguments of a tool that no other tool is said to yield, and that have no reason."""
    schema = tool.to_json_schema()["parameters"]
    defs, holes = schema.get("$defs", {}), set(re.findall(r"{(\w+)}", tool.route))
    needed = {name.replace("_", "").lower() for name in tool.needs}
    orphans: set[str] = set()
    waiting = list(schema.get("properties", {}).items())
    while waiting:
        path, child = waiting.pop()
        parts = path.split(".")
        has_reason = path not in holes and bool(set(parts) & NO_TOOL[tool.pack].keys())
        if has_reason or parts[0] in ("filter", "expand") or parts[0].replace("_", "").lower() in needed:
            continue
        for option in options_within(child, defs):
            for item in options_within(option.get("items", option), defs):
                waiting += [(f"{path}.{name}", inner) for name, inner in item.get("properties", {}).items()]
                is_text = "string" in json.dumps(item.get("type", "")) and not {"enum", "const"} & set(item)
                if path in holes or (is_text and vendor.is_id(parts[-1])):
                    orphans.add(path)
    return sorted(orphans)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.qualified_name)
def test_an_id_comes_from_a_tool_or_has_a_reason(tool: Tool) -> None:
    assert find_orphans(tool, VENDORS[tool.pack]) == []


def test_an_id_from_nowhere_is_caught() -> None:
    linear_ = VENDORS["linear"]

    class ThingsGet(BaseModel):
        """Read a thing."""

        id: str
        shelfIds: list[str] | None = None

    tool = shop.get("things/{id}", ThingsGet)
    assert find_orphans(tool, linear_) == ["id", "shelfIds"]

    class ThingsMove(BaseModel):
        """Move a thing."""

        charge: str
        shelf: Colour | None = None

    assert find_orphans(shop.post("move", ThingsMove), VENDORS["stripe"]) == ["charge"]
    assert (
        find_orphans(shop.post("move", ThingsMove, needs={"charge": "charges_list"}), VENDORS["stripe"]) == []
    )


# A page that nobody asked a length for is short, and says how to go on.


def often(path: str) -> bool:
    """Give half of the members that may be missing, the same ones each time."""
    return zlib.crc32(path.encode()) & 1 == 1


def find_page_faults(tool: Tool, raw: Any, shown: Any) -> list[str]:
    """Return what is wrong with a page as a model gets it: too long, or nothing to go on with."""
    pages = tool.pagination
    assert isinstance(pages, Pages)
    faults = [f"{cost} tokens"] if (cost := json_tokens(shown)) > MOST_TOKENS else []
    if pages.parameter not in tool.to_json_schema()["parameters"]["properties"]:
        faults.append(f"no argument {pages.parameter}")
    root = f"data.{tool.document.root}." if tool.document else ""
    for mark in filter(None, (pages.cursor, pages.more)):
        path = mark.removeprefix(root)
        if find_at(raw, mark) and find_at(shown, path) != find_at(raw, mark):
            faults.append(f"no {path}")
    return faults


def find_at(value: Any, path: str) -> Any:
    for step in path.split("."):
        if isinstance(value, list):
            value = value[int(step)] if value else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


@pytest.mark.parametrize("tool", PAGED, ids=lambda tool: tool.qualified_name)
async def test_a_page_is_short_and_says_how_to_go_on(tool: Tool) -> None:
    vendor, raw = VENDORS[tool.pack], list[Any]()

    def answer(tool: Tool, request: httpx2.Request, is_given: Coin) -> Any:
        raw.append(vendor.answer(tool, request, is_given))
        return raw[-1]

    shown = await show(tool, replace(vendor, answer=answer), often)
    assert find_page_faults(tool, raw[-1], shown) == []


def test_a_long_page_and_one_that_ends_in_the_dark_are_caught() -> None:
    raw = {"data": [{"id": f"ch_{at}", "note": "x" * 1_500} for at in range(10)], "has_more": True}
    tool = stripe.charges_list
    assert find_page_faults(tool, raw, keep("has_more", "data.id")(raw)) == []
    assert find_page_faults(tool, raw, raw) == ["3816 tokens"]
    assert find_page_faults(tool, raw, keep("data.note")({"data": raw["data"][:1]})) == [
        "no data.-1.id",
        "no has_more",
    ]


# Too many requests: wait.


async def find_impatient(tool: Tool, vendor: Vendor) -> list[str]:
    """Return what a model is told of the vendor's rate-limit answers where it is not told to wait."""
    told: list[str] = []
    for status, headers, body in vendor.throttled:
        reply = httpx2.Response(status, headers=headers, json=body)
        async with httpx2.AsyncClient(transport=httpx2.MockTransport(lambda _, reply=reply: reply)) as client:
            with pytest.raises(APIError) as caught:
                await tool.ainvoke(least_of(tool), client=client, headers={"Authorization": "Bearer key_1"})
        advice = caught.value.for_model()
        told += [] if re.search(r"[Ww]ait", advice) else [advice]
    return told


READERS = [next(tool for tool in vendor.tools if tool.is_read_only) for vendor in VENDORS.values()]


@pytest.mark.parametrize("tool", READERS, ids=lambda tool: tool.pack)
async def test_a_rate_limit_is_told_as_wait(tool: Tool) -> None:
    assert await find_impatient(tool, VENDORS[tool.pack]) == []


async def test_a_limit_that_is_told_as_a_mistake_is_caught() -> None:
    class ThingsList(BaseModel):
        """List things."""

    other = replace(VENDORS["linear"], throttled=((400, {}, {"error": {"code": "BUSY", "message": "Busy"}}),))
    assert len(await find_impatient(shop.get("things", ThingsList), other)) == 1


# A document asks for nothing that its vendor is about to take away.


def find_deprecated(document: str) -> list[str]:
    """Return the deprecated fields, arguments and members that a document of Linear's names."""
    info, found = TypeInfo(SCHEMA), list[str]()

    class Deprecated(Visitor):
        def enter(self, node: Any, *_: Any) -> None:
            known = {
                "field": info.get_field_def,
                "argument": info.get_argument,
                "object_field": lambda: get_named_type(info.get_parent_input_type()).fields[node.name.value],  # type: ignore[union-attr]
            }.get(node.kind)
            if known and getattr(known(), "deprecation_reason", None):
                found.append(node.name.value)

    visit(parse(document), TypeInfoVisitor(info, Deprecated()))
    return found


def find_deprecated_members(node: Any, defs: Any, type_name: str, seen: set[str]) -> Iterator[str]:
    """Yield the deprecated members of an input object that a tool's schema offers."""
    members = getattr(SCHEMA.type_map[type_name], "fields", None)
    if members is None or type_name in seen:
        return
    seen.add(type_name)
    for option in options_within(node, defs):
        for item in options_within(option.get("items", option), defs):
            for name, child in item.get("properties", {}).items():
                if members[name].deprecation_reason:
                    yield f"{type_name}.{name}"
                yield from find_deprecated_members(child, defs, get_named_type(members[name].type).name, seen)


@pytest.mark.parametrize(
    "tool", [*linear.TOOLS, linear.issues_list_full], ids=lambda tool: tool.qualified_name
)
def test_nothing_deprecated_is_asked_for_or_offered(tool: Tool) -> None:
    assert tool.document is not None
    assert find_deprecated(tool.document.text) == []
    schema = tool.to_json_schema()["parameters"]
    for name, variable in tool.document.variables.items():
        child = schema["properties"][name]
        kind = variable.type.strip("[]!")
        if kind in SCHEMA.type_map:
            assert list(find_deprecated_members(child, schema.get("$defs", {}), kind, set())) == []


def test_a_deprecated_member_is_caught() -> None:
    assert find_deprecated("{ team(id: 1) { id private } }") == ["private"]
    offered = {"properties": {"team": {"properties": {"private": {"properties": {}}}}}}
    assert list(find_deprecated_members(offered, {}, "IssueFilter", set())) == ["TeamFilter.private"]


# Every tool is in its pack, finds its needs, and has words of its own.


def find_misdeclared(tool: Tool, tools: tuple[Tool, ...]) -> list[str]:
    """Return what is wrong with a tool's needs and hints."""
    names = {each.name for each in tools}
    said = set(re.findall(r"\w+", f"{tool.name.replace('_', ' ')} {tool.description}".lower()))
    faults = [f"no tool {made}" for made in tool.needs.values() if made not in names]
    faults += [] if set(tool.needs.values()) - {tool.name} == set(tool.needs.values()) else ["needs itself"]
    faults += [] if set(re.findall(r"\w+", tool.hints.lower())) - said else ["no words of its own"]
    return faults


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.qualified_name)
def test_a_tool_finds_what_it_needs_and_has_words_of_its_own(tool: Tool) -> None:
    assert find_misdeclared(tool, VENDORS[tool.pack].tools) == []


def test_a_tool_that_needs_none_that_is_there_is_caught() -> None:
    stray = shop.post("things", ThingsUpdate, needs={"id": "things_list"}, hints="things")
    assert find_misdeclared(stray, (stray,)) == ["no tool things_list", "no words of its own"]


def test_every_list_declares_its_paging() -> None:
    listing = {t.qualified_name for t in TOOLS if re.search(r"_(list|search|line_items)$|^search_", t.name)}
    assert listing - {tool.qualified_name for tool in PAGED} == {"gmail__labels_list"}


def test_no_reason_outlives_its_argument() -> None:
    for pack, vendor in VENDORS.items():
        schemas = json.dumps([tool.to_json_schema()["parameters"] for tool in vendor.tools])
        names = [*NO_TOOL[pack], *INSTRUCTIONS[pack].split()]
        assert [name for name in names if f'"{name}": {{' not in schemas] == [], pack
    reasons = {*SHOWN_ELSEWHERE, *NOT_TAKEN_BACK}
    updates = {f"{tool.pack} {tool.name}" for tool in UPDATES}
    assert [path for path in reasons if path.partition(".")[0] not in updates] == []


def test_every_pack_is_held_to_the_rules() -> None:
    assert set(VENDORS) == set(PACKS)
