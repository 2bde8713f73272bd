"""The folds as a moving stripe over the rows, the model of the current fold on the plane, the
errors of the folds.
"""

from engine.authoring import Int, Step, np
from engine.base.records import replace
from engine.experiments.cross_validation import Setting, State
from engine.experiments.cross_validation.stripes import EACH, answered, steps_of_folds, stripes
from engine.experiments.parts.baselines import baseline_level
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import (
    Surfaces,
    model_figures,
    model_layers,
    unseen_points,
)
from engine.scene.scene import (
    Bars,
    Figure,
    Layer,
    Points,
    Role,
    Scene,
    Table,
    TableColumn,
    data_table,
)
from engine.scene.views import PLANE
from engine.table.dataset import Feature, Kind

FIELDS = Surfaces()
RINGED = 200  # rows of a fold that have a ring


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    tested = step.line == "test"
    out = np.flatnonzero(s.deal == s.fold) if s.fold >= 0 else np.zeros(0, np.intp)
    answers = s.answers[-1] if tested else None
    plane = (
        *model_layers(s.model, problem),
        *rings(given, s, out),
        *unseen_points(problem, out, answers),
    )
    figures: tuple[Figure, ...] = (
        stripes(given, s, step.line),
        *model_figures(s.model),
        *errors(given, s),
        table(given, s),
    )
    return Scene(plane, figures, leads=("Folds", PLANE if problem.plane else "Errors"))


def rings(given: Setting, s: State, out: Int) -> tuple[Layer, ...]:
    """A ring round each row of the fold that is left out."""
    problem = given.problem
    if not problem.plane or not len(out) or len(out) > RINGED:
        return ()
    none = np.full(len(out), -1)
    tags = problem.tags_of(out)
    return (Points(problem.xy[out], none, Role.NEIGHBOUR, tag="fold", tags=tags),)


def errors(given: Setting, s: State) -> tuple[Bars, ...]:
    """The bars of the error of each fold so far; () where there are none, or too many folds."""
    if given.k > EACH or not len(s.errors):
        return ()
    count = len(s.errors)
    return (
        Bars(
            "Errors of the folds",
            tuple(f"fold {i + 1}" for i in range(count)),
            np.nan_to_num(np.array([*s.errors])),
            tuple(role(s, i) for i in range(count)),
            np.nan_to_num(np.array([*s.train])),
            unit=loss_name(given.problem),
            ticks="on the rows learnt from",
            tag="errors",
            tags=steps_of_folds(given, s)[:count],
            levels=levels(given, s),
            checked=False,
        ),
    )


def levels(given: Setting, s: State) -> tuple[tuple[float, str], ...]:
    """(error, name) of the mean of the folds and of the baseline."""
    mean = ((s.errors.mean, f"mean {s.errors.mean:.2f}"),) if s.errors.count else ()
    return (*mean, *baseline_level(given.problem))


def role(s: State, fold: int) -> Role:
    """The role of a fold's bar: active for the current fold."""
    error = s.errors.values[fold]
    if fold == s.fold:
        return Role.ACTIVE
    return Role.PLAIN if error == error else Role.REJECTED


def table(given: Setting, s: State) -> Table:
    """The examples with their fold, and the answer to each row of a tested fold."""
    problem = given.problem
    present = s.deal == s.fold
    active = ~present if s.fold >= 0 else None
    current = tuple(np.flatnonzero(present)[:1].tolist())
    examples = data_table(problem, active=active, current=current)
    deal = np.where(s.deal < 0, np.nan, s.deal + 1.0)
    answers = answered(given, s)
    kind = Feature("answer")
    if problem.classes:
        kind = Feature("answer", Kind.CATEGORICAL, problem.classes)
    columns = (TableColumn(Feature("fold"), deal, digits=0), TableColumn(kind, answers))
    return replace(examples, columns=(*examples.columns, *columns))
