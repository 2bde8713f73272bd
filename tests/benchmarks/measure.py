"""What every benchmark shares: how much is measured, the clock, and the rows of the one table."""

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any, TypeVar

from engine import Dataset, Problem, generate, prepare
from engine.base.records import Record
from engine.protocol.registry import algorithm

T = TypeVar("T")


class Long(Record, eq=True):
    """How to make a run as long as it is wanted. params: of the algorithm; share: points for each
    step; noise: of them.
    """

    params: dict[str, Any]
    share: float = 0.0
    noise: float = 0.3

    def data(self, steps: int) -> Dataset:
        return generate("moons", max(200, round(self.share * steps)), self.noise)


def points_for(key: str, n: int, noise: float = 0.3) -> Dataset | None:
    """n points of a plane that the method can use; None where it takes no such points."""
    sets = (generate(name, n, noise) for name in ("moons", "sine"))
    return next((data for data in sets if algorithm(key).needs.reason(prepare(data)) is None), None)


def problem_for(key: str, n: int) -> Problem:
    """Of such points, or of what else the method takes: its own example."""
    data = points_for(key, n)
    return prepare(data) if data is not None else algorithm(key).example()


LONG = {
    "perceptron": Long({"stop": "rounds", "rounds": 1_000}),
    "nearest_neighbours": Long({"k": 5}, share=1.0),
    "decision_tree": Long({}, share=0.6, noise=1.0),
    "adaboost": Long({"rounds": 10_000}),
}
KEYS = tuple(LONG)
PATIENCE = 8.0  # seconds for one row
NOISE = 1.25  # by so much two tables of the same program differ here
WATCHED = 2.0  # by so much a row may grow that no person feels


class Sizes(Record, eq=True):
    """How much is measured; the defaults are what issue and design promise."""

    passes: int = 3  # the calmest counts: other programs can only make it slower
    repeats: int = 7
    firsts: int = 3  # processes whose first fit is timed
    starts: int = 9
    acts: int = 99  # what is done in a window
    rest: int = 500  # milliseconds in which a window does what it puts off
    points: int = 500
    methods: int = 99
    themes: int = 99  # changes of them
    frames: int = 150
    run_steps: int = 10_000
    scrubs: int = 80
    dragged: int = 200
    drags: int = 80
    rows: tuple[int, ...] = (200, 2_000, 20_000)
    side: int = 256
    table_rows: int = 1_000_000
    kept_rows: int = 200_000
    sheet_rows: int = 60_000


class Row(Record, eq=True):
    """One line: ours beside a peer's value or a promised limit. most: the ratio allowed, None =
    only printed; reason: where the time goes, printed when the ratio is not kept; wall: the ratio
    by the clock on the wall, where the others are of processor time; watched: whether no person
    feels it, so that it may be over.
    """

    what: str
    ours: float
    beside: float
    unit: str
    peer: str
    most: float | None = None
    reason: str = ""
    wall: float | None = None
    watched: bool = False

    @property
    def ratio(self) -> float:
        return self.ours / self.beside if self.beside else float("inf")

    @property
    def met(self) -> bool:
        return self.most is None or self.ratio <= self.most

    @property
    def verdict(self) -> str:
        """Whether the limit is kept, and of a row that is over the reason."""
        if self.most is None:
            return ""
        if self.met:
            return "yes"
        over = "watched" if self.watched else "NO"
        return f"{over}: {self.reason}" if self.reason else over

    def cells(self) -> tuple[str, ...]:
        allowed = "" if self.most is None else f"{self.most:.2f}"
        verdict = self.verdict
        beside = f"{self.beside:,.5g} {self.unit} {self.peer}"
        wall = "" if self.wall is None else f"{self.wall:.2f}"
        return (
            self.what,
            f"{self.ours:,.5g} {self.unit}",
            beside,
            f"{self.ratio:.2f}",
            wall,
            allowed,
            verdict,
        )


HEAD = ("what", "ours", "beside", "ratio", "wall", "at most", "kept")


def table(rows: Iterable[Row]) -> str:
    """The rows as aligned text."""
    cells = [HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[j]) for line in cells) for j in range(len(HEAD))]
    lines = [
        "  ".join(text.ljust(w) for text, w in zip(line, widths, strict=True)).rstrip()
        for line in cells
    ]
    return "\n".join([lines[0], "  ".join("-" * w for w in widths), *lines[1:]])


def ratios(text: str) -> dict[str, float]:
    """What an earlier table found, by what was measured."""
    found = {}
    for line in text.splitlines():
        cells = re.split(r" {2,}", line.strip())
        if len(cells) >= 4 and re.fullmatch(r"[\d.]+|inf", cells[3]):
            found[cells[0]] = float(cells[3])
    return found


def worse(rows: Iterable[Row], earlier: dict[str, float]) -> Iterator[str]:
    """The rows that take a quarter longer than in an earlier table, beside their peers of both
    days; those that are only watched, twice as long.
    """
    for row in rows:
        before = earlier.get(row.what)
        most = WATCHED if row.watched else NOISE
        if before is not None and row.ratio > most * max(before, 0.01):
            yield f"{row.what}: {before:.2f} before, {row.ratio:.2f} now"


class Both(Record, eq=True):
    """Median seconds of processor time, and the ratio of the medians by the clock on the wall."""

    ours: float
    theirs: float
    wall: float


def alternated(
    ours: Callable[[T], Any], theirs: Callable[[T], Any], made: Callable[[], T], times: int = 7
) -> Both:
    """Both in turn, on a new thing each time, so that nothing is remembered; while there is
    patience left.
    """
    taken: list[tuple[float, ...]] = []
    while len(taken) < times and (
        not taken or sum(wall for *_, a, b in taken for wall in (a, b)) < PATIENCE
    ):
        one, other = _timed(ours, made()), _timed(theirs, made())
        taken.append((one[0], other[0], one[1], other[1]))
    a, b, wall_a, wall_b = (median(column) for column in zip(*taken, strict=True))
    return Both(a, b, wall_a / wall_b)


def _timed(work: Callable[[T], Any], thing: T) -> tuple[float, float]:
    wall = time.perf_counter()
    busy = time.process_time()
    work(thing)
    return time.process_time() - busy, time.perf_counter() - wall


@contextmanager
def as_in_the_window() -> Iterator[None]:
    """Threads take turns as often as in the running program."""
    # not above: Qt reads the source of all that a script's first fit imports after it
    from gui.app import SWITCH

    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
