"""EM for the tables of a network: ML Ex 6.6, closed forms, and the likelihood that never falls."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.scene.scene import Role

NAIVE = "Outlook: PlayTennis; Temperature: PlayTennis; Humidity: PlayTennis; Wind: PlayTennis"


def test_the_table_of_wind() -> None:
    """ML Ex 6.6: naive Bayes for PlayTennis as a network; with all values seen the tables are the
    shares of the rows: P(Strong | Yes) = 3/9, P(Strong | No) = 3/5.
    """
    trace = engine.run("bayes_net_em", engine.textbook("play_tennis"), parents=NAIVE)
    names = [v.name for v in trace.given.variables]
    assert names[-1] == "PlayTennis"
    wind = trace[-1].state.tables[names.index("Wind")]
    assert wind == pytest.approx(np.array([[6 / 9, 3 / 9], [2 / 5, 3 / 5]]))
    assert trace[-1].state.tables[-1] == pytest.approx(np.array([[9 / 14, 5 / 14]]))
    assert sorted(map(tuple, trace[-1].state.edges.tolist())) == [(4, x) for x in range(4)]
    queries = [["Sunny", "Cool", "High", "Strong"]]
    assert trace.predict(np.array(queries, object)).tolist() == ["No"]


def test_one_missing_value_by_hand() -> None:
    """y y, y y, n n, n ?: of the rows with n the share of lightning goes to the fixed point of
    w = (0 + w) / 2, which is 0.
    """
    storm = ["y", "y", "n", "n"]
    data = engine.Dataset.from_columns({"Storm": storm, "Lightning": ["y", "y", "n", None]})
    first = engine.run("bayes_net_em", data, parents="Lightning: Storm", start="even", rounds=1)
    n = first.problem.features[0].categories.index("n")
    y = first.problem.features[1].categories.index("y")
    assert first[-1].state.tables[1][n, y] == pytest.approx(0.25)  # (0 + ½) / 2
    whole = engine.run("bayes_net_em", data, parents="Lightning: Storm", start="even")
    assert whole[-1].state.tables[1][n, y] == pytest.approx(0.0, abs=1e-3)
    assert whole.when("settled")


def gaps(seed: int, hidden: bool) -> Any:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 3, (25, 3))
    words = np.array(["a", "b", "c"], object)[rows]
    words[:3] = [["a"] * 3, ["b"] * 3, ["c"] * 3]
    words[3:][rng.random((22, 3)) < 0.3] = None
    columns = {name: words[:, j].tolist() for j, name in enumerate("xyz")}
    how = {"hidden": ("z",)} if hidden else {}
    return engine.run(
        "bayes_net_em",
        engine.Dataset.from_columns(columns),
        seed=seed,
        parents="x: z; y: z",
        rounds=40,
        **how,
    )


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_the_likelihood_never_falls(seed: int, hidden: bool) -> None:
    trace = gaps(seed, hidden)
    likelihood = [s.state.log_likelihood for s in trace if s.line in ("start", "until")]
    assert len(likelihood) > 1
    assert (np.diff(likelihood) >= -1e-9 * abs(likelihood[0])).all()
    for table in trace[-1].state.tables:
        assert table.sum(axis=1) == pytest.approx(1.0)


def test_it_ends_no_lower_than_gradient_ascent_from_the_same_tables() -> None:
    data = engine.textbook("play_tennis")
    ends = [
        engine.run(key, data, parents=NAIVE, start="even")[-1].state.log_likelihood
        for key in ("bayes_net_em", "bayes_net_gradient")
    ]
    assert ends[0] >= ends[1] - 1e-6


def test_the_title_of_the_network_says_the_row_and_what_a_round_gained() -> None:
    trace = engine.run(
        "bayes_net_em", engine.textbook("play_tennis"), parents=NAIVE, hidden=["Wind"]
    )
    title = {step.line: trace.algorithm.scene(trace.given, step).figures[0].title for step in trace}
    row, until = (next(s for s in reversed(trace) if s.line == x) for x in ("row", "until"))
    assert trace.problem.names[row.state.row] in title["row"]
    assert f"round {until.state.round}, ln P(D) " in title["until"] and " → " in title["until"]


def test_while_counts_are_added_up_the_title_has_them_and_old_chances_are_pale() -> None:
    trace = engine.run(
        "bayes_net_em", engine.textbook("play_tennis"), parents=NAIVE, hidden=["Wind"]
    )
    for step in trace:
        cards = trace.algorithm.scene(trace.given, step).figures[0]
        s = step.state
        pale = {c.title for c in cards.cards if c.rows[0].role is Role.INACTIVE}
        names = [v.title for v in trace.given.variables]
        still = names[s.current + 1 :] if step.line in ("expect", "set") else []
        assert pale == set(still)
        if step.line == "expect":
            x = s.current
            case = int(np.ptp(s.counts[x], axis=1).argmax())
            assert names[x] in cards.title
            if s.counts[x].shape[1] == 2:
                numbers = " : ".join(f"{n:.1f}" for n in s.counts[x][case])
                assert cards.title.endswith(f": {numbers} of 14 rows")
