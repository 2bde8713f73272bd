"""Names of what is pointed at."""

from engine.base.tags import class_tag, class_tags, is_lit, joined, names_in, row_tag, rows_of


def test_a_tag_may_stand_for_several_things() -> None:
    both = joined("w", "", joined("column a, b & c", "w"), row_tag(7))
    assert names_in(both) == ("w", "column a, b & c", "row 7")
    assert is_lit(both, frozenset({"row 7"}))
    assert not is_lit(both, frozenset({"row 70", "column a"}))
    assert names_in("") == ()
    assert not is_lit("", frozenset({"w"}))


def test_rows_and_classes() -> None:
    assert row_tag(0) == class_tag(-1) == ""
    assert class_tags(2) == ("class 0", "class 1")
    assert sorted(rows_of({"row 3", "w", "row 12", "rows"})) == [3, 12]
