"""A query that moves over the examples from left to right: what its methods store, where it stops,
what is known there. AIMA 18.8.4.
"""

from typing import Annotated, Any, Literal, TypeVar

from engine.algorithms.regression.parts.smoothing import Memory, broken_curve, smoother
from engine.algorithms.regression.parts.smoothing_fits import Rule
from engine.authoring import (
    At,
    Curve,
    Dataset,
    Empty,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Problem,
    Range,
    Record,
    Setting,
    When,
    Work,
    cached_property,
    field,
    frozen,
    np,
    number,
    prepare,
    replace,
)
from engine.core.work import finished, in_parts, settle
from engine.numerics.contours import round_levels
from engine.numerics.closeness import more

P = TypeVar("P")
_KERNEL = (
    "quadratic: max(0, 1 − (2d/width)²); gaussian: e^(−d²/width²); 1/d²: exact at every example"
)
_WIDTH = (
    "quadratic: 0 beyond half of it on either side; gaussian: σ in e^(−d²/σ²). Empty: half or an"
    " eighth of the reach of the examples"
)
Kernel = Annotated[Literal["quadratic", "gaussian", "1/d²"], Label("Kernel"), Help(_KERNEL)]
Width = Annotated[
    float | None,
    Range(1e-6, 1e6, log=True),
    Label("Width"),
    Empty("auto"),
    Help(_WIDTH),
    When("kernel", ("quadratic", "gaussian")),
]
SHARES = {"quadratic": 1 / 2, "gaussian": 1 / 8, "1/d²": 1.0}  # of the reach, for a width left open
NEEDS = Needs(labels=False, values=True, numeric=True)
# every query weighs every example, and its step keeps all these weights
ALL_WEIGH = replace(NEEDS, max_rows=200_000)
CURVES = (
    Curve("rmse", "root mean square error", about=("curve",)),
    Curve("loo", "error of those passed, left out", about=("errors",)),
    Curve("value", "h(q)"),
)
EVENTS = {"exact": ("exact",), "nearest": ("too few",), "mean": ("too few",)}
EVERY = 200  # with more examples the query stops on a raster alone
_ONE_BY_ONE = 12  # neighbours whose weights are told
_STOPS, _MANY_STOPS, _FINE = 24, 100, 400
# weights that the steps of a run hold together, where every example counts in every query
_KEPT = 10_000_000
_BEYOND = 0.08  # of the range, on either side
EMPTY, NO_ROWS = frozen(np.zeros(0)), frozen(np.zeros(0, np.intp))


class State(Record):
    """stored: the examples are in the memory, they are the model; query (d,), empty before the
    first; neighbours: table rows that count there; weights of each; value: the estimate, known once
    answered; slope (d,) of a local line; fallback, outside: as in Local; looked: table row weighed
    now, −1 none; finished: the whole curve is drawn.
    """

    stored: bool = False
    query: Float = field(default_factory=lambda: EMPTY)
    neighbours: Int = field(default_factory=lambda: NO_ROWS)
    weights: Float = field(default_factory=lambda: EMPTY)
    value: float = 0.0
    slope: Float = field(default_factory=lambda: EMPTY)
    fallback: str = ""
    outside: int = -1
    looked: int = -1
    answered: bool = False
    finished: bool = False

    @property
    def nearest(self) -> tuple[int, ...]:
        """The nearest neighbours, whose weights are told one by one."""
        return tuple(self.neighbours[:_ONE_BY_ONE].tolist())

    @property
    def tie(self) -> tuple[str, ...]:
        """The event of an example that is as near as the last neighbour."""
        return ("tie",) if self.outside >= 0 else ()

    @property
    def events(self) -> tuple[str, ...]:
        """Those of the answer."""
        return (*EVENTS.get(self.fallback, ()), *self.tie)


class Sweeping(Setting[P]):
    """A model with the places at which it is asked, the curve it makes and its errors. rule: how
    neighbours answer.
    """

    p: Any

    @property
    def rule(self) -> Rule:
        raise NotImplementedError

    @cached_property
    def model(self) -> Memory:
        return smoother(self.problem, self.rule)

    @cached_property
    def width(self) -> float:
        """The given width, or one in proportion to the widest column: a window that shows the shape
        of most curves.
        """
        if self.p.width is not None:
            return float(self.p.width)
        reach = float(np.ptp(self.problem.X, axis=0).max(initial=0.0)) if self.problem.n else 0.0
        return SHARES[self.p.kernel] * reach if reach > 0 else 1.0

    @cached_property
    def x(self) -> Float:
        """(n,) the column along which the query moves."""
        return self.model.X[:, self.model.column]

    @cached_property
    def ends(self) -> tuple[float, float]:
        low, high = float(self.x.min()), float(self.x.max())
        return (low, high) if low < high else (low - 0.5, high + 0.5)

    @property
    def span(self) -> float:
        return self.ends[1] - self.ends[0]

    # -- the query ---------------------------------------------------------------------------------

    def stops(self, at: At) -> Float:
        """(m, d) places of the query; none where nobody watches, for it changes nothing."""
        return np.zeros((0, self.problem.d)) if at.leaps else self.places

    @cached_property
    def places(self) -> Float:
        """A raster, and with few examples each of them, the middles and every switch."""
        if len(self.x) > EVERY:
            everybody = self.model.rule is not None and not self.model.k
            return self.along(
                self.raster(
                    min(_MANY_STOPS, max(10, _KEPT // len(self.x) if everybody else _MANY_STOPS))
                )
            )
        first, last = self.raster(2).tolist()
        distinct = np.unique(self.x)
        middles = (distinct[:-1] + distinct[1:]) / 2
        places = [
            np.array([first]),
            round_levels(first, last, _STOPS),
            distinct,
            middles,
            self.model.switches,
        ]
        if self.problem.query is not None:
            places.append(self.problem.query[[self.model.column]])
        found = np.unique(np.concatenate(places))
        found = found[(found >= first) & (found <= last)]
        apart = np.append(True, more(found[1:], found[:-1], self.span))
        return self.along(found[apart])

    def along(self, x: Float) -> Float:
        """(m, d) rows whose swept column is x (m,), hidden columns at the anchor."""
        here = self.problem.anchor if len(self.problem.anchor) else self.model.X.mean(0)
        rows = np.tile(np.asarray(here), (len(x), 1))
        rows[:, self.model.column] = x
        return rows

    def raster(self, count: int) -> Float:
        away = _BEYOND * self.span
        return np.linspace(self.ends[0] - away, self.ends[1] + away, count)

    def asked(self, s: State, q: Float) -> State:
        """The query stands at q; its neighbours are found, not yet weighed into a value."""
        found = self.model.ask(q)
        return replace(
            s,
            query=frozen(q),
            neighbours=found.rows,
            weights=found.weights,
            value=found.value,
            slope=found.slope,
            fallback=found.fallback,
            outside=found.outside,
            looked=-1,
            answered=False,
        )

    def values(self, s: State, X: Float) -> Float:
        """At any step; 0 everywhere before anything is stored."""
        return (
            self.model.values(X)
            if s.stored
            else np.where(np.isnan(X[:, self.model.column]), np.nan, 0.0)
        )

    # -- what is known as soon as the examples are stored ------------------------------------------

    def foresee(self, at: At) -> Work[None]:
        """Work out what the steps need, and the curve, so that painting need not wait for it."""
        yield from settle(self.model, "left_out", self.model.leave_out)
        yield from settle(self.model, "errors", self.model.miss)
        if not at.leaps:
            yield from settle(self, "curve", self._curve)

    @cached_property
    def curve(self) -> Float:
        """(m, 2) the whole curve; NaN rows where it jumps."""
        return finished(self._curve())

    def _curve(self) -> Work[Float]:
        places = self.raster(_FINE)
        switches = self.model.switches if len(self.model.switches) <= 4 * EVERY else np.zeros(0)
        if len(self.x) <= EVERY:
            places = np.unique(np.concatenate([places, self.x]))

        def h(x: Float) -> Work[Float]:
            return in_parts(lambda some: self.model.values(self.along(some)), x, self.model.at_once)

        return broken_curve(h, places, switches)

    @cached_property
    def rmse(self) -> float:
        return float(np.sqrt(np.mean(self.model.errors**2)))

    @cached_property
    def loo(self) -> float:
        """Root of the mean squared left-out error; NaN with one example."""
        return float(np.sqrt(np.mean(self.model.left_out[1] ** 2)))

    @cached_property
    def _passed(self) -> tuple[Float, Float]:
        """(x ascending, squared left-out errors summed up to there)."""
        at, errors = self.model.left_out
        order = self.x[at].argsort(kind="stable")
        return self.x[at][order], np.cumsum(errors[order] ** 2)

    def metrics(self, s: State) -> dict[str, float]:
        """rmse of the model in force; loo: of the examples passed by now, each left out;
        the value.
        """
        if not s.stored:
            return {"rmse": float(np.sqrt(np.mean(self.model.y**2)))}
        found = {"rmse": self.rmse}
        if s.answered:
            found["value"] = s.value
        if (s.answered or s.finished) and len(self.x) > 1:
            x, squares = self._passed
            count = (
                len(x)
                if s.finished
                else int(np.searchsorted(x, s.query[self.model.column], side="right"))
            )
            if count:
                found["loo"] = float(np.sqrt(squares[count - 1] / count))
        return found


AnySweep = Sweeping[Any]


def width_chip(kernel: str, width: float | None) -> tuple[str, ...]:
    if kernel == "1/d²":
        return ()
    return ("width automatic",) if width is None else (f"width {number(width)}",)


def the_peak() -> Problem:
    """Seven points that rise and fall. MMDS Ex 12.12, 12.13."""
    columns = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "y": [1.0, 2.0, 4.0, 8.0, 4.0, 2.0, 1.0]}
    return prepare(Dataset.from_columns(columns, "y", task="regress"))
