"""A tree that is given and not learnt: each example goes down its tests to a leaf.

AIMA 18.3.1, Fig 18.2; MIT 2.4.2-2.4.4.
"""

from typing import Annotated, Any

from engine.algorithms.trees.given_tree.text import (
    WAITING,
    GivenWords,
    Written,
    read,
    tree_of,
    writing_order,
)
from engine.algorithms.trees.parts.model import Tree, descend, step_down
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    EngineError,
    Fits,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Problem,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    np,
    prepare,
    replace,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.base.notation import label_text
from engine.sources.textbook import textbook

PSEUDOCODE = """
start round:  tree ← as it is given
take  detail: for each example x: node ← root
test:           node ← branch of x's value
leaf  round:    say the leaf's class
done  round:  return how many are right
"""
TREE = (
    "as Hungry(Yes: No, No: Yes), a cut as x > 2.5(no: A, yes: B) or with <, ≤, ≥; empty: AIMA Fig"
    " 18.2 where the table has its columns, else a leaf"
)


def written(p: Any, problem: Problem) -> Written:
    """The tree of the parameters: as written; empty: that of Fig 18.2, or the commonest class."""
    if p.tree.strip():
        return read(p.tree)
    try:
        waiting = read(WAITING)
        tree_of(waiting, problem)
    except EngineError:
        counts = np.bincount(problem.codes[problem.labelled], minlength=len(problem.classes))
        return Written(label_text(problem.classes[int(counts.argmax())]))
    return waiting


def tree_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where the written tree tests what the table lacks."""
    if p.tree.strip():
        tree_of(read(p.tree), problem)


class Params(Record, eq=True):
    tree: Annotated[str, Label("Tree"), Help(TREE), Fits(tree_fits)] = ""


class State(Record):
    """The model is the given tree; the fields are what this step shows.

    row: the example on its way, or −1
    node: where it is, or −1
    seen: how many examples have their answer
    wrong: how many of them another class than their own
    open: how many stopped at a test whose value they lack
    """

    row: int = -1
    node: int = -1
    seen: int = 0
    wrong: int = 0
    open: int = 0


class Setting(Given[Params]):
    """The tree, and how its tests read."""

    @cached_property
    def tree(self) -> Tree:
        """The given tree as arrays; raises EngineError for words that the table lacks."""
        return tree_of(written(self.p, self.problem), self.problem)

    @cached_property
    def as_written(self) -> tuple[int, ...]:
        """The nodes level by level, in the order of a drawing."""
        return writing_order(written(self.p, self.problem), self.problem)

    @cached_property
    def words(self) -> GivenWords:
        """Texts of the tests."""
        return GivenWords(self.problem, written(self.p, self.problem))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    tree, X, codes = given.tree, given.problem.X, given.problem.codes
    s = State()
    yield from at("start", s)
    for i in np.flatnonzero(given.problem.labelled).tolist():
        yield None
        s = replace(s, row=i, node=0)
        yield from at("take", s)
        while tree.column[s.node] >= 0 and X[i, tree.column[s.node]] == X[i, tree.column[s.node]]:
            below = step_down(tree, np.array([s.node]), X[[i], tree.column[s.node]])
            before, s = s.node, replace(s, node=int(below[0]))
            yield from at("test", s, before=before)
        stuck = bool(tree.column[s.node] >= 0)
        mistake = not stuck and bool(tree.label[s.node] != codes[i])
        s = replace(s, seen=s.seen + 1, wrong=s.wrong + mistake, open=s.open + stuck)
        yield from at("leaf", s, *when(mistake=mistake, open=stuck), stuck=stuck)
    yield from at("done", replace(s, row=-1, node=-1))


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class of the leaf that each row of X (m, d) reaches; −1 where a value that it
    needs is missing.
    """
    end, stuck = descend(given.tree, X)
    return np.where(stuck, -1, given.tree.label[end])


def metrics(given: Setting, s: State) -> dict[str, float]:
    return {"wrong": s.wrong}


def example() -> Problem:
    """The twelve rows of AIMA Fig 18.3."""
    return prepare(textbook("restaurant"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Hand-made tree",
    task=Task.CLASSIFY,
    source=("AIMA Fig 18.2", "MIT 2.4.2-2.4.4"),
    needs=Needs(missing=True, max_rows=50_000),
    curves=(Curve("wrong", "wrong examples so far", digits=0, about=("tree",)),),
    events=("mistake", "open"),
)
