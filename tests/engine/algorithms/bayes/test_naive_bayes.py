"""Naive Bayes against MIT 2.5.3-2.5.25 (mit D27, D29, D30), scikit-learn, and fractions."""

from fractions import Fraction as F
from math import log, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import BernoulliNB, CategoricalNB

import engine
from engine.algorithms.bayes.naive_bayes import Params, Setting, shares
from engine.algorithms.bayes.naive_bayes.products import Products, factor_sign
from engine.algorithms.bayes.naive_bayes.reading import both, different, logarithm
from engine.protocol.moment import At
from engine.protocol.step import Level, Pace
from engine.scene.karnaugh import inputs
from engine.scene.scene import Bars, Plot

ROUND = Pace(Level.ROUND)
QUERY = (0.0, 0.0, 1.0, 1.0)


def table(trace):
    """R_j(1, 1), R_j(0, 1), R_j(1, 0), R_j(0, 0) of every column, in the order of the slides."""
    return [
        [tuple(R[1][0]), tuple(R[0][0]), tuple(R[1][1]), tuple(R[0][1])] for R in trace[-1].state.R
    ]


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
    """mit D29, F39: all shares ½, S = 0.0625 each; the tie gives 0 and is named."""
    bits = np.array([[0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 1, 1], [1, 1, 0, 0]])
    bits = np.vstack([bits, bits[:, [0, 1, 3, 2]]])
    trace = engine.run("naive_bayes", (bits.astype(float), (bits[:, 0] == bits[:, 1]).astype(int)))
    assert {float(share) for R in trace[-1].state.R for pair in R for share in pair} == {0.5}
    assert trace[-1].note["t0"] == trace[-1].note["t1"] == F(1, 16)
    assert trace.when("tie")
    assert trace[-1].choice.winners == (0, 1)
    assert [option.value for option in trace[-1].choice.options] == [0, 1]
    assert (trace[-1].note["sign"], trace[-1].note["answer"]) == ("=", "0")
    assert set(trace.predict(bits).tolist()) == {0}


def test_no_data_gives_a_half() -> None:
    """mit D30."""
    problem = engine.algorithms()["naive_bayes"].example()
    assert [
        float(share) for share in shares(Setting(problem, Params(laplace=True)), [0, 0], 0)
    ] == [0.5, 0.5]


@pytest.mark.parametrize("prior", [False, True])
def test_like_scikit_learn(prior: bool) -> None:
    rng = np.random.default_rng(4)
    X = (rng.random((400, 12)) < rng.random(12)).astype(float)
    y = ((X[:, 0] + X[:, 3] + rng.random(400)) > 1.2).astype(int)
    trace = engine.run("naive_bayes", (X, y), laplace=True, prior=prior, pace=ROUND)
    oracle = BernoulliNB(alpha=1.0, fit_prior=prior).fit(X, y)
    queries = (rng.random((500, 12)) < 0.5).astype(float)
    assert (trace.predict(queries) == oracle.predict(queries)).all()


def test_words_like_scikit_learn() -> None:
    data = engine.textbook("restaurant")
    problem = engine.prepare(data)
    trace = engine.run("naive_bayes", problem, laplace=True, prior=True)
    sizes = [len(f.categories) for f in problem.features]
    oracle = CategoricalNB(alpha=1.0, min_categories=sizes).fit(
        problem.X.astype(int), problem.codes
    )
    assert (trace.codes(problem.X) == oracle.predict(problem.X.astype(int))).all()


def test_numbers_are_refused() -> None:
    with pytest.raises(engine.EngineError, match="words or of 0 and 1"):
        engine.run("naive_bayes", engine.generate("blobs", seed=1))


def test_a_wrong_query_is_refused() -> None:
    with pytest.raises(engine.EngineError, match="one number for each of the 4"):
        engine.run("naive_bayes", engine.textbook("mit_bayes"), query=(1.0,))
    with pytest.raises(engine.EngineError, match="f2"):
        engine.run("naive_bayes", engine.textbook("mit_bayes"), query=(1.0, 7.0, 0.0, 0.0))


@pytest.mark.slow
def test_long_products_do_not_underflow() -> None:
    """mit F37: 2000 factors; the answer is that of the logarithms."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = (rng.random((60, 2000)) < 0.4 + 0.1 * y[:, None]).astype(float)
    trace = engine.run("naive_bayes", (X, y), laplace=True, pace=ROUND)
    assert (trace.predict(X) == BernoulliNB(fit_prior=False).fit(X, y).predict(X)).all()


bits = st.lists(st.sampled_from([0.0, 1.0]), min_size=3, max_size=3)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(bits, min_size=2, max_size=9), st.booleans(), st.booleans())
def test_same_as_fractions(rows: list[list[float]], laplace: bool, prior: bool) -> None:
    """Exact, so that no tie is flipped by rounding."""
    X = np.array(rows)
    y = np.arange(len(rows)) % 2
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
    plot = next(
        f for f in trace.algorithm.scene(trace.given, trace[-1]).figures if isinstance(f, Plot)
    )
    frame = next(layer for layer in plot.layers if layer.tag == "query")
    x0, y0, x1, y1 = frame.bounds[0]
    cell = int(3 - np.floor((y0 + y1) / 2)) * 4 + int((x0 + x1) / 2)
    assert tuple(inputs(4)[cell]) == QUERY
    cells = next(layer for layer in plot.layers if layer.tag == "cells")
    assert cells.group.tolist() == trace.codes(inputs(4)).tolist()


def test_values_never_seen_are_reported() -> None:
    """mit F35: one unseen value vetoes a class, f1 = 0 in the class 0."""
    raw = engine.run("naive_bayes", engine.textbook("mit_bayes"), query=QUERY)[-1].note
    assert raw["never1"] == "f₁ = 0"  # class 0 is the second
    assert "never0" not in raw.operands
    mended = engine.run("naive_bayes", engine.textbook("mit_bayes"), query=QUERY, laplace=True)[
        -1
    ].note
    assert "never1" not in mended.operands


def test_products_too_small_for_floats_are_distinguished() -> None:
    """1000 columns; Laplace shares 2/5 of three rows and 1/5 of none: 0.4¹⁰⁰⁰ = 10^(−397.94) and
    0.2¹⁰⁰⁰ = 10^(−698.97).
    """
    X = np.zeros((6, 1000))
    X[0] = 1
    trace = engine.run("naive_bayes", (X, np.array([1, 1, 1, 0, 0, 0])), laplace=True, pace=ROUND)
    last = trace[-1]
    assert (last.note["t0"], last.note["sign"], last.note["t1"]) == (
        "1.1481·10⁻³⁹⁸",
        ">",
        "1.0715·10⁻⁶⁹⁹",
    )
    assert last.choice.winners == (0,)
    assert last.choice.options[0].score > last.choice.options[1].score
    note = trace.algorithm.explain(trace.given, last.state, X[0]).note
    assert (note["t0"], note["t1"]) == (last.note["t0"], last.note["t1"])


def test_different_products_never_look_alike() -> None:
    """0.2000001 and 0.2000002 need seven decimals."""
    assert both((F(2000001, 10**7), F(2000002, 10**7))) == ("0.2000001", "0.2000002")
    assert different(logarithm(F(2000001, 10**7)), logarithm(F(2000002, 10**7))) == (
        "−1.6094374",
        "−1.6094369",
    )
    assert both((F(1, 3), F(1, 3))) == (F(1, 3), F(1, 3))
    assert both((F(1, 10**400), F(0))) == ("1.0000·10⁻⁴⁰⁰", F(0))


def logit(share: F) -> float:
    return log(share / (1 - share))


def test_the_counts_make_a_linear_rule() -> None:
    """MIT 2.5.22 with the shares of 2.5.18 (mit D27c): w = ln(α/(1 − α)) − ln(β/(1 − β)), and the
    bias that it leaves out.
    """
    trace = engine.run("naive_bayes", engine.textbook("mit_bayes"), laplace=True, query=QUERY)
    alpha, beta = [F(2, 7), F(2, 7), F(5, 7), F(3, 7)], [F(6, 7), F(3, 7), F(2, 7), F(5, 7)]
    state = trace[-1].state
    assert state.weights == pytest.approx(
        [logit(a) - logit(b) for a, b in zip(alpha, beta, strict=True)]
    )
    assert state.bias == pytest.approx(
        sum(log((1 - a) / (1 - b)) for a, b in zip(alpha, beta, strict=True))
    )
    note = trace[-1].note
    # S = 0.156 and 0.017 of 2.5.19
    assert note["rule"] == pytest.approx(log(F(375, 2401) / F(40, 2401)))
    assert note["wx"] + note["b"] == pytest.approx(note["rule"])
    query = next(s for s in trace if s.line == "query").note
    assert query["w"] == pytest.approx(state.weights)
    assert query["b"] == state.bias
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    bars = next(f for f in figures if isinstance(f, Bars) and f.tag == "weights")
    assert bars.labels == ("f₃ = 1", "f₂ = 1", "f₄ = 1", "f₁ = 1", "bias")
    assert bars.values == pytest.approx([*sorted(state.weights, reverse=True), state.bias])


def test_a_share_of_nothing_is_a_vote_without_end() -> None:
    """mit D27a: f1 = 1 in all negatives and one of five positives."""
    state = engine.run("naive_bayes", engine.textbook("mit_bayes"))[-1].state
    assert state.weights[0] == -np.inf
    assert state.weights[1:] == pytest.approx([log(F(1, 4) / F(2, 3)), log(16), log(F(2, 3) / 4)])
    assert state.bias == np.inf


@settings(max_examples=40, deadline=None)
@given(st.lists(bits, min_size=2, max_size=9), st.booleans())
def test_the_linear_rule_is_the_classifier(rows: list[list[float]], prior: bool) -> None:
    X = np.array(rows)
    y = np.arange(len(rows)) % 2
    trace = engine.run("naive_bayes", (X, y), laplace=True, prior=prior, pace=ROUND)
    state = trace[-1].state
    share = trace.problem.codes.mean()
    scores = X @ state.weights + state.bias + (log((1 - share) / share) if prior else 0)
    clear = np.abs(scores) > 1e-9
    assert ((trace.codes(X) == 0) == (scores > 0))[clear].all()


def test_of_a_pair_of_words_the_one_that_means_yes_is_1() -> None:
    """Three of four y among the democrats, one of two among the republicans: w = ln 3 − ln 1."""
    columns = {
        "vote": ["y", "y", "y", "n", "y", "n"],
        "party": ["democrat"] * 4 + ["republican"] * 2,
    }
    trace = engine.run("naive_bayes", engine.Dataset.from_columns(columns, "party"))
    assert trace[-1].state.weights == pytest.approx([log(3)])
    assert trace[-1].state.bias == pytest.approx(log(F(1, 4) / F(1, 2)))


def test_columns_of_several_words_have_no_weight() -> None:
    trace = engine.run("naive_bayes", engine.textbook("restaurant"), laplace=True)
    sizes = [len(f.categories) for f in trace.problem.features]
    assert np.isnan(trace[-1].state.weights).tolist() == [size != 2 for size in sizes]
    assert "rule" not in trace[-1].note.operands


@pytest.fixture
def long_table() -> tuple[np.ndarray, np.ndarray]:
    """The shares of 1 are 2/5 and 1/5 in each of 1000 columns: 0.4¹⁰⁰⁰ and 0.2¹⁰⁰⁰ for a row of
    ones.
    """
    X = np.zeros((6, 1000))
    X[0] = 1
    return X, np.array([1, 1, 1, 0, 0, 0])


@pytest.mark.slow
def test_long_products_of_floats_underflow(long_table: tuple[np.ndarray, np.ndarray]) -> None:
    """MIT 2.5.16, mit F37: both end at 0, and the tie gives the wrong class."""
    trace = engine.run(
        "naive_bayes", long_table, laplace=True, arithmetic="floats", max_steps=10_000
    )
    last = trace[-1]
    assert (last.note["t0"], last.note["sign"], last.note["t1"]) == ("0", "=", "0")
    assert last.events == ("tie",)
    assert last.note["answer"] == "0"
    assert "underflowed to 0" in last.note.text()
    assert trace.predict(long_table[0][:1]).tolist() == [0]
    expected = []
    for share in (0.2, 0.4):
        product = 1.0
        used = 0
        while product:
            product = product * share
            used = used + 1
        expected.append(used)
    # the words of a factor are those of all before it: read are the ones around both places, and
    # every fiftieth
    near = {used + by for used in expected for by in range(-3, 4)}
    factors = [
        s for s in trace if s.line == "factor" and (s.state.used in near or s.state.used % 50 == 0)
    ]
    assert len(factors) == 20 + 2 * 7
    assert [s.state.used for s in factors if "underflows" in s.note.text()] == expected


@pytest.mark.parametrize("arithmetic", ["fractions", "floats"])
def test_logarithms_do_not_underflow(
    long_table: tuple[np.ndarray, np.ndarray], arithmetic: str
) -> None:
    trace = engine.run(
        "naive_bayes", long_table, laplace=True, logs=True, arithmetic=arithmetic, pace=ROUND
    )
    note = trace[-1].note
    # 1000 ln 0.4, 1000 ln 0.2
    assert (note["m0"], note["sign"], note["m1"]) == ("−916.291", ">", "−1609.438")
    assert (note["t0"], note["t1"]) == ("1.1481·10⁻³⁹⁸", "1.0715·10⁻⁶⁹⁹")
    assert trace.predict(long_table[0][:1]).tolist() == [1]
    assert trace[-1].choice.options[0].score > trace[-1].choice.options[1].score


@settings(max_examples=40, deadline=None)
@given(st.lists(bits, min_size=2, max_size=9), st.booleans(), st.booleans(), st.booleans())
def test_floats_multiply_as_written_down(
    rows: list[list[float]], laplace: bool, prior: bool, logs: bool
) -> None:
    X = np.array(rows)
    y = np.arange(len(rows)) % 2
    given_ = {"laplace": laplace, "prior": prior, "logs": logs, "arithmetic": "floats"}
    trace, coarse = (
        engine.run("naive_bayes", (X, y), pace=pace, **given_) for pace in (Pace(), ROUND)
    )
    extra = int(laplace)

    def score(x, label):
        of = X[y == label]
        parts = [(int((of[:, j] == x[j]).sum()) + extra) / (len(of) + 2 * extra) for j in range(3)]
        parts = [float(F(len(of), len(X)))] * prior + parts
        if logs:
            return sum(log(part) if part else -np.inf for part in parts)
        return prod(parts)

    expected = [int(score(x, 1) > score(x, 0)) for x in X]
    clear = [abs(score(x, 1) - score(x, 0)) > 1e-12 for x in X]
    assert np.array_equal(trace.predict(X)[clear], np.array(expected)[clear])
    assert trace[-1].state.errors == coarse[-1].state.errors == (trace.predict(X) != y).sum()


def test_a_long_table_can_be_left_between_its_columns(
    long_table: tuple[np.ndarray, np.ndarray],
) -> None:
    algorithm = engine.algorithms()["naive_bayes"]
    setting = algorithm.setting(engine.prepare(engine.Dataset.from_arrays(*long_table)), Params())
    steps = list(algorithm.steps(setting, At(algorithm, setting, ROUND), np.random.default_rng(0)))
    assert [step.line for step in steps if step] == ["split", "query", "answer"]
    assert steps.count(None) == 1000


@pytest.mark.slow
def test_each_column_looks_once_at_each_row() -> None:
    """1,100 columns took 13 s: each began with all before it.

    Tied at every second column, where fractions decide.
    """
    X = np.tile(np.array([[0.0, 1], [1, 0], [0, 0], [1, 1]] * 2), (1, 550))
    trace = engine.run("naive_bayes", (X, np.array([0] * 4 + [1] * 4)), max_steps=10_000)
    assert {step.metrics["errors"] for step in trace} == {4.0}
    seen = 0

    class Counting(np.ndarray):
        def __getitem__(self, key):
            nonlocal seen
            part = np.asarray(super().__getitem__(key))
            seen += part.size
            return part

    rows = Products(X, None, "fractions")
    rows.X = rows.X.view(Counting)
    for column in trace[-1].state.R:
        assert (rows.times(column).codes() == 1).all()
    assert seen == X.size


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 400), max_size=12), st.lists(st.integers(1, 400), max_size=12))
def test_products_of_other_numbers_have_other_signs(a: list[int], b: list[int]) -> None:
    signs = [prod(map(factor_sign, numbers)) % 2**64 for numbers in (a, b)]
    assert (signs[0] == signs[1]) == (prod(a) == prod(b))


def test_the_query_takes_the_words_of_the_table() -> None:
    data = engine.textbook("restaurant")
    words = ("Yes", "no", "No", "Yes", "Some", "$$$", False, "yes", "French", "0-10")
    by_word = engine.run("naive_bayes", data, query=words, pace=ROUND)
    problem = by_word.problem
    assert [f.text(v) for f, v in zip(problem.features, by_word[-1].state.query, strict=True)] == [
        "Yes",
        "No",
        "No",
        "Yes",
        "Some",
        "$$$",
        "No",
        "Yes",
        "French",
        "0-10",
    ]
    text = engine.run(
        "naive_bayes", data, query="Yes, no, No, Yes, Some, $$$, no, yes, French, 0-10", pace=ROUND
    )
    places = engine.run("naive_bayes", data, query=tuple(by_word[-1].state.query), pace=ROUND)
    assert (
        text[-1].state.query.tolist()
        == places[-1].state.query.tolist()
        == by_word[-1].state.query.tolist()
    )
    with pytest.raises(
        engine.EngineError, match=r"“Patrons” must be one of .*Some.*; it is “Many”"
    ):
        engine.run("naive_bayes", data, query=(*words[:4], "Many", *words[5:]))


def test_words_that_are_numbers_are_no_places() -> None:
    columns = {"size": ["10", "20", "30", "10"], "y": ["a", "b", "a", "b"]}
    data = engine.Dataset(
        (
            engine.Dataset.from_columns(columns)["size"],
            engine.Dataset.from_columns(columns, "y")["y"],
        )
    )
    assert engine.run("naive_bayes", data, query=(30,))[-1].state.query.tolist() == [2.0]


@pytest.mark.parametrize("kind", ["fractions", "products", "logs"])
def test_columns_at_once_give_the_sums_of_columns_one_by_one(kind: str) -> None:
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (60, 40)).astype(float)
    y = rng.integers(0, 2, 60)
    how = {"arithmetic": "fractions" if kind == "fractions" else "floats", "logs": kind == "logs"}
    R = engine.run("naive_bayes", (X, y), **how)[-1].state.R
    whole, single = (Products(X, None, kind) for _ in range(2))
    for column in R:
        single.times(column)
    assert np.array_equal(whole.times(*R).sums, single.sums)
    assert np.array_equal(whole.codes(), single.codes())


def test_a_sunny_cool_humid_windy_day_of_the_text() -> None:
    """ML 6.9.1: .0053 for Yes against .0206 for No; made to sum to one, .795 for No."""
    queries = ("Sunny", "Cool", "High", "Strong")
    trace = engine.run("naive_bayes", engine.textbook("play_tennis"), prior=True, query=queries)
    last = trace[-1].note
    yes, no = float(last["t0"]), float(last["t1"])
    assert (yes, no) == (pytest.approx(0.0053, abs=5e-5), pytest.approx(0.0206, abs=5e-5))
    assert no / (yes + no) == pytest.approx(0.795, abs=5e-4)
    assert last["answer"] == "No"


def test_the_shares_of_wind_in_the_text() -> None:
    """ML 6.9.1: P(Strong | Yes) = 3/9 = .33, P(Strong | No) = 3/5 = .60; ML Ex 6.6."""
    R = engine.run("naive_bayes", engine.textbook("play_tennis"))[-1].state.R
    assert R[3][1] == ((3, 9), (3, 5))


def test_the_m_estimate() -> None:
    """ML 6.9.1.1, Eq 6.22: (n_c + m p) / (n + m), with p = 1 / values."""
    data = engine.textbook("play_tennis")
    R = engine.run("naive_bayes", data, m=2)[-1].state.R
    assert R[3][1] == ((4, 11), (4, 7))
    assert [F(*map(int, plus)) for plus, _ in R[0]] == [F(8, 33), F(14, 33), F(11, 33)]


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), st.integers(1, 30))
def test_an_m_estimate_adds_up_to_one_and_goes_to_even_shares(
    a: int, b: int, c: int, m: int
) -> None:
    problem = engine.algorithms()["naive_bayes"].example()
    found = [F(*map(int, s)) for s in shares(Setting(problem, Params(m=m)), [a, b, c], a + b + c)]
    assert sum(found) == 1
    plain = [F(count, a + b + c or 1) for count in (a, b, c)]
    assert all(min(F(1, 3), one) <= share for one, share in zip(plain, found, strict=True))
    laplace = shares(Setting(problem, Params(laplace=True)), [a, b, c], a + b + c)
    assert list(laplace) == list(shares(Setting(problem, Params(m=3)), [a, b, c], a + b + c))


@pytest.mark.parametrize("prior", [False, True])
def test_the_sum_of_the_votes_decides(prior: bool) -> None:
    """The first bar is ln S(+) − ln S(−): the sum of the others, and of the prior's."""
    rng = np.random.default_rng(2)
    columns = {f"f{j}": rng.random(30) < 0.5 for j in range(6)}
    data = engine.Dataset.from_columns({**columns, "y": ["a"] * 20 + ["b"] * 10}, "y")
    trace = engine.run("naive_bayes", data, laplace=True, prior=prior)
    for step in (t for t in trace if t.line in ("factor", "answer")):
        scene = trace.algorithm.scene(trace.given, step)
        assert scene.leads == ("Votes", "Shares R")
        bars = next(f for f in scene.figures if f.title.startswith("Votes"))
        total, *votes = bars.values.tolist()
        assert len(votes) == step.state.used
        assert total == pytest.approx(sum(votes) + prior * log(20 / 10))
    said = trace.predict(trace[-1].state.query[None])[0]
    assert (total > 0) == (said == 0)


def test_with_the_prior_the_answer_is_said_as_bayes_rule() -> None:
    """mit A32 with the S of D27d: 375/2401 and 40/2401, each times 1/2; P(f) is their sum."""
    trace = engine.run(
        "naive_bayes", engine.textbook("mit_bayes"), laplace=True, prior=True, query=QUERY
    )
    assert float(trace[-1].note["posterior"]) == pytest.approx(375 / 415)
    bare = engine.run("naive_bayes", engine.textbook("mit_bayes"), laplace=True, query=QUERY)
    assert "posterior" not in bare[-1].note.operands


@pytest.mark.parametrize("arithmetic", ["fractions", "floats"])
def test_sums_of_logarithms_are_said_as_such(arithmetic: str) -> None:
    """mit A29: ln 0.2048 = −1.586, and no share of 0 has a logarithm."""
    trace = engine.run(
        "naive_bayes", engine.textbook("mit_bayes"), logs=True, arithmetic=arithmetic, query=QUERY
    )
    details = [option.detail for option in trace[-1].choice.options]
    assert sorted(details) == ["ln S = −1.586", "ln S = −∞"]
    assert "sum ln S" in trace[-1].note.text()


def test_a_query_that_is_asked_shows_its_values_without_votes() -> None:
    trace = engine.run("naive_bayes", engine.algorithms()["naive_bayes"].example())
    step = next(s for s in trace if s.line == "query")
    bars = next(
        f for f in trace.algorithm.scene(trace.given, step).figures if f.title.startswith("Votes")
    )
    assert bars.values[0] == 0 and np.isnan(bars.values[1:]).all()
    assert len(bars.labels) == 1 + trace.problem.d
