"""The bundle of boundaries, the rows that are left out, and each row's bias and variance."""

from engine.authoring import Float, Step, np
from engine.core.dataset import Feature
from engine.core.records import replace
from engine.core.scene import (
    Bars,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Table,
    TableColumn,
    data_points,
    data_table,
)
from engine.experiments.bootstrap_spread import Setting, State, shares
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import Surfaces, unseen_points
from engine.numerics.contours import joined

FIELDS = Surfaces()
_LARGEST = 3.0  # size of a row that every model calls otherwise, beside one of which all are sure


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures = (parts(given, s), table(given, s))
    if not problem.plane:
        return Scene((), figures, leads=("Parts", "Examples"))
    bundle: list[Layer] = []
    if len(s.lines) > 1:
        bundle.append(Polyline(joined(s.lines[: len(s.lines) - 1]), Role.INACTIVE, tag="bundle"))
    if len(s.lines) and s.model is not None:
        bundle.append(Polyline(s.lines[-1], Role.BOUNDARY, tag="bundle"))
    out = np.zeros(0, np.intp) if s.model is None else np.setdiff1d(given.rows, s.model.rows)
    points = (data_points(problem), *unseen_points(problem, out))
    second = spread(given, s)
    return Scene((*bundle, *points), (second, *figures), leads=("Plane", "Variance"))


def spread(given: Setting, s: State) -> Plot:
    """The rows as large as the models differ about them, crossed where most of them are wrong."""
    problem = given.problem
    known = shares(given, s)
    xy = problem.xy[known.rows]
    codes = problem.codes[known.rows]
    most = float(known.variance.max(initial=0.0)) or 1.0
    weight = 0.15 + _LARGEST * known.variance / most
    main = None if problem.regress else known.main.astype(np.intp)
    tags = problem.tags_of(known.rows.tolist())
    names = [problem.titles[j] for j in problem.plane] + [
        problem.target.title if problem.target else ""
    ]
    marks = Points(
        xy,
        codes,
        Role.SAMPLE if problem.regress else Role.POINT,
        main,
        weight,
        tag="parts",
        tags=tags,
    )
    x, y = (
        (low, high) if high > low else (low - 1, high + 1)
        for low, high in zip(problem.xy.min(0), problem.xy.max(0), strict=True)
    )
    air_x = 0.08 * (x[1] - x[0])
    air_y = 0.08 * (y[1] - y[0])
    return Plot(
        "Variance: larger where models differ",
        names[0],
        names[1] if len(problem.plane) > 1 or problem.regress else "",
        (marks,),
        beside=True,
        x_range=(x[0] - air_x, x[1] + air_x),
        y_range=(y[0] - air_y, y[1] + air_y),
    )


def parts(given: Setting, s: State) -> Bars:
    """Error, bias and variance so far."""
    known = shares(given, s)
    values = np.array(
        [part.mean() if len(part) else 0.0 for part in (known.error, known.bias, known.variance)]
    )
    return Bars(
        "Parts of the error",
        ("error", "bias", "variance"),
        values,
        unit=loss_name(given.problem),
        tag="parts",
    )


def table(given: Setting, s: State) -> Table:
    """The examples with the share of models that differ, and those of this copy in play."""
    problem = given.problem
    known = shares(given, s)
    learnt = None if s.model is None else np.isin(np.arange(problem.n), s.model.rows)
    columns: list[Float] = []
    for part in (known.bias, known.variance):
        column = np.full(problem.n, np.nan)
        column[known.rows] = part
        columns.append(column)
    found = data_table(problem, active=learnt)
    more = tuple(
        TableColumn(Feature(name), column)
        for name, column in zip(("bias", "variance"), columns, strict=True)
    )
    return replace(found, columns=(*found.columns, *more))
