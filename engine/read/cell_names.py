"""What a spreadsheet calls its columns and cells."""


def column_letters(place: int) -> str:
    """A for 0, XFD for 16,383."""
    return (column_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def cell_name(row: int, place: int) -> str:
    """E3 for the fifth cell, place 4, of row 3."""
    return f"{column_letters(place)}{row}"
