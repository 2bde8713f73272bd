"""No word is cut, nothing overlaps, nothing lies outside: every algorithm at its first, middle and last step in the least window,
at two of them in larger ones and in the lecture hall. And the checker finds what is cut on purpose."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import pytest
from cut import Fault, Painted, faults
from dock_faults import faults_in
from laboratory import Lab
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

import engine
from engine.document.fitting import with_data
from engine.evaluation.surface import LADDER
from gui.look import style
from gui.panels.note_view import LeadView
from gui.panels.offered import offered, taken
from gui.widgets.controls import Combo, ElidedLabel
from gui.widgets.edge import Edge

LONG = "words that need more room than there is"


# -- the checker -------------------------------------------------------------------------------------------------------


@pytest.fixture
def shown(qtbot, qapp) -> Callable[[QWidget], QWidget]:
    """Dressed and on the screen."""
    style.apply(qapp, "light")

    def show(widget: QWidget) -> QWidget:
        qtbot.addWidget(widget)
        widget.show()
        qtbot.waitExposed(widget)
        qapp.processEvents()
        return widget

    return show


def box(*parts: QWidget, across: bool = False) -> QWidget:
    """Parts below one another, or side by side."""
    whole = QWidget()
    layout = QHBoxLayout(whole) if across else QVBoxLayout(whole)
    for part in parts:
        layout.addWidget(part)
    return whole


def combo() -> Combo:
    made = Combo("choice")
    made.addItem(LONG)
    return made


def lead() -> LeadView:
    made = LeadView()
    made.show_note(engine.core.step.note(LONG))
    return made


def field() -> QLineEdit:
    made = QLineEdit()
    made.setPlaceholderText(LONG)
    return made


@pytest.mark.parametrize(
    "make",
    [lambda: QLabel(LONG), lambda: ElidedLabel(LONG), lambda: QPushButton(LONG), lambda: QCheckBox(LONG), combo, field],
)
def test_words_without_room_are_found(shown, make: Callable[[], QWidget]) -> None:
    part = make()
    whole = box(part)
    part.setFixedWidth(90)
    shown(whole)
    assert [(f.kind, f.words) for f in faults(whole)] == [("cut", LONG)]
    part.setFixedWidth(420)
    whole.adjustSize()
    shown(whole)
    assert faults(whole) == []


def test_lines_below_the_edge_are_found(shown) -> None:
    wrapped, view = QLabel(LONG), lead()
    wrapped.setWordWrap(True)
    whole = box(wrapped, view)
    for part in (wrapped, view):
        part.setFixedSize(120, 20)
    shown(whole)
    assert [f.words for f in faults(whole)] == [LONG, LONG]
    for part in (wrapped, view):
        part.setFixedHeight(120)
    assert faults(shown(whole)) == []


def test_what_stands_for_a_text_is_none_of_its_faults(shown) -> None:
    label = ElidedLabel()
    label.set_text(LONG, shorter=("words +7",))
    label.setFixedWidth(90)
    whole = shown(box(label))
    assert faults(whole) == []
    assert (label.text(), label.toolTip()) == ("words +7", LONG)


def test_headers_and_tabs_are_found(shown) -> None:
    table, tabs = QTableWidget(1, 2), QTabWidget()
    table.setHorizontalHeaderLabels([LONG, "y"])
    tabs.setElideMode(Qt.TextElideMode.ElideRight)
    for _ in range(9):
        tabs.addTab(QWidget(), LONG)
    tabs.tabBar().setExpanding(True)
    tabs.tabBar().setUsesScrollButtons(False)
    tabs.setFixedWidth(300)
    found = faults(shown(box(table, tabs)))
    assert {f.where.split(" < ")[0] for f in found if f.kind == "cut"} == {"QHeaderView", "QTabBar"}


def test_parts_on_one_another_and_outside_are_found(shown) -> None:
    a, b = QPushButton("a"), QPushButton("b")
    whole = box(a, b, across=True)
    whole.resize(300, 60)
    shown(whole)
    assert faults(whole) == []
    b.move(a.x() + 10, b.y())
    assert [f.kind for f in faults(whole)] == ["on one another"]
    b.move(whole.width() - 10, b.y())
    assert [f.kind for f in faults(whole)] == ["outside"]
    b.hide()
    assert faults(whole) == []
    Edge(whole, a, "right", "a").show()  # floats
    assert faults(whole) == []


def scrolling(inside: QWidget, high: int) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(inside)
    area.setFixedSize(200, high)
    return area


def tall(high: int) -> QLabel:
    made = QLabel("x")
    made.setFixedSize(40, high)
    return made


def test_bars_within_bars_are_found(shown) -> None:
    inner = scrolling(tall(400), 200)
    whole = box(scrolling(box(inner), 150))
    whole.findChild(QScrollArea).setFixedWidth(260)
    assert [f.kind for f in faults(shown(whole))] == ["bar in bar"]
    inner.widget().setFixedHeight(100)
    assert "bar in bar" not in [f.kind for f in faults(shown(whole))]


def test_empty_room_beside_what_is_cut_is_found(shown) -> None:
    cramped, empty = tall(300), tall(20)
    whole = box(scrolling(cramped, 100), scrolling(box(empty), 200))
    empty.parentWidget().layout().addStretch(1)
    assert [f.kind for f in faults(shown(whole))] == ["empty beside cut"]
    cramped.setFixedHeight(60)
    assert "empty beside cut" not in [f.kind for f in faults(shown(whole))]


class Sign(QFrame):
    """Writes where it is told."""

    def __init__(self, paint: Callable[[QPainter], object]) -> None:
        super().__init__()
        self.paint = paint
        self.setFixedSize(100, 40)

    def paintEvent(self, event: object) -> None:
        self.paint(QPainter(self))


@pytest.mark.parametrize(
    ("paint", "kinds"),
    [
        (lambda p: p.drawText(QPointF(5, 20), "fits"), []),
        (lambda p: p.drawText(QPointF(60, 20), "too far right"), ["painted over the edge"]),
        (lambda p: p.drawText(QPointF(5, 4), "too high"), ["painted over the edge"]),
        (lambda p: p.drawText(QPointF(500, 4), "out of sight"), []),
        (lambda p: p.drawText(QRectF(0, 0, 30, 20), 0, "too wide"), ["cut"]),
        (lambda p: p.drawText(QPointF(5, 20), p.fontMetrics().elidedText(LONG, Qt.TextElideMode.ElideRight, 60)), ["elided"]),
        (lambda p: p.drawText(QPointF(5, 20), "a …"), []),
    ],
)  # fmt: skip
def test_painting_is_overheard(shown, paint: Callable[[QPainter], object], kinds: list[str]) -> None:
    sign = shown(box(Sign(paint)))
    with Painted().listening() as painted:
        assert [f.kind for f in painted.found(sign)] == kinds
        assert [f.kind for f in painted.found(sign)] == kinds
    assert painted.found(sign) == []  # nobody listens any more


# -- the window --------------------------------------------------------------------------------------------------------

SETS = [
    ("generate", "blobs"),
    ("generate", "moons"),
    ("textbook", "restaurant"),
    ("generate", "sine"),
    ("textbook", "spam"),
]
ALSO = {"decision_tree": ("textbook", "restaurant"), "nearest_neighbours": ("real", "iris")}
POINTS, SHORT = 24, {"backpropagation": {"epochs": 20}, "logistic_regression": {"steps": 60}}


def table(kind: str, key: str) -> engine.Dataset:
    found = engine.generate(key, POINTS) if kind == "generate" else taken(kind, key)
    assert found is not None
    return found


def runs() -> Iterator[tuple[str, engine.Dataset]]:
    """Every algorithm with data that suit it, some with others too."""
    for key, each in engine.algorithms().items():
        places = [*SETS, *((kind, other) for kind, other, _ in offered() if taken(kind, other) is not None)]
        suits = (table(*place) for place in places)
        yield key, next(data for data in suits if each.needs.refusal(engine.prepare(data)) is None)
        if key in ALSO:
            yield key, table(*ALSO[key])


@pytest.fixture
def plain_surfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """How fine the surfaces are is no matter of words and places."""
    monkeypatch.setattr("gui.session.surfaces.LADDER", LADDER[:2])


def walk(
    lab: Lab,
    shares: Sequence[float] = (0, 0.5, 1),
    docks: Iterable[QWidget] = (),
    left_out: int | None = None,
    part: slice = slice(None),
) -> dict[Fault, str]:
    """What is wrong in this window, and where it was first seen; docks: what a rail opens at each step, one after another;
    left_out: which of the shares the first algorithm leaves out, the next one leaves out the next, and so on; part: which
    of the runs are looked at."""
    found: dict[Fault, str] = {}

    def look(where: str) -> None:
        lab.settle(30)
        lab.settle_drawing()
        lab.settle(30)
        lab.window.setUpdatesEnabled(True)
        of_paint = painted.found(lab.window)
        dock = lab.window.right_dock
        of_dock = [Fault("dock", "RightDock", words) for words in faults_in(dock)] if dock.isVisible() else []
        for fault in faults(lab.window) + of_paint + of_dock:
            found.setdefault(fault, where)
        lab.window.setUpdatesEnabled(False)  # until the next look, which paints all

    with Painted().listening() as painted:
        for number, (key, data) in list(enumerate(runs()))[part]:
            document = with_data(lab.session.document, data)
            if key == lab.session.lane.key:
                lab.session.edit(document, "other data")
            else:
                lab.session.choose(key, document, **SHORT.get(key, {}))
            lab.settle(30)
            last = len(lab.session.trace) - 1
            without = None if left_out is None else (left_out + number) % len(shares)
            for step in (int(share * last) for k, share in enumerate(shares) if k != without):
                lab.session.seek(step)
                if not docks:
                    look(f"{key} on {data.name}, step {step}")
                for dock in docks:
                    lab.window.room.reveal(dock)
                    look(f"{key} on {data.name}, step {step}")
                    assert dock.isVisible()
    lab.window.setUpdatesEnabled(True)
    return {fault: where for fault, where in found.items() if not followed(fault)}


def followed(fault: Fault) -> bool:
    """A tree that is larger than its wide place follows the step, fades at the edges that it leaves, and can be dragged."""
    return fault.kind == "painted over the edge" and fault.where.startswith("TreeFigure")


@pytest.mark.slow
@pytest.mark.usefixtures("plain_surfaces")
@pytest.mark.parametrize(
    ("size", "left_out", "part"),
    [
        ((800, 600), None, slice(None)),
        ((1280, 800), 0, slice(None)),
        ((1920, 1080), 1, slice(0, None, 2)),
        ((2560, 1440), 1, slice(1, None, 2)),
    ],
)
def test_nothing_is_cut_and_nothing_overlaps(
    open_lab, size: tuple[int, int], left_out: int | None, part: slice
) -> None:
    """Every step of an algorithm that is looked at is seen in the least window and in one or two of the larger ones, the
    algorithms in turn in one of the two largest."""
    lab = open_lab(None, size)
    assert walk(lab, left_out=left_out, part=part) == {}


@pytest.mark.slow
@pytest.mark.usefixtures("plain_surfaces")
def test_docks_that_a_rail_opens_are_whole_too(open_lab) -> None:
    lab = open_lab(None, (800, 600))
    assert walk(lab, (0.5,), (lab.window.left_dock, lab.window.right_dock)) == {}


@pytest.mark.slow
@pytest.mark.usefixtures("plain_surfaces")
def test_nothing_is_cut_in_the_lecture_hall(open_lab) -> None:
    lab = open_lab(None, (1920, 1080))
    lab.window.use_theme("projector")
    lab.settle()
    assert walk(lab, left_out=0) == {}


@pytest.mark.slow
@pytest.mark.parametrize("size", [(800, 600), (1280, 800)])
def test_sheets_and_lists_are_whole(open_lab, size: tuple[int, int]) -> None:
    """The sheet of keys scrolled to the side in a small window; it has fewer columns there."""
    lab = open_lab(None, size)
    window = lab.window
    with Painted().listening() as painted:
        for show in (window.commands.show_keys, window.commands.about, window.commands.edit_table):
            show()
            lab.settle()
            (sheet,) = [each for each in window.findChildren(QDialog) if each.isVisible()]
            assert faults(sheet) + painted.found(sheet) == []
            assert not any(area.horizontalScrollBar().isVisible() for area in sheet.findChildren(QScrollArea))
            sheet.close()
            lab.settle_drawing()
        window.left_dock.focus_data()
        for picker in (window.left_dock.data.picker, window.left_dock.picker):
            picker.open()
            lab.settle()
            assert picker.popup.isVisible()
            assert faults(window) + painted.found(window) == []


def test_a_sentence_as_high_as_the_last_one_gets_the_room_that_it_has_not(shown) -> None:
    """A lead of two lines stood in the room of one when the one before it, at another width, had needed as much."""
    view = lead()
    whole = box(view)
    whole.resize(150, 300)
    shown(whole)
    view.resize(view.width(), 10)
    view.show_note(engine.core.step.note(LONG))
    shown(whole)
    assert view.height() >= view.heightForWidth(view.width()) > 20
