"""Decision lists: a chain of small tests, each matching examples of one class alone.

AIMA 18.5.1, Fig 18.11.
"""

from typing import Annotated, Literal

from engine.algorithms.rules.parts import NEGATIVE, Booleans
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
    Work,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
)
from engine.numerics.boolean import (
    NO_ROWS,
    Batch,
    Classes,
    Literals,
    Uniform,
    Uniforms,
    covers,
)

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
    """The model is `tests`; the fields after `failed` are what this step shows.

    tests: the list, each test with its class and how many examples it matched
    left: the rows that no test matches
    errors: wrong rows
    failed: no test was found
    gone: the rows that left at this step
    found: the test of this step, or None
    """

    tests: tuple[Uniform, ...]
    left: Int
    errors: int
    failed: bool
    gone: Int
    found: Uniform | None


class Setting(Booleans[Params]):
    """A table of words, or of 0 and 1; a literal requires one value of one column."""

    @cached_property
    def literals(self) -> Literals:
        """All literals, with the rows on which they hold."""
        return Literals(self.problem.features, self.X, self.problem.codes)

    def mask(self, rows: Int) -> Bool:
        """(n,) which rows of the table are among these."""
        return np.isin(np.arange(self.problem.n), rows)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    p = given.p
    everything = frozen(np.flatnonzero(given.problem.labelled))
    s = State(tests=(), left=everything, errors=0, failed=False, gone=NO_ROWS, found=None)
    s = given.with_metrics(s, model(s))
    yield from at("start", s)
    while len(s.left):
        s = replace(s, gone=NO_ROWS, found=None)
        yield from at("while", s)
        left = given.mask(s.left)
        found = yield from of_one_class(given.literals, left, p.k, p.prefer == "widest")
        if not found:
            s = replace(s, failed=True)
            yield from at("fail", s, "fail")
            break
        best = found[: min(found.ties, OPTIONS)]
        t = at.take(best)
        s = replace(s, found=t)
        shown = tuple(found[:OPTIONS])
        yield from at("find", s, best=shown, ties=found.ties, of=len(found))
        s = replace(s, tests=(*s.tests, t))
        s = given.with_metrics(s, model(s))
        yield from at("add", s)
        matched = covers(t.test, given.X[s.left])
        s = replace(s, left=frozen(s.left[~matched]), gone=frozen(s.left[matched]))
        yield from at("drop", s)
    yield from at("done", replace(s, gone=NO_ROWS, found=None))


def of_one_class(literals: Literals, left: Bool, k: int, widest: bool) -> Work[Uniforms]:
    """The tests of at most k literals that match examples left of one class alone, best first.

    left: (n,) which rows of the table are left. Not widest: only the tests of the smallest size
    that has any, those that match most first. Widest: those that match most, then those of fewest
    literals; of longer tests only those that match at least as many as the best shorter one. Tied
    ones keep the order of the columns.
    """
    found: list[Batch] = []
    least = 1
    for size in range(k + 1):
        # every t of `size` literals that matches at least `least` of those left, all of one class
        new = yield from literals.uniform(size, left, least)
        found += [batch for batch in new if len(batch.count)]
        if found and not widest:
            break
        least = max([1, *(int(batch.count.max()) for batch in found)])
    return Uniforms(literals.literals, found)


def metrics(given: Setting, s: State) -> dict[str, float]:
    return {"errors": s.errors, "left": len(s.left), "tests": len(s.tests)}


def model(s: State) -> Classes:
    """A function from values (m, d) to class codes (m,): the class of the first test that holds, 1
    where none does.
    """

    def classes(values: Float) -> Int:
        codes = np.full(len(values), NEGATIVE)
        open_ = np.ones(len(values), dtype=bool)
        for t in s.tests:
            matched = open_ & covers(t.test, values)
            codes[matched] = t.code
            open_ &= ~matched
        return codes

    return classes


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class by the list; −1 where a value of X (m, d) is missing."""
    return given.labels(X, model(s))


def example() -> Problem:
    """Eight meals, two of them alike but of different class."""
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
