"""The files that a course takes away, by their kind."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.courses.moodle import moodle_xml
from engine.courses.qti import text2qti_text
from engine.courses.sheets import Sheet
from engine.courses.worksheet import worksheet
from engine.courses.worksheet_html import worksheet_html

EXAMPLE = 4  # exercises of a worksheet: one that is done, and three to do


def course_file(
    kind: str, path: str, sheets: Sequence[Sheet], paper: str = "a4"
) -> Iterable[bytes]:
    """The content of a file, piece by piece. kind: 'moodle', 'qti' or 'worksheet', of which the
    engine makes .html; raises EngineError for a worksheet of another kind.
    """
    if kind == "moodle":
        return moodle_xml(sheets)
    if kind == "qti":
        return text2qti_text(sheets)
    check_worksheet(path)
    return worksheet_html([worksheet(sheet) for sheet in sheets], paper)


def check_worksheet(path: str, known: Sequence[str] = (".html",)) -> None:
    """Raises EngineError for a file that is no worksheet by its name."""
    if Path(path).suffix.lower() not in known:
        raise EngineError(
            f"A worksheet is written as {' or '.join(known)}; {quoted(Path(path).name)} is another kind."
        )
