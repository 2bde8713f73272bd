"""Small classes of concepts, with which the game of mistakes is played. ML 7.5.3, Ex 7.7."""

from itertools import permutations, product
from typing import Literal, NamedTuple

from engine.authoring import (
    Bool,
    EngineError,
    Float,
    Problem,
    Record,
    cached_property,
    np,
    number,
    replace,
)
from engine.base.notation import counted
from engine.base.sums import add_up
from engine.experiments.parts.finite import Finite
from engine.experiments.parts.left_out import LeftOut, without

Kind = Literal["conjunctions", "functions", "trees", "intervals", "singletons", "columns"]
MOST_INPUTS = 8
MOST_CONCEPTS = 300


class RegularTree(NamedTuple):
    """root: the column that the root tests; child: that both its children test; leaves: the labels
    of the four leaves, from left to right.
    """

    root: str
    child: str
    leaves: tuple[int, ...]


class Concepts(Record, dict=True):
    """A class of concepts, of which no two say the same of all inputs.

    A set of concepts is a whole number, bit k for concept k.

    names: of the c concepts
    inputs: names of the n inputs
    says: (c, n) what each concept says of each input
    trees: of the c concepts where they are trees, else ()
    asked: what an input is: the columns whose answers it lists, "f₁ f₂"
    """

    names: tuple[str, ...]
    inputs: tuple[str, ...]
    says: Bool
    trees: tuple[RegularTree, ...] = ()
    asked: str = ""

    @cached_property
    def masks(self) -> list[int]:
        """For each input the set of concepts that say +, as a bit mask."""
        return [add_up(1 << k for k in np.flatnonzero(yes).tolist()) for yes in self.says.T]

    @property
    def all(self) -> int:
        """The set of all concepts, as a bit mask."""
        return (1 << len(self.names)) - 1

    def splits(self, V: int) -> list[tuple[int, int, int]]:
        """(input, concepts of V that say −, those that say +) for each input where neither set is
        empty.
        """
        parts = [(x, V & ~mask, V & mask) for x, mask in enumerate(self.masks)]
        return [(x, no, yes) for x, no, yes in parts if no and yes]

    def shatters(self, chosen: tuple[int, ...]) -> bool:
        """Whether the concepts make every labelling of these inputs."""
        labellings = {tuple(row) for row in self.says[:, list(chosen)].tolist()}
        return len(labellings) == 1 << len(chosen)


def concepts(kind: Kind, problem: Problem, columns: int, points: int) -> Concepts:
    """The class of this kind: over the first columns, over some values of the first numeric column,
    or the columns themselves as concepts.

    Raises EngineError where the table has no such columns, or the class is empty or too large.
    """
    if kind in ("intervals", "singletons"):
        return spans(problem, points, kind == "intervals")
    if kind == "columns":
        return columns_themselves(problem)
    finite = Finite("functions" if kind == "functions" else "conjunctions", problem)
    d = min(columns, len(finite.questions))
    inputs = np.array(list(product((0, 1), repeat=d)), bool)
    asked = " ".join(finite.question(k, 1) for k in range(d))
    if kind == "trees":
        C = all_trees(finite, inputs)
    elif kind == "functions":
        C = all_functions(inputs)
    else:
        C = all_conjunctions(finite, inputs)
    return replace(C, asked=asked)


def spans(problem: Problem, points: int, intervals: bool) -> Concepts:
    """The class of intervals of neighbouring values, with the empty one; or of single values."""
    values = np.unique(numbers_of(problem)[1])[:points]
    n = len(values)
    if intervals:
        ends = [(a, b) for a in range(n) for b in range(a + 1, n + 1)]
    else:
        ends = [(a, a + 1) for a in range(n)]
    texts = different_texts(values)
    names = [f"{texts[a]} to {texts[b - 1]}" if b > a + 1 else texts[a] for a, b in ends]
    rows = [[a <= i < b for i in range(n)] for a, b in ends]
    if intervals:
        names.append("never")
        rows.append([False] * n)
    return distinct(names, texts, np.array(rows, bool).reshape(-1, n))


def different_texts(values: Float) -> tuple[str, ...]:
    """The numbers as texts, with as few digits as make all of them different."""
    for digits in range(2, 9):
        texts = tuple(number(v, digits) for v in values)
        if len(set(texts)) == len(values):
            return texts
    return tuple(number(v, 9) for v in values)


def columns_themselves(problem: Problem) -> Concepts:
    """The class in which each column is a concept: + where its question holds. The inputs are the
    first different rows.
    """
    finite = Finite("conjunctions", problem)
    X, first = np.unique(finite.bits(problem.X), axis=0, return_index=True)
    titles = [finite.question(k, 1) for k in range(X.shape[1])]
    names = tuple(problem.names[i] for i in first[:MOST_INPUTS].tolist())
    return distinct(titles, names, X[:MOST_INPUTS].T)


def all_trees(finite: Finite, inputs: Bool) -> Concepts:
    """The class of regular trees of depth two: the root tests one column, both children another. ML
    Ex 7.7.

    inputs: (n, d) of 0 and 1
    """
    trees = {}
    rows = []
    for child, root in permutations(range(inputs.shape[1]), 2):  # root x₃, children x₁ as the text
        for leaves in product((0, 1), repeat=4):
            tree = RegularTree(finite.question(root, 1), finite.question(child, 1), leaves)
            trees[name_of(tree)] = tree
            rows.append([leaves[2 * int(x[root]) + int(x[child])] for x in inputs])
    says = np.array(rows, bool).reshape(-1, len(inputs))
    C = distinct(list(trees), bit_names(inputs), says)
    return replace(C, trees=tuple(trees[name] for name in C.names))


def name_of(tree: RegularTree) -> str:
    """A tree as text, "f₁, f₂: +−−+": the root, its children, the leaves."""
    return f"{tree.root}, {tree.child}: " + "".join("−+"[label] for label in tree.leaves)


def all_functions(inputs: Bool) -> Concepts:
    """The class of all 2ⁿ labellings of the inputs (n, d), each named by the inputs where it is
    +.
    """
    n = len(inputs)
    texts = bit_names(inputs)
    rows = [[bool(h >> c & 1) for c in range(n)] for h in range(1 << n)]
    positive = [[text for text, holds in zip(texts, row, strict=True) if holds] for row in rows]
    names = ["{" + ", ".join(there) + "}" for there in positive]
    return distinct(names, texts, np.array(rows, bool))


def all_conjunctions(finite: Finite, inputs: Bool) -> Concepts:
    """The class of conjunctions: each column required to be 1, to be 0, or not tested; the last is
    the empty set.

    inputs: (n, d) of 0 and 1
    """
    names = []
    rows = []
    for wanted in product((1, 0, None), repeat=inputs.shape[1]):
        literals = [(k, v) for k, v in enumerate(wanted) if v is not None]
        names.append(" ∧ ".join(finite.question(k, v) for k, v in literals) or "always")
        rows.append([all(bool(x[k]) == bool(v) for k, v in literals) for x in inputs])
    names.append("never")
    rows.append([False] * len(inputs))
    return distinct(names, bit_names(inputs), np.array(rows, bool))


def bit_names(inputs: Bool) -> tuple[str, ...]:
    """For each row of 0 and 1 (n, d) its digits as text, "010"."""
    return tuple("".join("01"[bit] for bit in row) for row in inputs.tolist())


def of_the_table(C: Concepts, problem: Problem, columns: int) -> int:
    """The number of the first tree of C that says of every row of the table what its label says,
    the first class as +; −1 where there is none.
    """
    if not C.trees or len(problem.classes) != 2:
        return -1
    bits = Finite("conjunctions", problem, most=columns).bits(problem.X).astype(np.intp)
    inputs = bits @ (1 << np.arange(bits.shape[1])[::-1])
    right = (C.says[:, inputs] == (problem.codes == 0)).all(axis=1)
    return int(right.argmax()) if right.any() else -1


def numbers_of(problem: Problem) -> tuple[int, Float]:
    """(index of the first numeric column, its values (n,)); (−1, row numbers) where there is
    none.
    """
    for j, feature in enumerate(problem.features):
        if feature.numeric:
            return j, problem.X[:, j]
    return -1, np.arange(1.0, problem.n + 1)


def not_played(kind: Kind, problem: Problem, columns: int, C: Concepts) -> LeftOut:
    """The columns and rows of the table that give the game neither a concept nor an input."""
    if kind in ("intervals", "singletons"):
        j, numbers = numbers_of(problem)
        last = np.unique(numbers)[len(C.inputs) - 1]
        beyond = np.count_nonzero(numbers > last)
        return LeftOut(without(problem, (j,)), int(beyond), problem.n)
    finite = Finite("functions" if kind == "functions" else "conjunctions", problem)
    if kind != "columns":
        used = tuple(j for j, *_ in finite.questions[:columns])
        return LeftOut(without(problem, used))
    same = tuple(
        problem.titles[j]
        for k, (j, *_) in enumerate(finite.questions)
        if finite.question(k, 1) not in C.names
    )
    _, place = np.unique(finite.bits(problem.X), axis=0, return_inverse=True)
    beyond = np.count_nonzero(place >= MOST_INPUTS)
    return replace(finite.left_out, rows=int(beyond), all_rows=problem.n, same=same)


def distinct(names: list[str], inputs: tuple[str, ...], says: Bool) -> Concepts:
    """The class of the different labellings in `says` (c, n), each under its first name.

    Raises EngineError where there are none or too many.
    """
    _, first = np.unique(says, axis=0, return_index=True)
    kept = np.sort(first)
    if not 1 <= len(kept) <= MOST_CONCEPTS:
        raise EngineError(
            f"The game is played with up to {MOST_CONCEPTS} concepts, there are"
            f" {counted(len(kept), 'one')}."
        )
    return Concepts(tuple(names[k] for k in kept.tolist()), inputs, says[kept])
