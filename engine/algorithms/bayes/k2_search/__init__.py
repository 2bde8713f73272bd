"""K2: parents for each variable, one after the other, while the score of Cooper and Herskovits
grows. ML 6.11.6.
"""

from typing import Annotated

from engine.algorithms.bayes.parts import Parents, Tables, arcs
from engine.algorithms.bayes.parts.answers import classes
from engine.algorithms.bayes.parts.score import Scoring, best_of, order_named
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Fits,
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
    frozen,
    np,
    prepare,
    replace,
    when,
)

PSEUDOCODE = """
start round: no arcs: every π is empty
node detail: for each x in the order
try:           z ← best new parent before x
add:           if g(x, π + z) > g(x, π): π += z
keep round:    until no z is better, or π full
found round: these are the arcs
"""


class Params(Record, eq=True):
    parents: Annotated[int, Range(0, 8), Label("Most parents"), Help("of one variable")] = 2
    order: Annotated[
        tuple[float | str, ...],
        Label("Order"),
        Help(
            "names of columns: parents come before their children; those not named follow as in the"
            " table"
        ),
        Fits(order_named),
    ] = ()


class State(Record):
    """The model is `parents`, the arcs, with the tables that the counts give; the fields after
    `score` are what this step shows.

    parents: π of each variable
    edges: (m, 2) the arcs, from parent to child
    tables: of each variable (rows of its parents' values, values) the chances
    scores: (v,) ln g of each variable
    score: ln g of the network, their sum
    current: the variable looked at, or −1
    tried: the best new parent of it, or −1
    done: so many variables have their parents
    """

    parents: Parents
    edges: Int
    tables: Tables
    scores: Float
    score: float
    current: int = -1
    tried: int = -1
    done: int = 0


class Setting(Scoring[Params]):
    """The order of the variables, counts and scores.

    g(x, π) is the chance of the column of x given its parents π, on average over all tables of
    chances: the product of (r − 1)! Π N! / (Σ N + r − 1)! over the rows of the table of x, which
    has r values with counts N. Scores are ln g.
    """


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    given.check()
    variables = range(len(given.variables))
    parents: Parents = tuple(() for _ in variables)
    tables = tuple(given.table(x, ()) for x in variables)
    scores = frozen(np.array([given.score(x, ()) for x in variables]))
    s = State(parents, arcs(parents), tables, scores, float(scores.sum()))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    given.fits(s.parents)
    for x in given.order[s.done :]:
        s = replace(s, current=x, tried=-1)
        yield from at("node", s)
        s = yield from parents_of(given, at, s, x)
        s = replace(s, tried=-1, done=s.done + 1)
        full = len(s.parents[x]) == given.p.parents
        yield from at("keep", s, *when(full=full))
    yield from at("found", replace(s, current=-1, tried=-1))


def parents_of(given: Setting, at: At, s: State, x: int) -> Part[State, State]:
    """The state in which x has its parents: one more as long as ln g rises, of tied candidates the
    first in the order.
    """
    candidates = given.candidates(x, s.parents[x])  # none when π is full
    while candidates:
        scores = []
        for z in candidates:
            scores.append(given.score(x, (*s.parents[x], z)))  # ln g(x, π + z)
            yield None
        none = len(candidates)  # the last option: no parent more
        equals = best_of((*scores, float(s.scores[x])))
        best = at.take(equals, none if none in equals else equals[0])
        better = best != none  # g(x, π + z) > g(x, π)
        s = replace(s, tried=candidates[best] if better else -1)
        chosen = best if better else -1
        yield from at("try", s, candidates=candidates, scores=tuple(scores), best=chosen)
        if not better:
            break
        before = s.score
        s = added(given, s, x, candidates[best], scores[best])
        yield from at("add", s, "arc", before=before)
        candidates = given.candidates(x, s.parents[x])
    return s


def added(given: Setting, s: State, x: int, z: int, score: float) -> State:
    """The state in which z is also a parent of x. score: ln g of x with its parents now"""
    own = (*s.parents[x], z)
    parents = (*s.parents[:x], own, *s.parents[x + 1 :])
    tables = (*s.tables[:x], given.table(x, own), *s.tables[x + 1 :])
    scores = s.scores.copy()
    scores[x] = score
    return replace(
        s,
        parents=parents,
        edges=arcs(parents),
        tables=tables,
        scores=frozen(scores),
        score=float(scores.sum()),
    )


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the most probable class given the known values of each row X (m, d); −1 where none is
    known, or the target is no class.
    """
    found: Int = classes(given, s, X)
    return found


def example() -> Problem:
    """Eight days on which thunder goes with lightning, except for one."""
    days = {"Storm": "yynynynn", "Lightning": "yynnynnn", "Thunder": "yynnynyn"}
    return prepare(Dataset.from_columns({name: list(cells) for name, cells in days.items()}))


ALGORITHM = Algorithm.of(
    __name__,
    title="K2 structure search",
    task=Task.STRUCTURE,
    source=("ML 6.11.6",),
    by_known=True,
    needs=Needs(labels=False, discrete=True, max_columns=200),
    curves=(Curve("score", "ln of the score of the network", about=("arcs",)),),
    events=("arc", "full"),
)
