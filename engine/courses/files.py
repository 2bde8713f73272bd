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
    """The content of an export file for a course, piece by piece.

    kind: 'moodle' (Moodle XML), 'qti' (text for text2qti) or 'worksheet' (HTML)
    path: the file that the content is meant for; only a worksheet's suffix is checked

    Raises EngineError for a worksheet whose suffix is not .html.
    """
    if kind == "moodle":
        return moodle_xml(sheets)
    if kind == "qti":
        return text2qti_text(sheets)
    check_worksheet(path)
    return worksheet_html([worksheet(sheet) for sheet in sheets], paper)


def check_worksheet(path: str, known: Sequence[str] = (".html",)) -> None:
    """Raises EngineError where the suffix of `path` is not one of `known`, which kinds of
    worksheets can be written.
    """
    if Path(path).suffix.lower() not in known:
        raise EngineError(
            f"A worksheet is written as {' or '.join(known)}; {quoted(Path(path).name)} is another kind."
        )
