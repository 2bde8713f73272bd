"""Ovals or bells of the classes, the conic borders between them, the query and its chances."""

from itertools import combinations

from engine.algorithms.bayes.gaussian_bayes import S, Setting, State, bell_logs, predict
from engine.algorithms.bayes.gaussian_bayes.curves import bell_curves
from engine.algorithms.bayes.parts.classes import SHOWN, lead, ln, priors_title, step_bars, winner
from engine.algorithms.clusters.parts.figures import shape_layers
from engine.authoring import Float, Grid, Int, Step, frozen, np, replace
from engine.base.notation import cut, figure_digits, fixed, number
from engine.base.tags import class_tags
from engine.numerics.contours import level_lines, one_polyline
from engine.scene.scene import (
    Bars,
    Field,
    Figure,
    Layer,
    Matrix,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    data_points,
    data_table,
)

# levels of ln P(first|x) / P(second|x), where P(first|x) is .1, .3 …
EQUAL = tuple(float(np.log(z / (1 - z))) for z in (0.1, 0.3, 0.5, 0.7, 0.9))
MOST = 12  # classes whose borders are drawn as lines
AIR = 1.5  # how far borders go beyond the examples, of their extent
PLACES = 401  # along each axis, between which borders are found
FEW = 3  # columns whose σ stand in the heading
NOT_YET = 1e3  # the lead where the bell of one class is not known


def raster(given: Setting, s: State, x: Float, y: Float) -> Float:
    """(k, ny, nx) ln S(v) over the plane: each column of the plane adds along its own axis, the
    hidden ones are held at their anchor. −∞ where the bells of a class are not known.
    """
    problem = given.problem
    plane = problem.plane
    hidden = [j for j in range(problem.d) if j not in plane]
    found = np.full((given.k, len(y), len(x)), -np.inf)
    for v in range(known(s)):
        mu, variance = s.means[v], s.variances[v]
        found[v] = ln(s.prior)[v]
        found[v] += bell_logs(problem.anchor[hidden], mu[hidden], variance[hidden]).sum()
        axes = (x[None, :], y[:, None])
        for j, at in zip(plane, axes, strict=False):
            found[v] += bell_logs(at, mu[j], variance[j])
    return found


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) the class of every place, −1 while no bells are known."""
    logs = raster(given, s, grid.x, grid.y)
    return winner(logs.reshape(given.k, -1).T).reshape(grid.shape)


def lead_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) ln P(first|x) − ln P(second|x), of the first two classes."""
    logs = raster(given, s, grid.x, grid.y)[:2]
    found = lead(logs.reshape(len(logs), -1).T)
    return np.nan_to_num(found, posinf=NOT_YET, neginf=-NOT_YET).reshape(grid.shape)


FIELDS = {"class": class_surface, "lead": lead_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures: list[Figure] = [bell_matrix(given, s)]
    asking = step.line in ("query", "factor", "answer")
    figures.insert(0 if asking else 1, query_bars(given, step))
    if problem.d > len(problem.plane):  # the plane cannot show all of them
        figures.append(bell_curves(given, s, asking))
    figures.append(data_table(problem, tag="rows"))
    if not problem.plane:
        leads = ("Bell curves", "Chances") if asking or step.line == "prior" else ("Bell curves",)
        return Scene((), tuple(figures), leads=leads)
    layers: list[Layer] = [*ground(given, s), *bells(given, s)]
    layers.append(data_points(problem, predict(given, s, problem.X)))
    if step.line == "spread":
        layers += spread_now(given, s)
    if asking:
        place = problem.to_plane(s.query[None])
        layers += factor_line(given, s)
        layers.append(Points(place, np.array([-1]), Role.QUERY, label=("?",), tag="query"))
    leads = ("Plane", "Chances") if asking else ("Plane",)
    return Scene(tuple(layers), tuple(figures), leads=leads, plane=plane_title(given, step, asking))


def plane_title(given: Setting, step: Step[State], asking: bool) -> str:
    """What the step computes: the priors, the mean or the deviations of a class, a factor."""
    s = step.state
    if step.line == "factor":
        return factor_title(given, s)
    if asking:
        return ""
    if step.line == "prior":
        return priors_title(given, "The examples")
    if step.line not in ("mean", "spread") or s.label < 0:
        return "The examples"
    name = given.problem.class_text(s.label)
    if step.line == "mean":
        return f"The mean of {name}"
    sigmas = np.sqrt(s.variances[s.label]).tolist()
    said = f": σ {', '.join(fixed(v, 3) for v in sigmas)}" if len(sigmas) <= FEW else ""
    return f"The spread of {name}{said}"


def spread_now(given: Setting, s: State) -> list[Layer]:
    """The oval or bell at one σ of the class whose spread this step computes, in amber."""
    here = [s.label]
    shapes = np.diag(s.variances[s.label])[None]
    return shape_layers(given.problem, s.means[here], shapes, s.prior[here], Role.ACTIVE, "current")


def query_bars(given: Setting, step: Step[State]) -> Bars:
    """Bars of the chances of the query by the factors used so far, at first the priors."""
    s = step.state
    before = S(given, replace(s, used=max(0, s.used - 1)))
    return step_bars(given, step.line, S(given, s), before, s.used, given.problem.d)


def factor_line(given: Setting, s: State) -> list[Layer]:
    """The places with the query's value of the column that is multiplied, in amber; [] where the
    plane does not show it.
    """
    if s.column not in given.problem.plane:
        return []
    axis = list(given.problem.plane).index(s.column)
    ends = np.full((1, 2, 2), [[-np.inf], [np.inf]])
    ends[:, :, axis] = given.problem.to_plane(s.query[None])[0, axis]
    return [Segments(ends, Role.ACTIVE, tag="query")]


def factor_title(given: Setting, s: State) -> str:
    """The heights of the bells that a step multiplies by."""
    j = s.column
    heights = np.exp(bell_logs(s.query[j], s.means[:, j], s.variances[:, j])).tolist()
    said = f"{given.problem.titles[j]} = {fixed(float(s.query[j]))}: height of the bells "
    named = zip(given.problem.class_names, heights, strict=True)
    parts = [f"{cut(name)} {number(height, figure_digits(height))}" for name, height in named]
    return said + (", ".join(parts) if given.k < SHOWN else "of all classes")


def known(s: State) -> int:
    """How many classes have their bells: they are computed in order."""
    return int((~np.isnan(s.variances[:, 0])).sum())


def ground(given: Setting, s: State) -> list[Layer]:
    """The regions of the classes with their borders; of two classes also the lines of equal
    chances.
    """
    if known(s) < 2:
        return []
    if given.k == 2 and known(s) == 2:
        return [Field("lead", EQUAL, boundary=True)]
    if known(s) > MOST:
        return [Field("class", boundary=True)]
    return [Field("class"), *borders(given, s)]


def borders(given: Setting, s: State) -> list[Layer]:
    """The conics where the two largest S are equal, in and round the examples."""
    low, high, _ = given.problem.bounds
    room = np.where(high > low, high - low, 1.0)
    x, y = np.linspace(low - AIR * room, high + AIR * room, PLACES).T
    logs = raster(given, s, x, y)
    pieces = list[Float]()
    for one, other in combinations(range(known(s)), 2):
        if s.prior[one] == 0 or s.prior[other] == 0:
            continue
        pair = np.maximum(logs[one], logs[other])
        rest = np.delete(logs, [one, other], axis=0).max(axis=0, initial=-np.inf)
        ahead = np.where(rest <= pair, logs[one] - logs[other], np.nan)
        pieces += level_lines(x, y, ahead, (0.0,))
    return [Polyline(frozen(one_polyline(pieces)), Role.BOUNDARY, tag="classes")] if pieces else []


def bells(given: Setting, s: State) -> list[Layer]:
    """The oval of each class at one and two σ over two columns, a bell over one; the means."""
    problem = given.problem
    m = known(s)
    layers = list[Layer]()
    if m:
        shapes = np.stack([np.diag(row) for row in s.variances[:m]])
        layers += shape_layers(problem, s.means[:m], shapes, s.prior[:m])
    there = int((~np.isnan(s.means[:, 0])).sum())
    if there and len(problem.plane) == 2:
        at = problem.to_plane(s.means[:there])
        group = np.arange(there)
        tags = class_tags(given.k)[:there]
        layers.append(Points(at, group, Role.ACCEPTED, group, tag="middles", tags=tags))
    return layers


def bell_matrix(given: Setting, s: State) -> Matrix:
    """A row for each class: μ and σ of every column."""
    titles = given.problem.titles
    numbers = np.hstack([s.means, np.sqrt(s.variances)])
    d = len(titles)
    columns = tuple(f"{letter} {title}" for letter in ("μ", "σ") for title in titles)
    order = [half * d + j for j in range(d) for half in (0, 1)]
    active = tuple((s.label, c) for c in range(2 * d)) if s.label >= 0 else ()
    tags = class_tags(given.k)
    return Matrix(
        "Bells: μ and σ",
        given.problem.class_names,
        tuple(columns[c] for c in order),
        np.nan_to_num(numbers[:, order]),
        active,
        shade=False,
        row_tags=tags,
        column_tags=("",) * (2 * d),
    )
