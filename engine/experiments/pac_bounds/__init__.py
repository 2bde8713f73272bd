"""PAC bounds: from one bad hypothesis and one example to the examples that are enough for all.

ML 7.3, AIMA 18.5.
"""

from math import log
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
    Part,
    Problem,
    Range,
    Record,
    Rng,
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
from engine.authoring import (
    Setting as Given,
)
from engine.experiments.parts.chance import MOST_ROWS, concept, exhausted_after
from engine.experiments.parts.finite import Finite, usual
from engine.experiments.parts.left_out import LeftOut, without
from engine.experiments.parts.sizes import SPACES, log_size
from engine.numerics.closeness import at_most, whole_above
from engine.sources.generators import generate

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
        Literal["consistent", "agnostic", "relative"],
        Label("Learner"),
        Help(
            "agnostic: least training error, whatever the concept is; relative: the same, with the"
            " error measured as a multiple of the training error (Chernoff)"
        ),
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
    gamma: Annotated[
        float,
        Range(0.05, 10, log=True),
        Label("Factor γ"),
        Help("an error is at most (1 + γ) times the training error. ML Ex 7.3"),
        When("learner", ("relative",)),
    ] = 1.0


class State(Record):
    """What the runs have counted; the fields after `failed` are those of the last run.

    left: (m + 1,) in how many runs a bad hypothesis was left after 0 to m examples
    runs: made so far
    failed: in how many of them the hypothesis that was taken is bad
    c: number of the concept, −1 before
    h: number of what the last run took, −1 before
    drawn: the rows of the last run, or None
    """

    left: Float
    runs: int = 0
    failed: int = 0
    c: int = -1
    h: int = -1
    drawn: Int | None = None

    @property
    def share(self) -> float:
        """The share of runs in which the learner took a bad hypothesis; NaN before the first."""
        return self.failed / self.runs if self.runs else float("nan")


class Setting(Given[Params]):
    """A table, a class H of hypotheses over it, and the number of examples that suffices for H."""

    @property
    def agnostic(self) -> bool:
        """Whether the learner takes the hypothesis of least training error, even if none fits."""
        return self.p.learner != "consistent"

    @property
    def below(self) -> float:
        """g = γ / (1 + γ): by which share of itself an error p ≥ ε may look smaller than it is."""
        return self.p.gamma / (1 + self.p.gamma)

    @property
    def rate(self) -> float:
        """What each example takes off ln of the bound: ε, by Hoeffding 2ε², by Chernoff ε g²/2."""
        epsilon = self.p.epsilon
        return {
            "consistent": epsilon,
            "agnostic": 2 * epsilon**2,
            "relative": epsilon * self.below**2 / 2,
        }[self.p.learner]

    @cached_property
    def H(self) -> Finite | None:
        """The hypotheses one by one, None where they are only counted.

        Intervals a < x ≤ b and rectangles of such between edges of a grid, conjunctions of tests of
        columns, functions: all Boolean ones of three columns.
        """
        kind: Any = usual(self.problem) if self.p.hypotheses == "auto" else self.p.hypotheses
        return None if kind in SPACES else Finite(kind, self.problem, 6)

    @cached_property
    def left_out(self) -> LeftOut:
        """The columns and rows of the table that are not used: rows beyond MOST_ROWS, columns that
        no hypothesis tests.
        """
        n = self.problem.n
        if self.H is not None:
            return replace(self.H.left_out, rows=max(0, n - MOST_ROWS), all_rows=n)
        counted = self.p.hypotheses != SPACES[-1] and self.p.n is None
        return LeftOut(without(self.problem, range(self.n)) if counted else ())

    @cached_property
    def n(self) -> int:
        """The number of columns for which hypotheses are counted: as set, else those of the table,
        at most 64.
        """
        return self.p.n or min(64, self.problem.d)

    @cached_property
    def log(self) -> float:
        """ln |H|, of listed hypotheses by their number, of others for n columns.

        All conjunctions: ln 3ⁿ. All functions: ln 2^(2ⁿ). k-term DNF: ln 3^(nk). k-decision lists:
        ln (3^c c!) with c = Σ C(2n, i), i = 0 … k, conjunctions of k literals. Rectangles with
        bounds 0 … 99: ln (100 · 101 / 2)².
        """
        if self.H is not None:
            return float(np.log(self.H.size))
        return log_size(self.p.hypotheses, self.n, self.p.k)

    @cached_property
    def m(self) -> int:
        """The least whole m ≥ (ln |H| + ln 1/δ) / rate."""
        return self.enough(self.log)

    def enough(self, size: float) -> int:
        """The number of examples that suffices for ln |H| = `size`."""
        return whole_above((size + log(1 / self.p.delta)) / self.rate)

    @cached_property
    def says(self) -> Bool:
        """(|H|, n) what the listed ones say of the rows, each of which is as likely."""
        if self.H is None:
            return frozen(np.zeros((0, 0), bool))
        return frozen(self.H.says(self.problem.X[:MOST_ROWS]))

    def misled(self, wrong: Bool, errors: Float, rows: Int) -> Bool:
        """(m + 1,) whether after 0 to m of these rows a bad hypothesis fits.

        For the agnostic, whether one looks better by ε than it is, or, measured as a multiple,
        whether a bad one looks better by the factor 1 + γ. wrong: (|H|, n) which hypothesis
        is wrong on which row; errors: (|H|,) on which share of them.
        """
        epsilon = self.p.epsilon
        m = np.arange(len(rows) + 1)
        if self.agnostic:
            training = np.cumsum(wrong[:, rows], axis=1) / m[1:]
            if self.p.learner == "relative":
                bad = at_most(epsilon, errors)
                seems = (errors[:, None] > (1 + self.p.gamma) * training) & bad[:, None]
                return np.append(bad.any(), seems.any(axis=0))
            better = (errors[:, None] - training > epsilon).any(axis=0)
            return np.append((errors > epsilon).any(), better)
        bad = at_most(epsilon, errors)  # error ≥ ε
        return np.asarray(m < exhausted_after(wrong[bad], rows))


def chain(given: Setting, m: Float) -> dict[str, Float]:
    """ln of the chance that each line of the proof allows, after m (any shape) examples.

    By the label of the line. How many hypotheses are bad, k, is not known; here k = √|H|.
    """
    epsilon = given.p.epsilon
    survives = m * np.log1p(-epsilon)  # one bad hypothesis does: (1 − ε)ᵐ
    looser = m * -epsilon  # e^(−ε m)
    if given.agnostic:
        # it looks better than it is: by Hoeffding e^(−2ε²m), by Chernoff e^(−ε g² m/2)
        survives = m * -given.rate
        looser = survives
    return {
        "many": survives,
        "union": given.log / 2 + survives,  # k (1 − ε)ᵐ
        "all": given.log + survives,  # |H| (1 − ε)ᵐ
        "exp": given.log + looser,  # |H| e^(−ε m)
    }


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(frozen(np.zeros(min(given.m, MOST) + 1)))
    yield from at("start", s)
    yield from at("one", s)  # 1 − ε
    yield from at("many", s)  # (1 − ε)ᵐ: chain(given, m)["many"], and so on
    yield from at("union", s)  # k (1 − ε)ᵐ
    yield from at("all", s)  # |H| (1 − ε)ᵐ
    yield from at("exp", s)  # |H| e^(−ε m)
    yield from at("solve", s)  # given.m = ⌈(ln |H| + ln 1/δ) / ε⌉
    if given.H is not None:
        s = yield from tried(given, at, s, rng)
    yield from at("done", s)


def tried(given: Setting, at: At, s: State, rng: Rng) -> Part[State, State]:
    """The state after the runs: in each, a hidden concept is drawn and the learner takes any
    hypothesis that fits best.
    """
    epsilon = given.p.epsilon
    c = concept(given.says, rng)  # any h of H that holds on 20 to 80 % of the rows
    wrong = given.says != given.says[c]  # (|H|, n)
    errors = wrong.mean(axis=1)
    for _ in range(given.p.repeats):
        drawn = frozen(rng.integers(given.says.shape[1], size=min(given.m, MOST)))
        mistakes = wrong[:, drawn].sum(axis=1)
        fits = np.flatnonzero(mistakes == mistakes.min())
        h = int(rng.choice(fits))  # an h that fits: least mistakes on the m examples
        bad = bool(at_most(epsilon, errors[h]))  # error ≥ ε
        left = frozen(s.left + given.misled(wrong, errors, drawn))
        s = replace(s, left=left, runs=s.runs + 1, failed=s.failed + bad, c=c, h=h, drawn=drawn)
        yield from at("run", s, *when(bad=bad))
        yield None
    return s


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
