"""The line and the probabilities around it, the pull of each example, the soft threshold.

AIMA Fig 18.17.
"""

from math import erf, sqrt

from engine.algorithms.linear.logistic_regression import Setting, State
from engine.algorithms.linear.parts import class_surface
from engine.algorithms.linear.parts import score_surface as logit_surface
from engine.algorithms.linear.parts.picture import (
    descent_title,
    moved_line,
    sizes,
    under,
    weight_bars,
)
from engine.authoring import Float, Grid, Step, np, replace
from engine.base.notation import fixed
from engine.numerics.activations import logistic
from engine.scene.scene import (
    Field,
    Layer,
    Plot,
    Polyline,
    Role,
    Scene,
    Segments,
    data_table,
    looked_at,
    plane_scene,
    points_at,
)

# of w·x, where P is that
LEVELS = tuple(float(np.log(P / (1 - P))) for P in (0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9))
REACH = 8.0  # of z, left and right


def probability_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) P(positive class) − ½ on the grid."""
    return logistic(logit_surface(given, s, grid)) - 0.5


# w·x, the logarithm of P / (1 − P): its level lines are straight however steep P is
FIELDS = {"class": class_surface, "score": probability_surface, "logit": logit_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    """The scene of a step; in a batch step the size of a point is its part of the gradient."""
    problem = given.problem
    s = step.state
    table = data_table(problem, current=looked_at(s), tag="current")
    weight = None
    if given.p.mode == "batch" and step.line in ("look", "guess", "update"):
        weight = sizes(np.abs(problem.sign * given.pulls(given.y, logistic(given.X @ s.before))))
    beneath = [Field("logit", LEVELS, tag="P")], moved_line(given, step, ("update",))
    start = "" if s.w.any() else "every P is ½, "
    title = descent_title(step, "loss", s.loss, step.details.get("loss"), start)
    bars = weight_bars(given, s, under("Weights w", title))
    figures = threshold_plot(given, s), bars, table
    made = plane_scene(
        problem,
        s,
        given.predict(s, problem.X),
        figures,
        *beneath,
        place=problem.d <= 2,
        weight=weight,
    )
    return replace(made, plane=title)


def threshold_plot(given: Setting, s: State) -> Plot:
    """A plot of the logistic curve with every example at its z, the hard threshold and the normal
    curve. AIMA Fig 18.17.
    """
    at = np.linspace(-REACH, REACH, 161)
    z = np.clip(given.X @ s.w, -REACH, REACH)
    places = np.column_stack([z, logistic(z)])
    now = list(looked_at(s))
    near = (-REACH - 0.5, REACH + 0.5)
    wanted = np.column_stack([z[now], given.problem.codes[now] == 0])
    missing = tuple(
        f"y − h = {fixed(y - h)}" for (_, y), (_, h) in zip(wanted, places[now], strict=True)
    )
    layers: list[Layer] = [
        Polyline(
            np.array([[-REACH, 0.0], [0.0, 0.0], [0.0, 1.0], [REACH, 1.0]]), Role.SAME, tag="step"
        ),
        Polyline(np.column_stack([at, probit(at)]), Role.GHOST, tag="probit"),
        Polyline(np.column_stack([at, logistic(at)]), Role.ACCEPTED, tag="P"),
        *([Segments(np.stack([places[now], wanted], axis=1), Role.ACTIVE, missing)] if now else []),
        *points_at(given.problem, places, np.where(z >= 0, 0, 1), now),
    ]
    return Plot(
        "Soft threshold h", "z = w · x", "h", tuple(layers), x_range=near, y_range=(-0.08, 1.08)
    )


def probit(z: Float) -> Float:
    """(m,) the normal distribution function at z / 1.702, which is close to the logistic
    function.
    """
    return np.asarray([0.5 + 0.5 * erf(v / (1.702 * sqrt(2.0))) for v in z.tolist()])
