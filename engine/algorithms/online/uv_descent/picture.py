"""M beside U V, row by row: V above the product and U at its left; and what the product says of the
entries that were not learnt.
"""

from engine.algorithms.online.uv_descent import Setting, State
from engine.algorithms.online.uv_descent.entries import rmse
from engine.authoring import Float, Int, Step, np
from engine.base.notation import change_digits, number, subscript
from engine.base.tags import joined
from engine.scene.figures import text_column
from engine.scene.scene import (
    NO_GROUP,
    Arrows,
    Block,
    Blocks,
    Figure,
    Labels,
    Layer,
    Matrix,
    Plot,
    Points,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
)
from engine.table.dataset import Feature

APART = 1.5  # cells between M and U
NEAR = 0.25  # between U and the product
BELOW = 1.5  # cells between M and what was not learnt, and from the left
MOST_ROWS = 15  # of a table below which there is room for them
NOTES = (("held out: known, but not learnt from", Role.HELD_OUT), ("missing", Role.GHOST))
LISTED = 200  # entries of each kind in the table
MOST_DOTS = 1000
PILES = 24  # of dots, at most, along the axis


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    learnt = given.learnt(s)
    figures: tuple[Figure, ...] = (
        decomposition(given, step),
        *not_learnt(given, s),
        errors(given, step, learnt),
        grid(given, s, "Differences: M − U V", learnt, given.errors(s.U, s.V, learnt)),
    )
    layers: tuple[Layer, ...] = ()
    if problem.plane:
        drawn = np.flatnonzero(~np.isnan(problem.xy).any(axis=1))
        if len(drawn):
            no_class = np.full(len(drawn), NO_GROUP)
            layers = (Points(problem.xy[drawn], no_class, Role.SAMPLE, tag="data"),)
    return Scene(layers, figures, leads=("Factors",))


def decomposition(given: Setting, step: Step[State]) -> Blocks:
    """M, and on the same rows U and its product with V, which stands above; the row, the column and
    the entry of the step in amber frames.
    """
    s = step.state
    problem = given.problem
    n, d = problem.X.shape
    r = given.p.rank
    with np.errstate(all="ignore"):  # of numbers that run away
        product = s.U @ s.V
    row, column = s.place if s.current >= 0 else (0, 0)
    entry = ((row, column, 1, 1),) if s.current >= 0 else ()
    moved = s.current >= 0 and step.line != "look"
    start = step.line == "start"
    held = np.zeros((n, d), bool)
    held.flat[s.held] = True
    missing = np.isnan(problem.X)
    low = r + NEAR
    at_u = d + APART
    at_v = at_u + r + NEAR
    names = tuple(problem.names)
    titles = problem.titles
    rows = tuple(problem.row_tags)
    columns = problem.column_tags
    factors = given.factors
    u = tuple(f"u{subscript(k + 1)}" for k in range(r))
    v = tuple(f"v{subscript(k + 1)}" for k in range(r))
    m = given.entries[given.known]
    digits = 0 if np.array_equal(m, np.round(m)) else 1
    known = Block(
        "M: what is known", low, 0, problem.X, names, titles, digits, frames=entry, held=held,
        missing=missing, row_tags=rows, column_tags=columns,
    )  # fmt: skip
    left = Block(
        "", low, at_u, finite(s.U), names, u, 2, "plain",
        frames=((0, 0, n, r),) * start + ((row, 0, 1, r),) * moved,
        row_tags=rows, column_tags=factors,
    )  # fmt: skip
    above = Block(
        "U V: made to be like M", 0, at_v, finite(s.V), v, titles, 2, "plain",
        frames=((0, 0, r, d),) * start + ((0, column, r, 1),) * moved,
        row_tags=factors, column_tags=columns,
    )  # fmt: skip
    made = Block(
        "", low, at_v, finite(product), (), (), 1, frames=entry, held=held, missing=missing,
        row_tags=rows, column_tags=columns,
    )  # fmt: skip
    notes = tuple(note for note, some in zip(NOTES, (held, missing), strict=True) if some.any())
    sign = (low + n / 2 - 0.5, d, "≈")
    below: tuple[Block, ...] = ()
    if n <= MOST_ROWS:
        below = (
            *foretold(given, s, low + n, at_v),
            root_errors(given, step, low + n, at_v),
            *entry_error(given, step, low + n, at_v + 3),
        )
    return Blocks(f"Factors: {heading(step)}", (known, left, above, made, *below), (sign,), notes)


def heading(step: Step[State]) -> str:
    """What a step is about that no entry shows: the start, a round; else what the figure is."""
    s = step.state
    if step.line == "start":
        return "U and V begin with drawn numbers"
    if step.line == "round":
        return f"round {s.round} begins"
    if step.line == "until":
        if "diverged" in step.events:
            return f"diverged in round {s.round}"
        before = float(step.details["before"])
        digits = change_digits([before], [s.rmse])
        rmse = f"RMSE {number(before, digits)} → {number(s.rmse, digits)}"
        return f"{'settled ' * ('settled' in step.events)}after round {s.round}, {rmse}"
    return "M ≈ U V"


def root_errors(given: Setting, step: Step[State], row: float, column: float) -> Block:
    """The grid of the RMSE of the entries that were learnt, after a round with the former one, and
    of the held-out ones, if any.
    """
    s = step.state
    learnt = rmse(given.errors(s.U, s.V, given.learnt(s)))
    known = [("learnt", learnt, "rmse")]
    over = step.line == "until"
    if over:
        known = [("before", step.details["before"], "rmse"), ("after", learnt, "rmse")]
    if len(s.held):
        known.append(("held out", rmse(given.errors(s.U, s.V, s.held)), "test"))
    shown = [(name, value, tag) for name, value, tag in known if np.isfinite(value)]
    names = tuple(name for name, _, _ in shown)
    return Block(
        "RMSE √(mean e²)",
        row + BELOW,
        column,
        np.array([[value for _, value, _ in shown]]).reshape(1, -1),
        column_labels=names,
        digits=max(2, change_digits([step.details["before"]], [learnt]) - 1) if over else 2,
        look="plain",
        frames=((0, 0, 1, 2),) if names[:2] == ("before", "after") else (),
        column_tags=tuple(tag for _, _, tag in shown),
    )


def entry_error(given: Setting, step: Step[State], row: float, column: float) -> list[Block]:
    """The grid of the error of the entry that the step is about, after a move beside the former
    one; [] where it is not known yet.
    """
    s = step.state
    if step.line not in ("error", "move"):
        return []
    e = float(step.details["e"])
    known = [("e", e)]
    if step.line == "move":
        after = float(finite(given.errors(s.U, s.V, np.array([s.current])))[0])
        known = [("before", e), ("after", after)]
    i, j = s.place
    return [
        Block(
            f"Error of {given.problem.names[i]}, {given.problem.titles[j]}",
            row + BELOW,
            column,
            np.array([[value for _, value in known]]),
            column_labels=tuple(name for name, _ in known),
            look="plain",
            frames=((0, len(known) - 1, 1, 1),),
            column_tags=(joined(given.problem.row_tags[i], given.problem.column_tags[j]),)
            * len(known),
        )
    ]


def foretold(given: Setting, s: State, row: float, end: float) -> list[Block]:
    """The grid, below `row` and before column `end`, of entries that were not learnt, one in each
    column: what is true, what U V says, the error; of missing ones alone what U V says; [] without
    any.
    """
    problem = given.problem
    missing = np.flatnonzero(np.isnan(given.entries))
    places = np.concatenate([s.held, missing])[: int(end - BELOW - APART / 2)]
    if not len(places):
        return []
    m, said = compared(given, s, places)
    pairs = [divmod(place, problem.d) for place in places.tolist()]
    unknown = np.isnan(m)
    none = np.zeros(len(places), bool)
    some = [0, 1, 2] if len(s.held) else [1]
    return [
        Block(
            "Not learnt: what U V says of them",
            row + BELOW,
            BELOW,
            np.array([m, said, m - said])[some],
            tuple(("true m", "U V says", "error")[k] for k in some),
            tuple(f"{problem.names[i]}, {problem.titles[j]}" for i, j in pairs),
            look="plain",
            held=np.stack([~unknown, none, none])[some],
            missing=np.stack([unknown, none, none])[some],
            column_tags=tuple(
                joined(problem.row_tags[i], problem.column_tags[j]) for i, j in pairs
            ),
        )
    ]


def compared(given: Setting, s: State, places: Int) -> tuple[Float, Float]:
    """(m (k,), what U V says (k,)) of the entries at these places; NaN where it is not known."""
    rows, columns = np.divmod(places, given.problem.d)
    with np.errstate(all="ignore"):  # of numbers that run away
        said = (s.U[rows] * s.V.T[columns]).sum(axis=1)
    return given.entries[places], finite(said)


def finite(numbers: Float) -> Float:
    """The numbers, NaN for those beyond all numbers."""
    return np.where(np.isfinite(numbers), numbers, np.nan)


def errors(given: Setting, step: Step[State], learnt: Int) -> Plot:
    """The error of every known entry as a dot over one axis, held-out ones hollow, the entry of the
    step in amber, with an arrow from where it was before it moved.
    """
    s = step.state
    if len(learnt) > MOST_DOTS:  # a fair part of them, and the current one
        some = learnt[:: -(-len(learnt) // MOST_DOTS)]
        mine = learnt[learnt == s.current]
        learnt = np.concatenate([some[some != s.current], mine])
    ours = given.errors(s.U, s.V, learnt)
    theirs = given.errors(s.U, s.V, s.held)
    every = finite(np.concatenate([ours, theirs]))
    seen = np.isfinite(every)
    every = every[seen]
    before = float(step.details.get("e", np.nan)) if step.line == "move" else np.nan
    reach = float(np.abs(np.append(every, before if before == before else 0.0)).max(initial=0.1))
    piles = np.round(every / (2 * reach) * PILES)
    order = np.argsort(piles, kind="stable")
    height = np.zeros(len(every))
    start = np.searchsorted(piles[order], piles[order])
    height[order] = np.arange(len(every)) - start + 0.5
    xy = np.column_stack([piles / PILES * 2 * reach, height])
    out = np.arange(len(learnt) + len(s.held))[seen] >= len(learnt)
    none = np.full(len(xy), NO_GROUP)
    layers: list[Layer] = [
        Points(xy[~out], none[~out], Role.POINT, tag="rmse"),
        Points(xy[out], none[out], Role.HELD_OUT, tag="test"),
    ]
    if s.current >= 0 and s.current in learnt:
        now = np.flatnonzero(np.concatenate([learnt, s.held])[seen] == s.current)
        layers.append(Points(xy[now], none[now], Role.ACTIVE, tag="entry"))
        if before == before and len(now):
            end = xy[now]
            start_at = np.array([[before, end[0, 1]]])
            layers.append(Arrows(start_at, end, Role.ACTIVE, tag="entry"))
    top = max(12.0, float(height.max(initial=1.0)) + 2.0)
    sides = np.array([[-0.6 * reach, 0.94 * top], [0.6 * reach, 0.94 * top]])
    layers.append(Labels(sides, ("U V says too much", "U V says too little"), Role.GHOST))
    layers.insert(0, Segments(np.array([[[0.0, 0.0], [0.0, top]]]), Role.SAMPLE))
    return Plot(
        "Errors: m − u · v of every known entry",
        "m − u · v",
        "",
        tuple(layers),
        beside=True,
        x_range=(-1.15 * reach, 1.15 * reach),
        y_range=(0.0, top),
        y_ticks=((0.0, ""),),
    )


def grid(given: Setting, s: State, title: str, places: Int, values: Float) -> Matrix:
    """A matrix figure of numbers at some places of the table, empty elsewhere."""
    problem = given.problem
    cells = np.full(problem.X.shape, np.nan)
    cells.flat[places] = np.where(np.isfinite(values), values, np.nan)
    return Matrix(
        title,
        tuple(problem.names),
        problem.titles,
        cells,
        (s.place,) if s.current >= 0 else (),
        row_tags=tuple(problem.row_tags),
        column_tags=problem.column_tags,
    )


def not_learnt(given: Setting, s: State) -> list[Table]:
    """A table of the entries that were not learnt, held-out ones and then missing ones: what is
    true, what U V says, the error; [] without any.
    """
    problem = given.problem
    missing = np.flatnonzero(np.isnan(given.entries))[:LISTED]
    listed = np.concatenate([s.held[:LISTED], missing])
    if not len(listed):
        return []
    m, said = compared(given, s, listed)
    pairs = [divmod(place, problem.d) for place in listed.tolist()]
    names = [f"{problem.names[i]}, {problem.titles[j]}" for i, j in pairs]
    tags = tuple(joined(problem.row_tags[i], problem.column_tags[j]) for i, j in pairs)
    kinds = ["held out" if value == value else "missing" for value in m.tolist()]
    shown = (
        text_column("entry", names),
        text_column("", kinds),
        TableColumn(Feature("true m"), m),
        TableColumn(Feature("U V says"), said),
        TableColumn(Feature("error"), m - said),
    )
    return [Table("Not learnt: entries that U V never saw", shown, tuple(names), tags=tags)]
