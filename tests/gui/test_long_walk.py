"""What a day of use would find: objects of Qt that are freed while Qt uses them, and memory that is
never given back.
"""

import ast
import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from family import astray
from laboratory import NONE, RIGHT, Key, Lab
from long_walk import LongWalk, answer_for_the_system, tab
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QHeaderView, QTableView

from engine.judge.surface import LADDER
from gui.session.surfaces import ROOM, Surfaces

pytestmark = [pytest.mark.slow, pytest.mark.sweep]

ROOT = Path(__file__).parents[2]
ACTIONS, SEED = 60, 11
# What these answer belongs to another object, and the binding takes it for a child of what was
# asked.
STRANGERS = {
    "focusProxy",
    "checkedButton",
    "buddy",
    "nextInFocusChain",
    "previousInFocusChain",
    "sender",
    "menuAction",
    "proxyWidget",
    "nativeParentWidget",
    "group",
}


def test_a_circle_of_parents_is_found(qapp) -> None:
    table = QTableView()
    header = QHeaderView(Qt.Orientation.Horizontal, table)
    table.setHorizontalHeader(header)
    here = [line for line in astray() if "QHeaderView" in line]
    assert here == []
    assert header.viewport().focusProxy() is header
    found = [line for line in astray() if line.startswith("QHeaderView")]
    assert found == [
        "QHeaderView “” < QWidget “qt_scrollarea_viewport” < QHeaderView “”; Qt: QTableView “”"
    ]
    assert table.horizontalHeader() is header  # the parent is put right


@pytest.mark.parametrize("key", ["nearest_neighbours", "naive_bayes"])
def test_another_algorithm_after_tab_went_round(lab: Lab, key: str) -> None:
    """Where the focus leaves a widget that hides, Qt asks as Tab does for the next."""
    tab(lab, 60)
    gc.collect()
    assert astray() == []
    lab.session.choose(key)
    lab.settle()
    gc.collect()
    lab.window.resize(1100, 700)
    lab.settle_drawing()
    assert astray() == []
    assert lab.session.step is not None or lab.session.error.endswith(".")


def test_a_walk_over_the_whole_window_with_the_collector_at_every_action(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faults: list[str]
) -> None:
    walk = LongWalk(lab, SEED, tmp_path)
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, getattr(QFileDialog, name))  # put back afterwards
    answer_for_the_system(walk)
    for action in range(ACTIONS):
        walk.step()
        gc.collect()
        lost = astray() if action % 10 == 9 else []
        assert not faults and not lost, "\n".join([*walk.trail[-14:], *faults, *lost])
    walk.end()
    assert sum(walk.done.values()) == ACTIONS


def test_a_walk_with_pythons_allocator_in_debug_mode() -> None:
    """What was freed is filled with 0xDD: its use ends the process at once.

    Before it every eighth algorithm, the collector at every action too; `--algorithms 1` takes all
    of them.
    """
    walk = [
        sys.executable,
        "-m",
        "tests.gui.long_walk",
        "--actions",
        "40",
        "--seed",
        "3",
        "--algorithms",
        "8",
    ]
    done = subprocess.run(
        walk,
        cwd=ROOT,
        env=os.environ | {"PYTHONMALLOC": "debug"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert "40 actions" in done.stdout


def test_a_stranger_gets_no_question() -> None:
    for path in sorted((ROOT / "gui").rglob("*.py")):
        nodes = [
            node
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Call)
        ]
        names = {
            node.func.attr
            for node in nodes
            if isinstance(node.func, ast.Attribute) and not node.args
        }
        assert not names & STRANGERS, path


# -- memory ----------------------------------------------------------------------------------------


def test_rasters_take_no_more_room_than_they_may() -> None:
    """A hundred pictures in full fineness would be 118 MB."""
    surfaces, fine = Surfaces(worker=None), LADDER[-1]  # type: ignore[arg-type]
    for at in range(100):
        assert surfaces.take(
            ((at, 0, "score", (0.0, 1.0), (0.0, 1.0), 0), fine), np.full((fine, fine), float(at))
        )
        assert surfaces.bytes <= ROOM
    kept = []
    for run in range(100):
        before = surfaces.bytes
        surfaces.forget({run})
        kept += [run] * (surfaces.bytes < before)
    assert kept == list(range(100 - ROOM // (8 * fine**2), 100)), "the last ones"


def test_equal_rasters_are_one_and_count_once() -> None:
    surfaces, fine = Surfaces(worker=None), LADDER[-1]  # type: ignore[arg-type]
    for at in range(100):
        surfaces.take(((at, 0, "class", (0.0, 1.0), (0.0, 1.0), 0), fine), np.zeros((fine, fine)))
    for run in range(100):
        assert surfaces.bytes == 8 * fine**2, "until the last of them is gone"
        surfaces.forget({run})
    assert surfaces.bytes == 0


def test_rasters_of_runs_that_are_given_up_take_no_room() -> None:
    surfaces, fine = Surfaces(worker=None), LADDER[-1]  # type: ignore[arg-type]
    for run in (1, 1, 2):
        surfaces.take(
            ((run, run, "class", (0.0, 1.0), (0.0, 1.0), 0), fine),
            np.full((fine, fine), float(run)),
        )
    assert surfaces.bytes == 2 * 8 * fine**2
    surfaces.forget({1})
    assert surfaces.bytes == 8 * fine**2
    surfaces.forget({2})
    assert surfaces.bytes == 0


def errands(lab: Lab) -> None:
    """What is done again and again in a lesson, and all of it is over in the end."""
    window = lab.window
    for name in ("about", "keys", "table"):
        window.action(name).trigger()
        lab.settle_drawing()
        for dialog in [top for top in QApplication.topLevelWidgets() if isinstance(top, QDialog)]:
            dialog.close()
        lab.settle_drawing()
    for key in ("decision_tree", "adaboost", "svm", "naive_bayes"):
        lab.session.choose(key)
        lab.key(Key.Key_Right)
        lab.settle(60)
        lab.click(*lab.free_place())
        QTest.mouseClick(lab.plane.viewport(), RIGHT, NONE, lab.pixel(*lab.points()[0]))
        if (menu := QApplication.activePopupWidget()) is not None:
            menu.close()
    window.left_dock.picker.open()
    lab.key(Key.Key_Escape)
    window.begin_search()
    lab.write("iris")
    lab.key(Key.Key_Escape)
    for name in ("dark", "light"):
        window.use_theme(name)
    while lab.session.history.done:
        lab.session.undo()
    lab.settle(60)


def test_what_is_over_leaves_nothing_behind(lab: Lab) -> None:
    """Widgets, and objects that Python keeps, are as many after three rounds as after two."""
    counts = []
    for _ in range(3):
        errands(lab)
        lab.settle_drawing()
        gc.collect()
        counts.append((len(QApplication.allWidgets()), len(gc.get_objects())))
    assert counts[2][0] == counts[1][0], counts
    assert counts[2][1] - counts[1][1] < 250, counts  # a leak grows with every round
    assert lab.session.surfaces.bytes <= ROOM
