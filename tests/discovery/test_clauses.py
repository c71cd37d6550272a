import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.discovery.clauses import split_clauses

VERBS = frozenset({"send", "find"})


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("find the mail", ["find the mail"]),
        ("Find the mail. Send it to Ann now.", ["Find the mail.", "Send it to Ann now."]),
        ("find the new mail and send it on", ["find the new mail", "send it on"]),
        ("salt and pepper and some sugar", ["salt and pepper and some sugar"]),
        ("find all the mail, then archive them all", ["find all the mail", "then archive them all"]),
        ("Really. Find the new mail", ["Really.", "Find the new mail"]),
        ("Find the new mail. Thanks.", ["Find the new mail. Thanks."]),
        ("", []),
    ],
)
def test_a_request_is_cut_where_the_next_thing_to_do_begins(text: str, clauses: list[str]) -> None:
    assert split_clauses(text, VERBS) == clauses


@given(st.text())
def test_no_word_is_lost(text: str) -> None:
    kept = " ".join(split_clauses(text, VERBS)).split()
    lost = [word for word in text.split() if word not in kept]
    assert {word.strip(",").lower() for word in lost} <= {"and", "", *(word.strip(",") for word in kept)}
