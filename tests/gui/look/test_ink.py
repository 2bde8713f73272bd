"""Words that panels draw."""

import pytest
from PySide6.QtGui import QImage, QPainter

from gui.look import theme
from gui.look.ink import MOST_KEPT, Face, face

WORDS = ("0.4524", "w[j] ← 1/N for every example", "h₃₀ is wrong on 345", " indented")


def picture(look, text, scale=1.0, aside=0.0):
    image = QImage(420, 60, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(theme.current().colour("plane"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(scale, scale)
    painter.translate(aside, 0)
    painter.setPen(theme.current().colour("ink"))
    look.draw(painter, 10.37, 30, text)
    painter.end()
    return image


@pytest.mark.parametrize("name", ["light", "dark", "projector"])
@pytest.mark.parametrize(
    ("style", "family"), [("body", "text"), ("code", "mono"), ("formula", "formula")]
)
def test_a_text_looks_the_same_each_time_it_is_drawn(qapp, name, style, family):
    theme.use(name)
    look = Face(face(style, 600, family).font)  # it has drawn nothing yet
    for text in WORDS:
        first = picture(look, text)
        assert picture(look, text) == first  # laid out now
        assert picture(look, text) == first
        blank = picture(look, "")
        assert first != blank
    theme.use("light")


def test_texts_are_not_kept_without_end(qapp):
    look = face("caption")
    image = QImage(10, 10, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    for k in range(MOST_KEPT + 50):
        look.draw(painter, 0, 0, str(k))
    painter.end()
    assert 0 < look.kept <= MOST_KEPT + 1


def test_a_struck_text_is_struck_each_time_it_is_drawn(qapp):
    """Also where the painter is moved, as in every figure on the stage."""
    struck = Face(face("body", struck=True).font)
    plain = Face(face("body").font)
    for text in WORDS:
        first = picture(struck, text, aside=12)
        assert first != picture(plain, text, aside=12)
        assert picture(struck, text, aside=12) == picture(struck, text, aside=12) == first
