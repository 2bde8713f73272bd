"""All conjunctions, or all disjunctions of them, by their number of literals. MIT 2.2.8-2.2.17."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import comb

from engine.authoring import Bool, EngineError, Float, Record, np
from engine.base.sums import add_up
from engine.numerics.boolean import Conjunction

MOST = 200_000  # hypotheses
Rules = tuple[Conjunction, ...]


class Term(Record):
    """A conjunction. rows: the examples it covers, as a bit mask"""

    test: Conjunction
    rows: int


def literals_of(rules: Rules) -> int:
    """c, the number of literals of all rules together."""
    return add_up(len(rule) for rule in rules)


class Found(Record):
    """The best hypotheses of one size.

    errors: the fewest, None while none is scored
    rules: the first hypothesis with so few
    ties: number of hypotheses with so few
    """

    errors: int | None = None
    rules: Rules = ()
    ties: int = 0


def bits_of(covered: Bool) -> int:
    """(n,) truth values as the bits of a number."""
    return int.from_bytes(np.packbits(covered).tobytes(), "big")


class Hypotheses:
    """The hypotheses over a table X (n, d) of 0 and 1. Raises EngineError where there are too many.

    most: literals of a hypothesis in all
    dnf: whether hypotheses join several conjunctions by “or”, none of which implies another
    negated: whether literals may require 0
    """

    def __init__(self, X: Float, most: int, dnf: bool, negated: bool) -> None:
        self.d = X.shape[1]
        self.dnf = dnf
        self.signs = 2 if negated else 1
        check(self.d, most, dnf, self.signs)
        self._every = bits_of(np.ones(len(X), dtype=bool))
        self._literals = [
            {1.0: bits_of(X[:, j] == 1), 0.0: bits_of(X[:, j] == 0)} for j in range(self.d)
        ]
        lengths = range(min(most, self.d) + 1) if dnf else ()
        self._terms = [list(self._of_length(length)) for length in lengths]

    def _of_length(self, length: int) -> Iterator[Term]:
        """The conjunctions of so many literals, in the order of the columns, those without negation
        first.
        """
        for signs in product((1.0, 0.0)[: self.signs], repeat=length):
            for columns in combinations(range(self.d), length):
                test = tuple(zip(columns, signs, strict=True))
                rows = self._every
                for j, sign in test:
                    rows &= self._literals[j][sign]
                yield Term(test, rows)

    def of_size(self, size: int) -> Iterator[tuple[Rules, int]]:
        """(rules, rows that they cover) of every hypothesis of so many literals.

        Fewest rules first, then in column order.
        """
        if size == 0:
            if self.dnf:
                yield (), 0  # never holds
            yield ((),), self._every  # always holds
        elif not self.dnf:
            for term in self._of_length(size):
                yield (term.test,), term.rows
        else:
            for rules in range(1, size + 1):
                yield from self._joined((), 0, rules, size, 1, 0)

    def _long(self, length: int) -> Sequence[Term]:
        """The conjunctions of so many literals that a disjunction may have."""
        return self._terms[length] if length < len(self._terms) else ()

    def _joined(
        self, rules: Rules, rows: int, more: int, left: int, shortest: int, begin: int
    ) -> Iterator[tuple[Rules, int]]:
        """`rules`, which cover `rows`, and `more` others of `left` literals together.

        The others have at least `shortest` literals, those of just so many begin at number `begin`
        of their length: each set of conjunctions comes once.
        """
        if more == 0:
            yield rules, rows
            return
        lengths = range(shortest, left // more + 1)
        if more == 1:
            lengths = range(max(left, shortest), left + 1)
        for length in lengths:
            first = begin if length == shortest else 0
            for k, term in enumerate(self._long(length)[first:], first + 1):
                follows = any(set(rule) <= set(term.test) for rule in rules)
                if not follows:
                    yield from self._joined(
                        (*rules, term.test), rows | term.rows, more - 1, left - length, length, k
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
    """The number of hypotheses of at most `most` literals; of disjunctions with those in which one
    rule implies another.
    """
    terms: list[int] = [comb(d, length) * signs**length for length in range(most + 1)]
    if not dnf:
        return add_up(terms)
    ways = [1] + [0] * most  # of each size: the coefficients of (1 + x)^c₁ (1 + x²)^c₂ …
    for length in range(1, most + 1):
        ways = [with_rules_of(length, terms[length], ways, size) for size in range(most + 1)]
    return add_up(ways) + 1


def with_rules_of(length: int, terms: int, ways: list[int], size: int) -> int:
    """The number of ways to have `size` literals with rules of at most this length.

    terms: number of rules of this length; ways: of each size with shorter rules alone
    """
    most = size // length
    return add_up(comb(terms, k) * ways[size - k * length] for k in range(most + 1))
