"""What the words and options of a step speak of is in its picture: a term that is hovered lights
something, and so does a bar, a cell, a row or a curve of a figure.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import engine
from engine.base.tags import HELD_OUT_POINTS, class_tags, joined, names_in, row_tag
from engine.protocol.params import build
from engine.protocol.step import Note, Step
from engine.runs.run import Run
from engine.runs.trace import Trace
from engine.scene.roles import WRONG
from engine.scene.scene import (
    Bars,
    Block,
    Blocks,
    Cards,
    Matrix,
    Network,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Table,
    Tree,
)
from engine.sources.textbook import textbook
from engine.table.problem import Problem

ALGORITHMS = engine.algorithms()
WORDS = engine.Dataset.from_columns({"A": list("pqqr"), "B": list("uuvv"), "y": list("abab")}, "y")


def shown(scene: Scene) -> set[str]:
    """All that lights up in a scene: layers, their pieces, and the parts of its figures."""
    return set().union(
        *of_layers(scene.layers),
        *(names for figure in scene.figures for names in of_figure(figure)),
    )


def of_layers(layers: Any) -> list[set[str]]:
    """For each layer the names that light it or a piece of it."""
    found = []
    for layer in layers:
        names = {name for tag in (layer.tag, *getattr(layer, "tags", ())) for name in names_in(tag)}
        if isinstance(layer, Points) and layer.role is Role.POINT:
            names |= {
                *class_tags(int(layer.group.max(initial=-1)) + 1),
                *[WRONG[Role.POINT]] * (layer.shown is not None),
            }
        found.append(names)
    return found


def of_figure(figure: Any) -> list[set[str]]:
    """For each part of a figure the names that light it."""
    if isinstance(figure, Plot):
        return of_layers(figure.layers)
    if isinstance(figure, Tree):
        tags = [
            joined(node.tag, *(row_tag(row + 1) for row, _ in node.boxes)) for node in figure.nodes
        ]
    elif isinstance(figure, Network):
        units = [len(layer) for layer in figure.activations]
        ends = [
            (gap, i, j) for gap, w in enumerate(figure.weights) for i, j in np.ndindex(*w.shape)
        ]
        tags = [f"unit {at} {i}" for at, size in enumerate(units) for i in range(size)]
        tags += [f"link {gap} {i} {j}" for gap, i, j in ends]
    elif isinstance(figure, Matrix):
        tags = [*figure.row_tags, *figure.column_tags]
    elif isinstance(figure, Blocks):
        tags = [tag for block in figure.blocks for tag in (*block.row_tags, *block.column_tags)]
    elif isinstance(figure, Cards):
        own = [joined(card.tag, *(row.tag for row in card.rows)) for card in figure.cards]
        tags = [figure.tag, *own]
    elif isinstance(figure, Table):
        tags = [figure.tag, *rows(figure), *(column.tag for column in figure.columns)]
    else:
        tags = [getattr(figure, "tag", ""), *getattr(figure, "tags", ())]
    return [set(names_in(tag)) for tag in tags]


def rows(table: Table) -> tuple[str, ...]:
    return table.tags or tuple(map(row_tag, table.numbers))


def spoken(step: Step[Any]) -> Iterator[tuple[str, str]]:
    """(term or option, tag) of what a person can hover."""
    for name, operand in step.note.operands.items():
        if operand.about and any(f"{{{name}}}" in template for template in templates(step.note)):
            yield name, operand.about
    for option in step.choice.options if step.choice is not None else ():
        if option.about:
            yield option.label, option.about


def templates(note: Note) -> list[str]:
    formulas = [part for f in note.formulas for part in (f.body, f.result)]
    return [note.lead, *formulas, *(fact.text for fact in note.facts)]


@cache
def example_run(key: str) -> tuple[Trace, list[tuple[Step[Any], Scene]]]:
    algorithm = ALGORITHMS[key]
    return scenes(key, algorithm.example())


def scenes(
    key: str, problem: Problem, **params: Any
) -> tuple[Trace, list[tuple[Step[Any], Scene]]]:
    """A run of at most 300 steps, and each step with its picture."""
    algorithm = ALGORITHMS[key]
    run = Run(algorithm, problem, build(algorithm.params, params))
    run.advance(max_steps=300)
    given = algorithm.setting(problem, run.trace.params)
    return run.trace, [(step, algorithm.scene(given, step)) for step in run.trace]


def unlit(key: str, problem: Problem, **params: Any) -> set[tuple[str, str, str]]:
    """(line, term, tag) of what speaks of nothing that the picture of its step has."""
    return without_object(scenes(key, problem, **params)[1])


def without_object(seen: list[tuple[Step[Any], Scene]]) -> set[tuple[str, str, str]]:
    tagged = [(step, shown(scene)) for step, scene in seen]
    return {
        (step.line, term, tag)
        for step, tags in tagged
        for term, tag in spoken(step)
        if not tags & {*names_in(tag)}
    }


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(ALGORITHMS))
def test_every_term_lights_something(key: str) -> None:
    assert not without_object(example_run(key)[1])


# What stands for nothing that is drawn anywhere else, (algorithm, figure, kind of part).
ALONE = {
    ("bayes_net_em", "Examples", "row"),  # words in columns have no plane
    ("categorical_bayes", "Examples", "row"),
    ("multinomial_bayes", "Examples", "row"),
    # words in columns have no plane, and the leaves of the list no boxes
    ("decision_list", "Examples", "row"),
    ("given_tree", "Examples", "row"),  # those that have not come to a leaf yet
    # the hinge is the same for every line
    ("hinge_descent", "Hinge", "curve"),
    ("svm", "Hinge", "curve"),
    ("hinge_descent", "Steps", "row"),  # the steps before the last: their lines are gone
    # the other line is drawn only where both are compared
    ("linear_regression", "Distances", "cell"),
    # the hard step and the normal curve, for comparison
    ("logistic_regression", "Soft threshold h", "curve"),
    ("k2_search", "Examples", "row"),  # words in columns have no plane
    ("naive_bayes", "Weights", "bar"),  # the bias
    ("polynomial_fit", "Coefficients c", "bar"),  # a power has no mark of its own
    # the level of the baseline, for comparison
    ("column_curves", "Learning curves", "curve"),
    ("learner_comparison", "Learner comparison", "curve"),
    ("learning_curve", "Learning curve", "curve"),
    ("model_selection", "Errors by size", "curve"),
    ("overfitting_curve", "Error by complexity", "curve"),
}
# Curves of the timeline that count what has passed, or sum over all examples.
UNSEEN = {
    "backpropagation": {"loss", "rmse"},
    "categorical_bayes": {"errors"},
    "connect_the_dots": {"loo"},
    "decision_list": {"errors"},
    "candidate_elimination": {"unsure"},
    "exhaustive_rules": {"count"},
    "find_s": {"bound", "mistakes"},
    "k_cnf": {"bound", "mistakes"},
    "kd_search": {"examined"},
    "kd_tree": {"depth"},
    "logistic_regression": {"loss"},
    "multiclass_perceptron": {"mistakes"},
    "multinomial_bayes": {"errors"},
    "optimal_brain_damage": {"loss"},
    "perceptron": {"mistakes"},
    "polynomial_fit": {"loss"},
    "softmax_regression": {"loss"},
    "streaming_perceptron": {"mistakes"},
    "winnow": {"mistakes"},
}


def parts(figure: Any) -> Iterator[tuple[str, str]]:
    """(kind, tag) of all bars, cells, rows and curves of a figure."""
    if isinstance(figure, Bars):
        yield from (
            ("bar", joined(tag, figure.tag)) for tag in figure.tags or [""] * len(figure.labels)
        )
    elif isinstance(figure, Matrix):
        yield from (("cell", joined(*pair)) for pair in cells(figure))
    elif isinstance(figure, Blocks):
        yield from (
            ("cell", joined(*pair))
            for block in figure.blocks
            if block.row_tags or block.column_tags
            for pair in cells(block)
        )
    elif isinstance(figure, Cards):
        yield from (("row", joined(c.tag, row.tag)) for c in figure.cards for row in c.rows)
    elif isinstance(figure, Table):
        yield from (("row", tag) for tag in rows(figure) or [""] * len(figure.names))
    elif isinstance(figure, Plot):
        yield from (("curve", layer.tag) for layer in figure.layers if isinstance(layer, Polyline))


def cells(matrix: Matrix | Block) -> Iterator[tuple[str, str]]:
    tags = (
        matrix.row_tags or ("",) * len(matrix.values),
        matrix.column_tags or ("",) * matrix.values.shape[1],
    )
    return ((row, column) for row in tags[0] for column in tags[1])


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(ALGORITHMS))
def test_every_bar_cell_row_and_curve_lights_what_it_stands_for(key: str) -> None:
    """Something in another figure, on the plane, over the timeline, or a term of the words."""
    trace, seen = example_run(key)
    alone: set[tuple[str, str, str]] = set()
    for step, scene in seen:
        plane = {name for names in of_layers(scene.layers) for name in names}
        plane |= {*trace.problem.row_tags} if trace.problem.plane else set()
        words = {name for curve in ALGORITHMS[key].curves for name in curve.tags}
        words |= {name for _, tag in spoken(step) for name in names_in(tag)}
        own = [{name for names in of_figure(figure) for name in names} for figure in scene.figures]
        for k, figure in enumerate(scene.figures):
            others = plane.union(words, *own[:k], *own[k + 1 :])
            title = figure.title.partition(":")[0].partition(",")[0]
            alone |= {
                (key, title, kind) for kind, tag in parts(figure) if not others & {*names_in(tag)}
            }
    assert alone == {found for found in ALONE if found[0] == key}


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(ALGORITHMS))
def test_every_curve_of_the_timeline_lights_what_it_measures(key: str) -> None:
    _, seen = example_run(key)
    lit = {HELD_OUT_POINTS}.union(*(shown(scene) for _, scene in seen))
    assert {
        curve.metric for curve in ALGORITHMS[key].curves if not lit & {*curve.tags}
    } == UNSEEN.get(key, set())


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize(
    "params",
    [{}, {"weights": "1/d"}, {"metric": "mahalanobis"}, {"disagree": "leave unclassified"}],
    ids=str,
)
def test_neighbours_light_up(k: int, params: dict[str, Any]) -> None:
    assert not unlit(
        "nearest_neighbours", ALGORITHMS["nearest_neighbours"].example(), k=k, **params
    )


def test_neighbours_light_up_without_a_plane() -> None:
    problem = engine.prepare(WORDS)
    assert not problem.plane
    for k in (1, 3):
        assert not unlit("nearest_neighbours", problem, k=k, metric="hamming")


@pytest.mark.parametrize(
    "params", [{}, {"prune": "chi2"}, {"importance": "gini", "subset_tests": True}], ids=str
)
def test_the_restaurant_tree_lights_up(params: dict[str, Any]) -> None:
    assert not unlit("decision_tree", engine.prepare(textbook("restaurant")), **params)


def test_the_k_th_best_is_lit_alone() -> None:
    """Neighbours at 1 and 2, an example at 3 stays out: the words compare it with the one at 2."""
    data = engine.Dataset.from_arrays(np.array([[1.0], [2.0], [3.0]]), np.array([1, -1, 1]))
    trace = engine.run("nearest_neighbours", data, k=2, query=(0.0,))
    (look,) = [step for step in trace if step.line == "look"]
    assert (
        look.note.operands["rim"].about
        == look.note.operands["kth"].about
        == look.choice.options[0].about
        == "rim"
    )
    layers = trace.algorithm.scene(trace.given, look).layers
    spoke, ring = [layer for layer in layers if layer.tag == "rim"]
    assert spoke.ends.tolist() == [[[0.0, 0.0], [2.0, 0.0]]]
    assert ring.xy.tolist() == [[2.0, 0.0]]
