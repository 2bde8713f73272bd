"""Learner comparison: learning curves of several learners, which draw the same rows and are tested
on the same others. AIMA 18.11.2.
"""

from math import nan, sqrt
from typing import Annotated, Any, Literal, NamedTuple

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
    Part,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    field,
    np,
    prepare,
    replace,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.experiments.parts.compared import names_of, several
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.loss import mean_loss
from engine.experiments.parts.study import empty_log
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import (
    SIZES,
    UP_TO,
    Hypotheses,
    Trial,
    check_able,
    draws,
    hypothesis,
    most_rows,
    next_hypothesis,
    spread_out,
)
from engine.fit.fits import fits
from engine.fit.learners import Model, Studying, answers_of
from engine.protocol.params import Learner

PSEUDOCODE = """
size  step:   for each number of rows m:
draw  detail:   repeat: draw m rows
learn detail:     each learner L: h ← L(them)
test  step:       e(L) ← error on the others
mean  round:    mean of e(L), for each L
pair  round:    d = e(L) − e(A): mean ± t·sd/√k
"""
LEARNERS = (
    "A is what the others are measured against; with fewer than two, usual ones that fit the data"
    " join them"
)
CONFIDENCE = "of the intervals; trials share rows, so the truth is less sure than it seems"


class Params(Record, eq=True):
    learners: Annotated[tuple[str, ...], Learner(5), Label("Learners"), Help(LEARNERS)] = ()
    sizes: Annotated[int, Range(2, 200), Label("Sizes"), Help(SIZES)] = 8
    most: Annotated[int, Range(0, 100_000), Label("Up to"), Help(UP_TO)] = 0
    trials: Annotated[int, Range(1, 200), Label("Trials of each")] = 10
    spaced: Annotated[Literal["in powers", "evenly"], Label("Sizes lie")] = "in powers"
    confidence: Annotated[float, Range(0.5, 0.999), Label("Confidence"), Help(CONFIDENCE)] = 0.95
    show: Annotated[Literal["right", "wrong"], Label("Shown")] = "right"


class Paired(NamedTuple):
    """How far the errors of a learner lie from those of A on the same rows.

    mean: of d, the differences of the trials that both have
    deviation: the standard deviation of d
    trials: how many there are, k
    t: Student's quantile
    half: t · sd / √k, half the interval about the mean; NaN of fewer than two trials
    """

    mean: float = nan
    deviation: float = nan
    trials: int = 0
    t: float = nan
    half: float = nan

    @property
    def apart(self) -> bool:
        """Whether 0 lies outside the interval, so that the learners differ significantly."""
        return abs(self.mean) > self.half


def paired(errors: Tally, others: Tally, confidence: float) -> Paired:
    """The paired difference d = e(L) − e(A) over the trials: mean ± t · sd / √k.

    Luck in a draw affects both learners, so it cancels. errors, others: of the same trials
    """
    d = Tally()
    for error, other in zip(errors, others, strict=True):
        d = d.plus(error - other)
    k = d.count
    if k < 2:
        return Paired(d.mean, d.deviation, k)
    t = student(k - 1, confidence)
    return Paired(d.mean, d.deviation, k, t, t * d.deviation / sqrt(k))


def student(freedom: int, confidence: float) -> float:
    """The quantile t of Student's law: the share `confidence` lies between −t and t. freedom:
    degrees of freedom
    """
    from scipy.special import stdtrit  # the quantile

    return float(stdtrit(freedom, (1 + confidence) / 2))


class Point(NamedTuple):
    """A size that is done.

    size: the number of rows
    means: of the errors of each learner
    counts: in how many trials each could learn
    apart: how far each lies from A, the first
    """

    size: int
    means: tuple[float, ...]
    counts: tuple[int, ...]
    apart: tuple[Paired, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The learners of the least mean error; () where none could learn.

        One that could not learn in some trials has not met all that the others did: it is out of
        the race.
        """
        most = max(self.counts)
        race = [j for j, count in enumerate(self.counts) if count == most > 0]
        least = min((self.means[j] for j in race), default=nan)
        return tuple(j for j in race if self.means[j] == least)

    @property
    def best(self) -> int:
        """The first of the winners, −1 without one."""
        return self.winners[0] if self.winners else -1


class State(Record):
    """What is found are the `points`; the fields after them are what this step shows.

    errors: of each learner in the trials of this size so far, NaN where it could not learn
    points: of the sizes that are done
    size: the present number of rows
    model: the last one that was learnt
    learner: number of the learner that learnt it, −1 before
    refused: (size, learner, why) of draws that a learner could not learn from
    """

    errors: tuple[Tally, ...]
    points: Prefix[Point] = field(default_factory=empty_log)
    size: int = 0
    model: Model | None = None
    learner: int = -1
    refused: Prefix[tuple[int, int, str]] = field(default_factory=empty_log)


class Setting(Given[Params]):
    """The learners under study, which all meet the same draws of the same rows."""

    @cached_property
    def learners(self) -> tuple[Studying, ...]:
        """The learners that are compared, A first; raises EngineError where there are fewer than
        two.
        """
        return several(self.p.learners, self.problem)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the learners, with parameters where two are of the same kind."""
        return names_of(self.learners)

    @cached_property
    def rows(self) -> Int:
        """(m,) the rows with a label."""
        return labelled_rows(self.problem)

    @cached_property
    def sizes(self) -> list[int]:
        """The numbers of rows to learn from, ascending, up to `most_rows`."""
        return spread_out(most_rows(len(self.rows), self.p.most), self.p.sizes, self.p.spaced)

    @property
    def no_errors(self) -> tuple[Tally, ...]:
        """An empty tally of errors for each learner, as before the first trial of a size."""
        return (Tally(),) * len(self.learners)

    def point(self, s: State) -> Point:
        """The results of the present size: for each learner L its mean error and its difference
        from A.
        """
        means = tuple(errors.mean for errors in s.errors)
        counts = tuple(errors.count for errors in s.errors)
        apart = tuple(paired(errors, s.errors[0], self.p.confidence) for errors in s.errors)
        return Point(s.size, means, counts, apart)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem = given.problem
    learners = given.learners
    s = State(())
    drawn = yield from draws(
        learners[0], given.rows, given.sizes, given.p.trials, rng, len(learners)
    )
    trials = [
        draw._replace(learner=learner)  # each has the same rows, and the same seed
        for m in given.sizes
        for draw in drawn[m]
        for learner in learners
    ]
    for learner in learners:
        own = [trial for trial in reversed(trials) if trial.learner is learner]
        yield from check_able(problem, own, "draws")
    hypotheses = fits(hypothesis, problem, trials)
    for m in given.sizes:
        s = replace(s, size=m, errors=given.no_errors)
        yield from at("size", s)
        for draw in drawn[m]:
            yield from at("draw", s)
            s, errors = yield from one_draw(given, at, s, draw, hypotheses)
            so_far = zip(s.errors, errors, strict=True)
            s = replace(s, errors=tuple(tally.plus(e) for tally, e in so_far))
            yield from at("test", s, *when(refused=any(np.isnan(errors))))
        now = given.point(s)
        overtaken = len(s.points) > 0 and now.best != s.points[-1].best
        s = replace(s, points=s.points.plus(now))
        yield from at("mean", s, *when(size=True, overtaken=overtaken))
        yield from at("pair", s)


def one_draw(
    given: Setting, at: At, s: State, draw: Trial, hypotheses: Hypotheses
) -> Part[State, tuple[State, list[float]]]:
    """(the state with the last model, e(L) of each learner L on the rows that were not drawn) for
    one draw.
    """
    errors = []
    for j in range(len(given.learners)):
        h = yield from next_hypothesis(hypotheses)  # h ← L(them)
        if isinstance(h, EngineError):
            s = replace(s, refused=s.refused.plus((s.size, j, str(h))))
            errors.append(nan)
            yield from at("learn", s, j=j, why=str(h))
            continue
        if h.model is not None:
            s = replace(s, model=h.model, learner=j)
        # of classes the share of h(x) ≠ y, of values the mean of (h(x) − y)²
        errors.append(mean_loss(given.problem, draw.test, h.says[draw.test]))
        yield from at("learn", s, j=j, why="")
    return s, errors


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    known = [errors.mean for errors in s.errors if errors.count]
    return {"best": min(known), "worst": max(known)} if known else {}


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) the answers of the shown model to rows X (m, d): class codes, −1 for none, or values."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Six points of two classes."""
    x = [1.0, 2.0, 3.0, 3.5, 4.5, 5.0]
    y = [2.0, 1.0, 3.0, 2.5, 4.0, 3.0]
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "class": list("AAABBB")}, "class"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Learner comparison",
    task=Task.EVALUATE,
    source=("AIMA 18.11.2", "AIMA Fig 18.37"),
    needs=Needs(values=True, missing=True, min_rows=3),
    curves=(
        Curve("best", "least mean error so far", about=("learner 0",)),
        Curve("worst", "largest mean error so far", about=("learner 0",)),
    ),
    events=("size", "overtaken", "refused"),
)
