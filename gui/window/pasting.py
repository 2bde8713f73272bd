"""Text from the clipboard as new rows or a new table; running text is refused, so that it does not
replace the points.
"""

from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.records import replace
from engine.document import edits
from engine.read.tables import guess_text, parse_counted
from engine.table.dataset import Column, Dataset
from gui.session.session import Session

NO_TABLE = (
    "The clipboard holds a text and no table: copy numbers, or cells of at least two columns."
)


def paste(session: Session, use: Callable[[Dataset], object]) -> None:
    """Paste cells from the clipboard: below the table when the columns fit, else as a new table,
    which is passed to `use`.
    """
    text = QApplication.clipboard().text()
    session.say("", "error")
    if not text.strip():
        session.say("The clipboard holds no cells to paste.", "error")
        return
    try:
        pasted, total = parse_counted(text)
        rows = counted(len(pasted), "row")
        rows = (
            rows if total == len(pasted) else f"A sample of {len(pasted):,} of the {total:,} rows"
        )
        try:
            document = session.document.in_lane(
                session.active, lambda seen: edits.paste_rows(seen, pasted)
            )
        except EngineError:
            if not is_table(text, pasted):
                raise EngineError(NO_TABLE) from None
            use(replace(pasted, name="pasted cells"))
            session.say(f"{rows} pasted as a new table; Ctrl+Z brings the former one back.")
            return
        session.edit(document, "paste rows")
        session.say(f"{rows} added.")
    except EngineError as sentence:
        session.say(str(sentence), "error")


def is_table(text: str, pasted: Dataset) -> bool:
    """Whether `text`, which was read as `pasted`, is a table and no running text.

    It is one if a column holds numbers (but not a single cell), or if several columns are separated
    by more than blanks.
    """
    if len(pasted) * len(pasted.columns) < 2:
        return False
    if any(_numbers(column) for column in pasted.columns):
        return True
    return len(pasted.columns) > 1 and guess_text(text).separator != " "


def _numbers(column: Column) -> bool:
    """Whether a column holds numbers or classes named by numbers."""
    return column.feature.numeric or any(
        isinstance(label, (int, float)) and not isinstance(label, bool)
        for label in column.categories
    )
