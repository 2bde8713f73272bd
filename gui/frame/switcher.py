"""The switcher in the head row: the names of all views, dark for those on the stage."""

from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QMenu, QPushButton, QSizePolicy

from gui.base.guard import guarded
from gui.base.plain_text import as_words
from gui.look import style, theme
from gui.look.style import describe

PAD = 10  # pixels left and right of a word
MORE = "⋯"
WAYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class Switcher(QFrame):
    """A row of buttons for the views; those without room go into a menu at the end.

    picked: (name, whether Ctrl was held); carried: a name is dragged over this place on the screen;
    dropped: it was released there; resized: the width changed
    """

    picked = Signal(str, bool)
    carried = Signal(str, QPoint)
    dropped = Signal(str, QPoint)
    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        style.mark(self, "segments")
        describe(
            self,
            "Views on the stage",
            "Views on the stage: click one to show it, Ctrl-click to show it beside",
        )
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.names: tuple[str, ...] = ()
        self.shown: tuple[str, ...] = ()
        self.missing: frozenset[str] = frozenset()
        self.room = 10_000
        self._laying = self._again = False
        self.words: list[Word] = []
        self.more = Word(self)
        self.more.setText(MORE)
        self.more.clicked.connect(self._open_menu)
        self.line = QHBoxLayout(self)
        self.line.setContentsMargins(0, 0, 0, 0)
        self.line.setSpacing(0)
        self.line.addWidget(self.more)

    def show_views(
        self, names: tuple[str, ...], shown: tuple[str, ...], missing: frozenset[str] = frozenset()
    ) -> None:
        """Offer the views `names`, of which `shown` are on the stage and `missing` are not in this
        step's scene.
        """
        if (names, shown, missing) == (self.names, self.shown, self.missing):
            return
        self.names, self.shown, self.missing = names, shown, missing
        while len(self.words) < len(names):
            word = Word(self)
            word.clicked.connect(partial(self._press, len(self.words)))
            self.line.insertWidget(len(self.words), word)
            self.words.append(word)
        for k, (word, name) in enumerate(zip(self.words, names, strict=False)):
            dark = name in shown
            key = f"V {k + 1}" if k < 9 else "menu"
            word.name = name
            word.setText(as_words(name))
            word.setChecked(dark)
            says = "show it alone" if len(shown) > 1 else "the only view"
            describe(
                word,
                f"{name}, {'shown' if dark else 'not shown'}",
                f"{name} ({key}): {says if dark else TIP}",
            )
            word.setEnabled(dark or name not in missing)
        self.setVisible(len(names) > 1)
        self._lay_out()

    def fit(self, room: int) -> None:
        """Set the room for all words in pixels."""
        if room != self.room:
            self.room = room
            self._lay_out()

    def least(self) -> int:
        """The least width in pixels, with all words in the menu."""
        return self.more.wanted() + 2

    def _lay_out(self) -> None:
        """Show the words that fit. This may make the row call `fit` again; the layout then runs
        once more after the present pass. Where a room comes up twice, the passes would never end:
        the smallest one counts.
        """
        if self._laying:
            self._again = True
            return
        before = self.width()
        self._laying = True
        self._again = True
        tried: set[int] = set()
        while self._again:
            self._again, ended = False, self.room in tried
            tried.add(self.room)
            self.room = min(tried) if ended else self.room
            self._show_words()
            if ended:
                break
        self._laying = False
        if self.width() != before:
            self.resized.emit()

    def _show_words(self) -> None:
        """Show the words that fit, first those on the stage; the others are in the menu."""
        wide = [word.wanted() for word in self.words[: len(self.names)]]
        free = self.room - (0 if sum(wide) <= self.room else self.more.wanted())
        inside = set()
        for k in sorted(range(len(wide)), key=lambda k: (self.names[k] not in self.shown, k)):
            free -= wide[k]
            if free >= 0:
                inside.add(k)
            else:
                break
        seen = [*sorted(inside)]
        for k, word in enumerate(self.words):
            word.setVisible(k in inside)
        self.more.setVisible(len(inside) < len(self.names))
        row = [
            *(self.words[k] for k in seen),
            *([self.more] if len(inside) < len(self.names) else []),
        ]
        for k, word in enumerate(row):
            place = (
                "only"
                if len(row) == 1
                else "first"
                if k == 0
                else "last"
                if k == len(row) - 1
                else "middle"
            )
            if word.property("place") != place:
                style.mark(word, "segment", place=place)
            word.setFixedWidth(word.wanted())
        self.setFixedWidth(sum(word.wanted() for word in row) + 2)
        describe(self.more, "More views")
        self._keep_one_tab_stop(row)

    def _keep_one_tab_stop(self, row: "list[Word]") -> None:
        first = next((word for word in row if word.isChecked()), row[0] if row else None)
        for word in row:
            word.setFocusPolicy(
                Qt.FocusPolicy.StrongFocus if word is first else Qt.FocusPolicy.ClickFocus
            )

    def _press(self, index: int) -> None:
        word = self.words[index]
        word.setChecked(word.name in self.shown)  # the stage decides
        held = QApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier
        self.picked.emit(word.name, bool(held) or word.with_ctrl)

    def _open_menu(self) -> None:
        self.more.setChecked(False)
        menu = QMenu(self)
        for name in (word.name for word in self.words[: len(self.names)] if word.isHidden()):
            menu.addAction(as_words(name), partial(self.picked.emit, name, False)).setEnabled(
                name not in self.missing
            )
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange) and hasattr(
            self, "line"
        ):
            self._lay_out()

    def step(self, word: "Word", way: int) -> None:
        """Move the focus by `way` (−1 or 1) among the enabled words."""
        row = [w for w in (*self.words, self.more) if not w.isHidden() and w.isEnabled()]
        at = row.index(word) + way
        if 0 <= at < len(row):
            row[at].setFocus(Qt.FocusReason.TabFocusReason)


TIP = "show it; Ctrl-click or drag it to a half of the stage to show it there"


class Word(QPushButton):
    """The button of one view: click it, drag it to the stage, or use the arrow keys."""

    def __init__(self, switcher: Switcher) -> None:
        super().__init__(switcher)
        self.switcher = switcher
        self.name = ""
        self.with_ctrl = False
        self._from: QPoint | None = None
        self._dragged = False
        self.setCheckable(True)
        style.mark(self, "segment", place="middle")

    def wanted(self) -> int:
        """The width in pixels for the bold face, so that another choice moves nothing."""
        bold = theme.current().font("body", weight=600)
        return (
            QFontMetrics(bold).horizontalAdvance(self.text())
            + 2 * style.scale(theme.current(), PAD)
            + 1
        )

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._from = event.globalPosition().toPoint()
        self._dragged = False
        self.with_ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        super().mousePressEvent(event)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        here = event.globalPosition().toPoint()
        far = (
            self._from is not None
            and (here - self._from).manhattanLength() >= QApplication.startDragDistance()
        )
        if self.name and event.buttons() & Qt.MouseButton.LeftButton and (far or self._dragged):
            self._dragged = True
            self.switcher.carried.emit(self.name, here)
            return
        super().mouseMoveEvent(event)

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._dragged:
            super().mouseReleaseEvent(event)
        else:
            self.setDown(False)
            self.switcher.dropped.emit(self.name, event.globalPosition().toPoint())
        self._from = None
        self._dragged = False
        self.with_ctrl = False

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = WAYS.get(Qt.Key(event.key()))
        if way is None:
            super().keyPressEvent(event)
        else:
            self.switcher.step(self, way)
