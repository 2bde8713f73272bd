"""What is wrong with the right dock: its height goes to the words of the step before
anything else.
"""

from PySide6.QtWidgets import QLabel, QScrollBar

from gui.formulas.flow import Box, Column, Listed, Stack, Word
from gui.frame.right_dock import FIGURE, RightDock
from gui.look import theme
from gui.reading.step_room import scaled


def bars(dock: RightDock) -> list[QScrollBar]:
    """The scroll bars that are seen."""
    return [
        bar
        for bar in dock.findChildren(QScrollBar)
        if bar.isVisible() and bar.maximum() > bar.minimum()
    ]


def words_of(box: Box) -> list[str]:
    if isinstance(box, Word):
        return [box.text]
    if isinstance(box, Stack):
        return [box.part, box.whole]
    return list(box.entries) if isinstance(box, (Column, Listed)) else []


def faults_in(dock: RightDock) -> list[str]:
    """What is cut, elided, scrolls within something that scrolls, or is empty beside
    something cut.
    """
    found = []
    if len(bars(dock)) > 1:
        found.append(f"{len(bars(dock))} scroll bars")
    code, step, why = dock.code, dock.step, dock.why
    for view in (step.lead, step.formulas, why.lead, why.calculation, why.hint):
        if view.isVisible():
            if view.height() < view.heightForWidth(view.width()):
                found.append(f"{view.as_text()!r} is cut")
            sheet = view.sheet(view.width())
            found += [
                f"{words_of(box)} leaves {view.width()}"
                for box, x, _ in sheet.placed
                if x + box.width > view.width() + 1
            ]
    for box, _, _ in (
        step.formulas.sheet(step.formulas.width()).placed if step.formulas.isVisible() else ()
    ):
        found += [
            f"elided: {text}"
            for text in words_of(box)
            if "⋮" in text or (text.endswith("…") and len(text) > 1)
        ]
    for section, above in ((step, code), (why, step)):
        if section.y() != above.geometry().bottom() + 2:
            found.append(f"{type(section).__name__} does not follow at once")
        if section.height() > section.height_at(section.width()):
            found.append(f"{type(section).__name__} has empty space in it")
    rows = len(code.card.rows(code.card.width() - 2))
    pitch = theme.current().line_height("code")
    seen, over = divmod(code.card.viewport().height() - 8, pitch)
    if over or seen < min(3, rows):
        found.append(f"{seen} rows of code and {over} pixels")
    end = why.geometry().bottom() + 1
    if (
        seen < rows
        and dock.height() - end - (dock.figure.height() if dock.figure.isVisible() else 0)
        > 3 * pitch
    ):
        found.append(f"code is cut above {dock.height() - end} empty pixels")
    if dock.page.verticalScrollBar().maximum() and dock.figure.isVisible():
        found.append("it scrolls above a figure")
    if dock.figure.isVisible() and dock.figure.height() < scaled(FIGURE):
        found.append(f"a figure of {dock.figure.height()}")
    for part in dock.findChildren(QLabel):
        if part.isVisible() and "…" in part.text():
            found.append(f"cut: {part.text()}")
    return found
