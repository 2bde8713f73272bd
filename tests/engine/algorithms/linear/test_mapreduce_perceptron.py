"""The perceptron as jobs of map and reduce against MMDS 12.2.8, 12.3.6 and 12.6, by hand, in
fractions, and beside the perceptron.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import Level, Pace
from engine.protocol.registry import algorithm
from engine.scene.scene import Cards, Line, Points, Role, Table

METHOD = algorithm("mapreduce_perceptron")
HALF = 0.5
CANCEL = [[1.0, 2.0], [1.0, 2.0]], [1, -1]


def run(data, **params):
    return engine.run("mapreduce_perceptron", data, **params)


def of(trace, line):
    return [step for step in trace if step.line == line]


def cloud(n: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1, -1)
    return np.round(rng.normal(size=(n, 2)) + 0.8 * y[:, None], 1), y


def figure(trace, at, kind):
    return next(f for f in METHOD.scene(trace.given, at).figures if isinstance(f, kind))


# -- the texts -------------------------------------------------------------------------------------


def test_the_first_job_on_the_e_mails_by_hand() -> None:
    """mmds A24, B01: from w = 0 all six disagree; their sixteen words make ½ Σ y x = [0, 1, 0, −1,
    1].
    """
    trace = run(engine.textbook("spam"), rate=HALF)
    first, *_ = of(trace, "update")
    assert first.state.w.tolist() == [0, 1, 0, -1, 1]
    assert [step.state.pairs for step in of(trace, "map")][:3] == [6, 10, 16]
    assert of(trace, "shuffle")[0].note["keys"] == 5
    assert trace[-1].events == ("round", "converged")
    assert (trace[-1].state.round, trace[-1].state.sent) == (2, 16)


def test_the_pairs_of_an_example() -> None:
    """(i, η y xᵢ) for each xᵢ ≠ 0, and for no other."""
    trace = run(([[2.0, 0.0, -1.0], [0.0, 1.0, 0.0]], [-1, 1]), chunks=2)
    emit = of(trace, "emit")[0]
    assert emit.note["listed"] == "(w₁, −1), (w₃, 0.50)"
    assert (emit.note["own"], emit.note["mapper"]) == (2, 1)
    assert emit.state.pairs == 2
    assert of(trace, "reduce")[1].note["delta"] == HALF


@settings(max_examples=8, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(["zero", "learned"]),
    st.sampled_from(["sum", "average"]),
)
def test_the_number_of_chunks_does_not_matter(seed: int, threshold: str, combine: str) -> None:
    """mmds F17, to the last bit, in tenths too."""
    data = cloud(13, seed)
    jobs = []
    for chunks in (1, 2, 5, 13, 40):
        trace = run(
            data,
            chunks=chunks,
            rate=0.1,
            rounds=6,
            threshold=threshold,
            combine=combine,
            pace=Pace(Level.STEP),
        )
        jobs.append(
            [
                (step.state.w.tobytes(), step.state.pairs, step.state.errors)
                for step in of(trace, "until")
            ]
        )
    assert all(other == jobs[0] for other in jobs)


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(["sum", "average"]),
    st.sampled_from(["disagrees", "agrees"]),
)
def test_every_job_is_as_in_fractions(seed: int, combine: str, zero: str) -> None:
    """A batch step: w ← w + η Σ y x of all that disagree, or their mean (mmds A24, A26).

    Halves, so that nothing is rounded in the sums.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (8, 2))
    y = np.where(np.arange(8) % 2, 1, -1)
    w = [Fraction(1, 2) * 0] * 2
    expected = []
    for _ in range(5):
        scores = [
            int(label) * sum(a * int(v) for a, v in zip(w, x, strict=True))
            for x, label in zip(X, y, strict=True)
        ]
        wrong = [
            k for k, score in enumerate(scores) if score < 0 or (score == 0 and zero == "disagrees")
        ]
        parts = (len(wrong) or 1) if combine == "average" else 1
        w = [
            a + Fraction(1, 2) * sum(int(y[k]) * int(X[k, j]) for k in wrong) / parts
            for j, a in enumerate(w)
        ]
        expected.append([float(v) for v in w])
    trace = run((X.astype(float), y), combine=combine, zero=zero, rounds=5)
    ends = [step.state.w.tolist() for step in of(trace, "until")]
    assert np.allclose(ends, expected[: len(ends)], atol=1e-12)


def test_zero_that_agrees_is_a_trap() -> None:
    """mmds A24 [E]: taken literally, nothing is ever sent from w = 0."""
    trace = run(cloud(20), zero="agrees")
    assert trace[-1].events == ("round", "stuck")
    assert (trace[-1].state.round, trace[-1].state.sent, trace[-1].state.errors) == (1, 0, 20)
    assert "taken for agreement" in trace[-1].note.text()
    assert run(cloud(20))[-1].state.sent > 0


def test_sum_and_average_begin_with_the_same_line_and_part_then() -> None:
    """mmds A26: neither one by one nor the sum."""
    data = cloud(30, 3)
    added, mean = (run(data, combine=combine, rounds=4) for combine in ("sum", "average"))
    first, second = (of(trace, "update")[0].state.w for trace in (added, mean))
    assert np.allclose(first, 30 * second)
    assert not np.allclose(
        added[-1].state.w, mean[-1].state.w * added[-1].state.w[0] / mean[-1].state.w[0]
    )


def test_mappers_on_their_own_lead_elsewhere_and_need_fewer_jobs() -> None:
    """mmds A35, F25: one mapper alone is the perceptron; several depend on how the table is cut."""
    data = cloud(24, 1)
    alone = run(data, combine="average of changes", chunks=1, rounds=7)
    plain = engine.run("perceptron", data, stop="rounds", rounds=7)
    ends = [step.state.w.tolist() for step in of(plain, "until")]
    assert np.allclose([step.state.w for step in of(alone, "until")], ends[: alone[-1].state.round])
    three, four = (
        run(data, combine="average of changes", chunks=chunks, rounds=1)[-1].state.w
        for chunks in (3, 4)
    )
    assert not np.allclose(three, four)
    (mean,) = of(run(data, combine="average of changes", chunks=3, rounds=1), "update")
    parts = [
        engine.run("perceptron", (x, y), stop="rounds", rounds=1)[-1].state.w
        for x, y in zip(np.array_split(data[0], 3), np.array_split(data[1], 3), strict=True)
    ]
    assert mean.state.w == pytest.approx(np.mean(parts, axis=0))


# -- ends ------------------------------------------------------------------------------------------


def test_pairs_that_cancel_end_the_run() -> None:
    trace = run(CANCEL)
    assert trace[-1].events == ("round", "stuck")
    assert (trace[-1].state.pairs, trace[-1].state.errors) == (4, 2)
    assert "cancel" in trace[-1].note.text()


@pytest.mark.parametrize("combine", ["sum", "average", "average of changes"])
@pytest.mark.parametrize("zero", ["disagrees", "agrees"])
def test_a_row_at_the_origin_has_nothing_to_send(combine, zero) -> None:
    trace = run(
        ([[0.0, 0.0], [1.0, 2.0], [-1.0, -2.0]], [1, 1, -1]), combine=combine, zero=zero, rounds=50
    )
    said = trace[-1].note.text()
    assert trace[-1].events == ("round", "stuck")
    # then w = 0 tells nothing of the other rows either
    if zero == "agrees" and combine != "average of changes":
        assert trace[-1].state.errors == 3
        assert "taken for agreement" in said
    else:
        assert trace[-1].state.errors == 1
        assert "its x is 0" in said and "agreement" not in said


def test_mappers_that_come_back_to_where_they_began_say_so() -> None:
    """x = 1 is +, x = 1 is −: one mapper goes ½, then 0 again."""
    trace = run(([[1.0], [1.0]], [1, -1]), combine="average of changes", chunks=1, threshold="zero")
    assert trace[-1].events == ("round", "stuck")
    assert trace[-1].state.w.tolist() == [0.0]
    assert "came back" in trace[-1].note.text() and "agreement" not in trace[-1].note.text()


def test_steps_too_small_for_a_number_say_so() -> None:
    trace = run(([[1e-323], [-1e-323]], [1, -1]), rate=1e-4)
    assert trace[-1].events == ("round", "stuck")
    assert "too small for a number" in trace[-1].note.text()


def test_a_circle_ends_the_run() -> None:
    """x = 1 is +, x = 2 is −: w goes 0, −½, 0."""
    trace = run(([[1.0], [2.0]], [1, -1]))
    assert [step.state.w.tolist() for step in of(trace, "until")] == [[-HALF], [0.0]]
    assert trace[-1].events == ("round", "cycle")
    assert trace[-1].note["cycle"] == 0


@pytest.mark.parametrize(
    "params",
    [{}, {"threshold": "learned"}, {"combine": "average"}, {"combine": "average of changes"}],
)
def test_all_paces_come_to_the_same_state(params) -> None:
    traces = [run(cloud(30, 2), rounds=12, pace=Pace(level), **params) for level in Level]
    ends = [trace[-1].state for trace in traces]
    assert len({(s.w.tobytes(), s.errors, s.round, s.sent, s.pairs) for s in ends}) == 1


def test_it_goes_on_with_the_next_job_and_refuses_other_weights() -> None:
    data = cloud(20, 4)
    whole = run(data, rounds=6)
    rest = engine.Run(METHOD, whole.problem, whole.params, start=of(whole, "until")[1].state)
    rest.advance(max_steps=1000)
    assert rest.trace[-1].state.w.tolist() == whole[-1].state.w.tolist()
    other = engine.Run(
        METHOD, whole.problem, METHOD.params(threshold="learned"), start=whole[-1].state
    )
    with pytest.raises(engine.EngineError, match="start again"):
        other.advance()


def test_more_chunks_than_rows_and_rows_without_a_class() -> None:
    data = engine.Dataset.from_columns(
        {"x": [1.0, 2.0, -1.0], "z": [0.0, 1.0, 1.0], "y": ["a", None, "b"]}, "y"
    )
    trace = run(data, chunks=9)
    assert [rows.tolist() for rows in trace.given.chunks] == [[0], [2]]
    assert trace.given.mapper.tolist() == [0, -1, 1]


# -- the picture -----------------------------------------------------------------------------------


def test_chunks_have_a_tint_in_the_job_and_in_the_table() -> None:
    trace = run(cloud(10), chunks=3)
    scene = METHOD.scene(trace.given, trace[0])
    mappers = cards(trace, trace[0], 0)
    assert [len(card.rows) for card in mappers] == [4, 3, 3]
    assert [card.group for card in mappers] == [2, 3, 4]
    tables = [f for f in scene.figures if isinstance(f, Table)]
    assert tables[-1].group.tolist() == [2] * 4 + [3] * 3 + [4] * 3


def cards(trace, step, lane):
    return [card for card in figure(trace, step, Cards).cards if card.lane == lane]


def told(trace, step):
    """Where the arrows of a step come from and go to, as texts, and those in ink."""
    job = figure(trace, step, Cards)

    def text(card, row):
        return job.cards[card].rows[row].cells[0] if row >= 0 else job.cards[card].title

    arrows = [(text(a, i), text(b, j), role) for a, i, b, j, role in job.arrows]
    return [
        [(start, end) for start, end, r in arrows if r is role]
        for role in (Role.PLAIN, Role.ACTIVE)
    ]


def test_pairs_go_from_the_rows_that_are_wrong_to_the_reducers_of_their_weights() -> None:
    """Four rows, two mappers, the second column 0 in one of them: 2 + 2 pairs of one, 1 + 2 of the
    other.
    """
    trace = run(([[1.0, 1.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, -1.0]], [1, 1, -1, -1]), chunks=2)
    one, two = of(trace, "map")[:2]
    first = [("x₁", "(w₁, 0.50)"), ("x₁", "(w₂, 0.50)"), ("x₂", "(w₁, 1.00)"), ("x₂", "(w₂, 0.50)")]
    second = [("x₃", "(w₁, 0.50)"), ("x₄", "(w₁, 1.00)"), ("x₄", "(w₂, 0.50)")]
    assert told(trace, one) == [[], first]
    assert told(trace, two) == [first, second]
    assert [card.title for card in cards(trace, two, 1)] == ["4 pairs", "3 pairs"]
    sent, gathered = told(trace, of(trace, "shuffle")[0])
    assert sent == first + second
    assert sorted(end for _, end in gathered) == ["x₁", "x₁", "x₂", "x₂", "x₃", "x₄", "x₄"]
    _, reduced = told(trace, of(trace, "reduce")[1])
    assert [end for _, end in reduced] == ["x₁", "x₂", "x₄"]
    after = cards(trace, of(trace, "update")[0], 2)
    assert [[(r.cells[0], r.value) for r in card.rows[-2:]] for card in after] == [
        [("Δ₁", "3.00"), ("w₁", "0.00 → 3.00")],
        [("Δ₂", "1.50"), ("w₂", "0.00 → 1.50")],
    ]


def test_the_table_of_pairs_is_sorted_by_the_shuffle() -> None:
    trace = run(([[1.0, 1.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, -1.0]], [1, 1, -1, -1]), chunks=2)
    sent, shuffled = (
        figure(trace, of(trace, line)[-1 if line == "map" else 0], Table)
        for line in ("map", "shuffle")
    )
    first = figure(trace, of(trace, "map")[1], Table)
    assert first.columns[3].values.tolist() == [0.5, 0.5, 1.0, 0.5, 0.5, 1.0, 0.5]
    assert first.current == (4, 5, 6)
    assert shuffled.columns[3].values.tolist() == [0.5, 1.0, 0.5, 1.0, 0.5, 0.5, 0.5]
    assert shuffled.numbers == (1, 3, 5, 6, 2, 4, 7)
    assert sent.names == ()  # of the last job, in which no example disagreed


def test_who_sends_is_ringed_and_a_mapper_on_its_own_has_its_line() -> None:
    data = cloud(12)
    trace = run(data, chunks=3)
    (rings,) = (
        layer
        for layer in METHOD.scene(trace.given, of(trace, "map")[1]).layers
        if isinstance(layer, Points) and layer.role is Role.CANDIDATE
    )
    assert rings.xy.tolist() == data[0][4:8].tolist()
    own = run(data, chunks=3, combine="average of changes")
    step = of(own, "map")[1]
    (draft,) = (
        layer
        for layer in METHOD.scene(own.given, step).layers
        if isinstance(layer, Line) and layer.tag == "draft"
    )
    part = engine.run("perceptron", (data[0][4:8], data[1][4:8]), stop="rounds", rounds=1)
    assert draft.w.tolist() == part[-1].state.w.tolist() == step.note["own"].tolist()


def test_many_columns_and_mappers_share_a_card() -> None:
    rng = np.random.default_rng(0)
    trace = run((rng.normal(size=(30, 9)), np.where(np.arange(30) % 2, 1, -1)), chunks=10, rounds=1)
    step = of(trace, "update")[0]
    assert [card.title for card in cards(trace, step, 0)][-2:] == ["mapper 3", "7 more mappers"]
    assert [card.title for card in cards(trace, step, 2)][-2:] == ["reducer w₃", "6 more reducers"]
    # from w = 0 every row sends nine pairs
    assert [card.title for card in cards(trace, step, 1)] == ["27 pairs"] * 3 + ["189 pairs"]
    assert [card.note for card in cards(trace, step, 2)] == ["30 pairs"] * 3 + ["180 pairs"]


def test_the_rows_of_a_mapper_add_up() -> None:
    """Rows that have a line, and those that the last line stands for, are the rows of its chunk."""
    rng = np.random.default_rng(0)
    trace = run((rng.normal(size=(71, 2)), np.where(np.arange(71) % 2, 1, -1)), chunks=3, rounds=1)
    for step in trace:
        mappers = cards(trace, step, 0)
        assert [sum(row.many for row in card.rows) for card in mappers] == [24, 24, 23]


def test_the_heading_of_the_job_says_what_the_words_say() -> None:
    trace = run(engine.generate("blobs", 20, seed=1), chunks=2)
    for step in trace:
        job = METHOD.scene(trace.given, step).figures[0].title
        assert job.startswith("Job: ")
        if step.line == "map":
            sent = step.note["sent"]
            assert f"mapper {step.note['mapper']} sends" in job
            assert ("no pair" in job) == (sent == 0)
        if step.line == "until" and step.state.errors:
            assert f"{step.note['errors']} wrong now" in job
