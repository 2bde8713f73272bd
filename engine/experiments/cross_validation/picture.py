"""The folds as a moving stripe over the rows, the model of the current fold on the plane, the
errors of the folds.
"""

from engine.authoring import Step, np
from engine.core.dataset import Feature, Kind
from engine.core.records import replace
from engine.core.scene import (
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
from engine.core.tags import step_tag
from engine.experiments.cross_validation import Setting, State
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import (
    Surfaces,
    beside,
    model_figures,
    model_layers,
    unseen_points,
)

FIELDS = Surfaces()
_EACH = 40  # folds that have a stripe and a bar of their own
_MARKS, _ONE_LINE = 150, 20  # rows that are drawn one by one, and side by side


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    tested = step.line == "test"
    out = np.flatnonzero(s.deal == s.fold) if s.fold >= 0 else np.zeros(0, np.intp)
    plane = (
        *model_layers(s.model, problem),
        *unseen_points(problem, out, s.answers[-1] if tested else None),
    )
    own = model_figures(s.model)
    figures: tuple[Figure, ...] = (
        folds(given, s, tested),
        *own,
        *errors(given, s),
        table(given, s, tested),
    )
    return Scene(plane, figures, leads=("Folds", beside(problem, s.model, "Examples")))


def folds(given: Setting, s: State, tested: bool) -> Plot:
    """Every fold a row of the picture, its rows where they were dealt; wrong answers crossed, its
    error behind it.
    """
    k = given.k
    order = np.argsort(s.deal[given.rows], kind="stable")
    rows = given.rows[order]
    n = len(order)
    ends = np.searchsorted(s.deal[rows], np.arange(k + 1))
    layers: list[Layer] = []
    if k <= _EACH:
        bounds = np.column_stack(
            [ends[:-1], np.arange(k) + 0.6, ends[1:], np.arange(k) + 1.4]
        ).astype(np.float64)
        layers.append(
            Boxes(bounds, np.full(k, -1), Role.REGION, tag="folds", tags=steps_of_folds(given, s))
        )
        if s.fold >= 0:
            layers.append(Boxes(bounds[[s.fold]], np.full(1, -1), Role.ACTIVE, tag="fold"))
    done = len(s.errors)
    place = np.column_stack([np.arange(n) + 0.5, s.deal[rows] + 1.0])
    # in a stripe, so that marks do not hide one another
    lines = 1 + (n > _ONE_LINE) + (n > 3 * _ONE_LINE)
    place[:, 1] += 0.24 * (np.arange(n) % lines - (lines - 1) / 2)
    seen = s.deal[rows] < done
    answers = np.concatenate([*s.answers, np.zeros(0)])
    if not given.problem.regress and n <= _MARKS:
        codes = given.problem.codes[rows]
        tags = given.problem.tags_of(rows.tolist())
        told = np.nan_to_num(answers, nan=-1).astype(np.intp)
        layers.append(
            Points(place[~seen], codes[~seen], Role.INACTIVE, tags=tuple(np.array(tags)[~seen]))
        )
        layers.append(
            Points(
                place[seen],
                codes[seen],
                Role.POINT,
                told,
                tag="unseen",
                tags=tuple(np.array(tags)[seen]),
            )
        )
    elif k > _EACH:
        layers.append(Polyline(place[seen], Role.BOUNDARY, tag="folds"))
    known = [i for i in range(done) if s.errors.values[i] == s.errors.values[i]]
    if k <= _EACH and known:
        texts = tuple(f"{s.errors.values[i]:.2f}" for i in known)
        layers.append(
            Labels(
                np.column_stack([np.full(len(known), 1.03 * n), np.array(known) + 1.0]),
                texts,
                tag="errors",
            )
        )
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


def errors(given: Setting, s: State) -> tuple[Bars, ...]:
    """The error of each fold so far."""
    if given.k > _EACH or not len(s.errors):
        return ()
    values = np.nan_to_num(np.array([*s.errors]))
    roles = tuple(
        Role.ACTIVE if i == s.fold else Role.REJECTED if e != e else Role.PLAIN
        for i, e in enumerate(s.errors)
    )
    names = tuple(f"fold {i + 1}" for i in range(len(values)))
    title = "Errors, the tick: on the rows learnt from"
    unit = loss_name(given.problem)
    train = np.nan_to_num(np.array([*s.train]))
    tags = steps_of_folds(given, s)[: len(values)]
    return (Bars(title, names, values, roles, train, unit=unit, tag="errors", tags=tags),)


def steps_of_folds(given: Setting, s: State) -> tuple[str, ...]:
    """Where each fold is tested; of one that could not be learnt, or is to come, where it is
    learnt.
    """
    refused = [fold for fold, _ in s.refused]
    done = range(len(s.errors))
    tested = {fold: nth for nth, fold in enumerate(fold for fold in done if fold not in refused)}
    return tuple(
        step_tag("test", tested[i]) if i in tested else step_tag("learn", i) for i in range(given.k)
    )


def table(given: Setting, s: State, tested: bool) -> Table:
    """The examples with their folds, and the answers of those that were tested."""
    problem = given.problem
    out = s.deal == s.fold
    found = data_table(
        problem,
        active=~out if s.fold >= 0 else None,
        current=tuple(np.flatnonzero(out)[:1].tolist()),
    )
    deal = TableColumn(Feature("fold"), np.where(s.deal < 0, np.nan, s.deal + 1.0), digits=0)
    answers = np.full(problem.n, np.nan)
    for i, told in enumerate(s.answers):
        answers[s.deal == i] = np.where(told < 0, np.nan, told) if problem.classes else told
    kind = (
        Feature("answer", Kind.CATEGORICAL, problem.classes)
        if problem.classes
        else Feature("answer")
    )
    return replace(found, columns=(*found.columns, deal, TableColumn(kind, answers)))
