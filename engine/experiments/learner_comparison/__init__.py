"""Learner comparison: learning curves of several learners, which draw the same rows and are tested
on the same others. AIMA 18.11.2.
"""

from typing import Annotated, Any, Literal

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
    np,
    prepare,
    replace,
    when,
)
from engine.core.params import Learner
from engine.experiments.parts.compared import Point, names_of, several
from engine.fit.fits import fits
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.learners import Model, answers_of
from engine.experiments.parts.tally import Tally
from engine.experiments.parts.trials import SIZES, check_able, draws, outcome, spread_out, tried

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
    learners: Annotated[tuple[str, ...], Learner(4), Label("Learners"), Help(LEARNERS)] = ()
    sizes: Annotated[int, Range(2, 200), Label("Sizes"), Help(SIZES)] = 8
    trials: Annotated[int, Range(1, 200), Label("Trials of each")] = 10
    spaced: Annotated[Literal["in powers", "evenly"], Label("Sizes lie")] = "in powers"
    confidence: Annotated[float, Range(0.5, 0.999), Label("Confidence"), Help(CONFIDENCE)] = 0.95
    show: Annotated[Literal["right", "wrong"], Label("Shown")] = "right"


class State(Record):
    """points: the sizes that are done; size: now; errors: of each learner in its trials so far;
    model: the last one that was learnt, by the learner of this number; refused: (size, learner,
    why) of draws that it could not learn from.
    """

    errors: tuple[Tally, ...]
    points: Prefix[Point] = field(default_factory=lambda: Prefix([], 0))
    size: int = 0
    model: Model | None = None
    learner: int = -1
    refused: Prefix[tuple[int, int, str]] = field(default_factory=lambda: Prefix([], 0))


class Setting(Given[Params]):
    """learners: that are compared, the first with all others; names: theirs; rows: those with a
    label; sizes: how many of them are learnt from, ascending.
    """

    learners = cached_property(lambda self: several(self.p.learners, self.problem))
    names = cached_property(lambda self: names_of(self.learners))
    rows = cached_property(lambda self: labelled_rows(self.problem))
    sizes = cached_property(
        lambda self: spread_out(len(self.rows) - 1, self.p.sizes, self.p.spaced)
    )


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    learners = given.learners
    trials = given.p.trials
    s = State(())
    fresh = (Tally(),) * len(learners)
    drawn = yield from draws(learners[0], given.rows, given.sizes, trials, rng, len(learners))
    # with the same rows and seed
    jobs = [draw._replace(learner=learner) for draw in drawn for learner in learners]
    for learner in learners:
        own = [job for job in reversed(jobs) if job.learner is learner]
        yield from check_able(given.problem, own, "draws")
    told = fits(tried, given.problem, jobs)
    for m in given.sizes:
        s = replace(s, size=m, errors=fresh)
        yield from at("size", s)
        for _ in range(trials):
            yield from at("draw", s)
            errors = []
            for j in range(len(learners)):
                found = yield from outcome(told)
                if found.why:
                    s = replace(s, refused=s.refused.plus((m, j, found.why)))
                elif found.model is not None:
                    s = replace(s, model=found.model, learner=j)
                errors.append(found.error)
                yield from at("learn", s, j=j, why=found.why)
            s = replace(
                s, errors=tuple(known.plus(e) for known, e in zip(s.errors, errors, strict=True))
            )
            yield from at("test", s, *when(refused=any(np.isnan(errors))))
        now = Point.of(m, s.errors, given.p.confidence)
        overtaken = len(s.points) > 0 and now.best != s.points[-1].best
        s = replace(s, points=s.points.plus(now))
        yield from at("mean", s, "size", *when(overtaken=overtaken))
        yield from at("pair", s)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    known = [errors.mean for errors in s.errors if errors.count]
    return {"best": min(known), "worst": max(known)} if known else {}


def predict(given: Setting, s: State, X: Float) -> Any:
    """What the shown model says."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Six points of two classes."""
    x, y = [1.0, 2.0, 3.0, 3.5, 4.5, 5.0], [2.0, 1.0, 3.0, 2.5, 4.0, 3.0]
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
