"""The lines of the first layer and the tiles between them, what the output makes of them, the
network as it grows.
"""

from itertools import pairwise

from engine.algorithms.networks.parts.figures import MOST_LINES, unit_line, unit_tag
from engine.algorithms.networks.parts.pictures import FIELDS as OF_OUTPUT
from engine.algorithms.networks.tiling import Setting, State
from engine.authoring import Float, Grid, Late, Step, frozen, np, replace
from engine.core.dataset import Feature
from engine.core.notation import subscript
from engine.core.scene import (
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
from engine.core.tags import class_tags, joined

TILED = ("tile", "part", "layer", "learn")  # lines whose picture is of tiles, not of classes
LEARNS = ("learn", "first", "part")
MOST_TILES = 24


def tile_surface(given: Setting, s: State, grid: Grid) -> Float:
    """How much of one class the tiles are: 1 the first, −1 the second, 0 of both alike; NaN where
    there is no example.
    """
    problem = given.problem
    tiles = given.tiles(s)
    X = np.vstack([problem.from_plane(grid.points()), problem.X[[tile.rows[0] for tile in tiles]]])
    place = given.tile_of(given.forward(s.weights, X)[-1] > 0)
    share = np.full(place.max() + 1, np.nan)
    share[place[-len(tiles) :]] = [
        (tile.counts[0] - tile.counts[1]) / len(tile.rows) for tile in tiles
    ]
    return np.asarray(share[place[: -len(tiles)]].reshape(grid.shape))


FIELDS = {**OF_OUTPUT, "tiles": tile_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    figures: tuple[Figure, ...] = (
        network_figure(given, step.line, s),
        tile_matrix(given, step.line, s),
        answer_table(given, s),
    )
    if not problem.plane:
        return Scene((), figures)
    tiled = step.line in TILED and s.weights[-1].shape[1] > (step.line != "tile")
    ground: Layer = Field("tiles") if tiled else Field("class", boundary=True)
    said = given.predict(s, problem.X)
    group = Points(problem.xy[s.group], problem.codes[s.group], Role.CANDIDATE, tag="group")
    looked = [group] if tiled and step.line != "layer" else []
    return Scene(
        (ground, *lines(given, s, step.line), data_points(problem, said), *looked),
        figures,
        leads=("Network", "Plane"),
    )


def lines(given: Setting, s: State, line: str) -> list[Layer]:
    """Of the first layer's units, the one that learns darker than the others."""
    names = unit_names(s)
    learns = len(s.weights) == 1 and line in LEARNS
    shown = range(s.weights[0].shape[1])[-MOST_LINES:]
    roles = [Role.BOUNDARY if learns and j == shown[-1] else Role.CANDIDATE for j in shown]
    columns = [(j, s.weights[0][:, j], role) for j, role in zip(shown, roles, strict=True)]
    return [
        line
        for j, w, role in columns
        if w[:-1].any()
        for line in unit_line(given.problem, w, w, names[1][j], unit_tag(1, j), role)
    ]


def unit_names(s: State) -> tuple[tuple[str, ...], ...]:
    """Layer by layer: the inputs x₁, …, the units numbered as they came."""
    ends = np.cumsum([0, *(w.shape[1] for w in s.weights)]).tolist()
    inputs = tuple(f"x{subscript(k + 1)}" for k in range(len(s.weights[0]) - 1))
    return (
        inputs,
        *(tuple(f"u{subscript(k + 1)}" for k in range(a, b)) for a, b in pairwise(ends)),
    )


def network_figure(given: Setting, line: str, s: State) -> Network:
    """The share of the examples for which each unit fires; amber what the last unit sees while it
    is the one at work.
    """
    share = tuple(a.mean(0) for a in given.forward(s.weights, given.X))
    at = len(s.weights) - 1, s.weights[-1].shape[1] - 1
    active = ((at[0], -1, at[1]),) if line in (*LEARNS, "layer") else ()
    names = tuple(f.title for f in given.problem.features)
    return Network(
        "Network", share, s.weights, active=active, names=names, outputs=unit_names(s)[-1]
    )


def tile_matrix(given: Setting, line: str, s: State) -> Matrix:
    """The examples of both classes in each tile; amber the one whose unit learns."""
    problem = given.problem
    tiles = given.tiles(s)[:MOST_TILES]
    values = frozen(np.array([tile.counts for tile in tiles], np.float64))
    rows, classes = tuple(tile.name for tile in tiles), tuple(map(problem.class_text, (0, 1)))
    group = set(s.group.tolist()) if line == "tile" else set()
    active = tuple(
        (k, c)
        for k, tile in enumerate(tiles)
        for c in (0, 1)
        if group and group == set(tile.rows.tolist())
    )
    tags = Late(lambda: tuple(joined(*problem.tags_of(tile.rows)) for tile in tiles))
    return Matrix(
        "Tiles", rows, classes, values, active, digits=0, row_tags=tags, column_tags=class_tags(2)
    )


def answer_table(given: Setting, s: State) -> Table:
    """The examples with the answers of the last layer's units; pale those that are in a tile of
    their class alone.
    """
    table = data_table(
        given.problem, current=tuple(s.group.tolist()) if len(s.group) < given.problem.n else ()
    )
    answers = given.forward(s.weights, given.problem.X)[-1]
    columns = [
        TableColumn(
            Feature(name), frozen(answers[:, j].copy()), digits=0, tag=unit_tag(len(s.weights), j)
        )
        for j, name in enumerate(unit_names(s)[-1])
    ]
    active = frozen(~s.removed) if s.removed.any() and not s.removed.all() else None
    return replace(table, columns=(*table.columns, *columns), active=active)
