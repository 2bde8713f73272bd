"""The presenter’s window of a lesson: notes, the coming step and page, the answer, and how many
raise their hand for each choice.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from engine.lessons.lesson import TaskKind
from gui.lessons.player import LessonPlayer
from gui.look import style, theme
from gui.session.changes import Change, Changes
from gui.widgets.controls import Divider, IntBox, describe, label

SIZE = (560, 640)
MOST_HANDS = 9_999
NO_NOTES = "This page has no notes."
NO_TASK = "This page asks nothing."
PARTS = ("Notes", "The coming step", "The coming page", "The answer")


class Presenter(QWidget):
    """A window of its own, on a second screen where there is one; Page Down goes on in it too."""

    def __init__(self, window: QWidget, player: LessonPlayer) -> None:
        super().__init__(window, Qt.WindowType.Window)
        self.player = player
        self.setWindowTitle("Presenter’s window")
        style.mark(self, "dock")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = _folded("title")
        self.parts = {name: _folded("reading") for name in PARTS}
        self.hands = Hands(player)
        self.reveal = QPushButton("Reveal the answer")
        style.mark(self.reveal, "main")
        describe(self.reveal, "Reveal the answer", "Show the answer to the class, and the step")
        self.reveal.clicked.connect(lambda *_: player.show_answer())
        self._build()
        for key, way in ((Qt.Key.Key_PageDown, 1), (Qt.Key.Key_PageUp, -1)):
            QShortcut(QKeySequence(key), self).activated.connect(lambda way=way: player.step(way))
        player.changed.connect(self.refresh)
        player.left.connect(self.close)
        player.session.changed.connect(self._on_changed)
        self.refresh()
        self._place(window)

    def _build(self) -> None:
        page = QFrame()
        style.mark(page, "dock")
        whole = QVBoxLayout(page)
        whole.setContentsMargins(20, 16, 20, 8)
        whole.setSpacing(8)
        whole.addWidget(self.title)
        for name, part in self.parts.items():
            whole.addWidget(Divider())
            whole.addWidget(label(name, "caption"))
            whole.addWidget(part)
        whole.addWidget(self.hands)
        whole.addStretch(1)
        foot = QHBoxLayout()
        for words, way in (("Back", -1), ("Next", 1)):
            button = QPushButton(words)
            button.clicked.connect(lambda *_, way=way: self.player.step(way))
            foot.addWidget(button)
        foot.addStretch(1)
        foot.addWidget(self.reveal)
        foot.setContentsMargins(20, 8, 20, 12)
        foot.setSpacing(8)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidgetResizable(True)
        area.setWidget(page)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(area, 1)
        outer.addLayout(foot)

    def _place(self, window: QWidget) -> None:
        """Stand on another screen than the window, where there is one."""
        look = theme.current()
        self.resize(*(style.scale(look, side) for side in SIZE))
        others = [screen for screen in QGuiApplication.screens() if screen is not window.screen()]
        room = (others[0] if others else window.screen()).availableGeometry()
        self.resize(self.size().boundedTo(room.size()))
        if others:
            self.move(room.center() - self.rect().center())

    def _on_changed(self, changes: Changes) -> None:
        if changes.anywhere() & (Change.CURSOR | Change.STEPS):
            self.refresh()

    def refresh(self) -> None:
        player = self.player
        if not player.running:
            return
        pages = player.lesson.pages
        self.title.setText(f"{player.at + 1} of {len(pages)}: {player.page.title}")
        said = (
            player.page.notes or NO_NOTES,
            self._coming_step(),
            self._coming_page(),
            answer(player),
        )
        for part, words in zip(self.parts.values(), said, strict=True):
            part.setText(words)
        self.hands.refresh()
        judged = player.asked is not None and player.asked.task.kind is not TaskKind.TEXT
        self.reveal.setEnabled(judged and not player.done)

    def _coming_step(self) -> str:
        """The sentence of the step that is asked about, or of the one after the shown step."""
        view = self.player.session.lane_views[0]
        trace = view.trace
        if trace is None or view.cursor + 1 >= len(trace):
            return "The run ends here." if view.finished else "Not recorded yet."
        return trace[view.cursor + 1].note.text()

    def _coming_page(self) -> str:
        pages, at = self.player.lesson.pages, self.player.at
        if at + 1 == len(pages):
            return "This is the last page."
        coming = pages[at + 1]
        asks = f" Asks: {coming.task.ask}" if coming.task is not None and coming.task.ask else ""
        return f"{coming.title} ({coming.where.words()}).{asks}"


class Hands(QWidget):
    """A number for each choice of the task: how many raise their hand for it. The class sees them
    as bars in the answers on the page.
    """

    def __init__(self, player: LessonPlayer) -> None:
        super().__init__()
        self.player = player
        self.boxes: dict[str, IntBox] = {}
        self._rows: list[QWidget] = []
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setColumnStretch(1, 1)
        self.grid.addWidget(Divider(), 0, 0, 1, 2)
        self.grid.addWidget(label("Show of hands", "caption"), 1, 0, 1, 2)

    def refresh(self) -> None:
        listed = self.player.listed
        self.setVisible(bool(listed))
        if tuple(self.boxes) != listed:
            self._begin(listed)
        for words, box in self.boxes.items():
            box.setEnabled(not self.player.done)
            if box.value() != self.player.hands.get(words, 0):
                box.setValue(self.player.hands.get(words, 0))

    def _begin(self, listed: tuple[str, ...]) -> None:
        """A line for each of these choices."""
        for part in self._rows:
            self.grid.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._rows, self.boxes = [], {}
        for k, words in enumerate(listed):
            box = IntBox(0, MOST_HANDS, 0, f"Hands for {words}")
            box.valueChanged.connect(lambda count, words=words: self._count(words, count))
            line = _folded("body")
            line.setText(f"{chr(ord('A') + k)}  {words}")
            self.grid.addWidget(box, k + 2, 0)
            self.grid.addWidget(line, k + 2, 1)
            self.boxes[words] = box
            self._rows += [box, line]

    def _count(self, words: str, count: int) -> None:
        if self.player.hands.get(words, 0) != count:
            self.player.show_hands({**self.player.hands, words: count})


def _folded(kind: str) -> QLabel:
    """A text over as many lines as it needs."""
    made = label("", kind)
    made.setWordWrap(True)
    return made


def answer(player: LessonPlayer) -> str:
    """The right answer of the page with its explanation."""
    asked, task = player.asked, player.task
    if task is None:
        return NO_TASK
    if asked is None:
        return player.fault or "Not recorded yet."
    right = ", ".join(asked.right) or task.condition
    return ". ".join(filter(None, (right.removesuffix("."), asked.answer)))
