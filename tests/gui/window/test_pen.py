"""The pen and the spotlight over the pictures."""

from laboratory import LEFT, Key, Lab
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from gui.look import theme


def draw(lab: Lab, *places: tuple[int, int]) -> None:
    pen = lab.window.pen
    QTest.mousePress(pen, LEFT, pos=QPoint(*places[0]))
    for place in places[1:]:
        QTest.mouseMove(pen, QPoint(*place))
    QTest.mouseRelease(pen, LEFT, pos=QPoint(*places[-1]))
    lab.settle_drawing()


def ink(lab: Lab, place: tuple[int, int]) -> bool:
    """Whether the ink of the pen is at a place of the stage."""
    image = lab.window.lanes.grab().toImage()
    return image.pixelColor(*place).name() == theme.current().colour("error").name()


def test_a_line_is_drawn_stays_and_is_cleared_by_one_key(lab: Lab) -> None:
    pen = lab.window.pen
    points = len(lab.data)
    lab.key(Key.Key_D)
    assert pen.on and lab.window.action("pen").isChecked()
    draw(lab, (60, 60), (160, 60), (160, 140))
    assert ink(lab, (110, 60)) and ink(lab, (160, 100)) and not ink(lab, (60, 140))
    assert len(lab.data) == points, "the click adds no point"
    lab.key(Key.Key_Escape)
    assert not pen.on and ink(lab, (110, 60))
    before = lab.session.cursor
    lab.key(Key.Key_Right)
    assert lab.session.cursor != before and ink(lab, (110, 60))
    lab.window.resize(1400, 900)
    lab.settle_drawing()
    (line,) = pen.lines
    assert pen.size() == lab.window.lanes.size() and 0 < line[0].x() < line[-1].x() < 1
    lab.key(Key.Key_C)
    assert pen.lines == [] and not pen.isVisible()


def test_the_spotlight_darkens_all_but_a_circle(lab: Lab) -> None:
    spot = lab.window.spotlight
    lab.key(Key.Key_T)
    assert spot.on
    spot.timer.stop()
    far = QPoint(20, 20)
    light, dark = [], []
    for place in (QPoint(600, 400), QPoint(700, 300)):
        spot.point_at(place)
        image = lab.window.grab().toImage()
        light.append(image.pixelColor(place).lightness())
        dark.append(image.pixelColor(far).lightness())
    lab.key(Key.Key_Escape)
    assert not spot.on and not lab.window.action("spotlight").isChecked()
    image = lab.window.grab().toImage()
    assert image.pixelColor(700, 300).lightness() == light[1]
    assert max(dark) < 0.5 * image.pixelColor(far).lightness()


def test_the_projector_has_predict_pen_and_spotlight(lab: Lab) -> None:
    lab.key(Key.Key_P)
    lab.settle()
    window = lab.window
    for word, holds in (
        ("Pen", lambda: window.pen.on),
        ("Spot", lambda: window.spotlight.on),
        ("Predict", lambda: window.session.predicting.on),
    ):
        button = window.left_strip.buttons[word][0]
        for on in (True, False):
            QTest.mouseClick(button, LEFT)
            assert holds() is on and button.isChecked() is on, word
