"""A histogram of the estimates for each share, one above the other, with mean and deviation; beside
it the present split.
"""

from collections.abc import Iterable, Sequence
from math import ceil, log2
from typing import NamedTuple

from engine.authoring import Float, Int, Step, frozen, np, replace
from engine.base.notation import counted, listed, number
from engine.base.tags import step_tags
from engine.experiments.holdout import Estimates, Setting, State, no_rows
from engine.experiments.holdout.flow import flow
from engine.experiments.holdout.words import named
from engine.experiments.parts.baselines import baseline_level
from engine.experiments.parts.curves import upright
from engine.experiments.parts.loss import loss_name, lowest
from engine.experiments.parts.pictures import (
    Surfaces,
    as_said,
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
    if step.line == "share" and problem.plane:  # the last split is of another share
        s = replace(s, model=None, test=no_rows())
    tested = step.line == "test" and s.model is not None
    answers = None
    learnt = None
    if s.model is not None:
        learnt = np.isin(np.arange(problem.n), s.model.rows)
        if tested:
            answers = s.model.says[s.test]
    plane = (*model_layers(s.model, problem), *unseen_points(problem, s.test, answers))
    figures = (
        histograms(given, s, step.line),
        flow(given, s, step.line),
        *model_figures(s.model),
        data_table(problem, active=learnt),
    )
    leads = leads_with("Estimates", problem, s.model)
    return Scene(plane, figures, leads=leads, plane=plane_title(s, step.line))


def plane_title(s: State, line: str) -> str:
    """What the plane shows: the split, and what was learnt of its rest."""
    m = len(s.test)
    if line == "share" or not (m or s.model):
        return "The examples"
    if s.model is None:
        return f"Split {len(s.now.errors) + 1}: the {m} hollow ones are laid aside"
    split = "One split"
    if m:  # the model is that of this split
        split = "Last split" if line in ("mean", "compare") else f"Split {place_of_split(s, line)}"
    return f"{split}: {len(s.model.rows)} learnt" + (f", {m} hollow tested" if m else "")


def place_of_split(s: State, line: str) -> int:
    """The number of the present split among those of its share, from 1."""
    return len(s.now.errors) + (line == "learn")


def heading(given: Setting, s: State, line: str) -> str:
    """The title of the estimates, with what this step does."""
    now = s.now
    errors = now.errors
    share = named(given, now.share)
    said = "the error of each split"
    match line:
        case "share":
            said = f"{share} of {counted(len(given.rows), 'row')}, {now.m} to test on"
            if given.cut:
                said = f"{counted(len(given.rows), 'row')} cut into {share}"
        case "draw":
            said = f"{share}, split {place_of_split(s, 'learn')}"
        case "learn":
            said = f"{share}, split {place_of_split(s, line)} is learnt"
        case "test" if errors.count and (s.model or not s.refused):
            wrong = "" if given.problem.regress else f"{round(errors.last * now.m)} of {now.m}, "
            said = f"split {len(errors)}, {wrong}{as_said(given, errors.last)}"
        case "mean" | "compare" if errors.count and (line == "mean" or len(s.estimates) == 1):
            said = f"{share}, mean {as_said(given, errors.mean)}"
            if errors.count > 1:
                said += f", ± {number(errors.deviation)}"
        case "compare" if errors.count:
            low, steady = (listed([named(given, share) for share in each]) for each in best(s))
            said = f"least error {low}" + (f", least spread {steady}" if steady else "")
    return f"Estimates: {said}"


def best(s: State) -> tuple[list[float], list[float]]:
    """(the shares of the least mean error, those whose estimates spread least)."""
    known = [each for each in s.estimates if each.errors.count]
    low = lowest([each.errors.mean for each in known])
    steady = lowest([each.errors.deviation for each in known])
    return [known[i].share for i in low], [known[i].share for i in steady]


def shown(given: Setting, errors: Iterable[float]) -> Float:
    """(m,) the errors that are not NaN, as the picture shows them."""
    return as_shown(given, [e for e in errors if e == e])


def reach(given: Setting, s: State) -> tuple[float, float]:
    """(low, high) of the axis of errors, in coarse steps so that it seldom moves."""
    estimates = [shown(given, each.errors) for each in s.estimates]
    values = np.concatenate([np.zeros(0), *estimates])
    base = [level for level, _ in baseline_level(given.problem, shows_right(given))]
    if given.problem.regress:
        top = float(values.max(initial=0.0)) or 1.0
        return 0.0, float(2.0 ** (whole_above(2 * log2(top)) / 2))
    if shows_right(given):
        least = float(values.min(initial=min([0.7, *base])))
        return whole_below(10 * least) / 10 - EDGE, 1 + EDGE
    most = float(values.max(initial=max([0.3, *base])))
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


def histograms(given: Setting, s: State, line: str) -> Plot:
    """A plot with a histogram of the estimates for each share; in amber the share that begins, the
    estimate of this split, the new mean, or at the end the least mean and the least spread.
    """
    rows = len(given.shares)
    low, high = reach(given, s)
    wide = high - low
    end = high + 0.23 * wide  # where the numbers of a row stand
    steps = step_tags("mean", rows)
    layers = base_lines(given, s, low, high, steps)
    if line == "share":
        begun = frozen([[[low, rows - len(s.estimates) + 1], [high, rows - len(s.estimates) + 1]]])
        layers.append(Segments(begun, Role.ACTIVE, tag="share"))
    for level, name in baseline_level(given.problem, shows_right(given)):
        layers.append(Segments(upright(level), Role.GHOST, tag="baseline"))
        place = frozen([[level, rows + 0.84]])
        layers.append(Labels(place, (name,), Role.GHOST, tag="baseline"))
    means, spreads = found(s, line)
    for i, row in enumerate(rows_of_bars(given, s, wide)):
        if not len(row.place):
            continue
        estimates = s.estimates[i]
        now = estimates is s.now
        layers += bars(row)
        roles = (
            Role.ACTIVE if estimates.share in means else Role.BOUNDARY,
            Role.ACTIVE if estimates.share in spreads else Role.PLAIN,
        )
        layers += marks(given, estimates, row, end, now, steps[i], roles)
        if now and line == "test" and not (s.refused and s.model is None):
            layers.append(last_estimate(row))
    places = [float(rows - i) for i in range(rows)]
    names = [named(given, share) for share in given.shares]
    return Plot(
        heading(given, s, line),
        x_label(given),
        "rows in" if given.cut else "laid aside",
        tuple(layers),
        beside=True,
        x_range=(low - 0.03 * wide, high + 0.46 * wide),
        y_range=(0.5, rows + 0.95),
        x_ticks=x_ticks(given, low, high),
        y_ticks=tuple(zip(places, names, strict=True)),
    )


def found(s: State, line: str) -> tuple[list[float], list[float]]:
    """(the shares whose means this step finds, those whose deviations it finds)."""
    if line == "compare":
        return best(s) if len(s.estimates) > 1 else ([], [])
    return ([s.now.share], []) if line == "mean" else ([], [])


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
    given: Setting,
    each: Estimates,
    row: Row,
    end: float,
    now: bool,
    step: str,
    roles: tuple[Role, Role],
) -> list[Layer]:
    """The mean, the deviation below it, both in numbers at `end`; the mean on the rows learnt from.

    now: whether they are of the present share; step: the tag of the step of the mean; roles: of
    mean and deviation
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
        Segments(spread, roles[1], tag="sd" if now else ""),
        Segments(middle, roles[0], tag=tag, tags=(step,)),
        Segments(learnt, Role.HELD_OUT, tag="train" if now else ""),
        Labels(numbers, (f"{mean:.2f} ± {sd:.2f}",), tag=tag),
    ]
