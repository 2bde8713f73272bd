"""A curve for each learner, and below it how far each lies from the first, with its interval."""

from engine.authoring import Float, Step, np
from engine.core.scene import Figure, Line, Plot, Points, Role, Scene, data_table
from engine.experiments.learner_comparison import Setting, State
from engine.experiments.parts.curves import Axis, curve_layers
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import Surfaces, model_figures, model_layers, unseen_points

FIELDS = Surfaces()
_ROOM = 0.34  # of the width, at the right, for the names of learners


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
    x, layers = places.places(p.size for p in s.points), []
    for j, name in enumerate(given.names):
        at, means = known(x, np.array([p.means[j] for p in s.points], np.float64))
        layers += curve_layers(at, np.abs(turned - means), np.zeros(len(at)), name, tag(j), Role.PLAIN, j)
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
    """How much more each learner is right, or wrong, than the first, which is the line at 0."""
    sign, places = -1.0 if shows_right(given) else 1.0, axis(given)
    x = places.places(p.size for p in s.points)
    layers = [Line(np.array([0.0, 1.0]), 0.0, Role.GHOST, given.names[0], tag(0))]
    for j, name in enumerate(given.names[1:], 1):
        apart = [p.apart[j] for p in s.points]
        mean = np.array([d.mean for d in apart], np.float64)
        at, mean, half = known(x, mean, np.array([d.half for d in apart], np.float64))
        layers += curve_layers(at, sign * mean, np.nan_to_num(half), name, tag(j), Role.PLAIN, j)
    name = f"{given.p.show} more often than A" if not given.problem.regress else "more squared error than A"
    return Plot(
        "Differences from A", "rows learnt from", name, tuple(layers), beside=True, x_range=wide(given), x_ticks=places.ticks
    )


def tag(learner: int) -> str:
    """What lights a learner's marks."""
    return f"learner {learner}"
