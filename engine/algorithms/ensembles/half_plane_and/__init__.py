"""The AND of half-planes: an ensemble says more than its members, a triangle from three lines.

AIMA 18.10, Fig 18.32.
"""

from typing import Annotated, Literal

from engine.algorithms.ensembles.half_plane_and.lines import Lines, corners_fit, fitted
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
from engine.numerics.linear import fired_classes

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
    """W (K, d + 1) of the lines, the bias last; before: W before this step; votes (K, n): which
    lines say inside; owner (n,): the line that has to cut an outside example off, −1 for all
    others; changed: outside examples that went to another line; errors: wrong examples; loss: of
    all lines; line: learnt now, or −1; current: the most doubtful example, or −1; trial: number of
    the start, from 1; best: the last state of the best start before this one, None without one.
    """

    W: Float
    before: Float
    votes: Bool
    owner: Int
    changed: Int
    errors: int
    loss: float
    round: int = 0
    line: int = -1
    current: int = -1
    trial: int = 1
    best: "State | None" = None


class Setting(Lines[Params]):
    """See Lines."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from starts(given, at, rng, 0, None)


def starts(given: Setting, at: At, rng: Rng, done: int, best: State | None) -> Steps[State]:
    """Those that come after so many that are over; then the best of all is kept."""
    unassigned = frozen(np.full(given.problem.n, -1))
    trial = done
    for trial in range(done + 1, given.starts + 1):
        W = frozen(given.start(rng))
        votes = frozen(np.zeros((len(W), given.problem.n), bool))
        s = State(W, W, votes, unassigned, unassigned[:0], 0, np.nan, trial=trial, best=best)
        yield from at("start", s := given.drawn(s, W))
        best = kept((yield from rounds(given, s, at)))
    assert best is not None, "there is one start at least"
    s = replace(best, trial=trial, best=best)
    yield from at("and", s, *when(clean=not s.errors), starts=trial)


def kept(s: State) -> State:
    """The best start when that of `s` is over, the earlier of equals."""
    return replace(s, best=None) if s.best is None or s.loss < s.best.loss else s.best


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if s.W.shape[1] != given.problem.d + 1 or s.votes.shape[1] != given.problem.n:
        raise EngineError("These lines are of other examples: start again.")
    for _ in range(s.trial):  # the random numbers of the starts so far
        given.start(rng)
    s = s if s.best is None else replace(s, best=given.drawn(s.best, s.best.W))
    s = yield from rounds(given, s, at)
    yield from starts(given, at, rng, s.trial, kept(s))


def rounds(given: Setting, s: State, at: At) -> Part[State, State]:
    p = given.p
    done = given.p.lines == "by hand"
    last = np.inf if p.rounds is None else p.rounds if s.round < p.rounds else s.round + p.rounds
    while not done and s.round < last:
        s = replace(s, before=s.W, round=s.round + 1, line=-1, current=-1)
        yield from at("loop", s)
        s = assigned(given, s)
        yield from at("assign", s)
        done = not len(s.changed) and s.round > 1
        for k in () if done else range(len(s.W)):
            s = yield from learnt(given, s, k)
            yield from at("learn", s, *when(idle=not len(given.own(s, k))))
        s = replace(s, line=-1, current=-1, before=s.W)
        yield from at("until", s, "round", *when(converged=done))
    return replace(s, line=-1, current=-1, before=s.W)


def assigned(given: Setting, s: State) -> State:
    """Each outside example to the line that says yes to it least, the first of equals: one no is
    enough.
    """
    scores = given.scores(s.W, given.problem.X)
    owner = frozen(np.where(given.outside, scores.argmin(axis=0), -1))
    two = np.sort(scores, axis=0)[:2]
    doubt = np.where(given.outside, two[-1] - two[0], np.inf)
    changed = frozen(np.flatnonzero(owner != s.owner))
    return given.weighed(
        replace(s, owner=owner, changed=changed, current=int(doubt.argmin()), line=-1)
    )


def learnt(given: Setting, s: State, k: int) -> Part[State, State]:
    """Line k between the inside and its own examples; without any it stays."""
    rows = given.own(s, k)
    W = s.W.copy()
    if len(rows):
        v = yield from fitted(given.scaled(s.W[k]), *given.examples(rows), given.p.penalty)
        W[k] = given.unscaled(v)
    return given.drawn(s, W, line=k, current=-1)


def predict(given: Setting, s: State, X: Float) -> Int:
    said = fired_classes(given.scores(s.W, X).min(axis=0))
    return np.where(said < 0, -1, said ^ given.inner)


def scores(given: Setting, s: State, X: Float) -> Float:
    """The least of the lines' scores, above 0 for the first class."""
    return np.asarray(given.scores(s.W, X).min(axis=0) * (1 - 2 * given.inner))


def example() -> Problem:
    """Three points within a triangle and six round it, two beyond each side."""
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
    tweak=Setting.tweak,
    events=("round", "idle", "converged", "clean"),
)
