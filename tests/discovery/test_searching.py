"""What one call of ToolSearch answers, and that the answer never grows with the tools held."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from charter import ToolSession, schema_tokens
from charter.discovery.index import Index
from charter.discovery.searching import MAX_CLOSE, show
from tests.discovery.samples import Plain, make_tool, make_tools

TOOLS = make_tools()


def _many(count: int) -> list[Plain]:
    return [Plain(f"pack{at % 20}", f"orders_{at}_list") for at in range(count)]


def test_matches_are_loaded_best_first() -> None:
    session = ToolSession(TOOLS)
    answer = session.search("create a refund", 2)
    assert answer["loaded"][0] == "stripe__refunds_create"
    assert answer["loaded"] == session.loaded
    assert set(answer) == {"loaded", "note"}


def test_several_needs_are_answered_in_order_three_each() -> None:
    loaded = ToolSession(TOOLS).search("+stripe list; drafts")["loaded"]
    assert [name.split("__")[0] for name in loaded] == ["stripe"] * 3 + ["gmail"] * 3


def test_the_same_search_answers_the_same_again() -> None:
    session = ToolSession(TOOLS)
    assert session.search("refunds") == session.search("refunds")


def test_order_of_the_tools_does_not_show_in_the_answer() -> None:
    for query in ("list", "+stripe list; send", "select:nothing", "zzz"):
        assert ToolSession(TOOLS).search(query) == ToolSession(TOOLS[::-1]).search(query)


def test_a_resident_tool_is_answered_and_not_loaded_again() -> None:
    session = ToolSession(TOOLS, resident=("stripe__refunds_create",))
    assert "stripe__refunds_create" in session.search("+stripe refund")["loaded"]
    assert "stripe__refunds_create" not in session.loaded


def test_unknown_names_come_back_with_close_ones_and_the_known_are_loaded() -> None:
    answer = ToolSession(TOOLS).search("select:stripe__refunds_creat,gmail__drafts_get")
    assert answer["loaded"] == ["gmail__drafts_get"]
    assert "stripe__refunds_create" in answer["unknown"]["stripe__refunds_creat"]


@pytest.mark.parametrize(
    "query", ["weather on mars", "zzzz; qqqq", "select:nothing_like_it", "+nosuchpack refund"]
)
def test_nothing_found_is_an_empty_answer_with_a_note_and_at_most_ten_close_names(query: str) -> None:
    answer = ToolSession(_many(500)).search(query)
    assert answer["loaded"] == []
    assert answer["note"]
    assert json.dumps(answer).count("pack") <= MAX_CLOSE + 1


def test_a_part_that_finds_nothing_is_told_beside_what_was_found() -> None:
    answer = ToolSession(TOOLS).search("zzzz; refunds create")
    assert answer["loaded"][0] == "stripe__refunds_create"
    assert "Nothing fits zzzz." in answer["note"]


@pytest.mark.parametrize(
    "query",
    [
        ";".join("select:" + ",".join(f"{part}_{at}_{'x' * 60}" for at in range(30)) for part in range(24)),
        ["select:" + ",".join(f"{part}_{at}" * 9 for at in range(900)) for part in range(24)],
        ";".join(["select:" + " ".join(f"word{at}" for at in range(2_000))] * 24),
        ";".join(f"zzz{part} " * 500 for part in range(24)),
    ],
    ids=["24 parts of unknown names", "long lists", "names without commas", "unknown words"],
)
def test_a_query_of_many_parts_is_looked_up_and_answered_as_one(
    query: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    find = Index._find

    def counted(index: Index, text: str, *args: Any, **options: Any) -> Any:
        read.append(len(text))
        return find(index, text, *args, **options)

    monkeypatch.setattr(Index, "_find", counted)
    answer = ToolSession(TOOLS).search(query)
    assert len(json.dumps(answer)) < 12_000
    assert len(answer.get("unknown", ())) <= 50
    assert len(read) <= 24 + 10 + 5
    assert sum(read) <= 4_000 + 15 * 200


_MANY = _many(2_000)


@settings(max_examples=40, deadline=None)
@given(
    st.text(max_size=200)
    | st.sampled_from(["orders list", "+pack1 orders; list", "select:orders_1,pack3__nothing"])
)
def test_an_answer_never_grows_with_the_tools_held(query: str) -> None:
    assert len(json.dumps(ToolSession(_MANY).search(query))) <= 3_000


@pytest.mark.parametrize("gap", [",", " ", ", ", "\n"])
def test_a_thousand_unknown_names_are_answered_shortly(gap: str) -> None:
    answer = ToolSession(_MANY).search("select:" + gap.join(f"nobody_{at}" for at in range(30_000)))
    assert answer["loaded"] == []
    assert len(answer["unknown"]) == 50


def test_a_budget_loads_what_fits_best_first_and_names_the_rest_with_its_cost() -> None:
    small, large = Plain("shop", "refund_small"), make_tool("shop", "refund_large")
    cost = schema_tokens(large)
    session = ToolSession([large, small], budget=cost - 1)
    answer = session.search("select:shop__refund_large,shop__refund_small")
    assert answer["loaded"] == session.loaded == ["shop__refund_small"]
    assert f"shop__refund_large ({cost})" in answer["note"]
    assert f"budget of {cost - 1} tokens" in answer["note"]


def test_what_is_loaded_already_counts_against_the_budget_and_is_not_counted_twice() -> None:
    cost = schema_tokens(TOOLS[0])
    session = ToolSession(TOOLS, budget=2 * cost)
    session.search("select:gmail__drafts_create")
    answer = session.search("select:gmail__drafts_create,gmail__drafts_get,gmail__drafts_send")
    assert answer["loaded"] == session.loaded == ["gmail__drafts_create", "gmail__drafts_get"]
    assert "gmail__drafts_send" in answer["note"]


def test_many_left_out_are_counted_and_not_all_named() -> None:
    names = ",".join(f"pack{at % 20}__orders_{at}_list" for at in range(50))
    note = ToolSession(_MANY, budget=0).search(f"select:{names}")["note"]
    assert note.count("__orders") == MAX_CLOSE
    assert "and 40 more" in note


def test_one_tool_that_cannot_be_built_does_not_take_the_others_with_it() -> None:
    session = ToolSession(
        [Plain("shop", "refund_broken", schema=ValueError("no")), Plain("shop", "refund_good")]
    )
    answer = session.search("refund")
    assert answer["loaded"] == session.loaded == ["shop__refund_good"]
    assert "Cannot be loaded: shop__refund_broken." in answer["note"]
    assert [tool.name for tool in session.definitions()] == ["ToolSearch", "shop__refund_good"]


def test_tools_are_prepared_when_they_are_loaded() -> None:
    class Prepared(Plain):
        ready = 0

        def prepare(self) -> None:
            self.ready += 1

    tools = [Prepared("shop", "refund_buy"), Prepared("shop", "refund_sell")]
    session = ToolSession(tools)
    for _ in range(2):
        session.search("select:shop__refund_sell")
    assert [tool.ready for tool in tools] == [0, 1]


def _needing(**needs: str) -> Any:
    return make_tool("stripe", "refunds_create", needs=needs)


def test_what_an_argument_needs_is_named_unless_it_can_be_called() -> None:
    tools = [_needing(id="charges_list"), make_tool("stripe", "charges_list")]
    session = ToolSession(tools)
    assert session.search("select:stripe__refunds_create")["needs"] == {"id": "stripe__charges_list"}
    assert "needs" not in session.search("select:stripe__refunds_create,stripe__charges_list")
    assert "needs" not in session.search("select:stripe__refunds_create")


def test_a_need_that_no_tool_here_meets_is_not_named() -> None:
    assert "needs" not in ToolSession([_needing(id="charges_list")]).search("refunds")


def test_two_tools_whose_arguments_share_a_name_are_told_apart() -> None:
    tools = [
        make_tool("shop", "refund", needs={"id": "orders"}),
        make_tool("shop", "reply", needs={"id": "mails"}),
        make_tool("shop", "orders"),
        make_tool("shop", "mails"),
    ]
    needs = ToolSession(tools).search("select:shop__refund,shop__reply")["needs"]
    assert needs == {"id": "shop__orders", "shop__reply.id": "shop__mails"}


@given(st.text(max_size=300))
def test_whatever_is_repeated_is_short_and_can_be_written(text: str) -> None:
    assert len(show(text)) <= 80
    show(text + "\ud800").encode()
