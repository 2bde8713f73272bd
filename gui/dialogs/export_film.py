"""The dialog that exports a range of steps as a film or as a picture of each step."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QCheckBox, QWidget

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.records import Record
from engine.runs.chosen_steps import Chosen
from engine.runs.run import Run
from gui.dialogs.export_steps import ExportSteps, Work
from gui.dialogs.remembered import Remembered
from gui.dialogs.rows import Size, SizeRow
from gui.export.film import LONGEST, SHORTEST, Film, save_film
from gui.export.kinds import FILMS, Kind, check_size, missing_package
from gui.session.session import Session
from gui.widgets.controls import Combo, FloatBox, describe

NAMES = {
    Kind.GIF: "GIF",
    Kind.WEBP: "WebP",
    Kind.MP4: "MP4 video",
    Kind.FOLDER: "PNG pictures in a folder",
}
SIZES: tuple[Size, ...] = ((640, 480), (800, 600), (1280, 800), (1920, 1080))
MOST_AT_FIRST = 200  # the highest last step that is suggested


class Screen(Record, eq=True):
    """How the stage looks on the screen.

    size: (width, height) of what it shows
    film: returns, for a size, a `Film` with the look of the screen
    """

    size: Size
    film: Callable[[Size], Film]


class ExportFilm(ExportSteps):
    """Asks for format, size, words below, and how long each step is shown."""

    TITLE = "Moving picture"
    SAID = "What the stage shows of the active lane. The last step is held longer."

    def __init__(
        self, parent: QWidget, session: Session, remembered: Remembered, screen: Screen
    ) -> None:
        self.shown_plane = screen
        values = remembered.values
        self.kinds = Combo("Format")
        for kind in FILMS:
            self.kinds.addItem(NAMES[kind], kind)
        self.kinds.setCurrentIndex(values.get("kind", 0))
        self.size_row = SizeRow(screen.size, SIZES, values.get("size", SIZES[0]))
        self.caption = QCheckBox("Caption: algorithm, data, step and its sentence")
        self.legend = QCheckBox("Legend: classes and marks")
        for box, name in ((self.caption, "caption"), (self.legend, "legend")):
            box.setChecked(values.get(name, True))
            describe(box, box.text())
        self.seconds = FloatBox(
            SHORTEST, LONGEST, values.get("seconds", 0.5), "Seconds for each step"
        )
        self.hold = FloatBox(
            SHORTEST, LONGEST, values.get("hold", 2.0), "Seconds for the last step"
        )
        super().__init__(parent, session, remembered)
        self.kinds.currentIndexChanged.connect(self.sum_up)
        self.size_row.changed.connect(self.sum_up)
        self.seconds.valueChanged.connect(self.sum_up)
        self.hold.valueChanged.connect(self.sum_up)

    def rows(self) -> Sequence[tuple[str, QWidget]]:
        return (
            ("Format", self.kinds),
            ("Size", self.size_row),
            ("Below", self.caption),
            ("", self.legend),
            ("Seconds a step", self.seconds),
            ("The last one", self.hold),
        )

    def suggested(self) -> str:
        trace, unit = self.session.trace, self.session.unit
        known = len(trace.indices(unit)) - 1 if trace is not None else MOST_AT_FIRST
        whole = trace is not None and trace.finished
        return f"0:{min(known, MOST_AT_FIRST) if whole else MOST_AT_FIRST}"

    @property
    def kind(self) -> Kind:
        found: Kind = self.kinds.currentData()
        return found

    def check(self, chosen: Chosen, count: int | None) -> None:
        if missing := missing_package(self.kind):
            raise EngineError(missing)
        if count is not None:
            check_size(self.kind, count, self.size_row.size_wanted())

    def size_text(self, count: int) -> str:
        pictures = counted(count, "picture")
        if self.kind is Kind.FOLDER:
            return pictures
        seconds = sum(self.film().durations(count))
        return (
            f"{pictures}, {seconds:,.1f} s"
            if seconds < 100
            else f"{pictures}, {seconds / 60:,.1f} min"
        )

    def film(self) -> Film:
        """The settings of the film, from the fields of the dialog."""
        size = self.size_row.size_wanted()
        film = self.shown_plane.film(size)
        values = {
            "caption": self.caption.isChecked(),
            "legend": self.legend.isChecked(),
            "seconds": self.seconds.value(),
            "hold": self.hold.value(),
        }
        self.remembered.values |= {**values, "size": size, "kind": self.kinds.currentIndex()}
        return Film(
            size,
            film.theme,
            view_name=film.view_name,
            view=film.view,
            hatch=film.hatch,
            hidden=film.hidden,
            scale=film.scale,
            **values,  # type: ignore[arg-type]
        )

    def start_name(self) -> str:
        return f"{self.remembered.name()}{self.kind.value}"

    def filters(self) -> str:
        return (
            f"{NAMES[self.kind]} (*{self.kind.value})"
            if self.kind is not Kind.FOLDER
            else "A new folder (*)"
        )

    def complete(self, path: str) -> str:
        return path if path.lower().endswith(self.kind.value) else path + self.kind.value

    def work(self, run: Run, chosen: Chosen, path: str) -> Work:
        return partial(save_film, run, self.session.data.name, chosen, path, self.film())
