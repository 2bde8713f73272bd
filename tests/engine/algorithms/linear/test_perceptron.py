"""The perceptron against the printed numbers of MMDS 12.2 and AIMA 18.6, scikit-learn, and its own
laws.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron

import engine
from engine import prepare
from engine.base.grid import Grid
from engine.base.notation import number, read_number
from engine.base.records import replace
from engine.protocol.step import Level, Operand, Pace
from engine.runs.run import Run, run_problem
from engine.scene.mistakes import RIGHT_ANSWER, RIGHT_SIGN
from engine.scene.scene import Arrows

SPAM = np.array(
    [
        [1, 1, 0, 1, 1],
        [0, 0, 1, 1, 0],
        [0, 1, 1, 0, 0],
        [1, 0, 0, 1, 0],
        [1, 0, 1, 0, 1],
        [1, 0, 1, 1, 0],
    ],
    float,
)
SPAM_Y = np.array([1, -1, 1, -1, 1, -1])
HALF = 0.5


def updates(trace):
    return [step for step in trace if step.line == "update"]


def test_mmds_example_12_4_every_weight_vector() -> None:
    """mmds D08: w after a, b, c, d; then every example is right."""
    trace = engine.run("perceptron", (SPAM, SPAM_Y), rate=HALF, threshold="zero", rule="mmds")
    printed = [
        [HALF, HALF, 0, HALF, HALF],
        [HALF, HALF, -HALF, 0, HALF],
        [HALF, 1, 0, 0, HALF],
        [0, 1, 0, -HALF, HALF],
    ]
    assert [step.state.w.tolist() for step in updates(trace)] == printed
    assert [step.state.current for step in updates(trace)] == [0, 1, 2, 3]
    assert trace.finished
    assert trace[-1].state.errors == 0


def visits_at(trace, step) -> dict[str, list[str]]:
    """The texts of the table of visits by column; {} where there is none."""
    figures = trace.algorithm.scene(trace.given, step).figures
    tables = [figure for figure in figures if figure.title == "Visits"]
    return {
        c.feature.name: [c.feature.text(v) for v in c.values] for t in tables for c in t.columns
    }


def test_the_visits_stand_in_a_table_as_they_are_made_by_hand() -> None:
    """mmds D08: four mistakes, then a clean round; not of a run that goes on from other weights."""
    trace = engine.run("perceptron", engine.textbook("spam"), rate=HALF)
    table = visits_at(trace, trace[-1])
    assert table["x"] == list("abcdefabcdef")
    assert table["OK?"] == ["no"] * 4 + ["yes"] * 8
    assert table["of"] == ["0.5", "0", "0", "−0.5", *[""] * 8]
    assert table["w·x"][:4] == ["0", "0.5", "0", "0.5"]
    learned = engine.run("perceptron", engine.textbook("spam"), threshold="learned", rate=HALF)
    table = visits_at(learned, updates(learned)[1])
    assert (table["w·x − θ"], table["θ"]) == (["0", "1"], ["−0.5", "0"])
    other = replace(trace[-1].state, w=2 * trace[-1].state.w)
    run = engine.Run(trace.algorithm, trace.problem, trace.params, start=other)
    run.advance()
    assert visits_at(run.trace, run.trace[-1]) == {}


def test_update_note_holds_the_textbook_numbers() -> None:
    trace = engine.run("perceptron", (SPAM, SPAM_Y), rate=HALF)
    note = updates(trace)[1].note
    assert note["w"].tolist() == [HALF, HALF, 0, HALF, HALF]
    assert note["after"].tolist() == [HALF, HALF, -HALF, 0, HALF]
    assert note["eta"] == HALF
    assert note["x"].tolist() == SPAM[1].tolist()
    assert note["margin"] == -HALF  # y (w · x) = −(½)


def test_points_on_one_ray_need_a_threshold() -> None:
    """mmds A14 trap 1, B07: (2,2)+ and (1,1)− lie on one ray; with a free threshold it converges
    (D21).
    """
    X = np.array([[1, 4], [2, 2], [3, 4], [1, 1], [2, 1], [3, 1]], float)
    y = np.array([1, 1, 1, -1, -1, -1])
    stuck = engine.run("perceptron", (X, y), threshold="zero")
    assert not {"converged"} & set(stuck.events[-1])
    assert (stuck.predict(X) != y).any()
    free = engine.run("perceptron", (X, y), threshold="learned", max_steps=20_000)
    assert free.finished
    assert (free.predict(X) == y).all()


@pytest.mark.parametrize("rate", [0.01, 3.0])
@pytest.mark.parametrize("rule", ["mmds", "aima"])
@pytest.mark.parametrize("threshold", ["zero", "learned"])
def test_constant_rate_only_rescales_from_zero(rate: float, rule: str, threshold: str) -> None:
    """mmds A14 trap 2, aima A40: the sequence of mistakes does not depend on η when w
    starts at 0.
    """
    options = {"rule": rule, "threshold": threshold, "seed": 4, "max_steps": 400}
    one = engine.run("perceptron", (SPAM, SPAM_Y), rate=1.0, **options)
    other = engine.run("perceptron", (SPAM, SPAM_Y), rate=rate, **options)
    assert [s.state.current for s in updates(one)] == [s.state.current for s in updates(other)]
    assert np.allclose(rate * one[-1].state.w, other[-1].state.w)


def test_learnt_threshold_is_the_last_weight_with_feature_minus_one() -> None:
    """mmds A19: the update of θ is −η·y."""
    trace = engine.run("perceptron", (SPAM, SPAM_Y), threshold="learned", rate=HALF)
    first = updates(trace)[0]
    assert first.state.w.tolist() == [*(HALF * SPAM[0]), -HALF]


def test_aima_bias_has_feature_plus_one_and_zero_fires() -> None:
    """aima A39, A40: at w = 0 the unit fires, so the first mistakes are made on class 0 only."""
    trace = engine.run(
        "perceptron", (SPAM, np.where(SPAM_Y > 0, 1, 0)), rule="aima", threshold="learned", rate=1.0
    )
    first = updates(trace)[0]
    i = first.state.current
    assert SPAM_Y[i] == -1
    assert first.state.w.tolist() == [*(-SPAM[i]), -1.0]
    assert trace[0].state.errors == 3


def test_cycle_is_found_on_xor() -> None:
    """mmds A17, D25: on data that cannot be separated integer weights repeat."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float), np.array([-1, 1, 1, -1])
    trace = engine.run("perceptron", (X, y), threshold="learned", rate=1.0, rounds=40)
    assert trace[-1].state.round == 40
    at = next(i for i, events in enumerate(trace.events) if "cycle" in events)
    again = trace[at].note["cycle"]
    ends = [s.state.w for s in trace if s.line in ("start", "until")]
    assert np.array_equal(ends[again], trace[at].state.w)


@pytest.mark.parametrize("threshold", ["zero", "learned"])
@pytest.mark.parametrize("pace", list(Level))
def test_a_circle_ends_a_run_whose_rounds_are_not_set(threshold: str, pace: Level) -> None:
    """The weights at its end are those of an earlier round: all would repeat for ever.

    It made 100,000 steps.
    """
    trace = engine.run("perceptron", engine.textbook("xor"), threshold=threshold, pace=Pace(pace))
    ends = [step.state.w for step in trace if step.line in ("start", "until")]
    assert trace.finished
    assert trace.events[-1] == ("round", "cycle")
    assert np.array_equal(ends[trace[-1].note["cycle"]], ends[-1])
    assert (trace[-1].details["done"], trace[-1].details["rule"]) == (True, False)
    assert "No such line" in trace[-1].note.text()


@pytest.mark.slow
@pytest.mark.parametrize(
    "params", [{"schedule": "1/(1+ct)"}, {"schedule": "1000/(1000+t)"}, {"rule": "aima"}]
)
def test_without_a_circle_a_run_ends_after_many_rounds_and_says_what_stays_open(
    params: dict[str, str],
) -> None:
    """A falling rate or a random order never repeats; XOR cannot be learnt all the same."""
    trace = engine.run("perceptron", engine.textbook("xor"), pace=Pace(Level.ROUND), **params)
    assert trace.finished
    assert trace[-1].state.round == 1000
    assert trace[-1].state.errors > 0
    assert trace.events[-1] == ("round",)
    assert "stays open" in trace[-1].note.text()
    more = engine.run(
        "perceptron", engine.textbook("xor"), pace=Pace(Level.ROUND), rounds=1200, **params
    )
    assert more[-1].state.round == 1200
    assert "stays open" not in more[-1].note.text()


def test_what_goes_on_from_the_last_of_many_rounds_has_as_many_again() -> None:
    problem = engine.prepare(engine.textbook("xor"))
    perceptron = engine.algorithms()["perceptron"]
    given = perceptron.params(rule="aima")
    first = Run(perceptron, problem, given, pace=Pace(Level.ROUND))
    first.advance()
    second = Run(perceptron, problem, given, pace=Pace(Level.ROUND), start=first.trace[-1].state)
    second.advance()
    assert second.trace[-1].state.round == 2000


def test_schedules() -> None:
    """mmds A16: η0/(1+ct) after round t; aima A41: 1000/(1000+t) after t examples."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float), np.array([-1, 1, 1, -1])
    slow = engine.run(
        "perceptron",
        (X, y),
        threshold="learned",
        schedule="1/(1+ct)",
        decay=2.0,
        rate=1.0,
        max_steps=60,
    )
    rates = {step.state.round: step.note["eta"] for step in updates(slow)}
    assert rates[1] == 1.0
    assert rates[2] == pytest.approx(1 / 3)
    assert rates[3] == pytest.approx(1 / 5)
    calm = engine.run(
        "perceptron",
        (X, y),
        rule="aima",
        threshold="learned",
        schedule="1000/(1000+t)",
        rate=2.0,
        max_steps=60,
    )
    for step in updates(calm):
        assert step.note["eta"] == pytest.approx(2.0 * 1000 / (1000 + step.state.visited))


@pytest.mark.slow
def test_decaying_rate_does_not_find_the_line_with_fewest_errors() -> None:
    """aima A41 erratum: ten points at +1 (class 1), ten at −1 (class 0), one at 30 (class 0): best
    line makes one error.
    """
    X = np.array([[1.0]] * 10 + [[-1.0]] * 10 + [[30.0]])
    y = np.array([1] * 10 + [0] * 11)
    trace = engine.run(
        "perceptron",
        (X, y),
        rule="aima",
        threshold="learned",
        schedule="1000/(1000+t)",
        rate=1.0,
        stop="rounds",
        rounds=3000,
        pace=Pace(Level.ROUND),
    )
    assert np.mean([s.state.errors for s in trace[-500:]]) > 3


def test_stops_after_rounds_and_when_errors_settle() -> None:
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float), np.array([-1, 1, 1, -1])
    assert engine.run("perceptron", (X, y), stop="rounds", rounds=7)[-1].state.round == 7
    settled = engine.run(
        "perceptron",
        (X, y),
        threshold="learned",
        stop="errors stop changing",
        patience=3,
        max_steps=9000,
    )
    errors = [s.state.errors for s in settled if s.line == "until"]
    assert settled.finished
    assert len(set(errors[-3:])) == 1
    assert all(len(set(errors[k : k + 3])) > 1 for k in range(len(errors) - 3))


def test_stopping_by_test_errors_needs_a_split() -> None:
    with pytest.raises(engine.EngineError, match="hold out"):
        engine.run("perceptron", (SPAM, SPAM_Y), stop="test errors stop changing")
    data = engine.Dataset.from_arrays(SPAM, SPAM_Y)
    trace = engine.run(
        "perceptron", data, split=engine.Split(0.34), stop="test errors stop changing", patience=2
    )
    assert trace.finished


def test_wrong_start_weights_are_refused() -> None:
    with pytest.raises(engine.EngineError, match="needs 6 numbers"):
        engine.run("perceptron", (SPAM, SPAM_Y), threshold="learned", start=(1, 2, 3))


def separable(seed: int, n: int = 40, d: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    w = rng.normal(size=d)
    X = rng.normal(size=(4 * n, d))
    margin = X @ w / np.linalg.norm(w)
    keep = np.abs(margin) > 0.2
    return X[keep][:n], np.where(margin[keep] > 0, 1, -1)[:n]


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000), st.sampled_from(["mmds", "aima"]), st.sampled_from(["zero", "learned"])
)
def test_separable_data_end_in_a_clean_round(seed: int, rule: str, threshold: str) -> None:
    """mmds F01, aima F26, with the bound of Novikoff: mistakes ≤ (R/γ)² from w = 0 through the
    origin.
    """
    X, y = separable(seed)
    trace = engine.run(
        "perceptron", (X, y), seed=seed, rule=rule, threshold=threshold, max_steps=200_000
    )
    assert trace.finished
    assert (trace.predict(X) == y).all()
    if threshold == "zero":
        assert trace[-1].state.mistakes <= (np.linalg.norm(X, axis=1).max() / 0.2) ** 2


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_same_weights_as_scikit_learn_in_table_order(seed: int) -> None:
    """Perceptron(shuffle=False, eta0=η, no intercept) makes the same updates; sklearn also counts
    w·x = 0 as wrong.
    """
    X, y = separable(seed, n=30, d=2)
    ours = engine.run("perceptron", (X, y), rate=0.5, pace=Pace(Level.ROUND))
    rounds = ours[-1].state.round
    theirs = Perceptron(
        shuffle=False, eta0=0.5, fit_intercept=False, tol=None, max_iter=rounds
    ).fit(X, y)
    assert np.allclose(theirs.coef_[0], ours[-1].state.w)


def test_goes_on_from_a_state() -> None:
    X, y = separable(5)
    whole = engine.run("perceptron", (X, y), pace=Pace(Level.ROUND))
    middle = whole[1].state
    run = engine.Run(
        whole.algorithm, whole.problem, whole.params, pace=Pace(Level.ROUND), start=middle
    )
    run.advance()
    assert np.array_equal(run.trace[-1].state.w, whole[-1].state.w)


def test_vector_addition_is_drawn() -> None:
    """The three arrows of an update close: before + change = after."""
    X, y = separable(3, d=2)
    trace = engine.run("perceptron", (X, y))
    step = updates(trace)[-1]
    arrows = {
        layer.tag: layer
        for layer in trace.algorithm.scene(trace.given, step).layers
        if type(layer).__name__ == "Arrows"
    }
    assert np.allclose(arrows["before"].start, arrows["w"].start)
    assert np.allclose(arrows["before"].end, arrows["change"].start)
    assert np.allclose(arrows["change"].end, arrows["w"].end)


# -- what only rounding keeps from the line --------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["mmds", "aima"])
@pytest.mark.parametrize(
    "name", ["margin_set", "six_points_space", "four_points_free", "schedule_trap"]
)
def test_a_fixed_rate_only_rescales_w(name: str, rule: str) -> None:
    """From w = 0 (AIMA A40, MMDS A14): the same mistakes, the same rounds, the same circle as with
    ½, which is exact.
    """
    half = engine.run("perceptron", engine.textbook(name), rule=rule, rate=0.5, rounds=30)
    for rate in (0.1, 0.2, 0.3, 0.7):
        other = engine.run("perceptron", engine.textbook(name), rule=rule, rate=rate, rounds=30)
        assert other.metrics["mistakes"].tolist() == half.metrics["mistakes"].tolist(), rate
        assert list(other.when("cycle")) == list(half.when("cycle")), rate
        assert np.allclose(other[-1].state.w / rate, half[-1].state.w / 0.5, atol=1e-9), rate


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["mmds", "aima"])
@pytest.mark.parametrize("threshold", ["zero", "learned"])
def test_every_pace_ends_in_the_same_weights_on_tenths(rule: str, threshold: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(25):
        n = int(rng.integers(4, 9))
        X = rng.integers(-9, 10, (n, 2)) / 10
        y = np.arange(n) % 2
        problem = prepare(engine.Dataset.from_arrays(X, y))
        found = [
            run_problem(
                "perceptron",
                problem,
                rule=rule,
                threshold=threshold,
                rate=0.2,
                rounds=10,
                pace=Pace(level),
            )[-1].state
            for level in (Level.DETAIL, Level.STEP, Level.ROUND)
        ]
        assert len({s.mistakes for s in found}) == 1
        assert all(np.allclose(s.w, found[0].w, atol=1e-9) for s in found)


def test_where_the_score_is_zero_all_answers_agree() -> None:
    """AIMA fires at 0: predict, why and the field say so at step 0, where w = 0."""
    trace = engine.run("perceptron", ([[1.0, 2.0], [2.0, 1.0]], [1, -1]), rule="aima")
    algorithm = trace.algorithm
    problem = trace.problem
    p = trace.params
    s = trace[0].state
    grid = Grid.over((-1.0, 1.0), (-1.0, 1.0), 5)
    assert set(algorithm.predict(algorithm.setting(problem, p), s, grid.points()).tolist()) == {0}
    assert set(
        algorithm.fields["class"](algorithm.setting(problem, p), s, grid).ravel().tolist()
    ) == {0}
    assert algorithm.explain(algorithm.setting(problem, p), s, np.array([0.3, 0.4])).label == 0


def test_after_an_update_to_zero_the_positive_class_is_right_under_aima() -> None:
    """x = 1 of class 1 twice: once w = 0 it fires, and nothing is wrong with it."""
    trace = engine.run(
        "perceptron", ([[1.0], [1.0], [2.0]], [0, 1, 0]), rule="aima", rate=1.0, rounds=3
    )
    notes = [step.note for step in trace if step.line == "update"]
    zero = [n for n in notes if n["score_after"] == 0 and n["y"] == 1]
    assert zero
    assert all("right" in n["verdict"] for n in zero)


def test_errors_count_what_predict_gets_wrong() -> None:
    data = ([[-3.0, -3.0], [-3.0, -2.0]], [1, 0])
    for rate in (0.1, 0.3, 0.7):
        trace = engine.run("perceptron", data, rate=rate, rounds=6)
        for at, step in enumerate(trace):
            assert step.state.errors == trace.wrong(at=at).sum()


def test_tiny_data_are_not_taken_for_rounding() -> None:
    trace = engine.run("perceptron", ([[1e-7, 2e-7], [2e-7, 1e-7]], [1, -1]), rounds=3)
    notes = [step.note for step in trace if step.line == "update"]
    assert notes[0]["where"] == "on the line"  # w = 0
    assert all(n["where"] != "on the line" for n in notes[1:])


@pytest.mark.parametrize("pace", Level)
@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e-9, 1e-12])
def test_small_units_beside_a_threshold_change_no_decision(scale: float, pace: Level) -> None:
    """By hand, η = ½: x₁ gives w = (½s, −½), x₃ gives (s, 0); then x₄ and a whole round
    are right.
    """
    X = np.array([[1.0], [2.0], [-1.0], [-2.0]]) * scale
    trace = engine.run(
        "perceptron", (X, [1, 1, -1, -1]), threshold="learned", rate=HALF, pace=Pace(pace)
    )
    assert trace[-1].state.w.tolist() == [scale, 0.0]
    assert (trace[-1].state.mistakes, trace[-1].state.round) == (2, 2)
    assert trace.predict(X).tolist() == [1, 1, -1, -1]


def test_weights_that_creep_are_no_circle() -> None:
    """Each round adds −½ · 10⁻⁴ to a weight of ½ · 10⁶: it is never the same again."""
    trace = engine.run(
        "perceptron", ([[1e6], [1e-4]], [1, -1]), rate=HALF, rounds=6, pace=Pace(Level.ROUND)
    )
    assert len({step.state.w.tobytes() for step in trace}) == len(trace)
    assert not [step for step in trace if "cycle" in step.events]


def test_a_circle_back_to_the_start_names_the_start() -> None:
    trace = engine.run("perceptron", engine.textbook("xor"), rounds=2, pace=Pace(Level.ROUND))
    first = next(step for step in trace if "cycle" in step.events)
    assert first.note["cycle"] == 0
    assert first.state.w.tolist() == trace[0].state.w.tolist()
    assert "start weights" in first.note.text()
    assert "round 0" not in first.note.text()


def test_the_surface_calls_places_on_the_line_as_predict_does() -> None:
    trace = engine.run("perceptron", ([[1.0, 2.0], [-2.0, -1.0], [3.0, 1.0]], [1, -1, 1]), rate=0.1)
    grid = Grid(np.linspace(-1, 1, 21), np.linspace(-1, 1, 21))
    for at, step in enumerate(trace):
        surface = trace.algorithm.fields["class"](trace.given, step.state, grid)
        codes = trace.codes(trace.problem.from_plane(grid.points()), at)
        assert surface.ravel().tolist() == codes.tolist()
        on_line = np.abs(grid.points() @ step.state.w) < 1e-12
        assert (codes[on_line] == -1).all()


def shown(operand: Operand) -> np.ndarray:
    """A vector or number as a person reads it."""
    return np.array([read_number(part) for part in operand.text().strip("()").split(", ")])


def reads_as(product: float, shown: float) -> bool:
    """The same on paper, where −0.075 is −0.07 as well as −0.08."""
    return number(shown) in {number(product + way * 1e-12) for way in (-1, 0, 1)}


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("bad_points", {"threshold": "learned"}),
        ("mixed_border", {}),
        ("four_points_free", {"threshold": "learned"}),
    ],
)
def test_scores_follow_from_the_numbers_as_they_are_shown(
    name: str, params: dict[str, str]
) -> None:
    """At a rate of 0.01 two decimals would put x₃ of the bad points on the other side."""
    trace = engine.run("perceptron", engine.textbook(name), rate=0.01, max_steps=300, **params)
    for step in trace:
        if step.line == "test":
            words = step.note
            product = float(shown(words.operands["w"]) @ shown(words.operands["x"]))
            score = words["score"]
            assert reads_as(product, score), words.lines()
        if step.line == "update":
            words = step.note
            w, x, after = (shown(words.operands[name]) for name in ("w", "x", "after"))
            last = 10.0 ** -words.operands["after"].digits
            assert w + 0.01 * read_number(words["sign"].strip("()")) * x == pytest.approx(
                after, abs=1.01 * last
            )
            before, later = (
                read_number(words["sign"].strip("()")) * float(v @ x) for v in (w, after)
            )
            for product, written in ((before, words["margin"]), (later, words["margin_after"])):
                assert reads_as(product, written) or product == pytest.approx(written, rel=0.25), (
                    words.lines()
                )
    for x in trace.problem.X:
        words = trace.algorithm.explain(trace.given, trace[-1].state, x).note
        terms = [words.operands[f"w{j}"] for j in range(9) if f"w{j}" in words.operands]
        total = sum(
            float(shown(w)[0] * shown(words.operands[f"x{j}"])[0]) for j, w in enumerate(terms)
        )
        assert reads_as(total, words["score"]), words.lines()


def test_a_place_on_the_line_is_not_given_a_class() -> None:
    trace = engine.run("perceptron", ([[1.0, 0.0], [-1.0, 0.0]], [1, -1]), rate=1.0)
    explanation = trace.algorithm.explain(trace.given, trace[-1].state, np.array([0.0, 3.0]))
    assert explanation.label == -1
    assert explanation.note["score"] == 0
    assert "{name}" not in explanation.note.lead


def test_negative_terms_of_a_reason_stand_in_brackets() -> None:
    """Manners, on paper: after the first mistake w = (2, −1); by hand w·x of (1, 1) is 2 · 1 + (−1)
    · 1.
    """
    trace = engine.run("perceptron", ([[2.0, -1.0], [-2.0, 1.0]], [1, -1]), rate=1.0)
    explanation = trace.algorithm.explain(trace.given, trace[-1].state, np.array([1.0, 1.0]))
    assert explanation.note.lines()[-1] == "2 · 1 + (−1) · 1 = 1"


def test_aima_speaks_of_answers_of_0_and_1() -> None:
    """Eq 18.7: y and h are 0 or 1, h = 1 where w·x ≥ 0.

    From w = 0 the first − is a mistake: h = 1, y = 0.
    """
    trace = engine.run("perceptron", ([[1.0, 2.0]] * 2, [0, 1]), rule="aima", rate=1.0, rounds=6)
    for step in updates(trace):
        note = step.note
        before, after = (float(w @ np.array([1.0, 2.0])) for w in (step.state.before, step.state.w))
        assert (note["score"], note["score_after"]) == (before, after)
        assert note["h"] == int(before >= 0) != note["y"]
        assert note["verdict"] == ("right" if (after >= 0) == (note["y"] == 1) else "wrong")
        assert "y (w" not in "".join(note.lines())
    code = dict(trace.algorithm.code_lines(trace.params))
    assert "y ≠ h" in code["test"]
    assert "(y − h)" in code["update"]
    assert "y (w · x) ≤ 0" in dict(trace.algorithm.code_lines(trace.algorithm.params()))["test"]


def test_on_the_line_aima_fires() -> None:
    trace = engine.run(
        "perceptron",
        ([[0.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [1, 1, -1]),
        rule="aima",
        rate=1.0,
        rounds=2,
    )
    notes = [step.note for step in trace if step.line == "test" and step.note["score"] == 0]
    assert notes
    assert all((words["h"], words["label"]) == (1, "+1") for words in notes)
    assert all("which counts as {label}" in words.lead for words in notes)


def test_a_number_of_rounds_has_to_be_said() -> None:
    with pytest.raises(engine.EngineError, match="set Rounds"):
        engine.run("perceptron", engine.textbook("four_points_cycle"), stop="rounds")
    assert engine.run(
        "perceptron", engine.textbook("four_points_cycle"), stop="rounds", rounds=3
    ).finished


def test_a_run_that_has_ended_does_not_go_on_for_ever() -> None:
    """The same weights return, and the wanted rounds are over."""
    trace = engine.run("perceptron", engine.textbook("four_points_cycle"), rounds=5)
    assert trace.finished
    assert "cycle" in trace.events[len(trace) - 1]
    assert (trace[-1].details["done"], trace[-1].details["rule"]) == (True, True)
    assert "stopping rule" in trace[-1].note.text()
    endless = engine.run(
        "perceptron", engine.textbook("four_points_cycle"), rounds=100_000, max_steps=200
    )
    cycles = [endless[i] for i in endless.when("cycle")]
    assert cycles
    assert not any(step.details["done"] for step in cycles)
    assert all("for ever" in step.note.text() for step in cycles)


def test_small_weights_stay_beside_a_very_large_value() -> None:
    """By hand: (0, 0) + ½ · (+1) · (1, 1)."""
    trace = engine.run("perceptron", ([[1.0, 1.0], [2.0, -1.0], [1e13, 1.0]], [1, -1, 1]), rounds=2)
    assert updates(trace)[0].state.w.tolist() == [HALF, HALF]
    fast = engine.run(
        "perceptron",
        ([[1.0, 1.0], [2.0, -1.0], [1e13, 1.0]], [1, -1, 1]),
        rounds=2,
        pace=Pace(Level.ROUND),
    )
    assert fast[-1].state.w.tolist() == trace[-1].state.w.tolist()


@pytest.mark.filterwarnings("error")
def test_arrows_of_very_large_weights() -> None:
    trace = engine.run(
        "perceptron",
        ([[1e120, 2e120], [-1e120, 1e120]], [1, -1]),
        threshold="learned",
        rate=10.0,
        rounds=2,
    )
    for step in trace:
        for layer in trace.algorithm.scene(trace.given, step).layers:
            if isinstance(layer, Arrows):
                assert np.isfinite(layer.start).all()
                assert np.isfinite(layer.end).all()


@pytest.mark.slow
@given(
    st.integers(0, 10_000),
    st.sampled_from([1e-12, 1e-3, 1.0, 1e7]),
    st.sampled_from(["fixed", "1/(1+ct)", "1000/(1000+t)"]),
)
@settings(max_examples=60, deadline=None)
def test_every_pace_learns_the_same_to_the_last_bit(seed: int, unit: float, schedule: str) -> None:
    """Tenths in any units: sums of them end at 0 but for rounding again and again."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 12)), int(rng.integers(1, 5))
    data = (
        rng.integers(-20, 21, (n, d)) / 10 * unit,
        rng.permutation([1, -1, *rng.choice([-1, 1], n - 2)]),
    )
    params = {
        "schedule": schedule,
        "threshold": "learned",
        "rate": 0.3,
        "stop": "rounds",
        "rounds": 12,
    }
    slow, quick = (
        engine.run("perceptron", data, pace=Pace(level), **params)
        for level in (Level.STEP, Level.ROUND)
    )
    ends = [step for step in slow if step.level is Level.ROUND]
    assert [step.state.w.tolist() for step in ends] == [step.state.w.tolist() for step in quick]
    assert [step.metrics for step in ends] == [step.metrics for step in quick]


def test_a_round_in_small_units_ends_as_its_steps_do() -> None:
    """What rounding left of the threshold, 10⁻¹⁷ beside a reach of 1, once declared every score
    below 10⁻¹² to be 0.
    """
    X = [
        [-0.5, 1.0, 0.7],
        [0.7, 1.6, -1.2],
        [-0.6, -1.3, -0.1],
        [1.0, -0.4, 0.5],
        [-1.9, 0.1, -0.9],
    ]
    data = (np.array(X) * 1e-12, [1, 1, -1, 1, -1])
    params = {"threshold": "learned", "rounds": 500}
    runs = [
        engine.run("perceptron", data, pace=Pace(level), schedule="1/(1+ct)", rate=1.0, **params)
        for level in Level
    ]
    assert (
        len({(run[-1].state.round, run[-1].state.mistakes, run[-1].state.errors) for run in runs})
        == 1
    )
    assert "converged" in runs[-1][-1].events


def test_a_right_example_is_reported_by_the_condition_that_is_lit() -> None:
    """The lit line asks whether y (w · x) ≤ 0, the rule of AIMA whether the answer is y."""
    data = ([[1.0, 2.0], [-2.0, -1.0]], [1, -1])
    trace = engine.run("perceptron", data, pace=Pace(Level.STEP), rate=1.0)
    note = trace[2].note
    assert (tuple(note["w"]), tuple(note["x"]), note["score"], note["margin"]) == (
        (1, 2),
        (-2, -1),
        -4,
        4,
    )
    assert note.facts == (RIGHT_SIGN,)
    trace = engine.run("perceptron", data, rule="aima", rate=1.0, seed=1)
    notes = [step.note for step in trace if step.line == "test"]
    assert {(words["score"], words["h"]) for words in notes} & {(-4, 0), (4, 1)}
    for words in notes:
        assert words.facts == (RIGHT_ANSWER[words["score"] < 0],)
        assert words["h"] == (words["label"] == "+1")


def test_weights_of_zero_are_no_line() -> None:
    first = engine.run("perceptron", ([[1.0, 2.0], [-2.0, -1.0]], [1, -1]), pace=Pace(Level.STEP))[
        1
    ].note
    assert (first["point"], first["label"], first["where"]) == ("x₁", "+1", "on the line")
    assert "{where}" not in first.lead and "no line yet" in first.lead
    assert "Turn w towards" in first.lead


def test_a_stop_by_test_errors_needs_held_out_rows_before_it_begins() -> None:
    with pytest.raises(engine.EngineError, match="hold out some"):
        engine.run("perceptron", (SPAM, SPAM_Y), stop="test errors stop changing", max_steps=1)


def test_start_weights_have_a_limit_and_warn_of_nothing() -> None:
    with pytest.raises(engine.EngineError, match="Start w holds a number beyond 10¹⁵⁰"):
        engine.run("perceptron", (SPAM[:, :2], SPAM_Y), start=(1e300, 1.0))
    with np.errstate(over="raise"):
        engine.run("perceptron", (SPAM[:, :2] * 1e-12, SPAM_Y), start=(1e150, 1.0), max_steps=40)


@pytest.mark.parametrize(
    ("X", "start"),
    [
        ([[2e12, 1.0], [-1e12, -2.0]], (0.001, 1.0)),
        ([[1.0, 1.0], [-1.0, -1.0]], (1e-16, 1.0)),
        ([[1e9, 1.0], [-1e9, -2.0], [3e9, 1.0]], (-1e-6, 1.0)),
    ],
)
def test_small_start_weights_are_no_rounding(
    X: list[list[float]], start: tuple[float, float]
) -> None:
    """What a person typed counts until a mistake swallows it, at every pace."""
    data = np.array(X), ["+1", *["-1" if row[1] < 0 else "+1" for row in X[1:]]]
    ends = [
        engine.run("perceptron", data, pace=Pace(level), start=start, stop="rounds", rounds=5)[
            -1
        ].state
        for level in (Level.ROUND, Level.STEP, Level.DETAIL)
    ]
    assert len({(s.w.tobytes(), s.mistakes) for s in ends}) == 1


def test_an_example_at_the_origin_turns_nothing() -> None:
    """OR has (0, 0) in its negative class: without a threshold no weight can ever put it there."""
    trace = engine.run(
        "perceptron", engine.textbook("or"), threshold="zero", stop="rounds", rounds=3
    )
    moved = [
        step
        for step in trace
        if step.line == "update" and not trace.problem.X[step.state.current].any()
    ]
    assert moved
    for step in moved:
        assert (step.state.w == step.state.before).all()
        assert "moves no weight" in step.note.lead and "Turn w" not in step.note.lead
    others = [
        step
        for step in trace
        if step.line == "update" and trace.problem.X[step.state.current].any()
    ]
    assert others and all("Turn w" in step.note.text() for step in others)


# -- order: by the rule, of the table, random ------------------------------------------------------


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=30, deadline=None)
def test_aima_in_table_order_is_the_loop_of_the_text(seed: int, learned: bool) -> None:
    """AIMA Eq 18.7, w ← w + η (y − h) x, example by example as they stand; at every pace."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (9, 2)).astype(float)
    y = rng.choice([1, -1], 9)
    if abs(y.sum()) == 9:
        return
    options = {"rule": "aima", "order": "table", "rate": 0.5, "stop": "rounds", "rounds": 6}
    options["threshold"] = "learned" if learned else "zero"
    fine = engine.run("perceptron", (X, y), seed, **options)
    # no chance is in it
    coarse = engine.run("perceptron", (X, y), seed + 1, pace=Pace(Level.ROUND), **options)
    Z = np.column_stack([X, np.ones(9)])[:, : 2 + learned]
    w = np.zeros(2 + learned)
    ends = []
    while len(ends) < len(coarse) - 1:
        for x, answer in zip(Z, (y + 1) / 2, strict=True):
            w = w + 0.5 * (answer - (x @ w >= 0)) * x
        ends.append(w.tolist())
    assert [step.state.w.tolist() for step in coarse][1:] == ends
    assert [step.state.w.tolist() for step in fine if step.line == "until"] == ends


def test_aima_in_table_order_finds_its_circle() -> None:
    """Nothing but w decides a round then, so equal weights at two ends prove an endless cycle; on
    XOR there is one.
    """
    xor = ([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [-1, 1, 1, -1])
    options = {"rule": "aima", "threshold": "learned", "stop": "rounds", "rounds": 20}
    assert engine.run("perceptron", xor, order="table", **options).when("cycle")
    # by its rule the order is drawn
    assert not engine.run("perceptron", xor, **options).when("cycle")


def test_order_is_by_rule_unless_it_is_said() -> None:
    rng = np.random.default_rng(3)
    data = engine.Dataset.from_arrays(rng.normal(size=(12, 2)), rng.choice([1, -1], 12))

    def looks(**params: object) -> list[int]:
        trace = engine.run("perceptron", data, stop="rounds", rounds=2, **params)
        return [step.state.current for step in trace if step.line == "take"]

    assert (
        looks()[:12]
        == looks(order="table")[:12]
        == list(range(12))
        == looks(rule="aima", order="table")[:12]
    )
    assert (
        looks(rule="aima")
        == looks(rule="aima", order="random")
        != looks(rule="aima", order="table")
    )
    drawn = looks(order="random")
    assert sorted(drawn[:12]) == list(range(12)) != drawn[:12]
    assert looks(order="random", seed=1) != drawn
    assert not engine.run("perceptron", data, order="random", stop="rounds", rounds=5).when("cycle")


def test_the_heading_says_what_the_words_say() -> None:
    """The example and its verdict, at the end of a round its mistakes; with a plane and without."""
    for data in (engine.generate("blobs", 20, seed=1), engine.textbook("spam")):
        trace = engine.run("perceptron", data, rounds=2)
        for step in trace:
            scene = trace.algorithm.scene(trace.given, step)
            said = scene.plane or scene.figures[0].title
            if step.line in ("test", "update"):
                verdict = "is right" if step.line == "test" else "was wrong"
                assert f"{step.note['point']} {verdict}" in said
            elif step.line == "until" and step.state.errors:
                assert f"{step.note['errors']} wrong now" in said
