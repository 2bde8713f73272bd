"""Gradient ascent on the tables of a network: by hand, against derivatives of the likelihood,
relative counts and EM.
"""

from itertools import product
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.bayes.bayes_net_gradient.words import chance_digits
from engine.algorithms.bayes.parts.learning import LEAST, nearest
from engine.base.errors import EngineError
from engine.base.notation import read_number, vector_texts
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.scene.scene import Role

ALGORITHM = engine.algorithms()["bayes_net_gradient"]
CAMPFIRE = (
    "Lightning: Storm; Campfire: Storm, BusTourGroup; Thunder: Lightning; ForestFire: Lightning,"
    " Campfire"
)


def table(**columns):
    return engine.Dataset.from_columns(
        {name: [None if c == "?" else c for c in cells] for name, cells in columns.items()}
    )


def learning(data, **params):
    return ALGORITHM.setting(engine.prepare(data), build(ALGORITHM.params, params))


def likelihood(made, tables):
    """ln P(D), value by value: every row filled in every way."""
    total = 0.0
    for row in made.known.tolist():
        ways = product(
            *([v] if v >= 0 else range(size) for v, size in zip(row, made.sizes, strict=True))
        )
        p = 0.0
        for way in ways:
            q = 1.0
            for x, own in enumerate(made.parents):
                case = 0
                for z in own:
                    case = case * made.sizes[z] + way[z]
                q *= tables[x][case, way[x]]
            p += q
        total += log(p)
    return total


def last(trace, line):
    return next(step for step in reversed(list(trace)) if step.line == line)


def test_what_a_row_expects_is_bayes_rule() -> None:
    """P(A) = 0.25, P(B | A) = 0.8, P(B | not A) = 0.4: where only B is seen, A has 0.2 / (0.2 +
    0.3).
    """
    made = learning(table(A="yn?", B="yny"), parents="B: A")
    tables = np.array([[0.25, 0.75]]), np.array([[0.8, 0.2], [0.4, 0.6]])  # y, n
    ways, joint, shares = made.of_row(tables, 2)
    assert ways.tolist() == [[0, 0], [1, 0]]
    assert joint == pytest.approx([0.2, 0.3])
    assert shares == pytest.approx([0.4, 0.6])
    counts, value = made.expected(tables)
    assert counts[0].ravel() == pytest.approx([1.4, 1.6])
    assert counts[1] == pytest.approx(np.array([[1.4, 0], [0.6, 1]]))
    assert value == pytest.approx(log(0.25 * 0.8) + log(0.75 * 0.6) + log(0.5))


def test_the_cell_of_the_campfire() -> None:
    """The text's example: P(Campfire = yes, Storm = no, BusTourGroup = no | d) for a day on which
    no campfire is seen.
    """
    columns = {"Storm": ["no", "yes"], "BusTourGroup": ["no", "yes"], "Campfire": [None, "yes"]}
    columns = {name: [*cells, "no"] for name, cells in columns.items()}
    trace = engine.run(
        "bayes_net_gradient",
        engine.Dataset.from_columns(columns),
        parents="Campfire: Storm, BusTourGroup",
        max_steps=4,
    )
    step = next(s for s in trace if s.line == "row")
    names = [v.name for v in trace.given.variables]
    assert (names[step.state.current], step.state.row) == ("Campfire", 0)
    no = trace.given.variables[0].values.index("no")
    w = step.state.tables[2][3 * no]
    # Storm and BusTourGroup are seen: the row of the table itself
    assert step.note["share"] == pytest.approx(w.max())
    storm, bus = (step.state.tables[x][0, no] for x in (0, 1))
    assert step.note["whole"] == pytest.approx(storm * bus)
    assert step.note["joint"] == pytest.approx(storm * bus * w.max())


@pytest.mark.slow
@given(st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_the_gradient_is_the_derivative(seed: int) -> None:
    """Σ P(y, u | d) / w against a difference quotient of the likelihood, computed way by way (ML Eq
    6.25).
    """
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, 3, (5, 3))
    columns = {
        f"v{j}": ["abc"[c] if rng.random() < 0.7 else "?" for c in cells[:, j]] for j in range(3)
    }
    made = learning(table(**columns), parents="v2: v0, v1; v1: v0")
    tables = [np.array(made.first(x, rng)) for x in range(3)]
    counts, value = made.expected(tuple(tables))
    assert value == pytest.approx(likelihood(made, tables))
    for x, w in enumerate(tables):
        for at in np.ndindex(*w.shape):
            here, w[at] = w[at], w[at] + 1e-6
            slope = (likelihood(made, tables) - value) / 1e-6
            w[at] = here
            assert counts[x][at] / here == pytest.approx(slope, abs=1e-3, rel=1e-3)


def test_where_all_is_seen_it_settles_at_the_shares_of_the_counts() -> None:
    data = engine.generate("campfire", 200)
    trace = engine.run(
        "bayes_net_gradient", data, parents=CAMPFIRE, rounds=2000, pace=Pace(Level.ROUND)
    )
    s = trace[-1].state
    assert "settled" in trace.events[-1]
    best = 0.0
    for x, N in enumerate(s.counts):
        share = N / N.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(s.tables[x], share, atol=0.03)
        best += (N[N > 0] * np.log(share[N > 0])).sum()
    assert best - 0.2 < s.log_likelihood <= best + 1e-9


@given(
    st.lists(st.booleans(), min_size=2, max_size=12),
    st.sampled_from([1e-7, 1e-6, 1e-5]),
    st.integers(0, 100),
)
@settings(max_examples=25, deadline=None)
def test_short_steps_far_from_the_top_are_not_converged(rows, rate: float, seed: int) -> None:
    """The top of one column is at its shares; a rate this small goes nowhere near in
    five rounds.
    """
    data = table(A="".join("xy"[row] for row in [False, *rows, True]))
    trace = engine.run(
        "bayes_net_gradient", data, rate=rate, rounds=5, seed=seed, pace=Pace(Level.ROUND)
    )
    s = trace[-1].state
    share = s.counts[0] / s.counts[0].sum()
    if np.abs(s.tables[0] - share).max() > 0.05:
        assert [step.events for step in trace if step.line == "until"] == [("round",)] * 5
        assert "rises." in trace[-1].note.text()


def test_tables_that_swing_between_two_ends_are_not_converged() -> None:
    """One x and one y at a rate of 1: each round the chances change places, and ln P(D) is the same
    for both.
    """
    trace = engine.run(
        "bayes_net_gradient", table(A="xy"), rate=1, rounds=30, pace=Pace(Level.ROUND)
    )
    before, after = (trace[k].state.tables[0] for k in (-2, -1))
    assert np.abs(before - after).max() > 0.9
    assert trace.events[-1] == ("round",)
    assert "η is too large" in trace[-1].note.text()


def test_rows_that_need_not_add_up_to_1_never_settle() -> None:
    """w ← w + η N / w grows for ever, and ln P(D) with it."""
    trace = engine.run(
        "bayes_net_gradient",
        table(A="xxxy"),
        rate=1e-7,
        renormalise="not at all",
        rounds=20,
        pace=Pace(Level.ROUND),
    )
    assert trace[-1].state.round == 20
    assert not any("settled" in step.events for step in trace)


def test_dividing_settles_at_the_roots_of_the_counts() -> None:
    """Counts 3 and 1: the top is at ¾, dividing ends at √3 / (√3 + 1)."""
    data = table(A="yyyn")
    right = engine.run("bayes_net_gradient", data, rate=0.005, rounds=5000, pace=Pace(Level.ROUND))[
        -1
    ].state
    divided = engine.run(
        "bayes_net_gradient",
        data,
        rate=0.005,
        renormalise="divide",
        rounds=5000,
        pace=Pace(Level.ROUND),
    )
    assert right.tables[0][0] == pytest.approx([0.75, 0.25], abs=5e-3)
    assert divided[-1].state.tables[0][0] == pytest.approx(
        [sqrt(3) / (sqrt(3) + 1), 1 / (sqrt(3) + 1)], abs=5e-3
    )
    assert divided[-1].state.log_likelihood < right.log_likelihood - 0.05


def test_without_renormalising_the_tables_leave_the_simplex() -> None:
    """ML F6: what adds up to more than 1 makes the data likelier than certain."""
    trace = engine.run(
        "bayes_net_gradient", table(A="yyyn", B="ynyn"), renormalise="not at all", rounds=40
    )
    s = trace[-1].state
    assert (s.tables[0].sum(axis=1) > 1.5).all()
    assert s.log_likelihood > 0
    assert last(trace, "normalise").note["sum"] > 1


@pytest.mark.slow
def test_em_finds_nothing_better_from_where_it_settles() -> None:
    """EM, the named alternative: tables in proportion to the expected counts."""
    data = engine.generate("campfire", 60, 0.2, seed=4)
    trace = engine.run(
        "bayes_net_gradient", data, parents=CAMPFIRE, rounds=3000, pace=Pace(Level.ROUND)
    )
    made = trace.given
    tables = trace[-1].state.tables
    for _ in range(30):
        counts, value = made.expected(tables)
        totals = [N.sum(axis=1, keepdims=True) for N in counts]
        tables = tuple(
            np.where(t > 1e-9, N / np.maximum(t, 1e-9), w)
            for N, t, w in zip(counts, totals, tables, strict=True)
        )
    assert trace[-1].state.log_likelihood == pytest.approx(value, abs=0.25)
    assert (np.diff(trace.metrics["log_likelihood"]) >= 0).all()


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_the_nearest_row_of_chances(seed: int) -> None:
    """No other row of chances is nearer: from p, every way into the simplex leads away from w."""
    rng = np.random.default_rng(seed)
    w = rng.normal(0.3, 1.5, (4, int(rng.integers(1, 6))))
    p = nearest(w)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert (p >= LEAST * (1 - 1e-9)).all() or w.shape[1] == 1
    other = rng.dirichlet(np.ones(w.shape[1]), 50) * (1 - w.shape[1] * LEAST) + LEAST
    assert (np.einsum("rk,nrk->nr", w - p, other[:, None] - p) <= 1e-9).all()


def test_even_tables_of_a_hidden_cause_never_part() -> None:
    """A saddle: H explains nothing as long as both its values say the same."""
    data = table(H="??????", A="yyynnn", B="yyynny")
    even = engine.run(
        "bayes_net_gradient", data, parents="A: H; B: H", start="even", pace=Pace(Level.ROUND)
    )[-1].state
    for x in (1, 2):
        assert even.tables[x][0] == pytest.approx(even.tables[x][1])
    drawn = engine.run(
        "bayes_net_gradient", data, parents="A: H; B: H", rounds=3000, pace=Pace(Level.ROUND)
    )[-1].state
    assert drawn.log_likelihood > even.log_likelihood + 0.5


def test_a_hidden_column_teaches_nothing() -> None:
    one, other = (table(A="yynn", B=b) for b in ("ynyn", "nnyy"))
    ends = [
        engine.run("bayes_net_gradient", d, parents="B: A", hidden=("B",), rounds=3)[-1].state
        for d in (one, other)
    ]
    assert all(np.array_equal(a, b) for a, b in zip(*(end.tables for end in ends), strict=True))
    assert (
        "not seen: 4 of 8"
        in engine.run("bayes_net_gradient", one, hidden=("B",), max_steps=1)[0].note.text()
    )


def test_arcs_are_k2s_where_none_are_written() -> None:
    data = engine.generate("campfire", 2000)
    mine = engine.run("bayes_net_gradient", data, max_steps=1)[0].state.edges
    assert mine.tolist() == engine.run("k2_search", data, parents=2)[-1].state.edges.tolist()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Storm", "no colon"),
        ("Storm: Rain", "no column “Rain”"),
        ("Lightning: Storm; Storm: Thunder; Thunder: Lightning", "own ancestor"),
        ("Storm: Storm", "own ancestor"),
    ],
)
def test_arcs_that_are_none_are_said(text: str, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        engine.run("bayes_net_gradient", engine.generate("campfire", 20), parents=text)


def test_too_many_unknown_values_are_said() -> None:
    data = table(**{f"v{j}": "ab" + "?" * 3 for j in range(20)})
    with pytest.raises(EngineError, match="Too many values"):
        engine.run("bayes_net_gradient", data)


def test_every_pace_and_a_resumed_run_end_alike() -> None:
    data = engine.generate("campfire", 15, 0.2)
    ends = [
        engine.run("bayes_net_gradient", data, parents=CAMPFIRE, rounds=4, pace=Pace(level))[
            -1
        ].state
        for level in Level
    ]
    for end in ends:
        assert all(np.array_equal(a, b) for a, b in zip(end.tables, ends[0].tables, strict=True))
        assert end.log_likelihood == ends[0].log_likelihood
    other = engine.prepare(table(A="yn"))
    with pytest.raises(EngineError, match="another network"):
        engine.Run(ALGORITHM, other, ALGORITHM.params(), start=ends[0]).advance()


def test_one_row_of_every_round_is_shown_step_by_step() -> None:
    """The first of those with fewest seen values; the others are details."""
    data = table(A="yn?y", B="?n?y", C="ynny")
    trace = engine.run("bayes_net_gradient", data, rounds=2, pace=Pace(Level.STEP))
    assert [s.state.row for s in trace if s.line == "row"] == [2, 2]
    fine = engine.run("bayes_net_gradient", data, rounds=2)
    assert [(s.state.row, s.level) for s in fine if s.line == "row"][:4] == [
        (0, Level.DETAIL),
        (1, Level.DETAIL),
        (2, Level.STEP),
        (3, Level.DETAIL),
    ]


def test_the_picture_shows_the_row_and_the_gradient() -> None:
    data = engine.generate("campfire", 12, 0.3)
    trace = engine.run("bayes_net_gradient", data, parents=CAMPFIRE, max_steps=40)
    row, gradient = (next(s for s in trace if s.line == line) for line in ("row", "gradient"))
    graph, expected, _, examples = trace.algorithm.scene(trace.given, row).figures
    assert expected.values.sum() == pytest.approx(1)
    assert examples.current == (0,)
    names = [card.title for card in graph.cards]
    arcs = {(names[a], names[b]) for a, _, b, _, _ in graph.arrows}
    assert arcs == {
        (parent, child)
        for child, own in (part.split(": ") for part in CAMPFIRE.split("; "))
        for parent in own.split(", ")
    }
    assert all(graph.cards[a].lane < graph.cards[b].lane for a, _, b, _, _ in graph.arrows)
    shown = trace.algorithm.scene(trace.given, gradient).figures[1]
    np.testing.assert_allclose(shown.values, gradient.state.counts[0] / gradient.state.tables[0])
    moved = next(
        s for s in trace if s.line == "normalise" and len(s.state.tables[s.state.current]) > 1
    )
    card = next(
        card
        for card in trace.algorithm.scene(trace.given, moved).figures[0].cards
        if card.role is Role.ACTIVE
    )
    table = moved.state.tables[moved.state.current]
    assert [row.bar for row in card.rows] == table[:, 0].tolist()
    assert [row.before for row in card.rows] == moved.details["moved"][:, 0].tolist()
    assert sum(row.role is Role.ACTIVE for row in card.rows) == 1


def test_the_class_is_reported_with_hidden_and_missing_values_summed_over() -> None:
    """Against the sum over all ways, written out; a column that is never seen does not count,
    whatever the row says.
    """
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 2, (30, 3))
    codes[:, 2] = codes[:, 0] ^ (rng.random(30) < 0.2)
    columns = {name: ["n" if v == 0 else "y" for v in codes[:, j]] for j, name in enumerate("abc")}
    data = engine.Dataset.from_columns(columns, "c")
    trace = engine.run("bayes_net_gradient", data, parents="b: a; c: a, b", hidden=("b",), rounds=5)
    s = trace[-1].state
    algorithm = trace.algorithm

    def chance(a: int | None, b: int | None) -> list[float]:
        sums = [0.0, 0.0]
        for i, j, k in product((0, 1), repeat=3):
            if a in (None, i) and b in (None, j):
                sums[k] += s.tables[0][0, i] * s.tables[1][i, j] * s.tables[2][2 * i + j, k]
        return [part / sum(sums) for part in sums]

    for row, expected in (([0, 0], (0, None)), ([0, 1], (0, None)), ([1, np.nan], (1, None))):
        explanation = algorithm.explain(trace.given, s, np.array(row))
        assert explanation.bars.values == pytest.approx(chance(*expected))
        assert (
            trace.codes(np.array([row])).tolist()
            == [explanation.label]
            == [int(np.argmax(chance(*expected)))]
        )
        assert "b, is tried in every way" in explanation.note.text()
    seen = engine.run("bayes_net_gradient", data, parents="b: a; c: a, b", rounds=5)
    s = seen[-1].state
    chances = [
        algorithm.explain(seen.given, s, np.array(row)).bars.values
        for row in ([1.0, 0.0], [np.nan, 0.0])
    ]
    assert chances[0] == pytest.approx(chance(1, 0)) and chances[1] == pytest.approx(
        chance(None, 0)
    )
    assert seen.codes(np.full((1, 2), np.nan)).tolist() == [-1]


def test_held_out_rows_are_judged() -> None:
    data = engine.textbook("restaurant")
    trace = engine.run("k2_search", data.take(range(12)), split=engine.Split(0.25))
    from engine.judge.evaluate import error_share

    wrong = trace.wrong(trace.problem.held_out).sum() / trace.problem.held_out.n
    assert error_share(trace, held_out=True) == wrong


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 1000),
    st.sampled_from(["nearest", "divide", "not at all"]),
    st.sampled_from([0.5, 0.01, 1e-4]),
)
def test_no_chance_above_0_is_written_as_0(seed: int, renormalise: str, rate: float) -> None:
    """Nine rows of one value and one of another, and a row of which a value is missing: chances
    come near 0 and 1.
    """
    data = table(A="yyyyyyyynn", B="yyyyyyyyy?", C="abcabcabca")
    trace = engine.run(
        "bayes_net_gradient",
        data,
        seed=seed,
        parents="B: A; C: A, B",
        renormalise=renormalise,
        rate=rate,
        rounds=12,
        max_steps=200,
    )
    for s in trace:
        for name in (
            {"w", "moved"} & set(s.note.operands)
            if s.line in ("gradient", "move", "normalise")
            else ()
        ):
            operand = s.note.operands[name]
            for column in (True, False):
                texts = vector_texts(operand.value, operand.digits, column)
                assert [read_number(text) != 0 for text in texts] == [
                    value != 0 for value in operand.value
                ]


def test_a_chance_just_above_0_has_two_figures() -> None:
    assert chance_digits(np.array([0.5, 0.5])) == 3
    assert chance_digits(np.array([0.9996, 0.0004])) == 5
    assert chance_digits(np.array([1.0, 0.0])) == 3
    tiny = np.array([1.0, 3e-13])
    assert [read_number(text) for text in vector_texts(tiny, chance_digits(tiny))] == pytest.approx(
        [1.0, 3e-13]
    )


def test_of_a_large_network_the_current_table_stands_between_parents_and_children() -> None:
    bits = np.random.default_rng(0).integers(0, 2, (20, 14)).astype(str)
    data = engine.Dataset.from_columns({f"v{j}": bits[:, j].tolist() for j in range(14)})
    children = "; ".join(f"v{j}: v2" for j in range(3, 9))
    trace = engine.run("bayes_net_gradient", data, parents=f"v2: v0, v1; {children}", rounds=1)
    step = next(s for s in trace if s.line == "normalise" and s.state.current == 2)
    graph = trace.algorithm.scene(trace.given, step).figures[0]
    assert [(card.lane, card.title) for card in graph.cards] == [
        (0, "v₀"), (0, "v₁"), (1, "v₂"), (2, "v₃"), (2, "v₄"), (2, "v₅"), (2, "3 more children"),
    ]  # fmt: skip
    assert {(a, b) for a, _, b, _, _ in graph.arrows} == {(0, 2), (1, 2)} | {
        (2, k) for k in (3, 4, 5, 6)
    }
    assert [len(card.rows) for card in graph.cards] == [0, 0, 4, 0, 0, 0, 0]


def test_amber_is_on_the_numbers_that_a_step_is_about() -> None:
    """A row's share, the sums N and the gradient each light alone; the chances only when they are
    set. Of more than two values these numbers stand in place of the chances.
    """
    data = engine.generate("campfire", 12, 0.3)
    wanted = {"row": "row's share", "expect": "counts", "gradient": "gradient"}
    lines = set()
    for key in ("bayes_net_em", "bayes_net_gradient"):
        trace = engine.run(key, data, parents=CAMPFIRE, max_steps=40)
        for step in trace:
            if step.state.current < 0:
                continue
            cards = trace.algorithm.scene(trace.given, step).figures[0].cards
            card = next(card for card in cards if card.role is Role.ACTIVE)
            (row,) = (row for row in card.rows if row.role is Role.ACTIVE)
            said = card.columns[row.cell] if row.cell >= 0 else ""
            assert said == wanted.get(step.line, "")
            if said:
                assert row.cell not in card.optional, "it stays where room is short"
            lines.add(step.line)
    assert lines == {*wanted, "set", "move", "normalise"}


def test_of_several_values_the_numbers_of_the_step_stand_in_place_of_the_chances() -> None:
    data = engine.Dataset.from_columns({"x": list("aabbcc"), "y": list("abcabc")})
    trace = engine.run("bayes_net_em", data, parents="y: x", start="even", rounds=1)
    for step in trace:
        if step.line in ("expect", "set") and step.state.current == 1:
            card = trace.algorithm.scene(trace.given, step).figures[0].cards[1]
            expect = step.line == "expect"
            assert ("counts" in card.note) is expect
            # each of the six rows is met once; in two rows per x each y has the chance 1/2 or 0
            numbers = ("1.0", "1.0", "0.0") if expect else ("0.500", "0.500", "0.000")
            assert card.rows[0].cells == ("a", *numbers)
