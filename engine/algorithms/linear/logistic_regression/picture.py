"""The line and the probabilities around it, the pull of each example, the soft threshold. AIMA Fig 18.17."""

from math import erf, sqrt

from engine.algorithms.linear.logistic_regression import Setting, State, predict
from engine.algorithms.linear.logistic_regression.loss import pulls
from engine.algorithms.linear.parts import score_surface as logit_surface
from engine.authoring import Float, Grid, Int, Step, np
from engine.core.notation import fixed
from engine.core.scene import Bars, Field, Layer, Plot, Points, Polyline, Role, Scene, Segments
from engine.core.scene import active_point, data_points, data_table
from engine.numerics.activations import logistic
from engine.pictures.linear import separator

LEVELS = tuple(float(np.log(P / (1 - P))) for P in (0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9))  # of w·x, where P is that
REACH = 8.0  # of z, left and right
SMALLEST = 0.1  # share of the mean size below which a point does not shrink


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    return given.called(logit_surface(given, s, grid))


def probability_surface(given: Setting, s: State, grid: Grid) -> Float:
    """P(positive class) − ½."""
    return logistic(logit_surface(given, s, grid)) - 0.5


# w·x, the logarithm of P / (1 − P): its level lines are straight however steep P is
FIELDS = {"class": class_surface, "score": probability_surface, "logit": logit_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    """In a batch step the size of a point is its pull on the line."""
    problem, s = given.problem, step.state
    current = (s.current,) if s.current >= 0 else ()
    figures = (
        threshold_plot(given, s),
        Bars("Weights w", given.names, s.w, before=s.before, tag="w"),
        data_table(problem, current=current, tag="current"),
    )
    if not problem.plane:
        return Scene((), figures)
    shown, weight = predict(given, s, problem.X), None
    if given.p.mode == "batch" and step.line in ("look", "guess", "update"):
        weight = sizes(np.abs(problem.sign * pulls(given.p.loss, given.y, logistic(given.X @ s.before))))
    ghost = [separator(problem, s.before, given.bias(s.before), Role.GHOST, "before")] if step.line == "update" else []
    layers: list[Layer] = [Field("logit", LEVELS, tag="P"), *ghost, separator(problem, s.w, given.bias(s.w))]
    layers += [data_points(problem, shown, weight)]
    layers += [active_point(problem, i, shown, place=problem.d <= 2) for i in current]
    return Scene(tuple(layers), figures)


def sizes(pull: Float) -> Float:
    """(n,) relative sizes, the mean 1; the least are still to be seen."""
    mean = float(pull.mean())
    return np.maximum(pull / mean, SMALLEST) if mean > 0 else np.ones_like(pull)


def threshold_plot(given: Setting, s: State) -> Plot:
    """The logistic curve with every example at its z; beside it the hard step and the normal curve. AIMA Fig 18.17."""
    codes, current = given.problem.codes, s.current
    at, z = np.linspace(-REACH, REACH, 161), np.clip(given.X @ s.w, -REACH, REACH)
    places = np.column_stack([z, logistic(z)])
    layers: list[Polyline | Points | Segments] = [
        Polyline(np.array([[-REACH, 0.0], [0.0, 0.0], [0.0, 1.0], [REACH, 1.0]]), Role.SAME, tag="step"),
        Polyline(np.column_stack([at, probit(at)]), Role.GHOST, tag="probit"),
        Polyline(np.column_stack([at, logistic(at)]), Role.ACCEPTED, tag="P"),
    ]
    if current >= 0:
        wanted = [places[current, 0], float(codes[current] == 0)]
        layers.append(
            Segments(
                np.array([[places[current], wanted]]),
                Role.ACTIVE,
                (f"y − h = {fixed(wanted[1] - places[current, 1])}",),
            )
        )
    layers.append(Points(places, codes, Role.POINT, np.where(z >= 0, 0, 1), tag="data"))
    if current >= 0:
        layers.append(Points(places[[current]], codes[[current]], Role.ACTIVE, tag="current"))
    return Plot(
        "h(z): the soft threshold",
        "z = w · x",
        "h",
        tuple(layers),
        x_range=(-REACH - 0.5, REACH + 0.5),
        y_range=(-0.08, 1.08),
    )


def probit(z: Float) -> Float:
    """The normal distribution at z / 1.702: the other soft threshold, hardly apart from the logistic one."""
    return np.asarray([0.5 + 0.5 * erf(v / (1.702 * sqrt(2.0))) for v in z.tolist()])
