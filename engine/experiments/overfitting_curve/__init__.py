"""Overfitting curve: error on seen and on unseen rows against the complexity of the model.

MIT 2.3.21-2.3.25, AIMA Fig 18.9.
"""

from typing import Annotated, Any, NamedTuple

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    EngineError,
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
    Work,
    cached_property,
    field,
    np,
    prepare,
    replace,
)
from engine.experiments.parts.loss import lowest, mean_loss
from engine.experiments.parts.splits import aside
from engine.experiments.parts.study import StudySetting, empty_log, known
from engine.experiments.parts.sweep import High, Low, Moved, Sweep, Values, model_size, swept
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import (
    MANY,
    Trial,
    check_able,
    hypothesis,
    next_hypothesis,
    trial,
)
from engine.fit.fits import fits
from engine.fit.learners import Model, Studied, answers_of
from engine.sources.generators import generate

PSEUDOCODE = """
split  round:  split the rows, n times
value  detail: for each complexity c:
learn  detail:   hᵢ ← Learner(c, rows of split i)
test   detail:   eᵢ ← error of hᵢ on the others
mean   step:     mean of the errors at c
best   round:  c* ← where it is least
"""
SHARE = "of the rows, to test on; the same splits for every complexity"


class Params(Record, eq=True):
    learner: Studied = ""
    parameter: Moved = ""
    low: Low = None
    high: High = None
    values: Values = 21
    share: Annotated[float, Range(0, 1), Label("Test share"), Help(SHARE)] = 0.5
    splits: Annotated[int, Range(1, 200, log=True), Label("Splits")] = 10


class Point(NamedTuple):
    """A complexity that is done, NaN where nothing could be learnt.

    value: of the number that is moved
    error: the mean of the errors on unseen rows
    deviation: their standard deviation
    train: the mean error on the rows learnt from
    size: of the first model, −1 where it has none
    """

    value: float
    error: float
    deviation: float
    train: float
    size: int


class State(Record):
    """What is found are the `points`; the fields after them are what this step shows.

    points: of the complexities so far
    value: the present complexity
    errors: of its splits so far, on unseen rows, NaN where nothing could be learnt
    train: of its splits so far, on the rows learnt from
    model: of the split; at `mean` that of the first split, at `best` that of the best complexity
    best: number of the best point, −1 before
    refused: (value, why) of what could not be learnt
    """

    points: Prefix[Point] = field(default_factory=empty_log)
    value: float = np.nan
    errors: Tally = Tally()
    train: Tally = Tally()
    model: Model | None = None
    best: int = -1
    refused: Prefix[tuple[float, str]] = field(default_factory=empty_log)

    @property
    def point(self) -> Point:
        """The point of the curve at the present complexity.

        It is the mean Σ e / k and the standard deviation √(Σ (e − mean)² / (k − 1)) of the k errors
        so
        far, and the size of the shown model, −1 for none.
        """
        size = None if self.model is None else model_size(self.model)
        count = -1 if size is None else size[0]
        errors = self.errors
        return Point(self.value, errors.mean, errors.deviation, self.train.mean, count)


class Setting(StudySetting[Params]):
    """What follows from the parameters: `rows` have a label, `sweep` makes the learner of each
    complexity.
    """

    @cached_property
    def sweep(self) -> Sweep:
        """The number of the learner that is moved, and its values, the complexities c.

        The number is p.parameter, say the nodes of a tree, the degree of a polynomial or the k of
        neighbours; c goes from p.low to p.high, ascending, in even steps or in powers.
        """
        return swept(self.learner, self.p, self.problem)

    @cached_property
    def m(self) -> int:
        """The number of test rows of a split, round(share · n). Raises EngineError where none are
        left to test on or to learn from.
        """
        return aside(self.p.share, len(self.rows))

    def splits(self, rng: Rng) -> Work[list[Trial]]:
        """The trials: which rows each split learns from and which it tests on."""
        few = len(self.sweep.values) * self.p.splits <= MANY
        found = list[Trial]()
        for i in range(self.p.splits):
            order = rng.permutation(self.rows)
            rest = order[: len(order) - self.m]
            test = order[len(order) - self.m :]
            found.append(trial(self.learner, rest, test, rng, keep=few or i == 0))
            yield
        return found


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem = given.problem
    values = given.sweep.values
    s = State()
    splits = yield from given.splits(rng)
    trials = [split._replace(learner=given.sweep.at(c)) for c in values for split in splits]
    yield from check_able(problem, trials, "splits")
    yield from at("split", s)
    hypotheses = fits(hypothesis, problem, trials)
    firsts = list[Model | None]()  # of each complexity the model of its first split
    for c in values:
        s = replace(s, value=c, errors=Tally(), train=Tally(), model=None)
        first = None
        yield from at("value", s)
        for split in splits:
            h = yield from next_hypothesis(hypotheses)  # h ← Learner(c, rows of the split)
            if isinstance(h, EngineError):
                s = replace(s, errors=s.errors.plus(np.nan), refused=s.refused.plus((c, str(h))))
                yield from at("test", s, "refused")
                continue
            first = first or h.model
            s = replace(s, model=h.model or s.model)
            yield from at("learn", s)
            # of classes the share of h(x) ≠ y, of values the mean of (h(x) − y)²
            e = mean_loss(problem, split.test, h.says[split.test])
            train = mean_loss(problem, split.rows, h.says[split.rows])
            s = replace(s, errors=s.errors.plus(e), train=s.train.plus(train))
            yield from at("test", s)
        firsts.append(first)
        s = replace(s, model=first)
        s = replace(s, points=s.points.plus(s.point))  # mean of the errors at c
        yield from at("mean", s)
    best = least(given, s)  # where the mean error is least, the simplest first
    s = replace(s, model=None)
    if best:
        s = replace(s, best=best[0], model=firsts[best[0]])
    yield from at("best", s, "best")


def least(given: Setting, s: State) -> list[int]:
    """Indices of the points of least error on unseen rows, the simplest model first."""
    found = lowest([point.error for point in s.points])
    return found[::-1] if given.sweep.smoothing else found


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """The errors at the present complexity, at the end those at the best one."""
    if s.best < 0:
        return known(error=s.errors.mean, train=s.train.mean)
    best = s.points[s.best]
    return known(error=best.error, train=best.train)


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) the answers of the shown model to rows X (m, d): class codes, −1 for none, or values."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Six points of two moons."""
    return prepare(generate("moons", 6, 0.3, seed=1))


ALGORITHM = Algorithm.of(
    __name__,
    title="Overfitting curve",
    task=Task.EVALUATE,
    source=("AIMA Fig 18.9", "MIT 2.3.21-2.3.25", "MIT 2.1.25-2.1.31", "MIT 2.3.27-2.3.32"),
    needs=Needs(values=True, missing=True, min_rows=2),
    curves=(
        Curve("error", "mean error on unseen rows", about=("curve",)),
        Curve("train", "mean error on rows learnt from", bound=True, about=("train",)),
    ),
    events=("refused", "best"),
)
