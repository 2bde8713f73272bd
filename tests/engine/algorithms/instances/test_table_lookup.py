"""Table lookup: the neighbour's tables of MIT 2.1, an independent dictionary, and what a default
costs.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.protocol.step import Level, Pace
from engine.scene.scene import Bars, Boxes, Role, Table

ALGORITHM = engine.algorithms()["table_lookup"]
SATURDAY = (80, "none", "sat", "no", "casual")


def table_of(scene: Any, title: str) -> Table:
    return next(f for f in scene.figures if isinstance(f, Table) and f.title.startswith(title))


def answer(name: str, query: Any, **params: Any) -> Any:
    trace = engine.run("table_lookup", engine.textbook(name), query=query, **params)
    return trace.problem.class_text(trace[-1].state.label), trace[-1]


def test_the_neighbour_is_remembered() -> None:
    """MIT 2.1.15: at 19, snow, mon, yes, casual he drives; with any one cell changed this day was
    never seen (F01).
    """
    query = [19, "snow", "mon", "yes", "casual"]
    label, last = answer("neighbour_memory", query)
    assert (label, last.note["first"]) == ("drive", "x₂")
    for j, other in enumerate((20, "none", "sat", "no", None)):
        if other is not None:
            label, last = answer("neighbour_memory", [*query[:j], other, *query[j + 1 :]])
            assert (label, last.events) == ("no class", ("never seen",))
            assert last.note["alike"] == "x₂"


def test_five_walks_and_two_drives() -> None:
    """MIT 2.1.20, D01: P(walk) = 5/7, the answer is walk."""
    label, last = answer("neighbour_repeats", SATURDAY)
    assert label == "walk"
    assert last.state.table.tolist() == [[2, 5]]
    assert last.note["share"] == pytest.approx(5 / 7)
    assert Fraction(last.note["count"], last.note["times"]) == Fraction(5, 7)
    assert last.choice.options[last.choice.chosen].label == "walk"


def test_repeats_that_tie_have_no_answer() -> None:
    """After two more drives it is 5 to 4, after three 5 to 5 (F02: a bar that flips at
    equality).
    """
    for drives, said in ((2, "walk"), (3, None), (4, "drive")):
        data = engine.Dataset.from_columns(
            {"day": ["sat"] * (7 + drives), "y": ["walk"] * 5 + ["drive"] * (2 + drives)}, "y"
        )
        trace = engine.run("table_lookup", data)
        assert trace.predict({"day": ["sat"]}).tolist() == [said]
        assert ("tie" in trace[-1].events) == (said is None)
    assert trace.algorithm.explain(trace.given, trace[-1].state, trace.problem.X[0]).label == 0


def test_a_noisy_sensor_is_a_new_day() -> None:
    """MIT 2.1.21: 20 degrees were never seen, though 21 were; rounded to tens they count as the
    same.
    """
    query = (20, "none", "sat", "no", "casual")
    label, last = answer("neighbour_noise", query)
    assert label == "no class"
    assert last.note["alike"] == "x₄" and "21" in last.note["columns"]
    assert answer("neighbour_noise", query, rounding=10)[0] == "drive"
    # four drives, three walks
    assert answer("neighbour_noise", query, default="commonest")[0] == "drive"


def test_two_rules_of_generalisation_compare_fewer_columns() -> None:
    """MIT 2.1.24 at 58, rain, mon, no, casual: the same precipitation walks, the same weekday
    drives.
    """
    query = (58, "rain", "mon", "no", "casual")
    assert answer("neighbour_drives", query)[0] == "no class"
    assert answer("neighbour_drives", query, columns=("precip",))[0] == "walk"
    label, last = answer("neighbour_drives", query, columns=("day",))
    assert label == "drive"
    assert last.state.table[last.state.entry].tolist() == [2, 0]


def test_what_the_first_label_says_stays_where_there_is_no_majority() -> None:
    data = engine.Dataset.from_columns({"x": [1.0, 1.0, 1.0], "y": ["a", "b", "b"]}, "y")
    assert engine.run("table_lookup", data).predict({"x": [1.0]}).tolist() == ["b"]
    trace = engine.run("table_lookup", data, majority=False)
    assert trace.predict({"x": [1.0]}).tolist() == ["a"]
    assert [step.events for step in trace if step.line == "again"] == [("conflict",), ("conflict",)]


rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from("abc")), min_size=1, max_size=25
)


@settings(deadline=None, max_examples=25)
@given(rows, st.booleans())
def test_it_says_what_a_dictionary_says(rows: list[tuple[int, int, str]], majority: bool) -> None:
    """And of every example what that said when it came; the commonest label before it, the first of
    equals, is the default.
    """
    data = engine.Dataset.from_columns(
        {"u": [r[0] for r in rows], "v": [r[1] for r in rows], "y": [r[2] for r in rows]}, "y"
    )
    trace = engine.run("table_lookup", data, majority=majority, pace=Pace(Level.STEP))
    names = list(trace.problem.classes)
    memory = defaultdict(list)
    all_ = Counter()

    def said(key: tuple[int, int]) -> str | None:
        known = memory[key]
        if not majority:
            return known[0] if known else None
        (best, most), (_, second) = [*Counter(known).most_common(), (None, 0), (None, 0)][:2]
        return best if most > second else None

    unseen = cost = wrong = 0
    for row, step in zip(
        rows, (step for step in trace if step.line in ("new", "again")), strict=True
    ):
        *key, y = row
        known = bool(memory[tuple(key)])
        assert (step.line == "again") == known
        if known:
            wrong += said(tuple(key)) != y
        else:
            unseen += 1
            cost += bool(all_) and y != max(
                names, key=lambda name: (all_[name], -names.index(name))
            )
        memory[tuple(key)].append(y)
        all_[y] += 1
        assert (step.state.unseen, step.state.cost, step.state.wrong) == (unseen, cost, wrong)
        assert [step.metrics[name] for name in ("unseen", "cost", "wrong")] == [unseen, cost, wrong]
    for u in range(4):
        for v in range(3):
            assert trace.predict(np.array([[u, v]])).tolist() == [said((u, v))]


def test_every_pace_ends_alike() -> None:
    data = engine.generate("moons", 50, 0.3)
    ends = [
        engine.run("table_lookup", data, rounding=0.5, pace=Pace(level))[-1].state
        for level in Level
    ]
    assert len({(end.stored, end.label, end.entry, end.table.tobytes()) for end in ends}) == 1


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"rounding": 0.5},
        {"rounding": 0.5, "default": "commonest"},
        {"columns": ("x2",), "rounding": 0.2},
    ],
)
def test_the_surface_is_what_every_place_gets(params: dict[str, Any]) -> None:
    trace = engine.run("table_lookup", engine.generate("moons", 60, 0.2), **params)
    grid = Grid(
        np.append(np.linspace(-2, 2, 31), trace.problem.X[:5, 0]),
        np.append(np.linspace(-1, 1, 21), trace.problem.X[:5, 1]),
    )
    for at in (0, 10, -1):
        found = ALGORITHM.fields["class"](trace.given, trace[at].state, grid)
        expected = ALGORITHM.predict(
            trace.given, trace[at].state, trace.problem.from_plane(grid.points())
        )
        assert found.ravel().tolist() == expected.tolist()
    assert (found >= 0).any()


def test_cells_hold_what_rounds_alike() -> None:
    trace = engine.run("table_lookup", engine.generate("moons", 60, 0.2), rounding=0.5)
    scene = ALGORITHM.scene(trace.given, trace[-1])
    known, here = [layer for layer in scene.layers if isinstance(layer, Boxes)]
    X = trace.problem.X
    inside = (X[:, None] >= known.bounds[:, :2]).all(-1) & (X[:, None] < known.bounds[:, 2:]).all(
        -1
    )
    assert (inside.sum(1) == 1).all()
    assert len(known.bounds) == len({tuple(row) for row in np.floor(X / 0.5 + 0.5).tolist()})
    assert here.role is Role.ACTIVE and len(here.bounds) == 1


def test_the_query_stands_below_the_memory_or_the_row_that_it_is() -> None:
    trace = engine.run(
        "table_lookup",
        engine.textbook("neighbour_memory"),
        query=(19, "snow", "mon", "yes", "casual"),
    )
    early, late = (
        ALGORITHM.scene(trace.given, step) for step in trace if step.line in ("query", "answer")
    )
    for scene, at in ((early, 3), (late, 2)):
        memory = table_of(scene, "Memory")
        assert (memory.names[at], memory.numbers[at], len(memory.names)) == ("?", 0, 4)
    assert np.isnan(table_of(early, "Memory").columns[-1].values[3])
    assert table_of(late, "Memory").columns[-1].values[2] == 0  # drive
    assert table_of(late, "Memory").current == (1, 2)
    bars = next(f for f in late.figures if isinstance(f, Bars))
    # all three were new; the first met no label before it
    assert bars.values.tolist() == [3, 0, 2, 0, 0]


def test_what_is_wrong_with_a_query_is_said() -> None:
    with pytest.raises(EngineError, match="has 2"):
        answer("neighbour_memory", (19, "snow"))
    with pytest.raises(EngineError, match="one of none, snow"):
        answer("neighbour_memory", (19, "hail", "mon", "yes", "casual"))
    with pytest.raises(EngineError, match="must be a number"):
        answer("neighbour_memory", ("warm", "snow", "mon", "yes", "casual"))
    with pytest.raises(EngineError, match="is no column; there are"):
        answer("neighbour_memory", (), columns=("wind",))


def test_nothing_stored_knows_nothing() -> None:
    trace = engine.run("table_lookup", engine.textbook("neighbour_memory"), default="commonest")
    assert trace.codes(trace.problem.X, 0).tolist() == [-1, -1, -1]
    assert trace.codes(trace.problem.X).tolist() == trace.problem.codes.tolist()


RULE = "clothes = formal or temp > 90 or temp < 20"


def test_a_rule_by_hand_is_what_rows_are_distinguished_by() -> None:
    """MIT 2.1.24, the third rule: formal, or above 90, or below 20 drives, else he walks.

    It agrees with all eight rows.
    """
    query = (58, "rain", "mon", "no", "casual")
    label, last = answer("neighbour_drives", query, columns=(RULE,))
    assert label == "walk"
    # he drives where it holds, walks elsewhere
    assert last.state.table.tolist() == [[4, 0], [0, 4]]
    trace = engine.run("table_lookup", engine.textbook("neighbour_drives"), columns=(RULE,))
    assert trace.predict(trace.problem.X).tolist() == list(trace.problem.y)
    days = {
        "precip": ["none"] * 4,
        "day": ["sun"] * 4,
        "shop": ["no"] * 4,
        "clothes": ["formal"] + ["casual"] * 3,
    }
    assert trace.predict({"temp": [58, 91, 90, 19.5], **days}).tolist() == [
        "drive",
        "drive",
        "walk",
        "drive",
    ]
    start = table_of(ALGORITHM.scene(trace.given, trace[-1]), "Memory")
    made = next(c for c in start.columns if " or " in c.feature.name)
    assert made.feature.name == "clothes = formal or temp > 90 or temp < 20"
    # the first day with either answer, below its own the query: the first row
    assert made.values.tolist() == [1, 1, 0]


def test_all_three_rules_of_the_slide_stand_side_by_side() -> None:
    """MIT 2.1.24 F: together they know no such day; each is known alone."""
    query = (58, "rain", "mon", "no", "casual")
    label, last = answer("neighbour_drives", query, columns=("precip", "day", RULE))
    assert label == "no class"
    assert last.note["alike"] == "x₃"  # rain and no rule holds: only the day differs
    assert last.note["columns"] == "day = weds"


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("wind > 3", "“wind > 3” is no test"),
        ("temp >", "“temp >” is no test"),
        ("temp > warm", "A rule gives “temp” the value “warm”; it must be a number"),
        ("precip = hail", "must be one of none, rain, snow"),
    ],
)
def test_what_is_wrong_with_a_rule_is_said(rule: str, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        answer("neighbour_drives", (), columns=(rule,))


@pytest.mark.parametrize("rule", ["x1 > 0.3", "x1 <= 0.3 or x2 > 0.5", "x2 != 0"])
def test_the_surface_of_a_rule_is_its_two_sides(rule: str) -> None:
    trace = engine.run("table_lookup", engine.generate("moons", 60, 0.2), columns=(rule,))
    grid = Grid(np.linspace(-2, 2, 31), np.append(np.linspace(-1, 1, 21), 0.0))
    found = ALGORITHM.fields["class"](trace.given, trace[-1].state, grid)
    places = trace.problem.from_plane(grid.points())
    assert (
        found.ravel().tolist() == ALGORITHM.predict(trace.given, trace[-1].state, places).tolist()
    )
    held = {"x1 > 0.3": places[:, 0] > 0.3, "x2 != 0": places[:, 1] != 0}.get(
        rule, (places[:, 0] <= 0.3) | (places[:, 1] > 0.5)
    )
    mine = (trace.problem.X[:, 0] > 0.3, trace.problem.X[:, 1] != 0)["x2 !=" in rule]
    if "or" not in rule:
        most = [
            np.bincount(trace.problem.codes[mine == side], minlength=2).argmax()
            for side in (False, True)
        ]
        assert (
            found.ravel().tolist() == np.where(held, most[1], most[0]).tolist()
            or not mine.any()
            or mine.all()
        )


def test_the_memory_has_the_examples_to_come_in_pale_below_what_is_written_down() -> None:
    trace = engine.run("table_lookup", engine.textbook("restaurant"))
    for step in trace:
        memory = trace.algorithm.scene(trace.given, step).figures[0]
        written = [not name.endswith("to come") for name in memory.names]
        s = step.state
        if s.stored < 12:
            pale = 12 - s.stored - (s.row == s.memory.rows[s.stored])
            assert memory.active is not None and int((~memory.active).sum()) == pale
            assert written == [k < s.unseen for k in range(len(written))]
        else:
            assert memory.active is None and all(written)


def test_of_labels_that_tie_none_is_called_the_commonest() -> None:
    """Before the third row one “a” and one “b” were written down, before the fourth two “b”."""
    data = engine.Dataset.from_columns({"x": [1.0, 2.0, 3.0, 4.0], "y": list("abba")}, "y")
    trace = engine.run("table_lookup", data, query=(5.0,), default="commonest")
    said = [step.note.text() for step in trace if step.line == "new"]
    assert "One of the commonest labels so far, a, would have been wrong" in said[2]
    assert "The commonest label so far, b, would have been wrong" in said[3]
    assert "The default answers: a, one of the commonest labels, at 2 of 4" in trace[-1].note.text()
