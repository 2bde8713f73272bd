"""The data section of the left dock: the data set, counts of classes, the form of its generator,
the axes, and changes of columns.
"""

from functools import partial
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

import engine
from engine.base.errors import EngineError
from engine.base.notation import class_text, counted, plural
from engine.base.records import cached_property, replace
from engine.document.document import Document
from engine.sources.generators import GENERATORS
from engine.table.dataset import Dataset, Label
from engine.table.origin import Origin
from engine.table.prepare import Transform
from engine.table.problem import Problem, Task
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.look import style, theme
from gui.look.swatches import boxed
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.setup.class_rows import ClassRow
from gui.setup.data_and_method import DataPicker
from gui.setup.data_commands import DataCommands
from gui.setup.picker_catalogue import BUNDLED, kind_and_name
from gui.widgets.controls import (
    Combo,
    ElidedLabel,
    ErrorLine,
    NumberSlider,
    Section,
    describe,
    label,
)

LABELS = 56  # pixels for the names of controls
LIST_WIDEST = 460  # pixels of an open list of columns
# classes listed at most; characters of a name and its count that fit in half a row
CLASSES_SHOWN, SHORT = 8, 7
TRANSFORMS = {
    "standardise": "Standardise numbers",
    "unit_range": "Scale numbers to 0…1",
    "polar": "Polar coordinates of the plane",
    "quadratic": "Add squares and products",
    "one_hot": "Words as 0/1 columns",
    "permute": "Permute columns",
    "fill_missing": "Fill missing values",
    "drop_missing": "Drop rows with missing values",
}


class SectionCommands(Protocol):
    """The commands behind the section's buttons and its picker."""

    data_commands: DataCommands

    def open(self) -> None: ...
    def edit_table(self) -> None: ...


class DataSection(Section):
    """The picker, counts, generator form, axes and buttons; edits go through the session."""

    def __init__(self, session: Session, commands: SectionCommands) -> None:
        super().__init__("Data", pad=theme.PAD_TIGHT)
        self.content.setSpacing(theme.GAP_TIGHT)
        self.session, self.commands = session, commands
        self.generator = ""
        self.picker = DataPicker(session, commands.data_commands)
        self.content.addWidget(self.picker)
        self.none = label("", "muted")
        self.none.setWordWrap(True)
        self.content.addWidget(self.none)
        self.about = ElidedLabel("", "caption")
        self.content.addWidget(self.about)
        self.counts = QGridLayout()
        self.counts.setVerticalSpacing(2)
        self.counts.setHorizontalSpacing(4 * theme.GAP)
        self.content.addLayout(self.counts)
        self.form = GeneratorForm(self._draw, session.history.seal)
        self.content.addWidget(self.form)
        self.axes = AxesRow(session)
        self.content.addWidget(self.axes)
        self.buttons = QWidget()
        self.buttons.setLayout(self._buttons())
        self.content.addWidget(self.buttons)
        session.changed.connect(self._on_changed)
        self._counted: Any = None
        self.refresh()

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & (Change.DOCUMENT | Change.ACTIVE):
            self.refresh()

    def _idle(self) -> bool:
        """Whether no lane looks at the data."""
        return all(
            each.algorithm.without_data is not None and each.algorithm.without_data(each.params)
            for each in self.session.document.lanes
        )

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for text, words, effect in (
            ("Table", "See and change every cell (Ctrl+T)", self.commands.edit_table),
            ("Open", "Open a table or a project (Ctrl+O)", self.commands.open),
        ):
            button = QPushButton(text)
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            describe(button, text, words)
            button.clicked.connect(lambda *_, run=effect: run())
            button.setProperty("compact", True)
            row.addWidget(button, 4)
        change = QPushButton("Change")
        describe(
            change,
            "Change columns",
            "Declared changes of the columns: standardise, polar, squares, 0/1 columns, missing"
            " values",
        )
        self.menu = QMenu(change)
        self.menu.aboutToShow.connect(self._fill_menu)
        change.setMenu(self.menu)
        change.setProperty("compact", True)
        change.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row.addWidget(change, 6)
        return row

    # -- choosing ----------------------------------------------------------------------------------

    def _draw(self, merge: str, **values: Any) -> None:
        """Draw points with the present generator; `values` are its arguments.

        merge: edits in a row with this key undo as one.
        """
        try:
            data = engine.generate(self.generator, **values)
        except EngineError as sentence:
            self.session.say(str(sentence), "error")
            return
        self.session.edit_data(partial(_with_points, data), "draw other points", merge)

    def _fill_menu(self) -> None:
        self.menu.clear()
        document = self.session.document
        here = [t.kind for t in document.transforms]
        for kind, words in TRANSFORMS.items():
            action = self.menu.addAction(words, partial(self.toggle, kind))
            action.setCheckable(True)
            action.setChecked(kind in here)

    def toggle(self, kind: str) -> None:
        """Add a change of columns, or remove it if it is there.

        If the data do not allow it, show why and leave them as they are.
        """
        document = self.session.document
        kept = tuple(t for t in document.transforms if t.kind != kind)
        if len(kept) == len(document.transforms):
            columns = document.plane if kind == "polar" else ()
            kept = (*kept, Transform(kind, columns))
        changed = replace(document, transforms=kept, plane=(), probe=None)
        try:
            changed.problem()
        except EngineError as sentence:
            self.session.say(str(sentence), "error")
            return
        self.session.edit(changed, TRANSFORMS[kind].lower())

    # -- showing -----------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the data, or that the methods look at none."""
        idle = self._idle()
        for part in (self.picker, self.buttons):
            part.setVisible(not idle)
        self.none.setVisible(idle)
        self.none.setText(
            f"{self.session.algorithm.title} looks at no data: its numbers are parameters."
        )
        if idle:
            for part in (self.about, self.form, self.axes):
                part.hide()
            self.caption.set_text("", "")
            self._clear_counts()
            return
        data = self.session.data
        changed = ", changed by hand" if data.origin is not None and not data.as_drawn else ""
        count = counted(len(data), "point" if self._plane() else "row")
        absent = self._absent()
        self.caption.set_text(
            f"{count}{f', {absent:,} not drawn' if absent else ''}{changed}", _why_absent(absent)
        )
        kind, name = kind_and_name(data) or ("own", "")
        if kind == "generate" and name != self.generator:
            self.generator = name
            self.form.show_recipe(name)
        origin = (
            data.origin
            if kind == "generate" and data.origin and data.origin.generator == name
            else None
        )
        if origin is not None:
            self.form.show_values(origin)
        # hidden for another table of that name: its arguments are unknown
        self.form.setVisible(origin is not None)
        source = BUNDLED[kind][name].source if kind in BUNDLED else ""
        self.about.set_text(data.about, data.about, (source,) if source else ())
        self.about.setVisible(bool(data.about) and kind != "generate")
        self._refresh_counts()
        self.axes.refresh()

    def _plane(self) -> bool:
        return self.session.problem is None or bool(self.session.problem.plane)

    def _absent(self) -> int:
        """How many rows have no place on the plane, held-out ones included."""
        problem = self.session.problem
        if problem is None or not problem.plane:
            return 0
        parts = [problem] if problem.held_out is None else [problem, problem.held_out]
        return sum(
            0 if np.isfinite(part.xy).all() else int((~np.isfinite(part.xy)).any(axis=1).sum())
            for part in parts
        )

    def _refresh_counts(self) -> None:
        target = self.session.data.target
        if target is None or target.feature.numeric:
            wanted: list[tuple[int, Label, int]] = []
        else:
            wanted = [
                (k, v, int((target.values == k).sum())) for k, v in enumerate(target.categories)
            ]
        # in a clustering colours mean clusters, so the classes get no marks
        seen = self.session.algorithm.task is not Task.CLUSTER
        counted_now = wanted, seen, boxed(self.session.problem)
        if counted_now == self._counted:
            return
        self._clear_counts()
        self._counted = counted_now
        names = [
            _class_name(value, [other for _, other, _ in wanted])
            for _, value, _ in wanted[:CLASSES_SHOWN]
        ]
        shown = [(code, name, count) for (code, _, count), name in zip(wanted, names, strict=False)]
        columns = (
            2
            if len(shown) > 1
            and max(len(text) + len(f"{count:,}") for _, text, count in shown) <= SHORT
            else 1
        )
        for column in range(2):
            self.counts.setColumnStretch(column, int(column < columns))
        for k, (code, text, count) in enumerate(shown):
            self.counts.addWidget(
                ClassRow(self.session, code, text, count, seen), k // columns, k % columns
            )
        if shown and not seen:
            self.counts.addWidget(
                label("classes are not looked at", "caption"), CLASSES_SHOWN + 1, 0, 1, columns
            )
        if len(wanted) > CLASSES_SHOWN:
            more = label(
                f"and {counted(len(wanted) - CLASSES_SHOWN, 'more class', 'more classes')}",
                "caption",
            )
            self.counts.addWidget(more, CLASSES_SHOWN, 0, 1, columns)

    def _clear_counts(self) -> None:
        self._counted = None
        while self.counts.count():
            self.counts.takeAt(0).widget().deleteLater()


def _with_points(data: Dataset, document: Document) -> Document:
    return replace(document, data=data)


def _class_name(value: Any, classes: list[Any]) -> str:
    """“class +1” for a number, a word unchanged.

    It depends on the declared classes alone, not on which of them have points.
    """
    text = class_text(value, classes)
    return f"class {text}" if isinstance(value, (int, float)) else text


def _why_absent(rows: int) -> str:
    """The sentence that says why so many rows are not drawn; "" for none."""
    return (
        f"{counted(rows, 'row')} {plural(rows, 'lacks', 'lack')} a number for one of the axes."
        if rows
        else ""
    )


class GeneratorForm(QWidget):
    """Sliders for the number of points, the noise, the seed and, where it is free, the number of
    classes of a generator. Every change draws new points.
    """

    def __init__(self, draw: Any, seal: Any) -> None:
        super().__init__()
        self.draw, self.seal = draw, seal
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(2)
        self.sliders: dict[str, NumberSlider] = {}
        self.error = ErrorLine(self)
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(15)
        self.timer.timeout.connect(self._emit)

    def show_recipe(self, name: str) -> None:
        """Build the sliders for the generator `name`, at its defaults."""
        self.column.removeWidget(self.error)
        self.error.show_error("")
        while self.column.count():
            self.column.takeAt(0).widget().deleteLater()
        recipe = GENERATORS[name]
        most = 2000 if recipe.n <= 2000 else recipe.n
        self.sliders = {
            "n": NumberSlider(
                2, most, recipe.n, log_steps=True, whole=True, accessible="Number of points"
            ),
            "noise": NumberSlider(0.0, recipe.max_noise, recipe.noise, accessible="Noise"),
            "seed": NumberSlider(0, 99, 0, whole=True, accessible="Seed of the generator"),
        }
        least, usual, largest = recipe.classes
        if largest > least:
            self.sliders["classes"] = NumberSlider(
                least, largest, usual, whole=True, accessible="Classes"
            )
        for key, slider in self.sliders.items():
            slider.changed.connect(lambda *_: self.timer.start())
            slider.gesture_ended.connect(self._settle)
            row = _Labelled(key.capitalize() if key != "n" else "Points", slider)
            slider.refused.connect(partial(self._refuse, row))
            self.column.addWidget(row)

    def _refuse(self, row: QWidget, sentence: str) -> None:
        """Show below `row` what is wrong with its value; "" clears the error of this row only."""
        if not sentence and self.column.indexOf(self.error) != self.column.indexOf(row) + 1:
            return
        self.column.removeWidget(self.error)
        self.column.insertWidget(self.column.indexOf(row) + 1, self.error)
        self.error.show_error(sentence)

    def show_values(self, origin: Origin) -> None:
        """Set the sliders to the arguments that drew the present points, also after an undo.

        Do nothing while a slider is dragged or a change waits to be drawn.
        """
        if not self.timer.isActive() and not any(
            slider.dragging() for slider in self.sliders.values()
        ):
            for key, slider in self.sliders.items():
                slider.set_value(getattr(origin, key))

    def _settle(self) -> None:
        """Draw a waiting change and end the undo step: the slider was released."""
        if self.timer.isActive():
            self.timer.stop()
            self._emit()
        self.seal()

    def _emit(self) -> None:
        self.draw("generator", **{key: slider.value() for key, slider in self.sliders.items()})


class ColumnBox(Combo):
    """A combo box of columns.

    A long name is elided; the tool tip and the open list show it whole.
    """

    def __init__(self, accessible: str) -> None:
        super().__init__(accessible)
        self.elide_middle()
        self.currentTextChanged.connect(
            lambda name: self.setToolTip(tip(f"{accessible}: {name}" if name else accessible))
        )

    def set_names(self, names: list[str]) -> None:
        if [self.itemText(k) for k in range(self.count())] != names:
            self.clear()
            self.addItems(names)
            for k, name in enumerate(names):
                self.setItemData(k, tip(name), Qt.ItemDataRole.ToolTipRole)

    @guarded
    def showPopup(self) -> None:
        """Open the list as wide as its names, LIST_WIDEST and half the screen at most."""
        view = self.view()
        bar = view.verticalScrollBar().sizeHint().width()
        wanted = view.sizeHintForColumn(0) + bar + 2 * theme.PAD_TIGHT
        view.setMinimumWidth(
            min(
                wanted, style.scale(theme.current(), LIST_WIDEST), self.screen().size().width() // 2
            )
        )
        super().showPopup()


class AxesRow(QWidget):
    """Chooses the two numeric columns of the plane; hidden unless there are more than two."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    @cached_property
    def boxes(self) -> "list[ColumnBox]":
        """The boxes for the x and the y axis, created on first use."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        made = [ColumnBox(f"Column on the {name} axis") for name in "xy"]
        for name, box in zip("xy", made, strict=True):
            box.activated.connect(lambda *_: self._choose())
            column.addWidget(_Labelled(f"{name} axis", box))
        return made

    def refresh(self) -> None:
        problem = self.session.problem
        names = [f.name for f in problem.features if f.numeric] if problem is not None else []
        if problem is not None and len(names) > 2:
            self._offer(problem, names)
        self.setVisible(len(names) > 2)

    def _offer(self, problem: Problem, names: list[str]) -> None:
        for k, box in enumerate(self.boxes):
            box.set_names(names)
            if len(problem.plane) > k:
                box.setCurrentText(problem.features[problem.plane[k]].name)

    def _choose(self) -> None:
        x, y = (box.currentText() for box in self.boxes)
        if x == y:
            self.session.say("The two axes need two different columns.", "error")
            self.refresh()
            return
        self.session.edit(
            replace(self.session.document, plane=(x, y), probe=None, view=None),
            "show other columns",
        )


class _Labelled(QWidget):
    """A control with its name before it, in a column of fixed width."""

    def __init__(self, text: str, control: QWidget) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        self.name = label(text)
        line.addWidget(self.name)
        line.addWidget(control, 1)
        self._fit()

    def _fit(self) -> None:
        self.name.setFixedWidth(style.scale(theme.current(), LABELS))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()
