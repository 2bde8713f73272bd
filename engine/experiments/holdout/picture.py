"""A histogram of the estimates for each share, one above the other, with mean and deviation; beside
it the present split.
"""

from collections.abc import Iterable, Sequence
from math import ceil, log2
from typing import NamedTuple

from engine.authoring import Float, Int, Step, frozen, np
from engine.base.tags import step_tags
from engine.experiments.holdout import Estimates, Setting, State
from engine.experiments.holdout.flow import flow
from engine.experiments.holdout.words import named
from engine.experiments.parts.baselines import baseline_level
from engine.experiments.parts.curves import upright
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import (
    Surfaces,
    as_shown,
    leads_with,
    model_figures,
    model_layers,
    shows_right,
    unseen_points,
)
from engine.numerics.closeness import SHARE, whole_above, whole_below
from engine.scene.layers import Band, Boxes, Labels, Layer, Polyline, Role, Segments
from engine.scene.scene import Plot, Scene, data_table

FIELDS = Surfaces()
BINS = 24  # of a histogram at most
BARS = 12  # as wide as the widest have room
EDGE = 0.04  # of room on both sides
BRICKS = 60  # estimates of a share that are drawn one by one
TALL = 0.7  # of the room of a row, the highest bar
USUAL = 0.25  # of the width, over which estimates usually spread: bars grow to about TALL


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    tested = step.line == "test" and s.model is not None
    answers = None
    learnt = None
    if s.model is not None:
        learnt = np.isin(np.arange(problem.n), s.model.rows)
        if tested:
            answers = s.model.says[s.test]
    plane = (*model_layers(s.model, problem), *unseen_points(problem, s.test, answers))
    figures = (
        histograms(given, s, tested),
        flow(given, s, step.line),
        *model_figures(s.model),
        data_table(problem, active=learnt),
    )
    leads = leads_with("Estimates", problem, s.model)
    return Scene(plane, figures, leads=leads, plane=plane_title(s))


def plane_title(s: State) -> str:
    """What the plane shows: the split, and what was learnt of its rest."""
    if s.model is None:
        return "The examples"
    return f"One split: {len(s.model.rows)} rows learnt, {len(s.test)} hollow ones tested"


def shown(given: Setting, errors: Iterable[float]) -> Float:
    """(m,) the errors that are not NaN, as the picture shows them."""
    return as_shown(given, [e for e in errors if e == e])


def reach(given: Setting, s: State) -> tuple[float, float]:
    """(low, high) of the axis of errors, in coarse steps so that it seldom moves."""
    estimates = [shown(given, each.errors) for each in s.estimates]
    values = np.concatenate([np.zeros(0), *estimates])
    if given.problem.regress:
        top = float(values.max(initial=0.0)) or 1.0
        return 0.0, float(2.0 ** (whole_above(2 * log2(top)) / 2))
    if shows_right(given):
        least = float(values.min(initial=0.7))
        return whole_below(10 * least) / 10 - EDGE, 1 + EDGE
    most = float(values.max(initial=0.3))
    return -EDGE, whole_above(10 * most) / 10 + EDGE


class Row(NamedTuple):
    """A histogram of the estimates of one share.

    base: where it stands
    place: (k,) the bin of each estimate, in order
    left: the left edge of bin 0
    width: of a bin
    bar: the width of its bar
    up: how much higher an estimate makes it, so that areas are alike when all is done
    """

    base: float
    place: Int
    left: float
    width: float
    bar: float
    up: float

    @property
    def counts(self) -> Int:
        """(bins,) the number of estimates in each bin."""
        return np.bincount(self.place)

    def box(self, k: int, low: float, high: float) -> list[float]:
        """[left, low, right, high] of bin k between two counts, in coordinates of the plot."""
        middle = self.left + (k + 0.5) * self.width
        return [
            middle - self.bar / 2,
            self.base + self.up * low,
            middle + self.bar / 2,
            self.base + self.up * high,
        ]


def rows_of_bars(given: Setting, s: State, wide: float) -> list[Row]:
    """One row of bars for each share so far, with as many bins as its error can have values. wide:
    width of the plot
    """
    found = []
    for i, each in enumerate(s.estimates):
        base = float(len(given.shares) - i)
        if given.problem.regress:
            width = wide / BINS
            left = 0.0
        else:
            width = ceil(each.m * wide / BINS) / each.m  # shares of m rows lie 1 / m apart
            left = -0.5 / each.m
        bar = min(width, wide / BARS)
        values = shown(given, each.errors)
        place = np.floor((values - left) / width + SHARE).astype(np.intp)
        planned = int(each.share) // 2 if given.cut else given.p.splits
        found.append(Row(base, place, left, width, bar, 1 / (planned * bar)))
    heights = [row.up * row.counts.max() for row in found if len(row.place)]
    tall = max([1 / (USUAL * wide), *heights])
    return [row._replace(up=TALL / tall * row.up) for row in found]


def histograms(given: Setting, s: State, tested: bool) -> Plot:
    """A plot with a histogram of the estimates for each share. tested: whether the last estimate is
    highlighted
    """
    rows = len(given.shares)
    low, high = reach(given, s)
    wide = high - low
    end = high + 0.23 * wide  # where the numbers of a row stand
    steps = step_tags("mean", rows)
    layers = base_lines(given, s, low, high, steps)
    layers += [
        Segments(upright(level), Role.GHOST, (name,), tag="baseline")
        for level, name in baseline_level(given.problem, shows_right(given))
    ]
    for i, row in enumerate(rows_of_bars(given, s, wide)):
        if not len(row.place):
            continue
        estimates = s.estimates[i]
        now = estimates is s.now
        layers += bars(row)
        layers += marks(given, estimates, row, end, now, steps[i])
        if now and tested:
            layers.append(last_estimate(row))
    places = [float(rows - i) for i in range(rows)]
    names = [named(given, share) for share in given.shares]
    return Plot(
        "Estimates: the error of each split",
        x_label(given),
        "rows in" if given.cut else "laid aside",
        tuple(layers),
        beside=True,
        x_range=(low - 0.03 * wide, high + 0.46 * wide),
        y_range=(0.5, rows + 0.95),
        x_ticks=x_ticks(given, low, high),
        y_ticks=tuple(zip(places, names, strict=True)),
    )


def base_lines(
    given: Setting, s: State, low: float, high: float, steps: Sequence[str]
) -> list[Layer]:
    """The base line of each row of the plot, in ink for the present share."""
    rows = len(given.shares)
    lines = frozen([[[low, rows - i], [high, rows - i]] for i in range(rows)], np.float64)
    now = len(s.estimates) - 1
    present = slice(now, now + 1)
    return [
        Segments(lines, Role.INACTIVE, tags=tuple(steps)),
        Segments(lines[present], tag="share", tags=tuple(steps[present])),
    ]


def x_label(given: Setting) -> str:
    """The label of the axis of errors."""
    if given.problem.regress:
        return loss_name(given.problem)
    return f"share of {'right' if shows_right(given) else 'wrong'} test rows"


def x_ticks(given: Setting, low: float, high: float) -> tuple[tuple[float, str], ...]:
    """Ticks at tenths or fifths; () for values, where the axis picks its own."""
    if given.problem.regress:
        return ()
    tenths = range(11) if high - low < 0.6 else range(0, 11, 2)
    return tuple((t / 10, f"{t / 10:g}") for t in tenths if low <= t / 10 <= high)


def last_estimate(row: Row) -> Boxes:
    """The box that the last estimate has added to its bar."""
    k = int(row.place[-1])
    count = int(np.sum(row.place == k))
    box = frozen([row.box(k, count - 1, count)])
    return Boxes(box, np.full(1, -1), Role.ACTIVE, tag="estimate")


def bars(row: Row) -> list[Layer]:
    """The bars of a row: of few estimates a brick each, else with joined outlines."""
    if len(row.place) <= BRICKS:
        heights = [int(np.sum(row.place[:i] == k)) for i, k in enumerate(row.place)]
        bricks = [row.box(k, h, h + 1) for k, h in zip(row.place.tolist(), heights, strict=True)]
        return [Boxes(frozen(bricks), np.full(len(bricks), -1), Role.SAMPLE, tag="histogram")]
    boxes = np.array([row.box(k, 0, n) for k, n in enumerate(row.counts.tolist()) if n])
    x = boxes[:, [0, 0, 2, 2]].ravel()
    top = boxes[:, [1, 3, 3, 1]].ravel()
    strip = Band(frozen(x), frozen(np.full(len(x), row.base)), frozen(top), tag="histogram")
    return [strip, Polyline(frozen(np.column_stack([x, top])), Role.SAMPLE, tag="histogram")]


def train(given: Setting, each: Estimates) -> float:
    """The mean error on the rows learnt from, as the picture shows it."""
    return float(shown(given, [each.train.mean])[0])


def marks(
    given: Setting, each: Estimates, row: Row, end: float, now: bool, step: str
) -> list[Layer]:
    """The mean, the deviation below it, both in numbers at `end`; the mean on the rows learnt from.

    now: whether they are of the present share; step: the tag of the step of the mean
    """
    mean = float(shown(given, [each.errors.mean])[0])
    sd = float(np.nan_to_num(each.errors.deviation))
    seen = train(given, each)
    y = row.base
    top = y + row.up * row.counts.max()
    tag = "mean" if now else ""
    spread = frozen([[[mean - sd, y - 0.1], [mean + sd, y - 0.1]]])
    middle = frozen([[[mean, y - 0.18], [mean, top + 0.05]]])
    learnt = frozen([[[seen, y - 0.18], [seen, y + 0.3]]])
    numbers = frozen([[end, y + 0.12]])
    return [
        Segments(spread, Role.PLAIN, tag="sd" if now else ""),
        Segments(middle, Role.BOUNDARY, tag=tag, tags=(step,)),
        Segments(learnt, Role.HELD_OUT, tag="train" if now else ""),
        Labels(numbers, (f"{mean:.2f} ± {sd:.2f}",), tag=tag),
    ]
