"""CANDIDATE-ELIMINATION: the version space between its narrowest hypothesis S and its widest ones
G. ML 7.3, 7.5.2, Exercises 7.4, 7.6.
"""

from typing import Annotated, Literal

from engine.algorithms.rules.candidate_elimination.general import General, between, everything
from engine.algorithms.rules.parts.boxes import Box, Boxed, empty_box
from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Callable,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    frozen,
    np,
    prepare,
    replace,
)

PSEUDOCODE = """
start  round:  S ← {never}; G ← {always}
take   detail: for each example (x, y)
agree  detail:   all of them say y: go on
drop:            y positive: drop g, g(x) = 0
grow:            y positive: S ← least S at x
strike:          y negative: drop S, S(x) = 1
cut:             y negative: cut g, g(x) = 1
empty  round:    none left, |G| > limit: stop
done   round:  return S and G
"""


class Params(Record, eq=True):
    answer: Annotated[
        Literal["unanimous", "tightest", "loosest", "random"],
        Label("Answer"),
        Help(
            "where the hypotheses left disagree: none; as S says; as the first of G; as one drawn"
            " between them"
        ),
    ] = "unanimous"
    limit: Annotated[
        int, Range(1, 5000, log=True), Label("Most hypotheses in G"), Help("with more it stops")
    ] = 500


class State(Record):
    """S: the narrowest hypothesis left, or None; before: S before this step; G: the widest ones;
    gone: those that left G at this step, fresh: how many of its last are new; current: row or −1;
    seen: examples taken, unsure: those on which the hypotheses disagreed; chance (2 d + 1,):
    numbers from 0 to 1 that say which hypothesis is drawn.
    """

    S: Box | None
    before: Box | None
    G: General
    gone: General
    fresh: int
    current: int
    seen: int
    unsure: int
    chance: Float

    @property
    def left(self) -> bool:
        """Some hypothesis fits all examples that were taken."""
        return self.S is not None and len(self.G) > 0


class Setting(Boxed[Params]):
    """What candidate_elimination reckons with, see Boxed."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    S = empty_box(given.problem.d)
    G = everything(given.problem.d)
    s = State(S, S, G, G[:0], 0, -1, 0, 0, frozen(rng.random(2 * given.problem.d + 1)))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    s = yield from grown(given, at, s)
    for i in given.stream[s.seen :].tolist() if s.left else ():
        s = replace(s, before=s.S, gone=s.G[:0], fresh=0, current=i)
        yield from at("take", s)
        yield None
        after = yield from one_example(given, at, s, i)
        if after is None or not after.left:
            s, why = (s, "full") if after is None else (after, "empty")
            yield from at("empty", s, why, full=after is None)
            break
        s = after
    yield from at("done", replace(s, before=s.S, gone=s.G[:0], fresh=0, current=-1))


def one_example(given: Setting, at: At, s: State, i: int) -> Part[State, State | None]:
    """Returns the state after it; None where G would hold too many."""
    x = given.X[i]
    positive = given.positive(i)
    S = s.S
    assert S is not None
    inside = bool(S.covers(x))
    holds = s.G.covers(x)
    s = replace(s, seen=s.seen + 1, unsure=s.unsure + (not inside and bool(holds.any())))
    if inside if positive else not holds.any():
        yield from at("agree", s)
    elif positive:
        if not holds.all():
            s = replace(s, G=s.G[holds], gone=s.G[~holds])
            yield from at("drop", s, "border")
        s = yield from grown(given, at, s)
    elif inside:
        s = replace(s, S=None)
        yield from at("strike", s)
    else:
        G = yield from s.G.cut(x, S, given.p.limit, given.words, given.most)
        if G is None:
            return None
        s = replace(s, G=G, gone=s.G[holds], fresh=len(G) - int((~holds).sum()))
        yield from at("cut", s, "border")
    return s


def grown(given: Setting, at: At, s: State) -> Part[State, State]:
    """S covers the positive example that is looked at, once it has been dropped from G what does
    not.
    """
    looked_at = s.seen > 0 and s.current in given.stream[s.seen - 1 : s.seen]
    if (
        looked_at
        and s.S is not None
        and s.left
        and given.positive(i := s.current)
        and not s.S.covers(given.X[i])
    ):
        s = replace(s, S=given.joined(s.S, given.X[i]), gone=s.G[:0])
        yield from at("grow", s, "border")
    return s


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"G": len(s.G), "unsure": s.unsure}


def predict(given: Setting, s: State, X: Float) -> Int:
    """The class that all hypotheses left say, or the one that was asked for; −1 where they
    disagree, or none is left.
    """
    codes = answer(given, s, (len(X),), lambda box: box.covers(X), lambda G: G.any_covers(X))
    return np.where(np.isnan(X).any(axis=1), -1, codes)


def answer(
    given: Setting,
    s: State,
    shape: tuple[int, ...],
    holds: Callable[[Box], Bool],
    wide: Callable[[General], Bool],
) -> Int:
    """By where a hypothesis holds, and where any of some of G does."""
    if s.S is None or not s.left:
        return np.full(shape, -1)
    if given.p.answer == "unanimous":
        return np.where(holds(s.S), 0, np.where(wide(s.G), -1, 1))
    if given.p.answer == "random":
        return np.where(holds(between(given, s.S, s.G, s.chance)), 0, 1)
    return np.where(holds(s.S) if given.p.answer == "tightest" else wide(s.G[:1]), 0, 1)


def example() -> Problem:
    """Points in a rectangle and round it; the last one says that there is no such rectangle."""
    X = np.array([[5, 5], [9, 5], [5, 9], [8, 8], [6, 8.5], [1, 1], [6, 6], [5.5, 7]])
    return prepare(Dataset.from_arrays(X, np.where([1, 0, 0, 0, 1, 0, 1, 0], "in", "out")))


ALGORITHM = Algorithm.of(
    __name__,
    title="Candidate elimination",
    task=Task.RULES,
    source=("ML 7.3", "ML 7.5.2", "ML Exercise 7.4", "ML Exercise 7.6"),
    narrow=True,
    needs=Needs(min_classes=2, max_classes=2, max_columns=200),
    curves=(
        Curve("G", "hypotheses in G", digits=0),
        Curve("unsure", "examples the hypotheses disagreed on", digits=0),
    ),
    events=("border", "empty", "full"),
)
