"""The pictures of a range of steps as a film: GIF, WebP, MP4 or a folder of PNG files.

Only painting needs the window's thread: `ask` runs it there, one picture at a time. The run, the
surfaces and the file may be made on another thread.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import Record
from engine.protocol.step import Level
from engine.runs.chosen_steps import Chosen, follow
from engine.runs.run import Run
from engine.runs.trace import Trace
from gui.export.kinds import check_size, kind_of
from gui.export.page import Page, band_of, paint_page
from gui.export.render import LARGEST, ensure_application, image_of, scaled
from gui.export.shown import Look, Shown, found_in, prepared_draw
from gui.look.theme import THEMES
from gui.painters.view import View

T = TypeVar("T")
SHORTEST, LONGEST = 0.02, 60.0  # seconds that a step may be shown
AT_ONCE = 10  # pages measured in one call on the window's thread, so that it is not held up


class Ask(Protocol):
    """Runs `work` on the window's thread and returns its result."""

    def __call__(self, work: Callable[[], T], /) -> T: ...


Tick = Callable[[float], bool]


class Cancelled(Exception):
    """The export was cancelled."""


def here(work: Callable[[], T]) -> T:
    """`Ask` for a program with one thread: calls `work` directly."""
    return work()


def always(fraction: float) -> bool:
    """`Tick` for work that is never cancelled."""
    return True


def go_on(tick: Tick, fraction: float) -> None:
    """Report the share that is done to `tick`; raises Cancelled if that returns False."""
    if not tick(fraction):
        raise Cancelled


class Film(Record, eq=True):
    """How a film looks.

    size: width and height in pixels
    caption, legend: words below the plane, as in `page_of`
    seconds: how long each step is shown
    hold: how long the last step is shown, at least `seconds`
    view_name: of the view, as in `Shown.find`; "" for the plane, or the figures without one
    view, hatch, hidden, scale: as in `render_view`
    """

    size: tuple[int, int] = (640, 480)
    theme: str = "light"
    caption: bool = False
    legend: bool = False
    seconds: float = 0.5
    hold: float = 2.0
    view_name: str = ""
    view: View | None = None
    hatch: bool = False
    hidden: frozenset[str] = frozenset()
    scale: float = 1.0

    def check(self) -> None:
        """Raise EngineError for an unknown theme, or a size or duration out of range."""
        if self.theme not in THEMES:
            raise EngineError(
                f"There is no theme {quoted(self.theme)}; there are {', '.join(THEMES)}."
            )
        if not all(0 < side <= LARGEST for side in self.size):
            raise EngineError(
                f"A picture is 1 to {LARGEST} pixels wide and high, not {self.size[0]} ×"
                f" {self.size[1]}."
            )
        for seconds in (self.seconds, self.hold):
            if not SHORTEST <= seconds <= LONGEST:
                raise EngineError(
                    f"A step is shown for {SHORTEST:g} to {LONGEST:g} seconds, not for {seconds:g}."
                )

    def durations(self, count: int) -> list[float]:
        """The seconds that each of `count` pictures is shown."""
        return [self.seconds] * (count - 1) + [max(self.seconds, self.hold)]

    @property
    def area(self) -> QRectF:
        """The whole picture, in the theme's pixels."""
        return QRectF(0, 0, self.size[0] / self.scale, self.size[1] / self.scale)


def save_film(
    run: Run,
    name: str,
    chosen: Chosen,
    path: str | Path,
    film: Film,
    ask: Ask = here,
    tick: Tick = always,
) -> list[int]:
    """Write the chosen steps of a run as a film; returns their numbers in the unit.

    The run is advanced as far as they need.

    name: of the data, for the caption
    ask: runs the painting on the window's thread
    tick: called with the share that is done; False cancels

    Raises EngineError for what cannot be written, Cancelled when cancelled; neither leaves a
    partial file.
    """
    from gui.export.encoders import refuse_place, write

    kind = kind_of(path)
    film.check()
    refuse_place(kind, Path(path))
    if chosen.last is not None and not run.finished:  # else its length is known
        check_size(kind, chosen.most or 0, film.size)
    numbers, places = followed(run, chosen, tick)
    check_size(kind, len(places), film.size)
    images = counted_off(
        pictures(run.trace, places, name, chosen.unit, film, ask, tick), len(places), tick
    )
    write(kind, Path(path), images, numbers, film)
    return numbers


def followed(run: Run, chosen: Chosen, tick: Tick) -> tuple[list[int], list[int]]:
    """As `follow`, but raises Cancelled when `tick` returns False."""

    def on(fraction: float) -> bool:
        go_on(tick, fraction)
        return True

    return follow(run, chosen, on)


def counted_off(items: Iterator[T], total: int, tick: Tick) -> Iterator[T]:
    """Yield the items, and report the share that is done after each.

    Raises Cancelled when `tick` returns False.
    """
    for done, item in enumerate(items, 1):
        yield item
        go_on(tick, done / total)


def pictures(
    trace: Trace,
    places: Sequence[int],
    name: str,
    unit: Level,
    film: Film,
    ask: Ask = here,
    tick: Tick = always,
) -> Iterator[QImage]:
    """Yield the steps `places` of a run as pictures of the film's size.

    The view is at the same place in all of them. Raises EngineError for an unknown view.
    """
    ask(ensure_application)
    pages = []
    first = Shown(trace, places[0], unit)
    wanted = found_in(first, places, film.view_name)
    for shown in map(first.at, places):
        pages.append(
            shown.page(
                name,
                wanted,
                caption=film.caption,
                explained=film.legend,
                hidden=film.hidden,
            )
        )
        go_on(tick, 0.0)
    band = _common_band(pages, film, ask, tick)
    area = film.area.adjusted(0, 0, 0, -band)
    look = Look(THEMES[film.theme], film.view, film.hatch, film.hidden)
    for index, page in zip(places, pages, strict=True):
        draw = prepared_draw(first.at(index), wanted, look, area)
        if film.caption or film.legend:
            draw = partial(paint_page, picture=draw, page=page, theme=THEMES[film.theme], band=band)
        yield ask(partial(image_of, film.size, partial(scaled, draw=draw, scale=film.scale)))


def _common_band(pages: Sequence[Page], film: Film, ask: Ask, tick: Tick) -> float:
    """The largest height that the words of a page need, in the theme's pixels."""
    highest = 0.0
    for first in range(0, len(pages), AT_ONCE):
        highest = max(highest, ask(partial(_highest, pages[first : first + AT_ONCE], film)))
        go_on(tick, 0.0)
    return highest


def _highest(pages: Sequence[Page], film: Film) -> float:
    return max(band_of(page, THEMES[film.theme], film.area) for page in pages)
