"""Naive Bayes against MIT 2.5.3-2.5.25 (mit D27, D29, D30), scikit-learn, and fractions."""

from fractions import Fraction as F
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import BernoulliNB, CategoricalNB

import engine
from engine.core.scene import Plot
from engine.core.step import Level, Pace
from engine.numerics.rates import count_rates
from engine.pictures.karnaugh import inputs
from engine.pictures.naive_bayes_words import both, both_logs

ROUND = Pace(Level.ROUND)
QUERY = (0.0, 0.0, 1.0, 1.0)


def table(trace):
    """R_j(1, 1), R_j(0, 1), R_j(1, 0), R_j(0, 0) of every column, in the order of the slides."""
    return [[tuple(R[1][0]), tuple(R[0][0]), tuple(R[1][1]), tuple(R[0][1])] for R in trace[-1].state.R]


def test_the_shares_of_the_slides() -> None:
    """mit D27a, not reduced."""
    trace = engine.run("naive_bayes", engine.textbook("mit_bayes"))
    assert table(trace) == [
        [(1, 5), (4, 5), (5, 5), (0, 5)],
        [(1, 5), (4, 5), (2, 5), (3, 5)],
        [(4, 5), (1, 5), (1, 5), (4, 5)],
        [(2, 5), (3, 5), (4, 5), (1, 5)],
    ]
    assert "0/5" in "\n".join(next(s for s in trace if s.line == "negative").note.lines())


def test_the_products_of_the_slides() -> None:
    """mit D27b: S(1) = 0.205, S(0) = 0 for 0011."""
    trace = engine.run("naive_bayes", engine.textbook("mit_bayes"), query=QUERY)
    factors = [s.note["t0"] for s in trace if s.line == "factor"]
    assert factors == [F(4, 5), F(16, 25), F(64, 125), F(128, 625)]
    last = trace[-1].note
    assert float(last["t0"]) == pytest.approx(0.205, abs=5e-4)
    assert last["t1"] == 0
    assert last["answer"] == "1"


def test_with_laplace() -> None:
    """mit D27c, D27d: corrected S = 0.156 and 0.017."""
    trace = engine.run("naive_bayes", engine.textbook("mit_bayes"), laplace=True, query=QUERY)
    assert table(trace) == [
        [(2, 7), (5, 7), (6, 7), (1, 7)],
        [(2, 7), (5, 7), (3, 7), (4, 7)],
        [(5, 7), (2, 7), (2, 7), (5, 7)],
        [(3, 7), (4, 7), (5, 7), (2, 7)],
    ]
    last = trace[-1].note
    assert float(last["t0"]) == pytest.approx(0.156, abs=5e-4)
    assert float(last["t1"]) == pytest.approx(0.017, abs=5e-4)


def test_blind_to_xor() -> None:
    """mit D29, F39: all shares ½, S = 0.0625 each; the tie gives 0 and is said."""
    bits = np.array([[0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 1, 1], [1, 1, 0, 0]])
    bits = np.vstack([bits, bits[:, [0, 1, 3, 2]]])
    trace = engine.run("naive_bayes", (bits.astype(float), (bits[:, 0] == bits[:, 1]).astype(int)))
    assert {float(share) for R in trace[-1].state.R for pair in R for share in pair} == {0.5}
    assert trace[-1].note["t0"] == trace[-1].note["t1"] == F(1, 16)
    assert trace.when("tie")
    assert trace[-1].choice.winners == (0, 1)
    assert "A tie gives the second one: class 0" in trace[-1].note.text()
    assert set(trace.predict(bits).tolist()) == {0}


def test_no_data_gives_a_half() -> None:
    """mit D30."""
    rates = count_rates(np.zeros((0, 1)), np.zeros(0, np.intp), (2,), True)
    assert float(rates.share(0, 0, 0)) == float(rates.share(0, 1, 1)) == 0.5


@pytest.mark.parametrize("prior", [False, True])
def test_like_scikit_learn(prior: bool) -> None:
    rng = np.random.default_rng(4)
    X = (rng.random((400, 12)) < rng.random(12)).astype(float)
    y = ((X[:, 0] + X[:, 3] + rng.random(400)) > 1.2).astype(int)
    trace = engine.run("naive_bayes", (X, y), laplace=True, prior=prior, pace=ROUND)
    oracle = BernoulliNB(alpha=1.0, fit_prior=prior).fit(X, y)
    asked = (rng.random((500, 12)) < 0.5).astype(float)
    assert (trace.predict(asked) == oracle.predict(asked)).all()


def test_words_like_scikit_learn() -> None:
    data = engine.textbook("restaurant")
    problem = engine.prepare(data)
    trace = engine.run("naive_bayes", problem, laplace=True, prior=True)
    sizes = [len(f.categories) for f in problem.features]
    oracle = CategoricalNB(alpha=1.0, min_categories=sizes).fit(problem.X.astype(int), problem.codes)
    assert (trace.codes(problem.X) == oracle.predict(problem.X.astype(int))).all()


def test_numbers_are_refused() -> None:
    with pytest.raises(engine.EngineError, match="words or of 0 and 1"):
        engine.run("naive_bayes", engine.generate("blobs", seed=1))


def test_a_wrong_query_is_refused() -> None:
    with pytest.raises(engine.EngineError, match="one number for each of the 4"):
        engine.run("naive_bayes", engine.textbook("mit_bayes"), query=(1.0,))
    with pytest.raises(engine.EngineError, match="f2"):
        engine.run("naive_bayes", engine.textbook("mit_bayes"), query=(1.0, 7.0, 0.0, 0.0))


def test_long_products_do_not_underflow() -> None:
    """mit F37: 2000 factors; the answer is that of the logarithms."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = (rng.random((60, 2000)) < 0.4 + 0.1 * y[:, None]).astype(float)
    trace = engine.run("naive_bayes", (X, y), laplace=True, pace=ROUND)
    assert (trace.predict(X) == BernoulliNB(fit_prior=False).fit(X, y).predict(X)).all()


bits = st.lists(st.sampled_from([0.0, 1.0]), min_size=3, max_size=3)


@settings(max_examples=60, deadline=None)
@given(st.lists(bits, min_size=2, max_size=9), st.booleans(), st.booleans())
def test_same_as_fractions(rows: list[list[float]], laplace: bool, prior: bool) -> None:
    """Exact, so that no tie is flipped by rounding."""
    X, y = np.array(rows), np.arange(len(rows)) % 2
    trace = engine.run("naive_bayes", (X, y), laplace=laplace, prior=prior, pace=ROUND)
    extra = int(laplace)

    def score(x, label):
        of = X[y == label]
        parts = [F(int((of[:, j] == x[j]).sum()) + extra, len(of) + 2 * extra) for j in range(3)]
        return prod(parts) * (F(len(of), len(X)) if prior else 1)

    cube = np.array([[a, b, c] for a in (0.0, 1.0) for b in (0.0, 1.0) for c in (0.0, 1.0)])
    assert trace.predict(cube).tolist() == [int(score(x, 1) > score(x, 0)) for x in cube]


def test_the_query_has_its_cell_on_the_map() -> None:
    """MIT 2.5.22: the answers of all sixteen inputs at once; the cell of the query is framed."""
    trace = engine.run("naive_bayes", engine.textbook("mit_bayes"), query=QUERY)
    plot = next(f for f in trace.algorithm.scene(trace.given, trace[-1]).figures if isinstance(f, Plot))
    frame = next(layer for layer in plot.layers if layer.tag == "query")
    (x0, y0, x1, y1) = frame.bounds[0]
    cell = int(3 - np.floor((y0 + y1) / 2)) * 4 + int((x0 + x1) / 2)
    assert tuple(inputs(4)[cell]) == QUERY
    cells = next(layer for layer in plot.layers if layer.tag == "cells")
    assert cells.group.tolist() == trace.codes(inputs(4)).tolist()


def test_values_never_seen_are_told() -> None:
    """mit F35: one unseen value vetoes a class, f1 = 0 in the class 0."""
    raw = engine.run("naive_bayes", engine.textbook("mit_bayes"), query=QUERY)[-1].note
    assert raw["never1"] == "f₁ = 0"  # class 0 is the second
    assert "never0" not in raw.operands
    mended = engine.run("naive_bayes", engine.textbook("mit_bayes"), query=QUERY, laplace=True)[-1].note
    assert "never1" not in mended.operands


def test_products_too_small_for_floats_are_told_apart() -> None:
    """1000 columns; Laplace shares 2/5 of three rows and 1/5 of none: 0.4¹⁰⁰⁰ = 10^(−397.94) and 0.2¹⁰⁰⁰ = 10^(−698.97)."""
    X = np.zeros((6, 1000))
    X[0] = 1
    trace = engine.run("naive_bayes", (X, np.array([1, 1, 1, 0, 0, 0])), laplace=True, pace=ROUND)
    last = trace[-1]
    assert (last.note["t0"], last.note["sign"], last.note["t1"]) == ("1.1481·10⁻³⁹⁸", ">", "1.0715·10⁻⁶⁹⁹")
    assert last.choice.winners == (0,)
    assert last.choice.options[0].score > last.choice.options[1].score
    told = trace.algorithm.explain(trace.given, last.state, X[0]).note
    assert (told["t0"], told["t1"]) == (last.note["t0"], last.note["t1"])


def test_different_products_never_look_alike() -> None:
    """0.2000001 and 0.2000002 need seven decimals."""
    assert both((F(2000001, 10**7), F(2000002, 10**7))) == ("0.2000001", "0.2000002")
    assert both_logs((F(2000001, 10**7), F(2000002, 10**7))) == ("−1.6094374", "−1.6094369")
    assert both((F(1, 3), F(1, 3))) == (F(1, 3), F(1, 3))
    assert both((F(1, 10**400), F(0))) == ("1.0000·10⁻⁴⁰⁰", F(0))
