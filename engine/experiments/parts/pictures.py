"""Pictures that experiments share: the model under study as its own algorithm shows it, and the
rows it has not seen.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Float, Int
from engine.base.grid import Grid
from engine.base.notation import number
from engine.fit.learners import Model
from engine.judge.surface import evaluate_field
from engine.scene.figures import Figure, Table, TableColumn
from engine.scene.layers import Field, Layer, Points, Role
from engine.scene.scene import Scene, data_points, data_table
from engine.scene.views import PLANE, short_names
from engine.table.problem import Problem

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
    """The FIELDS of an experiment: every surface in the scene of the shown model, evaluated by the
    model's own learner.
    """

    def __getitem__(self, name: str) -> Callable[[Any, Any, Grid], Float]:
        def of_model(given: Any, s: Any, grid: Grid) -> Float:
            return surface(s.model, name, grid)

        return of_model

    def __iter__(self) -> Iterator[str]:
        return iter(("class",))

    def __len__(self) -> int:
        return 1

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)


def surface(model: Model | None, name: str, grid: Grid) -> Float:
    """(ny, nx) the surface `name` of the shown model on the grid; without a model −1 for classes
    and NaN for scores.
    """
    if model is None:
        nothing = -1.0 if name == "class" else np.nan
        return np.full(grid.shape, nothing)
    return evaluate_field(model.learner.algorithm, model.given, model.state, name, grid)


def shows_right(given: Any) -> bool:
    """Whether errors are shown as the share right: for classes, where the parameter `show` is
    "right".
    """
    return given.p.show == "right" and not given.problem.regress


def as_shown(given: Any, errors: Sequence[float]) -> Float:
    """(m,) errors as the picture shows them: the share right is 1 − the share wrong."""
    values = np.array(errors, np.float64)
    return 1.0 - values if shows_right(given) else values


def as_said(given: Any, *errors: float) -> str:
    """Errors in a heading: “0.07, 0.12 wrong”, of values their numbers alone; – for unknown."""
    texts = ["–" if e != e else number(e) if given.problem.regress else f"{e:.2f}" for e in errors]
    return ", ".join(texts) + ("" if given.problem.regress else " wrong")


def model_layers(model: Model | None, problem: Problem) -> tuple[Layer, ...]:
    """The layers of a model on the plane; the examples alone where there is none.

    They are its own layers without those of a step or a query of its run, and with the class
    surface where it draws none itself.
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
    if covered or problem.regress:
        return layers
    return (Field("class", boundary=True), *layers)


def unseen_points(
    problem: Problem, rows: Int, answers: NDArray[Any] | None = None
) -> tuple[Layer, ...]:
    """The rows that the model did not learn from as hollow points; with its answers (m,), wrong
    ones are crossed.
    """
    if not problem.plane or not len(rows):
        return ()
    said = None
    if answers is not None and not problem.regress:
        said = np.nan_to_num(answers, nan=-1).astype(np.intp)
    tags = problem.tags_of(rows)
    xy = problem.xy[rows]
    return (Points(xy, problem.codes[rows], Role.HELD_OUT, said, tag=UNSEEN, tags=tags),)


def dealt_table(problem: Problem, title: str, *dealt: TableColumn, struck: bool = False) -> Table:
    """The examples with what was dealt to them: the first such column, the target, the other
    columns dealt, and then the inputs. struck: whether the target counts no more
    """

    def ordered(own: list[TableColumn]) -> list[TableColumn]:
        *inputs, target = own
        if struck:
            target = TableColumn(target.feature, target.values, Role.REJECTED)
        return [dealt[0], target, *dealt[1:], *inputs]

    return data_table(problem, ordered, title=title)


def model_figures(model: Model | None) -> tuple[Figure, ...]:
    """The first figure of the learner that shows the model, such as a tree or a network; () for
    none.
    """
    if model is None:
        return ()
    scene: Scene = model.scene
    return tuple(figure for figure in scene.figures if figure.is_telling)[:1]


def leads_with(first: str, problem: Problem, model: Model | None) -> tuple[str, ...]:
    """The names of the views that lead: an experiment's own, beside the plane, else the learner's
    figure of the model, else alone. The examples tell nothing of an experiment.
    """
    if problem.plane:
        return first, PLANE
    return (first, *short_names([figure.title for figure in model_figures(model)]))


def model_scene(
    problem: Problem,
    rows: Int,
    model: Model | None,
    own: Sequence[Figure],
    *more: Figure,
    judged: bool = True,
    alone: bool = False,
) -> Scene:
    """An experiment's own figures, the learner's of the model, `more`, and the examples.

    The rows learnt from are in play; on the plane stand the model and those of `rows` that it has
    not seen. The first figure leads, beside what shows the model.

    judged: whether these rows have the model's answers; alone: whether the first figure leads alone
    """
    learnt = None
    unseen = np.zeros(0, np.intp)
    answers = None
    if model is not None:
        learnt = np.zeros(problem.n, bool)
        learnt[model.rows] = True
        unseen = np.sort(rows[~learnt[rows]])
        answers = model.says[unseen] if judged else None
    plane = (*model_layers(model, problem), *unseen_points(problem, unseen, answers))
    figures = (*own, *model_figures(model), *more, data_table(problem, active=learnt))
    first = short_names([figure.title for figure in figures])[0]
    leads = (first,) if alone else leads_with(first, problem, model)
    return Scene(plane, figures, leads=leads)
