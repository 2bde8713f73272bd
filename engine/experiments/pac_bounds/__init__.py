"""PAC bounds: from one bad hypothesis that survives one example to the examples that are enough for
all. ML 7.3, AIMA 18.5.
"""

from typing import Annotated, Any, Literal

from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Empty,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Problem,
    Range,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    When,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.data.generators import generate
from engine.experiments.parts.chance import MOST_ROWS, concept, exhausted_after
from engine.experiments.parts.finite import Finite, usual
from engine.experiments.parts.left_out import LeftOut, without
from engine.experiments.parts.sizes import SPACES, enough, log_size
from engine.numerics.closeness import more

PSEUDOCODE = """
start  round:  let h be bad: its error ≥ ε
one:           it survives 1 example: ≤ 1 − ε
many:          it survives m: ≤ (1 − ε)ᵐ
union:         one of k bad ones does: ≤ k (1 − ε)ᵐ
all:           k ≤ |H|: ≤ |H| (1 − ε)ᵐ
exp:           1 − ε ≤ e^−ε: ≤ |H| e^(−ε m)
solve  round:  ≤ δ from m ≥ (ln|H| + ln 1/δ) / ε
run    detail: R times: draw m, take an h that fits
done   round:  how often was h bad?
"""
MOST = 2000  # examples of a run


class Params(Record, eq=True):
    hypotheses: Annotated[
        Literal[
            "auto",
            "intervals",
            "rectangles",
            "conjunctions",
            "functions",
            "all conjunctions",
            "all functions",
            "k-term DNF",
            "k-decision lists",
            "integer rectangles",
        ],
        Label("Hypotheses H"),
        Help(
            "the first four are listed and tried over the rows; the others are only counted, for n"
            " columns"
        ),
    ] = "auto"
    learner: Annotated[
        Literal["consistent", "agnostic"],
        Label("Learner"),
        Help("agnostic: least training error, whatever the concept is"),
    ] = "consistent"
    epsilon: Annotated[float, Range(0.01, 0.49), Label("Error ε")] = 0.1
    delta: Annotated[
        float, Range(0.001, 0.49), Label("Chance δ"), Help("of a worse hypothesis")
    ] = 0.05
    n: Annotated[
        int | None, Range(1, 64), Label("Columns n"), Empty("auto"), When("hypotheses", SPACES[:-1])
    ] = None
    k: Annotated[
        int,
        Range(1, 8),
        Label("Size k"),
        Help("terms, or literals of a test"),
        When("hypotheses", SPACES[2:4]),
    ] = 2
    repeats: Annotated[int, Range(0, 1000), Label("Repeats R")] = 40


class State(Record):
    """runs: made so far; left (m + 1,): in how many a bad hypothesis was left after 0 to m
    examples; failed: in how many the one taken was bad; c, h: numbers of the concept and of what
    the last run took, −1 none; drawn: its rows.
    """

    left: Float
    runs: int = 0
    failed: int = 0
    c: int = -1
    h: int = -1
    drawn: Int | None = None

    @property
    def share(self) -> float:
        return self.failed / self.runs if self.runs else float("nan")


class Setting(Given[Params]):
    """H: the listed hypotheses, or None; n: columns that are counted; m: examples that are enough,
    log: ln |H|.
    """

    @cached_property
    def H(self) -> Finite | None:
        kind: Any = usual(self.problem) if self.p.hypotheses == "auto" else self.p.hypotheses
        return None if kind in SPACES else Finite(kind, self.problem, 6)

    @cached_property
    def left_out(self) -> LeftOut:
        """Of the table, where its rows are tried or its columns counted."""
        if self.H is not None:
            return replace(
                self.H.left_out, rows=max(0, self.problem.n - MOST_ROWS), all_rows=self.problem.n
            )
        counted = self.p.hypotheses != SPACES[-1] and self.p.n is None
        return LeftOut(without(self.problem, range(self.n)) if counted else ())

    @cached_property
    def n(self) -> int:
        return self.p.n or min(64, self.problem.d)

    @cached_property
    def log(self) -> float:
        return (
            float(np.log(self.H.size))
            if self.H is not None
            else log_size(self.p.hypotheses, self.n, self.p.k)
        )

    @cached_property
    def m(self) -> int:
        return enough(self.log, self.p.epsilon, self.p.delta, self.p.learner == "agnostic")

    @cached_property
    def says(self) -> Bool:
        """(|H|, n) what the listed ones say of the rows, each of which is as likely."""
        return frozen(
            self.H.says(self.problem.X[:MOST_ROWS])
            if self.H is not None
            else np.zeros((0, 0), bool)
        )

    def misled(self, wrong: Bool, errors: Float, drawn: Int) -> Bool:
        """(m + 1,) whether after 0 to m of the rows a bad hypothesis fits; for the agnostic,
        whether one looks better by ε.
        """
        m = np.arange(len(drawn) + 1)
        if self.p.learner == "consistent":
            return np.asarray(m < exhausted_after(wrong[~more(self.p.epsilon, errors)], drawn))
        seen = np.cumsum(wrong[:, drawn], axis=1) / m[1:]
        better = (errors[:, None] - seen > self.p.epsilon).any(axis=0)
        return np.append((errors > self.p.epsilon).any(), better)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(frozen(np.zeros(min(given.m, MOST) + 1)))
    yield from at("start", s)
    yield from at("one", s)
    yield from at("many", s)
    yield from at("union", s)
    yield from at("all", s)
    yield from at("exp", s)
    yield from at("solve", s)
    if given.H is not None:
        c = concept(given.says, rng)
        wrong = given.says != given.says[c]
        errors = wrong.mean(axis=1)
        for _ in range(given.p.repeats):
            drawn = frozen(rng.integers(given.says.shape[1], size=min(given.m, MOST)))
            seen = wrong[:, drawn].sum(axis=1)
            # whoever is consistent may take any of them
            h = int(rng.choice(np.flatnonzero(seen == seen.min())))
            bad = not more(given.p.epsilon, errors[h])
            left = frozen(s.left + given.misled(wrong, errors, drawn))
            s = replace(s, left=left, runs=s.runs + 1, failed=s.failed + bad, c=c, h=h, drawn=drawn)
            yield from at("run", s, *when(bad=bad))
            yield None
    yield from at("done", s)


def example() -> Problem:
    """Twelve points of a hidden rectangle."""
    return prepare(generate("hidden_rectangle", 12, seed=2))


ALGORITHM = Algorithm.of(
    __name__,
    title="PAC bounds",
    task=Task.THEORY,
    source=(
        "ML 7.3",
        "ML 7.2.1-7.2.3",
        "ML 7.2.1",
        "ML 7.2.2",
        "ML 7.3.1",
        "ML 7.3.2",
        "ML 7.3.1-7.3.2",
        "ML 7.3.3.1",
        "ML Fig 7.1",
        "ML Ex 7.2",
        "ML Ex 7.3",
        "ML Ex 7.8",
        "AIMA 18.5",
        "AIMA 18.5.1",
        "AIMA Eq 18.1",
        "LS, Hypothesis spaces",
    ),
    needs=Needs(labels=False),
    curves=(
        Curve("failed", "runs that took a bad hypothesis", digits=0, about=("counted", "chain")),
    ),
    events=("bad",),
)
