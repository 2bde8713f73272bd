"""The curve in force with its residuals, its coefficients, and the errors of every degree on
training and held-out rows.
"""

from engine.algorithms.regression.polynomial_fit import Setting, State, values
from engine.algorithms.regression.polynomial_fit.words import term_names
from engine.authoring import Float, Iterator, Step, np
from engine.core.scene import NO_GROUP, Bars, Layer, Plot, Points, Polyline, Role, Scene, data_table
from engine.core.tags import HELD_OUT_POINTS, joined
from engine.algorithms.regression.parts.least_squares import root_mean_square, sum_of_squares
from engine.pictures.regression import curve_layers, feet, points_layer, residuals


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    layers = curves(given, s, step.line == "choose") if s.degree >= 0 else ()
    figures = (errors(given, s), bars(s)) if s.degree >= 0 else ()
    return Scene((*layers, points_layer(problem)), (*figures, data_table(problem)))


def curves(given: Setting, s: State, choosing: bool) -> Iterator[Layer]:
    """The curve in force with its residuals and the former one; at the end all consistent curves,
    the simplest marked.
    """

    def curve(k: int, role: Role, tag: str, label: str = "") -> list[Layer]:
        return curve_layers(
            given.problem, lambda X: s.tried[k].fit(X[:, given.column]), role, tag, label
        )

    if choosing and s.chosen >= 0:
        for k in s.consistent:
            if k not in (s.degree, s.chosen):
                yield from curve(k, Role.GHOST, f"degree {k}")
        if s.chosen != s.degree:
            yield from curve(
                s.chosen, Role.ACCEPTED, f"degree {s.chosen}", f"degree {s.chosen}, simplest"
            )
    elif s.degree > 0:
        yield from curve(s.degree - 1, Role.GHOST, "before")
    yield from residuals(
        given.problem, feet(given.problem, values(s, given.problem.X[:, given.column]))
    )
    yield from curve(s.degree, Role.BOUNDARY, joined("curve", f"degree {s.degree}"))


def bars(s: State) -> Bars:
    """The coefficients of the powers, and of the sine."""
    names = term_names(s.degree, s.tried[s.degree].fit.sine)
    digits = 2 if np.abs(s.coefficients).max() >= 1 else 4
    return Bars("Coefficients c", names, s.coefficients, digits=digits, tag="coefficients")


def errors(given: Setting, s: State) -> Plot:
    """Root mean square errors by degree; that of the curve in force is marked, and there is room
    for all degrees. Each dot has the tag of its degree. The axis ends where the training errors do,
    so that one wild curve does not flatten the rest.
    """
    training = np.array([[t.fit.degree, root_mean_square(t.loss, given.n)] for t in s.tried])
    held = held_out_errors(given, s)
    none = np.full(len(training), NO_GROUP)
    layers: list[Layer] = [
        Polyline(
            training, Role.PLAIN, label="training" if held is not None else "", tag="training"
        ),
        *(Points(row[None], none[:1], Role.SAMPLE, tag=f"degree {row[0]:.0f}") for row in training),
    ]
    top = float(training[:, 1].max())
    if held is not None:
        top = max(top, 2.5 * float(held[:, 1].min()))
        shown = np.where(held[:, 1:] <= 4 * top, held, [[0.0, np.nan]] + held * [[1.0, 0.0]])
        layers += [
            Polyline(shown, Role.HELD_OUT, label="held out", tag=HELD_OUT_POINTS),
            Points(
                held[[int(held[:, 1].argmin())]],
                none[:1],
                Role.SUPPORT,
                label=("least",),
                tag=HELD_OUT_POINTS,
            ),
        ]
    layers.append(
        Points(training[[s.degree]], none[:1], Role.ACTIVE, tag=joined("now", f"degree {s.degree}"))
    )
    ranges = (-0.5, max(given.p.degree, 1) + 0.5)
    heights = (-0.2 * top, 1.3 * top or 1.0)
    return Plot(
        "Errors", "degree", "RMSE", tuple(layers), beside=True, x_range=ranges, y_range=heights
    )


def held_out_errors(given: Setting, s: State) -> Float | None:
    if given.problem.held_out is None:
        return None
    held = Setting(given.problem.held_out, given.p)
    return np.array(
        [
            [t.fit.degree, root_mean_square(sum_of_squares(held.y - t.fit(held.x)), held.n)]
            for t in s.tried
        ]
    )
