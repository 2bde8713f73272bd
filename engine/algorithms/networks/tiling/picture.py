"""The lines of the first layer and the tiles between them, what the output makes of them, the
network as it grows.
"""

from itertools import pairwise

from engine.algorithms.networks.parts.figures import MOST_LINES, unit_line, unit_tag
from engine.algorithms.networks.parts.pictures import FIELDS as OF_OUTPUT
from engine.algorithms.networks.tiling import Setting, State
from engine.authoring import Bool, Float, Grid, Lazy, Step, frozen, np, replace
from engine.base.notation import counted, subscript
from engine.base.tags import class_tags, joined
from engine.scene.scene import (
    Field,
    Figure,
    Layer,
    Matrix,
    Network,
    Points,
    Role,
    Scene,
    Table,
    TableColumn,
    data_points,
    data_table,
)
from engine.scene.views import PREDICTED
from engine.table.dataset import Feature

TILED = ("tile", "part", "layer", "learn")  # lines whose picture is of tiles, not of classes
LEARNS = ("learn", "first", "part")
MOST_TILES = 24


def tile_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the purity of the tiles: 1 all first class, −1 all second, 0 half and half; NaN for
    a tile without examples.
    """
    tiles = given.tiles(s)
    examples = given.problem.X[[tile.rows[0] for tile in tiles]]
    places = given.problem.from_plane(grid.points())
    fired = given.forward(s.weights, np.vstack([places, examples]))[-1] > 0
    number = given.tile_of(fired)
    share = np.full(number.max() + 1, np.nan)
    for k, tile in zip(number[len(places) :], tiles, strict=True):
        positive, negative = tile.counts
        share[k] = (positive - negative) / len(tile.rows)
    return np.asarray(share[number[: len(places)]].reshape(grid.shape))


FIELDS = {**OF_OUTPUT, "tiles": tile_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    figures: tuple[Figure, ...] = (
        network_figure(given, step),
        tile_matrix(given, step.line, s),
        answer_table(given, s),
    )
    if not problem.plane:
        return Scene((), figures)
    fewest = 1 if step.line == "tile" else 2  # units of a layer whose tiles are shown
    tiled = step.line in TILED and s.weights[-1].shape[1] >= fewest
    layers: list[Layer] = [Field("tiles") if tiled else Field("class", boundary=True)]
    layers += lines(given, s, step.line)
    layers.append(data_points(problem, given.predict(s, problem.X)))
    if tiled and step.line != "layer":
        rows = s.group
        layers.append(Points(problem.xy[rows], problem.codes[rows], Role.CANDIDATE, tag="group"))
    title = ""
    if step.line == "until":
        layers += wrong_points(given, s)
        judged = given.p.stop == "all right"
        title = f"{PREDICTED}: {s.errors or 'none'} wrong" if judged else ""
    return Scene(tuple(layers), figures, leads=("Network", "Plane"), plane=title)


def wrong_points(given: Setting, s: State) -> list[Layer]:
    """The examples that the output gets wrong, in amber; [] for none."""
    problem = given.problem
    shown = given.predict(s, problem.X)
    rows = np.flatnonzero((shown != problem.codes) & problem.labelled)
    if not len(rows):
        return []
    tags = problem.tags_of(rows)
    return [Points(problem.xy[rows], problem.codes[rows], Role.ACTIVE, shown[rows], tags=tags)]


def lines(given: Setting, s: State, line: str) -> list[Layer]:
    """The lines of the first layer's units, the one being learnt darker."""
    names = unit_names(s)[1]
    learns = len(s.weights) == 1 and line in LEARNS
    columns = s.weights[0].T
    layers = list[Layer]()
    for j in range(len(columns))[-MOST_LINES:]:
        w = columns[j]
        last = j == len(columns) - 1
        role = Role.BOUNDARY if learns and last else Role.CANDIDATE
        if w[:-1].any():
            layers += unit_line(given.problem, w, w, names[j], unit_tag(1, j), role)
    return layers


def unit_names(s: State) -> tuple[tuple[str, ...], ...]:
    """The names of the units layer by layer: the inputs x₁, …, then units numbered in order of
    creation.
    """
    layers = [tuple(f"x{subscript(k + 1)}" for k in range(len(s.weights[0]) - 1))]
    ends = np.cumsum([0, *(w.shape[1] for w in s.weights)]).tolist()
    for first, end in pairwise(ends):
        layers.append(tuple(f"u{subscript(k + 1)}" for k in range(first, end)))
    return tuple(layers)


def heading(given: Setting, step: Step[State]) -> str:
    """What happens at a line, in a few words."""
    s, line = step.state, step.line
    unit = unit_names(s)[-1][-1]
    of = f"{s.right} of {len(s.group)}"
    grown = f"grown to {counted(s.units, 'unit')}, the end"
    if line == "tile":
        counts = next(t.counts for t in given.mixed(s) if np.array_equal(t.rows, s.group))
        return f"a mixed tile, ringed: {counts[0]} against {counts[1]}"
    return {
        "init": "w = 0, fires everywhere",
        "learn": f"{unit} learns, {of} right",
        "first": f"{unit} right on {of}, threshold in the gap",
        "part": f"{unit} parts the tile, {of} right",
        "layer": f"{unit} looks at the units before it",
        "until": grown if line == "until" and step.details["ends"] else "units are added",
    }.get(line, "")


def network_figure(given: Setting, step: Step[State]) -> Network:
    """The network, without numbers in its units as no example is put in; while the last unit is at
    work its links are amber, where only its threshold moves that one. Where units are added next
    the place of the first of them, dotted and without links, is amber; at the end the unit that
    answers.
    """
    s, line = step.state, step.line
    gap = len(s.weights) - 1
    link = len(s.weights[-1]) - 1 if line == "first" else -1  # the bias, or all links
    last = (gap, link, s.weights[-1].shape[1] - 1)
    active = (last,) if line in (*LEARNS, "layer") else ()
    weights = s.weights
    removed: tuple[Bool, ...] = ()
    current: tuple[tuple[int, int], ...] = ()
    names = tuple(f.title for f in given.problem.features)
    _, *hidden, outputs = unit_names(s)
    if line == "until" and step.details["ends"]:
        current = ((gap + 1, 0),)  # the unit whose answers are counted
    elif line == "until" and given.mixed(s):
        weights = (*weights[:-1], frozen(np.pad(weights[-1], ((0, 0), (0, 1)))))
        none = [np.zeros(w.shape, bool) for w in weights]
        none[-1][:, -1] = True
        removed = tuple(map(frozen, none))
        current = ((gap + 1, weights[-1].shape[1] - 1),)
        outputs = (*outputs, f"u{subscript(s.units + 1)}, next")
    sizes = (len(weights[0]) - 1, *(w.shape[1] for w in weights))
    said = heading(given, step)
    return Network(
        f"Network: {said}" if said else "Network",
        tuple(np.full(size, np.nan) for size in sizes),
        weights,
        active=active,
        names=names,
        outputs=outputs,
        hidden=tuple(hidden),
        removed=removed,
        current=current,
    )


def tile_matrix(given: Setting, line: str, s: State) -> Matrix:
    """A matrix of the examples of both classes in each tile; amber the tile whose unit learns."""
    problem = given.problem
    tiles = given.tiles(s)[:MOST_TILES]
    values = frozen(np.array([tile.counts for tile in tiles], np.float64))
    rows = tuple(tile.name for tile in tiles)
    classes = tuple(map(problem.class_text, (0, 1)))
    active = list[tuple[int, int]]()
    if line == "tile":
        group = set(s.group.tolist())
        for k, tile in enumerate(tiles):
            if group == set(tile.rows.tolist()):
                active += [(k, 0), (k, 1)]

    def row_tags() -> tuple[str, ...]:
        return tuple(joined(*problem.tags_of(tile.rows)) for tile in tiles)

    return Matrix(
        "Tiles",
        rows,
        classes,
        values,
        tuple(active),
        digits=0,
        row_tags=Lazy(row_tags),
        column_tags=class_tags(2),
    )


def answer_table(given: Setting, s: State) -> Table:
    """The examples with the outputs of the last layer; pale those in a tile of one class."""
    problem = given.problem
    looked_at = tuple(s.group.tolist()) if len(s.group) < problem.n else ()
    table = data_table(problem, current=looked_at)
    answers = given.forward(s.weights, problem.X)[-1]
    columns = []
    for j, name in enumerate(unit_names(s)[-1]):
        tag = unit_tag(len(s.weights), j)
        columns.append(TableColumn(Feature(name), frozen(answers[:, j].copy()), digits=0, tag=tag))
    some = s.removed.any() and not s.removed.all()
    active = frozen(~s.removed) if some else None
    return replace(table, columns=(*table.columns, *columns), active=active)
