"""A long walk of real mouse and key events over the whole window, with the collector at every
action.

    python -m tests.gui.long_walk --actions 20000 --seed 1        (also with PYTHONMALLOC=debug)

The last lines of --trail say what was done when it dies; the fault handler says where. Each 500
actions: how many objects of Qt have gone astray (family.py), memory, and the slowest actions.
"""

import argparse
import faulthandler
import gc
import os
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TextIO

if __name__ == "__main__":
    HOME = tempfile.mkdtemp(prefix="long_walk_")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.update(dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), HOME))
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from family import astray
from laboratory import CTRL, LEFT, NONE, RIGHT, Key, Lab, complains, double_click
from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QPoint,
    QPointF,
    QSettings,
    Qt,
    QTimer,
    QUrl,
    qInstallMessageHandler,
)
from PySide6.QtGui import QContextMenuEvent, QDropEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QHeaderView,
    QLineEdit,
    QScrollBar,
    QSlider,
    QWidget,
)
from shiboken6 import Shiboken
from walker import KEYS, TEXTS, Walker

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.app import SWITCH, application, open_window
from gui.window.main_window import MainWindow

EVERY = 500  # actions between two reports
LATER_MS = 25  # a dialog that waits for its answer gets the next act so much later
HANGS = 300  # seconds of one action, after which the walk ends with a trace
ACTS = 5  # in a dialog, before it is closed
SIZES = ((1280, 800), (1024, 640), (1440, 900), (900, 560), (1900, 1000))
TABLES = {
    "plain.csv": "a,b,class\n1,2,x\n2,1,y\n3,3,x\n4,0,y\n5,1,x\n",
    "words.csv": (
        "colour;size;old;y\nred;small;yes;1,5\nblue;large;;2\nred;large;no;3\n;small;no;2,25\n"
    ),
    "wide.tsv": (
        "\t".join(f"c{k}" for k in range(30)) + "\n" + ("\t".join(map(str, range(30))) + "\n") * 12
    ),
    "long.csv": (
        "x,y,t\n"
        + "".join(f"{k * 0.37 % 5:.3f},{k * 0.91 % 7:.3f},{'abc'[k % 3]}\n" for k in range(3000))
    ),
    "broken.csv": 'a,b\n1,"2\n3',
    "one.csv": "7\n",
}


def stands(window: QWidget) -> bool:
    return Shiboken.isValid(window) and window.isVisible()


class Trail(list[str]):
    """What was done lately; written at once to the file that is left when the process dies."""

    def __init__(self, file: TextIO | None = None) -> None:
        super().__init__()
        self.file = file

    def append(self, words: str) -> None:
        super().append(words)
        del self[:-60]
        if self.file is not None:
            print(words, file=self.file, flush=True)


class LongWalk(Walker):
    """As the short walk, and everything else that a hand can do: dialogs stay open and are filled,
    menus run for real.
    """

    def __init__(self, lab: Lab, seed: int, folder: Path) -> None:
        super().__init__(lab, seed)
        self.trail = Trail()
        self.folder = folder
        self.times = []
        self.acts = 0
        self.turn = 0
        for name, text in TABLES.items():
            (folder / name).write_text(text, "utf-8")
        also: dict[Callable[[], str], float] = {
            self.anywhere: 14,
            self.method: 5,
            self.data: 2,
            self.table: 2,
            self.play: 4,
            self.back: 5,
            self.drop: 1,
            self.resize: 2,
            self.theme: 0.6,
            self.find: 2,
            self.open: 1,
            self.follow: 2,
        }
        for way, weight in also.items():
            self.ways.append(way)
            self.weights.append(weight)

    def step(self) -> None:
        began = time.perf_counter()
        way = self.chance.choices(self.ways, self.weights)[0]
        self.trail.append(way.__name__)
        self.acts, self.turn = 0, self.turn + 1
        QTimer.singleShot(LATER_MS, partial(self.within, self.turn))
        self.trail.append(f"  {way()}")
        self.done[way.__name__] += 1
        QApplication.processEvents()
        self.tidy()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.times.append((time.perf_counter() - began, way.__name__))

    def end(self) -> None:
        """What still waits for its time finds another turn and does nothing, in whatever window is
        there then.
        """
        self.turn += 1

    def note(self, words: str) -> str:
        self.trail.append(words)
        return words

    # -- dialogs and menus that wait ---------------------------------------------------------------

    def within(self, turn: int) -> None:
        """Something waits inside another loop for an answer: an act in it, and after some of them
        it is closed.
        """
        dialog = QApplication.activeModalWidget()
        popup = QApplication.activePopupWidget()
        if turn != self.turn:
            return
        QTimer.singleShot(LATER_MS, partial(self.within, turn))
        self.acts += dialog is not None or popup is not None
        if popup is not None:
            Walker.tidy(self) if self.acts < 3 * ACTS else popup.close()
        elif dialog is not None:
            self.close(dialog) if self.acts > ACTS else self.act(dialog)

    def tidy(self) -> None:
        for window in [
            w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible()
        ]:
            for _ in range(self.chance.randrange(ACTS)):
                if stands(window):
                    self.act(window)
                    QApplication.processEvents()
            if stands(window):
                self.close(window)
        super().tidy()
        if not self.lab.window.isVisible():
            self.lab.window.show()
        if self.lab.window.isFullScreen():
            self.lab.window.showNormal()

    def close(self, dialog: QWidget) -> None:
        """With a button of its own, with Escape, and where nothing of this helps at once."""
        if self.chance.random() < 0.5:
            buttons = [
                b for b in dialog.findChildren(QAbstractButton) if b.isVisible() and b.isEnabled()
            ]
            last = [
                b
                for b in buttons
                if b.text().replace("&", "") in ("OK", "Open", "Cancel", "Close", "Done")
            ]
            if last:
                QTest.mouseClick(self.chance.choice(last), LEFT)
        if stands(dialog):
            QTest.keyClick(dialog, Key.Key_Escape)
        if stands(dialog):
            dialog.close()

    def act(self, root: QWidget) -> str:
        """Something in this window, with the keyboard or at a control of it."""
        here = QApplication.focusWidget()
        if here is not None and here.window() is root and self.chance.random() < 0.3:
            QTest.keyClick(here, self.chance.choice([k for k in KEYS if not isinstance(k, str)]))
            return self.note("  key in a dialog")
        kinds = (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView, QSlider)
        there = [
            w for kind in kinds for w in root.findChildren(kind) if w.isVisible() and w.isEnabled()
        ]
        if not there:
            return "nothing"
        control = self.chance.choice(there)
        self.note(f"  {type(root).__name__}: {type(control).__name__} {control.accessibleName()}")
        if isinstance(control, QLineEdit):
            self.type_into(control)
        elif isinstance(control, QComboBox) and control.count():
            control.setCurrentIndex(self.chance.randrange(control.count()))
            control.activated.emit(control.currentIndex())
        elif isinstance(control, QAbstractItemView):
            self.cells(control)
        else:
            self.at(control)
        return ""

    def type_into(self, field: QLineEdit) -> None:
        QTest.mouseClick(field, LEFT)
        if not field.isReadOnly():
            field.selectAll()
            QTest.keyClicks(field, self.chance.choice(TEXTS))
        if stands(field):
            QTest.keyClick(field, self.chance.choice([Key.Key_Return, Key.Key_Tab, Key.Key_Down]))

    def cells(self, view: QAbstractItemView) -> None:
        """Click, double click or right click a cell, type into it, drag over some."""
        area = view.viewport()
        way = self.chance.random()
        place = self.place_in(area)
        if isinstance(view, QHeaderView) or way < 0.3:
            self.at(area)
            return
        QTest.mouseClick(area, LEFT, self.chance.choice([NONE, NONE, CTRL]), place)
        if not Shiboken.isValid(view):
            return
        if way < 0.6:
            double_click(area, place)
            here = QApplication.focusWidget()
            if isinstance(here, QLineEdit):
                self.type_into(here)
        elif way < 0.8:
            QTest.keyClick(
                view, self.chance.choice([Key.Key_Down, Key.Key_Right, Key.Key_Delete, Key.Key_F2])
            )

    # -- anywhere ----------------------------------------------------------------------------------

    def place_in(self, widget: QWidget) -> QPoint:
        return QPoint(
            self.chance.randrange(max(1, widget.width())),
            self.chance.randrange(max(1, widget.height())),
        )

    def anywhere(self) -> str:
        """At a place of the window, whatever lies there."""
        window = self.lab.window
        there = QApplication.widgetAt(window.mapToGlobal(self.place_in(window)))
        if there is None or there.window() is not window or self.leads_away(there):
            return "nothing"
        self.note(f"  {type(there).__name__} {there.accessibleName()}")
        return self.at(there)

    def leads_away(self, widget: QWidget) -> bool:
        return isinstance(widget, QAbstractButton) and widget.accessibleName().startswith("Open")

    def at(self, widget: QWidget) -> str:
        """One gesture of the mouse."""
        place = self.place_in(widget)
        way = self.chance.choices(range(5), [8, 2, 3, 3, 4])[0]
        if way == 0:
            QTest.mouseClick(widget, LEFT, self.keys(), place)
        elif way == 1:
            double_click(widget, place)
        elif way == 2:
            QTest.mouseClick(widget, RIGHT, NONE, place)
            event = QContextMenuEvent(
                QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place)
            )
            QApplication.postEvent(widget, event)
        elif way == 3:
            turn = QPoint(0, 120 * self.chance.choice([-3, -1, 1, 3]))
            at, there = QPointF(place), QPointF(widget.mapToGlobal(place))
            no = Qt.MouseButton.NoButton
            phase = Qt.ScrollPhase.NoScrollPhase
            QApplication.sendEvent(
                widget, QWheelEvent(at, there, QPoint(), turn, no, self.keys(), phase, False)
            )
        else:
            QTest.mousePress(widget, LEFT, NONE, place)
            for _ in range(3):
                # what is dragged may be gone: a row of a list, a dialog
                if Shiboken.isValid(widget):
                    QTest.mouseMove(widget, self.place_in(widget))
                    QApplication.processEvents()
            there = widget if Shiboken.isValid(widget) else self.lab.window
            QTest.mouseRelease(there, LEFT, NONE, self.place_in(there))
        return f"{('click', 'double', 'right', 'wheel', 'drag')[way]} {place.x()} {place.y()}"

    def follow(self) -> str:
        """Drag a scroll bar."""
        bar = self.some(QScrollBar)
        return "none" if bar is None else self.at(bar)

    # -- whole errands -----------------------------------------------------------------------------

    def method(self) -> str:
        """Another algorithm, out of the list or at once, and perhaps a little of its run."""
        window = self.lab.window
        key = self.chance.choice(sorted(engine.algorithms()))
        if self.chance.random() < 0.3 and window.left_dock.isVisible():
            window.left_dock.picker.open()
            QTest.keyClicks(
                QApplication.focusWidget() or window, engine.algorithms()[key].title[:6]
            )
            QTest.keyClick(QApplication.focusWidget() or window, Key.Key_Return)
        else:
            self.lab.session.choose(key)
        if self.chance.random() < 0.5:
            QTest.qWait(self.chance.randrange(120))
        for _ in range(self.chance.randrange(4)):
            self.lab.key(self.chance.choice([Key.Key_Right, Key.Key_End, Key.Key_Left]))
        return key

    def data(self) -> str:
        picker = self.lab.window.left_dock.data.picker
        if picker.isVisible() and picker.isEnabled():
            picker.open()
            for _ in range(self.chance.randrange(70)):
                QTest.keyClick(QApplication.focusWidget() or picker, Key.Key_Down)
            for _ in range(2):  # one that does not suit offers what suits it
                QTest.keyClick(QApplication.focusWidget() or picker, Key.Key_Return)
        return str(picker.field.title)

    def table(self) -> str:
        """Edit the table; what is in the dialog is done in `tidy`."""
        self.lab.window.action("table").trigger()
        return ""

    def play(self) -> str:
        self.lab.plane.setFocus()
        self.lab.key(Key.Key_Space)
        QTest.qWait(self.chance.randrange(20, 150))
        return ""

    def back(self) -> str:
        name = self.chance.choice(["undo", "undo", "redo"])
        for _ in range(self.chance.randint(1, 6)):
            self.lab.window.action(name).trigger()
        return name

    def drop(self) -> str:
        """A file falls onto the window."""
        path = self.chance.choice(sorted(self.folder.glob("*.*sv")))
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path))])
        event = QDropEvent(QPointF(99, 99), Qt.DropAction.CopyAction, mime, LEFT, NONE)
        QApplication.sendEvent(self.lab.window, event)
        return path.name

    def open(self) -> str:
        """Open or save through the menu; the system's dialog answers at once with a file."""
        name = self.chance.choice(["open", "save_as", "save", "export", "new", "about", "keys"])
        self.lab.window.action(name).trigger()
        return name

    def find(self) -> str:
        self.lab.window.begin_search()
        QTest.keyClicks(QApplication.focusWidget() or self.lab.window, self.chance.choice(TEXTS))
        QTest.qWait(10)
        end = self.chance.choice([Key.Key_Return, Key.Key_Escape, Key.Key_Down])
        QTest.keyClick(QApplication.focusWidget() or self.lab.window, end)
        return ""

    def theme(self) -> str:
        name = self.chance.choice(["dark", "light", "projector", "projector"])
        self.lab.window.action(name).trigger()
        return name

    def resize(self) -> str:
        size = self.chance.choice(SIZES)
        self.lab.window.resize(*size)
        return f"{size[0]}×{size[1]}"


def tab(lab: Lab, times: int) -> None:
    for _ in range(times):
        lab.key(Key.Key_Tab)


def every_algorithm(lab: Lab, step: int = 1) -> None:
    """One after the other in one window, with the collector at every action: each inherits what
    those before have left. step: only every so many-th of them.
    """
    binary, numbers = engine.generate("xor"), engine.generate("sine")  # one of the two suits each
    for key, algorithm in list(engine.algorithms().items())[::step]:
        fits = not algorithm.needs.reason(Document(binary, (lane(key),)).problem())
        for action in (
            partial(lab.window.commands.use_data, binary if fits else numbers),
            partial(lab.session.choose, key),
            partial(lab.key, Key.Key_Right),
            partial(tab, lab, 3),
            partial(lab.key, Key.Key_End),
            partial(lab.key, Key.Key_Left),
        ):
            action()
            lab.settle_drawing()
            gc.collect()
        assert astray() == [], key
        # it may learn before it tells
        lab.until(lambda: lab.session.step is not None or bool(lab.session.error), 60)
        assert lab.session.step is not None or lab.session.error.endswith("."), key


def answer_for_the_system(walk: LongWalk) -> None:
    """The dialogs for files are the system's: they answer at once."""
    tables = [str(walk.folder / name) for name in TABLES]

    def opened(*_: Any) -> tuple[str, str]:
        kept = [str(path) for path in walk.folder.glob("*.learnscope")]
        return walk.chance.choice([*tables, *kept, ""]), ""

    def saved(*given: Any) -> tuple[str, str]:
        kind = "learnscope" if "project" in str(given[1]) else walk.chance.choice(["png", "svg"])
        return str(walk.folder / f"kept{walk.chance.randrange(3)}.{kind}"), ""

    QFileDialog.getOpenFileName, QFileDialog.getSaveFileName = opened, saved  # type: ignore[assignment]
    QFileDialog.getExistingDirectory = lambda *_: ""  # type: ignore[assignment]


def memory() -> float:
    """Megabytes of this process that are in memory now; where the system does not say, 0."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def collect(whole: bool = False) -> None:
    """A full round of the collector; what survived one report is looked at again at the next one
    only.
    """
    if whole:
        gc.unfreeze()
    gc.collect()
    if whole:
        gc.freeze()


def report(walk: LongWalk, done: int) -> list[str]:
    lost = astray()
    slow = ", ".join(f"{name} {1000 * t:.0f}" for t, name in sorted(walk.times, reverse=True)[:4])
    ordered = sorted(t for t, _ in walk.times)
    middle, slow = (1000 * ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.95))
    print(
        f"{done:6} actions  {memory():5.0f} MB  {len(QApplication.allWidgets()):5} widgets "
        f" {len(gc.get_objects()):7} new  median {middle:.0f} ms, 95 % {slow:.0f} ms, slowest:"
        f" {slow}  astray {len(lost)}",
        flush=True,
    )
    walk.times.clear()
    return lost


def start(seed: int, home: Path) -> LongWalk:
    """A window of its own, as the program opens it."""
    sys.setswitchinterval(SWITCH)
    application([])
    settings = QSettings(str(home / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("autosave_folder", str(home / "safety"))
    window: MainWindow = open_window(settings)
    window.show()
    window.activateWindow()
    walk = LongWalk(Lab(window), seed, home)
    answer_for_the_system(walk)
    return walk


def main() -> int:
    parser = argparse.ArgumentParser(
        description="A long walk of real events over the whole window."
    )
    parser.add_argument("--actions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--trail",
        type=Path,
        default=Path(HOME) / "trail",
        help="the last actions, for whom it dies",
    )
    parser.add_argument(
        "--family",
        type=int,
        default=EVERY,
        help="actions between two looks for objects gone astray",
    )
    parser.add_argument(
        "--algorithms",
        type=int,
        default=0,
        help="first every so many-th algorithm, one after the other",
    )
    given = parser.parse_args()
    faulthandler.enable()
    faults: list[str] = []
    seen = 0

    def hook(kind: Any, fault: Any, where: Any) -> None:
        faults.append("".join(traceback.format_exception(kind, fault, where)))
        print(faults[-1], flush=True)

    def listen(kind: Any, place: Any, text: str) -> None:
        if complains(kind, text):
            faults.append(text)
            print(text, flush=True)

    sys.excepthook = hook
    qInstallMessageHandler(listen)
    gc.collect()
    gc.freeze()  # what was imported is none of the walk's
    walk = start(given.seed, Path(HOME))
    threading.excepthook = lambda fault: hook(fault.exc_type, fault.exc_value, fault.exc_traceback)
    if given.algorithms:
        every_algorithm(walk.lab, given.algorithms)
    collect(whole=True)
    with given.trail.open("w", encoding="utf-8") as walk.trail.file:
        for done in range(1, given.actions + 1):
            if done % 50 == 1:
                walk.trail.file.seek(0)
                walk.trail.file.truncate()
            faulthandler.dump_traceback_later(HANGS, exit=True)
            walk.step()
            collect(whole=done % EVERY == 0)
            due = done % EVERY == 0 or done == given.actions
            lost = report(walk, done) if due else astray() if done % given.family == 0 else []
            if lost or len(faults) > seen:
                print(f"after {done} actions", *walk.trail[-14:], *lost[:8], sep="\n", flush=True)
                seen = len(faults)
            if lost:
                os._exit(1)
    os._exit(bool(faults))


if __name__ == "__main__":
    main()
