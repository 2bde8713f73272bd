"""Spread of a learner: what it says changes with the rows it happens to learn from.

Bias and variance. AIMA 18.4.2.
"""

from typing import Annotated, Any

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Empty,
    EngineError,
    Float,
    Help,
    Int,
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
    Work,
    cached_property,
    field,
    frozen,
    np,
    prepare,
    replace,
)
from engine.core.given import MAX_SEED
from engine.experiments.bootstrap_spread.boundary import boundary
from engine.experiments.parts.folds import labelled_rows
from engine.experiments.parts.learners import Model, Studied, answers_of, studying
from engine.experiments.parts.trials import Taught, Trial, check_able, following, taught
from engine.fit.fits import fits

PSEUDOCODE = """
draw  detail: for each copy b = 1 … B:
copy  detail:   draw m rows, again and again
learn step:     h ← Learner(those rows)
judge round:    rows left out are answered
parts round:  error = bias + variance, per row
"""
DRAWN = (
    "with return, so that about a third of the rows are left out when as many are drawn as"
    " there are"
)


class Params(Record, eq=True):
    learner: Studied = ""
    copies: Annotated[int, Range(2, 200), Label("Copies B")] = 20
    size: Annotated[
        int | None, Range(2, 100_000, log=True), Label("Rows drawn m"), Empty("all"), Help(DRAWN)
    ] = None


class State(Record):
    """model: of this copy; lines: the boundary, or the curve, of every model so far on the plane,
    rows of NaN between their pieces; votes (n, k): how many models that had not seen a row called
    it each class; or for values (n, 3): how many answered, the sum of what they said, and of its
    squares; copy: from 0, −1 before the first; refused: why copies could not be learnt from
    """

    votes: Float
    lines: Prefix[Float] = field(default_factory=lambda: Prefix([], 0))
    model: Model | None = None
    copy: int = -1
    refused: Prefix[str] = field(default_factory=lambda: Prefix([], 0))


class Setting(Given[Params]):
    """learner: that is studied; rows: those with a label; drawn: how many a copy has."""

    learner = cached_property(lambda self: studying(self.p.learner, self.problem))
    rows = cached_property(lambda self: labelled_rows(self.problem))
    drawn = property(lambda self: self.p.size or len(self.rows))

    def copies(self, rng: Rng) -> Work[list[Trial]]:
        """Rows drawn with return, to learn from, and those left out, to test on."""
        found = list[Trial]()
        for _ in range(self.p.copies):
            rows = np.sort(rng.choice(self.rows, self.drawn))
            found.append(
                Trial(
                    self.learner, rows, np.setdiff1d(self.rows, rows), int(rng.integers(MAX_SEED))
                )
            )
            yield
        return found


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    problem = given.problem
    s = State(frozen(np.zeros((problem.n, 3 if problem.regress else len(problem.classes)))))
    copies = yield from given.copies(rng)
    yield from check_able(problem, copies, "copies")
    told = fits(learnt, problem, copies)
    for b in range(len(copies)):
        s = replace(s, copy=b)
        yield from at("draw", s)
        yield from at("copy", s)
        found = yield from following(told)
        if isinstance(found, EngineError):
            s = replace(s, refused=s.refused.plus(str(found)))
            yield from at("learn", s, "refused")
            continue
        (h, says), line = found
        h.remember(says)
        s = replace(s, model=h, lines=s.lines.plus(line))
        yield from at("learn", s)
        s = replace(s, votes=counted(given, s.votes, h))
        yield from at("judge", s, "copy")
    yield from at("parts", s, "end")


def learnt(problem: Problem, trial: Trial) -> Work[tuple[Taught, Float]]:
    """The model of a copy and its boundary."""
    found = yield from taught(problem, trial)
    return found, boundary(found.model)


def counted(given: Setting, votes: Float, h: Model) -> Float:
    """With the answers of one model more about the rows that it has not seen."""
    left = np.setdiff1d(given.rows, h.rows)
    says = h.says[left]
    votes = votes.copy()
    if given.problem.regress:
        votes[left] += np.column_stack([np.ones(len(left)), says, says**2])
    else:
        votes[left[says >= 0], says[says >= 0]] += 1
    return frozen(votes)


class Shares(Record, eq=True):
    """Of the rows that a model was asked about, (m,): main, the answer of most models, or their
    mean; error: mean loss of a model; bias: loss of the main answer; variance: how often, or by
    what square, a model differs from it.
    """

    rows: Int
    main: Float
    error: Float
    bias: Float
    variance: Float


def shares(given: Setting, s: State) -> Shares:
    """For squares error = bias + variance; for classes that holds of two, with a minus where most
    are wrong.
    """
    problem = given.problem
    asked = s.votes[:, 0] if problem.regress else s.votes.sum(axis=1)
    rows = np.flatnonzero(asked > 0)
    votes = s.votes[rows]
    asked = asked[rows]
    if problem.regress:
        main = votes[:, 1] / asked
        y = problem.y[rows]
        variance = np.maximum(votes[:, 2] / asked - main**2, 0.0)
        bias = (main - y) ** 2
        return Shares(rows, main, bias + variance, bias, variance)
    main = votes.argmax(axis=1)
    y = problem.codes[rows]
    at = np.arange(len(rows))
    return Shares(
        rows,
        main.astype(np.float64),
        1 - votes[at, y] / asked,
        (main != y) * 1.0,
        1 - votes[at, main] / asked,
    )


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    known = shares(given, s)
    if not len(known.rows):
        return {}
    return {
        "error": known.error.mean(),
        "bias": known.bias.mean(),
        "variance": known.variance.mean(),
    }


def predict(given: Setting, s: State, X: Float) -> Any:
    """What the model of this copy says."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Ten points of two classes whose boundary nobody can tell for sure."""
    x, y = (
        [0.5, 1.0, 1.6, 2.2, 2.9, 3.1, 3.8, 4.4, 5.0, 5.5],
        [1.0, 2.4, 0.8, 2.0, 3.1, 1.2, 2.6, 1.5, 3.3, 2.1],
    )
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "class": list("AAABABABBB")}, "class"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Bootstrap spread",
    task=Task.EVALUATE,
    source=("AIMA 18.4.2",),
    needs=Needs(values=True, missing=True, min_rows=3),
    curves=(
        Curve("error", "mean error of a model", about=("parts",)),
        Curve("bias", "bias", about=("parts",)),
        Curve("variance", "variance", about=("parts",)),
    ),
    events=("copy", "refused", "end"),
)
