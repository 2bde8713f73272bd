"""What a network says of values that are not seen, by filling them in every way; its arcs as they
are written. ML 6.11.5.
"""

from typing import Any, TypeVar

from engine.algorithms.bayes.parts import MOST_WAYS, P, Parents, Tables
from engine.algorithms.bayes.parts.score import LARGEST, Scoring, best_of
from engine.authoring import (
    EngineError,
    Float,
    Int,
    Problem,
    Rng,
    Work,
    cached_property,
    frozen,
    np,
    replace,
)
from engine.base.notation import listed, quoted
from engine.base.spelling import place_of
from engine.base.work import finished

LEAST = 1e-6  # chance that an entry keeps: from 0 none comes back
MOST_PARENTS = 2  # that K2 gives a variable
S = TypeVar("S", bound=Any)


class Learning(Scoring[P]):
    """A network with known arcs, and every way to fill the values that are missing in its rows.

    A way is a row d with every missing value filled in. It selects one entry w of each variable's
    table: P(way) = Π w.
    """

    @cached_property
    def hidden(self) -> tuple[int, ...]:
        """The indices of the variables that are never observed; raises EngineError for a name that
        is no column.
        """
        return tuple(self.column(str(name)) for name in self.p.hidden)

    @cached_property
    def known(self) -> Int:
        """(n, v) the codes of the known values, −1 for unknown ones."""
        codes = self.codes.copy()
        codes[:, list(self.hidden)] = -1
        return frozen(codes)

    @cached_property
    def seen(self) -> Int:
        """(m, v) the rows without an unknown value, which K2 counts."""
        return self.known[(self.known >= 0).all(axis=1)]

    def column(self, name: str) -> int:
        """The index of the variable with this name; raises EngineError where there is none."""
        names = [v.name for v in self.variables]
        place = place_of(name.strip(), names)
        if place is None:
            raise EngineError(
                f"There is no column {quoted(name.strip())}: there are {listed(names)}."
            )
        return place

    # -- arcs --------------------------------------------------------------------------------------

    @cached_property
    def parents(self) -> Parents:
        """The parents of each variable: as written in the parameters, else as K2 finds them.

        Raises EngineError for arcs that cannot be read, form a cycle, or make too large a table.
        """
        found = self.written_parents() if self.p.parents.strip() else self._searched()
        for x, own in enumerate(found):
            if self.cases(own) > LARGEST:
                raise EngineError(
                    f"The table of {quoted(self.variables[x].name)} is too large: give it fewer"
                    " parents."
                )
        return found

    def written_parents(self) -> Parents:
        """The parents of each variable, read from `child: parent, parent; child: …`.

        Raises EngineError for an unknown name or text of another form.
        """
        own: dict[int, tuple[int, ...]] = {}
        parts = self.p.parents.replace("\n", ";").split(";")
        for part in filter(str.strip, parts):
            child, colon, names = part.partition(":")
            if not colon:
                raise EngineError(
                    f"Parents are written as “child: parent, parent”; {quoted(part.strip())} has no"
                    " colon."
                )
            named = [self.column(name) for name in names.split(",") if name.strip()]
            own[self.column(child)] = tuple(dict.fromkeys(named))  # each once
        found = tuple(own.get(x, ()) for x in range(len(self.variables)))
        self._check_ancestors(found)
        return found

    def _check_ancestors(self, parents: Parents) -> None:
        """Raises EngineError where a variable is its own ancestor."""
        left = set(range(len(parents)))
        free = left
        while free:
            free = {x for x in left if not left & set(parents[x])}
            left = left - free
        if left:
            names = listed(self.variables[x].name for x in sorted(left))
            raise EngineError(
                f"No variable may be its own ancestor: look at the parents of {names}."
            )

    def _searched(self) -> Parents:
        """What K2 finds in the complete rows."""
        found: list[tuple[int, ...]] = []
        for x in range(len(self.variables)):
            own: tuple[int, ...] = ()
            while len(self.seen) and len(own) < MOST_PARENTS:
                more = [z for z in range(x) if z not in own and self.cases((*own, z)) <= LARGEST]
                best = best_of([*(self.score(x, (*own, z)) for z in more), self.score(x, own)])
                if len(more) in best:
                    break
                own = (*own, more[best[0]])
            found.append(own)
        return tuple(found)

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """(number of rows, number of values) of the table of each variable."""
        pairs = zip(self.parents, self.sizes, strict=True)
        return [(self.cases(own), size) for own, size in pairs]

    # -- what is not seen --------------------------------------------------------------------------

    def check(self) -> None:
        """Raises EngineError where the missing values can be filled in too many ways."""
        rows, _ = self.distinct
        sizes = np.where(rows < 0, np.array(self.sizes, float), 1.0)
        if sizes.prod(axis=1).sum() > MOST_WAYS:
            raise EngineError(
                "Too many values are not seen to try every way to fill them: leave out some"
                " columns."
            )

    @cached_property
    def distinct(self) -> tuple[Int, Int]:
        """(the different rows (m, v), how often each occurs (m,))."""
        rows, times = np.unique(self.known, axis=0, return_counts=True)
        return rows, times

    def fill(self) -> Work[tuple[Int, Int, Int]]:
        """All ways to fill the different rows.

        Returns (complete rows (k, v), index of the first way of each row (m,), row of each way
        (k,)).
        """
        parts = []
        for k, row in enumerate(self.distinct[0]):
            parts.append(self.filled(row))
            if k % 500 == 0:
                yield
        sizes = np.array([len(part) for part in parts])
        begins = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        return np.concatenate(parts), begins, np.repeat(np.arange(len(parts)), sizes)

    @cached_property
    def ways(self) -> tuple[Int, Int, Int]:
        """The result of `fill`, computed on first use."""
        return finished(self.fill())

    def counted(self, x: int, ways: Int, shares: Float) -> Float:
        """(rows, values) the shares (k,) of complete rows (k, v), added up in the entries that they
        meet in the table of x.
        """
        rows = self.cases(self.parents[x])
        size = self.sizes[x]
        at = self.case(ways, self.parents[x]) * size + ways[:, x]
        return frozen(np.bincount(at, shares, rows * size).reshape(rows, size))

    @cached_property
    def least_seen(self) -> int:
        """The index of the row with most missing values, which is shown where not all rows are."""
        return int((self.known < 0).sum(axis=1).argmax())

    def query_node(self, row: int) -> int:
        """The index of the variable whose table the notes explain: among those missing in this row,
        else all, the first with most parents.
        """
        unseen = np.flatnonzero(self.known[row] < 0).tolist() or range(len(self.parents))
        parents = [len(self.parents[x]) for x in unseen]
        return int(unseen[parents.index(max(parents))])

    def first(self, x: int, rng: Rng) -> Float:
        """(rows, values) the start table of x: 1, or drawn evenly from 0.5 to 1.5, each divided by
        the sum of its row.
        """
        if self.p.start == "even":
            w = np.ones(self.shapes[x])
        else:
            w = rng.uniform(0.5, 1.5, self.shapes[x])
        return frozen(w / w.sum(axis=1, keepdims=True))

    def of_row(self, tables: Tables, row: int) -> tuple[Int, Float, Float]:
        """(the ways to fill an example d (k, v), P(way) (k,), P(way | d) (k,)).

        P(y, u | d) is the sum of P(way | d) over the ways with the values y and u.
        """
        ways = self.filled(self.known[row])
        joint = np.exp(self.logs(self.parents, tables, ways))  # P(way) = Π w
        if not joint.any():
            return ways, joint, joint
        return ways, joint, joint / joint.sum()  # P(way | d) = P(way) / P(d)

    def expected(self, tables: Tables) -> tuple[Tables, float]:
        """(expected counts N = Σ P(y, u | d) over the rows d, shaped as the tables; ln P(D)).

        P(d) = Σ P(way) over all ways to fill d, P(way | d) = P(way) / P(d), ln P(D) = Σ ln P(d).
        Equal rows are filled once and count as often as they occur.
        """
        ways, begins, of = self.ways
        times = self.distinct[1]
        logs = self.logs(self.parents, tables, ways)  # (k,) ln P(way), of Π w
        top = np.maximum.reduceat(logs, begins)  # the largest of each row: no e^log vanishes
        chances = np.exp(logs - top[of])
        sums = np.add.reduceat(chances, begins)  # P(d), divided by e^top as the chances are
        shares = chances * (times / sums)[of]  # P(way | d)
        counts = tuple(self.counted(x, ways, shares) for x in range(len(tables)))
        log_likelihood = times * (top + np.log(sums))  # ln P(d)
        return counts, float(log_likelihood.sum())

    # -- tables ------------------------------------------------------------------------------------

    def changed(self, s: S, x: int, table: Float) -> S:
        """The state in which variable x has this table (rows, values)."""
        return replace(s, tables=(*s.tables[:x], table, *s.tables[x + 1 :]))


def nearest(w: Float) -> Float:
    """(rows, k) the nearest rows that add up to 1 with no entry below LEAST: max(w − t, LEAST),
    with the t that a row needs for it.
    """
    k = w.shape[1]
    if k * LEAST >= 1 or k == 1:
        return frozen(np.full_like(w, 1 / k))
    above = w - LEAST
    room = 1 - k * LEAST  # what there is to share out above LEAST
    down = -np.sort(-above, axis=1)
    over = (np.cumsum(down, axis=1) - room) / np.arange(1, k + 1)  # if so many stay above it
    last = (down > over).sum(axis=1) - 1
    off = over[np.arange(len(w)), last]
    return frozen(np.maximum(above - off[:, None], 0.0) + LEAST)


def telling(values: Float) -> int:
    """The row of a table (rows, values) whose numbers differ most; notes and pictures show it."""
    return int(np.ptp(values, axis=1).argmax())


def likeliest(counts: Float) -> tuple[int, int]:
    """(row, value) the entry of a table with the largest count."""
    case, value = divmod(int(counts.argmax()), counts.shape[1])
    return case, value


def hidden_named(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.hidden` names something that is no variable of the table."""
    _ = Learning(problem, p).hidden


def parents_named(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.parents` is no set of arcs between variables of the table."""
    Learning(problem, p).written_parents()
