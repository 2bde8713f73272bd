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
    Steps,
    Task,
    Work,
    When,
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
    """V (k, d + 1): w_i and last θ_i; before: V before this step; current: row or −1; active: class
    whose perceptron was just changed, or −1; errors: wrong training rows; slips (k,): mistakes of
    each perceptron in this round.
    """

    V: Float
    before: Float
    slips: Int
    errors: int
    mistakes: int = 0
    round: int = 0
    current: int = -1
    active: int = -1
    W = property(lambda s: s.V[:, :-1])
    theta = property(lambda s: s.V[:, -1])


class Setting(Rows[Params]):
    """Y (n, k): +1 for the class of a row, −1 for the others, 0 without a class; moves (d + 1,): 1
    for the weights that a mistake changes, 0 for a shared θ, which stays; visits: the rows as each
    perceptron visits them when nobody watches.
    """

    column = property(lambda given: -1.0)
    k = property(lambda given: len(given.problem.classes))
    own = cached_property(lambda given: given.problem.codes[:, None] == np.arange(given.k))
    Y = cached_property(
        lambda given: np.where(given.own, 1.0, -1.0) * given.problem.labelled[:, None]
    )
    moves = cached_property(
        lambda given: np.append(np.ones(given.problem.d), float(given.p.threshold == "learned"))
    )
    step = property(lambda given: given.p.rate)
    steady = property(lambda given: None if given.p.normalise else (given.p.theta,))
    reach = cached_property(
        lambda given: given.p.rate * given.moves * np.append(given.problem.largest, 1.0)
    )
    visits = cached_property(lambda given: [given.whole_rounds(y, given.moves) for y in given.Y.T])

    def compared(self, V: Float) -> tuple[Float, Float]:
        """The weights whose scores are compared, and how large their rounded terms are, none of a
        0; (k, d + 1) both.
        """
        sizes = np.linalg.norm(V[:, :-1], axis=1, keepdims=True) if self.p.normalise else 1.0
        sizes += sizes == 0
        return V / sizes, np.where(V == 0, 0.0, (np.abs(V) + self.reach) / sizes)

    def all_scores(self, s: State, X: Float) -> tuple[Float, Float]:
        """(k, m) scores of rows, 0 where only rounding keeps them from being so; (k, m) that
        rounding.
        """
        V, rough = self.compared(s.V)
        X = self.X if X is self.problem.X else self.extended(X)
        score = V @ X.T
        near = self.unrounded.near(X, rough @ np.abs(X.T))
        return np.where(np.abs(score) <= near, 0.0, score), near


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    V = np.zeros((given.k, given.problem.d + 1))
    V[:, -1] = given.p.theta if given.p.threshold == "shared" else 0.0
    s = judged(given, State(w := frozen(V), w, frozen(np.zeros(given.k, np.intp)), 0))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    ends = RoundEnds(given.reach, s.V, s.round)
    done = False
    while not done:
        s = replace(s, before=s.V, slips=frozen(np.zeros(given.k, np.intp)), round=s.round + 1)
        yield from at("round", s)
        s = yield from one_round(given, at, s)
        s = judged(given, replace(s, before=s.V, current=-1, active=-1))
        clean = not s.slips.any()
        cycle = None if clean else ends.earlier(s.V, s.round)
        done = clean or s.round >= given.p.rounds
        events = "round", *when(cycle=cycle is not None, converged=clean)
        yield from at("until", s, *events, cycle=cycle, done=done)


def whole_round(given: Setting, s: State) -> Work[State]:
    """A round without a word: perceptron by perceptron, since none looks at another."""
    rounds = []
    for visits, v in zip(given.visits, s.V, strict=True):
        rounds.append(visits.whole_round(given.rows, v, given.p.rate))
        yield
    slips = frozen([mistakes for _, mistakes in rounds], np.intp)
    V = frozen(np.array([v for v, _ in rounds]))
    return replace(s, V=V, slips=slips, mistakes=s.mistakes + int(slips.sum()))


@leap_to(whole_round)
def one_round(given: Setting, at: At, s: State) -> Part[State, State]:
    for i in given.rows.tolist():
        s = replace(s, before=s.V, current=i, active=-1)
        yield from at("take", s)
        scores = settled_scores(given.X[i], s.V.T, given.reach[:, None], exact=given.unrounded)
        wrong = np.flatnonzero(given.Y[i] * scores <= 0).tolist()
        if not wrong:
            yield from at("test", s, scores=scores)
        for c in wrong:
            yield from at("mistake", s := replace(s, before=s.V, active=-1), c=c, score=scores[c])
            yield from at("update", s := updated(given, s, c), "mistake", score=scores[c])
    return s


def updated(given: Setting, s: State, c: int) -> State:
    """w ← w + η y x of class c, and θ ← θ − η y where it is learnt."""
    V, slips = s.V.copy(), s.slips.copy()
    V[c] = cleared(
        V[c] + given.p.rate * given.Y[s.current, c] * given.moves * given.X[s.current], given.reach
    )
    slips[c] += 1
    return judged(
        given, replace(s, V=frozen(V), slips=frozen(slips), active=c, mistakes=s.mistakes + 1)
    )


def judged(given: Setting, s: State) -> State:
    wrong = predict(given, s, given.problem.X) != given.problem.codes
    return replace(s, errors=int(np.count_nonzero(wrong & given.problem.labelled)))


def scores(given: Setting, s: State, X: Float) -> Float:
    return given.all_scores(s, X)[0].T


def predict(given: Setting, s: State, X: Float) -> Int:
    return winners(zip(*given.all_scores(s, X), strict=True), (len(X),))


def example() -> Problem:
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
