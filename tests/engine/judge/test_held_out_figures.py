"""What a step says to the rows held out, as figures: each number, the rows behind it, the areas
under the curves.
"""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, roc_auc_score

import engine
from engine.judge import held_out_figures as figures
from engine.judge import judging
from engine.judge.held_out_figures import held_out_figures
from engine.judge.judging import Judging
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.figures import Matrix, Plot
from engine.scene.layers import Labels, Points, Polyline
from engine.table.prepare import Split, prepare


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is."""
    monkeypatch.setattr(judging, "QUICK_SECONDS", float("inf"))


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "FEW_PAIRS", 0)
    monkeypatch.setattr(judging, "MANY_PAIRS", 0)


def judged(data: engine.Dataset, key: str, steps: int = 200, **params: object) -> Judging:
    """The judging of a run of so many steps, nothing judged yet."""
    method = engine.algorithms()[key]
    run = Run(
        method, prepare(data, split=Split(0.3)), method.params(**params), pace=Pace(Level.STEP)
    )
    run.advance(60.0, max_steps=steps)
    return Judging(run.trace)


def shown(found: Judging, at: int) -> list[Matrix | Plot]:
    return list(held_out_figures(found, at, found.says(at)))


def areas(plot: Plot) -> dict[str, str]:
    (labels,) = [layer for layer in plot.layers if isinstance(layer, Labels)]
    return dict(text.split(": area ") for text in labels.text)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("key", ["perceptron", "adaboost", "svm"])
def test_every_step_has_its_own_confusion(key: str) -> None:
    found = judged(engine.generate("moons", n=90, noise=0.3), key)
    trace = found.trace
    held = found.trace.problem.held_out
    for at in {0, len(trace) // 2, len(trace) - 1}:
        matrix = shown(found, at)[0]
        said = trace.codes(held.X, at)
        theirs = confusion_matrix(held.codes, np.where(said < 0, 2, said), labels=[0, 1, 2])[:2]
        counts = matrix.values[:2]
        assert np.array_equal(counts, theirs[:, : counts.shape[1]])
        assert (counts.shape[1] == 3) == (said < 0).any()
        commonest = np.bincount(trace.problem.codes[trace.problem.labelled]).argmax()
        always = (
            f"always “{trace.problem.class_text(commonest)}” {np.mean(held.codes == commonest):.2f}"
        )
        assert matrix.x_label == f"predicted, accuracy {np.mean(said == held.codes):.2f}, {always}"
        wrong = int(np.sum(said != held.codes))
        rate = f"{wrong}/{held.n} = {wrong / held.n:.2f}"
        assert matrix.title == f"Confusion: held-out error {rate}"
        for row, column in np.ndindex(*counts.shape):
            numbers = matrix.members[
                (matrix.members[:, 0] == row) & (matrix.members[:, 1] == column), 2
            ]
            columns = np.where(said < 0, 2, said)
            wanted = [
                held.numbers[i] for i in np.flatnonzero((held.codes == row) & (columns == column))
            ]
            assert numbers.tolist() == wanted


@pytest.mark.usefixtures("quick")
def test_who_says_nothing_has_a_column_of_its_own() -> None:
    """Before the first learner there is no answer."""
    first, last = (
        shown(judged(engine.generate("moons", n=60), "adaboost"), at)[0] for at in (0, 100)
    )
    assert first.column_labels == ("A", "B", "no class")
    assert first.values[:2, :2].sum() == 0
    assert first.values[:2, 2].sum() == 18
    assert last.column_labels == ("A", "B")
    assert last.row_labels == ("A", "B", "precision", "recall", "F1")


@pytest.mark.usefixtures("quick")
def test_the_curve_of_two_classes_is_of_the_first_and_the_step_is_a_point_of_it() -> None:
    found = judged(engine.generate("moons", n=90, noise=0.3), "perceptron")
    held = found.trace.problem.held_out
    for at in (5, 40):
        plot = shown(found, at)[1]
        scores = found.trace.scores(held.X, at)
        assert areas(plot) == {"A": f"{roc_auc_score(held.codes == 0, scores):.2f}"}
        chance, line = (layer for layer in plot.layers if isinstance(layer, Polyline))
        assert chance.xy.tolist() == [[0, 0], [1, 1]]
        now = next(layer for layer in plot.layers if isinstance(layer, Points)).xy[0]
        assert now.tolist() == [
            np.mean(scores[held.codes == 1] > 0),
            np.mean(scores[held.codes == 0] > 0),
        ]
        assert np.isclose(line.xy, now).all(axis=1).any()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("key", ["multiclass_perceptron", "random_forest", "backpropagation"])
def test_of_three_classes_each_is_against_the_rest(key: str) -> None:
    found = judged(engine.real("iris"), key, 40)
    held = found.trace.problem.held_out
    at = len(found.trace) - 1
    scores = found.trace.scores(held.X, at)
    names = ("setosa", "versicolor", "virginica")
    plot = shown(found, at)[1]
    assert areas(plot) == {
        name: f"{roc_auc_score(held.codes == k, scores[:, k]):.2f}" for k, name in enumerate(names)
    }
    assert [layer.group for layer in plot.layers if isinstance(layer, Polyline)] == [-1, 0, 1, 2]


@pytest.mark.usefixtures("quick")
def test_figures_are_for_classes_alone() -> None:
    assert shown(judged(engine.generate("sine", n=40), "linear_regression"), 0) == []
    assert shown(judged(engine.generate("blobs", n=40), "kmeans"), 0) == []
    assert shown(Judging(engine.run("perceptron", engine.generate("blobs", n=40))), 3) == []


@pytest.mark.usefixtures("quick")
def test_rows_that_learning_looked_at_are_no_test() -> None:
    data = engine.generate("moons", n=80, noise=0.3)
    labels = [
        shown(judged(data, "decision_tree", prune=prune), 0)[0].x_label
        for prune in ("held-out", "chi2")
    ]
    assert [label.endswith(", no test") for label in labels] == [True, False]


@pytest.mark.usefixtures("quick")
def test_no_curve_is_drawn_before_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged(engine.generate("moons", n=60), "perceptron")
    drawn = []
    monkeypatch.setattr(figures, "roc_layers", lambda *args: drawn.append(args) or ())
    plot = shown(found, 7)[1]
    assert drawn == []
    assert (len(plot.layers), list(plot.layers), len(drawn)) == (0, [], 1)


@pytest.mark.usefixtures("slow")
def test_where_judging_is_slow_the_last_judged_step_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is worked out in the window: what the worker has found is."""
    found = judged(engine.generate("moons", n=60, noise=0.3), "perceptron")
    trace = found.trace
    held = found.trace.problem.held_out
    rounds = list(trace.indices(Level.ROUND))
    assert shown(found, rounds[2] + 3) == []
    while found.judge_next():
        pass
    monkeypatch.setattr(type(trace), "codes", lambda *_: pytest.fail("in the window"))
    matrix, plot = shown(found, rounds[2] + 3)
    assert matrix.x_label.endswith(", as of the end of round 2")
    scores = trace.scores(held.X, rounds[2])
    assert areas(plot) == {"A": f"{roc_auc_score(held.codes == 0, scores):.2f}"}
    assert ", as of" not in shown(found, rounds[2])[0].x_label


@pytest.mark.usefixtures("slow")
def test_of_scores_no_more_are_kept_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged(engine.generate("moons", n=60, noise=0.3), "perceptron")
    monkeypatch.setattr(judging, "MOST_SCORES", 3 * 18)
    while found.judge_next():
        pass
    kept = [at for at in found.steps if found.scores(at) is not None]
    assert kept == found.steps[-3:]
