"""What methods share that fit weights to a table: the rows with a value, the line over a plane, the
reckoning of a value.
"""

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
from engine.core.notation import fixed, subscript
from engine.core.row_words import MANY
from engine.core.scene import Bars, Layer, Line, Role
from engine.pictures.regression import level_layers, upright
from engine.numerics.closeness import settled

P = TypeVar("P")
NUMBERS = Needs(labels=False, values=True, numeric=True)
QUICK_ROWS = replace(NUMBERS, sample=LINEAR_ROWS)
MOST_TERMS = 12


class Examples(Setting[P]):
    """X (n, d), y (n,): the rows whose value is known; rows (n,): their numbers in the table.

    EngineError without any.
    """

    @cached_property
    def known(self) -> tuple[Float, Float, Int]:
        """X, y and rows."""
        return training_rows(self.problem)

    @property
    def X(self) -> Float:
        return self.known[0]

    @property
    def y(self) -> Float:
        return self.known[1]

    rows = property(lambda given: given.known[2])
    n = property(lambda given: len(given.y))

    @cached_property
    def A(self) -> Float:
        """(n, d + 1) with x₀ = 1."""
        return with_ones(self.X)

    def foresee(self, at: At, *names: str) -> Work[None]:
        """Work out what the next picture of very many rows needs, so that painting need not wait
        for it.
        """
        for name in names if self.n > MANY and not at.pace.end else ():
            yield
            getattr(self, name)

    def loss(self, w: Float) -> float:
        """Σ (y − h)²."""
        return sum_of_squares(self.y - self.A.dot(w))  # half the price of @ where w is short

    def start(self, weights: Sequence[float]) -> Float:
        """(d + 1,) the weights that a person gave, all zero without any."""
        return frozen(weights or np.zeros(self.problem.d + 1), np.float64)

    @cached_property
    def bowl(self) -> Bowl:
        """Σ (y − h)² over w (d + 1,)."""
        return loss_bowl(self.X, self.y, self.A)


def predict(given: Any, s: Any, X: Float) -> Float:
    """h(x) of a state whose w is (d + 1,), w₀ first."""
    return linear_values(s.w, X)


def metrics(given: Any, s: Any) -> Mapping[str, float]:
    """Of a state whose loss is Σ (y − h)² over the rows with a value."""
    return {"rmse": root_mean_square(s.loss, given.n), "loss": s.loss}


# what the record of a method with one weight a column says beside its own
LINEAR: Mapping[str, Any] = {"needs": QUICK_ROWS, "predict": predict, "metrics": metrics}


def weight_space(given: Examples[Any], path: Sequence[Float], start: Float) -> WeightView:
    """The two weights shown: w₀ and that of the plane's first column."""
    return weight_view(
        given.bowl, (0, 1 + (given.problem.plane[0] if given.problem.plane else 0)), path, start
    )


def linear_layers(
    problem: Problem, w: Float, role: Role = Role.BOUNDARY, tag: str = "w", label: str = ""
) -> list[Layer]:
    """h(x) = w₀ + w₁ x₁ + … as a line, hidden columns held at the anchor; over two columns as lines
    of equal value.
    """
    if not upright(problem):
        return (
            level_layers(problem, lambda X: linear_values(w, X), tag)
            if role is Role.BOUNDARY
            else []
        )
    j = problem.plane[0]
    hidden = np.delete(w[1:], j) @ np.delete(problem.anchor, j)
    return [Line(np.array([w[j + 1], -1.0]), float(w[0] + hidden), role, label, tag)]


def point(given: Any, s: Any) -> Operand:
    """The example looked at now."""
    return Operand(given.problem.names[s.current], about="current")


def explain(given: Any, s: Any, x: Float) -> Explanation:
    return explain_value(given.problem, s.w, x)


def explain_value(
    problem: Problem, w: Float, x: Float, names: tuple[str, ...] = (), symbol: str = "x"
) -> Explanation:
    """w₀ + w₁ x₁ + …, term by term; what is nothing but rounding beside the other weights is 0.
    names, symbol: of terms that are no columns.
    """
    titles = names or tuple(f.title for f in problem.features)
    w = settled(w, np.abs(w).max())
    values = frozen(np.append(w[0], w[1:] * x))
    many = len(x) > 4
    tags = ("", *(problem.column_tags if len(x) == problem.d and symbol == "x" else [""] * len(x)))
    bars = (
        Bars(
            "Part of each column" if symbol == "x" else "Parts", ("w₀", *titles), values, tags=tags
        )
        if many
        else None
    )
    symbols = [(f"w{subscript(j + 1)}", f"{symbol}{subscript(j + 1)}") for j in range(len(x))]
    if len(x) > MOST_TERMS:  # those that add the most, and the others as one
        order = np.argsort(-np.abs(values[1:]), kind="stable")
        rest = order[MOST_TERMS - 1 :]
        most = np.sort(order[: MOST_TERMS - 1])
        w, x = np.append(w[np.append(0, most + 1)], values[1:][rest].sum()), np.append(x[most], 1.0)
        symbols = [*(symbols[j] for j in most), ("others", "1")]
    parts = w[1:] * x
    body = " + ".join(["{w0}", *(f"{{w{j + 1}}} · {{x{j + 1}}}" for j in range(len(x)))])
    target = problem.target.title if problem.target is not None else "the value"
    words = note(
        "This place is called {name}: {target} is predicted as {value}.",
        Formula("h(x) =", body, "{value}"),
        name=Operand(fixed(float(w[0] + parts.sum()))),
        target=target,
        value=Operand(float(w[0] + parts.sum()), "h(x)", "w"),
        w0=_factor(w[0], "w₀", "w"),
        **{f"w{j + 1}": _factor(w[j + 1], one, "w") for j, (one, _) in enumerate(symbols)},
        **{f"x{j + 1}": _factor(x[j], two) for j, (_, two) in enumerate(symbols)},
    )
    return Explanation(-1, words, bars)


def _factor(value: float, symbol: str, about: str = "") -> Operand:
    """A factor of a formula; small ones keep their digits."""
    return Operand(float(value), symbol, about, 2 if value == 0 or abs(value) >= 0.1 else 4)
