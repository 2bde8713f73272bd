"""ε-exhaustion: examples strike whatever hypothesis is wrong, until no bad one is left.

ML 7.3, AIMA 18.5.
"""

from typing import Annotated, Literal

from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    Work,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.experiments.parts.chance import MOST_ROWS, concept, exhausted_after
from engine.experiments.parts.finite import Finite, usual
from engine.experiments.parts.left_out import LeftOut
from engine.numerics.closeness import at_most
from engine.sources.generators import generate

PSEUDOCODE = """
start  round:  V ← H; c and true errors are hidden
draw   detail: draw an example (x, c(x))
strike:        strike from V all h(x) ≠ c(x)
lamp   round:  no h in V errs ≥ ε: exhausted
repeat round:  do the same R times more
done   round:  how often was V exhausted?
"""


class Params(Record, eq=True):
    hypotheses: Annotated[
        Literal[
            "auto", "intervals", "rectangles", "discs", "triangles", "conjunctions", "functions"
        ],
        Label("Hypotheses H"),
        Help("functions: all Boolean functions of three columns; auto: what the columns suit"),
    ] = "auto"
    concept: Annotated[
        Literal["drawn", "table"],
        Label("Concept c"),
        Help("drawn: one of H, by the seed; table: the classes of the rows"),
    ] = "drawn"
    epsilon: Annotated[
        float, Range(0.01, 0.5), Label("Error ε"), Help("a hypothesis of this error or more is bad")
    ] = 0.1
    examples: Annotated[int, Range(1, 500), Label("Examples m")] = 30
    repeats: Annotated[
        int,
        Range(1, 2000),
        Label("Repeats R"),
        Help("more runs, to count how often V is exhausted"),
    ] = 200
    edges: Annotated[
        int,
        Range(2, 12),
        Label("Edges"),
        Help("of the cells along an axis; discs and triangles lie where they cross"),
    ] = 7


class State(Record):
    """The hypotheses and what the examples so far did to them.

    version_space: (|H|,) V, the hypotheses that were never wrong
    wrong: (|H|,) on how many examples each was wrong
    errors: (|H|,) the true ones
    epsilon: ε
    c: number of the concept, −1 not in H
    truth: (n,) what the concept says of the rows
    drawn: the rows so far
    before: (|H|,) V before this example
    exhausted: after how many examples V was exhausted, −1 not yet
    share: (m + 1,) of the repeats in which a bad one was left after 0 to m examples, None before
    """

    version_space: Bool
    wrong: Int
    errors: Float
    epsilon: float
    c: int
    truth: Bool
    drawn: Prefix[int]
    before: Bool
    exhausted: int = -1
    share: Float | None = None

    @property
    def bad(self) -> Bool:
        """(|H|,) which hypotheses are bad: their true error is at least ε.

        Errors are shares of rows: a difference of less than half a row decides nothing.
        """
        return np.asarray(at_most(self.epsilon, self.errors))

    @property
    def left(self) -> int:
        """|V|, the number of hypotheses consistent with all examples."""
        return int(np.count_nonzero(self.version_space))

    @property
    def bad_left(self) -> int:
        """The number of bad hypotheses in V, those with a true error of at least ε."""
        return int(np.count_nonzero(self.version_space & self.bad))


class Setting(Given[Params]):
    """A table whose rows are drawn uniformly, and a class H of hypotheses over it."""

    @cached_property
    def H(self) -> Finite:
        """The hypotheses, all of a kind.

        Intervals a < x ≤ b and rectangles of such between edges of a grid, discs around and
        triangles between its crossings, conjunctions of tests of columns, functions: all Boolean
        ones of three columns.
        """
        kind = usual(self.problem) if self.p.hypotheses == "auto" else self.p.hypotheses
        return Finite(kind, self.problem, self.p.edges)

    @cached_property
    def left_out(self) -> LeftOut:
        """The columns that no hypothesis tests, the axes with thinned edges, and the rows beyond
        MOST_ROWS.
        """
        n = self.problem.n
        return replace(self.H.left_out, rows=max(0, n - MOST_ROWS), all_rows=n)

    @cached_property
    def says(self) -> Bool:
        """(|H|, n) what the hypotheses say of the rows."""
        return frozen(self.H.says(self.problem.X[:MOST_ROWS]))

    def concept(self, rng: Rng) -> tuple[int, Bool]:
        """(index of the concept c or −1, its answers (n,) to the rows).

        c is drawn among the hypotheses that hold on 20 to 80 % of the rows, or is the table's.
        Raises EngineError where it is to be the table's and that does not have two classes.
        """
        if self.p.concept == "drawn":
            c = concept(self.says, rng)
            return c, self.says[c]
        codes = self.problem.codes[:MOST_ROWS]
        if len(self.problem.classes) != 2 or (codes < 0).any():
            raise EngineError(
                "The table gives no concept: two classes, in every row, are needed. Let one be"
                " drawn."
            )
        return -1, codes == 0


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    m = given.p.examples
    c, truth = given.concept(rng)
    wrong = given.says != truth  # (|H|, n) h(x) ≠ c(x)
    V = frozen(np.ones(given.H.size, bool))  # V ← H
    s = State(
        version_space=V,
        wrong=frozen(np.zeros(given.H.size, np.intp)),
        errors=frozen(wrong.mean(axis=1)),
        epsilon=given.p.epsilon,
        c=c,
        truth=frozen(truth),
        drawn=Prefix([], 0),
        before=V,
    )
    yield from at("start", s)
    for x in rng.integers(given.says.shape[1], size=m).tolist():
        s = replace(s, drawn=s.drawn.plus(x), before=s.version_space)
        yield from at("draw", s)
        V = frozen(s.version_space & ~wrong[:, x])
        s = replace(s, version_space=V, wrong=frozen(s.wrong + wrong[:, x]))
        yield from at("strike", s, *when(empty=s.left == 0))
        yield None
        if s.exhausted < 0 and s.bad_left == 0:
            s = replace(s, exhausted=len(s.drawn))
            yield from at("lamp", s, "exhausted")
    s = replace(s, before=s.version_space)
    share = yield from repeated(wrong[s.bad], m, given.p.repeats, rng)
    s = replace(s, share=share)  # V was exhausted in 1 − share[m] of the runs
    yield from at("repeat", s)
    yield from at("done", s)


def repeated(wrong: Bool, m: int, repeats: int, rng: Rng) -> Work[Float]:
    """(m + 1,) in which share of R runs a bad hypothesis was left in V after 0 to m examples.

    wrong: (b, n) on which rows each bad hypothesis is wrong
    """
    left = np.zeros(m + 1)
    for drawn in rng.integers(wrong.shape[1], size=(repeats, m)):
        # V is exhausted as soon as each bad h was wrong on an example, m + 1 for never
        left[: exhausted_after(wrong, drawn)] += 1
        yield
    return frozen(left / repeats)


def example() -> Problem:
    """Sixteen points of a hidden rectangle."""
    return prepare(generate("hidden_rectangle", 16, seed=2))


ALGORITHM = Algorithm.of(
    __name__,
    title="Version space, exhausted",
    task=Task.THEORY,
    source=(
        "ML 7.3",
        "ML Fig 7.1",
        "ML Fig 7.2",
        "ML Theorem 7.1",
        "AIMA 18.5",
        "MIT 2.3.10-2.3.11",
        "MIT 2.3.13",
    ),
    needs=Needs(labels=False),
    curves=(
        Curve("left", "hypotheses left", log=True, digits=0, about=("V",)),
        Curve("bad_left", "bad ones among them", bound=True, log=True, digits=0, about=("bad",)),
    ),
    events=("exhausted", "empty"),
)
