"""The frame of a plane: grid lines, ticks with numbers outside, axis names inside; and views that
fit the data.
"""

from collections.abc import Callable, Sequence
from math import floor

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from engine.base.arrays import Float
from engine.scene.axes import AIR, axis_name, extent, tick_step, tick_texts, ticks
from engine.scene.scene import Layer
from engine.table.problem import Problem
from gui.look.theme import Theme
from gui.painters import keep_clear, paint_scene
from gui.painters.letters import draw_text, outline
from gui.painters.strokes import kept, pen
from gui.painters.view import Brushwork, Ticks, View

APART = (80.0, 70.0)  # least distance of ticks along x and y (pixels)
CLOSER = (0.7, 0.5, 0.35, 0.25)  # shares of it to try on short axes
TICK, GRID_ALPHA, NAME_INSET = 4.0, 0.07, 8.0
# margins left, top, right, bottom (pixels), by whether type is large
ROOM = {False: (34.0, 10.0, 10.0, 34.0), True: (48.0, 10.0, 10.0, 44.0)}


# -- ticks -----------------------------------------------------------------------------------------


def plane_ticks(view: View, theme: Theme) -> tuple[tuple[Float, float], tuple[Float, float]]:
    """((x ticks, x step), (y ticks, y step)); on equal scales both axes have the same step."""
    ux, uy = view.unit
    step_x = axis_step(0, view.x, view.rect.width(), theme)
    while label_width(view.x, step_x, theme) + 16 > step_x * ux and step_x * ux < view.rect.width():
        step_x = tick_step(0.0, 1.0, 1.0, step_x * 1.5)
    equal = abs(ux - uy) < 0.01 * ux
    step_y = step_x if equal else axis_step(1, view.y, view.rect.height(), theme)
    return (ticks(*view.x, step_x), step_x), (ticks(*view.y, step_y), step_y)


def axis_step(axis: int, span: tuple[float, float], length: float, theme: Theme) -> float:
    """The step between the ticks of axis 0 (x) or 1 (y), `length` pixels long.

    One tick alone gives no scale: on a short axis ticks may stand closer, so that there are two.
    """
    wide = 1.25 if theme.stroke > 1 else 1.0
    step = tick_step(*span, length, APART[axis] * wide)
    for closer in CLOSER:
        if len(ticks(*span, step)) > 1:
            break
        step = tick_step(*span, length, APART[axis] * wide * closer)
    return step


def label_width(span: tuple[float, float], step: float, theme: Theme, own: Ticks = ()) -> float:
    """The width in pixels of the widest number of an axis, or of the widest of its own words."""
    font = theme.font("caption")
    if own:
        return max(outline(text, font)[1] for _, text in own)
    texts = tick_texts(ticks(*span, step).tolist(), step)
    widest = (*texts[:1], *texts[-1:], max(texts, key=len, default=""))
    return max((outline(text, font)[1] for text in widest), default=0.0)


# -- drawing ---------------------------------------------------------------------------------------


def plane_rect(area: QRectF, theme: Theme) -> QRectF:
    """The part of `area` that is left for the plane beside the numbers of the axes."""
    left, top, right, bottom = ROOM[theme.stroke > 1]
    wide, high = max(area.width() - left - right, 1.0), max(area.height() - top - bottom, 1.0)
    return QRectF(area.left() + left, area.top() + top, wide, high)


def draw_plane(
    painter: QPainter,
    area: QRectF | None,
    layers: Sequence[Layer],
    raster: Callable[[str], Float | None],
    view: View,
    theme: Theme,
    names: tuple[str, str] = ("", ""),
    *,
    lit: frozenset[str] = frozenset(),
    hatch: bool = False,
    radius: float | None = None,
    cache: dict[object, object] | None = None,
    numbers: bool = True,
    small: bool = False,
    rapid: bool = False,
) -> None:
    """Draw a whole plane: ground of `area` (None: leave it), numbers, grid, scene and frame.
    `view.rect` is the plane itself.

    names: of the x and y axes; '' for an axis without meaning, which gets no ticks;
    numbers: False for names alone, without ticks and grid;
    small: the names stand above the marks, the x name among the numbers where it covers none;
    rapid: one of many frames in fast playback, too short to read
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if area is not None:
        painter.fillRect(area, theme.colour("window"))
    painter.fillRect(view.rect, theme.colour("plane"))
    b = Brushwork(
        painter,
        view,
        theme,
        lit,
        raster,
        hatch,
        theme.radius if radius is None else radius,
        {} if cache is None else cache,
        rapid,
        rapid,
    )

    among = small and numbers and not covers_number(b.view, theme, names[0])
    inside = ("", names[1]) if among else names

    def grid() -> None:
        if numbers:
            draw_grid(b, names)
        if not small:
            draw_names(b, inside)

    keep_clear(b, name_places(b, inside))
    paint_scene(b, layers, grid)
    if small:  # only unbounded lines reach that place
        draw_names(b, inside, halo=True)
    draw_frame(b)
    if numbers:
        draw_ticks(b, names, named=among)


def draw_grid(b: Brushwork, names: tuple[str, str]) -> None:
    """A line of ink at 7 % through every tick."""
    rect = b.view.rect
    across, along = tick_pixels(b, names)
    with kept(b.painter):
        b.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        b.painter.setPen(pen(b.theme.colour("ink", GRID_ALPHA), 1.0, cap=Qt.PenCapStyle.FlatCap))
        for x, _ in across:
            b.painter.drawLine(QLineF(x, rect.top(), x, rect.bottom()))
        for y, _ in along:
            b.painter.drawLine(QLineF(rect.left(), y, rect.right(), y))


def tick_pixels(
    b: Brushwork, names: tuple[str, str]
) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
    """As `tick_places`, of a brushwork."""
    return tick_places(b.view, b.theme, names)


def tick_places(
    view: View, theme: Theme, names: tuple[str, str]
) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
    """(pixel, text) of each tick along x and along y; the pixels are middles of whole ones, so that
    lines are crisp.
    """
    (xs, step_x), (ys, step_y) = plane_ticks(view, theme)
    x_ticks, y_ticks = (
        own or tuple(zip(places.tolist(), tick_texts(places.tolist(), step), strict=True))
        for own, places, step in zip(view.ticks, (xs, ys), (step_x, step_y), strict=True)
    )
    ux, uy = view.unit
    across = [
        (floor(view.rect.left() + (x - view.x[0]) * ux) + 0.5, t)
        for x, t in x_ticks
        if _within(x, view.x)
    ]
    along = [
        (floor(view.rect.bottom() - (y - view.y[0]) * uy) + 0.5, t)
        for y, t in y_ticks
        if _within(y, view.y)
    ]
    return across if names[0] or not any(names) else [], along if names[1] or not any(names) else []


def _within(place: float, ends: tuple[float, float]) -> bool:
    return ends[0] <= place <= ends[1]


def draw_names(
    b: Brushwork, names: tuple[str, str], style: str = "body", halo: bool = False
) -> None:
    """The x name at the right end of its axis, the y name at the top of its own."""
    for place, name in zip(name_places(b, names, style), names, strict=True):
        text, font = fitted_name(b.view, b.theme, name, style)
        draw_text(b, text, font, place.left(), place.center().y(), "ink2", halo)


def fitted_name(view: View, theme: Theme, name: str, style: str) -> tuple[str, QFont]:
    """The name of an axis and its font: smaller, then shorter, where it is wider than the frame."""
    room = view.rect.width() - 2 * NAME_INSET
    text = axis_name(name)
    font = theme.font(style)
    if outline(text, font)[1] <= room:
        return text, font
    font = theme.font("caption")
    while len(text) > 2 and outline(text, font)[1] > room:
        text = text.removesuffix("…")[:-1].rstrip() + "…"
    return text, font


def name_places(b: Brushwork, names: tuple[str, str], style: str = "body") -> tuple[QRectF, QRectF]:
    """The rectangles, in pixels, of the names of the x and the y axis."""
    rect = b.view.rect
    high = float(b.theme.line_height(style))
    x_wide, y_wide = (outline(*fitted_name(b.view, b.theme, name, style))[1] for name in names)
    down = high * 2 / 3 - high / 2
    x_place = QRectF(rect.right() - NAME_INSET - x_wide, rect.bottom() - down - high, x_wide, high)
    return x_place, QRectF(rect.left() + NAME_INSET, rect.top() + down, y_wide, high)


def draw_frame(b: Brushwork) -> None:
    """The outline of the plane."""
    with kept(b.painter):
        b.painter.setBrush(Qt.BrushStyle.NoBrush)
        strong = b.theme.stroke > 1
        b.painter.setPen(pen(b.theme.colour("strong" if strong else "line"), b.stroke))
        b.painter.drawRect(b.view.rect)


def draw_ticks(b: Brushwork, names: tuple[str, str], named: bool = False) -> None:
    """Short strokes outside the frame with their numbers, none of which reaches past the frame at
    its right; `named`: the x name is at their end.
    """
    rect = b.view.rect
    font = b.theme.font("caption")
    across, along = tick_pixels(b, names)
    high = b.theme.line_height("caption")
    below = rect.bottom() + TICK + 1 + high / 2
    name = fitted_name(b.view, b.theme, names[0], "caption")[0] if named else ""
    with kept(b.painter):
        b.painter.setPen(pen(b.theme.colour("strong"), b.stroke, cap=Qt.PenCapStyle.FlatCap))
        free = -float("inf")
        for x, text in across:
            b.painter.drawLine(QLineF(x, rect.bottom() + 0.5, x, rect.bottom() + 0.5 + TICK))
            half = outline(text, font)[1] / 2
            left = min(x - half, rect.right() + 1 - 2 * half)
            if left > free:
                draw_text(b, text, font, left, below, "ink3")
                free = left + 2 * half + NAME_INSET / 2
        for y, text in along:
            b.painter.drawLine(QLineF(rect.left() - 0.5 - TICK, y, rect.left() - 0.5, y))
            if y - high / 2 < rect.top() < high / 2:  # the number would be cut
                continue
            draw_text(b, text, font, rect.left() - TICK - 4 - outline(text, font)[1], y, "ink3")
        if name:
            end = name_end(b.view, b.theme, name)
            draw_text(b, name, font, end, below, "ink2")


def name_end(view: View, theme: Theme, name: str) -> float:
    """The left end, in pixels, of the x name among the numbers."""
    # a letter may reach a little beyond the width of its text
    return view.rect.right() - NAME_INSET / 2 - outline(name, theme.font("caption"))[1]


def covers_number(view: View, theme: Theme, name: str) -> bool:
    """Whether the x name would cover a number, if it stood among them."""
    text = fitted_name(view, theme, name, "caption")[0]
    if not text:
        return False
    end = name_end(view, theme, text) - NAME_INSET
    across, _ = tick_places(view, theme, (name, ""))
    font = theme.font("caption")
    return any(x + outline(number, font)[1] / 2 > end for x, number in across)


# -- views -----------------------------------------------------------------------------------------


def equal_scales(x: tuple[float, float], y: tuple[float, float], rect: QRectF) -> View:
    """The view with one range widened around its middle until both axes have the same scale."""
    unit = min(rect.width() / (x[1] - x[0]), rect.height() / (y[1] - y[0]))
    wide = rect.width() / unit / 2
    high = rect.height() / unit / 2
    middle = ((x[0] + x[1]) / 2, (y[0] + y[1]) / 2)
    return View((middle[0] - wide, middle[0] + wide), (middle[1] - high, middle[1] + high), rect)


def fit_view(problem: Problem, rect: QRectF, equal: bool) -> View:
    """The view of all points with 8 % air round them; `equal` widens one range until both axes have
    the same scale.
    """
    (x0, x1), (y0, y1) = extent(problem)
    air_x = (x1 - x0) * AIR
    air_y = (y1 - y0) * AIR
    x = (x0 - air_x, x1 + air_x)
    y = (y0 - air_y, y1 + air_y)
    return equal_scales(x, y, rect) if equal else View(x, y, rect)
