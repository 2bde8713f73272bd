"""The game of mistakes against plays of every order (mitchell A28-A30, A32, B13, B14, D16-D18, F22;
E7.7).
"""

from functools import cache
from itertools import permutations, product
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.work import finished
from engine.experiments.mistake_bounds import dimension, most_by_majority, optimal
from engine.experiments.mistake_bounds.game import Concepts, concepts
from engine.protocol.step import Level, Pace
from engine.scene.scene import Bars, Boxes, Labels, Plot, Role, Segments, Tree

KEY = "mistake_bounds"
NUMBERS = engine.Dataset.from_columns(
    {"x": [1.0, 2.0, 3.0, 4.0, 5.0], "z": [0.0, 1.0, 0.0, 1.0, 0.0]}
)
BITS = engine.Dataset.from_columns(
    {f"f{j + 1}": [bool(i >> j & 1) for i in range(8)] for j in range(3)}
)


def made(rows: Any) -> Concepts:
    says = np.array(sorted(set(map(tuple, rows))), bool)
    return Concepts(tuple(map(str, range(len(says)))), tuple("abcdefgh"[: says.shape[1]]), says)


def values(C: Concepts) -> tuple[int, int, int]:
    opt = finished(optimal(C, C.all, {}))
    return dimension(C), opt, finished(most_by_majority(C, C.all, {}))


def numbers(data: Any, **params: Any) -> tuple[int, int, int, int]:
    trace = engine.run(KEY, data, **params)
    s = trace[-1].state
    return s.vc, s.opt, s.halving, len(trace.given.C.names)


def halved(
    rows: tuple[tuple[int, ...], ...], order: tuple[int, ...], concept: tuple[int, ...]
) -> int:
    """Mistakes of HALVING, played by hand: a strict majority says +, a tie −."""
    V = list(rows)
    mistakes = 0
    for x in order:
        said = 2 * sum(h[x] for h in V) > len(V)
        mistakes += said != bool(concept[x])
        V = [h for h in V if h[x] == concept[x]]
    return mistakes


def least(rows: tuple[tuple[int, ...], ...]) -> int:
    """The fewest mistakes that any learner can be sure of, by trying all of its answers at every
    input.
    """

    @cache
    def worst(V: frozenset[tuple[int, ...]]) -> int:
        found = 0
        for x in range(len(rows[0])):
            sides = [frozenset(h for h in V if h[x] == y) for y in (0, 1)]
            if all(sides):
                found = max(
                    found,
                    min(
                        max((said != y and 1 + worst(sides[y])) or worst(sides[y]) for y in (0, 1))
                        for said in (0, 1)
                    ),
                )
        return found

    return worst(frozenset(rows))


tables = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.tuples(*[st.integers(0, 1)] * n), min_size=1, max_size=9, unique=True)
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(tables)
def test_bounds_are_those_of_all_plays(rows: list[tuple[int, ...]]) -> None:
    """F22: VC ≤ Opt ≤ M_Halving ≤ log₂|C|, each against trying everything."""
    C = made(rows)
    vc, opt, halving = values(C)
    listed = tuple(tuple(int(v) for v in row) for row in C.says.tolist())
    orders = permutations(range(len(C.inputs)))
    assert opt == least(listed)
    assert halving == max(halved(listed, order, c) for order in orders for c in listed)
    assert vc <= opt <= halving <= log2(len(listed))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_power_set_makes_all_bounds_the_same(n: int) -> None:
    """D17: all labellings of 2ⁿ inputs."""
    assert numbers(BITS, concepts="functions", columns=n) == (2**n, 2**n, 2**n, 2 ** (2**n))


def test_one_of_many_is_found_after_one_mistake() -> None:
    """Singletons: one + alone; whoever always says − errs once, log₂ of the class says nothing of
    that.
    """
    assert numbers(NUMBERS, concepts="singletons") == (1, 1, 1, 5)
    data = engine.Dataset.from_columns({"x": [float(v) for v in range(8)]})
    assert numbers(data, concepts="singletons", points=8) == (1, 1, 1, 8)


def test_intervals_have_the_dimension_two() -> None:
    vc, opt, halving, size = numbers(NUMBERS, concepts="intervals")
    assert (vc, size) == (2, 5 * 6 // 2 + 1)
    rows = [[a <= i < b for i in range(5)] for a in range(5) for b in range(a + 1, 6)] + [
        [False] * 5
    ]
    assert opt == least(tuple(tuple(map(int, row)) for row in rows)) and opt <= halving


def test_seven_concepts_cost_two_mistakes_at_most() -> None:
    """B13, D16: ⌊log₂ 7⌋."""
    rows = list(product((0, 1), repeat=3))[:7]
    assert values(made(rows))[2] == 2


def test_conjunctions_of_two_columns() -> None:
    """mitchell D5: 3² and the one that never holds; VC 2 (D10); Opt above it."""
    assert numbers(BITS, concepts="conjunctions") == (2, 3, 3, 10)


def test_regular_trees_say_what_their_leaves_say() -> None:
    """B14, C10, E7.7: root x₃, both children x₁, leaves + − − +: it says + where x₃ and x₁ are the
    same.
    """
    C = concepts("trees", engine.prepare(BITS), 3, 5)
    vectors = {tuple(row) for row in C.says.astype(int).tolist()}
    by_hand = set()
    rows = list(product((0, 1), repeat=3))
    for root, child in permutations(range(3), 2):
        for leaves in product((0, 1), repeat=4):
            by_hand.add(tuple(leaves[2 * x[root] + x[child]] for x in rows))
    assert vectors == by_hand and len(by_hand) < 3 * 2 * 2**4
    assert tuple(int(x[2] == x[0]) for x in rows) in vectors


def test_columns_of_a_table_are_concepts() -> None:
    trace = engine.run(KEY, engine.textbook("restaurant"), concepts="columns")
    C = trace.given.C
    assert C.names[0].startswith("Alt") and len(C.inputs) <= 8
    assert len({tuple(row) for row in C.says.tolist()}) == len(C.names)


@pytest.mark.parametrize(
    "params",
    [{}, {"concepts": "functions"}, {"concepts": "trees", "columns": 3}, {"concepts": "intervals"}],
)
def test_the_game_denies_every_answer(params: dict[str, Any]) -> None:
    trace = engine.run(KEY, NUMBERS if params.get("concepts") == "intervals" else BITS, **params)
    s = trace[-1].state
    assert len(trace.when("mistake")) == s.mistakes == s.opt
    says = trace.given.C.says
    for number, step in ((k, t) for k, t in enumerate(trace) if t.line == "deny"):
        _, truth = step.state.path[-1]
        assert truth == 1 - trace[number - 1].state.said
        fits = [all(says[k, x] == y for x, y in step.state.path) for k in range(len(says))]
        assert [bool(step.state.V >> k & 1) for k in range(len(says))] == fits and any(fits)
    for step in (t for t in trace if t.line == "ask"):
        assert step.choice.options[step.choice.chosen].score == trace.given.best[step.state.V]


def test_the_tree_is_as_deep_as_the_bound() -> None:
    """Every inner node has both labels below it, and all others lie Opt edges deep."""
    trace = engine.run(KEY, BITS)
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    nodes = next(f for f in figures if isinstance(f, Tree)).nodes
    depth = [0] * len(nodes)
    for k, node in enumerate(nodes[1:], 1):
        depth[k] = depth[node.parent] + 1
    inner = {node.parent for node in nodes}
    ends = [d for k, d in enumerate(depth) if k not in inner]
    assert ends == [3] * 2**3
    assert sum(node.role is Role.ACTIVE for node in nodes) == 1
    bars = next(f for f in figures if isinstance(f, Bars))
    assert bars.values.tolist() == pytest.approx([2, 3, 3, 3, log2(10)])
    table = next(f for f in figures if isinstance(f, Plot))
    assert [text for _, text in table.x_ticks] == ["00", "01", "10", "11"]
    assert sum(len(layer.text) for layer in table.layers if isinstance(layer, Labels)) == 10 * 4
    (struck,) = (layer for layer in table.layers if isinstance(layer, Segments))
    assert len(struck.ends) == 10 - trace[-1].state.left


@pytest.mark.parametrize(
    ("data", "params"),
    [
        (BITS, {"columns": 2}),
        (BITS, {"columns": 3}),
        (BITS, {"concepts": "functions"}),
        (BITS, {"concepts": "trees", "columns": 3}),
        (NUMBERS, {"concepts": "intervals"}),
        (NUMBERS, {"concepts": "singletons"}),
    ],
)
def test_each_node_of_the_tree_has_the_opt_of_its_own_concepts(
    data: engine.Dataset, params: dict[str, Any]
) -> None:
    """ML 7.5.3, by enumeration: of the concepts that say what stands at the edges above a node, how
    many there are and the fewest mistakes that any learner can be sure of.
    """
    trace = engine.run(KEY, data, **params)
    C = trace.given.C
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    nodes = next(f for f in figures if f.title.startswith("Mistake tree")).nodes
    left: list[list[tuple[int, ...]]] = []
    for node in nodes:
        rows = [tuple(row) for row in C.says.astype(int).tolist()]
        if node.parent >= 0:
            x = C.inputs.index(nodes[node.parent].text.removesuffix("?"))
            rows = [row for row in left[node.parent] if row[x] == "−+".index(node.branch)]
        left.append(rows)
        if node.kind == "leaf":
            assert [C.names[C.says.astype(int).tolist().index(list(row))] for row in rows] == [
                node.text
            ]
        else:
            said = node.note or node.text
            assert said == f"{len(rows)} left, Opt {least(tuple(rows))}"


def test_the_weighted_majority_of_the_class() -> None:
    """D18: 1 / log₂(4/3) = 2.409…, not the printed 2.4."""
    assert engine.run(KEY, BITS)[-1].note["weighted"] == pytest.approx(2.4094 * log2(10), abs=1e-3)
    fine, coarse = (
        engine.run(KEY, BITS, pace=Pace(level))[-1].state for level in (Level.DETAIL, Level.ROUND)
    )
    assert (fine.V, list(fine.path), fine.halving) == (coarse.V, list(coarse.path), coarse.halving)


def test_the_regular_tree_that_is_drawn_is_the_concept_that_is_left() -> None:
    """ML Ex 7.7: both children test one column; read leaf by leaf the tree says what it is."""
    trace = engine.run(KEY, BITS, concepts="trees", columns=3)
    C = trace.given.C
    assert len(C.trees) == len(C.names) == 38
    for k, tree in enumerate(C.trees):
        root, child = (int(title[-1] in "₂") + 2 * (title[-1] in "₃") for title in tree[:2])
        said = [tree.leaves[2 * int(x[root]) + int(x[child])] for x in C.inputs]
        assert said == C.says[k].astype(int).tolist()
    scene = trace.algorithm.scene(trace.given, trace[-1])
    drawn = next(f for f in scene.figures if f.title.startswith("Regular tree"))
    assert drawn.title.endswith(C.names[trace[-1].state.V.bit_length() - 1])
    assert [node.kind for node in drawn.nodes].count("leaf") == 4


def test_the_tree_of_the_exercise_is_drawn_where_the_table_is_its() -> None:
    """ML Ex 7.7, mitchell B14: root x₃, both children x₁, leaves + − − +; 96 trees, and by the
    bound of weighted majority log₂ 96 / log₂(4/3).
    """
    trace = engine.run(KEY, engine.textbook("regular_tree"), concepts="trees", columns=3)
    for step in trace:
        scene = trace.algorithm.scene(trace.given, step)
        nodes = next(f for f in scene.figures if f.title.startswith("Regular tree")).nodes
        assert [node.text for node in nodes] == ["x₃", "x₁", "+", "−", "x₁", "−", "+"]
    assert trace[-1].note["heavier"] == pytest.approx(log2(96) / log2(4 / 3))
    xor = engine.textbook("mit_conjunction")  # what no tree of its first columns says
    assert engine.run(KEY, xor, concepts="trees", columns=2).given.of_the_table == -1


def test_the_bounds_stand_beside_the_mistakes_that_were_made() -> None:
    """The mistake that this step adds is the part in amber; nothing else moves."""
    trace = engine.run(KEY, BITS)
    for step in trace:
        scene = trace.algorithm.scene(trace.given, step)
        assert scene.leads == ("Class", "Bounds")
        bars = next(f for f in scene.figures if isinstance(f, Bars))
        s = step.state
        if s.opt >= 0:
            assert bars.values[bars.labels.index("mistakes so far")] == len(s.path)
            assert bars.levels == ((3.0, "Opt(C)"),)
        moved = [] if bars.before is None else np.flatnonzero(bars.values != bars.before).tolist()
        assert moved == ([bars.labels.index("mistakes so far")] if step.line == "deny" else [])


def test_the_concepts_that_a_step_contradicts_are_struck_in_amber() -> None:
    trace = engine.run(KEY, BITS)
    fitted = trace[0].state.V
    for step in trace:
        figures = trace.algorithm.scene(trace.given, step).figures
        table = next(f for f in figures if isinstance(f, Plot))
        lit = {
            -at
            for layer in table.layers
            if isinstance(layer, Segments) and layer.role is Role.ACTIVE
            for at in layer.ends[:, 0, 1].tolist()
        }
        lost = fitted & ~step.state.V
        assert lit == {k for k in range(10) if lost >> k & 1}
        fitted = step.state.V


def test_a_question_shows_both_sides_with_the_opt_of_each() -> None:
    trace = engine.run(KEY, BITS)
    for step in (t for t in trace if t.line == "ask"):
        scene = trace.algorithm.scene(trace.given, step)
        s = step.state
        _, no, yes = next(part for part in trace.given.C.splits(s.V) if part[0] == s.x)
        table = next(f for f in scene.figures if isinstance(f, Plot))
        tinted = next(x for x in table.layers if getattr(x, "tag", "") == "V")
        sides = {
            (-y1 + 0.5, side)
            for (_, _, _, y1), side in zip(tinted.bounds, tinted.group, strict=True)
        }
        assert sides == {
            (k, side)
            for side, V in enumerate((yes, no))
            for k in range(len(trace.given.C.names))
            if V >> k & 1
        }
        bars = next(f for f in scene.figures if isinstance(f, Bars))
        opts = [bars.values[bars.labels.index(f"Opt, if it is {sign}")] for sign in "−+"]
        assert opts == [trace.given.best[no], trace.given.best[yes]]
        (lit,) = (k for k, role in enumerate(bars.roles) if role is Role.ACTIVE)
        assert bars.values[lit] == min(opts)


def test_the_framed_inputs_of_the_dimension_are_shattered() -> None:
    trace = engine.run(KEY, BITS)
    step = next(t for t in trace if t.line == "vc")
    table = next(f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Plot))
    framed = [x for x in table.layers if isinstance(x, Boxes) and x.role is Role.ACTIVE]
    inputs = tuple(int(frame.bounds[0, 0] + 0.5) for frame in framed)
    assert len(inputs) == step.state.vc and trace.given.C.shatters(inputs)
