"""Small classes of concepts, and the game that is played with them: inputs are asked, labels
predicted and denied. ML 7.5.3, Ex 7.7.
"""

from itertools import combinations, permutations, product
from typing import Literal

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
from engine.core.notation import counted
from engine.core.work import Work
from engine.experiments.parts.finite import Finite
from engine.experiments.parts.left_out import LeftOut, without

Kind = Literal["conjunctions", "functions", "trees", "intervals", "singletons", "columns"]
MOST_INPUTS, MOST_CONCEPTS = 8, 300


class Concepts(Record, dict=True):
    """names (c,), inputs (n,), says (c, n): no two concepts say the same of all inputs.

    A set of concepts is a whole number, bit k for concept k.
    """

    names: tuple[str, ...]
    inputs: tuple[str, ...]
    says: Bool

    @cached_property
    def masks(self) -> list[int]:
        """For each input the concepts that say +."""
        return [int("".join("01"[bool(v)] for v in column[::-1]), 2) for column in self.says.T]

    @property
    def all(self) -> int:
        return (1 << len(self.names)) - 1

    def splits(self, V: int) -> list[tuple[int, int, int]]:
        """(input, those of V that say −, that say +) where both are there."""
        return [
            (x, V & ~mask, V & mask) for x, mask in enumerate(self.masks) if V & mask and V & ~mask
        ]

    def optimal(self, known: dict[int, int], V: int) -> Work[int]:
        """Opt(V): the largest over inputs that split V of 1 + the smaller Opt of both parts; 0
        where nothing does.
        """
        if V not in known:
            best = 0
            for _, no, yes in self.splits(V):
                a = yield from self.optimal(known, no)
                b = yield from self.optimal(known, yes)
                best = max(best, 1 + min(a, b))
            known[V] = best
            yield
        return known[V]

    def halving(self, known: dict[int, int], V: int) -> Work[int]:
        """M_Halving(V): the most mistakes of the majority, a tie being −, over all orders of inputs
        and all concepts of V.
        """
        if V not in known:
            worst = 0
            for _, no, yes in self.splits(V):
                plus = yes.bit_count() > no.bit_count()
                a = yield from self.halving(known, no)
                b = yield from self.halving(known, yes)
                worst = max(worst, a + plus, b + (not plus))
            known[V] = worst
            yield
        return known[V]

    def dimension(self) -> int:
        """VC(C): the most inputs of which the concepts make every labelling."""
        sizes = range(len(self.inputs) + 1)
        return max(
            k
            for k in sizes
            for chosen in combinations(range(len(self.inputs)), k)
            if self.shatters(chosen)
        )

    def shatters(self, chosen: tuple[int, ...]) -> bool:
        return len({tuple(row) for row in self.says[:, list(chosen)].tolist()}) == 1 << len(chosen)


def concepts(kind: Kind, problem: Problem, columns: int, points: int) -> Concepts:
    """The class over the first columns of a table, over some values of its first column of numbers,
    or its columns themselves. Raises EngineError.
    """
    if kind in ("intervals", "singletons"):
        values = np.unique(numbers_of(problem)[1])[:points]
        n = len(values)
        digits = next(
            (k for k in range(2, 9) if len({number(v, k) for v in values}) == len(values)), 9
        )
        texts = tuple(number(v, digits) for v in values)
        spans = (
            [(a, b) for a in range(n) for b in range(a + 1, n + 1)]
            if kind == "intervals"
            else [(a, a + 1) for a in range(n)]
        )
        rows = [[a <= i < b for i in range(n)] for a, b in spans] + [[False] * n] * (
            kind == "intervals"
        )
        names = [f"{texts[a]} to {texts[b - 1]}" if b > a + 1 else texts[a] for a, b in spans]
        return distinct([*names, "never"][: len(rows)], texts, np.array(rows, bool).reshape(-1, n))
    asked = Finite("functions" if kind == "functions" else "conjunctions", problem)
    d = min(columns, len(asked.questions))
    inputs = np.array(list(product((0, 1), repeat=d)), bool)
    texts = tuple("".join("01"[bit] for bit in row) for row in inputs.tolist())
    if kind == "columns":
        X, first = np.unique(asked.bits(problem.X), axis=0, return_index=True)
        titles = [asked.question(k, 1) for k in range(X.shape[1])]
        return distinct(
            titles, tuple(problem.names[i] for i in first[:MOST_INPUTS].tolist()), X[:MOST_INPUTS].T
        )
    if kind == "trees":
        found = [
            trees(inputs, a, b, leaves)
            for a, b in permutations(range(d), 2)
            for leaves in product((0, 1), repeat=4)
        ]
        roots = [
            f"{asked.question(a, 1)}, {asked.question(b, 1)}: {''.join('−+'[v] for v in leaves)}"
            for a, b in permutations(range(d), 2)
            for leaves in product((0, 1), repeat=4)
        ]
        return distinct(roots, texts, np.array(found, bool).reshape(-1, len(inputs)))
    if kind == "functions":
        rows_ = np.array(
            [[h >> c & 1 for c in range(len(inputs))] for h in range(1 << len(inputs))], bool
        )
        names = [
            "{" + ", ".join(t for t, v in zip(texts, row, strict=True) if v) + "}"
            for row in rows_.tolist()
        ]
        return distinct(names, texts, rows_)
    ways = list(product((1, 0, 2), repeat=d))
    held = [
        [all(w in (2, v) for w, v in zip(way, row, strict=True)) for row in inputs.tolist()]
        for way in ways
    ]
    names = [
        " ∧ ".join(asked.question(k, v) for k, v in enumerate(way) if v != 2) or "always"
        for way in ways
    ]
    return distinct([*names, "never"], texts, np.array([*held, [False] * len(inputs)], bool))


def numbers_of(problem: Problem) -> tuple[int, Float]:
    """The first column of numbers, and its values (n,); −1 and the numbers of the rows where there
    is none.
    """
    for j, feature in enumerate(problem.features):
        if feature.numeric:
            return j, problem.X[:, j]
    return -1, np.arange(1.0, problem.n + 1)


def not_played(kind: Kind, problem: Problem, columns: int, C: Concepts) -> LeftOut:
    """The columns that give the game neither a concept nor an input, and the rows whose input it is
    not played with.
    """
    if kind in ("intervals", "singletons"):
        j, numbers = numbers_of(problem)
        beyond = numbers > np.unique(numbers)[len(C.inputs) - 1]
        return LeftOut(without(problem, (j,)), int(beyond.sum()), problem.n)
    asked = Finite("functions" if kind == "functions" else "conjunctions", problem)
    if kind != "columns":
        return LeftOut(without(problem, tuple(j for j, *_ in asked.questions[:columns])))
    same = tuple(
        problem.titles[j]
        for k, (j, *_) in enumerate(asked.questions)
        if asked.question(k, 1) not in C.names
    )
    _, place = np.unique(asked.bits(problem.X), axis=0, return_inverse=True)
    beyond = place.ravel() >= MOST_INPUTS
    return replace(asked.left_out, rows=int(beyond.sum()), all_rows=problem.n, same=same)


def trees(inputs: Bool, root: int, child: int, leaves: tuple[int, ...]) -> list[int]:
    """What a regular tree of depth two says: its root asks one column, both its children the other.

    ML Ex 7.7.
    """
    return [leaves[2 * int(row[root]) + int(row[child])] for row in inputs]


def distinct(names: list[str], inputs: tuple[str, ...], says: Bool) -> Concepts:
    """Each labelling once, by its first name."""
    _, first = np.unique(says, axis=0, return_index=True)
    kept = np.sort(first)
    if not 1 <= len(kept) <= MOST_CONCEPTS:
        raise EngineError(
            f"The game is played with up to {MOST_CONCEPTS} concepts, there are"
            f" {counted(len(kept), 'one')}."
        )
    return Concepts(tuple(names[k] for k in kept.tolist()), inputs, says[kept])
