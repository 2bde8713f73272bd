"""What the words and options of a step speak of is in its picture: a term that is hovered lights something."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import engine
from engine.core.params import build
from engine.core.problem import Problem
from engine.core.scene import Network, Plot, Scene, Tree
from engine.core.step import Note, Step
from engine.data.textbook import textbook
from engine.timeline.run import Run

ALGORITHMS = engine.algorithms()
WORDS = engine.Dataset.from_columns({"A": list("pqqr"), "B": list("uuvv"), "y": list("abab")}, "y")


def shown(scene: Scene) -> set[str]:
    """The tags of all layers and figures, of their nodes, units and links."""
    tags = {layer.tag for layer in scene.layers} | {getattr(figure, "tag", "") for figure in scene.figures}
    for figure in scene.figures:
        if isinstance(figure, Plot):
            tags |= {layer.tag for layer in figure.layers}
        elif isinstance(figure, Tree):
            tags |= {node.tag for node in figure.nodes}
        elif isinstance(figure, Network):
            units = [len(layer) for layer in figure.activations]
            tags |= {f"unit {at} {i}" for at, size in enumerate(units) for i in range(size)}
            ends = [(gap, i, j) for gap, w in enumerate(figure.weights) for i, j in np.ndindex(*w.shape)]
            tags |= {f"link {gap} {i} {j}" for gap, i, j in ends}
    return tags


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


def unlit(key: str, problem: Problem, **params: Any) -> set[tuple[str, str, str]]:
    """(line, term, tag) of what speaks of nothing that the picture of its step has."""
    algorithm = ALGORITHMS[key]
    run = Run(algorithm, problem, build(algorithm.params, params))
    run.advance(max_steps=300)
    trace = run.trace
    scenes = [(step, shown(algorithm.scene(algorithm.setting(problem, trace.params), step))) for step in trace]
    return {(step.line, term, tag) for step, tags in scenes for term, tag in spoken(step) if tag not in tags}


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(ALGORITHMS))
def test_every_term_lights_something(key: str) -> None:
    assert not unlit(key, ALGORITHMS[key].example())


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize(
    "params", [{}, {"weights": "1/d"}, {"metric": "mahalanobis"}, {"disagree": "leave unclassified"}], ids=str
)
def test_neighbours_light_up(k: int, params: dict[str, Any]) -> None:
    assert not unlit("nearest_neighbours", ALGORITHMS["nearest_neighbours"].example(), k=k, **params)


def test_neighbours_light_up_without_a_plane() -> None:
    problem = engine.prepare(WORDS)
    assert not problem.plane
    for k in (1, 3):
        assert not unlit("nearest_neighbours", problem, k=k, metric="hamming")


@pytest.mark.parametrize("params", [{}, {"prune": "chi2"}, {"importance": "gini", "subset_tests": True}], ids=str)
def test_the_restaurant_tree_lights_up(params: dict[str, Any]) -> None:
    assert not unlit("decision_tree", engine.prepare(textbook("restaurant")), **params)


def test_the_k_th_best_is_lit_alone() -> None:
    """Neighbours at 1 and 2, an example at 3 stays out: the words compare it with the one at 2."""
    data = engine.Dataset.from_arrays(np.array([[1.0], [2.0], [3.0]]), np.array([1, -1, 1]))
    trace = engine.run("nearest_neighbours", data, k=2, query=(0.0,))
    (look,) = [step for step in trace if step.line == "look"]
    assert look.note.operands["rim"].about == look.note.operands["kth"].about == look.choice.options[0].about == "rim"
    layers = trace.algorithm.scene(trace.given, look).layers
    (spoke, ring) = [layer for layer in layers if layer.tag == "rim"]
    assert spoke.ends.tolist() == [[[0.0, 0.0], [2.0, 0.0]]]
    assert ring.xy.tolist() == [[2.0, 0.0]]
