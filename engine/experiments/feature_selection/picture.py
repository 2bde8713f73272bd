"""errV by the number of columns, and a table of the columns that were tried, round by round; at
first the folds, at the end what is learnt with the columns that are kept.
"""

from functools import partial

from engine.authoring import Float, Step, frozen, np
from engine.base.notation import MINUS, counted, number
from engine.base.tags import column_tag, joined, step_tags
from engine.experiments.feature_selection import Setting, State, predict
from engine.experiments.feature_selection.words import named as sentence
from engine.experiments.parts.columns import in_order
from engine.experiments.parts.curves import upwards
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import model_figures
from engine.scene.figures import TableColumn, text_column
from engine.scene.layers import NO_GROUP, Field, Layer, Points, Polyline, Role
from engine.scene.regression import curve_layers
from engine.scene.scene import (
    Bars,
    Figure,
    Plot,
    Scene,
    Table,
    data_points,
    data_table,
)
from engine.scene.views import PLANE, short_names
from engine.table.dataset import Feature

NAMED = 8  # numbers of columns, up to which the names stand at the axis
BEYOND = 4  # columns, by which the axis grows
FOLDS = 40  # that have a bar each


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    plane: tuple[Layer, ...] = ()
    if given.problem.plane:
        plane = (*learnt_layers(given, s), data_points(given.problem))
    first: Figure = curve(given, step)
    if step.line == "deal" and given.k <= FOLDS:
        first = folds(given, s)
    second: tuple[Figure, ...] = (tried(given, s),)
    leads = tuple(short_names([first.title, second[0].title]))
    heading = ""
    if s.model is not None:
        heading = f"{given.learner.name} with {sentence(given, s.columns)}"
        second = model_figures(s.model)
        on_plane = {*s.columns} <= {*given.problem.plane}
        learnt = PLANE if given.problem.plane and (on_plane or not second) else ""
        if second and not learnt:
            learnt = short_names([second[0].title])[0]
        leads = (leads[0], learnt) if learnt else leads
        second = second if learnt else (tried(given, s),)
    figures = (first, *second, data_table(given.problem))
    return Scene(plane, figures, leads=leads, plane=heading)


def learnt_layers(given: Setting, s: State) -> list[Layer]:
    """What is learnt at the end: the surface of the classes, or the values as a curve or as level
    lines; [] before.
    """
    if s.model is None:
        return []
    if given.problem.regress:
        return curve_layers(given.problem, partial(predict, given, s), tag="S")
    return [Field("class", boundary=True)]


def folds(given: Setting, s: State) -> Bars:
    """A bar for each fold with its number of rows."""
    rows = np.bincount(s.deal[s.deal >= 0], minlength=given.k)
    return Bars(
        f"Folds: {counted(len(given.rows), 'row')} dealt into {given.k}",
        tuple(f"fold {i + 1}" for i in range(given.k)),
        frozen(rows, np.float64),
        unit="rows",
        digits=0,
        beside=True,
        tags=tuple(
            joined(*given.problem.tags_of(np.flatnonzero(s.deal == i))) for i in range(given.k)
        ),
    )


def heading_of(given: Setting, step: Step[State]) -> str:
    """The title of the curve, with what this step does."""
    s = step.state
    error = number(s.error)
    columns = f"{len(s.columns)} of {counted(given.problem.d, 'column')}"
    said = ""
    match step.line:
        case "deal":
            said = f"{counted(len(given.rows), 'row')} dealt into {given.k} folds"
        case "start":
            said = f"no column, errV {error}" if not s.columns else f"all columns, errV {error}"
        case "look":
            said = f"is {named(given, s.column)} better?"
        case "test" if np.isnan(s.tried[s.column]):
            said = f"{named(given, s.column)} cannot be learnt from"
        case "test":
            said = f"{named(given, s.column)} gives {number(s.tried[s.column])}, instead of {error}"
        case "take":
            said = f"{named(given, s.column)} is taken, {number(s.rounds[-2].error)} → {error}"
        case "stop":
            said = f"stop with {columns}, errV {error}"
        case "learn":
            said = f"errV {error} with {columns}"
    return f"Error by columns: {said}" if said else "Error by columns"


def curve(given: Setting, step: Step[State]) -> Plot:
    """A plot of errV over the number of columns in S, with a dot for each column that is tried."""
    s = step.state
    rounds = list(s.rounds)
    sizes = np.array([len(each.columns) for each in rounds], np.float64)
    errors = np.array([each.error for each in rounds])
    known = s.tried[~np.isnan(s.tried)]
    high = upwards(given.problem, float(np.max([*errors, *known], initial=0.0)))
    last = len(rounds[-1].columns) if rounds else 0
    if s.column >= 0 and rounds and s.column == rounds[-1].taken:  # the round is done
        last -= 1 if given.forward else -1
    now = last + (1 if given.forward else -1)
    dots = np.column_stack([np.full(len(known), now), known])
    none = np.full(len(rounds), NO_GROUP)
    at_hand = s.column >= 0 and not np.isnan(s.tried[s.column])
    active = np.array([[now, s.tried[s.column]]]) if at_hand else np.zeros((0, 2))
    xy = np.column_stack([sizes, errors])
    kept = xy[sizes == len(s.columns)]
    layers: list[Layer] = [
        Polyline(xy, Role.BOUNDARY, tag="S"),
        Points(dots, np.full(len(dots), NO_GROUP), Role.SAMPLE, tag="tried"),
        Points(xy, none, Role.PLAIN, tag="S", tags=step_tags_of(given, s)),
        Points(
            active,
            np.full(len(active), NO_GROUP),
            Role.ACTIVE,
            label=(named(given, s.column),) * len(active),
            tag="tried",
        ),
    ]
    done = step.line in ("stop", "learn")
    if done or not at_hand:
        role = Role.ACTIVE if step.line in ("start", "stop") else Role.PLAIN
        texts = ("errV of S",) * len(kept)
        layers.append(Points(kept, np.full(len(kept), NO_GROUP), role, label=texts, tag="S"))
        if done and len(known) and np.nanargmin(s.tried) != rounds[-1].taken:
            best = int(np.nanargmin(s.tried))  # of the round that made nothing better
            texts = (named(given, best),)
            place = np.array([[now, s.tried[best]]])
            layers.append(Points(place, none[:1], Role.SAMPLE, label=texts, tag="tried"))
    end = most(given, s)
    return Plot(
        heading_of(given, step),
        "columns in S",
        loss_name(given.problem),
        tuple(layers),
        beside=True,
        x_range=(-0.06 * end, 1.2 * end),
        y_range=(-0.08 * high, 1.08 * high),
        x_ticks=ticks(given, s),
    )


def named(given: Setting, column: int) -> str:
    """A column that is tried: “+ Patrons”. Its errV stands in words; a picture with it would tell
    the answer where a person predicts.
    """
    sign = "+" if given.forward else MINUS
    return f"{sign} {given.problem.titles[column]}"


def step_tags_of(given: Setting, s: State) -> tuple[str, ...]:
    """The tag of the step of each round: the start, then every column that was taken."""
    return (*step_tags("start", 1), *step_tags("take", max(0, len(s.rounds) - 1)))[: len(s.rounds)]


def most(given: Setting, s: State) -> int:
    """The number of columns at which the axis ends: where S grows, a little beyond the columns that
    it has so far; else d.
    """
    d = given.problem.d
    if not given.forward:
        return d
    reached = max((len(each.columns) for each in s.rounds), default=0)
    return min(d, BEYOND * (1 + reached // BEYOND))


def ticks(given: Setting, s: State) -> tuple[tuple[float, str], ...]:
    """(place, text) of the axis: the number of columns, with the name of the one that came."""
    end = most(given, s)
    if end > NAMED or not given.forward:
        return tuple((float(m), str(m)) for m in range(0, end + 1, max(1, end // 8)))
    titles = given.problem.titles
    names = {len(each.columns): titles[each.taken] for each in list(s.rounds)[1:]}
    return tuple((float(m), f"{m}: {names[m]}" if m in names else str(m)) for m in range(end + 1))


def known_texts(values: Float, digits: int) -> list[str]:
    """Numbers as texts; a dash for those that are not known."""
    return ["–" if value != value else f"{value:.{digits}f}" for value in values.tolist()]


def tried(given: Setting, s: State) -> Table:
    """A table with a row for each column of the data, and errV of each round in which it was
    tried.
    """
    problem = given.problem
    chosen = s.columns if given.forward else ()
    kept = np.isin(np.arange(problem.d), s.columns)
    if given.forward:
        order = in_order(chosen, problem.d)
    else:
        order = in_order([each.taken for each in list(s.rounds)[1:]], problem.d)
    columns = [
        text_column("column", problem.titles),
        text_column("came" if given.forward else "left", known_texts(order, 0)),
    ]
    rounds = [each.tried for each in list(s.rounds)[1:]]
    open_round = s.column >= 0 and (not rounds or rounds[-1] is not s.tried)
    if open_round or (not rounds and not np.isnan(s.tried).all()):
        rounds.append(s.tried)
    first = 0 if given.forward else problem.d
    way = 1 if given.forward else -1
    for i, errors in enumerate(rounds, 1):
        title = f"errV, {counted(first + way * i, 'column')}"
        columns.append(TableColumn(Feature(title), frozen(errors.copy()), digits=3))
    return Table(
        "Columns tried",
        columns=columns,
        names=problem.titles,
        active=kept,
        current=(s.column,) if s.column >= 0 else (),
        tag="tried",
        tags=tuple(column_tag(f.name) for f in problem.features),
    )
