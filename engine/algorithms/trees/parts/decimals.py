"""How the split points of a column are written, so that different ones read differently."""

from weakref import WeakKeyDictionary

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.notation import figure_digits, fixed, number, parting
from engine.base.records import Record, field
from engine.table.problem import Problem

_MORE = 3  # decimals beyond those that the width of the column asks for
_LARGE = 1e6  # from here on split points are written with powers of ten
_KNOWN: "WeakKeyDictionary[Problem, dict[int, Writing]]" = WeakKeyDictionary()


class Writing(Record):
    """values: what a column holds, ascending, each once; points: its midpoints between different
    classes; digits: decimals of those below a million; written: the texts made so far,
    since each step writes a whole tree again.
    """

    values: Float
    points: Float
    digits: int
    written: dict[float, str] = field(default_factory=dict)

    def text(self, point: float) -> str:
        """A split point with the decimals of its column, or four digits of a large one; with as
        many more as put it between its neighbours where another one would read the same, or a large
        one would not lie between them.
        """
        if point not in self.written:
            self.written[point] = self._text(point)
        return self.written[point]

    def _text(self, point: float) -> str:
        small = abs(point) < _LARGE
        usual = fixed(point, self.digits) if small else number(point, 4)
        if small and not self._shared(point, usual):
            return usual
        low, high = self.beside(point)
        return parting(point, low, high, usual) if -np.inf < low and high < np.inf else usual

    def beside(self, point: float) -> tuple[float, float]:
        """The column's values on both sides of a split point, infinite where there is none."""
        at = int(self.values.searchsorted(point, "right"))
        low = float(self.values[at - 1]) if at else -np.inf
        return low, float(self.values[at]) if at < len(self.values) else np.inf

    def _shared(self, point: float, text: str) -> bool:
        """Whether a neighbouring midpoint reads the same."""
        at = np.searchsorted(self.points, point)
        beside = self.points[max(at - 1, 0) : at + 2].tolist()
        return any(fixed(other, self.digits) == text for other in beside if other != point)


def split_text(problem: Problem, column: int, point: float) -> str:
    """A split point of a numeric column as text."""
    return writing(problem, column).text(point)


def writing(problem: Problem, column: int) -> Writing:
    """The decimals with which the split points of a numeric column are written; cached for each
    problem.
    """
    known = _KNOWN.setdefault(problem, {})
    if column not in known:
        values = problem.X[:, column]
        codes = np.arange(problem.n) if problem.regress else problem.codes
        known[column] = Writing(
            np.unique(values[~np.isnan(values)]),
            class_changes(values, codes),
            decimals(values, codes),
        )
    return known[column]


def decimals(values: Float, codes: Int) -> int:
    """Two, more where the values (n,) lie close together; then as few as part the split points
    between neighbours of different class, at most three more. NaN: missing; codes (n,): −1 not
    labelled.
    """
    known = values[~np.isnan(values)]
    width = float(known.max()) - float(known.min()) if len(known) else 0.0
    least = figure_digits(width)
    points = class_changes(values, codes)
    parted = [_parted(points, least + more) for more in range(_MORE + 1)]
    return least + parted.index(max(parted))


def class_changes(values: Float, codes: Int) -> Float:
    """(m,) midpoints between neighbouring values of different class, ascending, without very large
    ones. AIMA 18.3.6.
    """
    rows = np.flatnonzero((np.abs(values) < _LARGE) & (codes >= 0))
    rows = rows[values[rows].argsort()]
    if not len(rows):
        return np.zeros(0)
    distinct, first = np.unique(values[rows], return_index=True)
    lowest, highest = (
        np.minimum.reduceat(codes[rows], first),
        np.maximum.reduceat(codes[rows], first),
    )
    change = np.minimum(lowest[1:], lowest[:-1]) != np.maximum(highest[1:], highest[:-1])
    low = distinct[:-1][change]
    high = distinct[1:][change]
    return np.asarray(low + (high - low) / 2)


def _parted(points: Float, digits: int) -> int:
    """How many of the ascending points read differently from the one before; a 5 behind the last
    digit may be rounded either way.
    """
    places = points * 10.0**digits + 0.5
    slack = 4 * np.spacing(np.abs(places))
    return int(np.count_nonzero(np.floor(places - slack)[1:] > np.floor(places + slack)[:-1]))
