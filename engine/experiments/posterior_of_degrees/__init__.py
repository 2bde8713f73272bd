"""The most probable polynomial: a prior that favours low degrees, times what each says of the data.

AIMA 18.2.
"""

from math import log, pi, sqrt
from typing import Annotated, Literal

from engine.algorithms.regression.parts.least_squares import sum_of_squares
from engine.algorithms.regression.polynomial_fit.curves import Curves, Fit
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Float,
    Help,
    Label,
    Mapping,
    Needs,
    Prefix,
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
from engine.numerics.closeness import OF_TERMS, settled
from engine.sources.textbook import textbook

PSEUDOCODE = """
prior  round:  P(hₖ) ∝ rᵏ for k = 0 … degree
fit    detail: hₖ ← least Σ (y − h(x))²
noise  detail: P(data | hₖ) ← Π N(y − hₖ(x); σ)
weigh:         × P(hₖ); share of all so far
choose round:  h* ← argmax P(data | h) P(h)
"""
SIMPLEST = "of degree k − 1 to that of degree k: below 1 the simpler is likelier before any data"


class Params(Record, eq=True):
    degree: Annotated[int, Range(0, 12), Label("Degree"), Help("the highest that is weighed")] = 7
    ratio: Annotated[
        float,
        Range(1e-6, 1, log=True),
        Label("Prior ratio r"),
        Help(f"of the prior {SIMPLEST}"),
    ] = 0.1
    sigma: Annotated[
        float,
        Range(1e-3, 1e3, log=True),
        Label("Noise σ"),
        Help("standard deviation of y around the curve"),
    ] = 0.5
    basis: Annotated[
        Literal["powers", "with sine"],
        Label("Basis"),
        Help("with sine: 1, x, … xᵏ and sin x. AIMA Fig 18.1(d)"),
    ] = "powers"


class Weighed(Record):
    """A degree that was weighed.

    fit: its least-squares curve
    loss: Σ (y − h)²
    likelihood: ln P(data | h)
    score: ln of likelihood times prior
    """

    fit: Fit
    loss: float
    likelihood: float
    score: float


class State(Record):
    """What is known so far; the model is the most probable curve of them.

    weighed: the degrees so far
    fit: the curve that is being weighed, None before
    loss: its Σ (y − h)²
    best: the most probable degree so far, −1 before
    """

    weighed: Prefix[Weighed]
    fit: Fit | None = None
    loss: float = float("nan")
    best: int = -1

    @property
    def posterior(self) -> Float:
        """(k,) P(h | data) of the degrees so far, which add up to 1."""
        scores = np.array([one.score for one in self.weighed], np.float64)
        weights = np.exp(scores - scores.max(initial=-np.inf))
        return frozen(weights / weights.sum())

    @property
    def ties(self) -> list[int]:
        """The degrees that are as probable as the best one."""
        if self.best < 0:
            return []
        most = self.weighed[self.best].score
        return [k for k, one in enumerate(self.weighed) if same(one.score, most)]


class Setting(Curves[Params]):
    """x (n,) and y (n,) of the examples with a value, and the prior over the degrees."""

    @property
    def penalty(self) -> float:
        """No penalty: the prior does its work."""
        return 0.0

    @cached_property
    def prior(self) -> Float:
        """(degree + 1,) P(hₖ) ∝ rᵏ, in all 1."""
        weights = self.p.ratio ** np.arange(self.p.degree + 1)
        return frozen(weights / weights.sum())

    @property
    def level(self) -> float:
        """ln(σ √(2π)), by which each example lowers ln P(data | h)."""
        return log(self.p.sigma * sqrt(2 * pi))

    def misfit(self, fit: Fit) -> float:
        """Σ (y − h)², 0 where it is within rounding of 0."""
        loss = sum_of_squares(self.errors(fit))
        return float(settled(loss, sum_of_squares(self.y), OF_TERMS**2))

    def weighed(self, fit: Fit, loss: float) -> Weighed:
        """A curve with ln P(data | h) = −Σ (y − h)² / 2σ² − n ln(σ √2π), and its prior added."""
        likelihood = float(-loss / (2 * self.p.sigma**2) - self.n * self.level)
        score = likelihood + float(np.log(self.prior[fit.degree]))
        return Weighed(fit, loss, likelihood, score)


def same(a: float, b: float) -> bool:
    """Whether two scores are equal but for rounding."""
    return bool(np.isclose(a, b, rtol=1e-12, atol=1e-9))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(Prefix([], 0))
    yield from at("prior", s)
    for k in range(given.p.degree + 1):
        fit = given.least_cost(k)
        s = replace(s, fit=fit, loss=given.misfit(fit))
        yield from at("fit", s)
        weighed = given.weighed(fit, s.loss)
        yield from at("noise", s, likelihood=weighed.likelihood)
        better = s.best < 0 or (
            weighed.score > s.weighed[s.best].score
            and not same(weighed.score, s.weighed[s.best].score)
        )
        s = replace(s, weighed=s.weighed.plus(weighed), best=k if better else s.best)
        yield from at("weigh", s, *when(better=better))
        yield None
    s = replace(s, fit=s.weighed[s.best].fit, loss=s.weighed[s.best].loss)
    yield from at("choose", s, *when(tie=len(s.ties) > 1))


def predict(given: Setting, s: State, X: Float) -> Float:
    """(m,) h(x) of rows X (m, d) by the most probable curve so far; 0 before the first."""
    x = X[:, given.column]
    if s.best < 0:
        return np.where(np.isnan(x), np.nan, 0.0)
    return s.weighed[s.best].fit(x)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    if s.best < 0:
        return {}
    return {"posterior": float(s.posterior[s.best]), "best": float(s.best)}


def example() -> Problem:
    """The seven points of AIMA Fig 18.1(c)."""
    return prepare(textbook("polynomial_seven"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Posterior of degrees",
    task=Task.REGRESS,
    source=("AIMA 18.2",),
    by_known=True,
    narrow=True,
    needs=Needs(labels=False, values=True, max_rows=200_000),
    curves=(
        Curve("posterior", "P(h* | data) among those so far"),
        Curve("best", "most probable degree", digits=0, about=("best",)),
    ),
    events=("better", "tie"),
)
