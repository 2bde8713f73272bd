"""A curve for each learner, and below it how far each lies from the first, with its interval."""

from engine.authoring import Float, Step, np
from engine.core.scene import Figure, Layer, Line, Plot, Points, Polyline, Role, Scene, Segments, data_table
from engine.experiments.learner_comparison import Setting, State
from engine.experiments.parts.curves import Axis
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import Surfaces, model_figures, model_layers, unseen_points

FIELDS = Surfaces()
_ROOM = 0.34  # of the width, at the right, for the names of learners
_ASIDE = 0.008  # of the width, between the intervals of one size


def scene(given: Setting, step: Step[State]) -> Scene:
    s, problem = step.state, given.problem
    others = np.zeros(0, np.intp) if s.model is None else np.setdiff1d(given.rows, s.model.rows)
    learnt = None if s.model is None else np.isin(np.arange(problem.n), s.model.rows)
    own = (curves(given, s), differences(given, s), *model_figures(s.model))
    figures: tuple[Figure, ...] = (*own, data_table(problem, active=learnt))
    plane = (*model_layers(s.model, problem), *unseen_points(problem, others))
    return Scene(plane, figures, leads=("Learner comparison", "Differences"))


def shows_right(given: Setting) -> bool:
    """The curves show what is right, not what is wrong."""
    return given.p.show == "right" and not given.problem.regress


def axis(given: Setting) -> Axis:
    return Axis(1, len(given.rows), given.p.spaced == "in powers")


def wide(given: Setting) -> tuple[float, float]:
    """The axis of sizes with room for names at its end."""
    low, high = axis(given).range
    return low, high + _ROOM * (high - low)


def known(x: Float, *lines: Float) -> tuple[Float, ...]:
    """x and the lines (m,) where the first line has a value."""
    there = np.isfinite(lines[0])
    return tuple(line[there] for line in (x, *lines))


def curves(given: Setting, s: State) -> Plot:
    """The means over the sizes that are done, and a dot for each trial of the size that is in work."""
    turned, places = 1.0 if shows_right(given) else 0.0, axis(given)  # share right is 1 − share wrong
    x = places.places(p.size for p in s.points)
    layers: list[Layer] = []
    for j, name in enumerate(given.names):
        at, means = known(x, np.array([p.means[j] for p in s.points], np.float64))
        curve = np.column_stack([at, np.abs(turned - means)])
        layers.append(Polyline(curve, Role.PLAIN, group=j, label=name, tag=tag(j)))
        errors = np.abs(turned - np.array([e for e in (s.errors[j] if s.errors else ()) if e == e]))
        dots = np.column_stack([np.full(len(errors), places.place(max(1, s.size))), errors])
        layers.append(Points(dots, np.full(len(dots), j), Role.SAMPLE, tag=tag(j)))
    name = "right on unseen rows" if shows_right(given) else loss_name(given.problem)
    chance = 1 / max(2, len(given.problem.classes))
    shares = (max(0.0, chance - 0.25), 1.1) if shows_right(given) else (-0.05, min(1.05, 1.25 - chance))
    return Plot(
        "Learner comparison", "rows learnt from", name, tuple(layers), beside=True, x_range=wide(given),
        y_range=None if given.problem.regress else shares, x_ticks=places.ticks,
    )  # fmt: skip


def differences(given: Setting, s: State) -> Plot:
    """How much more each learner is right, or wrong, than the first, which is the line at 0; with intervals, side by side."""
    sign, places = -1.0 if shows_right(given) else 1.0, axis(given)
    x, aside = places.places(p.size for p in s.points), _ASIDE * (wide(given)[1] - wide(given)[0])
    layers: list[Layer] = [Line(np.array([0.0, 1.0]), 0.0, Role.GHOST, given.names[0], tag(0))]
    for j, name in enumerate(given.names[1:], 1):
        mean = np.array([sign * p.apart[j].mean for p in s.points], np.float64)
        at, mean, half = known(x + (j - 1) * aside, mean, np.array([p.apart[j].half for p in s.points], np.float64))
        xy, bars = np.column_stack([at, mean]), np.column_stack([at, mean - half, at, mean + half]).reshape(-1, 2, 2)
        layers.append(Segments(bars[np.isfinite(half)], Role.SAMPLE, tag="interval"))
        layers.append(Polyline(xy, Role.PLAIN, group=j, label=name, tag=tag(j)))
        layers.append(Points(xy, np.full(len(xy), j), Role.SAMPLE, tag=tag(j)))
    more = "more squared error" if given.problem.regress else f"{given.p.show} more often"
    return Plot(
        "Differences", "rows learnt from", f"{more} than {given.names[0]}", tuple(layers), beside=True,
        x_range=wide(given), x_ticks=places.ticks,
    )  # fmt: skip


def tag(learner: int) -> str:
    """What lights a learner's marks."""
    return f"learner {learner}"
