"""VC bounds: how many examples are enough, how many too few, and what random rectangles really
need. ML 7.4.3, 7.4.4, Ex 7.6.
"""

from math import e, log, log2, nan
from typing import Annotated, Literal

from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Float,
    Help,
    Label,
    Needs,
    Part,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
)
from engine.authoring import (
    Setting as Given,
)
from engine.experiments.vc_bounds.boxes import Taken, drawn, holds, missed, pushed_out
from engine.sources.generators import generate

PSEUDOCODE = """
start  round:  d = VC(H)
upper:         m = (4 log₂ 2/δ + 8d log₂ 13/ε)/ε
lower:         ε < 1/8, δ < 1/100: fewer fail
strips:        by hand: s strips, each ε/s
draw   detail: R times: draw c and m examples
fit    detail:   take an h that fits
size:          mean and 95 % of its errors
done   round:  compare
"""
HYPOTHESES = (
    "rectangles and intervals are tried; half-spaces, discs, triangles and networks of threshold"
    " units are only computed"
)
TRIED = ("rectangles", "intervals")
SIZES = (5, 10, 20, 40, 80, 160)
EPSILON_BELOW, DELTA_BELOW = 1 / 8, 1 / 100  # of ML Theorem 7.3


class Params(Record, eq=True):
    hypotheses: Annotated[
        Literal["rectangles", "intervals", "half-spaces", "network", "discs", "triangles"],
        Label("Hypotheses H"),
        Help(HYPOTHESES),
    ] = "rectangles"
    learner: Annotated[
        Taken,
        Label("Learner"),
        Help("which of those that fit it takes"),
        When("hypotheses", TRIED),
    ] = "tightest"
    epsilon: Annotated[float, Range(0.01, 0.49), Label("Error ε")] = 0.15
    delta: Annotated[float, Range(0.001, 0.49), Label("Chance δ")] = 0.05
    units: Annotated[int, Range(2, 100), Label("Units s"), When("hypotheses", ("network",))] = 3
    repeats: Annotated[int, Range(10, 1000), Label("Repeats R")] = 100


class State(Record):
    """What the experiment has found is `trail`; the rest is the run that a moment looks at.

    trail: for each number of examples so far (m, mean, 2.5 %, 97.5 %) of the errors of its runs
    m: how many examples the runs have that are made now
    c: (2, axes) lower and upper corner of the hidden box, in shares of the plane's extent
    h: (2, axes) the box that the learner takes, NaN where it is empty
    X: (m, axes) the examples
    plus: (m,) which of them c holds
    """

    trail: Prefix[tuple[int, float, float, float]]
    m: int = 0
    c: Float | None = None
    h: Float | None = None
    X: Float | None = None
    plus: Bool | None = None

    @property
    def mean(self) -> float:
        """The mean error with the largest m tried so far, NaN before."""
        return self.trail[-1][1] if len(self.trail) else nan

    @property
    def high(self) -> float:
        """The 97.5 % quantile of the error with the largest m tried so far, NaN before."""
        return self.trail[-1][3] if len(self.trail) else nan


class Setting(Given[Params]):
    """The class of hypotheses, and what its VC dimension implies."""

    @property
    def axes(self) -> int:
        """The dimensions of the boxes that are tried: 2 for rectangles, 1 for intervals, 0 for
        classes that are not tried.
        """
        return {"rectangles": 2, "intervals": 1}.get(self.p.hypotheses, 0)

    @cached_property
    def dimension(self) -> float:
        """d = VC(H), for a network an upper bound. ML 7.4.2, 7.4.4, Ex 7.5."""
        known = {
            "rectangles": 4.0,
            "intervals": 2.0,
            "half-spaces": self.problem.d + 1.0,
            "discs": 3.0,
            "triangles": 7.0,
        }
        return known.get(self.p.hypotheses) or network(self.problem.d, self.p.units)

    @property
    def at_least(self) -> float:
        """A lower bound on VC(H): d, of a network that of one of its units."""
        return self.problem.d + 1.0 if self.p.hypotheses == "network" else self.dimension

    @property
    def says_too_few(self) -> bool:
        """Whether ε and δ are so small that ML Theorem 7.3 holds."""
        return self.p.epsilon < EPSILON_BELOW and self.p.delta < DELTA_BELOW


def network(inputs: int, units: int) -> float:
    """The upper bound 2 (r + 1) s log₂(e s) on the VC dimension of s layered threshold units with r
    inputs each. ML Eq 7.8.
    """
    return 2 * (inputs + 1) * units * log2(e * units)


def upper(d: float, epsilon: float, delta: float) -> float:
    """The number of examples that suffices for every consistent learner. ML Eq 7.7."""
    return (4 * log2(2 / delta) + 8 * d * log2(13 / epsilon)) / epsilon


def lower(d: float, epsilon: float, delta: float) -> float:
    """With fewer examples some distribution and concept defeat any learner, where ε < 1/8 and
    δ < 1/100. ML Theorem 7.3, which does not say of which base its logarithm is; here it is
    natural.
    """
    return max(log(1 / delta) / epsilon, (d - 1) / (32 * epsilon))


def strips(sides: float, epsilon: float, delta: float) -> float:
    """The number of examples that suffices for the tightest box of s sides. ML Ex 7.6.

    One of its s strips, each of weight ε/s, contains no example with a chance of at most
    s (1 − ε/s)ᵐ ≤ s e^(−εm/s), which is δ at this m.
    """
    return sides / epsilon * log(sides / delta)


def both_sides(epsilon: float, delta: float) -> float:
    """The number of examples that suffices for every interval that fits, empty where no example is
    +. ML Ex 7.4.

    Each end of it lies in c or beyond. It is off by less than ε/2 where the strip of that weight
    on this side of the end of c has an example. One of the four strips has none with a chance of
    at most 4 (1 − ε/2)ᵐ ≤ 4 e^(−εm/2), which is δ at this m.
    """
    return 2 / epsilon * log(4 / delta)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(Prefix([], 0))
    yield from at("start", s)
    yield from at("upper", s)
    yield from at("lower", s)
    yield from at("strips", s)
    sizes = SIZES if given.axes else ()
    for m in sizes:
        s = yield from repeated(given, at, replace(s, m=m), rng)
    yield from at("done", s)


def repeated(given: Setting, at: At, s: State, rng: Rng) -> Part[State, State]:
    """The state after R runs with m examples: the last run is shown, their errors are summed up."""
    errors = []
    for _ in range(given.p.repeats):
        c = drawn(rng, given.axes)  # a box, each side between two uniform places of [0, 1]
        X = frozen(rng.random((s.m, given.axes)))
        h = fitted(given.p.learner, c, X, rng)
        errors.append(missed(c, h))  # area(c) + area(h) − 2 area(c ∩ h)
        yield None
    s = replace(s, c=c, X=X, plus=frozen(holds(c, X)), h=None)
    yield from at("draw", s)
    s = replace(s, h=h)
    yield from at("fit", s, error=errors[-1])
    mean = float(np.mean(errors))
    low, high = np.quantile(errors, [0.025, 0.975]).tolist()
    s = replace(s, trail=s.trail.plus((s.m, mean, low, high)))
    yield from at("size", s)
    return s


def fitted(learner: Taken, c: Float, X: Float, rng: Rng) -> Float:
    """(2, axes) a box that holds just those of X (m, axes) that c holds: the tightest; one pushed
    outwards until it meets a −; or one at random between the tightest and c.

    NaN, the empty box, where c holds none of them.
    """
    plus = holds(c, X)
    if not plus.any():
        return frozen(np.full_like(c, nan))
    tightest = np.stack([X[plus].min(axis=0), X[plus].max(axis=0)])
    if learner == "loosest":
        return pushed_out(tightest, X[~plus])
    if learner == "random":
        return frozen(tightest + rng.random(c.shape) * (c - tightest))
    return frozen(tightest)


def example() -> Problem:
    """Sixteen points of a hidden rectangle."""
    return prepare(generate("hidden_rectangle", 16, seed=2))


ALGORITHM = Algorithm.of(
    __name__,
    title="VC bounds",
    task=Task.THEORY,
    source=(
        "ML 7.4.3",
        "ML 7.4.4",
        "ML 7.4.1",
        "ML Eq 7.7",
        "ML Eq 7.8",
        "ML Theorem 7.3",
        "ML Ex 7.1",
        "ML Ex 7.4",
        "ML Ex 7.6",
    ),
    needs=Needs(labels=False, missing=True),
    curves=(
        Curve("mean", "mean error", digits=4, about=("mean", "bounds")),
        Curve("high", "97.5 % of the runs err less", bound=True, digits=4, about=("mean",)),
    ),
)
