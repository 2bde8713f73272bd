"""Support vectors, lines at ±1, the lifted space, multipliers, the kernel's matrix. AIMA 18.9, MMDS 12.3."""

from engine.algorithms.margins.svm import Setting, State, predict
from engine.authoring import Float, Grid, Int, Problem, Sequence, Step, frozen, np
from engine.core.notation import counted
from engine.core.scene import (
    NO_GROUP, Bars, Field, Figure, Layer, Matrix, Points, Role, Scene, Space, active_point, data_points, data_table,
)  # fmt: skip
from engine.numerics.linear import signed_classes
from engine.pictures.margins import margin_lines

FEW = 12  # examples up to which everything is written out
LISTED = 10  # support vectors named in bars
VISIBLE = 0.02  # a scale up to C that leaves every bar shorter than this share of it helps nobody


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    return signed_classes(given.surface(s, grid))


FIELDS = {"class": class_surface, "score": Setting.surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    """The lifted space, the multipliers, the kernel matrix of few examples, the table; the plane, where there is one."""
    problem, s = given.problem, step.state
    rows, space = listed(problem, s.alpha, s.pair), lifted_space(given, s)
    figures: list[Figure] = [*space, *([multiplier_bars(given, s, rows)] if s.alpha.any() else [])]
    figures += [kernel_matrix(given, rows, s.pair)] if rows else []
    titles = tuple(figure.title for figure in space)  # it leads where it shows what the plane cannot
    leads = () if not problem.plane else ("Plane", *titles) if problem.all_on_plane else (*titles, "Plane")
    layers = margin_layers(given, s) if problem.plane else ()
    return Scene(layers, (*figures, data_table(problem, current=s.pair)), leads=leads)


def margin_layers(given: Setting, s: State) -> tuple[Layer, ...]:
    """Shaded score, margins, examples, rings round the support vectors, the pair in amber."""
    problem, bounded, shown = given.problem, given.bounded(s.alpha), predict(given, s, given.problem.X)
    ground: list[Layer] = [Field("score", boundary=True, margins=(-1.0, 1.0), tag="margins")]
    if s.w is not None:
        ground = [Field("score"), *margin_lines(problem, s.w, s.b)]
    elif not s.alpha.any():
        ground = [Field("score")]
    free = np.setdiff1d(np.flatnonzero(s.alpha), bounded)
    rings = [
        Points(problem.xy[rows], problem.codes[rows], role, tag=tag)
        for rows, role, tag in ((free, Role.SUPPORT, "free"), (bounded, Role.BOUNDED, "bounded"))
        if len(rows)
    ]
    actives = [active_point(problem, k, shown, tag) for k, tag in zip(s.pair, ("i", "j"), strict=False)]
    return (*ground, *rings, data_points(problem, shown), *actives)  # rings beneath: they hide no neighbour


def listed(problem: Problem, alpha: Float, pair: tuple[int, ...]) -> list[int]:
    """Of few examples all; else the pair and those with the largest multipliers."""
    if problem.n <= FEW:
        return list(range(problem.n))
    largest = np.argsort(-alpha, kind="stable")[:LISTED].tolist()
    return [*pair, *(k for k in largest if k not in pair and alpha[k] > 0)]


def lifted_space(given: Setting, s: State) -> list[Space]:
    """Where the boundary is a plane: (√2·x1·x2, x1², x2²) of the quadratic kernel, in this order because from where one
    first looks a plane across both squares then stands aslant, not face to face; or three columns as they are."""
    problem, Z = given.problem, given.kernel.lifted(given.problem.X)
    if Z is None or Z.shape[1] != 3:
        return []
    first, *others = [f.title for f in problem.features]
    lifted = given.kernel.name == "quadratic"
    names = (f"√2·{first}{others[0]}", f"{first}²", f"{others[0]}²") if lifted else (first, others[0], others[1])
    Z = Z[:, [2, 0, 1]] if lifted else Z
    w, b = (s.alpha * given.sign) @ Z, s.b
    planes = ((w, b, Role.BOUNDARY), (w, b - 1, Role.MARGIN), (w, b + 1, Role.MARGIN)) if w.any() else ()
    roles = np.full(problem.n, Role.POINT, dtype=object)
    roles[s.alpha > 0] = Role.SUPPORT
    roles[given.bounded(s.alpha)] = Role.BOUNDED
    roles[list(s.pair)] = Role.ACTIVE
    title = "Lifted" if lifted else "In space"
    return [Space(title, names, frozen(Z), problem.codes, tuple(roles.tolist()), planes)]


def multiplier_bars(given: Setting, s: State, rows: Sequence[int]) -> Bars:
    """α of these rows; a tick where it was before. The scale ends at C where it can."""
    problem, C, values = given.problem, given.p.C, frozen(s.alpha[list(rows)])
    was = dict(zip(s.pair, s.before, strict=False))
    roles = tuple(Role.ACTIVE if k in s.pair else Role.PLAIN for k in rows)
    ticks = frozen([was.get(k, float(s.alpha[k])) for k in rows])
    limit = C if np.isfinite(C) and float(values.max(initial=0.0)) >= VISIBLE * C else 0.0
    names = tuple(multiplier(problem, k) for k in rows)
    unit = "one ring: α > 0" if np.isinf(C) else "one ring: 0 < α < C, two rings: α = C"
    group = frozen(problem.codes[list(rows)])
    return Bars("α", names, values, roles, ticks, group, unit, limit=limit, tag="alpha")


def multiplier(problem: Problem, row: int) -> str:
    """x₆₁ -> α₆₁."""
    name = problem.names[row]
    return "α" + name[1:] if name[:1] == "x" else f"α of {name}"


def kernel_matrix(given: Setting, rows: Sequence[int], pair: tuple[int, ...]) -> Matrix:
    """K of these rows with one another (the Gram matrix); of the pair in amber: these four make the step."""
    at, X = [rows.index(k) for k in pair], given.problem.X[list(rows)]
    names = tuple(given.problem.names[k] for k in rows)
    return Matrix("K", names, names, frozen(given.kernel.matrix(X, X)), tuple((i, j) for i in at for j in at))


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
