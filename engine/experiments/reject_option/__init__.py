"""Reject option: a learner that gives no answer when in doubt is wrong less often. AIMA 18.11.1."""

from typing import Annotated, Any

from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Dataset,
    Empty,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
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
from engine.authoring import (
    Setting as Given,
)
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.scoring import (
    Judged,
    Scoring,
    bounded,
    leads_of,
    parted,
    scoring,
    stepped,
)
from engine.fit.learners import Model, Studying, fitted
from engine.numerics.closeness import SHARE, at_most
from engine.table.given import MAX_SEED

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


class Levels(Record):
    """The judged rows, (m,), and all levels of sureness that can be required, ascending, (t,).

    rows: which rows they are
    said: what h calls them, −1 where it says nothing
    sure: lead(x), by how much that class is ahead of the best other; −∞ where h says nothing
    wrong: which of them h calls wrong
    level: each lead of a row once; the first refuses nothing
    refused: how many rows are below it
    error: the share of the others that are wrong
    """

    rows: Int
    said: Int
    sure: Float
    wrong: Bool
    level: Float
    refused: Int
    error: Float

    @property
    def share(self) -> Float:
        """(t,) refused of all rows."""
        return np.asarray(self.refused / len(self.rows))

    def needed_lead(self, now: int) -> float:
        """The least lead of a row that is still answered at level `now`; −∞ at level 0."""
        return bounded(self.level[now]) if now > 0 else -np.inf

    def refuses(self, now: int) -> Bool:
        """(m,) refuse x where lead(x) < level; nothing before the first level, −1."""
        return np.asarray(self.sure < self.level[max(now, 0)])

    def left(self, now: int) -> tuple[int, int]:
        """(rows that are answered, how many of them wrong) at level `now`."""
        answered = ~self.refuses(now)
        wrong = self.wrong & answered
        return int(answered.sum()), int(wrong.sum())

    def first(self, error: float) -> int:
        """Index of the first level whose answered rows have at most this error, −1 for none."""
        found = np.flatnonzero(at_most(self.error, error, 1.0))
        return int(found[0]) if len(found) else -1

    def refusing(self, share: float) -> int:
        """Index of the first level that refuses at least this share, else of the last level."""
        found = int(np.searchsorted(self.share, share - SHARE))
        return min(found, len(self.level) - 1)


def levels_of(rows: Int, codes: Int, said: Int, sure: Float) -> Levels:
    """All levels of the rows; rows with the same lead are refused together.

    codes, said: (m,) true and predicted classes; sure: (m,) leads
    """
    wrong = said != codes
    level = np.unique(sure)
    order = np.argsort(sure, kind="stable")  # the least sure first
    refused = np.searchsorted(sure[order], level)
    answered = len(rows) - refused  # (t,) rows with lead(x) ≥ level
    wrong_refused = np.append(0, np.cumsum(wrong[order]))[refused]
    error = (wrong.sum() - wrong_refused) / answered  # error ← wrong / answered
    return Levels(
        rows=frozen(rows),
        said=frozen(said),
        sure=frozen(sure),
        wrong=frozen(wrong),
        level=frozen(level),
        refused=frozen(refused),
        error=frozen(error),
    )


def sureness(leads: Float) -> Float:
    """(m,) lead(x) ← best score − second, of the leads (m, k) of each class over the best other;
    −∞ without an answer.
    """
    return np.asarray(np.nan_to_num(leads, nan=-np.inf).max(axis=1))


class State(Record):
    """What is learnt are `model` and `levels`; the fields after them are what this step shows.

    model: h
    levels: what comes of each level of the lead
    now: number of the present one; 0 refuses nothing, −1 before
    found: number of the first so far at which the error is allowed, −1 for none
    """

    model: Model
    levels: Levels
    now: int = -1
    found: int = -1


class Setting(Given[Params]):
    """The learner under study, and the criterion for a level."""

    @cached_property
    def learner(self) -> Studying:
        """The learner under study; raises EngineError for one without scores."""
        return scoring(self.p.learner, self.problem)

    def last_level(self, levels: Levels) -> int:
        """Index of the first level that meets the criterion; where none does, of the level of least
        error.
        """
        if self.p.refused is not None:
            return levels.refusing(self.p.refused)
        allowed = levels.first(self.p.allowed)
        return allowed if allowed >= 0 else int(levels.error.argmin())


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem = given.problem
    learner = given.learner
    learnt, judged = parted(problem, labelled_rows(problem), given.p.share, rng)
    seed = int(rng.integers(MAX_SEED))
    h = yield from fitted(learner, problem, learnt, seed)  # h ← Learner(a part of the rows)
    # leads (m, k): the score of each class − the largest of another class
    lead = sureness(leads_of(h, problem.X[judged]))
    levels = levels_of(judged, problem.codes[judged], h.says[judged], lead)
    s = State(h, levels)
    yield from at("learn", s)
    yield from at("sure", s)
    allowed = levels.first(given.p.allowed)
    end = given.last_level(levels)
    for t in stepped(len(levels.level), end, max(allowed, 0)):  # of many about 200, evenly
        s = replace(s, now=t)
        yield from at("ask", s)  # levels.level[t]
        yield from at("left", s)  # refuse x where lead(x) < level: levels.refuses(t)
        if t >= allowed:  # the error is at most that allowed, or was at a level before
            s = replace(s, found=allowed)
        yield from at("error", s, *when(allowed=t == allowed))  # levels.error[t]
    yield from at("end", replace(s, now=end), "end")


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    if s.now < 0:
        return {}
    return {"error": s.levels.error[s.now], "share": s.levels.share[s.now]}


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) what h says where it is sure enough, −1 elsewhere."""
    said = s.model.answers(X)
    if s.now < 1:
        return said
    sure = sureness(leads_of(s.model, X)) >= s.levels.level[s.now]
    return np.where(sure, said, -1)


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
