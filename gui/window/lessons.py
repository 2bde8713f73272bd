"""What the commands about lessons do: open, list, hand in, mark, and write one."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMenu, QMessageBox, QWidget

from engine.base.errors import EngineError
from engine.base.notation import counted, cut
from engine.base.records import cached_property
from engine.lessons import SUFFIX
from gui.base import remembered
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.setup.data_commands import DataCommands
from gui.window.recent import Files

if TYPE_CHECKING:
    from engine.lessons.answered import Known
    from engine.lessons.handin import HandIn
    from engine.lessons.library import Course
    from engine.lessons.progress import Shelf
    from gui.lessons.gallery import Gallery
    from gui.lessons.gallery_start import Ways
    from gui.lessons.player import LessonPlayer
    from gui.lessons.presenter import Presenter
    from gui.lessons.thumbnails import Thumbnails
    from gui.window.author_mode import AuthorMode

SUFFIXES = (SUFFIX, ".toml")
HAND_IN = ".handin"
START = "start_with_lessons"
FILTER = f"Lessons (*{SUFFIX} *.toml);;All files (*)"
PROGRESS = "Progress (*.progress);;All files (*)"
HAND_INS = f"Hand-ins (*{HAND_IN});;All files (*)"


def is_lesson(path: str) -> bool:
    return Path(path).suffix.lower() in SUFFIXES


def is_hand_in(path: str) -> bool:
    return Path(path).suffix.lower() == HAND_IN


class LessonCommands:
    """The commands about lessons; every failure becomes a sentence in the message line.

    made: called once with the player, when the first lesson is opened
    listed: called once with the list of all lessons, when it is first shown
    ways: makes what the list of lessons opens beside lessons
    top: where the list begins below the menus, in pixels
    writing: makes the panels in which a lesson is written
    beyond: goes on from the first (−1) or last (1) page; returns whether there is anything
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        settings: QSettings,
        files: Files,
        data_commands: DataCommands,
    ) -> None:
        self.window, self.session, self.settings = window, session, settings
        self.files, self.data_commands = files, data_commands
        self.made: Callable[[LessonPlayer], object] = lambda player: None
        self.listed: Callable[[Gallery], object] = lambda gallery: None
        self.ways: Callable[[], Ways] | None = None
        self.top: Callable[[], int] = lambda: 0
        self.beyond: Callable[[int], bool] = lambda way: False
        self.course: Course | None = None  # to which the open lesson belongs
        self.writing: Callable[[], AuthorMode] | None = None
        self._presenter: Presenter | None = None

    @cached_property
    def shelf(self) -> "Shelf":
        """The progress on this machine."""
        from engine.lessons.progress import Shelf

        place = QStandardPaths.writableLocation(
            QStandardPaths.StandardLocation.AppLocalDataLocation
        )
        usual = str(Path(place) / "lessons")
        return Shelf(Path(remembered.text(self.settings, "lessons_folder", usual)))

    @cached_property
    def player(self) -> "LessonPlayer":
        """The player, created with the first lesson."""
        from gui.lessons.player import LessonPlayer

        found = LessonPlayer(
            self.session, self.shelf, self.data_commands.lead_with, self.data_commands.fit
        )
        found.beyond = self._go_beyond
        self.__dict__["player"] = found
        self.made(found)
        return found

    @property
    def _pictures(self) -> Path:
        """The folder where pictures of lessons are kept."""
        place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.CacheLocation)
        usual = str(Path(place) / "lessons")
        return Path(remembered.text(self.settings, "pictures_folder", usual))

    def thumbnails(self) -> "Thumbnails":
        """Makes pictures of lessons, or takes those that the list of lessons has made."""
        from gui.lessons.gallery import thumbnails

        return thumbnails(self._pictures)

    @cached_property
    def gallery(self) -> "Gallery":
        """The list of all lessons, created when it is first shown."""
        from gui.lessons.gallery import Gallery

        assert isinstance(self.window, QMainWindow) and self.ways is not None
        ground = self.window.centralWidget()
        assert ground is not None
        found = Gallery(ground, self.shelf, self._pictures, self.ways(), self.top)
        found.opened.connect(self._open_in)
        self.session.changed.connect(self._on_changed)
        self.__dict__["gallery"] = found
        self.listed(found)
        return found

    def _on_changed(self, changes: Changes) -> None:
        """What was opened from elsewhere, by the search of the window or a file, is shown."""
        if changes.window & Change.DOCUMENT:
            self.gallery.leave()

    def _open_in(self, path: str, course: "Course | None") -> None:
        """Open a lesson from the list, of a course if it belongs to one."""
        self.open_reported(path)
        self.course = course

    def _go_beyond(self, way: int) -> bool:
        """Go on from the last page of a lesson of a course to the next one, or back from the first
        page; of others as `beyond` does.
        """
        if self.course is None:
            return self.beyond(way)
        paths = [str(head.path) for head in self.course.lessons]
        place = paths.index(self.player.path) + way if self.player.path in paths else -1
        if not 0 <= place < len(paths):
            return self.beyond(way)
        course = self.course
        self._open_in(paths[place], course)
        said = f"{course.title}: lesson {place + 1} of {len(paths)}."
        self.session.say(said)
        return True

    def browse(self) -> None:
        """Show the list of all lessons, or go back to the lab."""
        if "gallery" in self.__dict__ and self.gallery.isVisible():
            self.gallery.leave()
        else:
            self.session.player.pause()
            self.gallery.begin()

    @property
    def first(self) -> bool:
        """Whether the program starts with the list of lessons."""
        return remembered.flag(self.settings, START)

    def start_with(self) -> None:
        """Start the program with the list of lessons from now on, or with the lab again."""
        first = not self.first
        self.settings.setValue(START, first)
        self.session.say(
            "The program starts with the list of lessons from now on."
            if first
            else "The program starts with the lab again."
        )

    def carry_progress(self) -> str:
        """Ask for a file, and write the progress in all lessons into it; returns what was done."""
        from engine.lessons.carrying import SUFFIX as CARRIED
        from engine.lessons.carrying import carry_away

        start = str(Path(self.files.folder()) / f"lessons{CARRIED}")
        path, _ = QFileDialog.getSaveFileName(self.window, "Carry progress away", start, PROGRESS)
        if not path:
            return ""
        whole = path if Path(path).suffix else path + CARRIED
        try:
            count = carry_away(self.shelf, whole)
        except EngineError as sentence:
            return str(sentence)
        return f"The progress in {counted(count, 'lesson')} is saved as {cut(Path(whole).name)}."

    def bring_progress(self) -> str:
        """Ask for a file of progress, and take over what is better; returns what was done."""
        from engine.lessons.carrying import bring_back

        path, _ = QFileDialog.getOpenFileName(
            self.window, "Bring progress back", self.files.folder(), PROGRESS
        )
        try:
            return bring_back(self.shelf, path).words() if path else ""
        except EngineError as sentence:
            return str(sentence)

    def forget_progress(self) -> str:
        """Forget what was done in all lessons, if the person confirms it; returns what was done."""
        count = counted(len(self.shelf.all()), "lesson")
        box = QMessageBox(self.window)
        box.setText(f"Forget what was done in {count} on this machine?")
        box.setInformativeText("Carry it away as a file first, if you may want it back.")
        forget = box.addButton("Forget", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton("Keep", QMessageBox.ButtonRole.RejectRole)
        box.exec()
        if box.clickedButton() is not forget:
            return ""
        self.shelf.reset_all()
        return f"What was done in {count} is forgotten."

    def station(self) -> str:
        """The open lesson as a station of a playlist: its key where it comes with the program,
        else its file; "" without one.
        """
        from engine.lessons.library import with_key

        if not self.running or not self.player.path:
            return ""
        path = Path(self.player.path).resolve()
        head = with_key(self.player.lesson.key)
        return head.key if head is not None and head.path == path else str(path)

    @property
    def running(self) -> bool:
        """Whether a lesson is open."""
        return "player" in self.__dict__ and self.player.running

    def choose(self) -> None:
        """Ask for the file of a lesson, and open it."""
        path, _ = QFileDialog.getOpenFileName(
            self.window, "Open a lesson", self.files.folder(), FILTER
        )
        if path:
            self.open_reported(path)

    def open_reported(self, path: str) -> None:
        """Open a lesson; an error is shown as a message."""
        try:
            self.open(path)
        except EngineError as sentence:
            self.session.say(str(sentence), "error")

    def open(self, path: str) -> None:
        """Open the lesson of a file where it was left; raises EngineError."""
        self._stop_writing()
        if not self.running:
            self.files.shelve()
        self.session.player.pause()
        self.course = None
        self.player.open(path)
        self.files.remember(path)
        found = self.player.found
        if found is not None and found.faults:
            first = found.notes.faults[0].words(Path(path).name)  # the cause, others follow from it
            more = len(found.faults) - 1
            also = f" And {more} more; “lesson check” tells all." if more else ""
            self.session.say(f"{first}{also}", "error")

    def present(self) -> None:
        """Open the presenter’s window of the open lesson."""
        from gui.lessons.presenter import Presenter

        if not self.running:
            self.session.say("Open a lesson first: its notes and answers are for the presenter.")
            return
        if self._presenter is None:
            self._presenter = Presenter(self.window, self.player)
        self._presenter.refresh()
        self._presenter.show()
        self._presenter.raise_()

    def leave(self) -> None:
        if self.running:
            self.player.leave()

    def menu(self) -> QMenu:
        """The menu of the open lesson."""
        menu = QMenu(self.window)
        menu.addAction("Presenter’s window", self.present)
        menu.addAction("Hand in…", self.hand_in)
        menu.addAction("Start this lesson again", self.player.reset)
        menu.addAction("Set this page up again", self.player.again)
        menu.addSeparator()
        menu.addAction("Leave the lesson\tEsc", self.leave)
        return menu

    def hand_in(self) -> None:
        """Ask for the student's name and a file, and write the hand-in."""
        from gui.lessons.hand_in import ask_name

        if not self.running:
            self.session.say("Open a lesson first: what you did in it is handed in.")
            return
        name = ask_name(self.window, self.player, remembered.text(self.settings, "student"))
        if not name:
            return
        self.settings.setValue("student", name)
        lesson = self.player.lesson
        start = str(Path(self.files.folder()) / f"{lesson.key or 'lesson'} {name}{HAND_IN}")
        path, _ = QFileDialog.getSaveFileName(self.window, "Hand in", start, HAND_INS)
        if path:
            self.hand_in_to(name, path if is_hand_in(path) else path + HAND_IN)

    @cached_property
    def author_mode(self) -> "AuthorMode":
        """The panels in which a lesson is written, created with the first one."""
        assert self.writing is not None
        return self.writing()

    def write(self) -> None:
        """Write a lesson about what the lab shows, go on with the one that was begun, or change the
        one that is open.
        """
        if self.running:
            found = self.player.found
            self.player.leave()
            author = self.author_mode.author
            if found is not None and not author.drafts and author.left() is None:
                self.author_mode.take_up(found)
                return
        self.session.predicting.leave()
        self.author_mode.open()

    def _stop_writing(self) -> None:
        """Close the pages of the lesson that is being written, before another one is opened."""
        if "author_mode" in self.__dict__ and self.author_mode.shown:
            self.author_mode.leave()

    def keep_written(self) -> None:
        """Keep the lesson that is being written, before the program ends."""
        if "author_mode" in self.__dict__:
            self.author_mode.author.keep()

    def show_marks(self, paths: Sequence[str] = ()) -> None:
        """Open the window with the marks of a class, with these hand-ins."""
        from gui.lessons.marks_window import MarksWindow

        made = MarksWindow(self.window, self.files.folder, self.open_answer, self.files.recent)
        made.show()
        made.read(paths)

    def open_answer(self, handin: "HandIn", page: int, known: "Known | None" = None) -> str:
        """Open the lab as a student left it on a page, or the page itself where no state was kept.

        known: the lesson of the hand-in, where it was found

        Returns why that is not possible; "" where it was.
        """
        from engine.lessons.states import state_of

        answer = handin.progress.answers[page]
        self._stop_writing()
        try:
            if answer.state:
                project = state_of(answer.state)
                self.leave()
                self.files.shelve()
                self.session.open(
                    project.document, None, project.cursor or 0, saved=False, level=project.level
                )
                self.data_commands.fit()
            else:
                self._open_page(handin, page, known)
        except EngineError as sentence:
            return str(sentence)
        return ""

    def _open_page(self, handin: "HandIn", page: int, known: "Known | None") -> None:
        """Open the page of a lesson, of the program's also in another version; raises EngineError
        where it is not here.
        """
        from engine.lessons.answered import ELSEWHERE
        from engine.lessons.library import heads
        from engine.lessons.package import open_lesson

        progress = handin.progress
        wanted = (progress.lesson, progress.title)
        path = known.path if known is not None else None
        if path is None:
            path = next((head.path for head in heads() if (head.key, head.title) == wanted), None)
        if path is None:
            raise EngineError(f"This answer holds no state. {ELSEWHERE}")
        if not self.running:
            self.files.shelve()
        self.player.begin(open_lesson(path), str(path), page)

    def hand_in_to(self, name: str, path: str) -> None:
        try:
            self.player.hand_in(name, path)
        except EngineError as sentence:
            self.session.offer(str(sentence), "Save elsewhere…", self.hand_in, "fault")
            return
        self.session.say(f"Saved as {cut(Path(path).name)}: mail it to your teacher.")
