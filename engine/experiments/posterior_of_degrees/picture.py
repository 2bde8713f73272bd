"""The curve that is weighed with its errors, and the most probable one so far; the posterior of the
degrees over their prior.
"""

from engine.authoring import Bars, Float, Layer, Role, Scene, Step, data_table, frozen, np
from engine.base.tags import joined
from engine.experiments.posterior_of_degrees import Setting, State
from engine.scene.regression import curve_layers, feet, points_layer, residuals


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    chosen = step.line == "choose"
    layers = [*curves(given, s, chosen), points_layer(problem)]
    figures = (posterior(given, s, chosen), data_table(problem))
    title = f"The curve of degree {s.fit.degree}" if s.fit is not None else ""
    return Scene(tuple(layers), figures, leads=("Plane", "Posterior"), plane=title)


def curves(given: Setting, s: State, chosen: bool) -> list[Layer]:
    """The curve of now with its errors, in amber until one is chosen, and the most probable one
    where that is another.
    """
    problem = given.problem
    if s.fit is None:
        return []
    fit = s.fit

    def now(X: Float) -> Float:
        return fit(X[:, given.column])

    def best(X: Float) -> Float:
        return s.weighed[s.best].fit(X[:, given.column])

    layers = list(residuals(problem, feet(problem, now(problem.X))))
    if s.best >= 0 and s.best != fit.degree:
        name = f"degree {s.best}, best"
        layers += curve_layers(problem, best, Role.MARGIN, "best", name)
    role = Role.BOUNDARY if chosen else Role.ACTIVE
    return [*layers, *curve_layers(problem, now, role, f"degree {fit.degree}")]


def posterior(given: Setting, s: State, chosen: bool) -> Bars:
    """Bars of P(h | data) of the degrees so far, with the prior of each as a tick, NaN for those
    not weighed yet; before the first, bars of the prior. Amber is the degree of the present
    curve, in the end the best.
    """
    k = range(given.p.degree + 1)
    shares = np.full(len(given.prior), np.nan)
    shares[: len(s.weighed)] = s.posterior if s.weighed else np.nan
    now = -1 if s.fit is None else s.fit.degree
    roles = tuple(Role.ACTIVE if j == now else Role.PLAIN for j in k)
    weighed = len(s.weighed) > 0
    return Bars(
        "Posterior",
        tuple(f"degree {j}" for j in k),
        frozen(shares) if weighed else given.prior,
        roles,
        before=given.prior if weighed else None,
        unit="P(h | data)" if weighed else "P(h)",
        digits=4,
        beside=True,
        tag=joined("posterior", "prior"),
        tags=tuple(tags_of(s, j) for j in k),
        ticks="prior P(h)",
        checked=chosen,
    )


def tags_of(s: State, degree: int) -> str:
    """The tags of the bar of a degree: itself, its shares, and whether it is the most probable."""
    names = [f"degree {degree}", "posterior", "prior"]
    return joined(*names, "best") if degree == s.best else joined(*names)
