"""Normalising: the work is linear in the text, and every string of a call or a search goes this way."""

import ast
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from charter.discovery.entry import Entry
from charter.discovery.index import Index
from charter.discovery.query import parse
from charter.errors import CharterError
from charter.normalizing import LONGEST_WHOLE, normalize_each, normalize_short, strip_marks
from charter.wire.mail import Attachment, EmailContent, encode_mail
from charter.wire.path import encode_segment
from tests.house.sources import read_package
from tests.normalizing_work import ALTERNATING, COSTLY, CountedNormalisation

INDEX = Index.build([Entry("shop__orders_list", "shop", "orders_list", "List orders.")])

NORMALISED: dict[str, Callable[[str], object]] = {
    "a path value": lambda text: encode_segment(text, "tool: id"),
    "an address": lambda text: encode_mail(EmailContent(to=[text])),
    "a domain": lambda text: encode_mail(EmailContent(to=[f"ann@{text}.example"])),
    "a display name": lambda text: encode_mail(EmailContent(to=[f"{text} <ann@a.example>"])),
    "a subject": lambda text: encode_mail(EmailContent(subject=text)),
    "a file name": lambda text: encode_mail(
        EmailContent(attachments=[Attachment(filename=text, content="")])
    ),
    "references": lambda text: encode_mail(EmailContent(references=text)),
    "a need": INDEX.find,
    "a required word": lambda text: INDEX.find("order", required=[text]),
    "a name": lambda text: INDEX.select([text]),
    "a whole query": lambda text: [INDEX.find(need.text) for need in parse(text).needs],
}


@pytest.mark.parametrize("entry", NORMALISED.values(), ids=NORMALISED)
@settings(max_examples=25, suppress_health_check=list(HealthCheck), deadline=None)
@given(text=COSTLY)
def test_no_long_run_of_marks_is_ever_sorted(entry: Callable[[str], object], text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        counted = CountedNormalisation(patch)
        try:
            entry(text)
        except CharterError:
            pass
        assert counted.longest_run <= LONGEST_WHOLE
        assert counted.characters <= 200 * (len(text) + 100)


def test_normalisation_is_called_in_one_place_alone() -> None:
    callers = {
        source.name
        for source in read_package()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute)
        and node.attr in ("normalize", "is_normalized")
        and isinstance(node.value, ast.Name)
        and node.value.id == "unicodedata"
    }
    assert callers == {"normalizing.py"}


@given(st.text())
def test_marks_are_stripped_as_if_the_whole_were_normalised(text: str) -> None:
    parts = unicodedata.normalize("NFKD", text)
    bare = "".join(part for part in parts if unicodedata.category(part)[0] != "M")
    assert strip_marks(text) == unicodedata.normalize("NFC", bare)


def test_decomposed_hangul_is_joined() -> None:
    assert strip_marks(unicodedata.normalize("NFD", "환불")) == "환불"


@given(st.text("./\\;%25e \u2025\u2024\uff0e\uff0f\uff3c\u0300\u0316", max_size=12))
def test_dots_and_separators_are_seen_character_by_character(text: str) -> None:
    def read_separators(folded: str) -> list[str]:
        return [character for character in folded if character in "./\\;%"]

    assert read_separators(normalize_each(text)) == read_separators(unicodedata.normalize("NFKC", text))


def test_a_text_is_normalised_whole_only_where_it_is_short() -> None:
    assert normalize_short("e\u0301", "NFC") == "é"
    with pytest.raises(ValueError, match="more than 256 characters"):
        normalize_short(ALTERNATING * LONGEST_WHOLE)
