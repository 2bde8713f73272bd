"""What methods of Bayesian networks share: the variables of a table, arcs, the rows of a variable's
table. ML 6.11.
"""

from itertools import product
from typing import Any, TypeVar

from engine.authoring import Float, Int, Record, Sequence, Setting, cached_property, frozen, np
from engine.base.notation import cut, label_text
from engine.base.tags import column_tag

P = TypeVar("P")
Parents = tuple[tuple[int, ...], ...]  # of each variable
Tables = tuple[Float, ...]  # of each variable (rows of its parents' values, values)
MOST_WAYS = 200_000  # to fill what is not seen, of all rows together


class Variable(Record, eq=True):
    """A column or the target as a variable of a network: its name, its title, the texts of its
    values.
    """

    name: str
    title: str
    values: tuple[str, ...]

    @property
    def tag(self) -> str:
        """The tag that highlights the variable."""
        return column_tag(self.name)


class Networked(Setting[P]):
    """The v variables of a network, with their values in each row of the table."""

    p: Any

    @cached_property
    def hidden(self) -> tuple[int, ...]:
        """The variables whose values are never seen."""
        return ()

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The columns, and after them the target if it is a class."""
        problem = self.problem
        found = [
            Variable(f.name, f.title, _texts(f.categories or (0, 1))) for f in problem.features
        ]
        if problem.classes and problem.target is not None:
            texts = tuple(problem.class_text(k) for k in range(len(problem.classes)))
            found.append(Variable(problem.target.name, problem.target.title, texts))
        return tuple(found)

    @cached_property
    def codes(self) -> Int:
        """(n, v) the number of the value of each variable in each row, −1 where unknown."""
        columns = np.where(np.isnan(self.problem.X), -1, self.problem.X).astype(np.intp)
        if not self.problem.classes:
            return frozen(columns)
        return frozen(np.column_stack([columns, self.problem.codes]))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """(v,) the number of values of each variable."""
        return tuple(len(v.values) for v in self.variables)

    def case(self, codes: Int, parents: Sequence[int]) -> Int:
        """(m,) which row of a variable's table the values of its parents, in rows (m, v), point at;
        the last parent runs fastest.
        """
        at = np.zeros(len(codes), np.intp)
        for z in parents:
            at = at * self.sizes[z] + codes[:, z]
        return at

    def cases(self, parents: Sequence[int]) -> int:
        """The number of rows in the table of a variable with these parents: the product of their
        sizes.
        """
        many = 1
        for z in parents:
            many *= self.sizes[z]
        return many

    def filled(self, row: Int) -> Int:
        """(k, v) a row (v,) with its missing values, −1, filled in all k ways."""
        unknown = np.flatnonzero(row < 0)
        values = list(product(*(range(self.sizes[x]) for x in unknown)))
        ways = np.tile(row, (len(values), 1))
        ways[:, unknown] = np.array(values, np.intp).reshape(len(values), len(unknown))
        return ways

    def logs(self, parents: Parents, tables: Tables, ways: Int) -> Float:
        """(m,) ln P(row): of the product of the table entries that complete rows (m, v) meet."""
        total = np.zeros(len(ways))
        # entries that are not renormalised can be below 0
        with np.errstate(divide="ignore", invalid="ignore"):
            for x, table in enumerate(tables):
                total += np.log(table)[self.case(ways, parents[x]), ways[:, x]]
        return total

    def case_text(self, parents: Sequence[int], case: int, names: bool = True) -> str:
        """The values of the parents in row `case` of a table, as text. names: also the names of the
        parents
        """
        texts = []
        for z in reversed(parents):
            case, value = divmod(case, self.sizes[z])
            named = self.variables[z].title + " " if names else ""
            texts.append(named + self.variables[z].values[value])
        return ", ".join(reversed(texts))

    def probability_text(self, x: int, parents: Sequence[int]) -> str:
        """The conditional probability of variable x as text: "P(Thunder | Storm)"."""
        title = self.variables[x].title
        if not parents:
            return f"P({title})"
        given = ", ".join(self.variables[z].title for z in parents)
        return f"P({title} | {given})"


def _texts(categories: Sequence[Any]) -> tuple[str, ...]:
    """Values as they are shown."""
    return tuple(cut(label_text(value)) for value in categories)


def arcs(parents: Parents) -> Int:
    """(m, 2) the arcs, each from a parent to its child."""
    found = [(z, x) for x, own in enumerate(parents) for z in own]
    return frozen(np.array(found, np.intp).reshape(-1, 2))


def case_tag(case: int) -> str:
    """The tag that highlights a row of a table."""
    return f"case {case + 1}"
