"""A query that moves over the examples from left to right, as the local regressions share it: the
places where it stops, the State there, the curve, the errors. AIMA 18.8.4.
"""

from typing import Annotated, Any, Literal, TypeVar

from engine.algorithms.regression.parts.smoothing import (
    Near,
    Smoother,
    StoredValues,
    broken_curve,
    smoother,
)
from engine.algorithms.regression.parts.smoothing_fits import FITS, Rule, shown_weights
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
from engine.base.work import finished, in_parts, settle
from engine.numerics.closeness import more
from engine.numerics.contours import round_levels

P = TypeVar("P")
_KERNEL = (  # K(d), where d = |x − q|
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
EVERY = 200  # with more examples the query stops on a raster alone
_ONE_BY_ONE = 12  # neighbours whose weights are shown
_STOPS = 24  # round places at which the query stops, beside the examples and what is between them
_MANY_STOPS = 100  # places of the raster
_FINE = 560  # places of the curve
# weights that the steps of a run hold together, where every example counts in every query
_KEPT = 10_000_000
BEYOND = 0.08  # of the range, on either side, where the query stops
_ON = 0.3  # of it, to which the curve goes on: seen where the plane shows more than the examples
EMPTY: Float = frozen(np.zeros(0))
NO_ROWS: Int = frozen(np.zeros(0, np.intp))


def no_numbers() -> Float:
    """(0,) no numbers, before anything is known."""
    return EMPTY


def no_rows() -> Int:
    """(0,) no rows, before anything is found."""
    return NO_ROWS


class State(Record):
    """The model is the memory itself; all but `stored` is what a query comes to and looks at.

    stored: whether the examples are in the memory
    query: (d,) q, empty before the first
    neighbours: (c,) table rows that count there, the nearest first
    weights: (c,) of these
    value: h(q), shown once it is answered
    slope: (d,) of the line fitted for q alone, of a quadratic also its bends, empty without one
    fallback: "exact" (an example lies at q), "nearest" (none lies inside the window), "line" (too
        few for a quadratic), "mean" (too few for a line), "held" (q is beyond the ends of joined
        points), else ""
    outside: the table row left out that is as near as the last neighbour, or −1
    looked: the table row weighed now, or −1
    answered: whether h(q) is known
    finished: whether the whole curve is drawn
    """

    stored: bool = False
    query: Float = field(default_factory=no_numbers)
    neighbours: Int = field(default_factory=no_rows)
    weights: Float = field(default_factory=no_numbers)
    value: float = 0.0
    slope: Float = field(default_factory=no_numbers)
    fallback: str = ""
    outside: int = -1
    looked: int = -1
    answered: bool = False
    finished: bool = False

    @property
    def nearest(self) -> tuple[int, ...]:
        """The nearest neighbours, whose weights have a step each."""
        return tuple(self.neighbours[:_ONE_BY_ONE].tolist())

    @property
    def tie(self) -> bool:
        """Whether an example left out is as near as the last neighbour."""
        return self.outside >= 0

    @property
    def exact(self) -> bool:
        """Whether the query lies on an example, whose value is the estimate."""
        return self.fallback == "exact"

    @property
    def too_few(self) -> bool:
        """Whether there are too few neighbours for the rule, so that a simpler estimate is used."""
        return self.fallback in ("nearest", "line", "mean")


S = TypeVar("S", bound=State)


class Sweeping(Setting[P]):
    """The stored examples, the places of the moving query, the curve and its errors."""

    p: Any

    @cached_property
    def model(self) -> StoredValues:
        """The stored examples, which give an estimate at any place."""
        raise NotImplementedError

    @cached_property
    def width(self) -> float:
        """The kernel width: as set, else a share of the range of the widest column."""
        if self.p.width is not None:
            return float(self.p.width)
        if not self.problem.n:
            return 1.0
        reach = float(np.ptp(self.problem.X, axis=0).max(initial=0.0))
        return SHARES[self.p.kernel] * reach if reach > 0 else 1.0

    @cached_property
    def x(self) -> Float:
        """(n,) the column along which the query moves."""
        return self.model.X[:, self.model.column]

    @cached_property
    def ends(self) -> tuple[float, float]:
        """(lowest, highest) x of the examples; different also where all share a place."""
        low = float(self.x.min())
        high = float(self.x.max())
        return (low, high) if low < high else (low - 0.5, high + 0.5)

    @property
    def span(self) -> float:
        """The range of x, highest less lowest."""
        return self.ends[1] - self.ends[0]

    # -- the query ---------------------------------------------------------------------------------

    def stops(self, at: At) -> Float:
        """(m, d) the places of the query that get steps; none at a pace without queries."""
        return np.zeros((0, self.problem.d)) if at.leaps else self.places

    @cached_property
    def places(self) -> Float:
        """(m,) the x at which the curve is computed: a grid, for few examples also each example,
        midpoints and switches.
        """
        n = len(self.x)
        if n > EVERY:
            all_count = self.model.rule is not None and not self.model.k
            count = max(10, min(_MANY_STOPS, _KEPT // n)) if all_count else _MANY_STOPS
            return self.along(self.raster(count))
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

    def raster(self, count: int, beyond: float = BEYOND) -> Float:
        """(count,) places in equal steps over the examples and a share of their range beyond."""
        away = beyond * self.span
        return np.linspace(self.ends[0] - away, self.ends[1] + away, count)

    def at_query(self, s: State, q: Float) -> State:
        """The state with the query at q (d,), its neighbours and h(q)."""
        raise NotImplementedError

    def values(self, s: State, X: Float) -> Float:
        """(m,) h at the places X (m, d); 0 before anything is stored, NaN where x is unknown."""
        if s.stored:
            return self.model.values(X)
        return np.where(np.isnan(X[:, self.model.column]), np.nan, 0.0)

    # -- what is known as soon as the examples are stored ------------------------------------------

    def precompute(self, at: At) -> Work[None]:
        """Compute the errors and the curve in parts, before a picture needs them."""
        yield from settle(self.model, "left_out", self.model.leave_out)
        yield from settle(self.model, "errors", self.model.miss)
        if not at.leaps:
            yield from settle(self, "curve", self._curve)

    @cached_property
    def curve(self) -> Float:
        """(m, 2) the whole curve; NaN rows where it jumps."""
        return finished(self._curve())

    def _curve(self) -> Work[Float]:
        """`curve`, in parts."""
        places = self.raster(_FINE, _ON)
        switches = self.model.switches
        if len(switches) > 4 * EVERY:
            switches = np.zeros(0)
        if len(self.x) <= EVERY:
            places = np.unique(np.concatenate([places, self.x]))

        def some(x: Float) -> Float:
            return self.model.values(self.along(x))

        def h(x: Float) -> Work[Float]:
            return in_parts(some, x, self.model.at_once)

        return broken_curve(h, places, switches)

    @cached_property
    def rmse(self) -> float:
        """The root mean squared error; of very many examples only over those in `left_out`."""
        return float(np.sqrt(np.mean(self.model.errors**2)))

    @cached_property
    def loo(self) -> float:
        """The root mean squared leave-one-out error; NaN with one example."""
        return float(np.sqrt(np.mean(self.model.left_out[1] ** 2)))

    @cached_property
    def _passed(self) -> tuple[Float, Float]:
        """(x ascending, squared left-out errors summed up to there)."""
        at, errors = self.model.left_out
        order = self.x[at].argsort(kind="stable")
        return self.x[at][order], np.cumsum(errors[order] ** 2)

    def metrics(self, s: State) -> dict[str, float]:
        """rmse of the model; value: h(q); loo: leave-one-out error over the examples passed so
        far.
        """
        if not s.stored:
            return {"rmse": float(np.sqrt(np.mean(self.model.y**2)))}
        found = {"rmse": self.rmse}
        if s.answered:
            found["value"] = s.value
        passed = self.passed(s)
        if passed:
            _, squares = self._passed
            found["loo"] = float(np.sqrt(squares[passed - 1] / passed))
        return found

    def passed(self, s: State) -> int:
        """The number of left-out examples that the query has passed."""
        if len(self.x) < 2 or not (s.answered or s.finished):
            return 0
        x, _ = self._passed
        if s.finished:
            return len(x)
        return int(np.searchsorted(x, s.query[self.model.column], side="right"))


class Smoothing(Sweeping[P]):
    """A sweep in which neighbours give the estimate by a rule."""

    @property
    def rule(self) -> Rule:
        """The rule of the estimate."""
        raise NotImplementedError

    @cached_property
    def model(self) -> Smoother:
        """The smoother of the stored examples."""
        return smoother(self.problem, self.rule)

    def queried(self, s: S, q: Float, near: Near, value: float, slope: Float = EMPTY) -> S:
        """The state with the query at q and its estimate. near: its neighbours; those of weight 0
        are left out
        """
        w, fallback = shown_weights(near.d, self.rule)
        if self.rule.estimate in FITS and not fallback:
            full = self.rule.weights(len(q)) - 1
            fallback = "mean" if not len(slope) else "line" if len(slope) < full else ""
        counts = w > 0
        return replace(
            s,
            query=frozen(q),
            neighbours=frozen(near.rows[counts]),
            weights=frozen(w[counts]),
            value=value,
            slope=frozen(slope),
            fallback=fallback,
            outside=near.outside,
            looked=-1,
            answered=False,
        )


AnySweep = Sweeping[Any]
AnySmoothing = Smoothing[Any]


def width_chip(kernel: str, width: float | None) -> tuple[str, ...]:
    """A short text for the width, in a tuple; () for a kernel without one."""
    if kernel == "1/d²":
        return ()
    if width is None:
        return ("width automatic",)
    return (f"width {number(width)}",)


def the_peak() -> Problem:
    """Seven points that rise and fall. MMDS Ex 12.12, 12.13."""
    columns = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "y": [1.0, 2.0, 4.0, 8.0, 4.0, 2.0, 1.0]}
    return prepare(Dataset.from_columns(columns, "y", task="regress"))
