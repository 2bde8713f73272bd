"""Undo: any sequence of edits undone gives the first document, and done again gives the last."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from laboratory import CTRL, SHIFT, Key, Lab, four_points

import engine
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document import edits
from engine.document.document import Document
from engine.document.lane import lane
from engine.table.prepare import Split, Transform
from gui.session.undo import LEAST, LIMIT, ROOM, Edit, History

places = st.tuples(*[st.floats(-5, 5, allow_nan=False)] * 2)
seeds = st.integers(0, 99)


def some(document: Document, seed: int) -> np.ndarray:
    """A few rows of the table, perhaps none."""
    n = len(document.data)
    rng = np.random.default_rng(seed)
    return np.sort(rng.permutation(n)[: rng.integers(0, min(n, 4) + 1)]).astype(np.intp)


Change = Callable[[Document], Document]
changes: st.SearchStrategy[tuple[str, Change]] = st.one_of(
    st.builds(
        lambda p, k: ("add", lambda d: edits.add_points(d, [p], k)), places, st.integers(0, 3)
    ),
    st.builds(
        lambda p, s: (
            "move",
            lambda d: edits.move_points(d, r := some(d, s), np.tile(p, (len(r), 1))),
        ),
        places,
        seeds,
    ),
    st.builds(lambda s: ("delete", lambda d: edits.delete_rows(d, some(d, s))), seeds),
    st.builds(
        lambda s, k: ("relabel", lambda d: edits.relabel(d, some(d, s), k)),
        seeds,
        st.integers(0, 3),
    ),
    st.builds(lambda p: ("probe", lambda d: replace(d, probe=p)), st.none() | places),
    st.builds(lambda s: ("split", lambda d: replace(d, split=Split(s / 100))), st.integers(0, 80)),
    st.builds(lambda s: ("seed", lambda d: d.with_lane(0, seed=s)), seeds),
    st.builds(
        lambda s: ("rate", lambda d: replace(d, lanes=(lane("perceptron", rate=(s + 1) / 50),))),
        seeds,
    ),
    st.sampled_from(
        [
            ("clear", edits.clear),
            ("data", lambda d: replace(d, data=engine.textbook("and"))),
            ("algorithm", lambda d: replace(d, lanes=(lane("decision_tree"),))),
            ("transform", lambda d: replace(d, transforms=(Transform("standardise", ()),))),
            ("paste", lambda d: edits.paste_rows(d, d.data)),
        ]
    ),
)


@given(st.lists(st.tuples(changes, st.sampled_from([None, "a", "b"])), max_size=25))
def test_any_sequence_undone_gives_the_first_document_and_redone_the_last(sequence) -> None:
    """The history by itself: nothing else is needed to go back."""
    first = document = four_points()
    history = History()
    seen = []
    for (label, change), merge in sequence:
        try:
            changed = change(document)
        except EngineError:
            continue
        history.record(Edit(label, document, changed, merge))
        document = changed
        seen.append(document)
    last = document
    while edit := history.undo():
        assert edit.after == document
        document = edit.before
    assert document == first
    while edit := history.redo():
        assert edit.before == document
        document = edit.after
    assert document == last


@pytest.mark.slow
@settings(
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
@given(st.lists(changes, min_size=1, max_size=10), st.randoms(use_true_random=False))
def test_undo_in_the_window(square: Lab, sequence, chance: random.Random) -> None:
    """Through the session, with steps back and forth in between."""
    session = square.session
    session.open(four_points())
    session.history = type(session.history)()
    first = session.document
    for label, change in sequence:
        try:
            session.edit(change(session.document), label)
        except EngineError:
            continue
        if chance.random() < 0.3:
            now = session.document
            session.undo()
            session.redo()
            assert session.document == now
    last = session.document
    while session.history.done:
        session.undo()
    assert session.document == first
    assert session.trace is not None
    while session.history.undone:
        session.redo()
    assert session.document == last


@pytest.mark.slow
def test_undo_says_what_it_undoes(square: Lab) -> None:
    assert not square.window.action("undo").isEnabled()
    square.click(2, 2)
    assert square.window.action("undo").text() == "Undo: add a point"
    square.key(Key.Key_Z, CTRL)
    assert square.said() == "Undone: add a point."
    assert not square.window.action("undo").isEnabled()
    assert square.window.action("redo").text() == "Redo: add a point"
    square.key(Key.Key_Z, CTRL | SHIFT)
    assert square.said() == "Done again: add a point."
    square.click(2, -2)
    assert not square.window.action("redo").isEnabled()


@pytest.mark.slow
def test_undo_keeps_the_moment(square: Lab) -> None:
    square.session.seek(3)
    square.click(2, 2)
    assert square.session.cursor == 3
    square.key(Key.Key_Z, CTRL)
    assert square.session.cursor == 3


def test_an_edit_that_changes_nothing_is_no_edit(square: Lab) -> None:
    square.session.edit(replace(square.session.document), "nothing")
    square.drag((1, 1), (1, 1))
    assert square.session.history.done == []


@pytest.mark.slow
def test_choosing_an_algorithm_and_other_data_are_undone(square: Lab) -> None:
    square.session.choose("decision_tree")
    square.window.commands.use_data(engine.generate("moons"))
    square.window.action("undo").trigger()
    assert square.data.name == "square"
    square.window.action("undo").trigger()
    assert square.session.lane.key == "perceptron"


@pytest.mark.slow
def test_a_file_opened_and_undone_is_not_saved_over(square: Lab, tmp_path) -> None:
    """Going back before `open` goes back to the file of that document, too."""
    path = str(tmp_path / "other.learnscope")
    square.session.open(Document(engine.textbook("and"), (lane("perceptron"),)), path)
    assert square.session.path == path
    square.session.undo()
    assert square.session.path is None
    square.session.redo()
    assert square.session.path == path


def test_a_drawn_generator_is_one_step_and_its_sliders_go_back(lab: Lab) -> None:
    form = lab.window.left_dock.data.form
    field = form.sliders["n"].field
    before = form.sliders["n"].value()
    for text in ("30", "50"):
        field.setFocus()
        field.selectAll()
        lab.write(text)
        lab.key(Key.Key_Return)
        lab.until(lambda text=text: lab.data.name and form.sliders["n"].value() == int(text))
    assert len(lab.session.history.done) == 2
    lab.window.action("undo").trigger()
    assert form.sliders["n"].value() == 30
    lab.window.action("undo").trigger()
    assert form.sliders["n"].value() == before


def test_the_oldest_edits_are_forgotten() -> None:
    history = History()
    document = four_points()
    for k in range(LIMIT + 20):
        history.record(Edit(f"edit {k}", document, document))
    assert len(history.done) == LIMIT
    assert history.done[0].label == "edit 20"


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "kept"), [(2, 300), (50_000, ROOM // 400_000), (500_000, LEAST)])
def test_long_tables_have_a_shorter_memory(rows: int, kept: int) -> None:
    """Each edit makes one column of 8 bytes a row again; the last few edits can be undone whatever
    they hold.
    """
    data = engine.Dataset.from_arrays(np.zeros((rows, 2)), np.arange(rows) % 2)
    history = History()
    document = Document(data, (lane("perceptron"),))
    for k in range(300):
        former = document
        document = replace(document, data=document.data.with_values("x1", np.array([0]), float(k)))
        history.record(Edit(f"edit {k}", former, document))
    assert abs(len(history.done) - kept) <= 4  # what all have in common takes room too
    assert history.done[-1].after is document


@pytest.mark.slow
def test_the_moment_comes_back_with_the_algorithm(lab: Lab) -> None:
    """The step and the events to stop at belong to a method; those of another one mean nothing to
    it.
    """
    session = lab.session
    session.seek(50)
    lab.window.transport.checks["mistake"].click()
    session.choose("decision_tree")
    lab.settle()
    assert (session.cursor, session.stop_at) == (0, frozenset())
    session.seek(12)
    lab.window.transport.checks["split"].click()
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert (session.lane.key, session.cursor, session.stop_at) == ("perceptron", 50, {"mistake"})
    assert lab.window.transport.checks["mistake"].isChecked()
    lab.key(Key.Key_Z, CTRL | SHIFT)
    lab.settle()
    assert (session.lane.key, session.cursor, session.stop_at) == ("decision_tree", 12, {"split"})
    lab.key(Key.Key_Z, CTRL)
    lab.settle()
    assert (session.cursor, session.stop_at) == (50, {"mistake"})


@pytest.mark.slow
def test_the_moment_comes_back_with_the_document(lab: Lab) -> None:
    session = lab.session
    lab.key(Key.Key_End)
    lab.settle()
    last = session.cursor
    session.set_settings(stop_at=frozenset({"mistake"}))
    session.open(Document(engine.generate("moons", 40, 0.1), (lane("decision_tree"),)), cursor=7)
    lab.settle()
    assert (session.cursor, session.stop_at) == (7, frozenset())
    session.undo()
    lab.settle()
    assert (session.cursor, session.stop_at) == (last, {"mistake"})
    session.redo()
    lab.settle()
    assert session.cursor == 7


@pytest.mark.slow
def test_no_edit_leaves_events_of_another_method(lab: Lab) -> None:
    lab.session.set_settings(stop_at=frozenset({"mistake"}))
    lab.session.edit(
        replace(lab.session.document, lanes=(lane("decision_tree"),)), "another method"
    )
    assert lab.session.stop_at == frozenset()
