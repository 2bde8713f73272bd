"""What the pictures of kernel methods share: the lifted space, the kernel matrix, what each example
adds to a score.
"""

from typing import Any

from engine.algorithms.margins.parts.lifted import Lifted
from engine.authoring import Callable, Float, Int, Problem, Sequence, frozen, np
from engine.core.notation import counted
from engine.core.scene import NO_GROUP, Bars, Matrix, Role, Space
from engine.numerics.largest import largest

FEW = 12  # examples up to which everything is written out
LISTED = 10  # examples named in bars


def listed(problem: Problem, alpha: Float | Int, first: tuple[int, ...]) -> list[int]:
    """Of few examples all; else these first and those with the largest multipliers."""
    if problem.n <= FEW:
        return list(range(problem.n))
    return [
        *first,
        *(k for k in largest(alpha, LISTED).tolist() if k not in first and alpha[k] > 0),
    ]


def numbered(problem: Problem, row: int, symbol: str) -> str:
    """α: x₆₁ -> α₆₁."""
    name = problem.names[row]
    return symbol + name[1:] if name[:1] == "x" else f"{symbol} of {name}"


def lifted_space(
    given: Lifted[Any], s: Any, roles: Callable[..., list[Role]], levels: Sequence[float]
) -> list[Space]:
    """Where the boundary is a plane: (√2·x1·x2, x1², x2²) of the quadratic kernel, in this order
    because from where one first looks a plane across both squares then stands aslant, not face to
    face; or three columns as they are. roles (n,) of the examples; levels: scores whose planes are
    drawn, 0 as the boundary.
    """
    problem = given.problem
    Z = given.kernel.lifted(given.problem.X)
    if Z is None or Z.shape[1] != 3:
        return []
    first, *others = [f.title for f in problem.features]
    lifted = given.kernel.name == "quadratic"
    names = (
        (f"√2·{first}{others[0]}", f"{first}²", f"{others[0]}²")
        if lifted
        else (first, others[0], others[1])
    )
    Z = Z[:, [2, 0, 1]] if lifted else Z
    w = (s.alpha * given.sign) @ Z
    drawn = (
        tuple((w, s.b - level, Role.MARGIN if level else Role.BOUNDARY) for level in levels)
        if w.any()
        else ()
    )
    return [
        Space(
            "Lifted" if lifted else "In space",
            names,
            frozen(Z),
            problem.codes,
            tuple(roles(given, s)),
            drawn,
        )
    ]


def leads(problem: Problem, space: Sequence[Space]) -> tuple[str, ...]:
    """What stands in the middle: the lifted space first, where it shows what the plane cannot."""
    titles = tuple(figure.title for figure in space)
    return (
        ()
        if not problem.plane
        else ("Plane", *titles)
        if problem.all_on_plane
        else (*titles, "Plane")
    )


def kernel_matrix(
    given: Lifted[Any], rows: Sequence[int], active: tuple[tuple[int, int], ...]
) -> Matrix:
    """K of these rows with one another (the Gram matrix); active: cells in amber."""
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
    """The largest parts of a score, the others together, and b, if there is one."""
    order = np.argsort(-np.abs(parts), kind="stable")
    shown = order[:LISTED]
    rest = order[LISTED:]
    last = [] if b is None else [b]
    labels = (
        [problem.names[rows[k]] for k in shown]
        + [counted(len(rest), "other")] * bool(len(rest))
        + ["b"] * len(last)
    )
    values = parts[shown].tolist() + [float(parts[rest].sum())] * bool(len(rest)) + last
    group = problem.codes[rows[shown]].tolist()
    group += [NO_GROUP] * (len(labels) - len(group))
    tags = (*problem.tags_of(rows[shown]), *[""] * (len(labels) - len(shown)))
    return Bars(title, tuple(labels), frozen(values), group=frozen(group), tag=tag, tags=tags)
