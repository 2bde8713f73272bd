"""What every benchmark shares: how much is measured, the clock, and the rows of the one table."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

from engine import Dataset, generate
from gui.app import SWITCH


@dataclass(frozen=True)
class Long:
    """How to make a run as long as it is wanted. params: of the algorithm; share: points for each step; noise: of them."""

    params: dict[str, Any]
    share: float = 0.0
    noise: float = 0.3

    def data(self, steps: int) -> Dataset:
        return generate("moons", max(200, round(self.share * steps)), self.noise)


LONG = {
    "perceptron": Long({"stop": "rounds", "rounds": 1_000}),
    "nearest_neighbours": Long({"k": 5}, share=1.0),
    "decision_tree": Long({}, share=0.6, noise=1.0),
    "adaboost": Long({"rounds": 10_000}),
}
KEYS = tuple(LONG)


@dataclass(frozen=True)
class Sizes:
    """How much is measured; the defaults are what issue and design promise."""

    passes: int = 3  # the calmest counts: other programs can only make it slower
    starts: int = 9
    points: int = 500
    frames: int = 250
    run_steps: int = 10_000
    scrubs: int = 150
    dragged: int = 200
    drags: int = 150
    rows: tuple[int, ...] = (200, 2_000, 20_000)
    side: int = 256
    table_rows: int = 1_000_000
    sheet_rows: int = 60_000


@dataclass(frozen=True)
class Row:
    """One line: ours beside a peer's value or a promised limit. most: the ratio allowed, None = only told; reason: where
    the time goes, told when the ratio is not kept."""

    what: str
    ours: float
    beside: float
    unit: str
    peer: str
    most: float | None = None
    reason: str = ""

    @property
    def ratio(self) -> float:
        return self.ours / self.beside if self.beside else float("inf")

    @property
    def met(self) -> bool:
        return self.most is None or self.ratio <= self.most

    def cells(self) -> tuple[str, ...]:
        allowed = "" if self.most is None else f"{self.most:.2f}"
        verdict = "" if self.most is None else ("yes" if self.met else f"NO: {self.reason}" if self.reason else "NO")
        beside = f"{self.beside:,.5g} {self.unit} {self.peer}"
        return self.what, f"{self.ours:,.5g} {self.unit}", beside, f"{self.ratio:.2f}", allowed, verdict


HEAD = ("what", "ours", "beside", "ratio", "at most", "kept")


def table(rows: Iterable[Row]) -> str:
    """The rows as aligned text."""
    cells = [HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[j]) for line in cells) for j in range(len(HEAD))]
    lines = ["  ".join(text.ljust(w) for text, w in zip(line, widths, strict=True)).rstrip() for line in cells]
    return "\n".join([lines[0], "  ".join("-" * w for w in widths), *lines[1:]])


def seconds(work: Callable[[], Any], times: int = 7, patience: float = 6.0) -> float:
    """The median time of `work()`, repeated while there is patience left."""
    taken: list[float] = []
    while len(taken) < times and (not taken or sum(taken) < patience):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return median(taken)


@contextmanager
def as_in_the_window() -> Iterator[None]:
    """Threads take turns as often as in the running program."""
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
