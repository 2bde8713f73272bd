"""Bars among other widgets, which do not scroll: rows without room are folded."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.base.guard import guarded
from gui.figures.bars import BarsFigure, Row
from gui.widgets.controls import Section
from gui.widgets.fold import Fold

KEPT = 2  # number of bars that always show
MUCH = 1 << 20  # pixels: more than any list needs


class FoldingBars(BarsFigure):
    """Bars as high as their rows.

    The button `more` says how many rows are folded, and unfolds them until it is pressed again.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.every: tuple[Row, ...] = ()
        self.more = Fold()
        self.more.hide()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _show(
        self, rows: Sequence[Row], digits: int, limit: float, race: bool, caption: str = ""
    ) -> None:
        self.every = tuple(rows)
        super()._show(rows, digits, limit, race, caption)
        self._name_rest()

    def fit(self, pixels: int) -> None:
        """Show as many full rows as fit into `pixels`; all where a person unfolded them."""
        self._take(len(self.every))
        if self.more.isChecked() or self.whole() <= pixels:
            return
        room = pixels - (self.whole() - self._top(len(self.every))) - self.more.sizeHint().height()
        self._take(
            next((k for k in range(len(self.every) - 1, KEPT, -1) if self._top(k) <= room), KEPT)
        )

    def _take(self, count: int) -> None:
        """Show the first `count` rows."""
        if count < len(self.every) or len(self.rows) < len(self.every):
            self.rows = self.every[:count]
            self._tops = ("", [])
            self.content_changed()
        self._name_rest()

    def _name_rest(self) -> None:
        """Update the text and the visibility of `more`."""
        folded = len(self.every) - len(self.rows)
        self.more.setText(f"{folded} more" if folded else "fewer")
        self.more.setVisible(
            not self.isHidden()
            and (folded > 0 or (self.more.isChecked() and len(self.every) > KEPT))
        )

    @guarded
    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        self._name_rest()

    def inner_width(self) -> int:
        """The width of the figure. Not the viewport's: a hidden one keeps its first width."""
        return self.width() - 2 * self.frameWidth()

    def whole(self) -> int:
        """The height in pixels of all rows that are not folded."""
        return self.content_size(280).height()

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(280, self.whole())

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(140, self.whole())

    def as_text(self) -> str:
        """The text of all rows, including the folded ones."""
        shown, self.rows = self.rows, self.every
        text = super().as_text()
        self.rows = shown
        return text


def height_with(section: Section, bars: FoldingBars, width: int, most: int) -> int:
    """The height of a section with these bars, after folding rows where it would exceed `most`."""
    if bars.isHidden():
        return section.height_at(width)
    bars.fit(MUCH)
    whole = section.height_at(width)
    if whole > most:
        bars.fit(bars.whole() + most - whole - section.content.spacing())
        whole = section.height_at(width)
    return whole
