"""The dialog “About Learnscope”: the program, its licence, its fonts, data and libraries."""

import re
from functools import cache
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QTextBrowser, QVBoxLayout, QWidget

import engine
from engine.base.place import ASSETS
from gui.look import style, theme
from gui.look.style import describe
from gui.widgets.controls import label

WHAT = (
    "A lab in which you watch machine learning happen: click points or open a table, choose an"
    " algorithm, and go through every step of its learning, forwards and back."
)
LICENCE = "Free software under the MIT licence: use, change and share it, and keep the notice."
FONTS = (
    ("Inter", "the Inter Project Authors"),
    ("JetBrains Mono", "the JetBrains Mono Project Authors"),
    ("STIX", "the STI Pub Companies and MicroPress"),
)
LIBRARIES = {
    "PySide6-Essentials": "Qt (PySide6, LGPL)",
    "pyqtgraph": "pyqtgraph",
    "numpy": "NumPy",
    "scipy": "SciPy",
    "contourpy": "contourpy",
    "python-calamine": "calamine",
    "pillow": "Pillow",
    "msgspec": "msgspec",
    "loky": "loky",
}  # the dependencies in pyproject.toml (checked by a test), with the names that people know


def show_about(parent: QWidget | None) -> QDialog:
    """Open the dialog and return it; it is not modal."""
    dialog = AboutDialog(parent)
    dialog.show()
    return dialog


class AboutDialog(QDialog):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About Learnscope")
        look = theme.current()
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(10)
        head = QHBoxLayout()
        head.addWidget(label("Learnscope", "title"))
        version = label(f"version {engine.__version__}", "muted")
        head.addWidget(version, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        column.addLayout(head)
        for text in (WHAT, LICENCE):
            line = label(text)
            line.setWordWrap(True)
            column.addWidget(line)
        self.credits = QTextBrowser()
        self.credits.setOpenLinks(False)
        self.credits.setHtml(credits())
        describe(self.credits, "Fonts, data and libraries", "")
        column.addWidget(self.credits, 1)
        close = QPushButton("Close")
        close.setDefault(True)
        describe(close, "Close", "Close (Escape)")
        close.clicked.connect(self.close)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        column.addLayout(foot)
        close.setFocus()
        room = parent.size() if parent is not None else QSize(1280, 800)
        self.resize(
            QSize(style.scale(look, 620), style.scale(look, 520)).boundedTo(room - QSize(24, 40))
        )


@cache
def credits() -> str:
    """Fonts, data and libraries with their makers, as HTML.

    The data come from assets/data/ATTRIBUTION.md.
    """
    fonts = [f"<b>{name}</b> by {maker}, SIL Open Font License" for name, maker in FONTS]
    parts = (("Fonts", fonts), ("Data", _data()), ("Built with", [_built_with()]))
    return "".join(
        _paragraph(f"<b>{title}</b>", 10) + "".join(map(_paragraph, lines))
        for title, lines in parts
    )


def _built_with() -> str:
    *names, last = ("Python", *LIBRARIES.values())
    return f"{', '.join(names)} and {last}."


def _paragraph(line: str, above: int = 2) -> str:
    return f'<p style="margin: {above}px 4px 2px 4px">{line}</p>'


def _data() -> list[str]:
    """An HTML line for each row of ATTRIBUTION.md, and one with the remarks below its table."""
    try:
        lines = (ASSETS / "data" / "ATTRIBUTION.md").read_text("utf-8").splitlines()
    except OSError:
        return ["The list of attributions is missing from assets/data."]
    rows = [
        [_html(cell.strip()) for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]
    said = [
        f"<b>{what}</b> ({file}): {maker}. {terms}"
        for file, what, maker, terms in (r for r in rows[2:] if len(r) == 4)
    ]
    rest = " ".join(line for line in lines if line and not line.startswith(("|", "#")))
    return [*said, _html(rest)]


def _html(markdown: str) -> str:
    """A line of Markdown as HTML: emphasis in italics, file names as plain text."""
    text = escape(markdown, quote=False)
    text = re.sub(r"`([^`]+)`", r"\1", text)
    return re.sub(r"(?<!\w)\*([^*]+)\*", r"<i>\1</i>", text)
