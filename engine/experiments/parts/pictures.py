"""Pictures that experiments share: the model under study as its own algorithm shows it, and the
rows it has not seen.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.arrays import Float, Int
from engine.core.figures import Figure
from engine.core.grid import Grid
from engine.core.layers import Field, Layer, Points, Role
from engine.core.problem import Problem
from engine.core.scene import Scene, data_points, data_table
from engine.evaluation.surface import evaluate_field
from engine.experiments.parts.learners import Model
from engine.pictures.views import PLANE, is_telling, short_names

_OF_A_STEP = (
    Role.ACTIVE,
    Role.QUERY,
    Role.NEIGHBOUR,
    Role.NEAREST,
    Role.BALL,
    Role.CANDIDATE,
    Role.GHOST,
    Role.PROBE,
)
UNSEEN = "unseen"  # tag of the rows that the model has not seen


class Surfaces(Mapping[str, Callable[[Any, Any, Grid], Float]]):
    """FIELDS of an experiment: whatever surface the scene of the shown model names, asked of its
    learner.
    """

    def __getitem__(self, name: str) -> Callable[[Any, Any, Grid], Float]:
        return lambda given, s, grid: surface(s.model, name, grid)

    def __iter__(self) -> Iterator[str]:
        return iter(("class",))

    def __len__(self) -> int:
        return 1

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)


def surface(model: Model | None, name: str, grid: Grid) -> Float:
    """Surface `name` of the shown model; no class and no score anywhere while there is none."""
    if model is None:
        return np.full(grid.shape, -1.0 if name == "class" else np.nan)
    return evaluate_field(model.learner.algorithm, model.given, model.state, name, grid)


def shows_right(given: Any) -> bool:
    """Whether errors are shown as what is right: so the parameter `show` wants it, of classes."""
    return given.p.show == "right" and not given.problem.regress


def model_layers(model: Model | None, problem: Problem) -> tuple[Layer, ...]:
    """What the plane shows of a model: its own layers but for what belongs to a step or a query of
    its run, with the class surface where it draws none of its own. The examples alone while there
    is no model.
    """
    if not problem.plane:
        return ()
    if model is None:
        return (data_points(problem),)
    layers = tuple(
        layer
        for layer in model.scene.layers
        if getattr(layer, "role", Role.PLAIN) not in _OF_A_STEP
    )
    covered = any(isinstance(layer, Field) for layer in layers)
    return layers if covered or problem.regress else (Field("class", boundary=True), *layers)


def unseen_points(
    problem: Problem, rows: Int, answers: NDArray[Any] | None = None
) -> tuple[Layer, ...]:
    """The rows that the model has not seen, hollow; with its answers, in which wrong ones are
    crossed.
    """
    if not problem.plane or not len(rows):
        return ()
    shown = (
        None
        if answers is None or problem.regress
        else np.nan_to_num(answers, nan=-1).astype(np.intp)
    )
    return (
        Points(
            problem.xy[rows],
            problem.codes[rows],
            Role.HELD_OUT,
            shown,
            tag=UNSEEN,
            tags=problem.tags_of(rows),
        ),
    )


def model_figures(model: Model | None) -> tuple[Figure, ...]:
    """The learner's telling figure of the model, a tree, a network, if it has one."""
    scene: Scene = Scene() if model is None else model.scene
    return tuple(figure for figure in scene.figures if is_telling(figure))[:1]


def beside(problem: Problem, model: Model | None, usual: str) -> str:
    """Which view stands beside an experiment's own: the plane, else the learner's telling figure,
    else the one called so.
    """
    figures = model_figures(model)
    return PLANE if problem.plane else short_names([figures[0].title])[0] if figures else usual


def model_scene(
    problem: Problem,
    rows: Int,
    model: Model | None,
    own: Sequence[Figure],
    *more: Figure,
    judged: bool = True,
    alone: bool = False,
) -> Scene:
    """An experiment's own figures, the learner's of the model, `more`, and the examples, those
    learnt from in play; on the plane the model and those of the rows that it has not seen, judged:
    with its answers. The first figure leads, alone or beside what shows the model.
    """
    learnt = None
    others = np.zeros(0, np.intp)
    if model is not None:
        learnt = np.zeros(problem.n, bool)
        learnt[model.rows] = True
        others = np.sort(rows[~learnt[rows]])
    answers = model.says[others] if judged and model is not None else None
    plane = (*model_layers(model, problem), *unseen_points(problem, others, answers))
    figures = (*own, *model_figures(model), *more, data_table(problem, active=learnt))
    return Scene(
        plane,
        figures,
        leads=(own[0].title, *(() if alone else (beside(problem, model, "Examples"),))),
    )
