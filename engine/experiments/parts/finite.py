"""Classes of hypotheses that are small enough to list, over the rows of any table: intervals,
rectangles, discs, triangles, conjunctions, all Boolean functions. ML 7.2-7.5, AIMA 18.5.
"""

from itertools import combinations, product
from typing import Literal, NamedTuple

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
from engine.base.notation import cut, label_text, listed
from engine.experiments.parts.left_out import LeftOut, without
from engine.experiments.parts.shapes import (
    all_discs,
    all_triangles,
    crossings,
    in_discs,
    in_triangles,
    rim,
)

Kind = Literal["intervals", "rectangles", "discs", "triangles", "conjunctions", "functions"]
PLACED = {"intervals": 1, "rectangles": 2, "discs": 2, "triangles": 2}  # axes that they need
MOST_EDGES = 5  # of an axis, for triangles: about 2,150 of them
MOST_COLUMNS = {"conjunctions": 5, "functions": 3}  # columns at most: 244 and 256 hypotheses
YES = ("yes", "true", "1", "+", "on")  # of two labels of a column the one that a literal tests for
ANY = 2  # in a conjunction: no literal for the column


def usual(problem: Problem) -> Kind:
    """The kind of hypotheses that suits a table: rectangles or intervals where a plane axis has
    values besides 0 and 1, else conjunctions.
    """
    if all(len(np.unique(problem.X[:, j])) <= 2 for j in problem.plane):
        return "conjunctions"
    return "rectangles" if len(problem.plane) == 2 else "intervals"


class Question(NamedTuple):
    """The Boolean question that conjunctions and functions ask about a column.

    column: its index
    value: that is compared with
    above: whether the question is x > value, else x = value
    """

    column: int
    value: float
    above: bool


class Finite(Record, dict=True):
    """All hypotheses of a kind, each by its number; the last one never holds, but of functions.

    kind: which hypotheses
    problem: whose columns they look at
    edges: how many, along each axis, of the cells that intervals and rectangles consist of; where
        they cross lie centres of discs and corners of triangles
    most: columns with a question, 0 as many as can be listed
    """

    kind: Kind
    problem: Problem
    edges: int = 7
    most: int = 0

    @property
    def on_plane(self) -> bool:
        """Whether its hypotheses are shapes on the plane."""
        return self.kind in PLACED

    @property
    def boxes(self) -> bool:
        """Whether these are boxes of the cells between the edges."""
        return self.kind in ("intervals", "rectangles")

    @cached_property
    def axes(self) -> tuple[Float, ...]:
        """The edges along the axes of the plane: half-way between values, evenly thinned out where
        there are more than `edges`.

        Raises EngineError where the plane has too few columns.
        """
        columns = self.problem.plane
        need = PLACED[self.kind]
        if len(columns) < need:
            number_of = "a column" if need == 1 else "two columns"
            raise EngineError(
                f"{self.kind.capitalize()} need {number_of} of numbers on the plane: choose"
                " conjunctions."
            )
        return tuple(self.thinned(self.middles(column)) for column in columns[:need])

    def thinned(self, middles: Float) -> Float:
        """(≤ edges,) at most `edges` of these places, for triangles fewer, evenly chosen, with both
        ends.
        """
        most = min(self.edges, MOST_EDGES) if self.kind == "triangles" else self.edges
        evenly = np.linspace(0, len(middles) - 1, most).round().astype(np.intp)
        return frozen(middles[np.unique(evenly)])

    def middles(self, column: int) -> Float:
        """All edges along a column: half-way between its values, and a little beyond both ends."""
        values = np.unique(self.problem.X[:, column])
        air = 0.05 * float(np.ptp(values)) or 0.5
        between = (values[1:] + values[:-1]) / 2
        return np.array([values[0] - air, *between, values[-1] + air])

    @cached_property
    def left_out(self) -> LeftOut:
        """The columns that no hypothesis tests, and the axes whose edges are thinned out.

        The experiment adds the rows that it does not use.
        """
        problem = self.problem
        if not self.on_plane:
            columns = [question.column for question in self.questions]
            return LeftOut(without(problem, columns))
        used = problem.plane[: len(self.axes)]
        thinned = []
        for j, axis in zip(used, self.axes, strict=True):
            every = len(self.middles(j))
            if len(axis) < every:
                thinned.append((problem.titles[j], len(axis), every))
        return LeftOut(without(problem, used), edges=tuple(thinned))

    @cached_property
    def spans(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For every hypothesis but the last, along each axis the indices of its two edges."""
        pairs = [list(combinations(range(len(axis)), 2)) for axis in self.axes]
        return tuple(product(*pairs))

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """The questions of conjunctions and functions, one for each used column."""
        columns = range(len(self.problem.features))[: self.most or MOST_COLUMNS[self.kind]]
        return tuple(self.question_of(j) for j in columns)

    def question_of(self, j: int) -> Question:
        """The question about column j.

        Columns of 0 and 1 are tested for 1; one of two words for the one that means yes, or the
        second; other numbers for being above the median; other words for the commonest.
        """
        feature = self.problem.features[j]
        values, counts = np.unique(self.problem.X[:, j], return_counts=True)
        binary = feature.numeric or len(feature.categories) == 2
        if binary and set(values.tolist()) <= {0.0, 1.0}:
            yes = [str(label).lower() in YES for label in feature.categories]
            return Question(j, float(yes.index(True)) if True in yes else 1.0, False)
        if feature.numeric:
            return Question(j, float(np.median(self.problem.X[:, j])), True)
        return Question(j, float(values[counts.argmax()]), False)

    def bits(self, X: Float) -> Bool:
        """(m, k) the answers of rows X (m, d) to the questions."""
        return np.column_stack(
            [X[:, j] > value if above else X[:, j] == value for j, value, above in self.questions]
        )

    @cached_property
    def size(self) -> int:
        """|H|, the number of hypotheses."""
        if self.kind == "functions":
            return 1 << (1 << len(self.questions))  # 2^(2^k)
        listed = {"conjunctions": "asks", "discs": "discs", "triangles": "triangles"}
        return len(getattr(self, listed.get(self.kind, "spans"))) + 1

    @cached_property
    def discs(self) -> Float:
        """(k, 3) centre and radius of each disc."""
        return all_discs(self.axes)

    @cached_property
    def triangles(self) -> Int:
        """(k, 3) the corners of each triangle by their numbers in `crossings`."""
        return all_triangles(self.axes)

    @cached_property
    def crossings(self) -> Float:
        """(c, 2) where the edges of both axes cross."""
        return crossings(self.axes)

    @cached_property
    def asks(self) -> Int:
        """(3^k, k) what each conjunction requires: 0, 1 or nothing."""
        return np.array(list(product((1, 0, ANY), repeat=len(self.questions))), np.intp)

    def cells(self, X: Float) -> tuple[Int, ...]:
        """For each axis the cell (m,) of every row, as the index of the edge below it."""
        columns = self.problem.plane[: len(self.axes)]
        axes = zip(self.axes, columns, strict=True)
        return tuple(np.searchsorted(axis, X[:, j]) - 1 for axis, j in axes)

    def says(self, X: Float) -> Bool:
        """(|H|, m) where the hypotheses hold on rows X (m, d)."""
        if self.kind == "functions":
            return self.of_functions(X)
        if self.boxes:
            covered = self.of_spans(X)
        else:
            covered = self.of_shapes(X) if self.on_plane else self.of_conjunctions(X)
        never = np.zeros((1, len(X)), bool)
        return np.vstack([covered, never])

    def of_functions(self, X: Float) -> Bool:
        """(|H|, m) function h holds where bit c of h is set, c: the answers as a binary number."""
        bits = self.bits(X)
        c = bits @ (1 << np.arange(bits.shape[1])[::-1])
        return np.asarray(np.arange(self.size)[:, None] >> c & 1, bool)

    def of_spans(self, X: Float) -> Bool:
        """(|H| − 1, m) where the cell of a row lies between the edges, on each axis."""
        covered = np.ones((len(self.spans), len(X)), bool)
        for axis, cell in enumerate(self.cells(X)):
            low, high = np.array([span[axis] for span in self.spans]).T
            covered &= (cell >= low[:, None]) & (cell < high[:, None])
        return covered

    def of_shapes(self, X: Float) -> Bool:
        """(|H| − 1, m) which rows lie in each disc or triangle, or on its edge."""
        xy = X[:, list(self.problem.plane[:2])]
        if self.kind == "discs":
            return in_discs(self.discs, xy)
        return in_triangles(self.crossings, self.triangles, xy)

    def outline(self, h: int) -> Float:
        """(corners, 2) a disc or triangle on the plane; (0, 2) of the one that never holds."""
        if h == self.size - 1:
            return np.zeros((0, 2))
        if self.kind == "discs":
            return rim(self.discs[h])
        return np.asarray(self.crossings[self.triangles[h]])

    def of_conjunctions(self, X: Float) -> Bool:
        """(|H| − 1, m) whether all literals of each conjunction hold for each row."""
        required = self.asks[:, None]
        return np.asarray(((required == ANY) | (required == self.bits(X))).all(axis=2))

    def bounds(self, h: int) -> Float:
        """(4,) the box of an interval or a rectangle on the plane; of the empty one a place without
        extent.
        """
        sides = np.array([[-np.inf, np.inf], [-np.inf, np.inf]])
        for axis, edges in enumerate(self.axes):
            low, high = self.spans[h][axis] if h < len(self.spans) else (0, 0)
            sides[axis] = edges[low], edges[high]
        return np.asarray(sides.T.ravel(), np.float64)

    def question(self, k: int, value: int) -> str:
        """Question k as text, or its negation where value is 0: f₁, ¬f₁, x₁ > 2.5, Patrons =
        Some.
        """
        j, wanted, above = self.questions[k]
        feature = self.problem.features[j]
        if above:
            return f"{feature.title} {'>' if value else '≤'} {number(wanted)}"
        if feature.numeric or feature.categories in ((False, True), (0, 1)):
            return feature.title if value else f"¬{feature.title}"
        word = cut(label_text(feature.categories[int(wanted)]), 20)
        return f"{feature.title} {'=' if value else '≠'} {word}"

    def name(self, h: int) -> str:
        """Hypothesis h as a short text: a shape, a conjunction, the inputs of a function, or
        "never".
        """
        if self.kind == "functions":
            return self.name_of_function(h)
        if h == self.size - 1:
            return "never"
        if self.kind == "conjunctions":
            asks = enumerate(self.asks[h].tolist())
            literals = [self.question(k, value) for k, value in asks if value != ANY]
            return " ∧ ".join(literals) or "always"
        if self.kind == "discs":
            x, y, r = self.discs[h].tolist()
            return f"the disc around ({number(x)}, {number(y)}) of radius {number(r)}"
        if self.kind == "triangles":
            corners = self.crossings[self.triangles[h]].tolist()
            return "the triangle " + ", ".join(f"({number(x)}, {number(y)})" for x, y in corners)
        titles = [self.problem.titles[j] for j in self.problem.plane]
        ways = zip(titles, self.axes, self.spans[h], strict=False)
        return ", ".join(
            f"{number(edges[low])} < {title} ≤ {number(edges[high])}"
            for title, edges, (low, high) in ways
        )

    def name_of_function(self, h: int) -> str:
        """The inputs at which function h is true, as text: {01, 11}."""
        k = len(self.questions)
        inputs = [f"{c:0{k}b}" for c in range(2**k) if h >> c & 1]
        return "{" + listed(inputs) + "}"
