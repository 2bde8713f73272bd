"""CANDIDATE-ELIMINATION: the version space by its narrowest hypothesis S and its widest ones G.

ML 7.3, 7.5.2, Exercises 7.4, 7.6.
"""

from typing import Annotated, Literal

from engine.algorithms.rules.candidate_elimination.general import (
    General,
    between,
    together,
    widest,
)
from engine.algorithms.rules.parts import NEGATIVE, POSITIVE
from engine.algorithms.rules.parts.boxes import Box, Boxed
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
    Sequence,
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
    """The model is S and G; the fields after `unsure` are what this step shows.

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
        """Whether some hypothesis fits all examples seen."""
        return self.S is not None and len(self.G) > 0


class Setting(Boxed[Params]):
    """A table; a hypothesis requires of each column a value, an interval or nothing."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    d = given.problem.d
    none = frozen(np.full(d, np.inf))
    S = Box(low=none, high=frozen(-none))  # never holds
    everywhere = frozen(np.full((1, d), np.inf))
    G = General(low=frozen(-everywhere), high=everywhere)  # always holds
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
    """The state with S widened by the least that covers the last example, if that is positive and
    not covered.
    """
    last = given.stream[max(0, s.seen - 1) : s.seen]
    if s.S is None or not s.left or s.current not in last:
        return s
    x = given.X[s.current]
    if given.positive(s.current) and not s.S.covers(x):
        # drop low ≤ x ≤ high where x violates it: numbers move the border, words ask nothing
        S = given.box(np.minimum(s.S.low, x), np.maximum(s.S.high, x))
        s = replace(s, S=S, gone=s.G[:0])
        yield from at("grow", s, "border")
    return s


def cut(given: Setting, G: General, x: Float, S: Box) -> Work[General | None]:
    """The widest hypotheses below those of G that do not hold at x and hold wherever S does.

    Those that do not hold at x stay, before the new ones. Every other is narrowed, one column at a
    time, to an interval that leaves x out and holds S; what then lies in another of G goes. None
    where that makes more hypotheses than the limit.
    """
    holds = G.covers(x)
    hit = G[holds]
    stays = G[~holds]
    found = [stays]
    for j in range(given.problem.d):
        for low, high in sides_of(given, j, x, S):
            narrower = hit.within(j, low, high)  # each g of hit, and low < xⱼ < high
            new = yield from widest(narrower, stays)  # those that lie in no other
            found.append(new)
            if sum(map(len, found)) > given.p.limit:
                return None
    return together(found)


def sides_of(given: Setting, j: int, x: Float, S: Box) -> list[tuple[float, float]]:
    """The widest intervals of column j without the value of x (d,) in which S lies.

    Of numbers those below and above x; of words one for each value that may be required instead.
    """
    if given.words[j]:  # a value v lies between the borders v − ½ and v + ½
        return [(v - 0.5, v + 0.5) for v in values_of(given, j, S) if v != x[j]]
    sides = []
    if S.high[j] < x[j]:
        sides.append((-np.inf, float(x[j])))
    if S.low[j] > x[j]:
        sides.append((float(x[j]), np.inf))
    return sides


def values_of(given: Setting, j: int, S: Box) -> Sequence[int]:
    """The values of column j, one of words, that a hypothesis more general than S may require."""
    if S.low[j] > S.high[j]:  # S holds nowhere
        return range(int(given.most[j]) + 1)
    if S.low[j] < S.high[j]:  # S does not test the column
        return ()
    return (int(S.low[j]),)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"G": len(s.G), "unsure": s.unsure}


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class on which all hypotheses left agree, or the one that the parameter chooses.

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
    """Points in and around a rectangle; the last one contradicts every rectangle."""
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
