"""Grid lines, numbers and names of the axes of a plane as SVG."""

from engine.base.records import Record
from engine.scene.axes import axis_name, tick_step, tick_texts, ticks
from engine.web.frame import Frame, Span
from engine.web.markup import escaped, size

APART = (80.0, 62.0)  # units between ticks, at least
LETTER = 12.0  # units of the widest digit of a tick on the smallest screen
# room in units: at the left, below, at the other sides
LEAST, MOST, BELOW, EDGE = 34.0, 130.0, 34.0, 6.0
Ticks = tuple[tuple[float, str], ...]


class Axes(Record, eq=True):
    """The ticks of both axes as (place, text), and their names."""

    x: Ticks
    y: Ticks
    names: tuple[str, str]

    @property
    def left(self) -> float:
        """Width in pixels of the numbers at the left of the upright axis."""
        longest = max((len(text) for _, text in self.y), default=0)
        return min(MOST, max(LEAST, 10 + LETTER * longest)) if self.y else EDGE

    @property
    def below(self) -> float:
        return BELOW if self.x else EDGE


def axes_of(
    x: Span, y: Span, wide: float, high: float, names: tuple[str, str], numbers: bool = True
) -> Axes:
    """Ticks at round numbers along both axes, at least a readable distance apart.

    wide, high: of the drawing in pixels
    names: of the axes; the axis with "" beside a named one gets no ticks
    numbers: False leaves out all ticks
    """
    spans = (x, y) if numbers else ()
    made: list[Ticks] = []
    for span, length, apart, name in zip(spans, (wide, high), APART, names, strict=False):
        step = tick_step(*span, length, apart)
        places = ticks(*span, step).tolist()
        means = bool(name) or not any(names)
        made.append(tuple(zip(places, tick_texts(places, step), strict=True)) if means else ())
    across, up = (*made, (), ())[:2]
    return Axes(across, up, names)


def grid(axes: Axes, frame: Frame) -> str:
    """SVG of the grid: a pale line through every tick."""
    ux, uy = frame.unit
    upright = "".join(
        f"M{size((x - frame.x[0]) * ux)} 0V{size(frame.high)}"
        for x, _ in axes.x
        if _within(x, frame.x)
    )
    level = "".join(
        f"M0 {size(frame.high - (y - frame.y[0]) * uy)}H{size(frame.wide)}"
        for y, _ in axes.y
        if _within(y, frame.y)
    )
    return f'<path d="{upright}{level}" class="gr"/>' if upright or level else ""


def numbers(axes: Axes, frame: Frame) -> str:
    """SVG of the frame with the numbers outside and the axis names inside."""
    ux, uy = frame.unit
    made = [f'<rect width="{size(frame.wide)}" height="{size(frame.high)}" class="fr"/>']
    for x, text in axes.x:
        if _within(x, frame.x):
            made.append(
                _text(
                    (x - frame.x[0]) * ux,
                    frame.high,
                    text,
                    f'class="m ax" y="17" text-anchor="{_side((x - frame.x[0]) * ux, frame.wide)}"',
                )
            )
    for y, text in axes.y:
        if _within(y, frame.y):
            made.append(
                _text(
                    0,
                    frame.high - (y - frame.y[0]) * uy,
                    text,
                    'class="m ax" x="-6" y="4" text-anchor="end"',
                )
            )
    across, up = map(axis_name, axes.names)
    if across:
        made.append(
            _text(frame.wide, frame.high, across, 'class="m an" x="-8" y="-8" text-anchor="end"')
        )
    if up:
        made.append(_text(0, 0, up, 'class="m an" x="8" y="17"'))
    return "".join(made)


def _side(x: float, wide: float) -> str:
    """Where the text of a tick lies: at the right edge of the drawing to its left."""
    return "end" if x > wide - EDGE else "middle"


def _text(x: float, y: float, text: str, attributes: str) -> str:
    return f'<g transform="translate({size(x)} {size(y)})"><text {attributes}>{escaped(text)}</text></g>'


def _within(place: float, span: Span) -> bool:
    return span[0] <= place <= span[1]
