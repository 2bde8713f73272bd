"""What menus, keys and buttons do: files, clipboard, selection, jumps. One short method each."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QMessageBox, QWidget

from engine.base.errors import EngineError
from engine.base.notation import counted, cut, plural
from engine.document import edits
from engine.document.document import Document
from engine.document.fitting import new_document, with_data
from engine.document.lane_edits import suggested
from engine.files import PLAYLIST
from engine.files import SUFFIX as PROJECT
from engine.protocol.params import params_fields
from engine.protocol.step import Level
from engine.scene.views import CODE
from engine.sources.own_points import empty_plane, kind_for
from engine.table.given import next_seed
from gui.plane.plane import Plane
from gui.plane.tool import no_plane
from gui.session.changes import Change
from gui.session.session import Session
from gui.session.sync_mode import END
from gui.setup.data_commands import DataCommands
from gui.stage.lanes import Lanes
from gui.window.exports import Exports
from gui.window.lessons import LessonCommands, is_hand_in, is_lesson
from gui.window.own_algorithms import OwnAlgorithms
from gui.window.playlist import PlaylistWalk
from gui.window.recent import Files

if TYPE_CHECKING:
    from gui.lessons.gallery_start import Ways

TABLES = (
    "*.csv *.tsv *.tab *.txt *.dat *.data *.xlsx *.xlsm *.xls *.ods *.arff *.svm *.libsvm"
    " *.svmlight *.basket *.bsk *.json *.jsonl *.ndjson *.parquet *.md *.gz"
)
OPENABLE = (
    f"Tables, projects, lessons and playlists (*.learnscope *.lesson *.playlist {TABLES});;"
    "All files (*)"
)


class Commands:
    """The effects of commands on the session and the plane; every failure becomes a sentence in the
    message line.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        lanes: Lanes,
        settings: QSettings,
        recent_menu: QMenu,
        dismiss_message: Callable[[], bool],
        class_place: Callable[[], QWidget],
    ) -> None:
        """window: the parent of dialogs; dismiss_message: returns whether there was a message;
        class_place: returns the widget below which the name of a class is edited.
        """
        self.window, self.session, self.lanes = window, session, lanes
        self._dismiss_message, self._class_place = dismiss_message, class_place
        self.files = Files(
            session, settings, self.open_path, self.show_unsaved, recent_menu, self._kept
        )
        self.own = OwnAlgorithms(session, settings, window)
        self.data_commands = DataCommands(session, self._fit, self._lead_with, self.show_book)
        self.exports = Exports(window, session, lanes, self.files, self.document_name)
        self.lessons = LessonCommands(window, session, settings, self.files, self.data_commands)
        self.playlist = PlaylistWalk(
            window,
            session,
            self.files,
            self.data_commands,
            self._open_station,
            self.lessons.station,
        )
        self.lessons.beyond = self.playlist.go_on
        self.lessons.ways = self._ways
        self.show_code: Callable[[bool], None] = lambda leads: None  # set by the window
        self.use_data, self.take = self.data_commands.use_data, self.data_commands.take
        lanes.planes[0].view_box.sigRangeChanged.connect(lambda *_: self.files.rest())

    @property
    def plane(self) -> Plane:
        """The plane of the active lane."""
        return self.lanes.plane

    def _lead_with(self, views: Sequence[str]) -> None:
        """Show these views first, in each lane those that it has; CODE among them also opens the
        pseudo-code where it is folded.
        """
        self.lanes.follow()  # before the window hears of a lane it has no cell that could lead
        for cell in self.lanes.cells:
            cell.stage.lead_with(views)
        self.show_code(CODE in views)

    def _fit(self) -> None:
        """Fit all points, in all lanes."""
        self.lanes.planes[0].fit()

    def fit(self) -> None:
        """Fit all points, and the figures on the stage that can be zoomed."""
        self.lanes.planes[0].ranges.fit_points()
        for cell in self.lanes.cells:
            cell.stage.fit_figures()

    def _kept(self) -> Document:
        """The document as it goes into a file."""
        return self.lanes.planes[0].ranges.kept()

    # -- documents ---------------------------------------------------------------------------------

    def new(self) -> None:
        """Start an empty plane for the same algorithm; undo brings back the last document."""
        kind = kind_for(self.session.algorithm.needs)
        self._start(new_document(self.session.document, empty_plane(kind)))
        self.session.tool = "add"

    def open(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self.window, "Open", self.files.folder(), OPENABLE)
        if path:
            self.open_path(path)

    def open_path(self, path: str) -> None:
        """Open a project as it was saved, a playlist, or a table after its dialog."""
        self.session.say("", "error")
        try:
            if path.lower().endswith(PLAYLIST):
                self.playlist.open(path)
            elif is_lesson(path):
                self.lessons.open(path)
            elif is_hand_in(path):
                self.lessons.show_marks([path])
            elif Path(path).suffix.lower() == PROJECT:
                self.open_project(path)
            else:
                self._open_table(path)
        except EngineError as sentence:
            self.session.say(str(sentence), "error")

    def _ways(self) -> "Ways":
        """What the list of lessons opens beside lessons."""
        from gui.lessons.gallery_start import Ways

        lessons = self.lessons
        return Ways(
            self.new,
            self.open,
            self.open_path,
            self.files.recent,
            lessons.carry_progress,
            lessons.bring_progress,
            lessons.forget_progress,
            lambda: lessons.first,
            lessons.start_with,
        )

    def _open_station(self, path: str) -> None:
        """Open a project or a lesson of a playlist; raises EngineError."""
        (self.lessons.open if is_lesson(path) else self.open_project)(path)

    def open_project(self, path: str) -> None:
        """Open a project as it was saved; raises EngineError."""
        from engine.files.project import read_project

        project = read_project(path)
        self._start(project.document, path, project.cursor or 0, level=project.level)
        self.files.remember(path)

    def _open_table(self, path: str) -> None:
        from gui.dialogs.open_table import ask_table

        data = ask_table(self.window, path)
        if data is not None:
            # a document without a file, so that saving the table does not overwrite the project;
            # undo brings the project back
            self._start(with_data(self.session.document, data), saved=False)
            self.files.remember(path)

    def _start(
        self,
        document: Document,
        path: str | None = None,
        cursor: int = 0,
        saved: bool = True,
        level: Level | None = None,
    ) -> None:
        """Open a document at a step; level: in which `cursor` counts, None for the clock's."""
        self.files.shelve()
        self.session.player.pause()
        self.data_commands.tables.begin(document.data)
        self.session.open(document, path, cursor, saved, level)
        self._fit()

    def show_unsaved(self, document: Document, cursor: int, level: Level) -> None:
        """Open a document that was kept but never saved; level: in which `cursor` counts."""
        self.session.player.pause()
        self.data_commands.tables.begin(document.data)
        self.session.open(document, None, cursor, saved=False, level=level)
        self._fit()

    def save(self) -> bool:
        """Save the project; True when it is on the disk."""
        if self.session.path is None:
            return self.save_as()
        return self.save_to(self.session.path)

    def save_as(self) -> bool:
        start = self.session.path or str(
            Path(self.files.folder()) / f"{self.document_name()}{PROJECT}"
        )
        path, _ = QFileDialog.getSaveFileName(
            self.window, "Save project", start, f"Learnscope project (*{PROJECT})"
        )
        if not path:
            return False
        return self.save_to(path if Path(path).suffix.lower() == PROJECT else path + PROJECT)

    def save_to(self, path: str) -> bool:
        from engine.files.project import save_project

        try:
            save_project(self._kept(), path, self.session.first_cursor, self.session.pace().level)
        except EngineError as sentence:
            self.session.offer(str(sentence), "Save elsewhere…", self.save_as, "fault")
            return False
        self.session.say("", "fault")
        self.session.path, self.session.saved = path, self.session.document
        self.files.remember(path)
        self.session.announce(Change.DOCUMENT)
        self.session.say(f"Saved as {cut(Path(path).name)}.")
        return True

    def document_name(self) -> str:
        return (
            Path(self.session.path).stem if self.session.path else self.session.document.data.name
        )

    def may_leave(self) -> bool:
        """Whether the window may close; asks about unsaved changes of a file.

        Work without a file is kept and offered at the next start instead.
        """
        if not self.session.unsaved or (self.session.path is None and self.files.secure()):
            return True
        box = QMessageBox(self.window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"Save the changes to {cut(self.document_name())}?")
        save = box.addButton("Save", QMessageBox.ButtonRole.AcceptRole)
        box.addButton("Do not save", QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton("Stay", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.setEscapeButton(stay)
        box.exec()
        if box.clickedButton() is stay:
            return False
        return self.save() if box.clickedButton() is save else True

    def leave(self) -> None:
        """Close the files; the safety copy stays only for work without a file."""
        self.lessons.keep_written()
        self.files.close(keep=self.session.unsaved and self.session.path is None)

    # -- points ------------------------------------------------------------------------------------

    def edit_table(self) -> None:
        from gui.dialogs.table_editor import TableEditor

        TableEditor(self.session, self.window).show()

    def clear(self) -> None:
        self.session.edit_data(edits.clear, "remove all points")

    def remove_probe(self) -> None:
        """Cancel one thing, the first there is: a stroke, a message, the keyboard's cross, the
        selection, the row that “Why?” is about, the probe.
        """
        plane = self.plane
        tool = plane.holding or plane.tool
        if tool is not None and tool.busy():
            tool.cancel()
        elif self._dismiss_message():
            return
        elif plane.pointer.at is not None:
            plane.pointer.hide()
        elif plane.selected:
            plane.select([])
        elif plane.asking.row >= 0:
            self.lanes.stage.row_chosen.emit(-1)
        elif self.session.document.probe is not None:
            self.session.place_probe(None)

    def select_all(self) -> None:
        self.plane.select(self.plane.shown().rows)

    def delete(self) -> None:
        rows = np.asarray(sorted(self.plane.selected), np.intp)
        if len(rows):
            self.plane.select([])
            self.plane.edit(lambda document: edits.delete_rows(document, rows), "delete points")

    def nudge(self, dx: float, dy: float) -> None:
        """Move the selected points by pixels."""
        plane = self.plane
        shown = plane.shown()
        here = np.isin(shown.rows, list(plane.selected))
        moved = shown.xy[here] + np.array([dx, dy]) / plane.view().unit
        plane.edit(lambda d: edits.move_points(d, shown.rows[here], moved), "nudge points", "nudge")

    def copy(self) -> None:
        """Copy the selected rows, or all, as cells for a spreadsheet."""
        rows = sorted(self.plane.selected) or range(len(self.session.data))
        if not rows:
            self.session.say("There are no points to copy.", "error")
            return
        text = edits.points_text(
            self.session.document.of_lane(self.session.active), np.asarray(list(rows), np.intp)
        )
        QApplication.clipboard().setText(text)
        self.session.say(
            f"{counted(len(rows), 'row')} copied, to paste into a spreadsheet or another plane."
        )

    def paste(self) -> None:
        """Paste cells from the clipboard: below the table when the columns fit, else as a new
        table.
        """
        from gui.window.pasting import paste

        paste(self.session, self.use_data)

    # -- time and settings -------------------------------------------------------------------------

    def to_end(self) -> None:
        self.session.seek(END)

    def jump(self, count: int) -> None:
        """Go to step number `count` in the chosen unit."""
        lead = self.session.lead
        trace = lead.trace
        if trace is None:
            return
        indices = trace.indices(lead.unit)
        unit = lead.unit.name.lower()
        if count < len(indices):
            self.session.seek(int(indices[count]))
        elif lead.veiled:
            self.session.seek(END)  # it says that these steps are covered
        elif lead.finished:
            last = len(indices) - 1
            self.session.seek(END)
            self.session.say(f"The run has {counted(last, unit)}; this is the last one.", "place")
        elif len(indices) == len(trace):
            self.session.seek(count)
        else:
            self.session.seek(int(indices[-1]))
            self.session.say(
                f"The run has got to {unit} {len(indices) - 1:,} so far; try again in a moment.",
                "place",
            )

    def take_tool(self, key: str) -> None:
        """Choose a tool, or say why it has nothing to work on."""
        if refusal := self.plane.tools[key].refusal():
            self.session.say(refusal)
            self.session.set_settings()  # the button that was pressed comes up again
        else:
            self.session.set_settings(tool=key)

    def choose_class(self, code: int) -> None:
        target = self.session.data.target
        if refusal := no_plane(self.session):
            self.session.say(refusal)
            return
        if target is None or target.feature.numeric:
            return
        count = len(target.categories)
        if code > count:
            there = f"There {plural(count, 'is', 'are')} {counted(count, 'class', 'classes')}"
            self.session.say(f"{there}; key {count + 1} begins a new one.")
            return
        if code == count:
            self.session.say("The next point that you click begins a new class.")
        self.session.set_settings(current_class=code)

    def rename_class(self) -> None:
        """Ask for another name of the chosen class, at the data or, where they are folded away,
        over the plane.
        """
        from gui.setup.class_rows import ClassName

        code = self.session.current_class
        target = self.session.data.target
        if target is None or target.feature.numeric or code >= len(target.categories):
            self.session.say("There is no class to rename: choose one with the keys 1 to 9.")
            return
        ClassName(self.session, code, self.window).open_below(self._class_place())

    def toggle_breakpoints(self) -> None:
        events = frozenset(self.session.events)
        self.session.set_settings(stop_at=frozenset() if self.session.stop_at else events)

    def compare_values(self) -> None:
        """Open the dialog that compares values of one parameter of the active lane, in up to four
        lanes.
        """
        from gui.dialogs.sweep import Sweep

        lane = self.session.lane
        if not any(
            len(suggested(lane, field.name)) > 1 for field in params_fields(lane.algorithm.params)
        ):
            self.session.say(f"{lane.algorithm.title} has no parameter with values to compare.")
            return
        Sweep(self.window, lane, self.lanes.lane_commands.sweep).show()

    def set_weight(self) -> None:
        from gui.dialogs.weight import ask_weight

        ask_weight(self.window, self.session)

    def next_seed(self) -> None:
        self.session.set_seed(next_seed(self.session.lane.seed))

    def toggle_full_screen(self) -> None:
        window = self.window
        # the other flags stay: a maximised window is maximised again
        window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def toggle_snap(self) -> None:
        snap = not self.plane.snap
        for plane in self.lanes.planes:
            plane.snap = snap
        self.session.say("Points snap to the grid." if snap else "Points stand where you click.")

    def toggle_hatch(self) -> None:
        hatch = not self.plane.hatch
        for plane in self.lanes.planes:
            plane.hatch = hatch
            plane.redraw()

    # -- texts -------------------------------------------------------------------------------------

    def copy_step(self) -> None:
        """Copy the shown step as plain text, for notes and screen readers."""
        QApplication.clipboard().setText(self.step_text())
        self.session.say("This step is on the clipboard as text.")

    def step_text(self) -> str:
        session = self.session
        step = self.session.step
        if step is None:
            return session.error
        line = dict(session.algorithm.code_lines(session.lane.params))[step.line].strip()
        metrics = ", ".join(f"{name} {value:g}" for name, value in step.metrics.items())
        head = f"{session.algorithm.title}, {session.unit.name.lower()} {session.number:,}: {line}"
        return "\n".join([head, *step.note.lines(), metrics]).strip()

    def show_keys(self) -> None:
        from gui.dialogs.keys import KeysDialog

        KeysDialog(self.window).show()

    def show_book(self, place: str = "") -> None:
        """Open the list of what the textbooks show; place: a citation to begin at."""
        from gui.dialogs.in_my_book import browse

        browse(self.window, self.session, self.data_commands.open_place).begin(place)

    def about(self) -> None:
        from gui.dialogs.about import show_about

        show_about(self.window)
