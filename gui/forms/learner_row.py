"""The row of a parameter that names the learners of an experiment: a list for each, and its own
parameters below.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from engine.base.errors import EngineError
from engine.base.records import replace
from engine.protocol.params import Written, build, to_dict
from engine.protocol.recipe import read_recipe, recipe_text
from engine.protocol.registry import algorithm
from gui.base.guard import guarded
from gui.forms.params_row import ParamsRow, beside
from gui.look import icons, style, theme
from gui.widgets.controls import Combo, describe, label

AUTO = "auto"
LETTERS = "ABCDEFGH"
INSET, FOLD = 12, 40  # pixels: indent of a learner's parameters, width of their button
Learners = Callable[
    [], Sequence[tuple[str, str]]
]  # (key, title) of the learners that the data suit


class OpenedCombo(Combo):
    """opening: emitted before the list is shown, by mouse or key."""

    opening = Signal()

    @guarded
    def showPopup(self) -> None:
        self.opening.emit()
        super().showPopup()


class LearnerChoice(QWidget):
    """One learner: which one, and its parameters, folded until the person opens them.

    changed(text): another learner, or another value of a parameter;
    gesture_ended(): the gesture is over;
    removed(): the button that removes the learner was pressed.
    """

    changed = Signal(str)
    gesture_ended = Signal()
    removed = Signal()

    def __init__(
        self, name: str, learners: Learners, make_form: Callable[[], Any], letter: str = ""
    ) -> None:
        """name: the accessible name;
        learners: returns the learners that the data suit;
        make_form: returns a new form of parameters;
        letter: stands before one of several learners, "" for a single one. The form is placed below
        this widget's own line if there is a letter, otherwise in the layout that `below` returns.
        """
        super().__init__()
        self._learners = learners
        self._make_form = make_form
        self._text = ""
        self.below: Callable[[], Any] = self.layout
        self.form: Any = None
        self.letter = label(letter, "heading")
        self.letter.setVisible(bool(letter))
        self.combo = OpenedCombo(name, compact=True)
        self.fold = self._button("chevron-down", f"Parameters of {name}")
        self.fold.setCheckable(True)
        self.remove = self._button("close", f"Take {name} away")
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        for part in (self.letter, self.combo, self.fold, self.remove):
            line.addWidget(part, int(part is self.combo))
        self.room = 0  # pixels across for its parameters
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addLayout(line)
        self.combo.activated.connect(lambda i: self._choose(self.combo.itemData(i)))
        self.fold.toggled.connect(lambda _: self._unfold())
        self.remove.clicked.connect(self.removed)
        self.combo.opening.connect(self._offer)

    def _button(self, icon: str, words: str) -> QToolButton:
        button = QToolButton()
        icons.put(button, icon, "ink2", icons.SMALL)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        describe(button, words)
        return button

    @property
    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        """Show the learner of `text`; emits nothing."""
        self._text = text
        key = read(text)[0]
        self._list([(key, title_of(key))] if key else [("", AUTO)])
        self.fold.setEnabled(bool(key) and bool(parameters(key)))
        if not self.fold.isEnabled():
            self.fold.setChecked(False)
        self._unfold()

    def _offer(self) -> None:
        """List the learners that the data suit, and the chosen one even if it does not suit."""
        key = read(self._text)[0]
        found = [("", AUTO), *self._learners()]
        self._list(found if key in dict(found) else [*found, (key, title_of(key))])

    def _list(self, entries: Sequence[tuple[str, str]]) -> None:
        with QSignalBlocker(self.combo):
            self.combo.clear()
            for key, title in entries:
                self.combo.addItem(title, key)
            self.combo.setCurrentIndex(max(0, self.combo.findData(read(self._text)[0])))

    def _choose(self, key: str) -> None:
        if key != read(self._text)[0]:
            self.set_text(key)
            self.changed.emit(key)
            self.gesture_ended.emit()

    def _unfold(self) -> None:
        """Show or hide the form of parameters, which is made on first use."""
        key, values = read(self._text)
        shown = self.fold.isChecked() and bool(key)
        if shown and self.form is None:
            self.form = self._make_form()
            self.form.setContentsMargins(style.scale(theme.current(), INSET), 0, 0, 0)
            (self._column if self.letter.text() else self.below()).addWidget(self.form)
            self.form.changed.connect(self._set)
            self.form.gesture_ended.connect(lambda _: self.gesture_ended.emit())
        if self.form is not None:
            self.form.setVisible(shown)
            if shown:
                self.form.set_room(self.room - style.scale(theme.current(), INSET))
                self.form.show_params(*parameters(key, values))

    def _set(self, name: str, value: Any) -> None:
        key, values = read(self._text)
        kind, known = parameters(key, values)
        self._text = recipe_text(key, build(kind, known | {name: value}))
        self.changed.emit(self._text)


def read(text: str) -> tuple[str, dict[str, str]]:
    """(key, values as text) of a learner's text; ("", {}) if it cannot be read."""
    try:
        return read_recipe(text)
    except EngineError:
        return "", {}


def title_of(key: str) -> str:
    try:
        return algorithm(key).title
    except EngineError:
        return key


def parameters(key: str, values: dict[str, str] | None = None) -> tuple[Any, dict[str, Any]]:
    """(class, values) of a learner's parameters, the defaults if `values` are at fault; (None, {})
    for an unknown key.
    """
    try:
        kind = algorithm(key).params
    except EngineError:
        return None, {}
    try:
        return kind, to_dict(build(kind, values or {}))
    except EngineError:
        return kind, to_dict(kind())


class LearnerRow(ParamsRow):
    """Chooses one learner, beside the name of the parameter, or several.

    Several learners stand below the name, with letters and a button that adds one.
    """

    def __init__(self, *given: Any, learners: Learners, make_form: Callable[[], Any]) -> None:
        super().__init__(*given)
        self._learners, self._make_form = learners, make_form
        self.choices: list[LearnerChoice] = []

    def _make(self) -> QWidget:
        self._set = self._show
        if self.field.kind == "learner":
            self._columns.addWidget(one := self._add(), 1)
            return one
        button = self._more = QPushButton("Add learner")
        describe(button, "Add learner")
        button.clicked.connect(self._one_more)
        self._columns.addWidget(button, 1)
        return button

    def set_room(self, room: int, label: int) -> bool:
        other = super().set_room(room, label)
        for choice in self.choices:
            choice.room = room
        return other

    def _beside(self) -> int:
        if self.field.kind == "learners":
            return super()._beside()
        written = Written(((self._value, title_of(read(self._value)[0]) or AUTO),)).words
        shown = replace(self.field, kind="choice", words=written)
        return beside(
            shown, self._value, self._label_width, self._room - style.scale(theme.current(), FOLD)
        )

    def _add(self) -> LearnerChoice:
        several = self.field.kind == "learners"
        letter = LETTERS[len(self.choices)] if several else ""
        choice = LearnerChoice(
            f"{self.field.label} {letter}".strip(), self._learners, self._make_form, letter
        )
        choice.remove.setVisible(several)
        choice.room, choice.below = self._room, self.layout
        choice.changed.connect(partial(self._changed, choice))
        choice.gesture_ended.connect(self.gesture_ended)
        choice.removed.connect(partial(self._without, choice))
        self.choices.append(choice)
        if several:
            self.layout().addWidget(choice)
        return choice

    def _show(self, value: Any) -> None:
        texts = [value or ""] if self.field.kind == "learner" else list(value or ())
        while len(self.choices) > len(texts):
            surplus = self.choices.pop()
            surplus.hide()
            surplus.deleteLater()
        while len(self.choices) < len(texts):
            self._add()
        for choice, text in zip(self.choices, texts, strict=True):
            if choice.text != text or not choice.combo.count():
                choice.set_text(text)
        if self.field.kind == "learners":
            self._more.setEnabled(len(texts) < self.field.most)

    def _changed(self, choice: LearnerChoice, text: str) -> None:
        texts = [text if each is choice else each.text for each in self.choices]
        self._take(text if self.field.kind == "learner" else tuple(texts))

    def _without(self, choice: LearnerChoice) -> None:
        self._put([each.text for each in self.choices if each is not choice])

    def _one_more(self) -> None:
        """Add the first suitable learner that is not there yet, if there is one."""
        there = {read(each.text)[0] for each in self.choices}
        new = next((key for key, _ in self._learners() if key not in there), "")
        if new:
            self._put([*(each.text for each in self.choices), new])

    def _put(self, texts: list[str]) -> None:
        self._show(tuple(texts))
        self._take(tuple(texts))
        self.gesture_ended.emit()
