"""All conjunctions, or all disjunctions of them, by their number of literals; and where the best of
them changes. MIT 2.2.8-2.2.17.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

from engine.authoring import Bool, EngineError, Float, Record, np
from engine.numerics.boolean import Conjunction

MOST = 200_000  # hypotheses
Rules = tuple[Conjunction, ...]


class Term(Record, eq=True):
    """A conjunction; rows: the examples that it covers, one bit each."""

    test: Conjunction
    rows: int


def sized(rules: Rules) -> int:
    """The literals of all rules."""
    return len([literal for rule in rules for literal in rule])


class Found(Record, eq=True):
    """Of the hypotheses of one size: the fewest errors, None while none is scored; the first that
    has them; how many have.
    """

    errors: int | None = None
    rules: Rules = ()
    ties: int = 0

    def and_then(self, rules: Rules, wrong: int) -> "Found":
        """With one more hypothesis."""
        if self.errors is None or wrong < self.errors:
            return Found(wrong, rules, 1)
        return Found(self.errors, self.rules, self.ties + 1) if wrong == self.errors else self


def bits_of(held: Bool) -> int:
    """(n,) truth values as the bits of a number."""
    return int.from_bytes(np.packbits(held).tobytes(), "big")


class Hypotheses:
    """What is searched over a table X (n, d) of 0 and 1.

    Raises EngineError when there are too many hypotheses.

    most: literals of a hypothesis in all; dnf: several conjunctions joined by “or”, none of which
    follows from another; negated: columns may also be asked to be 0
    """

    def __init__(self, X: Float, most: int, dnf: bool, negated: bool) -> None:
        self.d = X.shape[1]
        self.dnf = dnf
        self.signs = 2 if negated else 1
        check(self.d, most, dnf, self.signs)
        self._every = bits_of(np.ones(len(X), dtype=bool))
        self._literals = [(bits_of(X[:, j] == 1), bits_of(X[:, j] == 0)) for j in range(self.d)]
        self._terms = (
            [list(self._of_length(length)) for length in range(min(most, self.d) + 1)]
            if dnf
            else []
        )

    def _of_length(self, length: int) -> Iterator[Term]:
        """The conjunctions of so many literals, in the order of the columns, those without negation
        first.
        """
        for signs in product((1.0, 0.0)[: self.signs], repeat=length):
            for columns in combinations(range(self.d), length):
                rows = self._every
                for j, value in zip(columns, signs, strict=True):
                    rows &= self._literals[j][value == 0]
                yield Term(tuple(zip(columns, signs, strict=True)), rows)

    def of_size(self, size: int) -> Iterator[tuple[Rules, int]]:
        """(rules, rows that they cover) of every hypothesis of so many literals; fewest rules
        first, then in column order.
        """
        if size == 0:
            yield from [((), 0)] * self.dnf
            yield ((),), self._every
        elif not self.dnf:
            yield from (((term.test,), term.rows) for term in self._of_length(size))
        else:
            for rules in range(1, size + 1):
                yield from self._joined((), 0, rules, size, (1, 0))

    def _long(self, length: int) -> Sequence[Term]:
        return self._terms[length] if length < len(self._terms) else ()

    def _joined(
        self, rules: Rules, rows: int, more: int, left: int, begin: tuple[int, int]
    ) -> Iterator[tuple[Rules, int]]:
        """`rules` and `more` others of `left` literals together, from number begin[1] of those of
        length begin[0] on.
        """
        if more == 0:
            yield rules, rows
            return
        lengths = (left,) if more == 1 else range(begin[0], left // more + 1)
        for length in lengths:
            first = begin[1] if length == begin[0] else 0
            for k, term in enumerate(
                self._long(length)[first:] if length >= begin[0] else (), first + 1
            ):
                if not any(set(rule) <= set(term.test) for rule in rules):
                    yield from self._joined(
                        (*rules, term.test), rows | term.rows, more - 1, left - length, (length, k)
                    )


def check(d: int, most: int, dnf: bool, signs: int) -> None:
    """Raises EngineError that says how long the hypotheses may be."""
    fits = [size for size in range(most + 1) if count(d, size, dnf, signs) <= MOST]
    if fits[-1] < most:
        many = count(d, most, dnf, signs)
        name = "disjunctions" if dnf else "conjunctions"
        raise EngineError(
            f"{d} columns make {many:,} {name} of at most {most} literals; at most {MOST:,} fit"
            f" here. Set the literals to {fits[-1]} or fewer."
        )


def count(d: int, most: int, dnf: bool, signs: int) -> int:
    """How many hypotheses of at most so many literals there are; of disjunctions also those of
    which one rule follows from another.
    """
    terms = [comb(d, length) * signs**length for length in range(most + 1)]
    if not dnf:
        return add(terms)
    ways = [1] + [0] * most  # by the literals of all rules: (1 + x)^c₁ (1 + x²)^c₂ …
    for length in range(1, most + 1):
        ways = [
            add(
                [
                    comb(terms[length], k) * ways[size - k * length]
                    for k in range(size // length + 1)
                ]
            )
            for size in range(most + 1)
        ]
    return add(ways) + 1


def add(numbers: Sequence[int]) -> int:
    """Whole numbers of any size."""
    total = 0
    for value in numbers:
        total += value
    return total


def envelope(least: Sequence[int | None]) -> list[tuple[int, Fraction]]:
    """[(size, α)] of the sizes that are best for some α, larger ones first, each with the α from
    which on it is: α = 0 for the first. least[c]: the fewest errors of hypotheses of c literals. At
    a break point the shorter one is taken.
    """
    known = [(c, e) for c, e in enumerate(least) if e is not None]
    if not known:
        return []
    size = min(known, key=lambda pair: (pair[1], pair[0]))[0]
    found = [(size, Fraction(0))]
    while size > 0:
        errors = dict(known)[size]
        slopes = [(Fraction(e - errors, size - c), c) for c, e in known if c < size]
        if not slopes:
            break
        alpha, size = min(slopes)
        found.append((size, alpha))
    return found
