"""The bundle of boundaries, the rows that are left out, and each row's bias and variance."""

from engine.authoring import Float, Int, Step, np
from engine.base.notation import counted, fixed
from engine.base.records import replace
from engine.experiments.bootstrap_spread import Setting, State, shares
from engine.experiments.parts.baselines import baseline_level
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import Surfaces, unseen_points
from engine.numerics.contours import one_polyline
from engine.scene.regression import upright
from engine.scene.scene import (
    Bars,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    data_points,
    data_table,
)
from engine.table.dataset import Feature

FIELDS = Surfaces()
_LARGEST = 3.0  # size of a row that every model calls otherwise, beside one of which all are sure


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures = (parts(given, s), table(given, s))
    if not problem.plane:
        return Scene((), figures, leads=("Parts", "Examples"))
    left_out = np.zeros(0, np.intp)
    if s.model is not None:
        left_out = np.setdiff1d(given.rows, s.model.rows)
    over = step.line == "parts"
    plane = [*bundle(s, over), data_points(problem)]
    if over:
        plane += main_errors(given, s)
    else:
        plane += unseen_points(problem, left_out)
    if step.line == "judge":
        plane += errors_unseen(given, s, left_out)
    return Scene(
        tuple(plane),
        (spread(given, s), *figures),
        leads=("Plane", "Variance"),
        plane=plane_title(given, s, step.line),
    )


def plane_title(given: Setting, s: State, line: str) -> str:
    """The copy that is drawn or learnt, the error so far, at the end its parts."""
    if line in ("judge", "parts"):
        found = shares(given, s)
        if not len(found.rows):
            return "No row is left out so far" if line == "judge" else "No copy could be judged"
        error, bias, variance = (
            fixed(float(part.mean())) for part in (found.error, found.bias, found.variance)
        )
        if line == "judge":
            return f"Unseen rows: error so far {error}"
        if given.problem.regress:
            return f"Error {error} = bias {bias} + variance {variance}"
        return f"Error {error}, bias {bias}, variance {variance}"
    if line != "learn":
        return f"Copy {s.copy + 1} is drawn"
    if s.model is None:
        return f"Copy {s.copy + 1} could not be learnt from"
    there = len(np.unique(s.model.rows))
    out = len(given.rows) - there
    return f"Copy {s.copy + 1}: {counted(there, 'row')} learnt, {out} hollow ones left out"


def main_errors(given: Setting, s: State) -> list[Layer]:
    """The bias of the rows: as lines from the values to the models' mean, or rings round those that
    most models get wrong.
    """
    problem = given.problem
    found = shares(given, s)
    if not problem.regress:
        off = found.bias > 0
        wrong = found.rows[off]
        if not len(wrong):
            return []
        tags = problem.tags_of(wrong.tolist())
        shown = found.main[off].astype(np.intp)
        return [
            Points(
                problem.xy[wrong], problem.codes[wrong], Role.ACTIVE, shown, tag="wrong", tags=tags
            )
        ]
    if not upright(problem) or not len(found.rows):
        return []
    here = problem.xy[found.rows]
    means = np.column_stack([here[:, 0], found.main])
    order = np.argsort(here[:, 0], kind="stable")
    tags = problem.tags_of(found.rows.tolist())
    return [
        Polyline(means[order], Role.BOUNDARY, label="mean", tag="parts"),
        Segments(np.stack([here, means], axis=1), Role.ACTIVE, tag="parts", tags=tags),
    ]


def errors_unseen(given: Setting, s: State, rows: Int) -> list[Layer]:
    """The errors of the last model on the rows that its copy leaves out: as lines from the values
    to what it says, or the wrong ones in rings.
    """
    problem = given.problem
    if s.model is None or not len(rows):
        return []
    said = np.asarray(s.model.says)[rows]
    if not problem.regress:
        wrong = rows[said != problem.codes[rows]]
        if not len(wrong):
            return []
        tags = problem.tags_of(wrong.tolist())
        shown = np.asarray(s.model.says)[wrong].astype(np.intp)
        return [
            Points(
                problem.xy[wrong], problem.codes[wrong], Role.ACTIVE, shown, tag="wrong", tags=tags
            )
        ]
    if not upright(problem):
        return []
    here = problem.xy[rows]
    ends = np.stack([here, np.column_stack([here[:, 0], said])], axis=1)
    return [Segments(ends, Role.ACTIVE, tag="errors", tags=problem.tags_of(rows.tolist()))]


def bundle(s: State, over: bool) -> list[Layer]:
    """The boundaries of all models so far, the last one in ink unless the run is over."""
    layers: list[Layer] = []
    if over and len(s.lines):
        return [Polyline(one_polyline(s.lines[:]), Role.INACTIVE, tag="bundle")]
    if len(s.lines) > 1:
        earlier = one_polyline(s.lines[: len(s.lines) - 1])
        layers.append(Polyline(earlier, Role.INACTIVE, tag="bundle"))
    if len(s.lines) and s.model is not None:
        layers.append(Polyline(s.lines[-1], Role.BOUNDARY, tag="bundle"))
    return layers


def spread(given: Setting, s: State) -> Plot:
    """A plot of the rows: size is the variance of the models' answers, a cross marks rows that most
    models get wrong.
    """
    problem = given.problem
    found = shares(given, s)
    most = float(found.variance.max(initial=0.0)) or 1.0
    main = None if problem.regress else found.main.astype(np.intp)
    marks = Points(
        problem.xy[found.rows],
        problem.codes[found.rows],
        Role.SAMPLE if problem.regress else Role.POINT,
        main,
        0.15 + _LARGEST * found.variance / most,
        tag="parts",
        tags=problem.tags_of(found.rows.tolist()),
    )
    names = [problem.titles[j] for j in problem.plane]
    names.append(problem.target.title if problem.target else "")
    two = len(problem.plane) > 1 or problem.regress
    return Plot(
        "Variance: larger where models differ",
        names[0],
        names[1] if two else "",
        (marks,),
        beside=True,
        x_range=aired(problem.xy[:, 0]),
        y_range=aired(problem.xy[:, 1]),
    )


def aired(values: Float) -> tuple[float, float]:
    """(low, high) of an axis that holds these values with a margin; never empty."""
    low = values.min()
    high = values.max()
    if low == high:
        low -= 1
        high += 1
    air = 0.08 * (high - low)
    return low - air, high + air


def parts(given: Setting, s: State) -> Bars:
    """Bias and variance so far, as means over the rows, and the error that they make; of two
    classes variance is taken away where most models are wrong.
    """
    found = shares(given, s)
    sums = {"bias": found.bias.sum()}
    if given.problem.regress or len(given.problem.classes) > 2:
        sums["variance"] = found.variance.sum()
    else:
        wrong = found.bias > 0
        sums["+ variance where most are right"] = found.variance[~wrong].sum()
        sums["− variance where most are wrong"] = -found.variance[wrong].sum()
    sums["error" if len(given.problem.classes) > 2 else "= error"] = found.error.sum()
    return Bars(
        "Parts of the error",
        tuple(sums),
        np.array([*sums.values()]) / max(1, len(found.rows)),
        unit=loss_name(given.problem),
        tag="parts",
        levels=baseline_level(given.problem),
    )


def table(given: Setting, s: State) -> Table:
    """The examples with a column for bias and one for variance; the rows of this copy are
    active.
    """
    problem = given.problem
    found = shares(given, s)
    columns = []
    for name, part in (("bias", found.bias), ("variance", found.variance)):
        values = np.full(problem.n, np.nan)
        values[found.rows] = part
        columns.append(TableColumn(Feature(name), values))
    learnt = None if s.model is None else np.isin(np.arange(problem.n), s.model.rows)
    examples = data_table(problem, active=learnt)
    return replace(examples, columns=(*examples.columns, *columns))
