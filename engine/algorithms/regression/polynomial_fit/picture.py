"""The curve in force with its residuals, its coefficients, and the errors of every degree on
training and held-out rows.
"""

from engine.algorithms.regression.parts.least_squares import root_mean_square, sum_of_squares
from engine.algorithms.regression.polynomial_fit import Setting, State, values
from engine.algorithms.regression.polynomial_fit.words import term_names
from engine.authoring import Float, Iterator, Step, np
from engine.base.notation import number
from engine.base.tags import HELD_OUT_POINTS, joined
from engine.scene.regression import curve_layers, feet, points_layer, residuals
from engine.scene.scene import (
    NO_GROUP,
    Bars,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    data_table,
)


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    points = points_layer(problem)
    table = data_table(problem)
    if s.degree < 0:
        return Scene((points,), (table,), plane=plane_title(given, step))
    layers = curves(given, s, step.line)
    rings = missed(given, s) if step.line == "test" else ()
    figures = (errors(given, s, step.line == "choose"), bars(s), table)
    return Scene((*layers, points, *rings), figures, plane=plane_title(given, step))


def plane_title(given: Setting, step: Step[State]) -> str:
    """What is fitted, how many points it misses, or which degrees meet all of them."""
    s = step.state
    if step.line == "grow":
        return f"Degree {len(s.tried)} is next"
    last = s.tried[-1]
    if step.line == "choose":
        if not s.consistent:
            return f"No degree up to {last.fit.degree} meets every point"
        if len(s.consistent) == 1:
            sine = " with the sine" if given.p.basis == "with sine" else ""
            return f"Degree {s.chosen}{sine} alone meets every point"
        return f"Degree {s.chosen}: the simplest that meets every point"
    if step.line == "test":
        if last.missed:
            return f"Degree {last.fit.degree}: {last.missed} of {given.n} missed (ringed)"
        return f"Degree {last.fit.degree}: every point is met"
    return f"Degree {last.fit.degree}: the best curve"


def missed(given: Setting, s: State) -> tuple[Points, ...]:
    """Rings around the examples that the curve misses."""
    problem = given.problem
    errors = problem.y - values(s, problem.X[:, given.column])  # NaN, and no miss, without a value
    rows = np.flatnonzero(given.misses(errors))
    group = np.full(len(rows), NO_GROUP)
    tags = problem.tags_of(rows.tolist())
    return (Points(problem.xy[rows], group, Role.NEIGHBOUR, tag="off", tags=tags),)


def curves(given: Setting, s: State, line: str) -> Iterator[Layer]:
    """The present curve with residuals, when it is new also the previous one; at the end, `choose`,
    all consistent curves, the simplest marked, and the straight line if it misses points.
    """
    problem = given.problem

    def curve(k: int, role: Role, tag: str, label: str = "") -> list[Layer]:
        def h(X: Float) -> Float:
            return s.tried[k].fit(X[:, given.column])

        return curve_layers(problem, h, role, tag, label)

    if line == "choose" and s.chosen >= 0:
        for k in s.consistent:
            if k not in (s.degree, s.chosen):
                yield from curve(k, Role.GHOST, f"degree {k}")
        if s.chosen != s.degree:
            name = f"degree {s.chosen}"
            yield from curve(s.chosen, Role.ACCEPTED, name, f"{name}, simplest")
        if s.chosen > 1:
            yield from curve(1, Role.GHOST, "degree 1", "degree 1")
    elif s.degree > 0 and line == "fit":
        yield from curve(s.degree - 1, Role.GHOST, "before")
    yield from residuals(problem, feet(problem, values(s, problem.X[:, given.column])))
    yield from curve(s.degree, Role.BOUNDARY, joined("curve", f"degree {s.degree}"))


def bars(s: State) -> Bars:
    """Bars of the coefficients of the powers and the sine."""
    names = term_names(s.degree, s.tried[s.degree].fit.sine)
    digits = 2 if np.abs(s.coefficients).max() >= 1 else 4
    return Bars("Coefficients c", names, s.coefficients, digits=digits, tag="coefficients")


def errors(given: Setting, s: State, choosing: bool) -> Plot:
    """Root mean square errors by degree, that of the curve in force marked, at the end that of the
    simplest consistent one, if there is any; with room for all degrees.

    Each dot has the tag of its degree. The axis ends where the training errors do, so that one wild
    curve does not flatten the rest.
    """
    training = np.array([[t.fit.degree, root_mean_square(t.loss, given.n)] for t in s.tried])
    held = held_out_errors(given, s)
    top = float(training[:, 1].max())
    name = ""
    if held is not None:
        top = max(top, 2.5 * float(held[:, 1].min()))
        name = "training"
    layers: list[Layer] = [Polyline(training, Role.PLAIN, label=name, tag="training")]
    for degree, error in training:
        layers.append(dot(degree, error, Role.SAMPLE, f"degree {degree:.0f}"))
    if held is not None:
        shown = held.copy()
        shown[held[:, 1] > 4 * top, 1] = np.nan
        layers.append(Polyline(shown, Role.HELD_OUT, label="held out", tag=HELD_OUT_POINTS))
        degree, error = held[int(held[:, 1].argmin())]
        layers.append(dot(degree, error, Role.SUPPORT, HELD_OUT_POINTS, ("least",)))
    now = s.chosen if choosing else s.degree
    if now >= 0:
        degree, error = training[now]
        tag = joined("now", f"degree {now}")
        layers.append(dot(degree, error, Role.ACTIVE, tag, (number(error),)))
    ranges = (-0.5, max(given.p.degree, 1) + 0.5)
    heights = (-0.2 * top, 1.3 * top or 1.0)
    return Plot(
        "Errors", "degree", "RMSE", tuple(layers), beside=True, x_range=ranges, y_range=heights
    )


def dot(degree: float, error: float, role: Role, tag: str, label: tuple[str, ...] = ()) -> Points:
    """A mark at (degree, error) in the plot of errors."""
    return Points(np.array([[degree, error]]), np.array([NO_GROUP]), role, label=label, tag=tag)


def held_out_errors(given: Setting, s: State) -> Float | None:
    """(degrees, 2) each degree with its root mean square error on the rows that were held out."""
    if given.problem.held_out is None:
        return None
    held = Setting(given.problem.held_out, given.p)
    found = []
    for tried in s.tried:
        loss = sum_of_squares(held.y - tried.fit(held.x))
        found.append([tried.fit.degree, root_mean_square(loss, held.n)])
    return np.array(found)
