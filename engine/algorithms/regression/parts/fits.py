"""What methods share that fit weights to a table: the rows with a value, the line on the plane, why
a place has its value.
"""

from functools import partial
from typing import Any, TypeVar

from engine.algorithms.regression.parts.least_squares import (
    Bowl,
    linear_values,
    loss_bowl,
    root_mean_square,
    sum_of_squares,
    training_rows,
    with_ones,
)
from engine.algorithms.regression.parts.weight_space import WeightView, weight_view
from engine.authoring import (
    LINEAR_ROWS,
    At,
    Explanation,
    Float,
    Formula,
    Int,
    Mapping,
    Needs,
    Operand,
    Problem,
    Sequence,
    Setting,
    Work,
    cached_property,
    frozen,
    note,
    np,
    replace,
)
from engine.base.notation import fixed, subscript
from engine.numerics.closeness import settled
from engine.scene.regression import level_layers, upright
from engine.scene.scene import Bars, Layer, Line, Role
from engine.table.row_words import MANY

P = TypeVar("P")
NUMBERS = Needs(labels=False, values=True, numeric=True)
QUICK_ROWS = replace(NUMBERS, sample=LINEAR_ROWS)
MOST_TERMS = 12  # of a sum that are written out


class Examples(Setting[P]):
    """The rows whose value is known. Raises EngineError where there is none."""

    @cached_property
    def known(self) -> tuple[Float, Float, Int]:
        """(X (n, d), y (n,), rows (n,)) of the rows with a value."""
        return training_rows(self.problem)

    @property
    def X(self) -> Float:
        """(n, d) the columns."""
        return self.known[0]

    @property
    def y(self) -> Float:
        """(n,) the values."""
        return self.known[1]

    @property
    def rows(self) -> Int:
        """(n,) the row numbers of the examples in the table."""
        return self.known[2]

    @property
    def n(self) -> int:
        """n, the number of rows with a value."""
        return len(self.y)

    @cached_property
    def A(self) -> Float:
        """(n, d + 1) the columns with x₀ = 1 before them."""
        return with_ones(self.X)

    def precompute(self, at: At, *names: str) -> Work[None]:
        """Compute, in parts, the properties that the next picture of very many rows needs."""
        if self.n <= MANY or at.pace.end:
            return
        for name in names:
            yield
            getattr(self, name)

    def loss(self, w: Float) -> float:
        """Σ (y − h)² of the weights w (d + 1,)."""
        return sum_of_squares(self.y - self.A.dot(w))

    def start(self, weights: Sequence[float]) -> Float:
        """(d + 1,) the start weights as set, zeros where none are."""
        return frozen(weights or np.zeros(self.problem.d + 1), np.float64)

    @cached_property
    def bowl(self) -> Bowl:
        """The loss Σ (y − h)² as a quadratic function of w (d + 1,)."""
        return loss_bowl(self.X, self.y, self.A)


def predict(given: Any, s: Any, X: Float) -> Float:
    """(m,) h(x) of rows X (m, d), by a state whose w is (d + 1,), w₀ first."""
    return linear_values(s.w, X)


def metrics(given: Any, s: Any) -> Mapping[str, float]:
    """The RMSE and loss of a state, over the rows with a value."""
    return {"rmse": root_mean_square(s.loss, given.n), "loss": s.loss}


# what the record of a method with one weight a column says beside its own
LINEAR: Mapping[str, Any] = {"needs": QUICK_ROWS, "predict": predict, "metrics": metrics}


def weight_space(given: Examples[Any], path: Sequence[Float], start: Float) -> WeightView:
    """The plane of the weights of the two columns of the plane; where it shows one column, of w₀
    and that one's. path: of weight vectors; start: the first
    """
    columns = given.problem.plane or (0,)
    first, second = (0, 1 + columns[0]) if len(columns) == 1 else (1 + c for c in columns)
    return weight_view(given.bowl, (first, second), path, start)


def linear_layers(
    problem: Problem, w: Float, role: Role = Role.BOUNDARY, tag: str = "w", label: str = ""
) -> list[Layer]:
    """h(x) = w₀ + w₁ x₁ + … as a line, with hidden columns at the anchor; over two columns as lines
    of equal value.
    """
    if not upright(problem):
        if role is not Role.BOUNDARY:
            return []
        return level_layers(problem, partial(linear_values, w), tag)
    j = problem.plane[0]
    hidden = np.delete(w[1:], j) @ np.delete(problem.anchor, j)
    normal = np.array([w[j + 1], -1.0])
    return [Line(normal, float(w[0] + hidden), role, label, tag)]


def point(given: Any, s: Any) -> Operand:
    """The name of the current example as an operand."""
    return Operand(given.problem.names[s.current], about="current")


def explain(given: Any, s: Any, x: Float) -> Explanation:
    """The value at x (d,), term by term."""
    return explain_value(given.problem, s.w, x)


def explain_value(
    problem: Problem, w: Float, x: Float, names: tuple[str, ...] = (), symbol: str = "x"
) -> Explanation:
    """The value w₀ + w₁ x₁ + … at x, term by term; weights within rounding of 0 count as 0.

    names, symbol: of terms that are not columns
    """
    titles = names or tuple(f.title for f in problem.features)
    w = settled(w, np.abs(w).max())
    bars = value_bars(problem, w, x, titles, symbol) if len(x) > 4 else None
    symbols = [(f"w{subscript(j + 1)}", f"{symbol}{subscript(j + 1)}") for j in range(len(x))]
    if len(x) > MOST_TERMS:
        w, x, symbols = largest_terms(w, x, symbols)
    value = float(w[0] + (w[1:] * x).sum())
    terms = [f"{{w{j + 1}}} · {{x{j + 1}}}" for j in range(len(x))]
    factors = {"w0": _factor(w[0], "w₀", "w")}
    for j, (one, two) in enumerate(symbols):
        factors[f"w{j + 1}"] = _factor(w[j + 1], one, "w")
        factors[f"x{j + 1}"] = _factor(x[j], two)
    target = problem.target.title if problem.target is not None else "the value"
    words = note(
        "This place is called {name}: {target} is predicted as {value}.",
        Formula("h(x) =", " + ".join(["{w0}", *terms]), "{value}"),
        name=Operand(fixed(value)),
        target=target,
        value=Operand(value, "h(x)", "w"),
        **factors,
    )
    return Explanation(-1, words, bars)


def value_bars(problem: Problem, w: Float, x: Float, titles: tuple[str, ...], symbol: str) -> Bars:
    """Bars of the terms of a value: w₀ and each w x."""
    heights = frozen(np.append(w[0], w[1:] * x))
    columns = symbol == "x"
    tags: tuple[str, ...] = ("",) * len(x)
    if columns and len(x) == problem.d:
        tags = tuple(problem.column_tags)
    title = "Part of each column" if columns else "Parts"
    return Bars(title, ("w₀", *titles), heights, tags=("", *tags))


def largest_terms(
    w: Float, x: Float, symbols: list[tuple[str, str]]
) -> tuple[Float, Float, list[tuple[str, str]]]:
    """(w, x, symbols) of the largest terms, in order, with all others summed up as one."""
    parts = w[1:] * x
    order = np.argsort(-np.abs(parts), kind="stable")
    most = np.sort(order[: MOST_TERMS - 1])
    others = parts[order[MOST_TERMS - 1 :]].sum()
    weights = np.concatenate([w[:1], w[most + 1], [others]])
    factors = np.append(x[most], 1.0)
    return weights, factors, [*(symbols[j] for j in most), ("others", "1")]


def _factor(value: float, symbol: str, about: str = "") -> Operand:
    """A factor of a formula; small ones keep their digits."""
    return Operand(float(value), symbol, about, 2 if value == 0 or abs(value) >= 0.1 else 4)
