"""Pictures of separators with margins: support vectors, lines at ±1, the lifted space, multipliers. AIMA 18.9, MMDS 12.3."""

from collections.abc import Sequence

import numpy as np

from engine.core.algorithm import Explanation
from engine.core.arrays import Float, Int, frozen
from engine.core.notation import counted, number
from engine.core.problem import Problem
from engine.core.scene import (
    NO_GROUP,
    Bars,
    Field,
    Figure,
    Layer,
    Line,
    Matrix,
    Points,
    Role,
    Space,
    active_point,
    data_points,
    data_table,
)
from engine.core.step import Formula, Operand, note
from engine.numerics.kernels import Kernel
from engine.numerics.linear import plane_line, signed_classes

FEW = 12  # examples up to which everything is written out
LISTED = 10  # support vectors named in bars
BY_HAND = 4  # terms that a formula shows one by one
VISIBLE = 0.02  # a scale up to C that leaves every bar shorter than this share of it helps nobody


def margin_lines(problem: Problem, w: Float, b: float) -> list[Layer]:
    """The boundary and the lines where the score is ±1, exactly."""
    normal, constant = plane_line(problem, w, b)
    if not normal.any():
        return []
    sides: list[Layer] = [
        Line(normal, constant - level, Role.MARGIN, number(level, 0, signed=True), tag="margins")
        for level in (1.0, -1.0)
    ]
    return [*sides, Line(normal, constant, label="0", tag="b")]


def margin_layers(
    problem: Problem, w: Float | None, b: float, alpha: Float, bounded: Int, shown: Int, pair: tuple[int, ...]
) -> tuple[Layer, ...]:
    """Shaded score, margins, examples, rings round the support vectors, the pair in amber."""
    ground: list[Layer] = [Field("score", boundary=True, margins=(-1.0, 1.0), tag="margins")]
    if w is not None:
        ground = [Field("score"), *margin_lines(problem, w, b)]
    elif not alpha.any():
        ground = [Field("score")]
    free = np.setdiff1d(np.flatnonzero(alpha), bounded)
    rings = [
        Points(problem.xy[rows], problem.codes[rows], role, tag=tag)
        for rows, role, tag in ((free, Role.SUPPORT, "free"), (bounded, Role.BOUNDED, "bounded"))
        if len(rows)
    ]
    actives = [active_point(problem, k, shown, tag) for k, tag in zip(pair, ("i", "j"), strict=False)]
    return (*ground, *rings, data_points(problem, shown), *actives)  # rings beneath: they hide no neighbour


# -- figures -----------------------------------------------------------------------------------------------------------


def margin_figures(
    problem: Problem, kernel: Kernel, b: float, alpha: Float, bounded: Int, C: float, pair: tuple[int, ...],
    before: tuple[float, ...],
) -> tuple[Figure, ...]:  # fmt: skip
    """The lifted space, the multipliers, the kernel matrix of few examples, the table."""
    figures: list[Figure] = []
    space = lifted_space(problem, kernel, b, alpha, bounded, pair)
    if space is not None:
        figures.append(space)
    rows = listed(problem, alpha, pair)
    if alpha.any():
        figures.append(multiplier_bars(problem, alpha, rows, C, pair, before))
    if rows:
        figures.append(kernel_matrix(problem, kernel, rows, pair))
    return (*figures, data_table(problem, current=pair))


def listed(problem: Problem, alpha: Float, pair: tuple[int, ...]) -> list[int]:
    """Of few examples all; else the pair and those with the largest multipliers."""
    if problem.n <= FEW:
        return list(range(problem.n))
    largest = np.argsort(-alpha, kind="stable")[:LISTED].tolist()
    return [*pair, *(k for k in largest if k not in pair and alpha[k] > 0)]


def lifted_space(
    problem: Problem, kernel: Kernel, b: float, alpha: Float, bounded: Int, pair: tuple[int, ...]
) -> Space | None:
    """Where the boundary is a plane: (√2·x1·x2, x1², x2²) of the quadratic kernel, in this order because from where one
    first looks a plane across both squares then stands aslant, not face to face; or three columns as they are."""
    Z = kernel.lifted(problem.X)
    if Z is None or Z.shape[1] != 3:
        return None
    first, *others = [f.title for f in problem.features]
    lifted = kernel.name == "quadratic"
    names = (f"√2·{first}{others[0]}", f"{first}²", f"{others[0]}²") if lifted else (first, others[0], others[1])
    Z = Z[:, [2, 0, 1]] if lifted else Z
    w = (alpha * problem.sign) @ Z
    planes = ((w, b, Role.BOUNDARY), (w, b - 1, Role.MARGIN), (w, b + 1, Role.MARGIN)) if w.any() else ()
    roles = np.full(problem.n, Role.POINT, dtype=object)
    roles[alpha > 0] = Role.SUPPORT
    roles[bounded] = Role.BOUNDED
    roles[list(pair)] = Role.ACTIVE
    title = "Lifted" if lifted else "In space"
    return Space(title, names, frozen(Z), problem.codes, tuple(roles.tolist()), planes)


def multiplier_bars(
    problem: Problem, alpha: Float, rows: Sequence[int], C: float, pair: tuple[int, ...], before: tuple[float, ...]
) -> Bars:
    """α of these rows; a tick where it was before. The scale ends at C where it can."""
    values = frozen(alpha[list(rows)])
    was = dict(zip(pair, before, strict=False))
    roles = tuple(Role.ACTIVE if k in pair else Role.PLAIN for k in rows)
    ticks = frozen([was.get(k, float(alpha[k])) for k in rows])
    limit = C if np.isfinite(C) and float(values.max(initial=0.0)) >= VISIBLE * C else 0.0
    names = tuple(multiplier(problem, k) for k in rows)
    unit = "one ring: α > 0" if np.isinf(C) else "one ring: 0 < α < C, two rings: α = C"
    group = frozen(problem.codes[list(rows)])
    return Bars("α", names, values, roles, ticks, group, unit, limit=limit, tag="alpha")


def multiplier(problem: Problem, row: int) -> str:
    """x₆₁ -> α₆₁."""
    name = problem.names[row]
    return "α" + name[1:] if name[:1] == "x" else f"α of {name}"


def kernel_matrix(problem: Problem, kernel: Kernel, rows: Sequence[int], pair: tuple[int, ...]) -> Matrix:
    """K of these rows with one another (the Gram matrix); of the pair in amber: these four make the step."""
    at = [rows.index(k) for k in pair]
    names = tuple(problem.names[k] for k in rows)
    K = frozen(kernel.matrix(problem.X[list(rows)], problem.X[list(rows)]))
    return Matrix("K", names, names, K, tuple((i, j) for i in at for j in at))


# -- why this label ----------------------------------------------------------------------------------------------------


def explain_margin(problem: Problem, kernel: Kernel, alpha: Float, b: float, x: Float, score: float) -> Explanation:
    """The score Σ α y K(x, ·) + b term by term: each support vector pulls to its own class."""
    rows = np.flatnonzero(alpha)
    near = kernel.matrix(x[None], problem.X[rows])[0]
    parts = alpha[rows] * problem.sign[rows] * near
    label = int(signed_classes(np.asarray(score)))
    name = problem.class_text(label) if label >= 0 else "on the boundary"
    if not len(rows):
        return Explanation(label, note("No multiplier has moved yet: the score is 0 everywhere."))
    few = len(rows) <= BY_HAND
    body = " + ".join(f"{{a{k}}} · {{y{k}}} · {{K{k}}}" for k in range(len(rows))) + " + {b}" if few else "{sum} + {b}"
    operands = {
        f"{letter}{k}": operand
        for k, row in enumerate(rows.tolist() if few else ())
        for letter, operand in (
            ("a", Operand(float(alpha[row]), multiplier(problem, row), "alpha")),
            ("y", Operand("(+1)" if problem.sign[row] > 0 else "(−1)", "y")),
            ("K", Operand(float(near[k]), f"K({problem.names[row]}, x)")),
        )
    }
    told = note(
        "The score is {score}: this is called {name}." if label >= 0 else "The score is 0: this is on the boundary.",
        Formula("score =", body, "{score}"),
        score=Operand(score, "score", "margins"),
        name=name,
        b=Operand(b, "b", "b"),
        sum=Operand(score - b, "Σ α y K"),
        **operands,
    )
    return Explanation(label, told, part_bars(problem, rows, parts, b))


def part_bars(problem: Problem, rows: Int, parts: Float, b: float) -> Bars:
    """The largest parts of a score, the others together, and b."""
    order = np.argsort(-np.abs(parts), kind="stable")
    listed, rest = order[:LISTED], order[LISTED:]
    labels = [problem.names[rows[k]] for k in listed]
    values, group = parts[listed].tolist(), problem.codes[rows[listed]].tolist()
    if len(rest):
        labels.append(counted(len(rest), "other"))
        values.append(float(parts[rest].sum()))
        group.append(NO_GROUP)
    return Bars("α y K of each", (*labels, "b"), frozen([*values, b]), group=frozen([*group, NO_GROUP]), tag="alpha")
