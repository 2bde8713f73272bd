"""What is taken away as a file: a picture of the shown step, the table."""

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
    """Asks for the file; every failure becomes a sentence in the message line."""

    def __init__(
        self, window: QWidget, session: Session, lanes: Lanes, files: Files, name: Callable[[], str]
    ) -> None:
        """name: gives that of the document."""
        self.window, self.session, self.lanes, self.files = window, session, lanes, files
        self._name = name
        self._exported: Wanted | None = None
        self._remembered = Remembered(files.folder, name)

    @property
    def plane(self) -> Plane:
        return self.lanes.plane

    def picture(self) -> None:
        """Ask how large, then where to."""
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
        """The plane at the shown step as PNG or SVG, in the theme on the screen; as large as there
        when nothing is wanted.
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
        """Whether the run is covered, as one predicts its steps; then a sentence says so."""
        if self.session.predicting.on:
            self.session.say(EXPORT_COVERED, "error")
        return self.session.predicting.on

    def questions(self) -> None:
        """The questions about the run of the active lane, for a course."""
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
        """The method on the table as a Python script; a large table is written beside it."""
        from engine.scripts import script_of, write_script

        trace = self.session.trace
        session = self.session
        if self._covered():
            return
        if trace is None or not len(trace):
            session.say("There is no script yet: the algorithm has not run.", "error")
            return
        try:
            script_of(trace)  # before the file is asked for: the method may have none
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
        """A page that steps through the run in any browser: which steps, then where to."""
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
        """How a film of this size shows the plane: as it stands on the screen."""
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
        """All rows and columns as they stand in the table, whatever the plane shows."""
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
