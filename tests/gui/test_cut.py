"""No word is cut, nothing overlaps, nothing lies outside: every algorithm at its first, middle or
last step, in turn, in the usual window and in the least, a large one or under the projector. And
the checker finds what is cut on purpose.
"""

from collections.abc import Callable, Iterable, Iterator

import pytest
from cut import Fault, Held, Painted, faults, stage_faults
from dock_faults import faults_in
from laboratory import Lab
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QApplication,
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
from engine.document.document import Document
from engine.document.fitting import with_data
from engine.document.lane import lane
from engine.judge.surface import LADDER
from engine.sources.real import real
from gui.look import style
from gui.reading.note_view import LeadView
from gui.setup.picker_catalogue import bundled_set, bundled_sets
from gui.widgets.controls import Combo, ElidedLabel
from gui.widgets.edge import Edge

LONG = "words that need more room than there is"


# -- the checker -----------------------------------------------------------------------------------


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
    made.show_note(engine.protocol.step.note(LONG))
    return made


def field() -> QLineEdit:
    made = QLineEdit()
    made.setPlaceholderText(LONG)
    return made


@pytest.mark.parametrize(
    "make",
    [
        lambda: QLabel(LONG),
        lambda: ElidedLabel(LONG),
        lambda: QPushButton(LONG),
        lambda: QCheckBox(LONG),
        combo,
        field,
    ],
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
    wrapped = QLabel(LONG)
    view = lead()
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
    table = QTableWidget(1, 2)
    tabs = QTabWidget()
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
    """Writes at the given place."""

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
        (
            lambda p: p.drawText(
                QPointF(5, 20), p.fontMetrics().elidedText(LONG, Qt.TextElideMode.ElideRight, 60)
            ),
            ["elided"],
        ),
        (lambda p: p.drawText(QPointF(5, 20), "a …"), []),
    ],
)
def test_painting_is_overheard(
    shown, paint: Callable[[QPainter], object], kinds: list[str]
) -> None:
    sign = shown(box(Sign(paint)))
    with Painted().listening() as painted:
        assert [f.kind for f in painted.found(sign)] == kinds
        assert [f.kind for f in painted.found(sign)] == kinds
    assert painted.found(sign) == []  # no listener any more


def test_small_leads_and_grey_halves_are_found(open_lab) -> None:
    lab = open_lab(Document(bundled_set("textbook", "restaurant"), (lane("bagging"),)), USUAL)
    stage = lab.window.stage
    assert not list(stage_faults(stage)) and len(stage.panes()) == 2
    stage.setSizes([100, 500])
    lab.settle()
    assert "small lead" in {fault.kind for fault in stage_faults(stage)}
    (_, pane), _ = stage.panes()
    pane.stack.setCurrentWidget(pane.absent)
    assert "grey half" in {fault.kind for fault in stage_faults(stage)}


def test_grids_in_a_corner_are_found(open_lab) -> None:
    lab = open_lab(Document(bundled_set("textbook", "spam"), (lane("multinomial_bayes"),)), USUAL)
    (_, pane), _ = lab.window.stage.panes()
    assert not list(stage_faults(lab.window.stage))
    pane.widget().zoom = 0.5
    assert "in a corner" in {fault.kind for fault in stage_faults(lab.window.stage)}


# -- the window ------------------------------------------------------------------------------------

SETS = [
    ("generate", "blobs"),
    ("generate", "moons"),
    ("textbook", "restaurant"),
    ("generate", "sine"),
    ("textbook", "spam"),
]
ALSO = {"decision_tree": ("textbook", "restaurant"), "nearest_neighbours": ("real", "iris")}
POINTS, SHORT = 24, {
    "backpropagation": {"epochs": 20}, "logistic_regression": {"steps": 60},
    "learning_curve": {"trials": 10},
    "learner_comparison": {"trials": 5}, "overfitting_curve": {"splits": 5},
}  # fmt: skip


def table(kind: str, key: str) -> engine.Dataset:
    found = engine.generate(key, POINTS) if kind == "generate" else bundled_set(kind, key)
    assert found is not None
    return found


def runs() -> Iterator[tuple[str, engine.Dataset]]:
    """Every algorithm with data that suit it, some with others too."""
    for key, each in engine.algorithms().items():
        places = [
            *SETS,
            *(
                (kind, other)
                for kind, other, _ in bundled_sets()
                if bundled_set(kind, other) is not None
            ),
        ]
        suits = (table(*place) for place in places)
        yield key, next(data for data in suits if each.needs.refusal(engine.prepare(data)) is None)
        if key in ALSO:
            yield key, table(*ALSO[key])


FEW = 60  # of the lab's digits, of which four learners would learn for seconds


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """How fine the surfaces are and how much is learnt from are no matter of words and places."""
    digits = real("digits").take(range(FEW))
    monkeypatch.setattr("gui.session.surfaces.LADDER", LADDER[:2])
    monkeypatch.setattr("engine.experiments.digit_pad.tables.real", lambda key: digits)


LEAST = (800, 600)
USUAL = (1280, 800)
LARGE = (1920, 1080)
LARGEST = (2560, 1440)
SHARES = (0, 0.5, 1)  # the first, middle and last of the steps of a run


class Walk:
    """What is wrong with a window, run after run, and where it was first seen.

    Nothing is painted between two looks.
    """

    def __init__(self, lab: Lab, painted: Painted) -> None:
        self.lab = lab
        self.window = lab.window
        self.painted = painted
        self.held = Held(lab.window)
        QApplication.instance().removeEventFilter(lab.window.keys)  # no key is pressed any
        self.found: dict[Fault, str] = {}
        self.name = ""

    def choose(self, key: str, data: engine.Dataset) -> None:
        document = with_data(self.lab.session.document, data)
        if key == self.lab.session.lane.key:
            self.lab.session.edit(document, "other data")
        else:
            self.lab.session.choose(key, document, **SHORT.get(key, {}))
        self.lab.settle(30)
        self.name = f"{key} on {data.name}"

    def look(self, share: float, docks: Iterable[QWidget] = ()) -> None:
        """At a step; docks: opened by their rail there, one after another."""
        step = int(share * (len(self.lab.session.trace) - 1))
        self.lab.session.seek(step)
        if not docks:
            self._look(step)
        for dock in docks:
            self.window.room.reveal(dock)
            self._look(step)
            assert dock.isVisible()

    def _look(self, step: int) -> None:
        self.lab.settle(30)
        self.lab.settle_drawing()
        self.lab.settle(30)
        of_paint = self.painted.found_again(self.held)
        dock = self.window.right_dock
        of_dock = (
            [Fault("dock", "RightDock", words) for words in faults_in(dock)]
            if dock.isVisible()
            else []
        )
        for fault in faults(self.window) + of_paint + of_dock:
            if not followed(fault):
                self.found.setdefault(
                    fault, f"{self.name}, step {step}, {self.window.size().toTuple()}"
                )


def followed(fault: Fault) -> bool:
    """A tree that is larger than its wide place follows the step, fades at the edges that it
    leaves, and can be dragged.
    """
    return fault.kind == "painted over the edge" and fault.where.startswith("TreeFigure")


@pytest.mark.slow
@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("part", range(2))
def test_nothing_is_cut_and_nothing_overlaps(open_lab, part: int) -> None:
    """A step of each algorithm, in turn, in the usual window or in the least one, there alone and
    with each dock that a rail opens; the two have type of the same size.
    """
    lab = open_lab(None, LEAST)
    docks = lab.window.left_dock, lab.window.right_dock
    with Painted().listening() as painted:
        walk = Walk(lab, painted)
        for number, run in [*enumerate(runs())][part::2]:
            walk.held.resize(LEAST)  # folds what a rail opened: in the usual window there are none
            walk.choose(*run)
            share = SHARES[number // 2 % 3]
            if number // 2 % 3 == 0:
                walk.look(share)
                walk.look(share, docks)
            else:
                walk.held.resize(USUAL)
                walk.look(share)
    assert walk.found == {}


@pytest.mark.slow
@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    ("size", "theme", "turn"), [(LARGE, "light", 1), (LARGEST, "light", 3), (LARGE, "projector", 0)]
)
def test_nothing_is_cut_in_a_large_window_nor_under_the_projector(
    open_lab, size: tuple[int, int], theme: str, turn: int
) -> None:
    """A step of each algorithm, in turn, in one of the two largest windows or under the projector,
    and there of every second one.
    """
    lab = open_lab(None, size)
    lab.window.use_theme(theme)
    lab.settle()
    with Painted().listening() as painted:
        walk = Walk(lab, painted)
        for number, run in enumerate(runs()):
            if number % 4 == turn or (theme == "projector" and number % 4 == 2):
                walk.choose(*run)
                walk.look(SHARES[number // 4 % 3])
    assert walk.found == {}


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
            assert not any(
                area.horizontalScrollBar().isVisible() for area in sheet.findChildren(QScrollArea)
            )
            sheet.close()
            lab.settle_drawing()
        window.left_dock.focus_data()
        for picker in (window.left_dock.data.picker, window.left_dock.picker):
            picker.open()
            lab.settle()
            lab.settle_drawing()
            lab.settle()
            assert picker.popup.isVisible()
            assert faults(window) + painted.found(window) == []


def test_a_sentence_as_high_as_the_last_one_gets_the_room_that_it_has_not(shown) -> None:
    """A lead of two lines stood in the room of one when the one before it, at another width, had
    needed as much.
    """
    view = lead()
    whole = box(view)
    whole.resize(150, 300)
    shown(whole)
    view.resize(view.width(), 10)
    view.show_note(engine.protocol.step.note(LONG))
    shown(whole)
    assert view.height() >= view.heightForWidth(view.width()) > 20
