"""Spread of a learner: what it says changes with the rows it happens to learn from.

Bias and variance. AIMA 18.4.2.
"""

from typing import Annotated, Any

from numpy.typing import NDArray

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
    Steps,
    Task,
    Work,
    field,
    frozen,
    np,
    prepare,
    replace,
)
from engine.experiments.bootstrap_spread.boundary import boundary
from engine.experiments.parts.splits import bootstrapped
from engine.experiments.parts.study import StudySetting, empty_log
from engine.experiments.parts.trials import Trial, check_able, following
from engine.fit.fits import fits
from engine.fit.learners import Model, Studied, answers_of, fitted

PSEUDOCODE = """
draw  detail: for each copy b = 1 … B:
copy  detail:   draw m rows, again and again
learn step:     h ← Learner(those rows)
judge round:    rows left out are answered
parts round:  error = bias + variance, per row
"""
SIZE = (
    "with return, so that about a third of the rows are left out when as many are drawn as"
    " there are"
)


class Params(Record, eq=True):
    learner: Studied = ""
    copies: Annotated[int, Range(2, 200), Label("Copies B")] = 20
    size: Annotated[
        int | None, Range(2, 100_000, log=True), Label("Rows drawn m"), Empty("all"), Help(SIZE)
    ] = None


class State(Record):
    """What is learnt are the `votes`; the fields after them are what this step shows.

    votes: (n, k) how many models that had not seen a row called it each class; for values (n, 3):
        how many answered, the sum of what they said, and of its squares
    lines: of every model so far its boundary or its curve on the plane, rows of NaN between pieces
    model: of this copy
    copy: number of the copy, from 0; −1 before the first
    refused: why copies could not be learnt from
    """

    votes: Float
    lines: Prefix[Float] = field(default_factory=empty_log)
    model: Model | None = None
    copy: int = -1
    refused: Prefix[str] = field(default_factory=empty_log)


class Setting(StudySetting[Params]):
    """What follows from the parameters; copies are drawn from `rows`, the rows with a label."""

    @property
    def size(self) -> int:
        """m, the number of rows in a copy: as set, else as many as have a label."""
        return self.p.size or len(self.rows)

    @property
    def no_votes(self) -> Float:
        """(n, k) zeros, or (n, 3) for values."""
        columns = 3 if self.problem.regress else len(self.problem.classes)
        return frozen(np.zeros((self.problem.n, columns)))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(given.no_votes)
    copies = yield from bootstrapped(given.learner, given.rows, given.size, given.p.copies, rng)
    yield from check_able(given.problem, copies, "copies")
    found = fits(learnt, given.problem, copies)
    for b, copy in enumerate(copies):
        s = replace(s, copy=b)
        yield from at("draw", s)
        # copy.rows: m times any of the rows, with return; copy.test: the rows never drawn
        yield from at("copy", s)
        learning = yield from following(found)  # h ← Learner(those rows)
        if isinstance(learning, EngineError):
            s = replace(s, refused=s.refused.plus(str(learning)))
            yield from at("learn", s, "refused")
            continue
        h, says, line = learning
        h.remember(says)
        s = replace(s, model=h, lines=s.lines.plus(line))
        yield from at("learn", s)
        # the rows never drawn are answered by h
        s = replace(s, votes=answered(given, s.votes, copy.test, says[copy.test]))
        yield from at("judge", s, "copy")
    yield from at("parts", s, "end")  # error = bias + variance: see `shares`


def learnt(problem: Problem, copy: Trial) -> Work[tuple[Model, NDArray[Any], Float]]:
    """(h, its answers to all rows, its boundary) of a copy.

    Raises EngineError where the copy cannot be learnt from.
    """
    h = yield from fitted(copy.learner, problem, copy.rows, copy.seed)
    return h, h.says, boundary(h)


def answered(given: Setting, votes: Float, rows: Int, says: NDArray[Any]) -> Float:
    """The votes (n, k or 3) after one more model has answered the rows that it did not learn from.

    rows, says: (m,) those rows and the answers to them
    """
    votes = votes.copy()
    if given.problem.regress:
        votes[rows] += np.column_stack([np.ones(len(rows)), says, says**2])
    else:
        known = says >= 0
        votes[rows[known], says[known]] += 1
    return frozen(votes)


class Shares(Record):
    """The parts of the error, of each row that a model predicted, (m,).

    rows: which they are
    main: the answer of most models, or their mean answer
    error: the mean loss of a model
    bias: the loss of the main answer
    variance: how often, or by what square, a model differs from the main answer
    """

    rows: Int
    main: Float
    error: Float
    bias: Float
    variance: Float


def shares(given: Setting, s: State) -> Shares:
    """The parts of the error, from the answers to rows that were left out."""
    problem = given.problem
    if problem.regress:
        rows = np.flatnonzero(s.votes[:, 0] > 0)
        return squared(rows, s.votes[rows], problem.y[rows])
    rows = np.flatnonzero(s.votes.sum(axis=1) > 0)
    return zero_one(rows, s.votes[rows], problem.codes[rows])


def squared(rows: Int, votes: Float, y: Float) -> Shares:
    """The parts of the squared error: E (h − y)² = (main − y)² + E (h − main)².

    rows: (m,); votes: (m, 3) number, sum and sum of squares of the answers; y: (m,) true values
    """
    answers, total, squares = votes.T
    main = total / answers  # the mean of h
    bias = (main - y) ** 2
    variance = np.maximum(squares / answers - main**2, 0.0)  # E h² − main²
    return Shares(rows, main, bias + variance, bias, variance)


def zero_one(rows: Int, votes: Float, y: Int) -> Shares:
    """The parts of the share of wrong classes.

    Of two classes error = variance where main = y, and 1 − variance elsewhere.

    rows: (m,); votes: (m, k) models that gave each class; y: (m,) true class codes
    """
    answers = votes.sum(axis=1)
    main = votes.argmax(axis=1)  # what most h say
    each = np.arange(len(rows))
    error = 1 - votes[each, y] / answers  # the share of h ≠ y
    bias = (main != y).astype(np.float64)
    variance = 1 - votes[each, main] / answers  # the share of h ≠ main
    return Shares(rows, main.astype(np.float64), error, bias, variance)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    found = shares(given, s)
    if not len(found.rows):
        return {}
    return {
        "error": found.error.mean(),
        "bias": found.bias.mean(),
        "variance": found.variance.mean(),
    }


def predict(given: Setting, s: State, X: Float) -> Any:
    """(m,) the answers of the shown model to rows X (m, d): class codes, −1 for none, or values."""
    return answers_of(given, s.model, X)


def example() -> Problem:
    """Ten points of two classes whose boundary is not clear."""
    x = [0.5, 1.0, 1.6, 2.2, 2.9, 3.1, 3.8, 4.4, 5.0, 5.5]
    y = [1.0, 2.4, 0.8, 2.0, 3.1, 1.2, 2.6, 1.5, 3.3, 2.1]
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
