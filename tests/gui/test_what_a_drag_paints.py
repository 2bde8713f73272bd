"""What stays the same while a point is dragged is not painted, and what changes lays out nothing beside it."""

from collections import Counter
from collections.abc import Callable

from laboratory import LEFT, Lab
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.session.together import END


class Heard(QObject):
    """How often each widget in `part` was painted and laid out."""

    def __init__(self, part: QWidget) -> None:
        super().__init__()
        self.part, self.events = part, Counter[str]()
        QApplication.instance().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        about = isinstance(watched, QWidget) and (watched is self.part or self.part.isAncestorOf(watched))
        if about and event.type() in (QEvent.Type.Paint, QEvent.Type.LayoutRequest):
            self.events[f"{event.type().name} {type(watched).__name__}"] += 1
        return False


def dragged(lab: Lab, part: QWidget, moves: int = 8) -> Counter[str]:
    """What is heard of `part` while the first point goes to the right, after two moves: it was drawn until then."""
    session = lab.session
    lab.until(lambda: all(view.finished for view in session.lane_views))
    session.seek(END)
    session.set_settings(tool="move")
    lab.settle()
    place = lab.pixel(*map(float, lab.plane.shown().xy[0]))
    QTest.mousePress(lab.plane.viewport(), LEFT, pos=place)
    heard: Heard | None = None
    for k in range(2 + moves):
        if k == 2:
            heard = Heard(part)
        before = session.document
        place += QPoint(1, 0)
        QTest.mouseMove(lab.plane.viewport(), place)
        QApplication.processEvents()
        assert session.document is not before
    assert heard is not None
    QApplication.instance().removeEventFilter(heard)
    QTest.mouseRelease(lab.plane.viewport(), LEFT, pos=place)
    return heard.events


def test_a_drag_paints_no_parameter_and_no_slider_of_the_data(open_lab: Callable[..., Lab]) -> None:
    lab = open_lab(Document(engine.generate("moons", 40), (lane("perceptron", stop="rounds", rounds=2),)))
    heard = dragged(lab, lab.window.left_dock.data.form) + dragged(lab, lab.window.left_dock.form)
    assert heard == Counter()


def test_a_drag_lays_out_no_head_of_a_lane(open_lab: Callable[..., Lab]) -> None:
    """Their numbers change with each move."""
    lanes = (lane("perceptron", stop="rounds", rounds=2), lane("decision_tree"))
    lab = open_lab(Document(engine.generate("moons", 40), lanes))
    heard = sum((dragged(lab, cell.chips, 6) for cell in lab.window.lanes.cells), Counter[str]())
    assert not [name for name in heard if name.startswith("LayoutRequest") or name.endswith(" Chip")]
