"""The longest that one event holds the window up, for what a person does: work of the window's
thread alone.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QDialog

import engine
from engine.base.records import replace
from engine.document import edits
from engine.document.document import Document
from engine.document.lane import lane
from gui.app import first_document
from gui.dialogs.keys import KeysDialog
from gui.dialogs.open_table import OpenTable
from gui.dialogs.table_editor import TableEditor
from gui.dialogs.table_source import FileTable
from gui.window import warm_up
from gui.window.main_window import MainWindow
from tests.benchmarks.measure import Row, Sizes, as_in_the_window
from tests.benchmarks.showing import opened, wait

ANSWER_MS = 50.0  # “the window answers within 50 ms whatever runs”
TURNS = 12  # of the event loop that belong to what was done
TABLE = "".join(f"{k / 2}\t{k % 7}\t{'yes' if k % 3 else 'no'}\n" for k in range(40))
Act = Callable[[], Any]


def rows(sizes: Sizes) -> Iterator[Row]:
    found: dict[str, list[float]] = {}
    with as_in_the_window(), tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "small.tsv"
        table.write_text(f"a\tb\tclass\n{TABLE}")
        for _ in range(sizes.passes):
            for what, longest in passed(table, sizes.acts):
                found.setdefault(what, []).append(longest)
            for what, longest in (*of_many(sizes.kept_rows), *of_many_values(sizes.kept_rows)):
                found.setdefault(what, []).append(longest)
    for what, times in found.items():
        yield Row(f"{what}: longest event", min(times), ANSWER_MS, "ms", "limit", 1.0)


def passed(table: Path, most: int) -> Iterator[tuple[str, float]]:
    """(what was done, milliseconds of the longest event) in a window of its own.

    most: acts beside the dialogs
    """
    with opened(first_document()) as shown:
        window = shown.window
        warm = warm_up.start()
        wait(lambda: not warm.is_alive() and window.session.worker.idle)
        for what, *acts in islice(done(window), most):
            yield what, max(map(longest, acts))
        yield from opening(window, table)
        for what, dialog in (("keys", KeysDialog), ("table editor", TableEditor)):
            yield (
                f"opening the dialog of the {what}",
                showing(lambda dialog=dialog: _dialog(dialog, window)),
            )


def done(window: MainWindow) -> Iterator[tuple[Any, ...]]:
    """What it is called, and what is done one after the other."""
    session = window.session
    menu = window.actions_.menus[2]
    yield (
        "dark theme, light theme",
        lambda: window.use_theme("dark"),
        lambda: window.use_theme("light"),
    )
    yield "projector on", window.toggle_projector
    yield "projector off", window.toggle_projector
    yield (
        "resizing",
        *(
            lambda s=size: window.resize(*s)
            for size in ((1000, 700), (1600, 940), (960, 620), (1280, 800))
        ),
    )
    for key in ("decision_tree", "nearest_neighbours", "adaboost", "svm", "backpropagation"):
        yield f"choosing {key}", lambda key=key: session.choose(key)
    yield "another data set", lambda: window.commands.use_data(engine.generate("moons", 200, 0.3))
    yield "undo, redo", session.undo, session.redo
    yield "opening a menu", lambda: menu.popup(window.mapToGlobal(QPoint(40, 40))), menu.close


def of_many(rows: int) -> Iterator[tuple[str, float]]:
    """The same for what is done with a table that is kept whole, or sampled for a method that
    cannot take so many rows.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 4))
    table = engine.Dataset.from_arrays(
        X, np.where(X.sum(axis=1) + rng.normal(size=rows) > 0, "yes", "no"), name="many"
    )
    with opened(replace(first_document(), lanes=(lane("perceptron"),))) as shown:
        window = shown.window
        session = shown.window.session
        warm = warm_up.start()
        wait(lambda: not warm.is_alive() and session.worker.idle)

        def moved(k: int) -> Document:
            return edits.move_points(
                session.document, window.plane.shown().rows[[3]], np.array([[0.1 * k, 1.0]])
            )

        done: tuple[tuple[str, Callable[[int], object]], ...] = (
            ("another data set", lambda k: window.commands.use_data(table)),
            ("a step", lambda k: session.seek(2 + k)),
            ("dragging a point", lambda k: session.edit(moved(k), "move a point", "move a point")),
            ("undo", lambda k: session.undo()),
            ("choosing nearest_neighbours", lambda k: session.choose("nearest_neighbours")),
            ("choosing logistic_regression", lambda k: session.choose("logistic_regression")),
        )
        for what, act in done:
            times = 3 if what in ("a step", "dragging a point") else 1
            yield f"{what}, {rows:,} rows", max(longest(partial(act, k)) for k in range(times))
            wait(lambda: len(session.trace or ()) > 4 or session.worker.idle)


def of_many_values(rows: int) -> Iterator[tuple[str, float]]:
    """Another data set and other methods, with the pictures that come when the worker has made the
    first step; a method that refuses the data, beside which another one is offered.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 4))
    y = X.sum(axis=1) + rng.normal(size=rows)
    columns = {f"x{k}": x for k, x in enumerate(X.T)}
    values = engine.Dataset.from_columns(columns | {"y": y}, "y", task="regress", name="values")
    indicators = engine.Dataset.from_arrays(
        (X > 0).astype(float), np.where(y > 0, "yes", "no"), name="0/1"
    )
    yield from with_table(values, "linear_regression", "gradient_descent", "regression_tree")
    yield from with_table(values, "perceptron")
    yield from with_table(indicators, "perceptron", "winnow")


def with_table(table: engine.Dataset, first: str, *keys: str) -> Iterator[tuple[str, float]]:
    """The table opened beside the method `first`, then these methods one after the other."""
    with opened(replace(first_document(), lanes=(lane(first),))) as shown:
        window = shown.window
        session = shown.window.session
        warm = warm_up.start()
        wait(lambda: not warm.is_alive() and session.worker.idle)
        acts: list[tuple[str, Act]] = [
            (f"another data set with {first}", lambda: window.commands.use_data(table))
        ]
        acts += [(f"choosing {key}", partial(session.choose, key)) for key in keys]
        for what, act in acts:
            took = longest(act)
            later = turns(lambda: len(session.trace or ()) > 4 or session.worker.idle)
            yield f"{what}, {len(table):,} rows of {table.name}", max(took, later)


def opening(window: MainWindow, table: Path) -> Iterator[tuple[str, float]]:
    """A small table: the dialog, its preview, and what is accepted."""
    dialogs: list[OpenTable] = []

    def build() -> None:
        dialogs.append(OpenTable(FileTable(table), window))

    def read() -> float:
        dialogs[0].open_.click()
        return turns(lambda: dialogs[0].data is not None)

    built = longest(build)
    yield (
        "opening a small table",
        max(built, longest(dialogs[0].show), turns(lambda: dialogs[0].guess is not None)),
    )
    taken = max(longest(lambda: None), read())
    yield (
        "accepting a small table",
        max(taken, longest(lambda: window.commands.use_data(dialogs[0].data))),
    )  # type: ignore[arg-type]
    dialogs[0].deleteLater()


def _dialog(kind: Any, window: MainWindow) -> QDialog:
    return kind(window.session, window) if kind is TableEditor else kind(window)  # type: ignore[no-any-return]


def showing(make: Callable[[], QDialog]) -> float:
    made: list[QDialog] = []

    def act() -> None:
        made.append(make())
        made[0].show()

    took = longest(act)
    made[0].close()
    made[0].deleteLater()
    return took


def longest(act: Act) -> float:
    """Milliseconds of `act()` or, when that takes longer, of one turn of the event loop
    after it.
    """
    count = iter(range(TURNS))
    return max(_took(act), turns(lambda: next(count, None) is None))


def turns(over: Callable[[], bool]) -> float:
    """Milliseconds of the longest turn of the event loop until it is over."""
    found = 0.0
    deadline = time.perf_counter() + 60
    while not over() and time.perf_counter() < deadline:
        found = max(found, _took(QApplication.processEvents))
        time.sleep(0.002)
    return found


def _took(act: Act) -> float:
    began = time.thread_time()
    act()
    return 1000 * (time.thread_time() - began)
