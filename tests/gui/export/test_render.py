"""Pictures of the plane as files."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import re
import subprocess
import sys
import types
from xml.etree import ElementTree

import numpy as np
import pytest
from laboratory import Lab
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage

from engine import Dataset, Run, generate, prepare, run, textbook
from engine.algorithms.linear import perceptron
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.scene.scene import Circles, Role, Scene
from engine.table.prepare import Split
from gui.export import plane
from gui.export.render import render_view
from gui.look.theme import THEMES, current
from gui.painters.axes import plane_rect
from gui.painters.view import View

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def trace():
    rng = np.random.default_rng(3)
    X = np.vstack([rng.normal([1, 1], 0.7, (30, 2)), rng.normal([-1, -1], 0.7, (30, 2))])
    problem = prepare(Dataset.from_arrays(X, np.repeat([1, -1], 30)))
    run = Run(perceptron.ALGORITHM, problem, perceptron.Params(start=(-1.0, 0.5)))
    run.advance(max_steps=400)
    return run.trace


def mistake(trace) -> int:
    return next(i for i, events in enumerate(trace.events) if "mistake" in events)


@pytest.mark.slow
@pytest.mark.parametrize("name", THEMES)
def test_png_has_the_size_and_the_colours_of_the_theme(qapp, trace, tmp_path, name: str) -> None:
    path = tmp_path / "plane.png"
    render_view(trace, mistake(trace), path, theme=name, size=(640, 480))
    image = QImage(str(path))
    theme = THEMES[name]
    assert (image.width(), image.height()) == (640, 480)
    assert image.pixelColor(2, 2).name().upper() == theme.window
    seen = {
        image.pixelColor(x, y).name().upper() for x in range(0, 640, 2) for y in range(0, 480, 2)
    }
    wanted = {
        theme.ink,
        theme.now,
        theme.classes[0],
        theme.classes[1],
        *(theme.tint(k).name().upper() for k in (0, 1)),
    }
    assert wanted <= seen


def test_tints_follow_the_model(qapp, trace, tmp_path) -> None:
    path = tmp_path / "plane.png"
    rect = QRectF(0, 0, 400, 400)
    render_view(trace, -1, path, size=(400, 400), view=View((-3.0, 3.0), (-3.0, 3.0), rect))
    image = QImage(str(path))
    theme = THEMES["light"]
    places = np.array([[-2.6, 2.2], [2.6, -2.2], [2.9, 2.9], [-2.9, -2.9]])
    for (x, y), code in zip(places, trace.codes(places), strict=True):
        colour = image.pixelColor(int((x + 3) / 6 * 400), int((3 - y) / 6 * 400))
        assert colour.name().upper() == theme.tint(int(code)).name().upper()


def test_svg_is_made_of_shapes(qapp, trace, tmp_path) -> None:
    path = tmp_path / "plane.svg"
    render_view(trace, mistake(trace), path, size=(640, 480))
    root = ElementTree.parse(path).getroot()
    assert root.tag == SVG + "svg"
    assert root.get("viewBox") == "0 0 640 480"
    # each point is drawn, with its casing
    assert len(root.findall(f".//{SVG}path")) > 2 * trace.problem.n
    assert not root.findall(f".//{SVG}image")
    fills = {g.get("fill", "").upper() for g in root.iter(SVG + "g")}
    assert {THEMES["light"].classes[0], THEMES["light"].now, THEMES["light"].ink} <= fills


def test_the_same_step_gives_the_same_bytes(qapp, trace, tmp_path) -> None:
    for name in ("a.png", "b.png", "a.svg", "b.svg"):
        render_view(trace, 5, tmp_path / name, size=(300, 200))
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize(
    ("name", "more", "words"),
    [
        ("plane.gif", {}, "none of these"),
        ("plane", {}, "none of these"),
        ("missing/plane.png", {}, "could not be saved"),
        ("plane.png", {"theme": "sepia"}, "no theme"),
        ("plane.png", {"size": (0, 100)}, "pixels"),
        ("plane.png", {"size": (100, 10**6)}, "pixels"),
    ],
)
def test_what_cannot_be_done_is_said(
    qapp, trace, tmp_path, name: str, more: dict, words: str
) -> None:
    with pytest.raises(EngineError, match=words):
        render_view(trace, 0, tmp_path / name, **more)
    assert list(tmp_path.iterdir()) == []


def test_steps_that_do_not_exist(qapp, trace, tmp_path) -> None:
    with pytest.raises(EngineError, match="no step"):
        render_view(trace, len(trace), tmp_path / "plane.png")


def test_an_existing_picture_survives_a_failure(qapp, trace, tmp_path) -> None:
    path = tmp_path / "plane.png"
    path.write_bytes(b"before")
    with pytest.raises(EngineError):
        render_view(trace, 10**6, path)
    assert path.read_bytes() == b"before"


def circle_drawn(path, ink: str) -> tuple[float, float]:
    """(width, height) in pixels of the circle in a picture, from a PNG's pixels or an
    SVG's shape.
    """
    if path.suffix == ".png":
        image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
        rows, columns = np.nonzero(pixels == QColor(ink).rgb())
        return float(np.ptp(columns)), float(np.ptp(rows))
    strokes = [
        e for e in ElementTree.parse(path).iter(f"{SVG}g") if e.get("stroke", "").upper() == ink
    ]
    shapes = [shape.get("d", "") for group in strokes for shape in group.iter(f"{SVG}path")]
    places = np.array(
        [list(map(float, re.findall(r"-?[\d.]+", shape))) for shape in shapes if "C" in shape]
    )[-1]
    return float(np.ptp(places[::2])), float(np.ptp(places[1::2]))


@pytest.mark.parametrize("kind", ["png", "svg"])
@pytest.mark.parametrize("size", [(500, 300), (300, 500)])
def test_a_scene_that_asks_for_it_is_drawn_to_equal_scales(
    qapp, tmp_path, kind: str, size: tuple[int, int]
) -> None:
    """The points are fifty times as far apart sideways; a circle round them is a circle all the
    same.
    """
    ring = Circles(np.array([[0.0, 0.0]]), np.array([30.0]), Role.BOUNDARY)
    picture = types.SimpleNamespace(
        needed=lambda *_: lambda *_: Scene((ring,), equal_scales=True), find=lambda *_: None
    )
    method = replace(perceptron.ALGORITHM, beside=picture)
    run = Run(
        method,
        prepare(Dataset.from_arrays([[-50.0, -1.0], [50.0, 1.0]], [1, -1])),
        perceptron.Params(),
    )
    run.advance()
    path = tmp_path / f"circle.{kind}"
    render_view(run.trace, 0, path, size=size)
    wide, high = circle_drawn(path, THEMES["light"].ink)
    assert wide == pytest.approx(high, abs=2)
    assert 0.4 * size[0] < wide < 0.7 * size[0]


def test_a_view_without_a_rectangle_leaves_room_for_the_numbers(qapp, trace, tmp_path) -> None:
    render_view(
        trace, -1, tmp_path / "plane.png", size=(400, 400), view=View((-3, 3), (-3, 3), QRectF())
    )
    image = QImage(str(tmp_path / "plane.png"))
    theme = THEMES["light"]
    room = plane_rect(QRectF(0, 0, 400, 400), theme)
    for strip in (range(4, int(room.left()) - 2), range(int(room.right()) + 2, 398)):
        assert {image.pixelColor(x, 6).name().upper() for x in strip} == {theme.window}
    beside = [
        image.pixelColor(x, y).lightness() for x in range(int(room.left()) - 6) for y in range(400)
    ]
    assert sum(lightness < 140 for lightness in beside) > 30  # the numbers
    assert (
        image.pixelColor(int(room.left()) + 4, int(room.top()) + 4).name().upper() != theme.window
    )


def test_a_table_without_a_plane_gives_its_figures(qapp, trace, tmp_path, monkeypatch) -> None:
    before = current().name
    monkeypatch.setattr(trace, "problem", replace(trace.problem, plane=()))
    render_view(trace, mistake(trace), tmp_path / "figures.png", theme="dark", size=(500, 400))
    image = QImage(str(tmp_path / "figures.png"))
    assert (image.width(), image.height()) == (500, 400)
    assert len({image.pixel(x, y) for x in range(0, 500, 3) for y in range(0, 400, 3)}) > 5
    assert image.pixelColor(2, 2).name().upper() == THEMES["dark"].dock
    assert current().name == before


def test_no_application_is_needed(tmp_path) -> None:
    """In a process of its own, without a display: the picture is drawn by an offscreen
    application.
    """
    script = (
        "from engine import Dataset, Run, prepare\nfrom engine.algorithms.linear import perceptron"
        " as p\nfrom gui.export.render import render_view\nrun = Run(p.ALGORITHM,"
        " prepare(Dataset.from_arrays([[1., 2.], [-1., -1.]], [1, -1])),"
        f" p.Params())\nrun.advance()\nrender_view(run.trace, -1, {str(tmp_path / 'plane.png')!r},"
        " size=(200, 150))\n"
    )
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    environment = {k: v for k, v in os.environ.items() if k not in hidden}
    subprocess.run(
        [sys.executable, "-c", script], check=True, timeout=60, env=environment, cwd=os.getcwd()
    )
    assert QImage(str(tmp_path / "plane.png")).width() == 200


# -- what the window exports -----------------------------------------------------------------------


def ink_in(image: QImage, box: QRectF, colour: str) -> bool:
    """Whether a pixel of `box` is of `colour`, or nearly."""
    wanted = QColor(colour)
    for x in range(int(box.left()), int(box.right())):
        for y in range(int(box.top()), int(box.bottom())):
            seen = image.pixelColor(x, y)
            if (
                abs(seen.red() - wanted.red())
                + abs(seen.green() - wanted.green())
                + abs(seen.blue() - wanted.blue())
                < 60
            ):
                return True
    return False


@pytest.mark.slow
def test_the_windows_picture_has_numbers_on_both_axes_and_no_empty_strip(
    lab: Lab, tmp_path
) -> None:
    path = tmp_path / "plane.png"
    lab.window.commands.exports.picture_to(str(path))
    image = QImage(str(path))
    look = current()
    rect = plane_rect(QRectF(0, 0, image.width(), image.height()), look)
    left = QRectF(0, rect.top(), rect.left() - 6, rect.height())
    assert ink_in(image, left, look.ink3)  # the numbers of the y axis
    assert ink_in(image, QRectF(rect.left(), rect.bottom() + 6, rect.width(), 20), look.ink3)
    inside = {
        image.pixelColor(round(rect.right()) - 6, y).name().upper()
        for y in range(20, image.height() - 50, 7)
    }
    # the plane reaches to the right end
    assert inside & {look.tint(k).name().upper() for k in (0, 1)}


def test_a_value_to_predict_has_its_axis(qapp, tmp_path) -> None:
    trace = run("polynomial_fit", generate("sine", 20))
    path = tmp_path / "curve.png"
    look = THEMES["light"]
    render_view(trace, -1, path, size=(640, 480))
    rect = plane_rect(QRectF(0, 0, 640, 480), look)
    assert ink_in(
        QImage(str(path)), QRectF(0, rect.top(), rect.left() - 6, rect.height()), look.ink3
    )


def test_held_out_points_are_in_the_picture(qapp, tmp_path) -> None:
    data = generate("moons", 60, 0.3)
    pictures = []
    for hidden in (frozenset(), frozenset({"held out for the test"})):
        trace = run("perceptron", prepare(data, split=Split(0.5)), max_steps=5)
        render_view(trace, 0, tmp_path / "plane.png", size=(500, 400), hidden=hidden)
        pictures.append(QImage(str(tmp_path / "plane.png")))
    assert pictures[0] != pictures[1]


def test_a_picture_of_figures_has_no_scroll_bars(qapp, tmp_path) -> None:
    trace = run("decision_tree", textbook("restaurant"))
    path = tmp_path / "tree.png"
    look = THEMES["light"]
    render_view(trace, -1, path, size=(640, 480))
    image = QImage(str(path))
    rows = [
        y
        for y in range(300, 460)
        if ink_in(image, QRectF(image.width() - 16 - 5, y, 1, 1), look.strong)
    ]
    # a bar beside the table would be some eighty pixels high; letters are lower
    assert len(rows) < 20


@pytest.mark.parametrize(("key", "equal"), [("decision_tree", False), ("perceptron", True)])
def test_a_picture_has_the_scales_of_the_screen(
    qapp, monkeypatch: pytest.MonkeyPatch, tmp_path, key: str, equal: bool
) -> None:
    seen = []
    usual = plane.fit_view
    monkeypatch.setattr(plane, "fit_view", lambda *given: seen.append(given[2]) or usual(*given))
    trace = run(key, generate("moons", 40, 0.2), max_steps=5)
    render_view(trace, 0, str(tmp_path / "plane.png"))
    assert seen == [equal]
