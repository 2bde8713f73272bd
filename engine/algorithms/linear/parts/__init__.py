"""What linear learners share: the rows with the feature of a threshold, the score that decides, its
surface, its words.
"""

from typing import Annotated, Any, TypeVar

from engine.authoring import (
    LINEAR_ROWS,
    Curve,
    Float,
    Grid,
    Help,
    Int,
    Label,
    Needs,
    Sequence,
    Setting,
    cached_property,
    frozen,
    np,
    replace,
)
from engine.numerics.linear import (
    ask_beside,
    fired_classes,
    linear_surface,
    signed_classes,
    with_column,
)
from engine.numerics.mistakes import ROUNDED, Exact, settled_scores
from engine.numerics.visits import Visits

P = TypeVar("P")
TWO_CLASSES = Needs(min_classes=2, max_classes=2, numeric=True)
QUICK_ROWS = replace(TWO_CLASSES, sample=LINEAR_ROWS)
START = (
    "one weight per column, the last for a threshold or bias that is learned; all zero when empty"
)
Start = Annotated[tuple[float, ...], Label("Start w"), Help(START)]
WRONG = Curve("errors", "wrong points", of_n=True, digits=0)


class Rows(Setting[P]):
    """The rows of a linear learner; a threshold is the weight of a feature that is −1 in every row
    (MMDS 12.2.4), a bias that of one that is +1 (AIMA 18.6.3).
    """

    @property
    def column(self) -> float | None:
        """The constant feature of the threshold or bias; None for a line through the origin."""
        return None

    @property
    def step(self) -> float:
        """The largest change of a weight in one update, for a feature of 1."""
        return 0.0

    @property
    def steady(self) -> Sequence[float] | None:
        """The start weights where every update is ± `step` times a row; else None."""
        return None

    @property
    def sign(self) -> Float:
        """(n,) y of each row, ±1; 0 without a class."""
        return self.problem.sign

    @cached_property
    def rows(self) -> Int:
        """(m,) the indices of the rows with a class."""
        return np.flatnonzero(self.problem.labelled)

    @cached_property
    def X(self) -> Float:
        """(n, d) the rows, or (n, d + 1) with the feature of a threshold or bias."""
        return self.extended(self.problem.X)

    def extended(self, X: Float) -> Float:
        """Rows X (m, d) with the feature of the threshold or bias appended, (m, d + 1); unchanged
        where there is none.
        """
        return X if self.column is None else with_column(X, self.column)

    @cached_property
    def reach(self) -> Float:
        """(d or d + 1,) the largest change of each weight in one update, `step` times the largest
        |x|; the rounding of a weight follows from it.
        """
        largest = self.problem.largest
        if self.column is not None:
            largest = np.append(largest, 1.0)
        return self.step * largest

    @cached_property
    def largest(self) -> float:
        """The largest absolute value in X."""
        return max(float(self.problem.largest.max(initial=0.0)), abs(self.column or 0.0))

    @cached_property
    def unrounded(self) -> Exact:
        """Which scores are free of rounding: some are where w moves only by steps of one size."""
        return ROUNDED if self.steady is None else Exact.of(self.X, self.step, self.steady)

    def whole_rounds(self, sign: Float, moves: Float | None = None) -> Visits:
        """The rows prepared for unrecorded rounds. sign: (n,) ±1"""
        return Visits(self.X, sign, self.fires, moves, self.reach, exact=self.unrounded)

    def score(self, w: Float, X: Float) -> Any:
        """w · x of extended rows (m,) or of one; exactly 0 where it differs from 0 only by
        rounding.
        """
        largest = self.largest if X is self.X else None
        return settled_scores(X, w, self.reach, exact=self.unrounded, largest=largest)

    def start(self, weights: Sequence[float]) -> Float:
        """The start weights as set; zeros where none are."""
        return frozen(weights or np.zeros(self.X.shape[1]), np.float64)

    @property
    def fires(self) -> bool:
        """Whether a score of 0 counts as positive; otherwise it counts as neither class."""
        return False

    def class_codes(self, score: Float, kind: Any = np.intp) -> Any:
        """The class codes for these scores, −1 for none."""
        classes = fired_classes if self.fires else signed_classes
        return classes(score, kind)

    def line(self, s: Any) -> Float:
        """The weights of a state, with the threshold's."""
        return s.w  # type: ignore[no-any-return]

    def previous_line(self, s: Any) -> Float:
        """The weights of a state before its step, with the threshold's."""
        return s.before  # type: ignore[no-any-return]

    def scored(self, s: Any, X: Float) -> Float:
        """(m,) the scores of rows X (m, d) by a state's line."""
        rows = self.X if X is self.problem.X else self.extended(X)
        return np.asarray(self.score(self.line(s), rows))

    def predict(self, s: Any, X: Float) -> Int:
        """(m,) class indices of rows X (m, d) by a state's line, −1 for none."""
        return np.asarray(self.class_codes(self.scored(s, X)), np.intp)

    def tweak(self, s: Any, place: tuple[int, ...], value: float) -> Any:
        """The state with one weight set by hand, judged again. Raises IndexError where there is no
        such weight.
        """
        (k,) = place
        changed = s.w.copy()
        changed[k] = value
        w = frozen(changed)
        answers = self.class_codes(self.score(w, self.X))
        wrong = (answers != self.problem.codes) & self.problem.labelled
        return replace(s, w=w, before=w, current=-1, errors=int(wrong.sum()))

    def bias(self, w: Float) -> float:
        """b of the line w · x + b = 0 for extended weights w; 0 without a threshold."""
        return 0.0 if self.column is None else float(self.column * w[-1])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the weights: column titles, and "θ" or the bias."""
        titles = tuple(feature.title for feature in self.problem.features)
        if self.column is None:
            return titles
        return (*titles, "θ" if self.column < 0 else "bias")


def select_rows(rows: Int, *arrays: Float) -> tuple[Float, ...]:
    """Each array (n, …) cut to these rows, ascending, as (m, …); the array itself where these are
    all its rows.
    """
    if all(len(rows) == len(array) for array in arrays):
        return arrays
    return tuple(array[rows] for array in arrays)


def score_surface(given: Any, s: Any, grid: Grid) -> Float:
    """(ny, nx) the score w · x + b at every place of the grid."""
    w = given.line(s)
    return linear_surface(given.problem, w, given.bias(w), grid)


def class_surface(given: Any, s: Any, grid: Grid) -> Float:
    """(ny, nx) the classes on the plane by the sign of the score; beside the line, where rounding
    could decide, as `predict` calls the places.
    """

    def ask(places: Float) -> Any:
        return given.predict(s, given.problem.from_plane(places))

    score = score_surface(given, s, grid)
    return ask_beside(score, given.class_codes(score, np.float64), grid, ask)


FIELDS = {"class": class_surface, "score": score_surface}
