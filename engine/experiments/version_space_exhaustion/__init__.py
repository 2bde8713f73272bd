"""ε-exhaustion: every hypothesis a point of its training and its true error; examples strike the
bad ones. ML 7.3, AIMA 18.5.
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
    Setting as Given,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.data.generators import generate
from engine.experiments.parts.chance import MOST_ROWS, concept, counted
from engine.experiments.parts.finite import Finite, usual
from engine.experiments.parts.left_out import LeftOut
from engine.numerics.closeness import more

PSEUDOCODE = """
start  round:  V ← H; nobody sees c and its errors
draw   detail: draw an example (x, c(x))
strike:        strike from V all h(x) ≠ c(x)
lamp   round:  no h in V errs ≥ ε: exhausted
repeat round:  do the same R times more
done   round:  how often was V exhausted?
"""


class Params(Record, eq=True):
    hypotheses: Annotated[
        Literal["auto", "intervals", "rectangles", "conjunctions", "functions"],
        Label("Hypotheses H"),
        Help("functions: all Boolean functions of three columns; auto: what the columns suit"),
    ] = "auto"
    concept: Annotated[
        Literal["drawn", "table"],
        Label("Concept c"),
        Help("drawn: one of H, by the seed; table: the classes of the rows"),
    ] = "drawn"
    epsilon: Annotated[
        float, Range(0.01, 0.5), Label("Error ε"), Help("whoever errs as often or more is bad")
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
        Help("of the cells along an axis, for intervals and rectangles"),
    ] = 7


class State(Record):
    """version_space (|H|,): who was never wrong; before: the same before this example; wrong
    (|H|,): on how many examples so far; c: number of the concept, −1 not in H; truth (n,): what it
    says of the rows; errors (|H|,): true ones; drawn: the rows so far; exhausted: after how many
    examples, −1 not yet; share (m + 1,): of the repeats in which a bad one was left after 0 to m
    examples, () before.
    """

    version_space: Bool
    before: Bool
    wrong: Int
    c: int
    truth: Bool
    errors: Float
    epsilon: float
    drawn: Prefix[int]
    exhausted: int = -1
    share: Float | None = None

    @property
    def bad(self) -> Bool:
        """(|H|,) whose error is ε or more; a share of rows is compared, so that half a row decides
        nothing.
        """
        return np.asarray(~more(self.epsilon, self.errors))

    @property
    def left(self) -> int:
        return int(self.version_space.sum())

    @property
    def bad_left(self) -> int:
        return int((self.version_space & self.bad).sum())


class Setting(Given[Params]):
    """H: the hypotheses; says (|H|, n): what they say of the rows, each of which is as likely."""

    @cached_property
    def H(self) -> Finite:
        kind = usual(self.problem) if self.p.hypotheses == "auto" else self.p.hypotheses
        return Finite(kind, self.problem, self.p.edges)

    @cached_property
    def left_out(self) -> LeftOut:
        """Columns that no hypothesis asks, thinned edges, and rows beyond the first MOST_ROWS."""
        return replace(
            self.H.left_out, rows=max(0, self.problem.n - MOST_ROWS), all_rows=self.problem.n
        )

    @cached_property
    def says(self) -> Bool:
        return frozen(self.H.says(self.problem.X[:MOST_ROWS]))

    def concept(self, rng: Rng) -> tuple[int, Bool]:
        """(number of c or −1, (n,) what it says)."""
        if self.p.concept == "table":
            if len(self.problem.classes) != 2 or (self.problem.codes[:MOST_ROWS] < 0).any():
                raise EngineError(
                    "The table gives no concept: two classes, in every row, are needed. Let one be"
                    " drawn."
                )
            return -1, self.problem.codes[:MOST_ROWS] == 0
        c = concept(self.says, rng)
        return c, self.says[c]


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    c, truth = given.concept(rng)
    wrong = given.says != truth
    V = frozen(np.ones(given.H.size, bool))
    errors = frozen(wrong.mean(axis=1))
    s = State(
        V,
        V,
        frozen(np.zeros(given.H.size, np.intp)),
        c,
        frozen(truth),
        errors,
        given.p.epsilon,
        Prefix([], 0),
    )
    yield from at("start", s)
    for i in rng.integers(given.says.shape[1], size=given.p.examples).tolist():
        s = replace(s, drawn=s.drawn.plus(i), before=s.version_space)
        yield from at("draw", s)
        V = frozen(s.version_space & ~wrong[:, i])
        s = replace(s, version_space=V, wrong=frozen(s.wrong + wrong[:, i]))
        yield from at("strike", s, *when(empty=not s.left))
        yield None
        if s.exhausted < 0 and not s.bad_left:
            s = replace(s, exhausted=len(s.drawn))
            yield from at("lamp", s, "exhausted")
    s = replace(s, before=s.version_space)
    share = yield from counted(wrong[s.bad], given.p.examples, given.p.repeats, rng)
    s = replace(s, share=share)
    yield from at("repeat", s)
    yield from at("done", s)


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
