"""A row that is pointed at, in a table or as a point of the plane: one tag lights it, alone, in every place."""

from collections.abc import Iterable

ROW = "row "


def row_tag(number: int) -> str:
    """Of the row with this number in the whole table, from 1; "" for none."""
    return f"{ROW}{number}" if number > 0 else ""


def rows_of(lit: Iterable[str]) -> list[int]:
    """The numbers of the rows among lit tags."""
    return [int(tag.removeprefix(ROW)) for tag in lit if tag.startswith(ROW)]
