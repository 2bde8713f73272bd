"""Polynomials of growing degree, and Ockham's choice among those that meet every point.

AIMA 18.2, 18.4.3, MMDS 12.1.
"""

from typing import Annotated, Literal

from engine.algorithms.regression.parts.least_squares import root_mean_square, sum_of_squares
from engine.algorithms.regression.polynomial_fit.curves import Curves, Fit
from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Dataset,
    Float,
    Help,
    Label,
    Mapping,
    Needs,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.base.arrays import Prefix
from engine.numerics.closeness import OF_TERMS, settled

PSEUDOCODE = """
grow   detail: for k = 0, 1, … degree
fit    round:    hₖ ← least Loss + λ Σ c²
test:            is hₖ consistent with all y?
choose round:  take the simplest consistent hₖ
"""
SINE = "with sine: 1, x, … x^k and sin x. AIMA Fig 18.1(d)"
MEAN = "of the mean squared loss: (1/N) Σ (y − h)² + λ (c₁² + c₂² + …); c₀ is free"
SIMPLEST = "simplest consistent: end with the lowest degree that meets every point, if there is one"
Take = Literal["highest degree", "simplest consistent"]


class Params(Record, eq=True):
    degree: Annotated[
        int, Range(0, 30), Label("Degree"), Help("the highest; all lower ones are fitted first")
    ] = 6
    basis: Annotated[Literal["powers", "with sine"], Label("Basis"), Help(SINE)] = "powers"
    penalty: Annotated[float, Range(0, 1e3, log=True), Label("Penalty λ"), Help(MEAN)] = 0.0
    take: Annotated[Take, Label("Take"), Help(SIMPLEST)] = "highest degree"


class Tried(Record):
    """A fitted degree: its curve, its loss Σ (y − h)², the number of points it misses."""

    fit: Fit
    loss: float
    missed: int


class State(Record):
    """The model is the curve of `degree` among those that were `tried`.

    degree: that of the curve in force, −1 before the first
    coefficients: (k,) its c₀, c₁, … and that of sin x, none before the first curve
    tried: every degree so far
    chosen: the simplest consistent degree once it is known, else −1
    """

    degree: int
    coefficients: Float
    tried: Prefix[Tried]
    chosen: int = -1

    @property
    def consistent(self) -> list[int]:
        """The degrees whose curves pass through every point."""
        return [t.fit.degree for t in self.tried if not t.missed]


class Setting(Curves[Params]):
    """x (n,) and y (n,) of the examples with a value, over the single column used."""

    @cached_property
    def places(self) -> int:
        """The number of different x."""
        return len(np.unique(self.x))

    def misses(self, errors: Float) -> Bool:
        """(m,) where an error (m,) is larger than a millionth of the spread of y."""
        spread = float(np.ptp(self.y)) or float(np.abs(self.y).max()) or 1.0
        return np.asarray(np.abs(errors) > 1e-6 * spread)

    def tried(self, fit: Fit) -> Tried:
        """The fitted curve with its loss, which is 0 where it is within rounding of 0."""
        errors = self.errors(fit)  # y − h(x)
        loss = settled(sum_of_squares(errors), sum_of_squares(self.y), OF_TERMS**2)
        return Tried(fit, loss, int(self.misses(errors).sum()))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(-1, frozen(np.zeros(0)), Prefix([], 0))
    for k in range(given.p.degree + 1):
        yield from at("grow", s)
        fit = given.least_cost(k)  # least (1/N) Σ (y − h)² + λ (c₁² + … + cₖ²)
        tried = given.tried(fit)
        s = State(k, fit.powers, s.tried.plus(tried))
        consistent = tried.missed == 0
        yield from at("fit", s, *when(not_unique=not fit.unique, consistent=consistent))
        yield from at("test", s)  # consistent with all y: it misses none, see `missed`
    if s.consistent:
        simplest = s.consistent[0]  # Ockham's razor: the lowest degree
        k = simplest if given.p.take == "simplest consistent" else s.degree
        s = replace(s, degree=k, coefficients=s.tried[k].fit.powers, chosen=simplest)
    yield from at("choose", s, "chosen")


def values(s: State, x: Float) -> Float:
    """(m,) h(x) of the present curve at x (m,); 0 before the first one, NaN where x is unknown."""
    if s.degree < 0:
        return np.where(np.isnan(x), np.nan, 0.0)
    return s.tried[s.degree].fit(x)


def predict(given: Setting, s: State, X: Float) -> Float:
    """(m,) h(x) of rows X (m, d)."""
    return values(s, X[:, given.column])


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    loss = s.tried[s.degree].loss if s.degree >= 0 else sum_of_squares(given.y)
    return {
        "rmse": root_mean_square(loss, given.n),
        "loss": loss,
        "degree": float(max(s.degree, 0)),
    }


def example() -> Problem:
    """Seven points of y = 0.4 x + 3 + sin x, through which a curve of degree 6 passes."""
    x = np.arange(0.0, 13.0, 2.0)
    y = 0.4 * x + 3 + np.sin(x)
    return prepare(Dataset.from_columns({"x": x, "y": y}, "y", task="regress"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Polynomial fit",
    task=Task.REGRESS,
    source=("AIMA 18.2", "AIMA 18.4.3", "MMDS Exercise 12.1.1"),
    by_known=True,
    narrow=True,
    needs=Needs(labels=False, values=True, max_rows=200_000),
    curves=(
        Curve("rmse", "root mean square error", about=("errors", "training")),
        Curve("loss", "Σ (y − h)²"),
        Curve("degree", "degree", digits=0, about=("curve",)),
    ),
    events=("consistent", "not unique", "chosen"),
)
