"""The icons: all there, drawn as the tokens say, in the theme's colours, sharp."""

import re

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QPushButton

from gui.look import icons, style, theme

NEEDED = (
    "select", "add", "spray", "move", "erase", "relabel", "line", "curve", "ellipse", "probe",
    "first", "back",
    "play", "pause", "next", "last", "search", "chevron-down", "fork", "expand", "moon", "sun",
    "projector",
    "question", "table", "open", "save", "undo", "redo", "data", "method", "code", "curves", "why",
    "leave",
    "plus", "trash", "warning", "check", "copy", "image", "reset", "close", "flag",
)  # fmt: skip
FILLED = {"first", "back", "play", "pause", "next", "last"}


@pytest.fixture
def light(qapp):
    yield style.apply(qapp, "light")
    style.apply(qapp, "light")


def colours(picture) -> set[str]:
    """The colours of the opaque pixels."""
    image = picture.toImage()
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {pixel.name() for pixel in pixels if pixel.alpha() == 255}


@pytest.mark.slow
@pytest.mark.parametrize("name", NEEDED)
def test_every_icon_is_there_and_stays_in_its_live_area(qtbot, name):
    assert name in icons.names()
    image = icons.pixmap(name, "ink", 24, 4.0).toImage()
    inked = [(x, y) for x in range(96) for y in range(96) if image.pixelColor(x, y).alpha() > 40]
    assert inked
    xs = [x for x, _ in inked]
    ys = [y for _, y in inked]
    assert min(xs) >= 7
    assert min(ys) >= 7
    assert max(xs) <= 88
    assert max(ys) <= 88


@pytest.mark.parametrize("name", sorted({icons.SAME.get(name, name) for name in icons.names()}))
def test_files_follow_the_tokens(name):
    text = (icons.FOLDER / f"{name}.svg").read_text("utf-8")
    assert 'viewBox="0 0 24 24"' in text
    assert "#" not in text  # no colour of its own
    assert "currentColor" in text
    if name not in FILLED:
        assert (
            'fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"' in text
        )
    assert not re.search(r"<(script|style|image|text)", text)


def test_states_have_the_theme_colours(light):
    icon = icons.icon("plus", "ink2", 24)
    size = QSize(24, 24)
    assert light.ink2.lower() in colours(icon.pixmap(size))
    assert light.sel_ink.lower() in colours(icon.pixmap(size, QIcon.Mode.Normal, QIcon.State.On))
    assert light.sel_ink.lower() in colours(icon.pixmap(size, QIcon.Mode.Selected))
    faint = icon.pixmap(size, QIcon.Mode.Disabled).toImage()
    strongest = max(
        (faint.pixelColor(x, y) for x in range(24) for y in range(24)), key=QColor.alpha
    )
    assert strongest.alphaF() == pytest.approx(icons.FAINT, abs=0.01)
    assert strongest.getRgb()[:3] == pytest.approx(QColor(light.ink3).getRgb()[:3], abs=2)


def test_icons_are_cached_per_theme(qapp, light):
    first = icons.icon("fork")
    assert icons.icon("fork").cacheKey() == first.cacheKey()
    style.apply(qapp, "dark")
    dark = icons.icon("fork")
    assert dark.cacheKey() != first.cacheKey()
    assert theme.DARK.ink2.lower() in colours(dark.pixmap(QSize(20, 20))) | colours(
        icons.pixmap("plus")
    )


def test_pictures_for_fine_screens_have_all_their_pixels(qtbot):
    picture = icons.pixmap("probe", "ink2", 20, 1.5)
    assert (picture.width(), picture.height()) == (30, 30)
    assert picture.deviceIndependentSize().width() == pytest.approx(20)


def test_put_icons_follow_the_theme_and_its_type_size(qtbot, qapp, light):
    button = QPushButton("Edit table")
    qtbot.addWidget(button)
    icons.put(button, "plus", "ink2", 16, icons.GAP)
    assert button.iconSize() == QSize(19, 16)
    assert light.ink2.lower() in colours(button.icon().pixmap(button.iconSize()))
    style.apply(qapp, "projector")
    assert button.iconSize().height() > 16
    assert QColor(theme.PROJECTOR.ink2).name() in colours(button.icon().pixmap(button.iconSize()))
