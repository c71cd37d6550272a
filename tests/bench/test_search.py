import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from bench import search
from charter.discovery.index import Hit, Index


def write(path: Path, rows: list[Any]) -> None:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


class Fixed:
    """Finds the same names for everything."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def find(self, text: str, limit: int = 5, **_: Any) -> list[Hit]:
        return [Hit(name, 1.0) for name in self.names[:limit]]


def test_a_set_is_read_gzipped_or_not(tmp_path: Path) -> None:
    write(tmp_path / "one/tools.jsonl.gz", [{"name": "a__b", "description": None, "parameters": None}])
    write(tmp_path / "one/queries.jsonl.gz", [{"query": "b", "gold": ["a__b"]}])
    write(tmp_path / "one/queries_kw.jsonl", [{"query": "bb", "gold": ["a__b"], "from": "b"}])
    write(tmp_path / "two/tools.jsonl", [])
    (data,) = search.read_sets(tmp_path)
    assert (data.name, data.entries[0].leaf) == ("one", "b")
    assert [query.text for query in (*data.sentences, *data.keywords)] == ["b", "bb"]


def test_recall_is_the_share_of_gold_at_each_depth() -> None:
    finder = Fixed("x", "a", "y", "z", "b")
    figures = search.measure(finder, [search.Query("q", frozenset("ab")), search.Query("q", frozenset("n"))])
    assert figures.recall == (0.0, 0.25, 0.5, 0.5)
    assert figures.rank == 0.25


def test_the_last_line_sums_up_the_sets(capsys: pytest.CaptureFixture[str]) -> None:
    assert search.main(["--data", str(search.OWN)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("mean recall@5: sentences 0.")
    assert ", keywords " in lines[-1]
    assert lines[0].startswith("town (39)")


def test_ablation_prints_a_line_for_each_part(capsys: pytest.CaptureFixture[str]) -> None:
    search.main(["--data", str(search.OWN), "--ablate"])
    out = capsys.readouterr().out
    assert all(f"without {part}" in out for part in search.PARTS)


REQUESTS = [
    search.Request("1", "request", "x", (frozenset({"a", "b"}), frozenset({"c"})), ("+a x", "y")),
    search.Request("2", "keyword", "x", (frozenset({"d"}),), ()),
    search.Request("3", "request", "x", (), ()),
    search.Request("4", "request", "x", (frozenset({"gone"}),), ("x",)),
]
ENTRIES = search.make_entries(0) + [search.read_entry(name, "") for name in "abcd"]


def test_a_request_is_served_when_every_need_is_met(capsys: pytest.CaptureFixture[str]) -> None:
    line = search.show_packs(REQUESTS, ENTRIES, Fixed("b", "c"))
    assert line == "all needed in five: requests 1.0000, keywords 0.0000; nothing returned 0 of 1"
    assert "1 of 4 left out" in capsys.readouterr().out
    assert "requests 0.0000" in search.show_packs(REQUESTS, ENTRIES, Fixed("a", "b"), quiet=True)
    assert "1 of 1" in search.show_packs(REQUESTS, ENTRIES, Fixed(), quiet=True)


def test_calls_are_served_by_the_first_hits_of_each_query() -> None:
    line = search.show_calls(REQUESTS, ENTRIES, Fixed("x", "a", "c"))
    assert line == "all needed by calls: two hits a query 0.0000, three 1.0000"


def test_our_packs_are_measured_with_their_last_lines(capsys: pytest.CaptureFixture[str]) -> None:
    own = search.OWN / "packs"
    search.main(["--packs", str(own / "requests.jsonl"), "--groups", str(own / "groups.json")])
    assert capsys.readouterr().out.splitlines()[-1].startswith("all needed in five: requests 0.")


def test_made_up_tools_have_distinct_names_and_keep_to_the_real_ones() -> None:
    entries = search.make_entries(1_500)
    assert len({entry.name for entry in entries}) == 1_500
    assert Index.build(entries[:50]).find("refund") is not None


def test_a_search_over_the_packs_is_fast() -> None:
    built, (median, _) = search.measure_scale(90, search.read_own_texts())
    assert built < 2
    assert median < 10


@pytest.mark.parametrize("arguments", [[], ["--packs", "x"], ["--data", "x", "--ranker", "magic"]])
def test_arguments_that_say_nothing_to_measure_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        search.main(arguments)
