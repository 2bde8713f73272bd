"""What is saved as a file: pictures, films, pages, handouts, scripts, questions, numbers and the
table.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from engine.base.errors import EngineError
from engine.base.notation import cut, listed
from engine.base.records import replace
from engine.scene.views import PLANE
from gui.dialogs.remembered import Remembered
from gui.plane.plane import Plane
from gui.session.session import EXPORT_COVERED, Session
from gui.stage.lanes import Lanes
from gui.window.recent import Files

if TYPE_CHECKING:
    from gui.dialogs.export_picture import Wanted
    from gui.export.film import Film
    from gui.export.page import Draw
    from gui.export.shown import Look, Part, Shown
    from gui.painters.view import View
    from gui.timeline.curves import Curves

PICTURES = "PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"


class Exports:
    """Asks for the file and writes it; every failure becomes a sentence in the message line."""

    def __init__(
        self, window: QWidget, session: Session, lanes: Lanes, files: Files, name: Callable[[], str]
    ) -> None:
        """name: returns the name of the document."""
        self.curves: Callable[[], Curves | None] = lambda: None  # those over the timeline
        self.window, self.session, self.lanes, self.files = window, session, lanes, files
        self._name = name
        self._exported: Wanted | None = None
        self._remembered = Remembered(files.folder, name)

    @property
    def plane(self) -> Plane:
        return self.lanes.plane

    # -- pictures ----------------------------------------------------------------------------------

    def picture(self) -> None:
        """Ask what a picture shows and how large it is, then for the file."""
        from gui.dialogs.export_picture import Effects, ExportPicture

        shown = self._shown()
        if shown is None:
            return
        names = (
            shown.names
            if len(shown.stage) > 1
            else tuple(dict.fromkeys((shown.stage[0].name, *shown.names)))
        )
        effects = Effects(self._check, self._export, self.copy_picture)
        ExportPicture(self.window, self._picture_size(), self._exported, names, effects).show()

    def _picture_size(self) -> tuple[int, int]:
        """The size of what the stage shows, in pixels."""
        panes = self.lanes.stage.panes()
        seen = self.lanes.stage if len(panes) > 1 else panes[0][1]
        return seen.width(), seen.height()

    def _parts(self) -> "tuple[Part, ...]":
        """The views on the stage, as they divide it."""
        from gui.export.shown import Part

        stage = self.lanes.stage
        panes = stage.panes()
        if len(panes) == 1:
            return (Part(panes[0][0]),)
        wide, high = max(1, stage.width()), max(1, stage.height())
        spots = [(name, pane.geometry()) for name, pane in panes]
        return tuple(
            Part(name, at.x() / wide, at.y() / high, at.width() / wide, at.height() / high)
            for name, at in spots
        )

    def _shown(self, view: str = "") -> "Shown | None":
        """The shown step with its views; None with a sentence where it may not be shown.

        view: "" or the name of a view; the curves are those of the lane that leads
        """
        from gui.export.shown import CURVES, Shown

        session = self.session
        lane = session.lead if view == CURVES else session.lane_view
        trace, run = lane.trace, lane.run
        if trace is None or run is None or not len(trace):
            session.say("There is nothing to save yet: the algorithm has not run.", "error")
            return None
        if lane.regions_veiled or lane.covered or (view == CURVES and lane.veiled):
            session.say("What the picture would show is covered until you answer.", "error")
            return None
        given = run.judging, self.curves(), self._parts(), lane.scene
        return Shown(trace, lane.cursor, lane.unit, *given)

    def _look(self, theme: str = "") -> "Look":
        """How views look: the plane as on the screen.

        theme: its name, "" for that of the screen
        """
        from gui.export.shown import Look
        from gui.look import theme as themes

        turned = [pane.widget() for _, pane in self.lanes.stage.panes()]
        return Look(
            themes.THEMES[theme or themes.current().name],
            self._ranges() if self.lanes.stage.plane_shown else None,
            self.plane.hatch,
            self.session.lane_view.marks.hidden,
            next((widget for widget in turned if hasattr(widget, "stand_as")), None),
        )

    def _drawing(self, wanted: "Wanted") -> "Draw | None":
        """A function that paints what is wanted; None with a sentence where it may not be shown.

        Raises EngineError for steps that are not there or too many, and where they have no room.
        """
        from gui.export.render import strip_draw, view_draw
        from gui.export.strip import strip_of

        shown = self._shown(wanted.view)
        if shown is None:
            return None
        look = self._look(wanted.theme)
        name = shown.find(wanted.view) if wanted.view else shown.led_by
        caption, legend = wanted.caption, wanted.legend
        scale = wanted.scale(self._picture_size())
        data = self.session.data.name
        places = self._places(shown, wanted.steps)
        if len(places) < 2:
            shown = shown.at(places[0])
            page = shown.page(data, name, caption=caption, explained=legend, hidden=look.hidden)
            return view_draw(shown, name, look, page, scale)
        strip = strip_of(
            shown, places, data, name, caption=caption, explained=legend, hidden=look.hidden
        )
        return strip_draw(strip, look, scale)

    def _places(self, shown: "Shown", steps: str) -> list[int]:
        """The steps of the run that a text names, the shown one where it is empty."""
        from engine.runs.chosen_steps import Chosen, read_steps

        if not steps:
            return [shown.index]
        if self.session.predicting.on:
            raise EngineError(EXPORT_COVERED)
        places = shown.trace.indices(shown.unit)
        numbers = Chosen(read_steps(steps), 1, shown.unit).numbers(len(places))
        return [int(places[number]) for number in numbers]

    def _check(self, wanted: "Wanted") -> None:
        """Raise EngineError where the wanted picture cannot be drawn."""
        from gui.export.render import image_of

        draw = self._drawing(wanted)
        if draw is not None and wanted.steps:  # whether the steps have room is known when painted
            image_of(wanted.size, draw)

    def _export(self, wanted: "Wanted") -> None:
        self._exported = wanted
        start = str(Path(self.files.folder()) / f"{self._name()}.png")
        path, kind = QFileDialog.getSaveFileName(self.window, "Save a picture", start, PICTURES)
        if path:
            ending = next((each for each in (".svg", ".pdf") if each in kind), ".png")
            self.picture_to(path if Path(path).suffix else path + ending, wanted)

    def picture_to(self, path: str, wanted: "Wanted | None" = None) -> None:
        """Save a picture as PNG, SVG or PDF.

        Without `wanted` it is what the stage shows, as large and in the colours of the screen.
        """
        from gui.dialogs.export_picture import Wanted
        from gui.export.render import checked, save
        from gui.look import theme

        wanted = wanted or Wanted(self._picture_size())
        try:
            checked(Path(path), theme.current().name, wanted.size)
            draw = self._drawing(wanted)
            if draw is None:
                return
            save(Path(path), wanted.size, draw)
        except EngineError as sentence:
            self.session.say(str(sentence), "error")
            return
        self.session.say(f"Saved as {cut(Path(path).name)}.")

    def copy_picture(self, wanted: "Wanted") -> None:
        """Put a picture on the clipboard."""
        from gui.export.render import image_of

        self._exported = wanted
        try:
            if (draw := self._drawing(wanted)) is None:
                return
            QApplication.clipboard().setImage(image_of(wanted.size, draw))
        except EngineError as sentence:
            self.session.say(str(sentence), "error")
            return
        self.session.say("The picture is on the clipboard.")

    # -- runs --------------------------------------------------------------------------------------

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
        """The settings of a film of this size: the view as on the screen."""
        from gui.dialogs.export_picture import Wanted
        from gui.export.film import Film
        from gui.look import theme

        scale = Wanted(size).scale(self._picture_size())
        ranges = self._ranges()
        hidden = self.session.lane_view.marks.hidden
        return Film(
            size,
            theme.current().name,
            view_name=self._lead(),
            view=ranges,
            hatch=self.plane.hatch,
            hidden=hidden,
            scale=scale,
        )

    def _lead(self) -> str:
        """The name of the view that films and handouts show: the plane if it is on the stage."""
        stage = self.lanes.stage
        return PLANE if stage.plane_shown else stage.panes()[0][0]

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
            view_name=self._lead(),
            view=self._ranges(),
            hatch=self.plane.hatch,
            hidden=self.session.lane_view.marks.hidden,
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
