"""Fonts, style sheet, focus frame and the small shared widgets, with real keys and clicks."""

import re
import shutil

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFontInfo, QFontMetricsF, QGuiApplication, QPalette, QRawFont
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QSlider,
    QStyle,
    QStyleOptionButton,
    QTableWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.base.records import field_names
from gui.look import focus, fonts, icons, style, theme
from gui.look.symbols import symbol_path
from gui.widgets.controls import (
    Chip,
    ClassMarker,
    Combo,
    ElidedLabel,
    ErrorLine,
    FloatBox,
    HatchSwatch,
    IntBox,
    NumberSlider,
    SearchField,
    Section,
    Segments,
    label,
)


@pytest.fixture(params=theme.THEMES)
def look(request, qapp):
    yield style.apply(qapp, request.param)
    style.apply(qapp, "light")


@pytest.fixture
def light(qapp):
    yield style.apply(qapp, "light")
    style.apply(qapp, "light")


def shown(qtbot, *widgets: QWidget) -> QWidget:
    """The widgets in a visible window."""
    window = QWidget()
    qtbot.addWidget(window)
    vars(qtbot).setdefault("kept", []).append(window)  # qtbot itself holds it weakly
    column = QVBoxLayout(window)
    for widget in widgets:
        column.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    window.resize(500, 60 + 50 * len(widgets))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def colour_at(widget: QWidget, x: int, y: int) -> str:
    return widget.grab().toImage().pixelColor(x, y).name()


# -- fonts -----------------------------------------------------------------------------------------


def test_the_shipped_faces_are_used(light):
    assert fonts.load() == ()
    for kind, family, weight, face in (
        ("body", "text", 0, "Regular"),
        ("lead", "text", 0, "Medium"),
        ("heading", "text", 0, "Semi"),
        ("title", "text", 0, "Bold"),
        ("counter", "text", 800, "Extra"),
        ("code", "mono", 0, "Regular"),
        ("code", "mono", 700, "Bold"),
        ("formula", "formula", 0, "Regular"),
    ):
        font = light.font(kind, family, weight)
        names = {"text": "Inter", "mono": "JetBrains Mono", "formula": "STIXGeneral"}
        assert QFontInfo(font).family() == names[family]
        assert QRawFont.fromFont(font).styleName().startswith(face)
    assert QRawFont.fromFont(light.font("formula", "formula", italic=True)).styleName() == "Italic"


def test_digits_have_equal_width(light):
    metrics = QFontMetricsF(light.font("body"))
    assert metrics.horizontalAdvance("111") == metrics.horizontalAdvance("888")


def test_the_style_sheet_keeps_equal_digits(qtbot, light):
    heading = label("111", "heading")
    shown(qtbot, heading)
    metrics = QFontMetricsF(heading.font())
    assert heading.font().weight() == 600
    assert metrics.horizontalAdvance("111") == metrics.horizontalAdvance("888")


def test_a_missing_or_broken_font_file_is_no_error(qapp, tmp_path, caplog):
    for name in fonts.FILES[2:]:
        shutil.copy(fonts.FOLDER / name, tmp_path / name)
    (tmp_path / fonts.FILES[1]).write_bytes(b"not a font")
    assert fonts.load(tmp_path) == fonts.FILES[:2]
    assert "a font of the system takes its place" in caplog.text
    assert QFontInfo(theme.LIGHT.font("body")).pixelSize() == 13


def test_every_family_is_shipped_with_its_licence():
    for family in ("Inter", "JetBrainsMono", "STIXGeneral"):
        text = (fonts.FOLDER / f"OFL-{family}.txt").read_text("utf-8")
        assert text.startswith("Copyright")
        assert "SIL OPEN FONT LICENSE Version 1.1" in text
        assert "PERMISSION & CONDITIONS" in text
        assert "OTHER DEALINGS IN THE FONT SOFTWARE." in text
        assert any(name.startswith(family) for name in fonts.FILES)
    assert sum((fonts.FOLDER / name).stat().st_size for name in fonts.FILES) < 6_000_000


# -- the sheet -------------------------------------------------------------------------------------


def test_apply_puts_a_theme_in_force(qapp, look):
    assert theme.current() is look
    assert qapp.palette().color(QPalette.ColorRole.Text).name() == look.ink.lower()
    assert qapp.font().pixelSize() == look.type_sizes["body"][0]
    assert qapp.styleSheet() == style.style_sheet(look)


def test_the_sheet_has_no_colour_of_its_own(look):
    tokens = {
        value.upper()
        for value in (getattr(look, name) for name in field_names(look))
        if isinstance(value, str) and value.startswith("#")
    }
    used = {
        colour.upper()
        for colour in re.findall(r"(?<![\w-])#[0-9A-Fa-f]{6}\b", style.style_sheet(look))
    }
    assert used
    assert used <= tokens


def test_qt_understands_the_sheet(qtbot, qtlog, look):
    shown(
        qtbot,
        QPushButton("a"),
        QLineEdit(),
        Combo("b"),
        QCheckBox("c"),
        QSlider(Qt.Orientation.Horizontal),
        IntBox(0, 9, 1),
        FloatBox(0, 9, 1),
        QListWidget(),
        QTableWidget(2, 2),
        Chip("d"),
        Segments(["a", "b"]),
        SearchField("e", "Ctrl+K"),
    )
    complaints = [
        record.message for record in qtlog.records if "propagateSizeHints" not in record.message
    ]
    assert complaints == []


def test_sizes_of_the_tokens(qtbot, light):
    plain = QPushButton("Skip")
    large = QPushButton("Empty plane")
    chip = Chip("seed 0")
    style.mark(large, "main", large=True)
    tool = QToolButton()
    play = QToolButton()
    box = QCheckBox("mistake")
    style.mark(tool, "tool")
    style.mark(play, "play")
    line = QLineEdit()
    combo = Combo("x")
    segments = Segments(["zero", "learned"])
    slider = NumberSlider(0, 1, 0.5, accessible="x")
    shown(qtbot, plain, large, chip, tool, play, box, line, combo, segments, slider)
    heights = {
        plain: 28,
        large: 38,
        chip: 26,
        tool: 36,
        play: 36,
        line: 28,
        combo: 28,
        segments: 26,
    }
    assert {widget: widget.height() for widget in heights} == heights
    assert (tool.width(), play.width()) == (36, 44)
    assert slider.field.height() == 26
    option = QStyleOptionButton()
    box.initStyleOption(option)
    indicator = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)
    assert (indicator.width(), indicator.height()) == (16, 16)


def test_projector_controls_grow_with_their_type(qtbot, qapp, light):
    button = QPushButton("Skip")
    segments = Segments(["zero", "learned"])
    shown(qtbot, button, segments)
    before = segments.width()
    style.apply(qapp, "projector")
    qapp.processEvents()
    assert button.height() == 40
    assert segments.height() == 38
    assert segments.width() > 1.3 * before
    style.apply(qapp, "light")
    qapp.processEvents()
    assert (button.height(), segments.height(), segments.width()) == (28, 26, before)


def test_selected_is_dark_fill(qtbot, look):
    tool = QToolButton()
    main = QPushButton("Continue")
    box = QCheckBox("mistake")
    tool.setCheckable(True)
    tool.setChecked(True)
    style.mark(tool, "tool")
    style.mark(main, "main")
    box.setChecked(True)
    shown(qtbot, tool, main, box)
    assert colour_at(tool, 10, 3) == look.sel.lower()
    assert colour_at(main, 6, main.height() // 2) == look.sel.lower()
    assert colour_at(box, 3, box.height() // 2 - 3) == look.sel.lower()


def test_the_slider_is_ink_left_and_grey_right(qtbot, look):
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setRange(0, 100)
    slider.setValue(50)
    slider.setFixedWidth(120)
    shown(qtbot, slider)
    middle = slider.height() // 2
    assert colour_at(slider, 25, middle) == look.ink.lower()
    assert colour_at(slider, 95, middle) == look.strong.lower()
    assert colour_at(slider, 60, middle) == look.field_.lower()


def test_mark_works_after_showing(qtbot, light):
    button = QPushButton("Continue")
    shown(qtbot, button)
    assert colour_at(button, 5, 14) == light.field_.lower()
    style.mark(button, "main")
    assert colour_at(button, 5, 14) == light.sel.lower()


# -- keyboard focus --------------------------------------------------------------------------------


def test_the_focus_frame_follows_the_keyboard_not_the_mouse(qtbot, light):
    one = QLineEdit()
    two = QPushButton("two")
    window = shown(qtbot, one, two)
    qtbot.mouseClick(one, Qt.MouseButton.LeftButton)
    assert focus.ring() is None
    qtbot.keyClick(one, Qt.Key.Key_Tab)
    ring = focus.ring()
    assert ring is not None
    assert ring.target is two
    assert ring.geometry() == two.geometry().adjusted(-4, -4, 4, 4)
    assert window.grab().toImage().pixelColor(two.x() - 3, two.geometry().center().y()) == QColor(
        light.ink
    )
    assert window.grab().toImage().pixelColor(two.x() - 1, two.geometry().center().y()) != QColor(
        light.ink
    )
    two.resize(two.width() + 30, two.height())
    assert ring.width() == two.width() + 8
    qtbot.mouseClick(one, Qt.MouseButton.LeftButton)
    assert focus.ring() is None


def test_the_focus_frame_scrolls_with_its_control_and_dies_with_it(qtbot, light):
    inner = QWidget()
    column = QVBoxLayout(inner)
    buttons = [QPushButton(str(i)) for i in range(20)]
    for button in buttons:
        column.addWidget(button)
    area = QScrollArea()
    area.setWidget(inner)
    shown(qtbot, area)
    buttons[0].setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.keyClick(buttons[0], Qt.Key.Key_Tab)
    assert focus.ring().parentWidget() is inner
    buttons[1].deleteLater()
    qtbot.wait(10)
    assert focus.ring() is None or focus.ring().target is not buttons[1]


# -- widgets ---------------------------------------------------------------------------------------


def test_segments_by_mouse_and_keyboard(qtbot, light):
    segments = Segments(["detail", "step", "round"], "step", "unit")
    shown(qtbot, segments)
    picked = []
    segments.picked.connect(picked.append)
    assert segments.value() == "step"
    first, second, third = segments.buttons()
    qtbot.mouseClick(third, Qt.MouseButton.LeftButton)
    qtbot.keyClick(third, Qt.Key.Key_Left)
    qtbot.keyClick(second, Qt.Key.Key_Home)
    qtbot.keyClick(first, Qt.Key.Key_Left)  # no further
    assert picked == ["round", "step", "detail"]
    assert segments.value() == "detail"
    segments.set_value("round")
    assert picked == ["round", "step", "detail"]
    assert [bool(b.focusPolicy() & Qt.FocusPolicy.TabFocus) for b in segments.buttons()] == [
        False,
        False,
        True,
    ]
    assert third.accessibleName() == "unit: round"


def test_segments_do_not_move_when_the_choice_does(qtbot, light):
    segments = Segments(["zero", "learned"], "zero")
    shown(qtbot, segments)
    widths = [button.width() for button in segments.buttons()]
    segments.set_value("learned")
    assert [button.width() for button in segments.buttons()] == widths


def test_a_greyed_segment_says_why_and_is_passed_over(qtbot, light):
    segments = Segments(["none", "chi2", "held"], "none")
    shown(qtbot, segments)
    segments.set_enabled("chi2", False, "needs a categorical column")
    assert segments.buttons()[1].toolTip() == "needs a categorical column"
    qtbot.keyClick(segments.buttons()[0], Qt.Key.Key_Right)
    assert segments.value() == "held"


def slider_of(qtbot, *arguments, **options) -> tuple[NumberSlider, list, list]:
    slider = NumberSlider(*arguments, accessible="Rate", **options)
    slider.setFixedWidth(200)
    shown(qtbot, slider)
    changed, refused = [], []
    slider.changed.connect(changed.append)
    slider.refused.connect(refused.append)
    return slider, changed, refused


def test_a_million_is_whole_in_its_field(qtbot, light):
    """AIMA Fig 18.27: N = 1,000,000 read as 100000 in a field that was too narrow."""
    slider, _, _ = slider_of(qtbot, 1, 1e9, 1_000_000, log_steps=True, whole=True)
    room = slider.field.width() - 2 * 8  # of its padding
    assert slider.field.fontMetrics().horizontalAdvance("1000000") <= room


def type_in(qtbot, field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_typing_a_number(qtbot, light):
    slider, changed, refused = slider_of(qtbot, 1e-4, 10, 0.5, log_steps=True)
    assert slider.field.text() == "0.5"
    type_in(qtbot, slider.field, "0.25")
    assert (slider.value(), changed) == (0.25, [0.25])
    type_in(qtbot, slider.field, "0,125")
    assert slider.value() == 0.125
    type_in(qtbot, slider.field, "20")
    assert slider.value() == 0.125
    assert refused[-1] == "This must lie between 0.0001 and 10; it is 20."
    assert slider.field.property("wrong") is True
    qtbot.keyClick(slider.field, Qt.Key.Key_Escape)
    assert slider.field.text() == "0.125"
    assert slider.field.property("wrong") is False
    assert refused[-1] == ""


def test_a_negative_number_has_a_true_minus_sign(qtbot, light):
    slider, changed, _ = slider_of(qtbot, -5, 5, -1, whole=True)
    assert slider.field.text() == "−1"
    type_in(qtbot, slider.field, "-3")
    assert slider.field.text() == "−3"
    QGuiApplication.clipboard().setText("−2")
    slider.field.selectAll()
    qtbot.keyClick(slider.field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(slider.field, Qt.Key.Key_Return)
    assert changed == [-3, -2]
    assert isinstance(slider.value(), int)


def test_keys_step_neatly(qtbot, light):
    slider, changed, _ = slider_of(qtbot, 1e-4, 10, 0.5, log_steps=True)
    qtbot.keyClick(slider.slider, Qt.Key.Key_Right)
    qtbot.keyClick(slider.field, Qt.Key.Key_Up)
    qtbot.keyClick(slider.field, Qt.Key.Key_Down)
    assert changed == [0.51, 0.52, 0.51]
    whole, changed, _ = slider_of(qtbot, 1, 100, 5, whole=True)
    qtbot.keyClick(whole.slider, Qt.Key.Key_Left)
    qtbot.keyClick(whole.slider, Qt.Key.Key_PageUp)
    qtbot.keyClick(whole.slider, Qt.Key.Key_Home)
    assert changed == [4, 14, 1]


def test_dragging_tells_every_number_and_settles_once(qtbot, light):
    slider, changed, _ = slider_of(qtbot, 0, 100, 50, whole=True)
    gesture_ended = []
    slider.gesture_ended.connect(lambda: gesture_ended.append(True))
    bar = slider.slider
    middle = QPoint(bar.width() // 2, bar.height() // 2)
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=middle)
    assert slider.dragging()
    for x in range(1, 21):
        qtbot.mouseMove(bar, middle + QPoint(x, 0))
    assert len(changed) > 5
    assert changed == sorted(changed)
    assert gesture_ended == []
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=middle + QPoint(20, 0))
    assert gesture_ended == [True]
    assert slider.field.text() == str(changed[-1])


def test_a_click_beside_the_handle_jumps_there(qtbot, light):
    slider, changed, _ = slider_of(qtbot, 0, 100, 0, whole=True)
    gesture_ended = []
    slider.gesture_ended.connect(lambda: gesture_ended.append(True))
    bar = slider.slider
    qtbot.mouseClick(
        bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() // 2, bar.height() // 2)
    )
    assert len(changed) == 1
    assert slider.value() == pytest.approx(50, abs=2)
    assert gesture_ended == [True]
    assert not slider.dragging()


def test_setting_from_outside_is_silent_and_keeps_text_being_typed(qtbot, light):
    slider, changed, _ = slider_of(qtbot, 0, 100, 50, whole=True)
    slider.set_value(70)
    assert (slider.field.text(), changed) == ("70", [])
    slider.field.setFocus()
    slider.field.selectAll()
    qtbot.keyClicks(slider.field, "8")
    slider.set_value(70)
    assert slider.field.text() == "8"
    slider.set_value(30)
    assert slider.field.text() == "30"


@pytest.mark.parametrize("powers", [False, True])
@pytest.mark.parametrize("whole", [False, True])
def test_the_scale_reaches_both_ends_and_comes_back(qtbot, light, powers, whole):
    slider, _, _ = slider_of(qtbot, 1, 100_000, 1, log_steps=powers, whole=whole)
    scale = slider.scale
    assert (scale.value(0), scale.value(scale.places)) == (1, 100_000)
    values = [scale.value(place) for place in range(scale.places + 1)]
    assert values == sorted(values)
    for value in values:
        assert scale.value(scale.place(value)) == pytest.approx(value, rel=0.03, abs=scale.step)


def test_an_infinite_bound_leaves_the_field_alone(qtbot, light):
    slider, changed, _ = slider_of(qtbot, 0, float("inf"), 2.0, parse=float)
    assert not slider.slider.isVisible()
    type_in(qtbot, slider.field, "inf")
    assert changed == [float("inf")]
    assert slider.field.text() == "∞"


def test_the_error_line_takes_no_room_while_silent(qtbot, light):
    line = ErrorLine()
    shown(qtbot, line)
    assert not line.isVisible()
    acted = []
    line.acted.connect(lambda: acted.append(True))
    line.show_error("This table has one class; the perceptron needs two.", "Choose a target")
    assert line.isVisible()
    assert line.accessibleName().startswith("Error: This table")
    qtbot.mouseClick(line.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert acted == [True]
    line.show_error("")
    assert not line.isVisible()


def test_the_elided_label_says_the_rest_in_its_tip(qtbot, light):
    text = ElidedLabel("A long name of a parameter")
    shown(qtbot, text)
    text.setFixedWidth(60)
    qtbot.wait(5)
    assert text.text().endswith("…")
    assert text.toolTip() == "A long name of a parameter"
    text.setFixedWidth(400)
    qtbot.wait(5)
    assert text.text() == "A long name of a parameter"
    assert text.toolTip() == ""


def test_the_search_field_hands_keys_on(qtbot, light):
    field = SearchField("Search", "Ctrl+K")
    shown(qtbot, field)
    moved, chosen = [], []
    field.moved.connect(moved.append)
    field.chosen.connect(lambda: chosen.append(True))
    qtbot.keyClicks(field, "perc")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return):
        qtbot.keyClick(field, key)
    assert (moved, chosen, field.text()) == ([1, -1], [True], "perc")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""


def test_every_control_has_a_name(qtbot, light):
    window = shown(
        qtbot,
        Segments(["a", "b"], accessible="Rule"),
        NumberSlider(0, 1, 0, accessible="Rate"),
        Combo("Stop"),
        SearchField("Search"),
        Chip("seed 0"),
        IntBox(0, 9, 1, "Rows"),
        ClassMarker(0),
        HatchSwatch(),
    )
    kinds = (QPushButton, QSlider, Combo, SearchField, IntBox, ClassMarker, HatchSwatch)
    controls = [w for w in window.findChildren(QWidget) if isinstance(w, kinds)]
    assert len(controls) >= 8
    for control in controls:
        assert control.accessibleName(), control
        assert control.toolTip(), control


def test_a_section_measures_as_in_the_pictures(qtbot, light):
    section = Section("Data", "71 points")
    section.content.addWidget(Combo("Data set"))
    section.setFixedWidth(theme.LEFT_DOCK)
    window = QWidget()
    qtbot.addWidget(window)
    section.setParent(window)
    window.resize(300, 200)
    window.show()
    combo = section.findChild(Combo)
    assert combo.mapTo(section, QPoint(0, 0)) == QPoint(16, 36)  # y = 76 below the 40-px menu
    assert combo.width() == 220


@pytest.mark.parametrize("shape", theme.CLASS_SHAPES)
def test_markers_have_equal_optical_area(shape):
    area = sum(abs(_area(polygon)) for polygon in symbol_path(shape, 10).toSubpathPolygons())
    assert 0.72 <= area / (3.14159 * 100) <= 1.25


def test_marker_sizes_are_those_of_the_tokens():
    def half(shape: str) -> tuple[float, float]:
        box = symbol_path(shape, 10).boundingRect()
        return round(box.right(), 2), round(-box.top(), 2)

    assert half("circle") == (10, 10)
    assert half("square") == (8.9, 8.9)
    assert half("triangle")[1] == 14.0
    assert symbol_path("triangle_down", 10).boundingRect().bottom() == pytest.approx(14.0)
    assert half("diamond") == (12.7, 12.7)
    assert half("plus") == (12.0, 12.0)
    assert half("star")[1] == 15.0
    assert half("hourglass") == (10.0, 11.5)


def _area(polygon) -> float:
    points = [(p.x(), p.y()) for p in polygon]
    crossed = len(points) == 5 and points[0][1] == points[1][1] and points[0][0] == points[2][0]
    if crossed:  # the two triangles of the hourglass turn against each other
        return abs(points[1][0] - points[0][0]) * points[2][1]
    return (
        sum(
            x1 * y2 - x2 * y1
            for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1], strict=True)
        )
        / 2
    )


def test_a_thousand_icons_leave_no_dead_entries(qtbot, light):
    """Buttons that are gone are no longer coloured."""
    for _ in range(50):
        button = QPushButton()
        icons.put(button, "plus")
        button.deleteLater()
    qtbot.wait(10)
    icons.refresh()
