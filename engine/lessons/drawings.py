"""Drawings as answers to a sketch: the pen, the text of an answer, its judgement."""

import numpy as np

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.base.notation import counted, fixed, quoted, short
from engine.base.records import Record, replace
from engine.judge.questions.blanks import read
from engine.lessons.sketches import COLUMNS, NOWHERE, Sketch, digits_of, place_text, shape

AT = ", at "  # between what was wrong and where, in an answer that is kept
NEAR = 4  # columns from an end of the curve, up to which a stroke reaches it
REACH = 0.03  # of the width: so much earlier or later a jump may be drawn
SHORT = 12  # letters of the name of an axis that a sentence can hold


class Judged(Record):
    """The judgement of a drawing.

    key: what the lesson replies to if it is wrong: the shape of a curve, "" for places
    kept: the answer in words, as a hand-in keeps it
    measure: how far it is from the right one
    """

    right: bool
    key: str
    kept: str
    measure: str


# -- the hand --------------------------------------------------------------------------------------


class Pen:
    """What is being drawn.

    given: as `drawing` takes it
    hand: the place (x, y) to which Enter draws a curve; None while no keys move it
    drawn_from: the place from which it does, None before the first one
    """

    def __init__(self, sketch: Sketch) -> None:
        self.sketch = sketch
        self.clear()

    def clear(self) -> None:
        self.given: Float = np.full(COLUMNS, np.nan) if self.sketch.is_curve else NOWHERE
        self._at: tuple[float, float] | None = None  # of a pen that is down
        self.hand: tuple[float, float] | None = None
        self.drawn_from: tuple[float, float] | None = None

    @property
    def whole(self) -> bool:
        """Whether the drawing is complete: a mark for each right place, or a curve."""
        if self.sketch.is_curve:
            return bool(np.isfinite(self.given).all())
        return len(self.given) == len(self.sketch.places)

    @property
    def begun(self) -> bool:
        """Whether anything is drawn."""
        return bool(np.isfinite(self.given).any())

    @property
    def text(self) -> str:
        """The drawing as an answer."""
        return curve_text(self.given) if self.sketch.is_curve else places_text(self.given)

    def press(self, x: float, y: float) -> None:
        """Put down a place, or begin a stroke. Once all places are there the nearest one moves."""
        self._at = x, y
        if self.sketch.is_curve:
            self._line(x, y)
        elif not self.whole:
            self.given = np.concatenate([self.given, [(x, y)]])
        else:
            nearest = int(np.argmin(np.linalg.norm(self.given - (x, y), axis=1)))
            moved = self.given.copy()
            moved[nearest] = x, y
            self.given = moved

    def drag(self, x: float, y: float) -> None:
        if self._at is None:
            return
        if self.sketch.is_curve:
            self._line(x, y)
        self._at = x, y

    def release(self) -> None:
        self._at = None

    def take(self) -> None:
        """Let keys move the pen over a curve: it begins at the left end, half-way up."""
        sketch = self.sketch
        self.hand = float(sketch.columns[0]), sketch.low + sketch.height / 2

    def move(self, across: float, up: float) -> None:
        """Move it by shares of the width and of the height, as far as the curve goes."""
        if self.hand is not None:
            first, last = self.sketch.columns[[0, -1]].tolist()
            x = min(max(self.hand[0] + across * (last - first), first), last)
            self.hand = x, self.hand[1] + up * self.sketch.height

    def draw(self) -> None:
        """Draw a straight line from the place before to this one."""
        if self.hand is not None:
            self._at = self.drawn_from or self.hand
            self._line(*self.hand)
            self._at, self.drawn_from = None, self.hand

    def _line(self, x: float, y: float) -> None:
        """Draw on from the last place to (x, y); what ends near an end of the curve reaches it."""
        assert self._at is not None
        columns = self.sketch.columns
        reach = columns[1] - columns[0]
        low, high = sorted((self._at, (x, y)))
        inside = (columns >= low[0] - reach / 2) & (columns <= high[0] + reach / 2)
        drawn = np.interp(columns, [low[0], high[0]], [low[1], high[1]])
        given = np.where(inside, drawn, self.given)
        for end in (given[:NEAR], given[::-1][:NEAR]):
            known = np.flatnonzero(np.isfinite(end))
            if len(known):
                end[: known[0]] = end[known[0]]
        self.given = given


# -- answers as texts ------------------------------------------------------------------------------


def places_text(xy: Float) -> str:
    """Places (k, 2) as an answer: '(8, 6.2); (1, 2)'."""
    return "; ".join(f"({x:.6g}, {y:.6g})" for x, y in np.asarray(xy).tolist())


def curve_text(y: Float) -> str:
    """The heights (COLUMNS,) of a drawn curve as an answer."""
    return " ".join(f"{value:.6g}" for value in np.asarray(y).tolist())


def places_in(text: str) -> Float:
    """(k, 2) the places of an answer, y NaN where x alone is given; raises EngineError."""
    rows = []
    for part in text.partition(AT)[2].split(";") if AT in text else text.split(";"):
        numbers = part.strip().strip("()").split(",")
        if len(numbers) not in {1, 2}:
            raise EngineError(f"{quoted(part)} is no place: write it as (x, y).")
        x, *y = map(read, numbers)
        rows.append((x, y[0] if y else np.nan))
    return np.array(rows, np.float64).reshape(-1, 2)


def heights_in(text: str) -> Float:
    """(COLUMNS,) the heights of a drawn curve; raises EngineError for one that is not whole."""
    heights = np.array([read(part) for part in text.split()], np.float64)
    if heights.shape != (COLUMNS,):
        raise EngineError("Draw the curve from the left end to the right end.")
    return heights


def in_words(kept: str) -> str:
    """What was wrong with an answer that is kept, without where: equal for similar answers."""
    return kept.partition(AT)[0]


# -- judgement -------------------------------------------------------------------------------------


def judged(sketch: Sketch, text: str) -> Judged:
    """The judgement of an answer; raises EngineError for what is none."""
    if sketch.is_curve:
        return _judged_curve(sketch, heights_in(text))
    return _judged_places(sketch, places_in(text))


def near(sketch: Sketch, text: str, other: str) -> bool:
    """Whether two answers of places are the same, up to the distance that counts as right."""
    try:
        given = places_in(text)
        known = replace(sketch, places=places_in(other))
        return _judged_places(known, given).right
    except EngineError:
        return False


def begins(shape: str, known: str) -> bool:
    """Whether a curve has a known shape, or one of several parts that goes on from there."""
    return shape == known or (", " in known and shape.startswith(f"{known}, "))


def _judged_places(sketch: Sketch, given: Float) -> Judged:
    count = len(sketch.places)
    if len(given) != count:
        raise EngineError(f"Click {counted(count, 'place')} first.")
    given = given if sketch.axes[1] else np.column_stack([given[:, 0], np.full(count, np.nan)])
    apart = paired(sketch, given)[1]
    within = sketch.within or 0.0
    good = apart <= within * (1 + 1e-9)
    far = fixed(float(apart.max()), digits_of(within))
    measure = f"{far} away" if count == 1 else f"The farthest is {far} away"
    words = measure
    if not good.all():
        words = _way(sketch, given[0]) if count == 1 else f"{good.sum()} of {count} right"
    where = "; ".join(place_text(place, within) for place in given)
    return Judged(
        bool(good.all()),
        "",
        f"{words}{AT}{where}",
        f"{measure}; up to {short(within)} is right.",
    )


def paired(sketch: Sketch, given: Float) -> tuple[Float, Float]:
    """The right place of each given one (k, 2), and how far it is (k,): as many as possible within
    the distance that counts.
    """
    steps = given[:, None] - sketch.places[None]
    counts = np.isfinite(sketch.places)[None]
    apart = np.sqrt((np.where(counts, steps, 0.0) ** 2).sum(axis=2))
    apart = np.where(np.isfinite(apart), apart, np.inf)
    cost = np.minimum(apart, 1e150)
    missed = (apart > (sketch.within or 0.0)) * (1.0 + cost.max() * len(given))
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(cost + missed)
    return sketch.places[columns], apart[rows, columns]


def _way(sketch: Sketch, given: Float) -> str:
    """Where a wrong place lies from the right one: 'too far right and too high'."""
    dx, dy = np.nan_to_num(given - sketch.places[0])
    words = []
    if abs(dx) >= abs(dy) / 2:
        words.append("too far right" if dx > 0 else "too far left")
    if abs(dy) >= abs(dx) / 2 and dy:
        words.append("too high" if dy > 0 else "too low")
    return " and ".join(words)


def _judged_curve(sketch: Sketch, heights: Float) -> Judged:
    apart = apart_from(sketch, heights)
    worst = int(np.argmax(np.abs(apart)))
    far = abs(float(apart[worst]))
    drawn, right = shape(heights, sketch.height), sketch.right[0]
    good = drawn == right if sketch.within is None else far <= sketch.within * (1 + 1e-9)
    name = sketch.axes[0] if 0 < len(sketch.axes[0]) <= SHORT else "x"
    column = sketch.columns[worst]
    x = f"{name} {round(column)}" if sketch.plot else f"{name} = {float(f'{column:.3g}'):g}"
    digits = digits_of(sketch.within or sketch.height / 10)
    distance = f"The largest distance is {fixed(far, digits)} at {x}"
    if sketch.within is None:
        measure = f"{distance}." if good else f"Yours {drawn}; the right one {right}. {distance}."
    else:
        measure = f"{distance}; up to {short(sketch.within)} is right."
    side = "too high" if apart[worst] > 0 else "too low"
    where = "" if good else f"{AT}{x} {side} by {fixed(far, digits)}"
    return Judged(good, drawn, drawn + where, measure)


def apart_from(sketch: Sketch, heights: Float) -> Float:
    """(COLUMNS,) how far a drawn curve is above (+) or below (−) the right one, which may come
    REACH of the width earlier or later.
    """
    x, y = sketch.curve.T
    reach = REACH * (x[-1] - x[0])
    first = np.searchsorted(x, sketch.columns - reach)
    last = np.searchsorted(x, sketch.columns + reach, side="right")
    low = np.array([y[a:b].min() for a, b in zip(first, last, strict=True)])
    high = np.array([y[a:b].max() for a, b in zip(first, last, strict=True)])
    apart: Float = np.where(heights > high, heights - high, np.minimum(heights - low, 0.0))
    return apart
