"""What the pictures of kernel methods share: the lifted space, the kernel matrix, what each example
adds to a score.
"""

from typing import Any

from engine.algorithms.margins.parts.lifted import Lifted
from engine.authoring import Float, Grid, Int, Problem, Sequence, frozen, np
from engine.base.notation import counted
from engine.numerics.contours import level_lines
from engine.numerics.largest import largest
from engine.numerics.linear import plane_line, signed_classes
from engine.scene.scene import NO_GROUP, Bars, Layer, Line, Matrix, Polyline, Role, Space

FEW = 12  # examples up to which everything is written out
LISTED = 10  # examples named in bars
REACH = 0.3  # of the data: how far a former boundary goes on beyond it
GHOST_GRID = 120  # cells along a side


def class_surface(given: Lifted[Any], s: Any, grid: Grid) -> Float:
    """(ny, nx) the class at each place of the grid, −1 on the boundary."""
    return signed_classes(given.surface(s, grid), np.float64)


def former_boundary(given: Lifted[Any], before: Any, w: Float | None) -> list[Layer]:
    """Where the score of a former state is 0. w: the weights of a linear one, else None"""
    if w is not None:
        return [Line(*plane_line(given.problem, w, before.b), Role.GHOST, tag="before")]
    low, high, _ = given.problem.bounds
    reach = REACH * (high - low)
    sides = np.stack([low - reach, high + reach], axis=1)
    grid = Grid.over((sides[0, 0], sides[0, 1]), (sides[1, 0], sides[1, 1]), GHOST_GRID)
    lines = level_lines(grid.x, grid.y, given.surface(before, grid), (0.0,))
    return [Polyline(line, Role.GHOST, tag="before") for line in lines]


def listed(problem: Problem, alpha: Float | Int, first: tuple[int, ...]) -> list[int]:
    """The rows to show: all of few examples, else `first` and those with the largest
    multipliers.
    """
    if problem.n <= FEW:
        return list(range(problem.n))
    others = [k for k in largest(alpha, LISTED).tolist() if k not in first and alpha[k] > 0]
    return [*first, *others]


def numbered(problem: Problem, row: int, symbol: str) -> str:
    """The name of a row's multiplier: "α₆₁" for row x₆₁, else "α of …"."""
    name = problem.names[row]
    return symbol + name[1:] if name[:1] == "x" else f"{symbol} of {name}"


def lifted_space(
    given: Lifted[Any], s: Any, roles: Sequence[Role], levels: Sequence[float]
) -> list[Space]:
    """Where the boundary is a plane: (√2·x1·x2, x1², x2²) of the quadratic kernel, or three columns
    as they are; none for other kernels.

    In this order because from where one first looks a plane across both squares then stands
    aslant, not face to face. roles (n,) of the examples; levels: scores whose planes are drawn, 0
    as the boundary.
    """
    problem = given.problem
    Z = given.kernel.lifted(problem.X)
    if Z is None or Z.shape[1] != 3:
        return []
    columns = [f.title for f in problem.features]
    if given.kernel.name == "quadratic":
        title = "Lifted"
        one, two = columns
        names = (f"√2·{one}{two}", f"{one}²", f"{two}²")
        Z = Z[:, [2, 0, 1]]
    else:
        title = "In space"
        names = (columns[0], columns[1], columns[2])
    w = (s.alpha * given.sign) @ Z
    planes = []
    for level in levels if w.any() else ():
        planes.append((w, s.b - level, Role.MARGIN if level else Role.BOUNDARY))
    return [Space(title, names, frozen(Z), problem.codes, tuple(roles), tuple(planes))]


def leads(problem: Problem, space: Sequence[Space]) -> tuple[str, ...]:
    """The names of the leading views: the lifted space first, where it shows what the plane
    cannot.
    """
    titles = tuple(figure.title for figure in space)
    if not problem.plane:
        return ()
    return ("Plane", *titles) if problem.all_on_plane else (*titles, "Plane")


def kernel_matrix(
    given: Lifted[Any], rows: Sequence[int], active: tuple[tuple[int, int], ...]
) -> Matrix:
    """The Gram matrix, K of these rows with one another. active: cells in amber"""
    X = given.problem.X[list(rows)]
    names = tuple(given.problem.names[k] for k in rows)
    tags = given.problem.tags_of(rows)
    return Matrix(
        "Kernel matrix K",
        names,
        names,
        frozen(given.kernel.matrix(X, X)),
        active,
        row_tags=tags,
        column_tags=tags,
    )


def part_bars(
    problem: Problem, rows: Int, parts: Float, b: float | None, title: str, tag: str
) -> Bars:
    """Bars of the largest parts of a score, of the others together, and of b where there is one.
    parts: (m,) of these rows
    """
    order = np.argsort(-np.abs(parts), kind="stable")
    shown = order[:LISTED]
    rest = order[LISTED:]
    labels = [problem.names[row] for row in rows[shown]]
    values = parts[shown].tolist()
    group = problem.codes[rows[shown]].tolist()
    tags = list(problem.tags_of(rows[shown]))
    if len(rest):
        labels.append(counted(len(rest), "other"))
        values.append(float(parts[rest].sum()))
    if b is not None:
        labels.append("b")
        values.append(b)
    unnamed = len(labels) - len(shown)
    group += [NO_GROUP] * unnamed
    tags += [""] * unnamed
    return Bars(
        title, tuple(labels), frozen(values), group=frozen(group), tag=tag, tags=tuple(tags)
    )
