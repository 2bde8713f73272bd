"""Classes of hypotheses that are small enough to list, over the rows of any table.

Intervals, rectangles, conjunctions, all Boolean functions. ML 7.2-7.5, AIMA 18.5.
"""

from itertools import combinations, product
from typing import Literal

from engine.authoring import (
    Bool,
    EngineError,
    Float,
    Int,
    Problem,
    Record,
    cached_property,
    frozen,
    np,
    number,
)
from engine.core.notation import cut, label_text, listed
from engine.experiments.parts.left_out import LeftOut, without

Kind = Literal["intervals", "rectangles", "conjunctions", "functions"]
ASKED = {"conjunctions": 5, "functions": 3}  # columns at most: 244 and 256 hypotheses
YES = ("yes", "true", "1", "+", "on")  # of two labels of a column the one that is asked for
ANY = 2  # in a conjunction: nothing is asked


def usual(problem: Problem) -> Kind:
    """What a table suits: rectangles or intervals where its plane has more than 0 and 1 on an axis,
    else conjunctions.
    """
    wide = [j for j in problem.plane if len(np.unique(problem.X[:, j])) > 2]
    if not wide:
        return "conjunctions"
    return "rectangles" if len(problem.plane) == 2 else "intervals"


class Finite(Record, dict=True):
    """All hypotheses of a kind, each by its number; the last of intervals, rectangles and
    conjunctions never holds.

    edges: of the cells that intervals and rectangles consist of, along each axis
    most: columns that are asked, 0 as many as can be listed
    """

    kind: Kind
    problem: Problem
    edges: int = 7
    most: int = 0

    @property
    def on_plane(self) -> bool:
        """Whether its hypotheses are boxes on the plane."""
        return self.kind in ("intervals", "rectangles")

    @cached_property
    def axes(self) -> tuple[Float, ...]:
        """The edges along the axes of the plane: half-way between values, evenly many of them left
        out where there are more.
        """
        columns = self.problem.plane
        need = 1 if self.kind == "intervals" else 2
        if len(columns) < need:
            number_of = "a column" if need == 1 else "two columns"
            raise EngineError(
                f"{self.kind.capitalize()} need {number_of} of numbers on the plane: choose"
                " conjunctions."
            )
        found = []
        for column in columns[:need]:
            middles = self.middles(column)
            chosen = np.unique(np.linspace(0, len(middles) - 1, self.edges).round().astype(np.intp))
            found.append(frozen(middles[chosen]))
        return tuple(found)

    def middles(self, column: int) -> Float:
        """All edges along a column: half-way between its values, and a little beyond the
        outermost.
        """
        values = np.unique(self.problem.X[:, column])
        air = 0.05 * float(np.ptp(values)) or 0.5
        return np.array([values[0] - air, *((values[1:] + values[:-1]) / 2), values[-1] + air])

    @cached_property
    def left_out(self) -> LeftOut:
        """The columns that no hypothesis asks, and the edges that are thinned out.

        Rows are the experiment's own to count.
        """
        problem = self.problem
        if not self.on_plane:
            return LeftOut(without(problem, tuple(j for j, *_ in self.questions)))
        used = problem.plane[: len(self.axes)]
        edges = []
        for j, axis in zip(used, self.axes, strict=True):
            every = len(self.middles(j))
            if len(axis) < every:
                edges.append((problem.titles[j], len(axis), every))
        return LeftOut(without(problem, used), edges=tuple(edges))

    @cached_property
    def spans(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Of every hypothesis but the last, for each axis, from which edge to which it reaches."""
        return tuple(product(*(list(combinations(range(len(axis)), 2)) for axis in self.axes)))

    @cached_property
    def questions(self) -> tuple[tuple[int, float, bool], ...]:
        """(column, value, whether more than that is asked for) of what conjunctions and functions
        ask.
        """
        most = self.most or ASKED[self.kind]
        return tuple((j, *self._question(j)) for j in range(min(most, self.problem.d)))

    def _question(self, j: int) -> tuple[float, bool]:
        """(value, whether more than that is asked for).

        A column of 0 and 1 is asked for 1, one of other numbers whether it is above its median, one
        of words for the commonest, or the second of two.
        """
        feature = self.problem.features[j]
        column = self.problem.X[:, j]
        values, counts = np.unique(column, return_counts=True)
        two = feature.numeric or len(feature.categories) == 2
        if two and set(values.tolist()) <= {0.0, 1.0}:
            said = [str(label).lower() in YES for label in feature.categories]
            return (float(said.index(True)) if True in said else 1.0), False
        if feature.numeric:
            return float(np.median(column)), True
        return float(values[counts.argmax()]), False

    def bits(self, X: Float) -> Bool:
        """(m, k) the answers of rows X (m, d) to the questions."""
        return np.column_stack(
            [X[:, j] > v if above else X[:, j] == v for j, v, above in self.questions]
        )

    @cached_property
    def size(self) -> int:
        """|H|."""
        if self.kind == "functions":
            return 1 << (1 << len(self.questions))
        if self.on_plane:
            return len(self.spans) + 1
        conjunctions: int = 3 ** len(self.questions)
        return conjunctions + 1

    @cached_property
    def asks(self) -> Int:
        """(3^k, k) what each conjunction asks: 0, 1 or nothing."""
        return np.array(list(product((1, 0, ANY), repeat=len(self.questions))), np.intp)

    def cells(self, X: Float) -> tuple[Int, ...]:
        """For each axis the (m,) cell of every row: how many edges lie below it, less one."""
        columns = self.problem.plane
        return tuple(
            np.searchsorted(axis, X[:, columns[k]]) - 1 for k, axis in enumerate(self.axes)
        )

    def says(self, X: Float) -> Bool:
        """(|H|, m) where the hypotheses hold on rows X (m, d)."""
        never = np.zeros((1, len(X)), bool)
        if self.on_plane:
            held = np.ones((len(self.spans), len(X)), bool)
            for axis, cell in enumerate(self.cells(X)):
                low, high = np.array([span[axis] for span in self.spans]).T
                held &= (cell >= low[:, None]) & (cell < high[:, None])
            return np.vstack([held, never])
        bits = self.bits(X)
        if self.kind == "functions":
            code = bits @ (1 << np.arange(bits.shape[1])[::-1])
            return np.asarray(np.arange(self.size)[:, None] >> code & 1, bool)
        held = ((self.asks[:, None] == ANY) | (self.asks[:, None] == bits)).all(axis=2)
        return np.vstack([held, never])

    def bounds(self, h: int) -> Float:
        """(4,) the box of an interval or a rectangle on the plane; of the empty one a place without
        extent.
        """
        sides = np.array([[-np.inf, np.inf], [-np.inf, np.inf]])
        empty = ((0, 0),) * len(self.axes)
        spans = self.spans[h] if h < len(self.spans) else empty
        for axis, (low, high) in enumerate(spans):
            edges = self.axes[axis]
            sides[axis] = edges[low], edges[high]
        return np.asarray(sides.T.ravel(), np.float64)

    def question(self, k: int, value: int) -> str:
        """f₁, ¬f₁, x₁ > 2.5 or Patrons = Some, or its opposite."""
        j, asked, above = self.questions[k]
        feature = self.problem.features[j]
        if above:
            return f"{feature.title} {'>' if value else '≤'} {number(asked)}"
        if feature.numeric or feature.categories in ((False, True), (0, 1)):
            return feature.title if value else f"¬{feature.title}"
        sign = "=" if value else "≠"
        label = cut(label_text(feature.categories[int(asked)]), 20)
        return f"{feature.title} {sign} {label}"

    def name(self, h: int) -> str:
        """A hypothesis in a few words."""
        if self.kind == "functions":
            k = len(self.questions)
            inputs = [f"{c:0{k}b}" for c in range(1 << k) if h >> c & 1]
            return "{" + listed(inputs) + "}"
        if h == self.size - 1:
            return "never"
        if self.kind == "conjunctions":
            literals = [(k, v) for k, v in enumerate(self.asks[h].tolist()) if v != ANY]
            return " ∧ ".join(self.question(k, v) for k, v in literals) or "always"
        titles = [self.problem.titles[j] for j in self.problem.plane]
        ways = zip(titles, self.axes, self.spans[h], strict=False)
        return ", ".join(
            f"{number(edges[a])} < {title} ≤ {number(edges[b])}" for title, edges, (a, b) in ways
        )
