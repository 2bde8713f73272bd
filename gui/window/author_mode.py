"""Writing a lesson in the window: panels over both docks, page numbers over the timeline, keys."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout, QWidget

from engine.base.errors import EngineError
from engine.base.notation import counted
from gui.frame.left_dock import LeftDock
from gui.frame.right_dock import RightDock
from gui.lessons.author import Author
from gui.lessons.author_form import PageForm
from gui.lessons.author_pages import PagesPanel
from gui.lessons.page_numbers import PageNumbers
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.timeline.timeline import Timeline
from gui.window.room import Room

if TYPE_CHECKING:
    from engine.lessons.package import Found
    from gui.lessons.player import LessonPlayer


ASKING = "A lesson is being written: close its pages first, then Predict asks."


class AuthorMode(QObject):
    """Shows the lesson that is being written; while a page is previewed, the lesson's own panel.

    Ctrl+Enter adds a page, Page Up and Page Down go through them, Alt+Up and Alt+Down move one,
    F5 shows it as a student sees it.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        player: Callable[[], "LessonPlayer"],
        docks: tuple[LeftDock, RightDock],
        room: Room,
        predict: QWidget,
        over: tuple[QBoxLayout, Timeline],
        views: tuple[Callable[[], tuple[str, ...]], Callable[[Sequence[str]], object]],
        folder: Callable[[], str],
        remember: Callable[[str], object],
        kept: Path,
    ) -> None:
        """player: of lessons, made with the first preview
        predict: its button
        over: the layout above the timeline, and the timeline
        views: the names of those on the stage, and what shows others first
        folder: where a lesson is saved at first; kept: the file of one that was not saved
        remember: keeps a file among those that were used last
        """
        super().__init__(window)
        self.window, self.session, self._player = window, session, player
        self.docks, self.room, self.predict = docks, room, predict
        self.author = Author(session, self.preview, views[0], kept)
        self.author.filed.connect(remember)
        self._lead_with = views[1]
        self.pages = PagesPanel(self.author, docks[0], self.leave)
        self.form = PageForm(self.author, docks[1], folder)
        self.numbers = PageNumbers(self.author, over[1])
        over[0].insertWidget(0, self.numbers)
        self.numbers.hide()
        docks[0].wanted.connect(lambda: self.pages.fold(True))
        self._previewed = False
        self._listens = False
        session.changed.connect(self._on_changed)
        self._keys = [
            self._key(keys, effect)
            for keys, effect in (
                ("Ctrl+Return", self.author.add_page),
                ("Ctrl+Enter", self.author.add_page),
                ("F5", self.author.preview),
                ("Alt+Up", lambda: self.author.shift(-1)),
                ("Alt+Down", lambda: self.author.shift(1)),
                ("PgUp", lambda: self.author.step(-1)),
                ("PgDown", lambda: self.author.step(1)),
            )
        ]

    def _key(self, keys: str, effect: Callable[[], object]) -> QShortcut:
        made = QShortcut(QKeySequence(keys), self.window)
        made.setEnabled(False)
        made.activated.connect(effect)
        return made

    def _on_changed(self, changes: Changes) -> None:
        """The pages ask here: Predict would cover the page that is written."""
        predicting = self.session.predicting
        if changes.window & Change.QUESTION and self.shown and predicting.on:
            predicting.leave()
            self.session.say(ASKING)
            self._follow()

    @property
    def shown(self) -> bool:
        """Whether the panels are shown."""
        return self.author.on and not self._previewed

    def open(self) -> None:
        """Begin to write, or go on."""
        left = None if self.author.drafts else self.author.left()
        self.author.open()
        self.pages.fold(False)
        self._follow()
        if left is not None and left.lesson is not None:
            name = f"“{left.lesson.title}”" if left.lesson.title else "a lesson"
            self.session.offer(
                f"You began to write {name}, {counted(len(left.lesson.pages), 'page')}.",
                "Go on with it",
                lambda: self.take_up(left),
            )

    def take_up(self, found: "Found") -> None:
        """Go on with a lesson that was begun."""
        try:
            self.author.take_up(found)
        except EngineError as sentence:
            self.session.say(str(sentence), "error")
            return
        if found.lesson is not None:
            self._lead_with(found.lesson.view.pictures)
        self._follow()

    def leave(self) -> None:
        """Leave the lab to itself; what was written is kept."""
        self.author.close()
        self.pages.moments.stop()
        self._follow()
        self.window.setFocus()
        if self.author.drafts:
            self.session.say("“Make a lesson from here” goes on with what you wrote.")

    def _follow(self) -> None:
        """Show or hide all that belongs to writing."""
        shown = self.shown
        self.predict.setEnabled(not shown)
        for key in self._keys:
            key.setEnabled(shown)
        self.room.write_lesson(self.docks if shown else ())
        self.numbers.setVisible(shown)
        self.pages.appear(shown)
        self.form.appear(shown)
        self.docks[1].cover(shown)
        if shown:
            self.author.changed.emit()
            self.window.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- preview -----------------------------------------------------------------------------------

    def preview(self, found: "Found", page: int) -> None:
        """Show a page as a student sees it; to leave the lesson leads back."""
        player = self._player()
        if not self._listens:
            self._listens = True
            player.left.connect(self._on_left)
        self._previewed = True
        self.author.close()
        self._follow()
        player.begin(found, "", page, kept=False)

    def _on_left(self) -> None:
        """Bring the lab of the author back after a preview."""
        if not self._previewed:
            return
        self._previewed = False
        page = self._player().at
        self.session.undo()
        self.session.say("")
        self.author.open()
        self.author.choose(page)
        self._follow()
