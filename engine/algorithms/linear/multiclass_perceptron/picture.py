"""k lines with the side that each class claims, the borders between the classes, the scores side by side."""

from itertools import combinations

from engine.algorithms.linear.multiclass_perceptron import Setting, State, predict
from engine.algorithms.linear.multiclass_perceptron.words import class_tag, score_bars
from engine.authoring import Float, Grid, Int, Step, np
from engine.core.scene import Arrows, Field, Figure, Layer, Line, Matrix, Role, Scene, Segments
from engine.core.scene import active_point, data_points, data_table
from engine.numerics.class_scores import winners
from engine.numerics.linear import linear_surface, plane_line, size_surface
from engine.numerics.mistakes import EQUAL

ARROW = 0.12  # length of the arrow on a line, of the reach of the data
FEW, FAR = 12, 1e4  # classes whose borders are reckoned; how far these go, in sizes of the data


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    """The same as `predict`, with the largest rounding of all the places."""
    corners = Grid(np.abs(grid.x).max(keepdims=True), np.abs(grid.y).max(keepdims=True))
    scored = (
        (
            linear_surface(given.problem, v, -float(v[-1]), grid),
            EQUAL * float(size_surface(given.problem, rough, corners)[0, 0]),
        )
        for v, rough in zip(*given.compared(s.V), strict=True)
    )
    return winners(scored, grid.shape)


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem, s = given.problem, step.state
    current = (s.current,) if s.current >= 0 else ()
    figures: list[Figure] = [weight_matrix(given, s), data_table(problem, current=current, tag="current")]
    if current:
        place = problem.X[list(current)]
        scores = given.scored(s.V, given.extended(place))[0][:, 0]
        figures.insert(0, score_bars(given, scores, int(predict(given, s, place)[0])))
    if not problem.plane:
        return Scene((), tuple(figures))
    shown = predict(given, s, problem.X)
    layers = [*class_borders(given, s), *class_lines(given, s), data_points(problem, shown)]
    layers += [active_point(problem, i, shown) for i in current]
    return Scene(tuple(layers), tuple(figures))


def class_lines(given: Setting, s: State) -> list[Layer]:
    """The line of every class in its colour, with an arrow to the side that it claims; the former one of the class that
    was just changed."""
    problem, layers = given.problem, list[Layer]()
    if s.active >= 0:
        old = s.before[s.active]
        layers.append(Line(*plane_line(problem, old, -float(old[-1])), Role.GHOST, tag="before"))
    for c, v in enumerate(s.V):
        w, b = plane_line(problem, v, -float(v[-1]))
        size = float(np.hypot(*w))
        if not size:
            continue
        role = Role.ACTIVE if c == s.active else Role.ACCEPTED
        layers.append(Line(w, b, role, tag=class_tag(c), group=c))
        middle = problem.xy.mean(0)
        foot = middle - (w / size) * ((float(w @ middle) + b) / size)
        reach = ARROW * (float(np.ptp(problem.xy, axis=0).max()) or 1.0)
        tip = foot + reach * w / size
        layers.append(Arrows(foot[None], tip[None], Role.PLAIN, (problem.class_text(c),), tag=class_tag(c)))
    return layers


def class_borders(given: Setting, s: State) -> list[Layer]:
    """The field of the classes with its borders drawn exactly, while they are few."""
    problem, (V, _) = given.problem, given.compared(s.V)
    if len(V) > FEW or not np.isfinite(V).all():
        return [Field("class", boundary=True)]
    lines = [plane_line(problem, v, -float(v[-1])) for v in V]
    here = problem.xy[np.isfinite(problem.xy).all(axis=1)]
    reach = FAR * (float(np.abs(here).max(initial=0.0)) + 1.0)
    ends = borders(np.array([w for w, _ in lines]), np.array([b for _, b in lines]), reach)
    return [Field("class"), Segments(ends, Role.BOUNDARY, tag="classes")] if len(ends) else [Field("class")]


def weight_matrix(given: Setting, s: State) -> Matrix:
    """One row of weights for each class, θ last; the row just changed in amber."""
    rows = tuple(given.problem.class_text(c) for c in range(given.k))
    active = tuple((s.active, j) for j in range(len(given.names)) if s.V[s.active, j] != s.before[s.active, j])
    return Matrix("Weights", rows, given.names, s.V, active if s.active >= 0 else (), shade=False)


def borders(N: Float, b: Float, reach: float) -> Float:
    """(m, 2, 2) pieces of the lines between the regions of classes, and of none of them, on a plane.

    The score of class i at a place is N[i]·place + b[i]; none of them wins where no score is above 0. N (k, 2); pieces
    without an end are `reach` long on that side.
    """
    N, b = np.vstack([N, np.zeros(2)]), np.append(b, 0.0)
    pieces = []
    for i, j in combinations(range(len(N)), 2):
        normal, level = N[i] - N[j], b[i] - b[j]
        size = float(normal @ normal)
        if size == 0:
            continue
        foot, along = -level / size * normal, np.array([-normal[1], normal[0]]) / np.sqrt(size)
        others = [c for c in range(len(N)) if c not in (i, j)]
        lead, slope = (N[i] - N[others]) @ foot + b[i] - b[others], (N[i] - N[others]) @ along
        with np.errstate(divide="ignore", invalid="ignore"):
            cut = -lead / slope
        low = max(float(cut[slope > 0].max(initial=-reach)), -reach)
        high = min(float(cut[slope < 0].min(initial=reach)), reach)
        if low < high and (lead[slope == 0] >= 0).all():
            pieces.append([foot + low * along, foot + high * along])
    return np.array(pieces).reshape(-1, 2, 2)
