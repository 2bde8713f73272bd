"""The reject option: every level by counting row for row, and what AIMA 18.11.1 says of doubtful
cases.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.experiments.parts.scoring import lanes, parted
from engine.experiments.reject_option import levels_of
from engine.experiments.reject_option.words import end
from engine.protocol.step import Level, Pace
from engine.scene.scene import Role

MOONS = engine.generate("moons", 100, noise=0.3, seed=1)
IRIS = engine.real("iris")


@pytest.mark.parametrize(
    ("data", "params"),
    [
        (MOONS, {}),
        (MOONS, {"learner": "bagging"}),
        (IRIS, {}),
        (IRIS, {"learner": "multiclass_perceptron"}),
    ],
    ids=["usual", "bagging", "forest of 3", "perceptron of 3"],
)
def test_every_level_is_what_counting_says(data, params) -> None:
    trace = engine.run("reject_option", data, **params)
    problem = trace.problem
    s = trace[-1].state
    h, levels = s.model, s.levels
    scores = np.asarray(h.learner.algorithm.scores(h.given, h.state, problem.X[levels.rows]))
    best = np.sort(scores, axis=1) if scores.ndim == 2 else None
    sure = np.abs(scores) if best is None else best[:, -1] - best[:, -2]
    assert levels.sure == pytest.approx(sure)
    right = h.says[levels.rows] == problem.codes[levels.rows]
    for level, refused, error in zip(
        np.unique(levels.sure), levels.refused, levels.error, strict=True
    ):
        answered = [ok for ok, lead in zip(right, levels.sure, strict=True) if lead >= level]
        assert refused == len(right) - len(answered)
        assert error == pytest.approx(1 - np.mean(answered))
    assert levels.error[0] == pytest.approx(1 - right.mean())
    assert not set(levels.rows) & set(h.rows)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=12),
    st.floats(0, 0.5),
)
def test_the_first_level_that_will_do_refuses_the_fewest(
    rows: list[tuple[int, bool]], allowed: float
) -> None:
    """Against every share that can be refused, rows that are equally sure together."""
    sure, wrong = np.array([s for s, _ in rows], float), np.array([w for _, w in rows])
    levels = levels_of(np.arange(len(rows)), np.zeros(len(rows), int), wrong.astype(int), sure)
    do = [
        int((sure < t).sum()) for t in np.unique(sure) if wrong[sure >= t].mean() <= allowed + 1e-12
    ]
    found = levels.first(allowed)
    assert (found < 0) == (not do)
    if do:
        assert levels.refused[found] == min(do)


@pytest.mark.slow
def test_a_few_doubtful_cases_make_half_the_error() -> None:
    """AIMA 18.11.1, F58: on digits refusing some per cent halves the error; the text's own 2.4 %
    need 8.1 % for 0.5 %.
    """
    s = engine.run(
        "reject_option", engine.real("digits"), learner="random_forest", pace=Pace(Level.ROUND)
    )[-1].state
    levels = s.levels
    half = levels.first(levels.error[0] / 2)
    assert 0.02 < levels.error[0] < 0.12
    assert levels.share[half] < 0.12
    assert levels.error[s.now] <= 0.005
    assert levels.share[s.now] < 0.4


def test_the_share_that_a_hand_sets_is_refused() -> None:
    """E45: the slider; all equally sure rows go with the one that is needed."""
    for share in (0.0, 0.3, 0.9):
        s = engine.run("reject_option", MOONS, refused=share)[-1].state
        assert s.levels.share[s.now] == pytest.approx(share, abs=1 / len(s.levels.rows))
        assert s.levels.share[s.now] >= share
    s = engine.run("reject_option", MOONS, refused=1.0)[-1].state
    assert s.levels.left(s.now)[0] == 1  # the surest row stays: of none there is no error


def test_where_no_level_will_do_the_least_error_is_reported() -> None:
    """Labels that nothing can tell."""
    rng = np.random.default_rng(2)
    columns = {
        "x1": rng.normal(size=60),
        "x2": rng.normal(size=60),
        "c": rng.permutation(list("AB") * 30),
    }
    data = engine.Dataset.from_columns(columns, "c")
    trace = next(
        found
        for seed in range(40)
        if (found := engine.run("reject_option", data, seed=seed, allowed=0.0))[
            -1
        ].state.levels.first(0.0)
        < 0
    )
    step = trace[-1]
    assert step.state.found == -1
    assert step.note["least"] == pytest.approx(step.state.levels.error.min())
    assert step.state.levels.error[step.state.now] == step.state.levels.error.min()
    assert not trace.when("allowed")


def test_the_plane_says_nothing_where_it_is_in_doubt() -> None:
    trace = engine.run("reject_option", MOONS, refused=0.5)
    s = trace[-1].state
    X = trace.problem.X
    said = trace.codes(X)
    lead = np.abs(s.model.learner.algorithm.scores(s.model.given, s.model.state, X))
    assert (said == np.where(lead >= s.levels.needed_lead(s.now), s.model.says, -1)).all()
    explain = trace.algorithm.explain
    doubtful, clear = int(lead.argmin()), int(lead.argmax())
    assert explain(trace.given, s, X[doubtful]).label == -1
    assert explain(trace.given, s, X[doubtful]).note["ahead"] == pytest.approx(lead.min())
    assert explain(trace.given, s, X[clear]).label == said[clear] >= 0


def test_rows_are_parted_class_by_class() -> None:
    problem = engine.prepare(
        engine.Dataset.from_columns({"x": np.arange(13.0), "c": list("AAAAAAAABBBBC")}, "c")
    )
    for share, counts in ((0.25, [2, 1, 0]), (0.05, [1, 1, 0]), (0.95, [7, 3, 0])):
        learnt, judged = parted(problem, np.arange(13), share, np.random.default_rng(0))
        assert sorted([*learnt, *judged]) == list(range(13))
        assert np.bincount(problem.codes[judged], minlength=3).tolist() == counts


@pytest.mark.parametrize(
    ("data", "params", "part"),
    [
        (
            engine.Dataset.from_columns({"x": [1.0, 2, 3, 4], "c": list("ABCD")}, "c"),
            {},
            "No class has two rows",
        ),
        (MOONS, {"share": 1.0}, "must lie between 0.05 and 0.95"),
        (MOONS, {"refused": 1.5}, "must lie between 0 and 1"),
        (MOONS, {"allowed": -0.1}, "must lie between 0 and 0.5"),
        (
            MOONS,
            {"learner": "table_lookup"},
            "gives classes without scores: choose a learner that gives some, .*AdaBoost",
        ),
        (
            engine.Dataset.from_columns({"x": [1.0, 2, 3, 4], "c": list("AAAA")}, "c"),
            {},
            "needs two classes, this table has one",
        ),
    ],
    ids=["alone", "all", "share", "error", "scores", "one class"],
)
def test_what_cannot_be_is_said(data, params, part: str) -> None:
    with pytest.raises(EngineError, match=part):
        engine.run("reject_option", data, **params)


def test_rows_of_one_class_that_are_equally_sure_stand_in_a_pile_in_their_lane() -> None:
    problem = engine.prepare(
        engine.Dataset.from_columns({"x": np.arange(10.0), "c": list("AAAAABBBBB")}, "c")
    )
    x = np.array([1.0, 1, 1, 1, 0, 1, 1, 1, 0, 0])
    marks = lanes(problem, np.arange(10), x, problem.codes, 1.0, 2)
    assert len({tuple(place) for place in marks.xy.tolist()}) == 10
    assert np.floor(marks.xy[:, 1]).tolist() == [1.0] * 5 + [2.0] * 5
    assert marks.xy[:, 0].tolist() == x.tolist()
    assert marks.xy[[0, 4, 5, 8], 1].tolist() == [1.0, 1.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("params", "part"),
    [
        ({"allowed": 0.5}, "No row has to be refused: with all of them answered the error is"),
        ({"refused": 0.0}, "No row is refused: the error is"),
        ({"refused": 0.3}, "refused the error of the others is"),
        ({"allowed": 0.0}, "have to be refused so that"),
    ],
)
def test_where_no_row_is_refused_none_is_said_to_be(params, part: str) -> None:
    last = engine.run("reject_option", MOONS, **params, pace=Pace(Level.ROUND))[-1]
    assert part in last.note.text()
    assert (last.state.levels.share[last.state.now] == 0) == ("No row" in part)


def test_where_the_error_is_least_without_refusing_no_share_is_named() -> None:
    """The surest row is the wrong one: to refuse any of the others makes the error larger."""
    trace = engine.run("reject_option", MOONS, allowed=0.01, pace=Pace(Level.ROUND))
    levels = levels_of(
        np.arange(3), np.zeros(3, int), np.array([0, 0, 1]), np.array([1.0, 2.0, 3.0])
    )
    said = end(trace.given, replace(trace[-1].state, levels=levels, now=0, found=-1))[0].text()
    assert "it is least, 0.333, where no row is refused" in said and " %" not in said


def alike(rows: int, seed: int = 0) -> engine.Dataset:
    """Labels drawn by chance, for a learner that is as sure of every row as of every other."""
    rng = np.random.default_rng(seed)
    return engine.Dataset.from_arrays(rng.normal(size=(rows, 2)), rng.choice(["A", "B"], rows))


@pytest.mark.parametrize("learner", ["nearest_neighbours", "decision_tree"])
def test_where_no_row_is_less_sure_than_the_others_that_is_why_none_is_refused(
    learner: str,
) -> None:
    """No level was said to bring the error down, where there was only one: to refuse nothing."""
    trace = engine.run("reject_option", alike(60), learner=learner)
    assert len(trace[-1].state.levels.level) == 1, (
        "a single nearest neighbour or a pure leaf is always sure"
    )
    said = trace[-1].note.text()
    assert "equally sure of all rows" in said
    assert "No level brings" not in said
    text = engine.run("reject_option", alike(60), learner=learner, refused=0.3)[-1].note.text()
    assert "No row is refused" in text
    assert "equally sure of all rows" in text


def test_a_share_that_would_take_all_rows_that_are_left_is_named() -> None:
    """The last level refuses less than 99 % of some forty rows: what is left are those that are
    surest.
    """
    trace = engine.run("reject_option", MOONS, refused=1.0)
    levels = trace[-1].state.levels
    assert levels.share[-1] < 1.0
    assert "To refuse 100 % would be to refuse all" in trace[-1].note.text()
    assert (
        "would be to refuse all"
        not in engine.run("reject_option", MOONS, refused=0.2)[-1].note.text()
    )


def test_each_step_leads_with_what_it_is_about() -> None:
    """Where it learns there are no errors yet, where it judges the leads stand alone; then the
    error of the present level has its count.
    """
    trace = engine.run("reject_option", MOONS)
    for step in trace:
        scene = trace.algorithm.scene(trace.given, step)
        titles = [figure.title for figure in scene.figures]
        assert any(title.startswith("Error by") for title in titles) == (
            step.line not in ("learn", "sure")
        )
        if step.line in ("error", "end"):
            kept, wrong = step.state.levels.left(step.state.now)
            (lit,) = (x for x in scene.figures[0].layers if x.role is Role.ACTIVE)
            assert lit.label == (f"{wrong} of {kept} wrong",)
