"""The figure of three axes: the camera, planes in the box, the mesh, and turning with the mouse."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laboratory import double_click
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication

from engine.scene.scene import Role, Space
from gui.figures.space import SpaceFigure
from gui.figures.space_look import FLYING_CELLS, MOST_CELLS, level_pieces, make_mesh, paint_space
from gui.figures.space_view import (
    CORNERS,
    PITCH,
    PITCH_SURFACE,
    YAW,
    Box,
    Camera,
    axis_edge,
    below,
    box_of,
    stretch_for,
)
from gui.look import style, theme

LEFT = Qt.MouseButton.LeftButton
NONE = (np.zeros((0, 3)), np.zeros(0, np.intp))
angles = st.floats(-180, 180)


def points(n=20, **more):
    xyz = np.random.default_rng(1).normal(size=(n, 3))
    return Space("Lifted", ("x1", "x2", "height"), xyz, (xyz[:, 0] > 0).astype(np.intp), **more)


def bowl(m=60, **more):
    x, y = np.linspace(-2, 2, m), np.linspace(-1, 3, m)
    return Space(
        "Loss", ("w1", "w2", "loss"), *NONE, surface=(x, y, x**2 + (y[:, None] - 1) ** 2), **more
    )


@pytest.fixture
def figure(qtbot, qapp):
    theme.use("light")
    widget = SpaceFigure()
    qtbot.addWidget(widget)
    widget.resize(320, 240)
    widget.show()
    return widget


# -- camera ----------------------------------------------------------------------------------------


@given(angles, st.floats(-89, 89))
def test_the_axes_of_the_screen_are_at_right_angles(yaw, pitch):
    axes = Camera(yaw, pitch).axes()
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(axes) == pytest.approx(-1) or np.linalg.det(axes) == pytest.approx(1)


def test_from_the_front_x_goes_right_and_z_up():
    camera = Camera(0, 0, width=400, height=400)
    middle, right, up, back = camera.project(
        np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0.0]])
    )
    assert right[0] > middle[0]
    assert up[1] < middle[1]
    assert back[2] < middle[2]
    # the near end of an edge is larger
    assert camera.project(np.array([[1, -1, 0], [1, 1, 0.0]]))[0, 0] > right[0]


@given(angles, st.floats(-60, 60))
def test_the_whole_box_is_in_the_picture(yaw, pitch):
    seen = Camera(yaw, pitch, width=320, height=240).project(CORNERS)
    assert (seen[:, 0] > 0).all()
    assert (seen[:, 0] < 320).all()
    assert (seen[:, 1] > 0).all()
    assert (seen[:, 1] < 240).all()


@given(angles, st.floats(-89, 89), st.integers(140, 700), st.integers(120, 600))
def test_the_box_fits_any_picture_and_makes_use_of_it(yaw, pitch, width, height):
    camera = Camera(yaw, pitch, width=width, height=height, stretch=stretch_for(width, height))
    seen = camera.project(CORNERS)
    assert (seen[:, 0] > 0).all()
    assert (seen[:, 0] < width).all()
    assert (seen[:, 1] > -1).all()
    assert (seen[:, 1] < height + 1).all()
    if abs(pitch) < 45:
        used = np.ptp(seen[:, 0]) / (width - 80), np.ptp(seen[:, 1]) / (height - below(height))
        assert max(used) > 0.6


def test_a_low_wide_picture_has_a_wider_box(figure):
    """As in the dock of a small window."""
    figure.set_figure(points())
    figure.resize(292, 120)
    across = np.ptp(figure.camera().project(CORNERS)[:, 0])
    cube = Camera(figure.yaw, figure.pitch, width=292, height=120).project(CORNERS)
    assert across > 1.2 * np.ptp(cube[:, 0])
    assert stretch_for(320, 500) == (1, 1, 1)


@given(
    st.floats(-3, 3),
    st.floats(-3, 3),
    st.floats(-3, 3),
    st.floats(-1, 1),
    angles,
    st.floats(-80, 80),
)
def test_the_side_of_a_plane_is_that_of_the_eye_in_a_stretched_box_too(a, b, c, bias, yaw, pitch):
    camera = Camera(yaw, pitch, stretch=(1.4, 1.4, 0.8))
    w = np.array([a, b, c])
    eye = 7 * camera.axes()[2] / (1.4, 1.4, 0.8)
    if abs(w @ eye + bias) > 1e-9:
        assert camera.side(w, bias) == np.sign(w @ eye + bias)


@given(angles, st.floats(1, 89))
def test_the_names_stand_at_edges_that_nothing_hides(yaw, pitch):
    camera = Camera(yaw, pitch)
    seen = camera.project(CORNERS)
    for axis in (0, 1):
        a, b = axis_edge(camera, axis)
        assert a[2] == b[2] == -1
        others = [
            seen[(CORNERS[:, axis] == end) & (CORNERS[:, 2] == -1), 2].max() for end in (-1, 1)
        ]
        here = [seen[(end == CORNERS).all(axis=1), 2].item() for end in (a, b)]
        assert sum(here) == pytest.approx(sum(others))  # the nearer one of the two at the floor
    a, _ = axis_edge(camera, 2)
    upright = [
        seen[(CORNERS[:, 0] == x) & (CORNERS[:, 1] == y), 0].mean()
        for x in (-1, 1)
        for y in (-1, 1)
    ]
    assert seen[(CORNERS[:, :2] == a[:2]).all(axis=1), 0].mean() == pytest.approx(min(upright))


# -- what is in the box ----------------------------------------------------------------------------


def test_the_box_holds_points_and_surface_and_is_never_flat():
    assert (box_of(points()).low < points().xyz.min(axis=0)).all()
    assert box_of(bowl()).low == pytest.approx([-2, -1, 0], abs=0.01)
    assert box_of(bowl()).high == pytest.approx([2, 3, 8])
    flat = box_of(Space("", ("", "", ""), np.array([[1.0, 2, 3]]), np.array([0])))
    assert (flat.high > flat.low).all()
    path = np.array([[0.0, 0, 0], [np.nan] * 3, [1, 2, 3]])
    assert box_of(Space("", ("", "", ""), *NONE, path=path)).high[2] > 3


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=3), st.floats(-5, 5))
def test_a_plane_is_cut_to_the_box(w, b):
    box = Box(np.array([-1.0, 0, 2]), np.array([3.0, 1, 4]))
    ring = box.cut(np.array(w), b)
    assert len(ring) in (0, 3, 4, 5, 6)
    places = box.low + (ring + 1) / 2 * (box.high - box.low)
    assert (np.abs(ring) <= 1 + 1e-9).all()
    if np.abs(w).sum() > 1e-3:
        assert places @ np.array(w) + b == pytest.approx(0, abs=1e-6)


def test_the_middle_plane_of_the_box_is_a_square():
    ring = Box(np.full(3, -1.0), np.full(3, 1.0)).cut(np.array([0.0, 0, 1]), 0.0)
    sides = np.linalg.norm(ring - np.roll(ring, 1, axis=0), axis=1)
    assert sides == pytest.approx([2, 2, 2, 2])


# -- mesh ------------------------------------------------------------------------------------------


def test_a_fine_surface_is_thinned_and_keeps_its_rim():
    mesh = make_mesh(bowl(200).surface, box_of(bowl(200)))
    assert mesh.corners.shape == (MOST_CELLS + 1, MOST_CELLS + 1, 3)
    assert mesh.corners[0, 0, :2] == pytest.approx([-1, -1])
    assert mesh.corners[-1, -1, :2] == pytest.approx([1, 1])


def test_level_lines_lie_on_their_level_and_are_round_on_a_bowl():
    x = np.linspace(-1, 1, 41)
    gx, gy = np.meshgrid(x, x)
    pieces, row, column = level_pieces(np.stack([gx, gy, gx**2 + gy**2], axis=-1), np.array([0.25]))
    assert pieces[..., 2] == pytest.approx(0.25)
    assert np.hypot(pieces[..., 0], pieces[..., 1]) == pytest.approx(0.5, abs=0.003)
    assert ((row < 40) & (column < 40)).all()
    assert np.linalg.norm(pieces[:, 1] - pieces[:, 0], axis=1).sum() == pytest.approx(
        np.pi, rel=0.01
    )


def test_holes_are_left_out(figure):
    x, y, z = bowl().surface
    z = z.copy()
    z[:20] = np.nan
    figure.set_figure(Space("", ("a", "b", "c"), *NONE, surface=(x, y, z)))
    whole = make_mesh(bowl().surface, figure.box)
    assert len(figure.mesh.rows.corner) < len(whole.rows.corner)
    figure.grab()


@pytest.mark.parametrize("along_x", [True, False])
def test_a_surface_is_cut_off_level_at_its_top(figure, along_x):
    """x² + (y − 1)² cut at 2.5: all that is painted covers the disc of radius √2.5, whose area in
    the box is 2.5 π / 4, and the rim lies on its circle.
    """
    space = bowl(top=2.5)
    figure.set_figure(space)
    assert figure.box.high[2] == pytest.approx(2.5)
    mesh = figure.mesh
    assert mesh.places[mesh.rows.corner][:, 2].max() <= 1 + 1e-9
    x, y, z = (figure.box.low + (mesh.rim + 1) / 2 * (figure.box.high - figure.box.low)).T
    assert z == pytest.approx(2.5)
    assert np.hypot(x, y - 1) == pytest.approx(np.sqrt(2.5), rel=0.01)
    strips = mesh.rows if along_x else mesh.columns
    area = 0.0
    for a, b in zip(strips.start[:-1], strips.start[1:], strict=True):
        ring = mesh.places[strips.corner[a:b], :2]
        after = np.roll(ring, -1, axis=0)
        area += abs((ring[:, 0] * after[:, 1] - ring[:, 1] * after[:, 0]).sum()) / 2
    assert area == pytest.approx(2.5 * np.pi / 4, rel=0.01)
    figure.grab()


def test_the_mesh_is_made_once_for_a_surface(figure):
    figure.set_figure(bowl())
    first = figure.mesh
    figure.set_figure(bowl(path=np.array([[0.0, 0, 1], [0, 1, 0]])))
    assert figure.mesh is first
    figure.set_figure(points())
    assert figure.mesh is None


def test_a_step_that_flies_by_has_larger_cells_and_the_one_that_stays_all_of_them(figure):
    for figure.flying, cells in ((False, MOST_CELLS), (True, FLYING_CELLS), (False, MOST_CELLS)):
        figure.set_figure(bowl(200))
        assert figure.mesh.corners.shape == (cells + 1, cells + 1, 3)


def test_an_inner_wall_hides_nothing_and_an_outer_wall_hides_the_inside(figure):
    """Seen from above, the middle of the bowl is lit; from below, its outside lies over the level
    lines within.
    """
    figure.set_figure(bowl())
    above = figure.grab().toImage()
    figure.turn(0, -70)
    assert figure.grab().toImage() != above


# -- picture ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["light", "dark", "projector"])
def test_points_roles_planes_and_path_show_in_every_theme(qtbot, qapp, figure, name):
    style.apply(qapp, name)
    roles = [Role.POINT] * 20
    roles[0], roles[1], roles[2], roles[3] = Role.ACTIVE, Role.SUPPORT, Role.BOUNDED, Role.INACTIVE
    w = np.array([1.0, 0.5, 1.0])
    planes = ((w, 0.0, Role.BOUNDARY), (w, 1.0, Role.MARGIN), (w, -1.0, Role.MARGIN))
    figure.resize(500, 400)
    figure.set_figure(
        points(roles=tuple(roles), planes=planes, path=np.array([[0.0, 0, 0], [1, 1, 1]]))
    )
    seen = figure.seen()[0]
    image = figure.grab().toImage()
    size = {"light": 5.0, "dark": 5.0, "projector": 5.0 * 9 / 5.5}[name]
    beyond = 6 * min(1.0, size / 5.5) * (1 + theme.current().stroke) / 2
    around = [
        image.pixelColor(
            int(seen[0] + (size + beyond) * np.cos(a)), int(seen[1] + (size + beyond) * np.sin(a))
        )
        for a in np.linspace(0, 6.28, 40)
    ]
    assert sum(c.name().upper() == theme.current().now for c in around) > 15
    style.apply(qapp, "light")


def test_points_behind_the_glass_are_dimmed_and_those_before_it_not(figure):
    xyz = np.array([[0.0, -1, 0], [0.5, 1, 0], [-1, -1, -1], [1, 1, 1]])
    space = Space(
        "",
        ("x", "y", "z"),
        xyz,
        np.zeros(4, np.intp),
        planes=((np.array([0, 1.0, 0]), 0.0, Role.BOUNDARY),),
    )
    figure.set_figure(space)
    figure.yaw = 0.0
    figure.pitch = 5.0
    figure.by_hand = True
    image = figure.grab().toImage()
    seen = figure.seen()
    front, back = (image.pixelColor(QPointF(*seen[k, :2]).toPoint()).name().upper() for k in (0, 1))
    assert front == theme.current().classes[0]
    assert back != front


def test_a_point_without_a_class_is_a_plain_disc(figure):
    figure.set_figure(Space("", ("x", "y", "z"), np.array([[0.0, 0, 0]]), np.array([-1])))
    spot = QPointF(*figure.seen()[0, :2]).toPoint()
    assert figure.grab().toImage().pixelColor(spot).name().upper() == theme.current().ink2


def test_it_can_be_read_as_text(figure):
    plane = (np.array([1.0, 0, -2]), 0.5, Role.BOUNDARY)
    figure.set_figure(points(planes=(plane,), path=np.array([[0.0, 0, 0], [1, -1, 1]])))
    lines = figure.as_text().splitlines()
    assert lines[0] == "Lifted"
    assert lines[1].startswith("x₁ from −")
    codes = points().group
    assert lines[4] == f"{(codes == 0).sum()} points of class 1"
    assert "plane (1.00, 0.00, −2.00) · x + 0.50 = 0, boundary" in lines
    assert lines[-1] == "path of 2 places to (1.00, −1.00, 1.00)"


@pytest.mark.slow
def test_five_hundred_points_and_a_mesh_are_quick(figure):
    xyz = np.random.default_rng(0).uniform((-2, -1, 0), (2, 3, 8), size=(500, 3))
    space = Space("", ("a", "b", "c"), xyz, np.arange(500) % 3, surface=bowl().surface)
    figure.resize(500, 420)
    figure.set_figure(space)
    best = min(timed(figure, yaw) for yaw in range(0, 360, 12))
    assert best < 0.05  # 8 ms on a quiet machine; painting point by point takes ten times as long


def timed(figure, yaw):
    image = QImage(500, 420, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    began = time.thread_time()
    paint_space(
        painter,
        QRectF(0, 0, 500, 420),
        figure.space,
        figure.box,
        Camera(yaw, 30, 1, 500, 420),
        figure.mesh,
    )
    took = time.thread_time() - began
    painter.end()
    return took


# -- mouse and keys --------------------------------------------------------------------------------


def drag(qtbot, figure, start, end):
    qtbot.mousePress(figure, LEFT, pos=start)
    qtbot.mouseMove(figure, (start + end) / 2)
    qtbot.mouseMove(figure, end)
    qtbot.mouseRelease(figure, LEFT, pos=end)


def test_dragging_turns_and_the_angle_stays_between_steps(qtbot, figure):
    figure.set_figure(points())
    before = figure.seen()
    drag(qtbot, figure, QPoint(100, 100), QPoint(160, 120))
    qtbot.waitUntil(lambda: figure.pitch == pytest.approx(PITCH + 10))
    assert figure.yaw == pytest.approx(YAW + 30)
    turned = figure.seen()
    nearest = before[:, 2].argmax()
    assert turned[nearest, 0] > before[nearest, 0]  # what is in front follows the hand
    figure.set_figure(points(30))
    assert (figure.yaw, figure.pitch) == pytest.approx((YAW + 30, PITCH + 10))


def test_a_double_click_puts_it_back_and_a_surface_is_seen_from_above(qtbot, figure):
    figure.set_figure(bowl())
    assert figure.pitch == PITCH_SURFACE
    drag(qtbot, figure, QPoint(100, 100), QPoint(40, 190))
    double_click(figure, QPoint(50, 50))
    assert (figure.yaw, figure.pitch, figure.zoomed) == (YAW, PITCH_SURFACE, 1.0)
    figure.set_figure(points())
    assert figure.pitch == PITCH


def test_the_eye_does_not_pass_the_poles(figure):
    figure.set_figure(points())
    figure.turn(720, 400)
    assert figure.pitch == 89
    assert figure.yaw == pytest.approx(YAW)


def test_the_wheel_zooms(figure):
    figure.set_figure(points())
    at = QPointF(100, 100)
    event = QWheelEvent(
        at,
        figure.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(figure, event)
    assert figure.zoomed == pytest.approx(1.2)


def test_keys_turn_and_zoom(qtbot, figure):
    figure.set_figure(points())
    qtbot.keyClick(figure, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(figure, Qt.Key.Key_Plus)
    assert figure.pitch == PITCH + 10
    assert figure.zoomed == pytest.approx(1.2)


def test_pointing_at_a_point_tells_its_coordinates(figure):
    figure.set_figure(
        Space("", ("x1", "x2", "z"), np.array([[1.0, -0.5, 2.25], [0, 0, 0]]), np.array([0, 1]))
    )
    assert figure.tip_at(QPointF(*figure.seen()[0, :2])) == "x₁ 1.00, x₂ −0.50, z 2.25"
    assert figure.tip_at(QPointF(2, 2)) == ""


def test_empty_and_broken_pictures_are_drawn(figure):
    for space in (
        Space("", ("", "", ""), *NONE),
        Space(
            "",
            ("a", "b", "c"),
            np.array([[np.nan, 0, 0]]),
            np.array([0]),
            path=np.full((2, 3), np.nan),
        ),
        Space("", ("a", "b", "c"), *NONE, planes=((np.zeros(3), 1.0, Role.BOUNDARY),)),
        Space(
            "", ("a", "b", "c"), *NONE, surface=(np.arange(2.0), np.arange(2.0), np.zeros((2, 2)))
        ),
    ):
        figure.set_figure(space)
        assert not figure.grab().toImage().isNull()
        figure.as_text()
