"""A histogram of the estimates for each share, one above the other, with mean and deviation; beside
it the present split.
"""

from collections.abc import Iterable
from math import ceil, log2
from typing import NamedTuple

from engine.authoring import Float, Int, Step, frozen, np
from engine.core.layers import Band, Boxes, Labels, Layer, Polyline, Role, Segments
from engine.core.scene import Plot, Scene, data_table
from engine.core.tags import step_tags
from engine.experiments.holdout import Estimates, Setting, State
from engine.experiments.holdout.words import named
from engine.experiments.parts.loss import loss_name
from engine.numerics.closeness import SHARE, whole_above, whole_below
from engine.experiments.parts.pictures import (
    Surfaces,
    beside,
    model_figures,
    model_layers,
    unseen_points,
)

FIELDS = Surfaces()
BINS, BARS = 24, 12  # of a histogram at most, and bars that are as wide as the widest
EDGE = 0.04  # of room on both sides
TALL = 0.7  # of the room of a row, the highest bar
USUAL = 0.25  # of the width, over which estimates usually spread: bars grow to about TALL


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    tested = step.line == "test" and s.model is not None
    answers = s.model.says[s.test] if tested and s.model is not None else None
    plane = (*model_layers(s.model, problem), *unseen_points(problem, s.test, answers))
    learnt = None if s.model is None else np.isin(np.arange(problem.n), s.model.rows)
    figures = (
        histograms(given, s, tested),
        *model_figures(s.model),
        data_table(problem, active=learnt),
    )
    return Scene(plane, figures, leads=("Estimates", beside(problem, s.model, "Examples")))


def shows_right(given: Setting) -> bool:
    """The picture shows what is right, not what is wrong."""
    return given.p.show == "right" and not given.problem.regress


def shown(given: Setting, errors: Iterable[float]) -> Float:
    """Those that are known, as the picture shows them."""
    known = np.array([e for e in errors if e == e], np.float64)
    return np.asarray(1 - known if shows_right(given) else known)


def reach(given: Setting, s: State) -> tuple[float, float]:
    """From which number to which the picture goes, in steps that are wide enough for it to move
    seldom.
    """
    values = np.concatenate([np.zeros(0), *(shown(given, each.errors) for each in s.estimates)])
    if given.problem.regress:
        top = float(values.max(initial=0.0)) or 1.0
        return 0.0, float(2.0 ** (whole_above(2 * log2(top)) / 2))
    if shows_right(given):
        return whole_below(10 * float(values.min(initial=0.7))) / 10 - EDGE, 1 + EDGE
    return -EDGE, whole_above(10 * float(values.max(initial=0.3))) / 10 + EDGE


class Row(NamedTuple):
    """A histogram. base: where it stands; place (k,): the bin of each estimate in order; left: edge
    of bin 0; width: of a bin; bar: of its bar; up: by how much an estimate makes it higher, so that
    areas are alike when all is done.
    """

    base: float
    place: Int
    left: float
    width: float
    bar: float
    up: float

    @property
    def counts(self) -> Int:
        return np.bincount(self.place)

    def box(self, k: int, low: float, high: float) -> list[float]:
        """The part of the bar of bin k between two counts."""
        middle = self.left + (k + 0.5) * self.width
        return [
            middle - self.bar / 2,
            self.base + self.up * low,
            middle + self.bar / 2,
            self.base + self.up * high,
        ]


def rows_of_bars(given: Setting, s: State, wide: float) -> list[Row]:
    """Of shares of m rows each bin holds as many values that can be."""
    found = []
    for i, each in enumerate(s.estimates):
        values = shown(given, each.errors)
        regress = given.problem.regress
        width = wide / BINS if regress else ceil(each.m * wide / BINS) / each.m
        left = 0.0 if regress else -0.5 / each.m
        bar = min(width, wide / BARS)
        place = np.floor((values - left) / width + SHARE).astype(np.intp)
        planned = int(each.share) // 2 if given.cut else given.p.splits
        found.append(
            Row(float(len(given.shares) - i), place, left, width, bar, 1 / (planned * bar))
        )
    tall = max(
        [1 / (USUAL * wide), *(row.up * row.counts.max() for row in found if len(row.place))]
    )
    return [row._replace(up=TALL / tall * row.up) for row in found]


def histograms(given: Setting, s: State, tested: bool) -> Plot:
    rows = len(given.shares)
    low, high = reach(given, s)
    wide = high - low
    places = [float(rows - i) for i in range(rows)]
    lines = frozen([[[low, y], [high, y]] for y in places])
    steps = step_tags("mean", rows)
    present = slice(len(s.estimates) - 1, len(s.estimates))
    bare, now = (
        Segments(lines, Role.INACTIVE, tags=steps),
        Segments(lines[present], tag="share", tags=steps[present]),
    )
    layers: list[Layer] = [bare, now]
    for i, (each, row) in enumerate(zip(s.estimates, rows_of_bars(given, s, wide), strict=True)):
        if not len(row.place):
            continue
        layers += bars(row) + marks(
            given, each, row, high + 0.23 * wide, i == len(s.estimates) - 1, steps[i]
        )
        if i == 0:
            layers.append(
                Labels(
                    frozen([[train(given, each), row.base - 0.26]]), ("learnt from",), Role.HELD_OUT
                )
            )
        if each is s.now and tested:
            k, last = int(row.place[-1]), int(np.sum(row.place == row.place[-1]))
            layers.append(
                Boxes(
                    frozen([row.box(k, last - 1, last)]),
                    np.full(1, -1),
                    Role.ACTIVE,
                    tag="estimate",
                )
            )
    right = "right" if shows_right(given) else "wrong"
    name = loss_name(given.problem) if given.problem.regress else f"share of {right} test rows"
    tenths = range(11) if wide < 0.6 else range(0, 11, 2)
    return Plot(
        "Estimates",
        name,
        "rows in" if given.cut else "laid aside",
        tuple(layers),
        beside=True,
        x_range=(low - 0.03 * wide, high + 0.46 * wide),
        y_range=(0.5, rows + 0.95),
        x_ticks=(
            ()
            if given.problem.regress
            else tuple((t / 10, f"{t / 10:g}") for t in tenths if low <= t / 10 <= high)
        ),
        y_ticks=tuple(zip(places, (named(given, share) for share in given.shares), strict=True)),
    )


def bars(row: Row) -> list[Layer]:
    """Side by side, or apart where there are few values."""
    boxes = np.array([row.box(k, 0, n) for k, n in enumerate(row.counts.tolist()) if n])
    x, top = boxes[:, [0, 0, 2, 2]].ravel(), boxes[:, [1, 3, 3, 1]].ravel()
    strip = Band(frozen(x), frozen(np.full(len(x), row.base)), frozen(top), tag="histogram")
    return [strip, Polyline(frozen(np.column_stack([x, top])), Role.SAMPLE, tag="histogram")]


def train(given: Setting, each: Estimates) -> float:
    return float(shown(given, [each.train.mean])[0])


def marks(
    given: Setting, each: Estimates, row: Row, end: float, now: bool, step: str
) -> list[Layer]:
    """The mean, the deviation below it, both in numbers at the end of the row; and the mean on the
    rows learnt from.
    """
    mean, sd = (
        float(shown(given, [each.errors.mean])[0]),
        float(np.nan_to_num(each.errors.deviation)),
    )
    seen = train(given, each)
    y = row.base
    top = row.base + row.up * row.counts.max()
    tags = ("mean", "sd", "train") if now else ("", "", "")
    return [
        Segments(frozen([[[mean - sd, y - 0.1], [mean + sd, y - 0.1]]]), Role.PLAIN, tag=tags[1]),
        Segments(
            frozen([[[mean, y - 0.18], [mean, top + 0.05]]]),
            Role.BOUNDARY,
            tag=tags[0],
            tags=(step,),
        ),
        Segments(frozen([[[seen, y - 0.18], [seen, y + 0.3]]]), Role.HELD_OUT, tag=tags[2]),
        Labels(frozen([[end, y + 0.12]]), (f"{mean:.2f} ± {sd:.2f}",), tag=tags[0]),
    ]
