"""Learning curve: how the error on unseen rows changes with the number of rows learnt from.

AIMA 18.3.3, Fig 18.7.
"""

from typing import Annotated, Any, Literal, NamedTuple

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
    cached_property,
    field,
    replace,
)
from engine.experiments.parts.examples import nine_points
from engine.experiments.parts.loss import mean_loss
from engine.experiments.parts.study import StudySetting, empty_log, known
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import (
    SIZES,
    UP_TO,
    check_able,
    draws,
    hypothesis,
    most_rows,
    next_hypothesis,
    spread_out,
)
from engine.fit.fits import fits
from engine.fit.learners import Model, Studied, answers_of

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
    most: Annotated[int, Range(0, 100_000), Label("Up to"), Help(UP_TO)] = 0
    trials: Annotated[int, Range(1, 200), Label("Trials of each")] = 20
    spaced: Annotated[Literal["evenly", "in powers"], Label("Sizes lie")] = "evenly"
    show: Annotated[Literal["right", "wrong"], Label("Shown")] = "right"


class Point(NamedTuple):
    """A point of the curve: what the trials of one size come to, NaN where none could learn.

    size: the number of rows learnt from
    mean: of the errors on the other rows
    deviation: the standard deviation of these errors
    train: the mean error on the rows learnt from
    """

    size: int
    mean: float
    deviation: float
    train: float


class State(Record):
    """What is found are the `points`; the fields after them are what this step shows.

    points: of the sizes that are done
    size: the present number of rows
    errors: of its trials so far, on the rows not drawn
    train: of its trials so far, on the rows learnt from
    model: of this trial, or of the first one
    refused: (size, why) of draws that could not be learnt from, which count as no trial
    """

    points: Prefix[Point] = field(default_factory=empty_log)
    size: int = 0
    errors: Tally = Tally()
    train: Tally = Tally()
    model: Model | None = None
    refused: Prefix[tuple[int, str]] = field(default_factory=empty_log)

    @property
    def point(self) -> Point:
        """The point of the curve at the present size.

        It is the mean Σ e / k and the deviation √(Σ (e − mean)² / (k − 1)) of the k errors so
        far.
        """
        return Point(self.size, self.errors.mean, self.errors.deviation, self.train.mean)


class Setting(StudySetting[Params]):
    """What follows from the parameters; rows are drawn from `rows`, those with a label."""

    @cached_property
    def sizes(self) -> list[int]:
        """The numbers m of rows to learn from, ascending: p.sizes of them from 1 to `most_rows`,
        evenly or in powers, rounded.
        """
        return spread_out(most_rows(len(self.rows), self.p.most), self.p.sizes, self.p.spaced)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem = given.problem
    s = State()
    by_size = yield from draws(given.learner, given.rows, given.sizes, given.p.trials, rng)
    trials = [draw for m in given.sizes for draw in by_size[m]]
    yield from check_able(problem, reversed(trials), "draws")
    hypotheses = fits(hypothesis, problem, trials)
    for m in given.sizes:
        s = replace(s, size=m, errors=Tally(), train=Tally())
        yield from at("size", s)
        for draw in by_size[m]:
            # of the rows, shuffled, draw.rows are the first m, draw.test the others
            yield from at("draw", s)
            h = yield from next_hypothesis(hypotheses)  # h ← Learner(the m rows)
            if isinstance(h, EngineError):
                s = replace(s, refused=s.refused.plus((m, str(h))))
                yield from at("test", s, "refused")
                continue
            s = replace(s, model=h.model or s.model)
            # of classes the share of h(x) ≠ y, of values the mean of (h(x) − y)²
            e = mean_loss(problem, draw.test, h.says[draw.test])
            train = mean_loss(problem, draw.rows, h.says[draw.rows])
            s = replace(s, errors=s.errors.plus(e), train=s.train.plus(train))
            yield from at("learn", s)  # shows h with its errors
            yield from at("test", s)
        s = replace(s, points=s.points.plus(s.point))  # mean and sd of the errors
        yield from at("mean", s, "size")


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return known(error=s.errors.mean, train=s.train.mean)


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) the answers of the shown model to rows X (m, d): class codes, −1 for none, or values."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Nine points of two classes, one of them among the others."""
    return nine_points()


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
