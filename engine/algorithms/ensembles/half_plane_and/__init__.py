"""The AND of half-planes: an ensemble says more than its members, a triangle from three lines.

AIMA 18.10, Fig 18.32.
"""

from typing import Annotated, Literal

from engine.algorithms.ensembles.half_plane_and.lines import (
    Lines,
    corners_fit,
    fitted,
    log_loss,
    spread_out,
    through,
)
from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Dataset,
    EngineError,
    Fits,
    Float,
    Help,
    Int,
    Label,
    MostRounds,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.base.sums import add_up

PSEUDOCODE = """
start round:  K lines round the inside
loop detail:  repeat
assign:         outside x → h[k] least for it
learn:          h[k] ← inside against its own
until round:    until no x changes its line
and round:    inside ⇔ h[1] ≥ 0 ∧ … ∧ h[K] ≥ 0
"""
CORNERS = (
    "x, y of one corner after the other; empty: lines round the inside, as at the start of learning"
)
INSIDE = "the class that every line has to say yes to"
By = Literal["learnt", "by hand"]


class Params(Record, eq=True):
    members: Annotated[int, Range(1, 12), Label("Lines K")] = 3
    lines: Annotated[By, Label("Lines are")] = "learnt"
    corners: Annotated[
        tuple[float, ...],
        Label("Corners"),
        Help(CORNERS),
        Fits(corners_fit),
        When("lines", ("by hand",)),
    ] = ()
    inside: Annotated[Literal["first class", "second class"], Label("Inside is"), Help(INSIDE)] = (
        "first class"
    )
    penalty: Annotated[
        float,
        Range(1e-4, 100, log=True),
        Label("Penalty λ"),
        Help("λ/2 |w|² of each line (extension)"),
        When("lines", ("learnt",)),
    ] = 0.01
    starts: Annotated[
        int,
        Range(1, 100, log=True),
        Label("Starts"),
        Help("the one of least loss is kept"),
        When("lines", ("learnt",)),
    ] = 3
    rounds: MostRounds = 50


class State(Record):
    """The model is the lines `W`; the fields after `best` are what this step shows.

    W: (K, d + 1) of the lines, w₀ last
    votes: (K, n) which lines say inside
    errors: rows that the AND gets wrong
    owner: (n,) the line that has to cut an outside example off, −1 for all others
    loss: of all lines, NaN before they have examples
    round: 0 before the first
    trial: number of the start, from 1
    best: the last state of the best start before this one, None without one
    before: (K, d + 1) the lines before this step
    changed: outside examples that went to another line
    line: learnt now, or −1
    current: the most doubtful example, or −1
    """

    W: Float
    votes: Bool
    errors: int
    owner: Int
    loss: float
    before: Float
    changed: Int
    round: int = 0
    trial: int = 1
    best: "State | None" = None
    line: int = -1
    current: int = -1


class Setting(Lines[Params]):
    """The examples inside and outside, and lines that say inside where w·x + w₀ ≥ 0."""

    @property
    def by_hand(self) -> bool:
        """Whether the lines are given, not learnt."""
        return bool(self.p.lines == "by hand")

    @property
    def starts(self) -> int:
        """The number of random starts; 1 where the lines are given."""
        return 1 if self.by_hand else int(self.p.starts)

    def start(self, rng: Rng) -> Float:
        """(K, d + 1) the initial lines: as set, or in evenly spread directions around the inside.

        Their distance from its middle is the mean distance of its examples.
        """
        if self.by_hand and self.p.corners:
            return through(self.corners)
        inside = self.scaled_rows[self.inside]
        far = float(np.abs(inside[:, :-1]).sum(axis=1).mean()) or 1.0
        # unit vectors, in two columns evenly round a circle from a drawn angle
        directions = spread_out(self.p.members, self.problem.d, rng)
        return np.stack([self.unscaled(np.append(-u, far)) for u in directions])  # far − u·x ≥ 0

    def scores(self, W: Float, X: Float) -> Float:
        """(K, m) w·x + w₀ of every line.

        Added up column by column, a row has the same score whatever stands beside it.
        """
        scores = []
        for *w, w0 in W.tolist():
            terms = (weight * x for weight, x in zip(w, X.T, strict=True))
            scores.append(add_up(terms, np.full(len(X), w0)))
        return np.stack(scores)

    def own(self, s: State, k: int) -> Int:
        """The indices of the outside examples that line k has to exclude."""
        return np.flatnonzero(s.owner == k)

    def loss(self, s: State) -> float:
        """The log-loss of all lines on their examples, with penalties; NaN while no example has a
        line.
        """
        if (s.owner < 0).all():
            return float("nan")
        losses = []
        for k, w in enumerate(s.W):
            inside, own = self.examples(self.own(s, k))
            losses.append(log_loss(self.scaled(w), inside, own, self.p.penalty))
        return float(np.sum(losses))


def with_lines(given: Setting, s: State, W: Float) -> State:
    """The state with the lines W (K, d + 1): their votes, the errors of their AND, their loss."""
    votes = given.scores(W, given.problem.X) >= 0
    inside = votes.all(axis=0)  # h[1] ≥ 0 ∧ … ∧ h[K] ≥ 0
    wrong = (inside != given.inside) & given.problem.labelled
    errors = int(np.count_nonzero(wrong))
    s = replace(s, W=frozen(W), before=s.W, votes=frozen(votes), errors=errors)
    return replace(s, loss=given.loss(s))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from starts(given, at, rng, done=0, best=None)


def starts(given: Setting, at: At, rng: Rng, done: int, best: State | None) -> Steps[State]:
    """The steps of the starts after the first `done`, and of the choice of the best. best: of those
    done, None for none
    """
    for trial in range(done + 1, given.starts + 1):
        s = started(given, given.start(rng), trial, best)
        yield from at("start", s)
        s = yield from rounds(given, at, s)
        best = better(s)
    assert best is not None, "there is one start at least"
    trial = max(done, given.starts)
    s = replace(best, trial=trial, best=best)
    yield from at("and", s, *when(clean=not s.errors), starts=trial)


def started(given: Setting, W: Float, trial: int, best: State | None) -> State:
    """The state at a start, with lines W (K, d + 1) to which no examples belong yet."""
    unassigned = frozen(np.full(given.problem.n, -1))
    s = State(
        frozen(W),
        votes=frozen(np.zeros((len(W), given.problem.n), bool)),
        errors=0,
        owner=unassigned,
        loss=np.nan,
        before=frozen(W),
        changed=unassigned[:0],
        trial=trial,
        best=best,
    )
    return with_lines(given, s, W)


def better(s: State) -> State:
    """The state of lower loss of this start and the best before it; the earlier one of ties."""
    if s.best is None or s.loss < s.best.loss:
        return replace(s, best=None)
    return s.best


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if s.W.shape[1] != given.problem.d + 1 or s.votes.shape[1] != given.problem.n:
        raise EngineError("These lines are of other examples: start again.")
    for _ in range(s.trial):
        given.start(rng)  # the random numbers of the starts so far
    if s.best is not None:
        s = replace(s, best=with_lines(given, s.best, s.best.W))
    s = yield from rounds(given, at, s)
    yield from starts(given, at, rng, s.trial, better(s))


def rounds(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state after the rounds: examples are assigned to lines and lines are learnt, until no
    example changes its line.
    """
    done = given.by_hand
    last = last_round(given.p.rounds, s.round)
    while not done and s.round < last:
        s = replace(s, before=s.W, round=s.round + 1, line=-1, current=-1)
        yield from at("loop", s)
        s = assigned(given, s)
        yield from at("assign", s)
        done = s.round > 1 and not len(s.changed)
        if not done:
            s = yield from learnt(given, at, s)
        s = replace(s, line=-1, current=-1, before=s.W)
        yield from at("until", s, *when(round=True, converged=done))
    return replace(s, line=-1, current=-1, before=s.W)


def last_round(most: int | None, done: int) -> float:
    """The number of the last round: at most `most`, or `most` more than `done` where these are
    over; ∞ for None.
    """
    if most is None:
        return np.inf
    return most if done < most else done + most


def assigned(given: Setting, s: State) -> State:
    """The state with each outside example assigned to the line of least score, the first of ties;
    one line that says no is enough.
    """
    scores = given.scores(s.W, given.problem.X)
    least = scores.argmin(axis=0)
    owner = frozen(np.where(given.outside, least, -1))
    changed = frozen(np.flatnonzero(owner != s.owner))
    two = np.sort(scores, axis=0)[:2]
    doubt = np.where(given.outside, two[-1] - two[0], np.inf)
    s = replace(s, owner=owner, changed=changed, current=int(doubt.argmin()), line=-1)
    return replace(s, loss=given.loss(s))


def learnt(given: Setting, at: At, s: State) -> Part[State, State]:
    """Every line between the inside and its own examples; without any it stays.

    It is the line of least log-loss: −Σ log h(x) of the inside − Σ log (1 − h(x)) of its own +
    λ/2 |w|², where h(x) = 1 / (1 + e^−(w·x + w₀)).
    """
    for k in range(len(s.W)):
        W = s.W.copy()
        own = given.own(s, k)
        if len(own):
            inside, outside = given.examples(own)
            # argmin of the log-loss, by Newton's steps w ← w − H⁻¹ ∇, halved until the loss falls
            w = yield from fitted(given.scaled(W[k]), inside, outside, given.p.penalty)
            W[k] = given.unscaled(w)
        s = with_lines(given, replace(s, line=k, current=-1), W)
        yield from at("learn", s, *when(idle=not len(own)))
    return s


def tweak(given: Setting, s: State, link: tuple[int, ...], value: float) -> State:
    """The state with one weight of the network set by hand. link: (gap, from, to)

    Raises EngineError for the weights of the AND.
    """
    gap, column, k = link
    if gap:
        raise EngineError("The weights of the AND are fixed: change those of the lines.")
    W = s.W.copy()
    W[k, column] = value
    return with_lines(given, s, W)


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) class indices: inside is where the least of the lines' scores is 0 or more."""
    least = given.scores(s.W, X).min(axis=0)
    inside = least >= 0  # h[1] ≥ 0 ∧ … ∧ h[K] ≥ 0
    classes = np.where(inside, given.inner, 1 - given.inner)
    return np.where(np.isnan(least), -1, classes)


def scores(given: Setting, s: State, X: Float) -> Float:
    """(m,) the least of the lines' scores, above 0 for the first class."""
    least = given.scores(s.W, X).min(axis=0)
    return np.asarray(-least if given.inner else least)


def example() -> Problem:
    """Three points inside a triangle and two beyond each of its sides."""
    inside = [(0.0, 0.0), (0.4, 0.1), (-0.3, 0.3)]
    outside = [(0.0, -2.0), (1.0, -2.2), (2.0, 1.4), (1.2, 2.2), (-2.0, 1.2), (-1.4, 2.0)]
    labels = ["in"] * len(inside) + ["out"] * len(outside)
    return prepare(Dataset.from_arrays(np.array(inside + outside), labels))


ALGORITHM = Algorithm.of(
    __name__,
    title="AND of half-planes",
    task=Task.CLASSIFY,
    source=("AIMA 18.10", "AIMA Fig 18.32"),
    needs=Needs(min_classes=2, max_classes=2, numeric=True, max_columns=200),
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("loss", "log-loss of the lines", about=("own",)),
    ),
    events=("round", "idle", "converged", "clean"),
)
