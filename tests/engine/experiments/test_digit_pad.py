"""The digit pad: each learner against its peer, reasons that are true, rejecting, an empty pad,
tables of one's own.
"""

import time

import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors
from sklearn.svm import SVC

import engine
from engine.base.errors import EngineError
from engine.base.work import finished
from engine.experiments import digit_pad
from engine.scene.figures import Matrix, Pictures

ALGORITHM = engine.algorithms()["digit_pad"]
EXAMPLE = ALGORITHM.example()


def run(**params):
    return engine.run("digit_pad", EXAMPLE, **params)


def test_the_nearest_pictures_vote() -> None:
    trace = run()
    last = trace[-1].state
    learn = trace.given.learn
    d, rows = NearestNeighbors(n_neighbors=3).fit(learn.X).kneighbors(last.x[None])
    answer = last.answers[0]
    assert answer.rows.tolist() == rows[0].tolist()
    np.testing.assert_allclose(answer.inner, d[0])
    votes = np.bincount(learn.codes[rows[0]], minlength=3) / 3
    assert answer.parts.tolist() == votes.tolist()
    assert (answer.label, answer.sure) == (int(votes.argmax()), votes.max())
    pad = next(
        f for f in ALGORITHM.scene(trace.given, trace[-1]).figures if isinstance(f, Pictures)
    )
    # they lie below the pad
    np.testing.assert_allclose(pad.values[1:].reshape(3, 64) * 16, learn.X[rows[0]])
    assert pad.labels[1] == f"{learn.class_text(int(learn.codes[rows[0][0]]))}: {d[0][0]:.1f}"


def test_the_duels_are_those_of_scikit_learn() -> None:
    """Three margins of cost 1; wins and the least lead of the winner."""
    trace = run()
    learn, test = trace.given.learn, trace.given.test
    peer = SVC(kernel="linear", C=1.0, decision_function_shape="ovo").fit(learn.X / 16, learn.codes)
    for x in test.X:
        answer = finished(digit_pad.duels(engine.prepare(scaled(learn)), 16.0))[1](x)
        # 3 or 5, 3 or 8, 5 or 8: positive means the first
        leads = peer.decision_function(x[None] / 16)[0]
        wins = np.bincount(
            [
                a if lead > 0 else b
                for lead, (a, b) in zip(leads, [(0, 1), (0, 2), (1, 2)], strict=True)
            ],
            minlength=3,
        )
        assert answer.label == int(wins.argmax())
        assert answer.parts.tolist() == (wins / 2).tolist()
        own = [
            lead if a == answer.label else -lead
            for lead, (a, b) in zip(leads, [(0, 1), (0, 2), (1, 2)], strict=True)
            if answer.label in (a, b)
        ]
        assert answer.sure == pytest.approx(np.clip(min(own), 0, 1), abs=0.02)


def scaled(problem):
    return engine.Dataset.from_arrays(problem.X / 16, [problem.classes[c] for c in problem.codes])


def test_net_and_tree_answer_as_their_algorithms_do() -> None:
    trace = run()
    learn, test = trace.given.learn, trace.given.test
    tree = engine.run("decision_tree", learn)
    _, answer, _ = finished(digit_pad.tree(learn))
    assert [answer(x).label for x in test.X] == tree.codes(test.X).tolist()
    for x in test.X:  # every test of the way is true, and it ends in the leaf
        path = answer(x).path
        assert path
        assert all(x[column] == value for column, _, value in path)
    small = engine.prepare(scaled(learn))
    options = {
        "hidden": (24,),
        "outputs": "one per class",
        "scale": 0.3,
        "order": "random",
        "epochs": digit_pad.EPOCHS,
    }
    net = engine.run("backpropagation", small, seed=3, **options)
    _, answer, judge = finished(digit_pad.network(small, 16.0, 3))
    assert judge(test.X)[1].tolist() == net.codes(test.X / 16).tolist()
    assert all(0 < part < 1 for part in answer(test.X[0]).parts)
    assert len(answer(test.X[0]).inner) == digit_pad.HIDDEN


def test_who_is_not_sure_does_not_answer() -> None:
    for least in (0.0, 0.7, 1.0):
        trace = run(reject=least)
        answers = [step for step in trace if step.line == "ask"]
        assert [("rejected" in step.events) for step in answers] == [
            a.sure < least for a in trace[-1].state.answers
        ]
        table = next(
            f for f in ALGORITHM.scene(trace.given, trace[-1]).figures if isinstance(f, Matrix)
        )
        assert table.active == tuple(
            (a.label, j) for j, a in enumerate(trace[-1].state.answers) if a.sure >= least
        )


def test_rejecting_counts_the_test_pictures() -> None:
    trace = run(reject=0.9)
    learnt = [step for step in trace if step.line == "learn"]
    for step in learnt:
        sure, right = step.state.tested[-1].T
        assert len(sure) == trace.given.test.n
        assert step.metrics["rejected"] == pytest.approx(100 * np.mean(sure < 0.9))
        if (sure >= 0.9).any():
            assert step.metrics["wrong"] == pytest.approx(100 * np.mean(right[sure >= 0.9] == 0))


def test_an_empty_pad_says_so() -> None:
    trace = run(drawn=(0.0,) * 64)
    assert [step.line for step in trace][-2:] == ["look", "sure"]
    assert trace[-2].events == ("empty",)
    assert trace[-1].state.answers == ()
    assert "empty" in trace[-2].note.text()
    assert "empty" in trace[-1].note.text()


def test_the_drawn_picture_is_the_query_within_the_greys() -> None:
    drawn = np.zeros(64)
    drawn[[3, 11, 19]] = (8.0, 99.0, -4.0)
    trace = run(drawn=tuple(drawn))
    assert trace[-1].state.x[[3, 11, 19]].tolist() == [8.0, 16.0, 0.0]
    pad = next(
        f for f in ALGORITHM.scene(trace.given, trace[-1]).figures if isinstance(f, Pictures)
    )
    assert (pad.paints, pad.most) == ("drawn", 16.0)
    assert pad.values[0, :3, 3].tolist() == [0.5, 1.0, 0.0]


def test_a_drawing_of_another_size() -> None:
    with pytest.raises(EngineError, match="64 cells; 9 numbers"):
        run(drawn=(1.0,) * 9)


def test_redrawing_teaches_no_learner_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = run(picture=1)[-1].state
    taught = []
    monkeypatch.setattr(digit_pad, "network", lambda *given: taught.append(given))
    after = run(picture=2)[-1].state
    assert not taught
    assert after.tested is not before.tested
    assert all(a is b for a, b in zip(after.tested, before.tested, strict=True))


def test_the_numbering_of_test_pictures_goes_round() -> None:
    m = run().given.test.n
    assert np.array_equal(run(picture=1).given.x, run(picture=m + 1).given.x)


def test_pictures_of_ones_own() -> None:
    """Three by three cells, two kinds of strokes: the learners see which is drawn."""
    rng = np.random.default_rng(0)
    across, down = np.zeros((3, 3)), np.zeros((3, 3))
    across[1], down[:, 1] = 200, 200
    X = np.array([(across if k % 2 else down).ravel() + rng.integers(0, 40, 9) for k in range(40)])
    data = engine.Dataset.from_arrays(X, ["across" if k % 2 else "down" for k in range(40)])
    trace = engine.run("digit_pad", data, drawn=tuple(across.ravel()))
    assert not trace.given.shipped
    assert (trace.given.side, trace.given.test.n) == (3, 10)
    assert {trace.given.learn.classes[a.label] for a in trace[-1].state.answers} == {"across"}


@pytest.mark.parametrize(
    ("data", "shipped"),
    [
        (engine.real("iris"), True),  # four lengths are no picture
        (
            engine.Dataset.from_arrays(np.arange(180).reshape(20, 9) % 7 + 0.5, [0, 1] * 10),
            True,
        ),  # halves from 0.5 to 6.5
        # shares of ink
        (engine.Dataset.from_arrays(np.arange(180).reshape(20, 9) % 7 / 8, [0, 1] * 10), False),
        # one class
        (engine.Dataset.from_arrays(np.arange(180).reshape(20, 9) % 7, [0] * 20), True),
        (engine.Dataset.from_arrays(np.arange(36).reshape(4, 9) % 7, [0, 1] * 2), True),  # too few
    ],
)
def test_which_tables_hold_pictures(data, shipped: bool) -> None:
    assert ALGORITHM.setting(engine.prepare(data), ALGORITHM.params()).shipped is shipped


def test_pictures_set_aside_are_the_test() -> None:
    problem = engine.prepare(engine.real("digits"), split=engine.Split(0.3))
    given = ALGORITHM.setting(problem, ALGORITHM.params())
    assert given.parts[0] is problem
    assert given.test.n == problem.held_out.n


@pytest.mark.slow
def test_the_shipped_digits_in_under_five_seconds() -> None:
    """AIMA 18.11.1: neighbours, a net, margins; of any table without pictures. Errors as bands."""
    begun = time.process_time()
    trace = engine.run("digit_pad", engine.generate("moons", 20), seed=1)  # no other test has it
    assert time.process_time() - begun < 5
    assert trace.given.shipped
    assert (trace.given.learn.n, trace.given.test.n) == (1297, 500)
    wrong = [1 - tested[:, 1].mean() for tested in trace[-1].state.tested]
    for share, (low, high) in zip(
        wrong, [(0.005, 0.025), (0.02, 0.07), (0.005, 0.03), (0.1, 0.22)], strict=True
    ):
        assert low < share < high


def test_each_digit_has_an_easy_picture_and_a_hard_one() -> None:
    """AIMA Fig 18.36: two rows of pictures, the lower one with the number of learners that err."""
    trace = run()
    s, test = trace[-1].state, trace.given.test
    figures = ALGORITHM.scene(trace.given, trace[-1]).figures
    (rows,) = (f for f in figures if f.title == "Easy and hard")
    easy, hard = rows.values[:3], rows.values[3:]
    assert rows.across == len(easy) == len(hard) == 3
    assert rows.labels[:3] == tuple(map(str, trace.given.learn.classes))
    pictures = (test.X / trace.given.most).reshape(-1, 8, 8)

    def lead(picture: np.ndarray) -> float:
        (row,) = np.flatnonzero((pictures == picture).all(axis=(1, 2)))[:1]
        return sum(sure if right else -sure for sure, right in (t[row] for t in s.tested))

    for c in range(3):
        leads = [lead(picture) for picture in pictures[test.codes == c]]
        assert (lead(easy[c]), lead(hard[c])) == pytest.approx((max(leads), min(leads)))


def test_amber_is_who_is_taught_then_who_is_asked_then_what_all_say() -> None:
    trace = run(reject=0.0)
    for step in trace:
        figures = ALGORITHM.scene(trace.given, step).figures
        (table,) = (f for f in figures if isinstance(f, Matrix))
        columns = [column for _, column in table.active]
        s = step.state
        wanted = {
            "learn": [len(s.learners) - 1],
            "ask": [len(s.answers) - 1],
            "sure": [*range(len(s.answers))],
        }
        assert columns == wanted.get(step.line, [])
