"""One perceptron for each class, it against the rest; the largest score wins, or none of the
classes. MMDS 12.2.5.
"""

from typing import Annotated, Literal

from engine.algorithms.linear.parts import WRONG, Rows
from engine.authoring import (
    LINEAR_ROWS,
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Sequence,
    Steps,
    Task,
    When,
    Work,
    cached_property,
    frozen,
    leap_to,
    np,
    prepare,
    replace,
    when,
)
from engine.numerics.class_scores import winners
from engine.numerics.mistakes import RoundEnds, cleared, settled_scores
from engine.numerics.visits import Visits

PSEUDOCODE = """
start   round:  w[i] ← 0 for every class i
round   detail: repeat
take    detail:   for each (x, c) in the round
test:               for every class i, y = ±1:
mistake detail:       if y (w[i]·x − θ[i]) ≤ 0:
update:                 w[i] ← w[i] + η y x
until   round:  until a round has no mistake
"""
DISTANCES = "scores divided by |w_i|, because the lengths mean nothing; learning as before"
THRESHOLD = (
    "learned: each class learns its own θ. shared: one θ for all, as in MMDS 12.2.5, and it stays."
)


class Params(Record, eq=True):
    threshold: Annotated[Literal["learned", "shared"], Label("Threshold"), Help(THRESHOLD)] = (
        "learned"
    )
    theta: Annotated[float, Range(-1e6, 1e6), Label("Shared θ"), When("threshold", ("shared",))] = (
        0.0
    )
    rate: Annotated[float, Range(1e-4, 10, log=True), Label("Rate η")] = 0.5
    rounds: Annotated[
        int, Range(1, 100_000, log=True), Label("Rounds"), Help("at most this many")
    ] = 100
    normalise: Annotated[bool, Label("Distances"), Help(DISTANCES)] = False


class State(Record):
    """The model is `V`.

    V: (k, d + 1) wᵢ, with its θᵢ last
    before: V before this step
    slips: (k,) mistakes of each perceptron in this round
    errors: wrong training rows by `V`
    mistakes: updates so far
    round: counted from 1
    current: the row looked at, or −1
    active: the class whose perceptron was just changed, or −1
    """

    V: Float
    before: Float
    slips: Int
    errors: int
    mistakes: int = 0
    round: int = 0
    current: int = -1
    active: int = -1

    @property
    def W(self) -> Float:
        """(k, d) the weights of the columns."""
        return self.V[:, :-1]

    @property
    def theta(self) -> Float:
        """(k,) the thresholds."""
        return self.V[:, -1]


class Setting(Rows[Params]):
    """The rows with a feature −1 for the thresholds, and the target of each class's perceptron."""

    @property
    def column(self) -> float:
        """The constant feature of the thresholds, −1."""
        return -1.0

    @property
    def k(self) -> int:
        """k, the number of classes; each has a perceptron."""
        return len(self.problem.classes)

    @cached_property
    def Y(self) -> Float:
        """(n, k) +1 for the class of a row, −1 for the others, 0 for a row without a class."""
        own = self.problem.codes[:, None] == np.arange(self.k)
        return np.where(own, 1.0, -1.0) * self.problem.labelled[:, None]

    @cached_property
    def moves(self) -> Float:
        """(d + 1,) 1 for the weights that a mistake changes, 0 for a shared θ, which stays."""
        return np.append(np.ones(self.problem.d), float(self.p.threshold == "learned"))

    @property
    def step(self) -> float:
        """The largest change of a weight in one update, for a feature of 1."""
        return self.p.rate

    @property
    def steady(self) -> Sequence[float] | None:
        """The start weights, as every update is ± η times a row; None where scores are
        distances.
        """
        return None if self.p.normalise else (self.p.theta,)

    @cached_property
    def reach(self) -> Float:
        """(d + 1,) the largest change of each weight in one update."""
        return np.asarray(self.p.rate * self.moves * np.append(self.problem.largest, 1.0))

    @cached_property
    def visits(self) -> list[Visits]:
        """For each perceptron the rows prepared for unrecorded rounds."""
        return [self.whole_rounds(y, self.moves) for y in self.Y.T]

    @property
    def no_slips(self) -> Int:
        """(k,) zeros: no mistakes."""
        return frozen(np.zeros(self.k, np.intp))

    def scores_of(self, i: int, V: Float) -> Float:
        """(k,) V x of row i, that is w·x − θ of every class; exactly 0 where it is within rounding
        of 0.
        """
        found = settled_scores(self.X[i], V.T, self.reach[:, None], exact=self.unrounded)
        return np.asarray(found)

    def compared(self, V: Float) -> tuple[Float, Float]:
        """(weights whose scores are compared, size of the rounding of their terms), both (k, d +
        1).

        Weights of 0 have no rounding.
        """
        sizes = np.linalg.norm(V[:, :-1], axis=1, keepdims=True) if self.p.normalise else 1.0
        sizes += sizes == 0
        return V / sizes, np.where(V == 0, 0.0, (np.abs(V) + self.reach) / sizes)

    def all_scores(self, s: State, X: Float) -> tuple[Float, Float]:
        """(scores (k, m) of rows X (m, d), 0 where they are within rounding of 0; that rounding (k,
        m)).
        """
        V, rough = self.compared(s.V)
        X = self.X if X is self.problem.X else self.extended(X)
        score = V @ X.T
        near = self.unrounded.near(X, rough @ np.abs(X.T))
        return np.where(np.abs(score) <= near, 0.0, score), near


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    start = np.zeros((given.k, given.problem.d + 1))
    start[:, -1] = given.p.theta if given.p.threshold == "shared" else 0.0
    V = frozen(start)
    s = with_metrics(given, State(V, V, given.no_slips, 0))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    ends = RoundEnds(given.reach, s.V, s.round)
    done = False
    while not done:
        s = replace(s, before=s.V, slips=given.no_slips, round=s.round + 1)
        yield from at("round", s)
        s = yield from one_round(given, at, s)
        s = with_metrics(given, replace(s, before=s.V, current=-1, active=-1))

        clean = not s.slips.any()
        # an earlier round that ended with the same weights: from there the rounds repeat
        earlier = None if clean else ends.earlier(s.V, s.round)
        done = clean or s.round >= given.p.rounds
        events = when(round=True, cycle=earlier is not None, converged=clean)
        yield from at("until", s, *events, cycle=earlier, done=done)


def whole_round(given: Setting, s: State) -> Work[State]:
    """The state after an unrecorded round; perceptron by perceptron, because they are
    independent.
    """
    rounds = []
    for visits, v in zip(given.visits, s.V, strict=True):
        rounds.append(visits.whole_round(given.rows, v, given.p.rate))
        yield
    slips = frozen([mistakes for _, mistakes in rounds], np.intp)
    V = frozen(np.array([v for v, _ in rounds]))
    return replace(s, V=V, slips=slips, mistakes=s.mistakes + int(slips.sum()))


@leap_to(whole_round)
def one_round(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state after a recorded round, example by example."""
    for i in given.rows.tolist():
        s = replace(s, before=s.V, current=i, active=-1)
        yield from at("take", s)
        scores = given.scores_of(i, s.V)  # w[i]·x − θ[i] of every class i
        y = given.Y[i]  # ±1 of every class
        wrong = np.flatnonzero(y * scores <= 0).tolist()
        if not wrong:
            yield from at("test", s, scores=scores)
        for c in wrong:
            s = replace(s, before=s.V, active=-1)
            yield from at("mistake", s, c=c, score=scores[c])
            s = updated(given, s, c)
            yield from at("update", s, "mistake", score=scores[c])
    return s


def updated(given: Setting, s: State, c: int) -> State:
    """The state after w ← w + η y x of class c, and θ ← θ − η y where it is learnt."""
    x = given.X[s.current]
    y = given.Y[s.current, c]
    V = s.V.copy()
    V[c] = cleared(V[c] + given.p.rate * y * given.moves * x, given.reach)
    slips = s.slips.copy()
    slips[c] += 1
    s = replace(s, V=frozen(V), slips=frozen(slips), active=c, mistakes=s.mistakes + 1)
    return with_metrics(given, s)


def with_metrics(given: Setting, s: State) -> State:
    """The state with its number of errors."""
    wrong = predict(given, s, given.problem.X) != given.problem.codes
    return replace(s, errors=int(np.count_nonzero(wrong & given.problem.labelled)))


def scores(given: Setting, s: State, X: Float) -> Float:
    """(m, k) the score of each class for rows X (m, d)."""
    return given.all_scores(s, X)[0].T


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class of the largest score, −1 where two are equal."""
    return winners(zip(*given.all_scores(s, X), strict=True), (len(X),))


def example() -> Problem:
    """Six points, two of each of three classes, each class on its own side."""
    X = [[0.0, 2.0], [0.5, 2.5], [2.0, -1.0], [2.5, -0.5], [-2.0, -1.0], [-2.5, -1.5]]
    return prepare(Dataset.from_arrays(X, ["A", "A", "B", "B", "C", "C"]))


ALGORITHM = Algorithm.of(
    __name__,
    title="Multiclass perceptron",
    task=Task.CLASSIFY,
    source=("MMDS 12.2.5",),
    needs=Needs(min_classes=2, numeric=True, sample=LINEAR_ROWS),
    curves=(WRONG, Curve("mistakes", "mistakes so far", digits=0)),
    events=("mistake", "round", "converged", "cycle"),
)
