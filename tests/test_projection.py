"""Projections are plain trees: they merge, and say what they hide."""

from charter.projection import WHOLE, Projection


def test_nothing_is_hidden_in_the_whole() -> None:
    assert WHOLE.is_whole
    assert not WHOLE.hides("a")
    assert WHOLE.under("a") is WHOLE


def test_a_pinned_field_is_hidden_too() -> None:
    projection = Projection(hidden=frozenset({"a"}), pins={"b": 1})
    assert (projection.hides("a"), projection.hides("b"), projection.hides("c")) == (True, True, False)


def test_merging_withholds_what_either_withholds() -> None:
    one = Projection(frozenset({"a"}), {"p": 1}, {"x": Projection(frozenset({"y"}))})
    other = Projection(
        frozenset({"b"}), {"q": 2}, {"x": Projection(frozenset({"z"})), "w": Projection(pins={"k": 0})}
    )
    merged = one.merged(other)
    assert merged.hidden == {"a", "b"}
    assert merged.pins == {"p": 1, "q": 2}
    assert merged.under("x").hidden == {"y", "z"}
    assert merged.under("w").pins == {"k": 0}


def test_pins_are_known_from_above() -> None:
    assert Projection(below={"x": Projection(below={"y": Projection(pins={"k": 0})})}).has_pins
    assert not Projection(frozenset({"a"})).has_pins
