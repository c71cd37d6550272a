"""The table of dialects is dated, sourced and whole."""

from datetime import date

import pytest

from charter import DeclarationError
from charter.schema.dialect_rules import DIALECTS, RULES, find_rules


def test_every_dialect_has_one_entry() -> None:
    assert set(RULES) == set(DIALECTS)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_entry_says_when_and_where_its_rules_were_read(dialect: str) -> None:
    rules = find_rules(dialect)
    assert date.fromisoformat(rules.as_of) >= date(2026, 1, 1)
    assert len(rules.source) > 40
    assert rules.tool_name.fullmatch("stripe__refunds_create")


def test_a_dialect_that_is_not_known_is_refused_with_those_that_are() -> None:
    with pytest.raises(
        DeclarationError, match=r"'grok' is not known\. Use one of openai, openai-strict, anthropic"
    ):
        find_rules("grok")
