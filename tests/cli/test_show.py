"""`charter show`."""

from charter import schema_tokens
from charter.cli.show import name_type
from charter.packs import stripe
from tests.cli.terminal import ask, ask_json, read_all_tools, show_on_terminal


def test_it_shows_all_about_a_tool() -> None:
    tool = stripe.refunds_create
    shown = ask_json("show", "stripe__refunds_create")
    assert shown["parameters"] == tool.to_json_schema()["parameters"]
    assert shown["tokens"] == schema_tokens(tool)
    assert shown["description"] == tool.description
    assert (shown["method"], shown["route"]) == ("POST", "v1/refunds")
    assert shown["hints"] == tool.hints
    assert shown["needs"]["charge"] == "charges_list"


def test_the_printed_page_has_every_part() -> None:
    text = ask("show", "stripe__refunds_create")
    for part in (
        "route   POST https://api.stripe.com/v1/refunds",
        "hints   ",
        "needs   charge from charges_list",
        "amount\tinteger",
        '"additionalProperties": false',
    ):
        assert part in text


def test_fields_of_objects_are_listed_under_the_names_that_a_call_takes() -> None:
    text = ask("show", "gmail__messages_send")
    assert "message.to\tlist of string" in text
    assert "message.classificationLabelValues[].labelId\tstring\trequired" in text


def test_fields_of_a_shared_definition_are_listed_where_it_is_used() -> None:
    text = ask("show", "gcalendar__events_patch")
    for time in ("start", "end"):
        assert f"{time}.dateTime\tdate-time\t" in text


def test_an_empty_text_that_clears_is_seen() -> None:
    assert "effective_at\tdate-time or ''\t" in ask("show", "stripe__invoices_update")


def test_scopes_are_shown() -> None:
    assert "scopes  https://www.googleapis.com/auth/gmail.send" in ask("show", "gmail__messages_send")


def test_every_tool_can_be_shown() -> None:
    for tool in read_all_tools():
        for schema in tool.to_json_schema()["parameters"].get("properties", {}).values():
            assert name_type(schema)


def test_a_terminal_shows_whole_parameter_names() -> None:
    assert "refund_application_fee" in show_on_terminal("show", "stripe__refunds_create", columns=60)
