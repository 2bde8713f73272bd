"""Spreadsheet names of columns and cells."""


def column_letters(place: int) -> str:
    """The letters of the column at index `place`: A for 0, XFD for 16,383."""
    return (column_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def cell_name(row: int, place: int) -> str:
    """The name of a cell: E3 for row 3 and the column at index 4."""
    return f"{column_letters(place)}{row}"
