"""errV by the number of columns, and a table of the columns that were tried, round by round."""

from engine.authoring import Float, Step, frozen, np
from engine.base.notation import MINUS, counted
from engine.base.tags import column_tag, step_tags
from engine.experiments.feature_selection import Setting, State
from engine.experiments.parts.columns import in_order
from engine.experiments.parts.curves import upwards
from engine.experiments.parts.loss import loss_name
from engine.scene.figures import TableColumn, text_column
from engine.scene.layers import NO_GROUP, Field, Layer, Points, Polyline, Role
from engine.scene.scene import (
    Plot,
    Scene,
    Table,
    data_points,
    data_table,
)
from engine.table.dataset import Feature

NAMED = 8  # numbers of columns, up to which the names stand at the axis
BEYOND = 4  # columns, by which the axis grows


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    plane: tuple[Layer, ...] = ()
    if given.problem.plane:
        surface = (
            () if s.model is None or given.problem.regress else (Field("class", boundary=True),)
        )
        plane = (*surface, data_points(given.problem))
    own = (curve(given, s), tried(given, s))
    return Scene(plane, (*own, data_table(given.problem)), leads=(own[0].title, own[1].title))


def curve(given: Setting, s: State) -> Plot:
    """A plot of errV over the number of columns in S, with a dot for each column that is tried."""
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
    done = s.model is not None
    if done or not at_hand:
        role = Role.ACTIVE if done else Role.PLAIN
        texts = ("errV of S",) * len(kept)
        layers.append(Points(kept, np.full(len(kept), NO_GROUP), role, label=texts, tag="S"))
        if done and len(known) and np.nanargmin(s.tried) != rounds[-1].taken:
            best = int(np.nanargmin(s.tried))  # of the round that made nothing better
            texts = (named(given, best),)
            place = np.array([[now, s.tried[best]]])
            layers.append(Points(place, none[:1], Role.SAMPLE, label=texts, tag="tried"))
    end = most(given, s)
    return Plot(
        "Error by columns",
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
