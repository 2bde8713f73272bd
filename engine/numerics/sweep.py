"""A query that moves over the examples from left to right: where it stops, and what is known there. AIMA 18.8.4."""

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np

from engine.core.arrays import Float, Int, frozen
from engine.core.problem import Problem
from engine.core.work import Work, finished, in_parts, settle
from engine.numerics.contours import round_levels
from engine.numerics.interpolation import Dots
from engine.numerics.local_fits import Rule
from engine.numerics.smoothing import Local, Smoother, broken_curve

Model = Smoother | Dots

EVERY = 200  # with more examples the query stops on a raster alone
_STOPS, _MANY_STOPS, _FINE = 24, 100, 400
_KEPT = 10_000_000  # weights that the steps of a run hold together, where every example counts in every query
_BEYOND = 0.08  # of the range, on either side
EMPTY, NO_ROWS = frozen(np.zeros(0)), frozen(np.zeros(0, np.intp))


@dataclass(frozen=True, slots=True)
class State:
    """stored: the examples are in the memory, they are the model; query (d,), empty before the first; neighbours: table
    rows that count there; weights of each; value: the estimate, known once answered; slope (d,) of a local line; fallback,
    outside: as in Local; looked: table row weighed now, −1 none; finished: the whole curve is drawn."""

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


class Sweep:
    """A model with the places at which it is asked, the curve it makes and its errors."""

    def __init__(self, problem: Problem, model: Model) -> None:
        self.problem, self.model = problem, model
        self.x = model.X[:, model.column]
        self.low, self.high = (float(self.x.min()), float(self.x.max()))
        if self.low == self.high:
            self.low, self.high = self.low - 0.5, self.high + 0.5

    @cached_property
    def _here(self) -> Float:
        """The row in which the query moves: hidden columns at the anchor."""
        return np.asarray(self.problem.anchor if len(self.problem.anchor) else self.model.X.mean(0))

    def at(self, x: Float) -> Float:
        """(m, d) rows whose swept column is x (m,)."""
        rows = np.tile(self._here, (len(x), 1))
        rows[:, self.model.column] = x
        return rows

    def h(self, x: Float) -> Float:
        return self.model.values(self.at(x))

    def raster(self, count: int) -> Float:
        away = _BEYOND * (self.high - self.low)
        return np.linspace(self.low - away, self.high + away, count)

    @cached_property
    def stops(self) -> Float:
        """(m, d) places of the query: a raster, and with few examples each of them, the middles and every switch."""
        if len(self.x) > EVERY:
            everybody = isinstance(self.model, Smoother) and not self.model.k
            return self.at(self.raster(min(_MANY_STOPS, max(10, _KEPT // len(self.x))) if everybody else _MANY_STOPS))
        distinct = np.unique(self.x)
        first, last = self.raster(2).tolist()
        places: list[Float] = [
            np.array([first]),
            round_levels(first, last, _STOPS),
            distinct,
            (distinct[:-1] + distinct[1:]) / 2,
            self.model.switches,
        ]
        if self.problem.query is not None:
            places.append(self.problem.query[[self.model.column]])
        found = np.unique(np.concatenate(places))
        found = found[(found >= first) & (found <= last)]
        apart = np.append(True, np.diff(found) > 1e-9 * (self.high - self.low))
        return self.at(found[apart])

    @cached_property
    def curve(self) -> Float:
        """(m, 2) the whole curve; NaN rows where it jumps."""
        return finished(self._curve())

    def _curve(self) -> Work[Float]:
        places = self.raster(_FINE)
        switches = self.model.switches if len(self.model.switches) <= 4 * EVERY else np.zeros(0)
        if len(self.x) <= EVERY:
            places = np.unique(np.concatenate([places, self.x]))
        return broken_curve(lambda x: in_parts(self.h, x, self.model.at_once), places, switches)

    def foresee(self, pictures: bool) -> Work[None]:
        """Work out what the steps need, and pictures, so that painting need not wait for it."""
        yield from settle(self.model, "left_out", self.model.leave_out)
        yield from settle(self, "errors", self._errors)
        if pictures:
            yield from settle(self, "curve", self._curve)

    @cached_property
    def errors(self) -> Float:
        """y − h(x) of the examples for which `model.left_out` is known too."""
        return finished(self._errors())

    def _errors(self) -> Work[Float]:
        at = self.model.left_out[0]
        return np.asarray(
            self.model.y[at] - (yield from in_parts(self.model.values, self.model.X[at], self.model.at_once))
        )

    @cached_property
    def _passed(self) -> tuple[Float, Float]:
        """(x ascending, squared left-out errors summed up to there)."""
        at, errors = self.model.left_out
        order = self.x[at].argsort(kind="stable")
        return self.x[at][order], np.cumsum(errors[order] ** 2)

    def metrics(self, s: State) -> dict[str, float]:
        """rmse of the model in force; loo: of the examples passed by now, each left out; the value."""
        if not s.stored:
            return {"rmse": float(np.sqrt(np.mean(self.model.y**2)))}
        found = {"rmse": float(np.sqrt(np.mean(self.errors**2)))}
        if s.answered:
            found["value"] = s.value
        if (s.answered or s.finished) and len(self.x) > 1:
            x, squares = self._passed
            count = len(x) if s.finished else int(np.searchsorted(x, s.query[self.model.column], side="right"))
            if count:
                found["loo"] = float(np.sqrt(squares[count - 1] / count))
        return found

    @cached_property
    def loo(self) -> float:
        """Root of the mean squared left-out error; NaN with one example."""
        return float(np.sqrt(np.mean(self.model.left_out[1] ** 2)))


def asked(s: State, q: Float, found: Local) -> State:
    """The query stands at q; its neighbours are found, not yet weighed into a value."""
    return replace(
        s, query=frozen(q), neighbours=found.rows, weights=found.weights, value=found.value, slope=found.slope,
        fallback=found.fallback, outside=found.outside, looked=-1, answered=False,
    )  # fmt: skip


@lru_cache(maxsize=16)
def smoothed(problem: Problem, rule: Rule) -> Sweep:
    return Sweep(problem, Smoother(problem, rule))


@lru_cache(maxsize=8)
def joined(problem: Problem, outside: str) -> Sweep:
    return Sweep(problem, Dots(problem, outside))


def left_out_errors(problem: Problem, rules: tuple[Rule, ...]) -> Float:
    """(len(rules),) the root of the mean squared left-out error of each."""
    return np.array([smoother_error(problem, rule) for rule in rules])


def smoother_error(problem: Problem, rule: Rule) -> float:
    return float(np.sqrt(np.mean(Smoother(problem, rule).left_out[1] ** 2)))
