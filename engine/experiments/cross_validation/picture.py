"""The folds as a moving stripe over the rows, the model of the current fold on the plane, the
errors of the folds.
"""

from engine.authoring import Int, Step, np
from engine.base.records import replace
from engine.base.tags import step_tag
from engine.experiments.cross_validation import Setting, State
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import (
    Surfaces,
    beside,
    model_figures,
    model_layers,
    unseen_points,
)
from engine.scene.scene import (
    Bars,
    Boxes,
    Figure,
    Labels,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Table,
    TableColumn,
    data_table,
)
from engine.table.dataset import Feature, Kind

FIELDS = Surfaces()
_EACH = 40  # folds that have a stripe and a bar of their own
_MARKS = 150  # rows that are drawn one by one
_ONE_LINE = 20  # rows that stand side by side


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    tested = step.line == "test"
    out = np.flatnonzero(s.deal == s.fold) if s.fold >= 0 else np.zeros(0, np.intp)
    answers = s.answers[-1] if tested else None
    plane = (*model_layers(s.model, problem), *unseen_points(problem, out, answers))
    figures: tuple[Figure, ...] = (
        folds(given, s),
        *model_figures(s.model),
        *errors(given, s),
        table(given, s),
    )
    return Scene(plane, figures, leads=("Folds", beside(problem, s.model, "Examples")))


def folds(given: Setting, s: State) -> Plot:
    """A plot with a row for each fold: its examples in the order in which they were dealt, wrong
    answers crossed, the fold's error at the right.
    """
    k = given.k
    n = len(given.rows)
    layers: list[Layer] = []
    if k <= _EACH:
        layers += stripes(given, s)
    layers += marks(given, s)
    if k <= _EACH and s.errors.count:
        layers.append(errors_behind(s, 1.03 * n))
    names = tuple((i + 1.0, str(i + 1)) for i in range(k)) if k <= _EACH else ()
    return Plot(
        "Folds",
        "rows, as they were dealt",
        "fold",
        tuple(layers),
        beside=True,
        x_range=(-0.02 * n, 1.16 * n),
        y_range=(0.2, k + 0.8),
        y_ticks=names,
    )


def as_dealt(given: Setting, s: State) -> Int:
    """(m,) the indices of the rows, fold after fold."""
    order = np.argsort(s.deal[given.rows], kind="stable")
    return given.rows[order]


def stripes(given: Setting, s: State) -> list[Layer]:
    """A box around the rows of each fold, that of the present one in ink."""
    k = given.k
    ends = np.searchsorted(s.deal[as_dealt(given, s)], np.arange(k + 1))
    low = np.arange(k) + 0.6
    high = np.arange(k) + 1.4
    bounds = np.column_stack([ends[:-1], low, ends[1:], high]).astype(np.float64)
    none = np.full(k, -1)
    tags = steps_of_folds(given, s)
    layers: list[Layer] = [Boxes(bounds, none, Role.REGION, tag="folds", tags=tags)]
    if s.fold >= 0:
        layers.append(Boxes(bounds[[s.fold]], none[:1], Role.ACTIVE, tag="fold"))
    return layers


def marks(given: Setting, s: State) -> list[Layer]:
    """The rows in their stripes: those tested so far with the answers; a line where they are many.

    Rows of a stripe lie on up to three lines, so that marks do not hide one another.
    """
    problem = given.problem
    rows = as_dealt(given, s)
    n = len(rows)
    each = np.arange(n)
    lines = 1 + (n > _ONE_LINE) + (n > 3 * _ONE_LINE)
    aside = 0.24 * (each % lines - (lines - 1) / 2)
    place = np.column_stack([each + 0.5, s.deal[rows] + 1.0 + aside])
    seen = s.deal[rows] < len(s.errors)
    if problem.regress or n > _MARKS:
        if given.k <= _EACH:
            return []
        return [Polyline(place[seen], Role.BOUNDARY, tag="folds")]
    codes = problem.codes[rows]
    tags = np.array(problem.tags_of(rows.tolist()))
    answers = np.concatenate([*s.answers, np.zeros(0)])
    said = np.nan_to_num(answers, nan=-1).astype(np.intp)
    to_come = Points(place[~seen], codes[~seen], Role.INACTIVE, tags=tuple(tags[~seen]))
    tested = Points(
        place[seen], codes[seen], Role.POINT, said, tag="unseen", tags=tuple(tags[seen])
    )
    return [to_come, tested]


def errors_behind(s: State, x: float) -> Labels:
    """The errors of the tested folds as labels at x, each in the row of its fold."""
    known = [(i, e) for i, e in enumerate(s.errors) if e == e]
    places = np.array([[x, i + 1.0] for i, _ in known])
    return Labels(places, tuple(f"{e:.2f}" for _, e in known), tag="errors")


def errors(given: Setting, s: State) -> tuple[Bars, ...]:
    """The bars of the error of each fold so far; () where there are none, or too many folds."""
    if given.k > _EACH or not len(s.errors):
        return ()
    count = len(s.errors)
    return (
        Bars(
            "Errors, the tick: on the rows learnt from",
            tuple(f"fold {i + 1}" for i in range(count)),
            np.nan_to_num(np.array([*s.errors])),
            tuple(role(s, i) for i in range(count)),
            np.nan_to_num(np.array([*s.train])),
            unit=loss_name(given.problem),
            tag="errors",
            tags=steps_of_folds(given, s)[:count],
        ),
    )


def role(s: State, fold: int) -> Role:
    """The role of a fold's bar: active for the current fold."""
    error = s.errors.values[fold]
    if fold == s.fold:
        return Role.ACTIVE
    return Role.PLAIN if error == error else Role.REJECTED


def steps_of_folds(given: Setting, s: State) -> tuple[str, ...]:
    """For each fold the tag of the step at which it is tested; for a fold not tested, of the step
    at which the others are learnt from.
    """
    refused = [fold for fold, _ in s.refused]
    tested = [fold for fold in range(len(s.errors)) if fold not in refused]
    number = {fold: nth for nth, fold in enumerate(tested)}
    return tuple(
        step_tag("test", number[i]) if i in number else step_tag("learn", i) for i in range(given.k)
    )


def table(given: Setting, s: State) -> Table:
    """The examples with their fold, and the answer to each row of a tested fold."""
    problem = given.problem
    present = s.deal == s.fold
    active = ~present if s.fold >= 0 else None
    current = tuple(np.flatnonzero(present)[:1].tolist())
    examples = data_table(problem, active=active, current=current)
    deal = np.where(s.deal < 0, np.nan, s.deal + 1.0)
    answers = np.full(problem.n, np.nan)
    for i, said in enumerate(s.answers):
        answers[s.deal == i] = np.where(said < 0, np.nan, said) if problem.classes else said
    kind = Feature("answer")
    if problem.classes:
        kind = Feature("answer", Kind.CATEGORICAL, problem.classes)
    columns = (TableColumn(Feature("fold"), deal, digits=0), TableColumn(kind, answers))
    return replace(examples, columns=(*examples.columns, *columns))
