"""Which views there are, and which of them lead because they explain the step."""

import re
from typing import Any

import numpy as np
import pytest

import engine
from engine.protocol.params import params_fields
from engine.runs.run import run_problem
from engine.scene.scene import Bars, Plot, Scene, Space, Table, Tree
from engine.scene.views import PLANE, leads, short_names, views
from engine.table.prepare import Split


def at(key: str, data: Any, step: int = -1, **given: Any) -> tuple[tuple[str, ...], list[str]]:
    """(views that lead, all views) at a step of a run."""
    trace = engine.run(key, data, max_steps=60, **given)
    scene = trace.algorithm.scene(trace.given, trace[step])
    return leads(scene, trace.problem), list(views(scene, trace.problem))


def line() -> engine.Dataset:
    x = np.linspace(-3, 3, 12)
    return engine.Dataset.from_columns(
        {"x": x, "z": x**2, "y": 0.8 * x + 1}, target="y", task="regress"
    )


def three_columns() -> engine.Dataset:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 3))
    return engine.Dataset.from_arrays(X, np.where(X[:, 2] > 0, 1, -1))


MOONS = engine.generate("moons", 30, 0.2)


@pytest.mark.parametrize(
    ("key", "data", "params", "first"),
    [
        ("decision_tree", engine.textbook("restaurant"), {}, ("Tree", "Examples")),
        # split columns are no axes of the plane
        ("decision_tree", three_columns(), {}, ("Tree", "Examples")),
        ("decision_tree", MOONS, {}, (PLANE, "Tree")),
        ("backpropagation", MOONS, {}, ("Network", PLANE)),
        ("perceptron_network", MOONS, {}, ("Network", PLANE)),
        ("regularised_regression", line(), {}, ("Space", "Pulls")),
        ("regularised_regression", line(), {"q": 2}, ("Space", PLANE)),
        ("svm", MOONS, {"kernel": "quadratic"}, (PLANE, "Lifted")),
        ("svm", MOONS, {}, (PLANE,)),
        ("svm", three_columns(), {}, ("In space", PLANE)),
        ("kd_tree", MOONS, {}, (PLANE, "k-d tree")),
        ("kd_search", three_columns(), {}, ("k-d tree", "Best")),
        ("weighted_majority", engine.generate("pundits", 40), {}, ("Shares", "Experts")),
        ("perceptron", engine.textbook("spam"), {}, ("Weights w", "Examples")),
        ("perceptron", engine.generate("blobs", 20), {}, (PLANE,)),
        ("nearest_neighbours", MOONS, {}, (PLANE,)),
        ("gradient_descent", line(), {}, (PLANE, "Space")),
    ],
)
def test_the_picture_that_explains_the_step_leads(
    key: str, data: Any, params: Any, first: tuple[str, ...]
) -> None:
    lead, names = at(key, data, **params)
    assert lead == first
    assert tuple(names[: len(first)]) == first  # and the switcher begins with them


def test_a_tree_leads_with_the_plane_as_long_as_the_plane_shows_all_columns() -> None:
    """The same at every step: a stage that changed from step to step would jump."""
    trace = engine.run("decision_tree", three_columns(), split=Split())
    assert {leads(trace.algorithm.scene(trace.given, s), trace.problem) for s in trace} == {
        ("Tree", "Examples")
    }


def test_names_are_short_and_never_twice_the_same() -> None:
    assert short_names(
        ["Shares R: of a value", "Weights w, θ = 5", "E[z] of x₄: its memberships"]
    ) == [
        "Shares R",
        "Weights w",
        "E[z]",
    ]
    assert short_names(["Errors: by k", "Errors: by width"]) == ["Errors: by k", "Errors: by width"]
    plots = tuple(Plot("Errors", "x", "y", ()) for _ in range(3))
    assert list(views(Scene((), plots), None)) == ["Errors", "Errors 2", "Errors 3"]


def test_what_a_scene_names_leads_before_the_rule() -> None:
    tree = Tree("Tree", ())
    bars = Bars("Votes", (), np.zeros(0))
    table = Table("Examples", (), ())
    space = Space("Lifted", ("a", "b", "c"), np.zeros((0, 3)), np.zeros(0, int))
    assert leads(Scene((), (bars, table, tree)), None) == ("Tree", "Examples")
    assert leads(Scene((), (bars, space)), None) == ("Votes", "Lifted")
    assert leads(Scene((), (bars, table, tree), leads=("Votes", "Tree")), None) == ("Votes", "Tree")
    assert list(views(Scene((), (bars, table, tree), leads=("Examples",)), None)) == [
        "Examples",
        "Votes",
        "Tree",
    ]
    assert leads(Scene((), (bars,), leads=("Plane", "Votes")), None) == ("Votes",)
    assert leads(Scene(), None) == ()


@pytest.mark.parametrize("key", sorted(set(engine.algorithms()) - {"perceptron_network"}))
def test_the_name_of_every_view_has_a_word(key: str) -> None:
    """K, c and E[z] need not be known for a picture.

    (A network's units are called as its classes are.)
    """
    found = engine.algorithm(key)
    trace = run_problem(key, found.example(), 0, max_steps=12)
    for step in (trace[0], trace[len(trace) // 2], trace[len(trace) - 1]):
        for name in views(found.scene(trace.given, step), trace.problem):
            assert re.search(r"[^\W\d_]{3}|ROC|Pad|Job|Cut", name), name


@pytest.mark.parametrize("key", engine.algorithms())
def test_the_name_of_every_parameter_has_a_word(key: str) -> None:
    for field in params_fields(engine.algorithm(key).params):
        assert re.search(r"[^\W\d_]{2}", field.label), (field.name, field.label)
        assert "_" not in field.label
