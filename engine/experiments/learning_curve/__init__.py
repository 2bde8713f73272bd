"""Learning curve: how the error on unseen rows changes with the number of rows learnt from.

AIMA 18.3.3, Fig 18.7.
"""

from typing import Annotated, Any, Literal, NamedTuple

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
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
    prepare,
    replace,
)
from engine.fit.fits import fits
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.learners import Model, Studied, answers_of, studying
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import SIZES, check_able, draws, outcome, spread_out, tried

PSEUDOCODE = """
size  step:   for each number of rows m:
draw  detail:   repeat: draw m rows
learn detail:     h ← Learner(the m rows)
test  step:       e ← error of h on the others
mean  round:    mean and sd of the errors
"""


class Params(Record, eq=True):
    learner: Studied = ""
    sizes: Annotated[int, Range(2, 200), Label("Sizes"), Help(SIZES)] = 12
    trials: Annotated[int, Range(1, 200), Label("Trials of each")] = 20
    spaced: Annotated[Literal["evenly", "in powers"], Label("Sizes lie")] = "evenly"
    show: Annotated[Literal["right", "wrong"], Label("Shown")] = "right"


class Point(NamedTuple):
    """A size that is done: mean and deviation of the errors on rows not learnt from, the mean on
    those that were.
    """

    size: int
    mean: float
    deviation: float
    train: float


class State(Record):
    """points: the sizes that are done; size: now; errors, train: of its trials so far; model: of
    this trial, or of the first one; refused: (size, why) of draws that could not be learnt from,
    counted as no trial.
    """

    points: Prefix[Point] = field(default_factory=lambda: Prefix([], 0))
    size: int = 0
    errors: Tally = Tally()
    train: Tally = Tally()
    model: Model | None = None
    refused: Prefix[tuple[int, str]] = field(default_factory=lambda: Prefix([], 0))


class Setting(Given[Params]):
    """learner: that is studied; rows: those with a label; sizes: how many of them are learnt from,
    ascending.
    """

    learner = cached_property(lambda self: studying(self.p.learner, self.problem))
    rows = cached_property(lambda self: labelled_rows(self.problem))
    sizes = cached_property(
        lambda self: spread_out(len(self.rows) - 1, self.p.sizes, self.p.spaced)
    )


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    trials = given.p.trials
    s = State()
    jobs = yield from draws(given.learner, given.rows, given.sizes, trials, rng)
    yield from check_able(given.problem, reversed(jobs), "draws")
    told = fits(tried, given.problem, jobs)
    for m in given.sizes:
        s = replace(s, size=m, errors=Tally(), train=Tally())
        yield from at("size", s)
        for _ in range(trials):
            yield from at("draw", s)
            found = yield from outcome(told)
            if found.why:
                s = replace(s, refused=s.refused.plus((m, found.why)))
                yield from at("test", s, "refused")
                continue
            errors, train = s.errors.plus(found.error), s.train.plus(found.train)
            s = replace(s, errors=errors, train=train, model=found.model or s.model)
            yield from at("learn", s)
            yield from at("test", s)
        s = replace(
            s, points=s.points.plus(Point(m, s.errors.mean, s.errors.deviation, s.train.mean))
        )
        yield from at("mean", s, "size")


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    known = {"error": s.errors.mean, "train": s.train.mean}
    return {name: value for name, value in known.items() if value == value}


def predict(given: Setting, s: State, X: Float) -> Any:
    """What the shown model says."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Nine points of two classes, one of them among the others."""
    x, y = (
        [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 4.5, 5.0, 5.5],
        [2.0, 1.0, 3.0, 2.0, 1.0, 4.0, 3.0, 5.0, 4.0],
    )
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "class": list("AAAABABBB")}, "class"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Learning curve",
    task=Task.EVALUATE,
    source=("AIMA Fig 18.7", "MIT 2.3.7-2.3.8", "MIT 2.3.10-2.3.12", "LS, Performance measurement"),
    needs=Needs(values=True, missing=True, min_rows=3),
    curves=(
        Curve("error", "mean error on unseen rows", about=("curve",)),
        Curve("train", "mean error on rows learnt from", about=("curve",)),
    ),
    events=("size", "refused"),
)
