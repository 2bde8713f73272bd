"""The rows without labels, those whose labels were bought near the boundary and by chance, both
boundaries, the price.
"""

from engine.algorithms.online.active_learning import Setting, State
from engine.authoring import Float, Grid, Int, Problem, Step, np, replace
from engine.numerics.contours import level_lines, one_polyline
from engine.scene.layers import Field, Layer, Points, Polyline, Role
from engine.scene.scene import Plot, Scene, data_table

FINE = 48  # places across the plane at which the rival's boundary is sought


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) the class that the model gives at every place of the grid."""
    return given.surface(*given.learnt(s), grid)


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    bought = np.zeros(problem.n, bool)
    bought[s.asked] = True
    current = (s.current,) if s.current >= 0 else ()
    table = data_table(problem, active=bought, current=current, tag="current")
    *columns, target = table.columns  # which knows no more than the learner
    known = replace(target, values=np.where(bought, target.values, np.nan))
    group = np.where(bought, problem.codes, -1)
    figures = (price_plot(given, s), replace(table, columns=(*columns, known), group=group))
    if not problem.plane:
        return Scene((), figures, leads=("Price", "Examples"))
    answers = given.classes_of(*given.learnt(s), problem.X[s.asked])
    layers: list[Layer] = [Field("class", boundary=True)]
    line = rival_line(given, s)
    if len(line):
        layers.append(Polyline(line, Role.GHOST, label="by chance", tag="chance"))
    layers.append(Points(problem.xy, np.full(problem.n, -1), Role.SAMPLE, tag="data"))
    layers.append(labelled(problem, s.chance, Role.GHOST, None, "chance"))
    layers.append(labelled(problem, s.asked, Role.POINT, answers, "asked"))
    if s.current >= 0:  # its class is not shown before it is bought
        code = problem.codes[[s.current]] if bought[s.current] else np.array([-1])
        name = (problem.names[s.current],)
        layers.append(Points(problem.xy[[s.current]], code, Role.ACTIVE, label=name, tag="current"))
    return Scene(tuple(layers), figures, leads=("Plane", "Price"))


def labelled(problem: Problem, rows: Int, role: Role, answers: Int | None, tag: str) -> Points:
    """The rows whose labels were bought, in the colours of their classes. answers: (m,) of the
    model, None for none
    """
    tags = problem.tags_of(rows.tolist())
    return Points(problem.xy[rows], problem.codes[rows], role, answers, tag=tag, tags=tags)


def rival_line(given: Setting, s: State) -> Float:
    """(k, 2) the line on the plane where the scores of the rival are 0; empty without one."""
    xy = given.problem.xy
    low = xy.min(axis=0)
    high = xy.max(axis=0)
    air = 0.2 * (float((high - low).max()) or 1.0)
    grid = Grid.over((low[0] - air, high[0] + air), (low[1] - air, high[1] + air), FINE)
    places = given.problem.from_plane(grid.points())
    scores = given.scores_of(*given.rival(s), places).reshape(grid.shape)
    return one_polyline(level_lines(grid.x, grid.y, scores, (0.0,)))


def end(way: Float, role: Role, name: str, tag: str) -> Points:
    """The last place of a curve (m, 2), with its name."""
    return Points(way[-1:], np.array([-1]), role, label=(name,), tag=tag)


def price_plot(given: Setting, s: State) -> Plot:
    """A plot of errors over labels bought, for labels near the boundary and by chance."""
    history = np.array(list(s.history), float)
    layers = (
        Polyline(history[:, 2:], Role.GHOST, tag="chance"),
        Polyline(history[:, :2], Role.BOUNDARY, tag="errors"),
        end(history[:, 2:], Role.GHOST, "by chance", "chance"),
        end(history[:, :2], Role.ACTIVE, "near the boundary", "errors"),
    )
    most = max(1.0, float(history[:, 1::2].max()))
    return Plot(
        "Price",
        "labels bought",
        "wrong points",
        layers,
        beside=True,
        x_range=(0.0, 1.06 * max(given.p.budget, float(history[:, ::2].max()))),
        y_range=(-0.06 * most, 1.06 * most),
    )
