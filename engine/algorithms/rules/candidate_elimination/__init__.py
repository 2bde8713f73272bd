"""CANDIDATE-ELIMINATION: the version space by its narrowest hypothesis S and its widest ones G.

ML 7.3, 7.5.2, Exercises 7.4, 7.6.
"""

from typing import Annotated, Literal

from engine.algorithms.rules.candidate_elimination.general import (
    General,
    between,
    everything,
    sides_of,
    together,
    widest,
)
from engine.algorithms.rules.parts import NEGATIVE, POSITIVE
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
    Work,
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
    """The model is S and G; behind `unsure` stands what a moment looks at.

    S: the narrowest hypothesis left, or None
    G: the widest hypotheses left
    chance: (2 d + 1,) numbers from 0 to 1 that say which hypothesis is drawn, see `between`
    seen: how many examples were taken
    unsure: on how many of them the hypotheses disagreed
    before: S before this step
    gone: those that left G at this step
    fresh: how many of the last in G are new
    current: the row that is looked at, or −1
    """

    S: Box | None
    G: General
    chance: Float
    seen: int
    unsure: int
    before: Box | None
    gone: General
    fresh: int
    current: int

    @property
    def left(self) -> bool:
        """Whether some hypothesis fits all examples that were taken."""
        return self.S is not None and len(self.G) > 0


class Setting(Boxed[Params]):
    """A table, hypotheses over it being boxes."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    d = given.problem.d
    S = empty_box(d)  # holds nowhere
    G = everything(d)  # holds everywhere
    s = State(
        S=S,
        G=G,
        chance=frozen(rng.random(2 * d + 1)),
        seen=0,
        unsure=0,
        before=S,
        gone=G[:0],
        fresh=0,
        current=-1,
    )
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    s = yield from grown(given, at, s)
    for i in given.stream[s.seen :].tolist():
        if not s.left:
            break
        s = replace(s, before=s.S, gone=s.G[:0], fresh=0, current=i)
        yield from at("take", s)
        yield None
        after = yield from one_example(given, at, s, i)
        if after is None:
            yield from at("empty", s, "full", full=True)
            break
        s = after
        if not s.left:
            yield from at("empty", s, "empty", full=False)
    yield from at("done", replace(s, before=s.S, gone=s.G[:0], fresh=0, current=-1))


def one_example(given: Setting, at: At, s: State, i: int) -> Part[State, State | None]:
    """The state after row i; None where G would hold more hypotheses than the limit."""
    x = given.X[i]
    positive = given.positive(i)
    S = s.S
    assert S is not None  # while hypotheses are left
    narrowest = bool(S.covers(x))  # S(x) = 1: all hypotheses hold at x
    holds = s.G.covers(x)  # (g,) g(x) = 1
    some = bool(holds.any())
    disagree = some and not narrowest
    s = replace(s, seen=s.seen + 1, unsure=s.unsure + disagree)
    if (positive and narrowest) or (not positive and not some):
        yield from at("agree", s)
    elif positive:
        if not holds.all():
            s = replace(s, G=s.G[holds], gone=s.G[~holds])
            yield from at("drop", s, "border")
        s = yield from grown(given, at, s)
    elif narrowest:
        s = replace(s, S=None)
        yield from at("strike", s)
    else:
        G = yield from cut(given, s.G, x, S)
        if G is None:
            return None
        kept = int(np.count_nonzero(~holds))
        s = replace(s, G=G, gone=s.G[holds], fresh=len(G) - kept)
        yield from at("cut", s, "border")
    return s


def grown(given: Setting, at: At, s: State) -> Part[State, State]:
    """S ← the least S that holds at the example taken last, if that is positive and S does not."""
    last = given.stream[max(0, s.seen - 1) : s.seen]
    if s.S is None or not s.left or s.current not in last:
        return s
    x = given.X[s.current]
    if given.positive(s.current) and not s.S.covers(x):
        s = replace(s, S=given.joined(s.S, x), gone=s.G[:0])
        yield from at("grow", s, "border")
    return s


def cut(given: Setting, G: General, x: Float, S: Box) -> Work[General | None]:
    """The widest hypotheses below those of G that do not hold at x and hold wherever S does.

    Those that do not hold at x stay, before the new ones. Every other is cut, in each column, to
    the sides of x on which S lies; what lies in another of G then goes. None where that makes more
    hypotheses than the limit.
    """
    holds = G.covers(x)
    hit = G[holds]
    stays = G[~holds]
    found = [stays]
    for j in range(given.problem.d):
        for low, high in sides_of(given, j, x, S):
            narrower = hit.within(j, low, high)
            new = yield from widest(narrower, stays)
            found.append(new)
            if sum(map(len, found)) > given.p.limit:
                return None
    return together(found)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"G": len(s.G), "unsure": s.unsure}


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class that all hypotheses left give, or the one that the parameter asks for.

    −1 where they disagree, none is left, or a value of X (m, d) is missing.
    """

    def holds(box: Box) -> Bool:
        return box.covers(X)

    def any_holds(G: General) -> Bool:
        return G.any_covers(X)

    codes = answer(given, s, (len(X),), holds, any_holds)
    return np.where(np.isnan(X).any(axis=1), -1, codes)


def answer(
    given: Setting,
    s: State,
    shape: tuple[int, ...],
    holds: Callable[[Box], Bool],
    any_holds: Callable[[General], Bool],
) -> Int:
    """Class indices of places in an array of this shape, −1 where there is no answer.

    holds, any_holds: at which of the places a hypothesis holds, or any of several of G
    """
    if s.S is None or not s.left:
        return np.full(shape, -1)
    if given.p.answer == "tightest":
        return np.where(holds(s.S), POSITIVE, NEGATIVE)
    if given.p.answer == "loosest":
        return np.where(any_holds(s.G[:1]), POSITIVE, NEGATIVE)
    if given.p.answer == "random":
        return np.where(holds(between(given, s.S, s.G, s.chance)), POSITIVE, NEGATIVE)
    outside = np.where(any_holds(s.G), -1, NEGATIVE)
    return np.where(holds(s.S), POSITIVE, outside)


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
