"""Open the lab's window from an installed package, look whether it draws, and close it: part of
`.ci/wheel`.
"""

import sys

import learnscope  # noqa: F401 - from here on engine and gui are those of the package
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest

from gui.app import application, open_window

COLOURS = 20  # an empty window has fewer
PATIENCE = 10_000  # milliseconds


def main() -> int:
    """0 where the first document is drawn and its run has begun."""
    app = application(sys.argv)
    window = open_window(QSettings("window.ini", QSettings.Format.IniFormat))
    window.resize(1280, 800)
    window.show()
    for _ in range(PATIENCE // 50):
        QTest.qWait(50)
        if window.session.trace is not None and window.session.trace.finished:
            break
    picture = window.grab().toImage()
    colours = {
        picture.pixel(x, y)
        for x in range(0, picture.width(), 7)
        for y in range(0, picture.height(), 7)
    }
    begun = window.session.trace is not None
    window.close()
    app.processEvents()
    if not begun or len(colours) < COLOURS:
        print(
            f"The window shows {len(colours)} colours; its run has {'' if begun else 'not '}begun."
        )
        return 1
    print(f"The window is drawn, in {len(colours)} colours.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
