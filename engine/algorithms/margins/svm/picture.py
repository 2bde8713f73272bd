"""Support vectors, lines at ±1, the lifted space, multipliers, the kernel's matrix.

AIMA 18.9, MMDS 12.3.
"""

from engine.algorithms.margins.parts.picture import (
    class_surface,
    former_boundary,
    kernel_matrix,
    leads,
    lifted_space,
    listed,
    numbered,
)
from engine.algorithms.margins.svm import Setting, State, predict
from engine.algorithms.margins.svm.pair_picture import former, heading, pair_labels
from engine.authoring import Int, Problem, Sequence, Step, frozen, np, replace
from engine.numerics.linear import signed_classes
from engine.scene.hinge import SHOWN, hinge_plot
from engine.scene.margins import margin_lines
from engine.scene.scene import (
    Arrows,
    Bars,
    Field,
    Figure,
    Layer,
    Points,
    Role,
    Scene,
    active_point,
    data_points,
    data_table,
)

NO_ROWS = frozen(np.zeros(0, np.intp))
ASIDE = 0.08  # of the reach of the examples: an arrow that ends farther beside them is cut
VISIBLE = 0.02  # share of a scale up to C that the longest bar must have, or it has another scale


FIELDS = {"class": class_surface, "score": Setting.surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    """The scene of a step: lifted space, multipliers, kernel matrix of few examples, table, and the
    plane where there is one.
    """
    problem = given.problem
    s = step.state
    rows = listed(problem, s.alpha, s.pair)
    touching = given.touching(s) if "converged" in step.events else NO_ROWS
    space = lifted_space(given, s, point_roles(given, s, touching), (0.0, 1.0, -1.0))
    figures: list[Figure] = [*space]
    if s.alpha.any():
        figures.append(multiplier_bars(given, s, rows))
    if rows:
        pair = [rows.index(k) for k in s.pair]
        cells = tuple((i, j) for i in pair for j in pair)  # these four make the step
        figures.append(kernel_matrix(given, rows, cells))
    figures.append(data_table(problem, current=s.pair))
    if s.alpha.any() and problem.n <= SHOWN:
        figures += hinge_plot(problem, given.sign * given.score(s, problem.X), s.pair)
    layers = margin_layers(given, step, touching) if problem.plane else ()
    if layers and "converged" in step.events:
        layers += margin_width(given, s)
    said = heading(given, step)
    return Scene(layers, tuple(figures), leads=leads(problem, space), plane=said)


def margin_layers(given: Setting, step: Step[State], touching: Int) -> tuple[Layer, ...]:
    """The score as shading, margins, the boundary before a move, examples, rings around the support
    vectors, dashed ones around the rows that are `touching` the margin with α = 0, the pair in
    amber with what the step says of them.
    """
    s = step.state
    problem = given.problem
    bounded = given.bounded(s.alpha)
    others = np.flatnonzero(given.sign == 0)
    # known of those that it learns from: they are not scored again
    shown = signed_classes(s.sides).astype(np.intp)
    shown[others] = predict(given, s, problem.X[others])
    ground: list[Layer] = [Field("score", boundary=True, margins=(-1.0, 1.0), tag="margins")]
    if s.w is not None:
        ground = [Field("score"), *margin_lines(problem, s.w, s.b)]
    elif not s.alpha.any():
        ground = [Field("score")]
    free = np.setdiff1d(np.flatnonzero(s.alpha), bounded)
    rings = [*ring(problem, free, Role.SUPPORT, "free")]
    rings += ring(problem, bounded, Role.BOUNDED, "bounded")
    rings += ring(problem, touching, Role.CANDIDATE, "touching")
    actives = [
        active_point(problem, k, shown, tag) for k, tag in zip(s.pair, ("i", "j"), strict=False)
    ]
    if said := pair_labels(given, step):
        actives = [
            replace(one, label=(f"{one.label[0]}: {text}",))
            for one, text in zip(actives, said, strict=True)
        ]
    if (before := former(given, step)) is not None:
        ground += former_boundary(given, before, before.w)
    # rings beneath: they hide no neighbour
    return (*ground, *rings, data_points(problem, shown), *actives)


def margin_width(given: Setting, s: State) -> tuple[Layer, ...]:
    """An arrow across the margin, from a support vector to the other side's line, with its length
    2/|w|, MMDS Fig 12.15; () where the plane does not show w as it is, or no α lies between its
    bounds.
    """
    problem = given.problem
    if s.w is None or not s.w.any() or problem.d != 2:
        return ()
    free = np.setdiff1d(np.flatnonzero(s.alpha), given.bounded(s.alpha))
    if not len(free):
        return ()
    w = s.w[list(problem.plane)]
    ends = problem.xy[free] - 2 * given.sign[free, None] * w / (w @ w)
    low, high, _ = problem.bounds
    aside = np.maximum(low - ends, ends - high).max(axis=1) > ASIDE * (high - low).max()
    # one that the plane shows whole, of those one from the class below
    first = np.lexsort((given.sign[free], aside))[0]
    start, end = problem.xy[free[first]], ends[first]
    words = f"2/|w| = {2 / np.sqrt(w @ w):.2f}"
    arrow = Arrows(frozen([start]), frozen([end]), label=(words,), tag="margins", measure=True)
    return (arrow,)


def ring(problem: Problem, rows: Int, role: Role, tag: str) -> list[Layer]:
    """Rings around these rows; [] for none."""
    if not len(rows):
        return []
    group = problem.codes[rows]
    return [Points(problem.xy[rows], group, role, tag=tag, tags=problem.tags_of(rows))]


def point_roles(given: Setting, s: State, touching: Int) -> list[Role]:
    """The role of each example in the lifted space."""
    roles = np.full(given.problem.n, Role.POINT, dtype=object)
    roles[touching] = Role.CANDIDATE
    roles[s.alpha > 0] = Role.SUPPORT
    roles[given.bounded(s.alpha)] = Role.BOUNDED
    roles[list(s.pair)] = Role.ACTIVE
    return list(roles)


def multiplier_bars(given: Setting, s: State, rows: Sequence[int]) -> Bars:
    """Bars of α of these rows, with the previous ones as ticks; the scale ends at C if possible."""
    problem = given.problem
    C = given.p.C
    values = frozen(s.alpha[list(rows)])
    was = dict(zip(s.pair, s.before, strict=False))
    roles = tuple(Role.ACTIVE if k in s.pair else Role.PLAIN for k in rows)
    ticks = frozen([was.get(k, float(s.alpha[k])) for k in rows])
    largest = float(values.max(initial=0.0))
    limit = C if np.isfinite(C) and largest >= VISIBLE * C else 0.0
    names = tuple(numbered(problem, k, "α") for k in rows)
    unit = "one ring: α > 0" if np.isinf(C) else "one ring: 0 < α < C, two rings: α = C"
    group = frozen(problem.codes[list(rows)])
    return Bars(
        "Multipliers α",
        names,
        values,
        roles,
        ticks,
        group,
        unit,
        limit=limit,
        tag="alpha",
        tags=problem.tags_of(rows),
        ticks="before this step",
    )
