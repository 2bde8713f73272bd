"""Decision lists: a chain of small tests, each matching examples of one class alone.

AIMA 18.5.1, Fig 18.11.
"""

from typing import Annotated, Literal

from engine.algorithms.rules.parts import Booleans
from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
)
from engine.numerics.boolean import NO_ROWS, Classes, Literals, Uniform, best_uniform, covers

PSEUDOCODE = """
start  round:  list ← empty
while  detail: while examples are left:
find:            t ← test of at most k literals
fail   round:      matching one class; none: fail
add    detail:   put t → that class into the list
drop   round:    take the examples t matches away
done   round:  return list, else → No
"""
OPTIONS = 30  # in a choice


class Params(Record, eq=True):
    k: Annotated[
        int, Range(1, 4), Label("Literals k"), Help("a test asks for at most this many values")
    ] = 2
    prefer: Annotated[
        Literal["smallest", "widest"],
        Label("Which test"),
        Help(
            "smallest: fewest literals, then most examples; widest: most examples, then fewest"
            " literals"
        ),
    ] = "smallest"


class State(Record):
    """tests: the list, each with its class and how many examples it matched; left: rows no test
    matches; gone: rows that left at this step; found: the test of this step; errors: wrong rows;
    failed: no test was found.
    """

    tests: tuple[Uniform, ...]
    left: Int
    gone: Int
    found: Uniform | None
    errors: int
    failed: bool


class Setting(Booleans[Params]):
    """literals: all tests of one value, with the rows on which they hold."""

    @cached_property
    def literals(self) -> Literals:
        return Literals(self.problem.features, self.X, self.problem.codes)

    def mask(self, rows: Int) -> Bool:
        return np.isin(np.arange(self.problem.n), rows)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State((), frozen(np.flatnonzero(given.problem.labelled)), NO_ROWS, None, 0, False)
    s = given.judged(s, model(s))
    yield from at("start", s)
    while len(s.left):
        s = replace(s, gone=NO_ROWS, found=None)
        yield from at("while", s)
        found = yield from best_uniform(
            given.literals, given.mask(s.left), given.p.k, given.p.prefer == "widest"
        )
        if not found:
            s = replace(s, failed=True)
            yield from at("fail", s, "fail")
            break
        t = at.take(found[: min(found.widest, OPTIONS)])
        s = replace(s, found=t)
        yield from at("find", s, best=tuple(found[:OPTIONS]), ties=found.widest, of=len(found))
        s = replace(s, tests=(*s.tests, t))
        s = given.judged(s, model(s))
        yield from at("add", s)
        matched = covers(t.test, given.X[s.left])
        s = replace(s, left=frozen(s.left[~matched]), gone=frozen(s.left[matched]))
        yield from at("drop", s)
    yield from at("done", replace(s, gone=NO_ROWS, found=None))


def metrics(given: Setting, s: State) -> dict[str, float]:
    return {"errors": s.errors, "left": len(s.left), "tests": len(s.tests)}


def model(s: State) -> Classes:
    """The class of the first test that holds, the second class where none does."""

    def classes(values: Float) -> Int:
        codes, open_ = np.ones(len(values), np.intp), np.ones(len(values), dtype=bool)
        for u in s.tests:
            held = open_ & covers(u.test, values)
            codes[held] = u.code
            open_ &= ~held
        return codes

    return classes


def predict(given: Setting, s: State, X: Float) -> Int:
    """The class by the list; −1 where a value is missing."""
    return given.labels(X, model(s))


def example() -> Problem:
    """A few meals, of which two are alike and judged differently."""
    rows = {
        "Patrons": ["Some", "Full", "Some", "Full", "None", "Full", "Full", "Full"],
        "Fri": ["No", "No", "Yes", "Yes", "No", "Yes", "No", "No"],
        "Hungry": ["Yes", "No", "No", "Yes", "No", "No", "Yes", "Yes"],
        "Wait": ["Yes", "No", "Yes", "Yes", "No", "Yes", "Yes", "No"],
    }
    return prepare(Dataset.from_columns(rows, "Wait"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Decision list",
    task=Task.RULES,
    source=("AIMA 18.5.1", "AIMA Fig 18.10", "AIMA Fig 18.11"),
    needs=Needs(min_classes=2, max_classes=2, discrete=True, max_columns=100),
    curves=(
        Curve("errors", "wrong examples", of_n=True, digits=0),
        Curve("left", "examples left", digits=0, about=("rows",)),
        Curve("tests", "tests", digits=0, about=("list",)),
    ),
    events=("fail",),
)
