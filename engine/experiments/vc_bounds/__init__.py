"""VC bounds: how many examples are enough, how many too few, and what random rectangles really
need. ML 7.4.3, 7.4.4, Ex 7.6.
"""

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
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    When,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
)
from engine.data.generators import generate
from engine.experiments.vc_bounds.bounds import network
from engine.experiments.vc_bounds.boxes import drawn, fitted, holds, missed

PSEUDOCODE = """
start  round:  d = VC(H)
upper:         m = (4 log₂ 2/δ + 8d log₂ 13/ε)/ε
lower:         fewer than this fail somewhere
strips:        by hand: s strips, each ε/s
draw   detail: R times: draw c and m examples
fit    detail:   take an h that fits
size:          mean and 95 % of its errors
done   round:  compare
"""
SIZES = (5, 10, 20, 40, 80, 160)


class Params(Record, eq=True):
    hypotheses: Annotated[
        Literal["rectangles", "intervals", "half-spaces", "network"],
        Label("Hypotheses H"),
        Help(
            "rectangles and intervals are tried; half-spaces and networks of threshold units are"
            " only reckoned"
        ),
    ] = "rectangles"
    learner: Annotated[
        Literal["tightest", "loosest", "random"],
        Label("Learner"),
        Help("which of those that fit it takes"),
        When("hypotheses", ("rectangles", "intervals")),
    ] = "tightest"
    epsilon: Annotated[float, Range(0.01, 0.49), Label("Error ε")] = 0.15
    delta: Annotated[float, Range(0.001, 0.49), Label("Chance δ")] = 0.05
    units: Annotated[int, Range(2, 100), Label("Units s"), When("hypotheses", ("network",))] = 3
    repeats: Annotated[int, Range(10, 1000), Label("Repeats R")] = 100


class State(Record):
    """m: of the runs that are made now; c, h (2, axes): hidden and taken box of one of them, in
    shares of the plane's extent; X (m, axes), plus (m,): its examples; trail: (m, mean, 2.5 % and
    97.5 % of the errors) for each size.
    """

    trail: Prefix[tuple[int, float, float, float]]
    m: int = 0
    c: Float | None = None
    h: Float | None = None
    X: Float | None = None
    plus: Bool | None = None

    @property
    def mean(self) -> float:
        return self.trail[-1][1] if len(self.trail) else float("nan")

    @property
    def high(self) -> float:
        return self.trail[-1][3] if len(self.trail) else float("nan")


class Setting(Given[Params]):
    """axes: of the boxes, 0 where nothing is tried; dimension: VC(H), of a network an
    upper bound.
    """

    @property
    def axes(self) -> int:
        return {"rectangles": 2, "intervals": 1}.get(self.p.hypotheses, 0)

    @cached_property
    def dimension(self) -> float:
        known = {"rectangles": 4.0, "intervals": 2.0, "half-spaces": self.problem.d + 1.0}
        return known.get(self.p.hypotheses) or network(self.problem.d, self.p.units)

    def run(self, m: int, rng: Rng) -> tuple[Float, Float, Float]:
        """(c, X, h) of one run."""
        c = drawn(rng, self.axes)
        X = frozen(rng.random((m, self.axes)))
        return c, X, fitted(self.p.learner, c, X, rng)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(Prefix([], 0))
    yield from at("start", s)
    yield from at("upper", s)
    yield from at("lower", s)
    yield from at("strips", s)
    for m in SIZES if given.axes else ():
        errors = []
        for _ in range(given.p.repeats):
            c, X, h = given.run(m, rng)
            errors.append(missed(c, h))
            yield None
        s = replace(s, m=m, c=c, X=X, plus=frozen(holds(c, X)), h=None)
        yield from at("draw", s)
        s = replace(s, h=h)
        yield from at("fit", s, error=errors[-1])
        low, high = np.quantile(errors, [0.025, 0.975]).tolist()
        s = replace(s, trail=s.trail.plus((m, float(np.mean(errors)), low, high)))
        yield from at("size", s)
    yield from at("done", s)


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
