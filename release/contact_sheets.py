"""One picture a family of methods: each method and experiment in the window, at its first, middle
and last step, at 1280 × 800, 1920 × 1080 and on the projector.

`python release/contact_sheets.py FOLDER [FAMILY ...]`, before a release, to be looked at.
`--single` writes each window as a picture of its own too.
"""

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1]))

from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.files.books import in_my_book
from engine.table.prepare import prepare
from gui.app import application, open_window
from gui.setup.picker_catalogue import bundled_set, bundled_sets
from gui.window.main_window import MainWindow

SIZES = (((1280, 800), "light"), ((1920, 1080), "light"), ((1920, 1080), "projector"))
SHARES = (0.0, 0.5, 1.0)
WIDE, HIGH, GAP, NAME = 640, 400, 12, 28  # pixels of a picture in a sheet, its margin, its caption
PATIENCE = 60_000  # milliseconds for a run


def documents(key: str) -> list[Document]:
    """What the texts open with this method in one lane, those with a fact first; else the first
    bundled set that suits, one with a plane before others.
    """
    before = Document(engine.generate("moons", 40), (lane(key),))
    ways = [
        way
        for rows in in_my_book().values()
        for _, ways in rows
        for way in ways
        if way.key == key and not way.lanes
    ]
    if ways:
        return [way.document(before, 0) for way in sorted(ways, key=lambda way: not way.fact)]
    needs = engine.algorithms()[key].needs
    sets = [bundled_set(*each) for each in sorted((kind, name) for kind, name, _ in bundled_sets())]
    known = [each for each in sets if each is not None and not needs.refusal(prepare(each))]
    data = min(known, key=lambda each: not prepare(each).all_on_plane)
    return [Document(data, (lane(key),))]


def settle(window: MainWindow) -> None:
    """Until the run has ended and its surfaces are drawn."""
    quiet = 0
    for _ in range(PATIENCE // 20):
        QTest.qWait(20)
        window.session.worker.hurry()
        quiet = quiet + 1 if window.session.worker.idle else 0
        if quiet > 5:
            return


def pictures(key: str) -> list[list[QPixmap]]:
    """By size, the window at the first, middle and last step of the run of `key`."""
    found = []
    for size, theme in SIZES:
        settings = QSettings("contact_sheets.ini", QSettings.Format.IniFormat)
        settings.clear()
        settings.setValue("theme", theme)
        window = open_window(settings, documents(key)[0])
        window.resize(*size)
        window.show()
        settle(window)
        row = []
        for share in SHARES:
            last = len(window.session.trace) - 1
            window.session.seek(max(1, round(share * last)) if last else 0)
            settle(window)
            QTest.qWait(60)
            row.append(window.grab())
        found.append(row)
        window.session.close()
        window.close()
        window.deleteLater()
        QApplication.processEvents()
    return found


def sheet(keys: list[str], taken: dict[str, list[list[QPixmap]]]) -> QPixmap:
    """A method a row of nine pictures under its key."""
    columns = len(SIZES) * len(SHARES)
    high = HIGH + NAME + GAP
    whole = QPixmap(columns * (WIDE + GAP) + GAP, len(keys) * high + GAP)
    whole.fill(QColor("white"))
    painter = QPainter(whole)
    painter.setFont(QFont(painter.font().family(), 14))
    for line, key in enumerate(keys):
        top = GAP + line * high
        painter.drawText(QPoint(GAP, top + NAME - 8), key)
        for column, picture in enumerate(each for row in taken[key] for each in row):
            small = picture.scaled(
                WIDE,
                HIGH,
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            left = GAP + column * (WIDE + GAP)
            painter.drawPixmap(left, top + NAME, small)
            painter.drawRect(QRect(left, top + NAME, small.width(), small.height()))
    painter.end()
    return whole


def main() -> None:
    """Write the sheets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("families", nargs="*")
    parser.add_argument("--single", action="store_true", help="each window as a picture too")
    asked = parser.parse_args()
    asked.folder = asked.folder.resolve()
    asked.folder.mkdir(parents=True, exist_ok=True)
    os.chdir(asked.folder)
    app = application(sys.argv[:1])
    families: dict[str, list[str]] = {}
    for key, each in engine.algorithms().items():
        families.setdefault(each.family, []).append(key)
    for family, keys in sorted(families.items()):
        if asked.families and family not in asked.families:
            continue
        taken = {}
        for key in keys:
            print(f"{family}: {key}", flush=True)
            taken[key] = pictures(key)
            if asked.single:
                for (size, theme), row in zip(SIZES, taken[key], strict=True):
                    for share, picture in zip(("first", "middle", "last"), row, strict=True):
                        picture.save(f"{key}_{size[0]}_{theme}_{share}.png")
        sheet(keys, taken).save(f"{family.replace(' ', '_')}.jpg", quality=80)
    app.processEvents()


if __name__ == "__main__":
    main()
