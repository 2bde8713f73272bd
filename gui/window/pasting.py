"""Whether a text from the clipboard is a table: a letter that somebody copied must not take the place of the points."""

from engine.core.dataset import Column, Dataset
from engine.data.tables import guess_text

NO_TABLE = "The clipboard holds a text and no table: copy numbers, or cells of at least two columns."


def is_table(text: str, pasted: Dataset) -> bool:
    """`pasted` is what was read from `text`. Numbers make a table, though one alone does not; so do words in columns,
    unless blanks are all that parts them, as in a sentence."""
    if len(pasted) * len(pasted.columns) < 2:
        return False
    if any(_numbers(column) for column in pasted.columns):
        return True
    return len(pasted.columns) > 1 and guess_text(text).separator != " "


def _numbers(column: Column) -> bool:
    """Of a class that is called by a number too."""
    return column.feature.numeric or any(
        isinstance(label, (int, float)) and not isinstance(label, bool) for label in column.categories
    )
