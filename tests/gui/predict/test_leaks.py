"""A machine looks for the answer: while a step is predicted, nothing that is seen, pointed at or
taken away has it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from laboratory import CTRL, SHIFT, Key, Lab
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QWidget,
)

import engine
from engine.base.notation import value_text
from engine.base.records import field_names, is_record
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.lane_edits import fork_lane
from engine.judge.questions import Every, Question
from engine.protocol.step import Level
from engine.scene.figures import Table
from gui.session.sync_mode import SyncMode

pytestmark = pytest.mark.slow

DATA = (
    engine.generate("moons", 14, noise=0.2, seed=3),
    engine.generate("sine", 10, seed=1),
    engine.textbook("restaurant"),
)
# seconds of learning; their questions are numbers of their notes, as others'
HEAVY = {"digit_pad", "backpropagation"}
PARTS = 2  # for two cores
QUESTIONS = 1  # of each algorithm and wish


def document_of(key: str) -> Document | None:
    for data in DATA:
        document = Document(data, (lane(key),))
        if not engine.algorithms()[key].needs.reason(document.problem()):
            return document
    return None


KEYS = [key for key in engine.algorithms() if key not in HEAVY and document_of(key) is not None]


def words(window: QWidget) -> Iterator[tuple[str, str]]:
    """(where, text) of all that can be read in the window: texts, tips, what a screen reader says,
    cells of tables.
    """
    for widget in [window, *window.findChildren(QWidget)]:
        if not widget.isVisible():
            continue
        name = f"{type(widget).__name__} {widget.accessibleName()[:30]}"
        for read in (
            "text",
            "toolTip",
            "accessibleName",
            "accessibleDescription",
            "windowTitle",
            "placeholderText",
            "as_text",
        ):
            value = getattr(widget, read, None)
            if read == "text" and not isinstance(widget, (QAbstractButton, QLabel, QLineEdit)):
                continue  # of a figure: the text of one of its cells
            text = value() if callable(value) else value
            if isinstance(text, str) and text:
                yield f"{name} {read}", text
        if (
            isinstance(widget, QAbstractItemView)
            and widget.model() is not None
            and widget.isVisible()
        ):
            model = widget.model()
            for row in range(min(model.rowCount(), 40)):
                for column in range(min(model.columnCount(), 30)):
                    for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                        if (data := model.index(row, column).data(role)) is not None:
                            yield f"{name} cell {row} {column}", str(data)


def texts_of(thing: Any, depth: int = 0) -> Iterator[str]:
    """All labels in a scene."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, (tuple, list)):
        for part in thing:
            yield from texts_of(part, depth + 1)
    elif is_record(thing) and depth < 6:
        for name in field_names(thing):
            if name not in ("tag", "tags", "about", "feature"):
                yield from texts_of(getattr(thing, name), depth + 1)


def numbers_in(thing: Any, depth: int = 0) -> Iterator[float]:
    """All numbers of a state."""
    if isinstance(thing, (float, np.floating)):
        yield float(thing)
    elif isinstance(thing, np.ndarray) and thing.dtype.kind == "f":
        yield from thing.ravel().tolist()
    elif isinstance(thing, (tuple, list)):
        for part in thing:
            yield from numbers_in(part, depth + 1)
    elif is_record(thing) and depth < 4:
        for name in field_names(thing):
            yield from numbers_in(getattr(thing, name), depth + 1)


def secrets(question: Question, known: str, state: Any) -> set[str]:
    """Numbers of the answer as they are written, with so many figures that nothing else has them by
    chance, and the sentence of the step; none that stood in the steps before or stands in the shown
    state.
    """
    there = set(numbers_in(state))
    choice = question.step.choice
    found = {option.score for option in choice.options} if choice is not None else set()
    written = {value_text(float(score), digits) for score in found for digits in (3, 4)}
    written |= {b.shown for b in question.blanks if b.value not in there}
    telling = {
        text
        for text in written
        if sum(map(str.isdigit, text.lstrip("−0."))) >= 3
        and "." in text
        and set(text.rpartition(".")[2]) - {"0"}  # 1.000 stands anywhere, as whole numbers do
    }
    return {text for text in telling | {question.step.note.text()} if text not in known}


def begin(open_lab: Callable[..., Lab], document: Document) -> Lab:
    lab = open_lab(document, size=(1280, 800))
    lab.session.predicting.begin()
    lab.settle_drawing()
    return lab


def known_before(lab: Lab) -> str:
    trace = lab.session.lead.trace
    at = lab.session.predicting.fence
    return "\n".join("\n".join(trace[k].note.lines()) for k in range(max(0, at - 30), at + 1))


def leaks(lab: Lab) -> list[str]:
    """Where the answer can be read."""
    predicting = lab.session.predicting
    question = predicting.question
    if not predicting.open or question is None:
        return []
    hidden = secrets(question, known_before(lab), lab.session.lead.step.state)
    # what is put in may be equal; see tests/engine/judge/questions
    own = lab.window.predict.panel.question.form.text.text()
    read = [(where, text) for where, text in words(lab.window) if text != own]
    for view in lab.session.lane_views:
        read += [(f"scene of lane {view.place}", text) for text in texts_of(view.scene.figures)]
        read += [
            (f"plane of lane {view.place}", text)
            for text in texts_of(view.with_difference(view.scene.layers))
        ]
    return [f"{where}: “{secret}”" for where, text in read for secret in hidden if secret in text]


@pytest.mark.usefixtures("less_ahead")
@pytest.mark.parametrize("part", range(PARTS))
def test_the_answer_is_nowhere_in_the_window(open_lab: Callable[..., Lab], part: int) -> None:
    lab = begin(open_lab, lanes("decision_tree"))
    for key in KEYS[part::PARTS]:
        lab.session.open(document_of(key))
        lab.until(
            lambda: lab.session.predicting.question is not None or bool(lab.session.predicting.said)
        )
        nowhere(lab, key)


def nowhere(lab: Lab, key: str) -> None:
    predicting = lab.session.predicting
    seen = 0
    for every in (Every.CHOICE, Every.STEP):
        predicting.want(every)
        for number in range(QUESTIONS):
            if predicting.question is None:
                break
            seen += 1
            lab.window.setUpdatesEnabled(number == 0)  # what is read is there unpainted too
            lab.settle_drawing()
            question = predicting.question
            where = f"{key} at {predicting.at}: {predicting.question.prompt}"
            assert not (found := leaks(lab)), f"{where} {found[:5]}"
            for view in lab.session.lane_views:
                if question.surfaces_give_away:
                    ranges = lab.plane.view()
                    assert view.raster("class", ranges.x, ranges.y) is None, where
                for figure in view.scene.figures:
                    assert not gives_away(figure, question), f"{where} {figure.title}"
            predicting.skip()
    lab.window.setUpdatesEnabled(True)
    assert seen or predicting.said.endswith("."), key


def gives_away(figure: Any, question: Question) -> bool:
    """Whether a table has a number of the answer."""
    if not isinstance(figure, Table):
        return False
    choice = question.step.choice
    scores = [float(option.score) for option in choice.options] if choice is not None else []
    numbers = [
        n for n in [*(b.value for b in question.blanks), *scores] if np.isfinite(n) and (2 * n) % 1
    ]
    columns = [column.values for column in figure.columns if column.feature.numeric]
    return any(
        np.isclose(values, number, rtol=1e-9, atol=0).any()
        for values in columns
        for number in numbers
    )


# -- what is taken away, and other lanes -----------------------------------------------------------


def lanes(*keys: str, **how: Any) -> Document:
    return Document(DATA[0], tuple(lane(key) for key in keys), **how)


def test_the_clipboard_has_the_shown_step_only(open_lab: Callable[..., Lab]) -> None:
    lab = begin(open_lab, lanes("decision_tree"))
    question = lab.session.predicting.question
    lab.key(Key.Key_C, CTRL | SHIFT)
    text = QApplication.clipboard().text()
    assert lab.session.step.note.text() in text
    assert not any(
        secret in text for secret in secrets(question, known_before(lab), lab.session.step.state)
    )


def test_a_picture_is_not_saved_while_its_surfaces_are_covered(
    open_lab: Callable[..., Lab], tmp_path: Any
) -> None:
    lab = begin(open_lab, lanes("kmeans"))
    lab.session.predicting.want(Every.CHOICE)
    assert lab.session.lead.regions_veiled
    lab.window.commands.exports.picture_to(str(tmp_path / "a.png"))
    assert not (tmp_path / "a.png").exists() and "covered" in lab.said()
    lab.session.predicting.show_answer()
    lab.window.commands.exports.picture_to(str(tmp_path / "a.png"))
    assert (tmp_path / "a.png").exists()


def test_a_number_and_enter_does_not_tell_how_the_run_ends(open_lab: Callable[..., Lab]) -> None:
    lab = begin(open_lab, lanes("decision_tree"))
    fence = lab.session.predicting.fence
    for count in (3, 99):
        lab.window.commands.jump(count)
        assert lab.session.cursor == fence and "covered" in lab.said()


def forked(open_lab: Callable[..., Lab]) -> Lab:
    """Lane B goes on from step 4 of lane A, which stands at its beginning."""
    lab = open_lab(lanes("perceptron"))
    session = lab.session
    session.seek(int(session.trace.indices(Level.STEP)[4]))
    session.set_lanes(
        fork_lane(session.document, 0, session.continuation.start_here()[0])[0], "fork", 1
    )
    lab.settle()
    session.seek(0)
    session.predicting.begin()
    session.predicting.want(Every.STEP)
    QApplication.processEvents()
    return lab


def test_a_lane_forked_from_a_step_to_come_is_covered(open_lab: Callable[..., Lab]) -> None:
    """It stood at its own beginning, which is the answer of four questions."""
    lab = forked(open_lab)
    session = lab.session
    later = lab.session.lane_views[1]
    assert (
        later.covered
        and later.step is None
        and later.scene.layers == ()
        and later.scene.figures == ()
    )
    assert "covered" in session.lane_comparison.refusal and session.lane_comparison.rows() == []
    session.activate(1)
    lab.settle_drawing()
    assert not session.lane_views[0].covered and leaks(lab) == []
    for _ in range(12):
        session.predicting.show_answer()
        session.predicting.go_on()
    begun = session.lane_views[0].cursor > session.trace.indices(Level.STEP)[4]
    assert begun and not later.covered and later.step is not None
    session.predicting.leave()
    session.seek(0)
    assert not later.covered and later.step is later.trace[0]


def test_where_two_runs_begin_to_differ_is_covered(open_lab: Callable[..., Lab]) -> None:
    lab = open_lab(lanes("perceptron", "perceptron", compared=(1, 0)))
    session = lab.session
    session.set_params(rate=0.1)
    lab.settle()
    lab.until(lambda: session.lane_comparison.first is not None)
    first = session.lane_comparison.first
    panel = lab.window.right_dock.above.difference
    session.seek(0)
    session.predicting.begin()
    lab.settle_drawing()
    assert first.at[0] > 0 and session.lane_comparison.first is None
    assert "covered" in panel.first_text() and panel.there.isHidden()
    session.predicting.leave()
    assert session.lane_comparison.first == first


def test_the_probe_is_not_answered_in_any_lane(open_lab: Callable[..., Lab]) -> None:
    lab = open_lab(lanes("nearest_neighbours", "decision_tree", probe=(0.1, 0.2)))
    numbers = lab.window.right_dock.above.numbers
    lab.settle()
    assert len(numbers.answers) == 2
    lab.session.predicting.begin()
    assert numbers.answers == () and "A:" not in numbers.accessibleDescription()
    assert all(view.flip(view.problem.X[0]) is None for view in lab.session.lane_views)


def test_earlier_steps_do_not_show_the_surface_that_answers(open_lab: Callable[..., Lab]) -> None:
    lab = begin(open_lab, lanes("kmeans"))
    session = lab.session
    while session.predicting.fence < 3:
        session.predicting.skip()
    session.previous()
    ranges = lab.plane.view()
    assert (
        session.predicting.looks_back
        and session.lane_view.raster("class", ranges.x, ranges.y) is None
    )
    assert session.together is SyncMode.UNITS
