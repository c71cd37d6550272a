"""The catalogue: one for each set of tools, built lazily and once, from any thread."""

import gc
import threading
import weakref

import pytest

from charter import DeclarationError, ToolSession, json_tokens
from charter.discovery.catalogue import MAX_CATALOGUES, Catalogue, Options, find_catalogue
from charter.discovery.entry import Entry
from tests.discovery.samples import Plain, make_tool, make_tools


def test_the_same_tools_share_one_catalogue_and_others_do_not() -> None:
    tools = make_tools()
    assert find_catalogue(tuple(tools)) is find_catalogue(list(tools))
    assert find_catalogue(tools[:-1]) is not find_catalogue(tools)
    assert find_catalogue(make_tools()) is not find_catalogue(tools)


def test_catalogues_that_are_no_longer_used_are_let_go() -> None:
    tool = Plain("a", "b")
    watched = weakref.ref(tool)
    find_catalogue([tool])
    del tool
    for _ in range(MAX_CATALOGUES):
        find_catalogue([Plain("a", "b")])
    gc.collect()
    assert watched() is None


def test_threads_that_race_get_one_catalogue_and_one_index() -> None:
    tools = make_tools()
    barrier = threading.Barrier(8)
    found: list[tuple[int, int]] = []

    def build() -> None:
        barrier.wait()
        catalogue = find_catalogue(tools)
        found.append((id(catalogue), id(catalogue.index)))

    threads = [threading.Thread(target=build) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_nothing_is_rendered_until_it_is_sent() -> None:
    tools = [make_tool("stripe", "refunds_create"), make_tool("stripe", "refunds_list")]
    session = ToolSession(tools)
    session.definitions()
    session.catalogue.index  # noqa: B018  (builds it)
    assert [tool._parameters for tool in tools] == [None, None]
    session.search("select:stripe__refunds_create")
    assert [tool._parameters is None for tool in tools] == [False, True]


def test_a_schema_is_rendered_once_however_often_it_is_sent() -> None:
    tool = Plain("shop", "buy")
    for _ in range(3):
        session = ToolSession([tool], progressive=False)
        session.definitions()
    catalogue = find_catalogue([tool])
    assert catalogue.define("shop__buy") is catalogue.define("shop__buy")
    assert tool.rendered == 1


def test_a_definition_carries_the_qualified_name_and_the_cost_of_its_schema() -> None:
    tool = make_tool("stripe", "refunds_create")
    made = Catalogue([tool]).define("stripe__refunds_create")
    assert (made.name, made.description) == ("stripe__refunds_create", "Do refunds create.")
    assert made.tokens == json_tokens(tool.to_json_schema()["parameters"])


def test_entries_do_not_depend_on_the_order_of_the_tools() -> None:
    tools = make_tools()
    assert Catalogue(tools).entries == Catalogue(tools[::-1]).entries


def test_an_entry_holds_what_the_search_reads() -> None:
    tool = make_tool(
        "stripe",
        "refunds_create",
        "Give money back. Twice.",
        hints="chargeback",
        needs={"id": "charges_list"},
    )
    entry = Catalogue([tool]).entries[0]
    assert entry == Entry(
        "stripe__refunds_create",
        "stripe",
        "refunds_create",
        "Give money back.",
        "chargeback",
        {"id": "An id."},
        {"id": "stripe__charges_list"},
        "Twice.",
    )


def test_a_tool_of_another_pack_can_be_what_an_argument_needs() -> None:
    tool = make_tool("stripe", "refunds_create", needs={"id": "gmail__messages_list"})
    assert Catalogue([tool]).entries[0].needs == {"id": "gmail__messages_list"}


def test_a_tool_without_parameters_of_its_own_is_read_off_its_schema() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string", "description": "Which."}}}
    assert Catalogue([Plain("shop", "buy", schema=schema)]).entries[0].parameters == {"city": "Which."}


def test_a_tool_that_cannot_be_rendered_is_found_all_the_same() -> None:
    catalogue = Catalogue([Plain("shop", "buy", schema=ValueError("no")), Plain("shop", "sell")])
    assert [entry.name for entry in catalogue.entries] == ["shop__buy", "shop__sell"]
    assert not catalogue.prepare("shop__buy")
    assert catalogue.prepare("shop__sell")


def test_an_unknown_resident_is_refused_with_close_names() -> None:
    catalogue = Catalogue(make_tools())
    with pytest.raises(
        DeclarationError, match=r"no tool 'stripe__refund_create'. Use stripe__refunds_create"
    ):
        catalogue.open(Options(resident=frozenset(["stripe__refund_create"])))


def test_a_mode_is_set_on_every_tool_or_refused() -> None:
    class Moded(Plain):
        def with_mode(self, mode: str) -> "Plain":
            return Plain(self.pack, f"{self.name}_{mode}")

    tools = [Moded("shop", "buy")]
    assert list(find_catalogue(tools, ("pro",)).tools) == ["shop__buy_pro"]
    assert find_catalogue(tools, ("pro",)) is find_catalogue(tools, ("pro",))
    with pytest.raises(DeclarationError, match="mode='pro', but shop__sell has no modes"):
        find_catalogue([*tools, Plain("shop", "sell")], ("pro",))


def test_a_schema_that_is_handed_out_is_a_copy_and_so_is_the_one_that_came_in() -> None:
    own = {"type": "object", "properties": {"id": {"type": "string"}}}
    catalogue = Catalogue([Plain("shop", "buy", schema=own)])
    for dialect in (None, "openai"):
        first = catalogue.define("shop__buy", dialect).parameters
        first["properties"]["id"]["type"] = "integer"
        own["properties"]["id"] = {"type": "boolean"}
        second = catalogue.define("shop__buy", dialect).parameters
        assert second["properties"]["id"] == {"type": "string"}
        assert second["properties"] is not catalogue.define("shop__buy", dialect).parameters["properties"]
