"""Numbers of held-out rows: of the step shown, or with the moment they belong to."""

import numpy as np
import pytest
from laboratory import Key, Lab

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.judge import judging
from engine.protocol.step import Level
from engine.table.prepare import Split


def split(name: str, key: str, n: int = 71, **params: object) -> Document:
    return Document(engine.generate(name, n=n), (lane(key, **params),), split=Split(share=0.3))


def caption(lab: Lab) -> str:
    return lab.window.left_dock.split.caption.full_text()


def test_the_numbers_are_those_of_the_shown_step(open_lab) -> None:
    lab = open_lab(split("leaning_clouds", "perceptron"))
    lab.key(Key.Key_Home)
    assert caption(lab) == "train 100 %, test 100 % wrong", "nothing is learnt yet"
    for _ in range(20):
        lab.key(Key.Key_Right)
    trace, problem = lab.session.trace, lab.session.problem
    assert lab.session.cursor == 20 < trace.indices(Level.ROUND)[1]
    train, test = trace.wrong(problem, 20).mean(), trace.wrong(problem.held_out, 20).mean()
    assert caption(lab) == f"train {100 * train:.0f} %, test {100 * test:.0f} % wrong"
    assert train < 0.2 and test < 0.2
    assert not lab.window.left_dock.split.as_of.isVisible()


def test_the_curve_of_held_out_rows_has_every_step(open_lab) -> None:
    lab = open_lab(split("leaning_clouds", "perceptron"))
    (held,) = (s for s in lab.window.timeline.curves.series if s.name == "held out")
    trace, problem = lab.session.trace, lab.session.problem
    assert held.x.tolist() == list(range(len(trace)))
    assert held.y[20] == pytest.approx(100 * trace.wrong(problem.held_out, 20).mean())


def test_where_judging_is_slow_the_moment_is_reported(
    open_lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "FEW_PAIRS", 0)
    monkeypatch.setattr(judging, "MANY_PAIRS", 0)
    lab = open_lab(split("leaning_clouds", "perceptron"))
    as_of = lab.window.left_dock.split.as_of
    trace, problem = lab.session.trace, lab.session.problem
    first, second = trace.indices(Level.ROUND)[1:3]
    assert lab.session.lane_run.judging.steps == list(trace.indices(Level.ROUND))
    lab.session.seek(20)
    assert (caption(lab), as_of.text()) == ("train 100 %, test 100 % wrong", "as of the start")
    lab.session.seek(first + 5)
    assert as_of.isVisible() and as_of.text() == "as of the end of round 1"
    assert f"test {100 * trace.wrong(problem.held_out, first).mean():.0f} % wrong" in caption(lab)
    lab.session.seek(second)
    assert as_of.text() == "as of the end of round 2"
    lab.key(Key.Key_End)
    assert as_of.text() == "as of the end"


def test_values_have_an_error_and_no_share(open_lab) -> None:
    lab = open_lab(split("sine", "linear_regression", 40))
    lab.key(Key.Key_End)
    trace = lab.session.trace
    held = lab.session.problem.held_out
    off = np.sqrt(np.mean((trace.codes(held.X, lab.session.cursor) - held.y) ** 2))
    assert caption(lab).startswith("RMS error: train ") and caption(lab).endswith(f"test {off:.2f}")


def test_rows_that_chose_the_pruning_are_no_test(open_lab) -> None:
    """Held-out errors by which the tree was cut say too little about new examples; until then they
    are a test.
    """
    document = Document(
        engine.generate("moons", 80, 0.3), (lane("decision_tree"),), split=engine.Split(0.3)
    )
    lab = open_lab(document)
    split = lab.window.left_dock.split
    assert ", test " in split.caption.text()
    assert split.as_of.isHidden()
    lab.session.set_params(prune="held-out")
    lab.settle()
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    assert ", held out " in split.caption.text() and "test" not in split.caption.text()
    assert split.as_of.isVisible()
    assert split.as_of.text() == "no test: learning looked at these rows"


@pytest.mark.slow
def test_the_baseline_stands_below_the_errors_on_held_out_rows(lab: Lab) -> None:
    lab.session.choose("decision_tree")
    lab.window.left_dock.split.slider.changed.emit(30)
    lab.until(lambda: lab.session.finished)
    lab.session.seek(0)
    lab.settle()
    problem = lab.session.problem
    commonest = np.bincount(problem.codes[problem.labelled]).argmax()
    held = problem.held_out
    wrong = np.mean(held.codes[held.labelled] != commonest)
    line = lab.window.left_dock.split.baseline
    assert line.isVisibleTo(lab.window)
    assert line.text().endswith(
        f"always saying “{problem.class_text(commonest)}”: {100 * wrong:.0f} % wrong"
    )
