"""Overfitting curve: error on seen and on unseen rows against the complexity of the model.

MIT 2.3.21-2.3.25, AIMA Fig 18.9.
"""

from typing import Annotated, Any, NamedTuple

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
    Setting as Given,
    Steps,
    Task,
    cached_property,
    field,
    np,
    prepare,
    replace,
)
from engine.data.generators import generate
from engine.fit.fits import fits
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.learners import Model, Studied, answers_of, studying
from engine.experiments.parts.loss import lowest
from engine.experiments.parts.splits import aside
from engine.experiments.parts.sweep import High, Low, Moved, Values, model_size, swept
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import MANY, Trial, check_able, drawn, outcome, tried

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
    """A complexity that is done: mean and deviation of the errors on unseen rows, mean on seen
    ones; size of the first model, −1 unknown.
    """

    value: float
    error: float
    deviation: float
    train: float
    size: int


class State(Record):
    """points: of the complexities so far; value: the present one; errors, train: of its splits;
    model: of the split, at the mean of the first one, at the end that of the best; best: number of
    the best point, −1 before; refused: (value, why) of what could not be learnt.
    """

    points: Prefix[Point] = field(default_factory=lambda: Prefix([], 0))
    value: float = np.nan
    errors: Tally = Tally()
    train: Tally = Tally()
    model: Model | None = None
    best: int = -1
    refused: Prefix[tuple[float, str]] = field(default_factory=lambda: Prefix([], 0))


class Setting(Given[Params]):
    """learner: that is studied; sweep: its number that is moved; rows: those with a label; m: to
    test on.
    """

    learner = cached_property(lambda self: studying(self.p.learner, self.problem))
    sweep = cached_property(lambda self: swept(self.learner, self.p, self.problem))
    rows = cached_property(lambda self: labelled_rows(self.problem))
    m = cached_property(lambda self: aside(self.p.share, len(self.rows)))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State()
    sweep = given.sweep
    m = len(given.rows) - given.m
    splits = list[Trial]()
    keep = len(sweep.values) * given.p.splits <= MANY
    for i in range(given.p.splits):
        splits.append(drawn(given.learner, given.rows, m, rng, keep or not i))
        yield None
    jobs = [trial._replace(learner=sweep.at(c)) for c in sweep.values for trial in splits]
    yield from check_able(given.problem, jobs, "splits")
    yield from at("split", s)
    told = fits(tried, given.problem, jobs)
    firsts = list[Model | None]()
    for c in sweep.values:
        s = replace(s, value=c, errors=Tally(), train=Tally(), model=None)
        first = None
        yield from at("value", s)
        for _ in splits:
            found = yield from outcome(told)
            if found.why:
                s = replace(s, errors=s.errors.plus(np.nan), refused=s.refused.plus((c, found.why)))
                yield from at("test", s, "refused")
                continue
            s = replace(s, model=found.model or s.model)
            first = first or found.model
            yield from at("learn", s)
            s = replace(s, errors=s.errors.plus(found.error), train=s.train.plus(found.train))
            yield from at("test", s)
        size = (first and model_size(first)) or (-1, "")
        point = Point(c, s.errors.mean, s.errors.deviation, s.train.mean, size[0])
        s = replace(s, points=s.points.plus(point), model=first)
        firsts.append(first)
        yield from at("mean", s)
    best = least(given, s)
    yield from at(
        "best",
        replace(s, best=best[0] if best else -1, model=firsts[best[0]] if best else None),
        "best",
    )


def least(given: Setting, s: State) -> list[int]:
    """The points of least error on unseen rows, the simplest first."""
    found = lowest([p.error for p in s.points])
    return found[::-1] if given.sweep.smoothing else found


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """Of the present complexity, at the end of the best one."""
    error, train = (
        (s.points[s.best].error, s.points[s.best].train)
        if s.best >= 0
        else (s.errors.mean, s.train.mean)
    )
    known = {"error": error, "train": train}
    return {name: value for name, value in known.items() if value == value}


def predict(given: Setting, s: State, X: Float) -> Any:
    """What the shown model says."""
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
