"""Reject option: who does not answer when in doubt is wrong less often. AIMA 18.11.1."""

from typing import Annotated, Any

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Empty,
    Float,
    Help,
    Label,
    Mapping,
    Needs,
    Problem,
    Range,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    cached_property,
    np,
    prepare,
    replace,
    when,
)
from engine.core.given import MAX_SEED
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.learners import Model, fitted
from engine.experiments.parts.scoring import Judged, Scoring, leads_of, parted, scoring, stepped
from engine.experiments.reject_option.levels import Levels, levels_of, sureness

PSEUDOCODE = """
learn step:   h ← Learner(a part of the rows)
sure  step:   lead(x) ← best score − second
ask   detail: for each level of the lead:
left  detail:   refuse x where lead(x) < level
error step:     error ← wrong / answered
end   round:  the first level that will do
"""
ALLOWED = "of the rows that are answered"
REFUSED = "of the rows, those least sure; auto: as few as bring the others to the error allowed"


class Params(Record, eq=True):
    learner: Scoring = ""
    allowed: Annotated[float, Range(0, 0.5), Label("Error allowed"), Help(ALLOWED)] = 0.005
    refused: Annotated[
        float | None, Range(0, 1), Label("Share refused"), Empty("auto"), Help(REFUSED)
    ] = None
    share: Judged = 0.4


class State(Record):
    """model: h; levels: what comes of each; now: number of the present one, 0 refuses nothing, −1
    before; found: of the first so far at which the error is allowed, −1 for none.
    """

    model: Model
    levels: Levels
    now: int = -1
    found: int = -1


class Setting(Given[Params]):
    """learner: that is studied."""

    learner = cached_property(lambda self: scoring(self.p.learner, self.problem))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem, learner, p = given.problem, given.learner, given.p
    learnt, judged = parted(problem, labelled_rows(problem), p.share, rng)
    h = yield from fitted(learner, problem, learnt, int(rng.integers(MAX_SEED)))
    levels = levels_of(
        judged, problem.codes[judged], h.says[judged], sureness(leads_of(h, problem.X[judged]))
    )
    s = State(h, levels)
    yield from at("learn", s)
    yield from at("sure", s)
    goal = levels.first(p.allowed)
    least = int(levels.error.argmin())
    end = (goal if goal >= 0 else least) if p.refused is None else levels.refusing(p.refused)
    for t in stepped(len(levels.level), end, max(goal, 0)):
        s = replace(s, now=t)
        yield from at("ask", s)
        yield from at("left", s)
        s = replace(s, found=goal if t >= goal else -1)
        yield from at("error", s, *when(allowed=t == goal))
    yield from at("end", replace(s, now=end), "end")


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"error": s.levels.error[s.now], "share": s.levels.share[s.now]} if s.now >= 0 else {}


def predict(given: Setting, s: State, X: Float) -> Any:
    """What h says where it is sure enough, −1 elsewhere."""
    said = s.model.answers(X)
    return (
        said
        if s.now < 1
        else np.where(sureness(leads_of(s.model, X)) >= s.levels.level[s.now], said, -1)
    )


def example() -> Problem:
    """Fourteen points of two classes that lie among each other."""
    x = [0.5, 1.0, 1.6, 2.2, 2.9, 3.1, 3.8, 4.4, 5.0, 5.5, 2.6, 3.4, 2.4, 3.6]
    y = [1.0, 2.4, 0.8, 2.0, 3.1, 1.2, 2.6, 1.5, 3.3, 2.1, 1.0, 3.0, 2.9, 1.1]
    return prepare(
        Dataset.from_columns({"x1": x, "x2": y, "class": list("AAABABABBBABBA")}, "class")
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="Reject option",
    task=Task.EVALUATE,
    source=("AIMA 18.11.1",),
    needs=Needs(min_classes=2, min_rows=4, missing=True),
    curves=(
        Curve("error", "error of the answered rows", digits=3, about=("curve",)),
        Curve("share", "share refused", about=("level",)),
    ),
    events=("allowed", "end"),
)
