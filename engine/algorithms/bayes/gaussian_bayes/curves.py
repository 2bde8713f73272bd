"""The bells of the classes, a strip for each column, and where the query stands under them."""

from engine.algorithms.bayes.gaussian_bayes import Setting, State, bell_logs
from engine.authoring import Float, np
from engine.base.records import Record
from engine.base.tags import class_tag
from engine.scene.scene import Boxes, Labels, Layer, Plot, Polyline, Role, Segments

STRIPS = 6  # columns that are shown: the present one and those before it
PLACES = 161  # along a bell
AIR = 0.3  # beside the examples, in parts of their extent
HIGHEST = 0.8  # of a strip
NARROW = 12.0  # parts of a strip: a narrower bell is cut at the height of this one


class Strip(Record, eq=True):
    """The strip of a column.

    column: its index; base: the height where it stands; low, high: the values at its ends
    up: height of the picture for one of density
    """

    column: int
    base: float
    low: float
    high: float
    up: float

    def across(self, values: Float) -> Float:
        """Values of the column as places from 0 to 1."""
        return np.asarray((values - self.low) / (self.high - self.low))

    def above(self, densities: Float) -> Float:
        """The heights of densities, cut at the top of the strip."""
        return self.base + np.minimum(self.up * densities, HIGHEST)


def bell_curves(given: Setting, s: State, asking: bool) -> Plot:
    """A bell for each class in each column; asking: with the query, and the heights of the bells
    there in the columns that are multiplied.
    """
    strips = [strip_of(given, s, j, nth) for nth, j in enumerate(shown_columns(given, s))]
    layers: list[Layer] = [
        Boxes(frame(strip), np.array([-1]), Role.ACTIVE, tag="query")
        for strip in strips
        if strip.column == s.column
    ]
    layers += [bells_of(s, strips, v) for v in range(given.k)]
    layers.append(class_names(given, s, strips))
    if asking:
        layers += [layer for strip in strips for layer in asked(s, strip)]
    titles = given.problem.titles
    return Plot(
        "Bell curves: one of each class in each column",
        "smaller → larger",
        "column",
        tuple(layers),
        beside=True,
        x_range=(-0.02, 1.02),
        y_range=(strips[-1].base - 0.12, 1.0),
        x_ticks=((-9.0, ""),),
        y_ticks=tuple((strip.base, titles[strip.column]) for strip in strips),
    )


def shown_columns(given: Setting, s: State) -> range:
    """The columns that have a strip."""
    last = max(STRIPS, s.column + 1)
    return range(max(0, last - STRIPS), min(last, given.problem.d))


def strip_of(given: Setting, s: State, j: int, nth: int) -> Strip:
    """The strip of column j, the nth from the top."""
    x = given.rows[:, j]
    extent = float(np.ptp(x)) or 1.0
    low = min(float(x.min()), float(s.query[j])) - AIR * extent
    high = max(float(x.max()), float(s.query[j])) + AIR * extent
    variances = s.variances[~np.isnan(s.variances[:, j]), j]
    broad = variances[variances >= ((high - low) / NARROW) ** 2]
    narrowest = float(broad.min(initial=((high - low) / 4) ** 2))
    return Strip(j, -float(nth), low, high, HIGHEST * float(np.sqrt(2 * np.pi * narrowest)))


def frame(strip: Strip) -> Float:
    """(1, 4) the bounds of a strip."""
    return np.array([[0.0, strip.base - 0.06, 1.0, strip.base + 0.94]])


def bells_of(s: State, strips: list[Strip], v: int) -> Polyline:
    """The bells of class v in all strips; of a class whose spread is not known an upright line at
    its mean.
    """
    pieces = []
    gap = np.full((1, 2), np.nan)
    for strip in strips:
        mu, variance = s.means[v, strip.column], s.variances[v, strip.column]
        x = np.linspace(strip.low, strip.high, PLACES)
        if np.isnan(variance):
            ends = [strip.base, strip.base + HIGHEST]
            pieces += [np.column_stack([strip.across(np.array([mu, mu])), ends]), gap]
            continue
        near = np.sort(np.append(x, mu))
        heights = strip.above(np.exp(bell_logs(near, mu, variance)))
        pieces += [np.column_stack([strip.across(near), heights]), gap]
    return Polyline(np.concatenate(pieces), Role.PLAIN, group=v, tag=class_tag(v))


def class_names(given: Setting, s: State, strips: list[Strip]) -> Labels:
    """The name of each class at its bell, in the strip where the means lie farthest apart."""
    there = np.flatnonzero(~np.isnan(s.means[:, 0]))
    means = {strip: strip.across(s.means[there, strip.column]) for strip in strips}
    strip = max(strips, key=lambda each: float(np.ptp(means[each])) if len(there) else 0.0)
    x = means[strip]
    xy = np.column_stack([x, np.full(len(x), strip.base + HIGHEST)])
    return Labels(xy, tuple(given.problem.class_text(v) for v in there.tolist()), tag="classes")


def asked(s: State, strip: Strip) -> list[Layer]:
    """An upright line at the query's value; in a multiplied column it ends at the highest bell, and
    the height of each bell is written beside it.
    """
    j = strip.column
    x = float(strip.across(s.query[j : j + 1])[0])
    used = j < s.used
    now = j == s.column
    densities = np.exp(bell_logs(s.query[j], s.means[:, j], s.variances[:, j]))
    tops = strip.above(densities)
    top = float(tops.max()) if used else strip.base + 0.12
    line = Segments(np.array([[[x, strip.base], [x, top]]]), Role.ACTIVE if now else Role.PLAIN)
    if not now:
        return [line]
    xy = np.column_stack([np.full(len(tops), x), tops])
    return [line, Labels(xy, tuple(f"{each:.3g}" for each in densities), tag="query")]
