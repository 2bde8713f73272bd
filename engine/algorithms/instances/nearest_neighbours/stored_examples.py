"""The stored examples under one metric, and what the nearest of them say. AIMA 18.8, ML 8.2."""

from functools import lru_cache
from math import nan
from typing import Any, TypeVar

import numpy as np

from engine.algorithms.instances.nearest_neighbours.votes import Vote
from engine.algorithms.instances.parts import QuerySetting
from engine.base.arrays import Bool, Float, Int, frozen
from engine.base.errors import EngineError
from engine.base.notation import counted, quoted
from engine.base.records import cached_property, replace
from engine.numerics.class_scores import lead_of_two
from engine.numerics.closeness import tidy
from engine.numerics.distances import (
    Space,
    angle_space,
    hamming_space,
    kernel_space,
    mahalanobis_space,
    minkowski_space,
    mixed_space,
)
from engine.numerics.kernels import KernelFormula
from engine.numerics.nearest import Index
from engine.table.needs import is_binary

P = TypeVar("P")
POWERS = {"equal": 0, "1/d": 1, "1/d²": 2, "gaussian": 0}
_REMEMBERED = 16  # answers about single places
_PART = 2_000_000  # neighbours held at a time


class StoredExamples(QuerySetting[P]):
    """The labelled examples, and the vote of those nearest to a query."""

    @cached_property
    def rows(self) -> Int:
        """(n,) the rows of the table that are stored: those with a class."""
        return frozen(np.flatnonzero(self.problem.labelled))

    @property
    def n(self) -> int:
        """n, the number of stored examples."""
        return len(self.rows)

    @cached_property
    def codes(self) -> Int:
        """(n,) the class codes of the stored examples."""
        return frozen(self.problem.codes[self.rows])

    @cached_property
    def Z(self) -> Float:
        """(n, e) the stored examples in the space of the metric."""
        return frozen(self.space.embed(self.problem.X[self.rows]))

    @property
    def k(self) -> int:
        """k, the number of neighbours that vote: as set, at most n."""
        return self.vote.k

    @cached_property
    def index(self) -> Index:
        """An index that finds the nearest examples of any place."""
        return Index(self.space, self.Z)

    @cached_property
    def rank(self) -> Float:
        """(n,) distances from the query; those equal up to rounding are equal."""
        return frozen(tidy(self.distances(self.query)))

    @cached_property
    def no_votes(self) -> Float:
        """(classes,) zeros: no votes."""
        return frozen(np.zeros(len(self.problem.classes)))

    @cached_property
    def space(self) -> Space:
        """The space of the metric; raises EngineError for columns that the metric cannot
        compare.
        """
        p = self.p
        X = self.problem.X[self.rows]
        if p.metric == "hamming":
            return hamming_space(X, p.stretch)
        if p.metric == "mixed":
            words = [not feature.numeric for feature in self.problem.features]
            return mixed_space(X, words, p.stretch)
        for feature in self.problem.features:
            if not feature.numeric and len(feature.categories) > 2:
                raise EngineError(
                    f"{p.metric.capitalize()} distance needs numbers; column {quoted(feature.name)}"
                    f" holds {counted(len(feature.categories), 'category', 'categories')} without"
                    " an order. Choose the mixed or the Hamming metric, or turn on 0/1 columns"
                    " in the data panel."
                )
        if p.metric == "jaccard" and not is_binary(self.problem):
            raise EngineError(
                "Jaccard distance compares sets: every column must hold 0 and 1. Turn words into"
                " 0/1 columns in the data panel, or choose another metric."
            )
        if p.metric in ("jaccard", "cosine"):
            return angle_space(X, p.metric, p.stretch)
        if p.metric == "kernel":
            return kernel_space(X, KernelFormula(p.kernel, p.degree, p.gamma), p.stretch)
        if p.metric == "mahalanobis":
            return mahalanobis_space(X, [f.name for f in self.problem.features], p.stretch)
        return minkowski_space(X, p.p, p.normalise, p.stretch)

    @cached_property
    def vote(self) -> Vote:
        p = self.p
        return Vote(
            min(p.k, self.n),
            len(self.problem.classes),
            POWERS[p.weights],
            p.disagree == "leave unclassified",
            p.sigma if p.weights == "gaussian" else 0.0,
        )

    def distances(self, x: Float) -> Float:
        """(n,) |z − x| of every stored z from the row x (d,), as the metric measures it."""
        return np.asarray(self._distances(x.tobytes()))

    @cached_property
    def _distances(self) -> Any:
        return lru_cache(_REMEMBERED)(
            lambda x: frozen(self.space.distance(self.Z, self.place(np.frombuffer(x))))
        )

    def place(self, x: Float) -> Float:
        """(e,) the row x (d,) in the space of the metric."""
        return np.asarray(self.space.embed(x[None])[0])

    def comparable(self, X: Float) -> Bool:
        """(m,) which rows have a distance: under Hamming all, else those without a
        missing number.
        """
        return np.asarray(self.space.hamming | np.isfinite(self.space.embed(X)).all(1))

    def nearest(self, x: Float) -> Int:
        """(k,) positions among the examples of the nearest to the row x, by measuring
        all of them.
        """
        return np.asarray(self.index.scan(self.space.embed(x[None]), self.k)[1][0])

    def next_below(self, rim: float, first: int) -> int:
        """The position of the first example from `first` on that is closer to the query than `rim`;
        n for none.
        """
        size = 256
        while first < self.n:
            hits = np.flatnonzero(self.rank[first : first + size] < rim)
            if len(hits):
                return first + int(hits[0])
            first = first + size
            size = 4 * size
        return int(self.n)

    def as_near(self, x: Float, neighbours: Int) -> int:
        """The first row outside the neighbours that is as near to x (d,) as the last of them, −1
        for none.
        """
        rank = tidy(self.distances(x))
        equal = np.setdiff1d(
            self.rows[rank == rank[np.searchsorted(self.rows, neighbours[-1])]], neighbours
        )
        return int(equal[0]) if len(equal) else -1

    def labels(self, X: Float) -> Int:
        """(m,) class of rows X (m, d); −1 where the vote leaves it open or a number is missing."""
        return np.asarray(self.votes(self.index, self.space.embed(X)), np.intp)

    def scores(self, s: Any, X: Float) -> Float:
        """The scores of the vote: the classes' shares of it (m, classes), of two the first one's
        less the other's (m,); NaN where it stays open, before anything is stored, and where a
        number is missing.
        """
        shares = self.votes(self.index, self.space.embed(X), share=True)
        open_ = not s.stored or (self.vote.unanimous & ((shares > 0).sum(1, keepdims=True) > 1))
        return lead_of_two(np.where(open_, np.nan, shares))

    def votes(self, index: Index, Q: Float, share: bool | None = False) -> Float:
        """The answers of the neighbours of every place Q, in parts that fit into memory: (m,) the
        class, −1 where it stays open; or (m, classes) the shares of the votes; share None: (m, 1 +
        classes) both. NaN where a number is missing, the class −1.
        """
        vote = self.vote
        size = max(1, _PART // self.k)

        def both(codes: Int, distances: Float) -> Float:
            return np.column_stack([vote.labels(codes, distances), vote.shares(codes, distances)])

        say = {False: vote.labels, True: vote.shares, None: both}[share]
        wide = {False: (), True: (vote.classes,), None: (1 + vote.classes,)}[share]
        answers = np.full((len(Q), *wide), nan if wide else -1.0)
        known = np.arange(len(Q)) if self.space.hamming else np.flatnonzero(np.isfinite(Q).all(1))
        for at in range(0, len(known), size):
            part = known[at : at + size]
            distances, positions = index.nearest(Q[part], self.k)
            answers[part] = say(self.codes[positions], distances)
        return answers

    def left_out(self) -> Float:
        """(n of the table,) what the nearest of the others say of each example: k + 1 neighbours,
        the example itself skipped (AIMA 18.8.4); −1 where it stays open, NaN without a label or
        place. Raises EngineError where each fold would have a scale of its own.
        """
        scaled = self.p.metric in ("mahalanobis", "mixed")
        if scaled or (self.p.metric == "minkowski" and self.p.normalise):
            raise EngineError(
                "Without a row the columns have another scale: there is no short cut. Turn the"
                " scaling off."
            )
        if self.n < 2:
            raise EngineError("One example has no others to ask.")
        vote = replace(self.vote, k=min(self.vote.k, self.n - 1))
        labels = np.full(self.problem.n, nan)
        known = (
            np.arange(self.n) if self.space.hamming else np.flatnonzero(np.isfinite(self.Z).all(1))
        )
        for part in np.array_split(known, max(1, len(known) * vote.k // _PART)):
            distances, positions = self.index.nearest(self.Z[part], vote.k + 1)
            others = positions != part[:, None]
            others[others.all(1), -1] = False  # after others that lie at the same place
            codes = self.codes[positions[others].reshape(-1, vote.k)]
            labels[self.rows[part]] = vote.labels(codes, distances[others].reshape(-1, vote.k))
        return labels
