import pytest

from charter.discovery.spelling import correct

KNOWN = dict.fromkeys(["attachment", "subscription", "workflow", "account", "refund", "label", "table"])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("attachement", "attachment"),
        ("subscripton", "subscription"),
        ("wokflow", "workflow"),
        ("acount", "account"),
        ("refnud", "refund"),
        ("refumd", "refund"),
    ],
)
def test_one_slip_is_corrected(written: str, meant: str) -> None:
    assert correct(written, KNOWN) == meant


@pytest.mark.parametrize(
    "written", ["lable1", "rfnd", "lab", "xyzxyzxyz", "konto", "x" * 500, "рефунд", "cable"]
)
def test_what_is_further_away_or_short_or_begins_otherwise_is_not(written: str) -> None:
    assert correct(written, KNOWN) is None
