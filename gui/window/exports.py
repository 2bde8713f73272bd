"""What is saved as a file: pictures, films, pages, handouts, scripts, questions, numbers and the
table.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QFileDialog, QWidget

from engine.base.errors import EngineError
from engine.base.notation import cut, listed
from engine.base.records import replace
from gui.dialogs.remembered import Remembered
from gui.plane.plane import Plane
from gui.session.session import EXPORT_COVERED, Session
from gui.stage.lanes import Lanes
from gui.window.recent import Files

if TYPE_CHECKING:
    from gui.dialogs.export_picture import Wanted
    from gui.export.film import Film
    from gui.painters.view import View

FIGURES = (1280, 800)  # pixels for a picture of figures, where there is no plane
PICTURES = "PNG picture (*.png);;SVG drawing (*.svg)"


class Exports:
    """Asks for the file and writes it; every failure becomes a sentence in the message line."""

    def __init__(
        self, window: QWidget, session: Session, lanes: Lanes, files: Files, name: Callable[[], str]
    ) -> None:
        """name: returns the name of the document."""
        self.window, self.session, self.lanes, self.files = window, session, lanes, files
        self._name = name
        self._exported: Wanted | None = None
        self._remembered = Remembered(files.folder, name)

    @property
    def plane(self) -> Plane:
        return self.lanes.plane

    def picture(self) -> None:
        """Ask for the size of a picture, then for the file."""
        from gui.dialogs.export_picture import ExportPicture

        ExportPicture(self.window, self._picture_size(), self._exported, self._export).show()

    def _picture_size(self) -> tuple[int, int]:
        trace = self.session.trace
        return (
            (self.plane.width(), self.plane.height())
            if trace is None or trace.problem.plane
            else FIGURES
        )

    def _export(self, wanted: "Wanted") -> None:
        self._exported = wanted
        start = str(Path(self.files.folder()) / f"{self._name()}.png")
        path, kind = QFileDialog.getSaveFileName(
            self.window, "Save the plane as a picture", start, PICTURES
        )
        if path:
            self.picture_to(
                path if Path(path).suffix else path + (".svg" if "svg" in kind else ".png"), wanted
            )

    def picture_to(self, path: str, wanted: "Wanted | None" = None) -> None:
        """Save the plane at the shown step as PNG or SVG in the current theme.

        Without `wanted` it is as large as on the screen.
        """
        from gui.dialogs.export_picture import Wanted
        from gui.export.page import page_of
        from gui.export.render import render_plane
        from gui.look import theme

        session = self.session
        plane = self.plane
        trace = self.session.trace
        if trace is None or not len(trace):
            session.say("There is nothing to save yet: the algorithm has not run.", "error")
            return
        if session.lane_view.regions_veiled or session.lane_view.covered:
            session.say("What the picture would show is covered until you answer.", "error")
            return
        wanted = wanted or Wanted(self._picture_size())
        ranges = self._ranges()
        hidden = session.lane_view.marks.hidden
        name = session.data.name
        page = page_of(
            trace,
            session.cursor,
            name,
            session.unit,
            caption=wanted.caption,
            explained=wanted.legend,
            hidden=hidden,
        )
        try:
            render_plane(
                trace,
                session.cursor,
                path,
                theme=theme.current().name,
                size=wanted.size,
                view=ranges,
                hatch=plane.hatch,
                hidden=hidden,
                page=page,
                scale=wanted.scale(self._picture_size()),
            )
        except EngineError as sentence:
            session.say(str(sentence), "error")
            return
        session.say(f"Saved as {cut(Path(path).name)}.")

    def _covered(self) -> bool:
        """Whether the run is covered in the mode Predict; then a message says so."""
        if self.session.predicting.on:
            self.session.say(EXPORT_COVERED, "error")
        return self.session.predicting.on

    def questions(self) -> None:
        """Ask how to export questions about the run of the active lane, for a course."""
        from engine.courses.sheets import Assignment
        from engine.files.sources import Source
        from engine.judge.questions.asking import Ask
        from gui.dialogs.export_questions import ExportQuestions

        session = self.session
        if self._covered():
            return
        place = session.lane_view.place
        document = session.document.of_lane(place)
        lane = session.document.lanes[place]
        source = Source(
            document.data, document.transforms, document.plane, document.split, document.probe
        )
        wanted = Assignment(
            source,
            lane.algorithm,
            lane.params,
            lane.seed,
            Ask(unit=session.unit),
            start=lane.start,
            branches=lane.branches,
        )
        start = Path(self.files.folder()) / f"{Path(self._name()).stem} questions"
        ExportQuestions(self.window, wanted, start, session).show()

    def script(self) -> None:
        """Save the method on the table as a Python script; a large table goes into a file beside
        it.
        """
        from engine.scripts import script_of, write_script

        trace = self.session.trace
        session = self.session
        if self._covered():
            return
        if trace is None or not len(trace):
            session.say("There is no script yet: the algorithm has not run.", "error")
            return
        try:
            script_of(trace)  # before the dialog for the file: the method may have none
            start = str(Path(self.files.folder()) / f"{trace.algorithm.key}.py")
            path, _ = QFileDialog.getSaveFileName(
                self.window, "Python script", start, "Python script (*.py)"
            )
            if not path:
                return
            path = path if Path(path).suffix else f"{path}.py"
            written = write_script(trace, path)
        except EngineError as sentence:
            session.say(str(sentence), "error")
            return
        session.say(f"Saved as {listed(cut(file.name) for file in written)}.")

    def page(self) -> None:
        """Ask for the steps and the file of a page that steps through the run in any browser."""
        from gui.dialogs.export_page import ExportPage

        session = self.session
        if self._covered():
            return
        traces = [
            view.trace for view in session.lane_views if view.trace is not None and len(view.trace)
        ]
        if not traces:
            session.say("There is nothing to save yet: the algorithm has not run.", "error")
            return
        ExportPage(self.window, session, traces, self._remembered).show()

    def moving_picture(self) -> None:
        """Ask for a range of steps, a format and a size, and save a film of them."""
        from gui.dialogs.export_film import ExportFilm, Screen

        if self._covered():
            return
        ExportFilm(
            self.window, self.session, self._remembered, Screen(self._picture_size(), self._film)
        ).show()

    def _film(self, size: tuple[int, int]) -> "Film":
        """The settings of a film of this size: the plane as on the screen."""
        from gui.dialogs.export_picture import Wanted
        from gui.export.film import Film
        from gui.look import theme

        scale = Wanted(size).scale(self._picture_size())
        ranges = self._ranges()
        hidden = self.session.lane_view.marks.hidden
        return Film(
            size,
            theme.current().name,
            view=ranges,
            hatch=self.plane.hatch,
            hidden=hidden,
            scale=scale,
        )

    def _ranges(self) -> "View":
        # the picture has room of its own for the numbers
        return replace(self.plane.view(), rect=QRectF())

    def handout(self) -> None:
        """Ask for some steps, and save a handout of them."""
        from gui.dialogs.export_handout import ExportHandout
        from gui.export.handout import Handout

        if self._covered():
            return
        look = Handout(
            view=self._ranges(), hatch=self.plane.hatch, hidden=self.session.lane_view.marks.hidden
        )
        ExportHandout(self.window, self.session, self._remembered, look).show()

    def numbers(self) -> None:
        """Ask for some steps, and save their metrics or states, or the table."""
        from gui.dialogs.export_numbers import ExportNumbers

        if self._covered():
            return
        ExportNumbers(self.window, self.session, self._remembered).show()

    def table(self) -> None:
        """Save all rows and columns of the table as CSV, whatever the plane shows."""
        from engine.files.csv_table import save_csv

        start = str(Path(self.files.folder()) / f"{Path(self.session.data.name).stem}.csv")
        path, _ = QFileDialog.getSaveFileName(
            self.window, "Save the table as CSV", start, "CSV table (*.csv)"
        )
        if not path:
            return
        path = path if Path(path).suffix else f"{path}.csv"
        try:
            save_csv(self.session.data, path)
        except EngineError as sentence:
            self.session.say(str(sentence), "error")
            return
        self.session.say(f"Saved as {cut(Path(path).name)}.")
