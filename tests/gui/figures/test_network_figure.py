"""The figure of a network: what stands where, what it says, and weights set with mouse and
keyboard.
"""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from engine.scene.scene import Network
from gui.figures.network import NetworkFigure, read_weight
from gui.figures.network_layout import (
    FULL,
    MOST_UNITS,
    active_links,
    current_units,
    is_disconnected,
    short_number,
    unit_name,
)
from gui.figures.network_look import delta_of
from gui.look import style, theme
from gui.look.ink import face

LEFT = Qt.MouseButton.LeftButton


def two_two_one(**more):
    """Inputs (1, 0); hidden 0.55, 0.5; weights into the first hidden unit 0.2, −0.4, bias 0.1."""
    first = np.array([[0.2, 0.3], [-0.4, 0.0], [0.1, -0.3]])
    second = np.array([[0.5], [-1.0], [0.25]])
    answers = (np.array([1.0, 0.0]), np.array([0.55, 0.5]), np.array([0.507]))
    return Network("Net", answers, (first, second), names=("x1", "x2"), outputs=("y",), **more)


@pytest.fixture
def figure(qtbot, qapp):
    theme.use("light")
    widget = NetworkFigure()
    qtbot.addWidget(widget)
    widget.resize(320, 260)
    widget.show()
    widget.set_figure(two_two_one())
    return widget


def colour(figure, at):
    return figure.viewport().grab().toImage().pixelColor(at.toPoint()).name().upper()


def click(qtbot, figure, at):
    qtbot.mouseClick(figure.viewport(), LEFT, pos=at.toPoint())


def quarter(figure, link):
    """A place on a link where no other link crosses."""
    return figure.laid.on_link(link, 0.2)


# -- what stands where -----------------------------------------------------------------------------


def test_layers_stand_from_left_to_right_and_units_do_not_touch(figure):
    at = figure.laid
    xs = [at.units[layer, 0].x() for layer in range(3)]
    assert xs == sorted(xs)
    assert at.units[1, 1].y() - at.units[1, 0].y() > 2 * at.radius
    assert set(at.biases) == {(0, 2), (1, 2)}


def test_numbers_have_two_decimals_and_a_true_minus_sign(figure):
    room = 2 * figure.laid.radius - 2
    assert short_number(-0.125, 2, room) == "−0.12"
    assert short_number(0.5, 2, room) == "0.50"
    assert short_number(-1234.56, 2, room) == "−1235"
    assert short_number(float("nan"), 2, room) == ""
    assert face("caption", 600).width(short_number(1234567.0, 2, room)) < 2 * room


def test_heavier_links_are_wider_and_negative_ones_dashed(figure):
    def ink(link):
        line = [figure.laid.on_link(link, share) for share in np.linspace(0.3, 0.6, 60)]
        image = figure.viewport().grab().toImage()
        return np.array([image.pixelColor(p.toPoint()).lightness() for p in line])

    assert ink((1, 0, 0)).max() < 200  # solid: 0.5
    dashed = ink((1, 1, 0))  # −1
    assert dashed.min() < 60
    assert dashed.max() > 240


def test_a_link_that_never_was_is_not_drawn_and_a_bias_without_links_neither(figure):
    weights = [np.array(w) for w in two_two_one().weights]
    weights[0][2] = np.nan
    weights[0][0, 1] = np.nan
    figure.set_figure(Network("", two_two_one().activations, tuple(weights)))
    assert (0, 0, 1) not in figure.laid.links
    assert (0, 2) not in figure.laid.biases
    assert (1, 2) in figure.laid.biases


def test_a_long_layer_is_collapsed_but_shows_what_is_looked_at(figure):
    answers = (np.zeros(40), np.zeros(1))
    figure.set_figure(
        Network("", answers, (np.ones((41, 1)),), active=((0, 30, 0),), current=((0, 30),))
    )
    shown = [unit for layer, unit in figure.laid.units if layer == 0]
    assert len(shown) < MOST_UNITS
    assert {0, 30, 39} <= set(shown)
    assert sum(count for _, count in figure.laid.left_out) == 40 - len(shown)
    figure.set_figure(Network("", (np.zeros(12), np.zeros(1)), (np.ones((13, 1)),)))
    assert not figure.laid.left_out


def test_more_than_fits_scrolls(figure):
    figure.set_figure(Network("", (np.zeros(12), np.zeros(12)), (np.ones((13, 12)),)))
    assert figure.verticalScrollBar().maximum() > 0
    assert figure.laid.units[0, 11].y() < figure.laid.size[1]


# -- what is amber ---------------------------------------------------------------------------------


def test_minus_one_stands_for_all_links():
    net = two_two_one(active=((0, -1, 1),))
    assert active_links(net) == {(0, 0, 1), (0, 1, 1), (0, 2, 1)}
    assert current_units(net) == {(1, 1)}
    assert current_units(two_two_one(active=((1, 1, -1),))) == {(1, 1)}
    assert current_units(two_two_one(active=((0, -1, -1),))) == {(1, 0), (1, 1)}
    assert current_units(two_two_one(active=((0, -1, -1), (1, -1, -1)))) == frozenset()
    assert current_units(two_two_one(active=((0, -1, 1),), current=((2, 0),))) == {(2, 0)}
    assert current_units(two_two_one(active=((0, 0, 1),), current=None)) == set()


@pytest.mark.parametrize("name", ["light", "dark", "projector"])
def test_the_units_and_links_at_work_are_amber(qtbot, qapp, figure, name):
    style.apply(qapp, name)
    figure.resize(520, 420)
    deltas = (np.zeros(0), np.array([0.02, -0.01]), np.array([0.123]))
    figure.set_figure(two_two_one(active=((0, -1, 0),), deltas=deltas))
    at = figure.laid
    now = theme.current().now
    rim = at.units[1, 0] + QPoint(0, int(at.radius) - 4)
    assert colour(figure, rim) == now
    assert colour(figure, at.units[1, 1] + QPoint(0, int(at.radius) - 4)) == theme.current().plane
    below = at.units[1, 0] + QPoint(-14, int(at.radius) + 4)
    assert colour(figure, below) == now
    style.apply(qapp, "light")


# -- words -----------------------------------------------------------------------------------------


def test_units_have_the_names_people_use():
    net = two_two_one()
    assert [unit_name(net, u) for u in ((0, 0), (0, 2), (1, 1), (2, 0))] == [
        "x₁",
        "bias",
        "hidden 2",
        "y",
    ]
    deep = Network("", (np.zeros(1),) * 4, (np.ones((2, 1)),) * 3)
    assert [unit_name(deep, (layer, 0)) for layer in range(4)] == [
        "input 1",
        "hidden 1.1",
        "hidden 2.1",
        "output",
    ]


def test_it_can_be_read_as_text(figure):
    figure.set_figure(
        two_two_one(
            active=((0, -1, 0),), deltas=(np.zeros(0), np.array([0.02, -0.01]), np.array([0.1]))
        )
    )
    assert figure.as_text().splitlines() == [
        "Net",
        "layer 0: x₁ 1.00, x₂ 0.00",
        "layer 1: *hidden 1 0.55 (Δ 0.0200), hidden 2 0.50 (Δ −0.0100)",
        "layer 2: y 0.51 (Δ 0.1000)",
        "weights into hidden 1: x₁ 0.20, x₂ −0.40, bias 0.10",
        "weights into hidden 2: x₁ 0.30, x₂ 0.00, bias −0.30",
        "weights into y: hidden 1 0.50, hidden 2 −1.00, bias 0.25",
    ]


def test_pointing_shows_the_numbers_and_tells_the_tag(qtbot, figure):
    tags = []
    figure.hovered.connect(tags.append)
    qtbot.mouseMove(figure.viewport(), figure.laid.units[1, 0].toPoint())
    qtbot.waitUntil(lambda: tags == ["unit 1 0"])
    assert figure.viewport().toolTip() == "hidden 1: 0.5500"
    spot = quarter(figure, (0, 1, 0))
    qtbot.mouseMove(figure.viewport(), spot.toPoint())
    qtbot.waitUntil(lambda: tags[-1] == "link 0 1 0")
    assert figure.viewport().toolTip().startswith("x₂ → hidden 1: weight −0.4000")
    assert figure.tip_at(figure.laid.biases[0, 2]) == "bias: always 1"
    qtbot.mouseMove(figure.viewport(), QPoint(1, 1))
    qtbot.waitUntil(lambda: tags[-1] == "")


def test_terms_of_a_formula_light_their_link(figure):
    dark = figure.viewport().grab().toImage()
    figure.set_lit(frozenset({"link 0 1 0", "unit 2 0"}))
    assert figure.viewport().grab().toImage() != dark


def test_removed_links_are_said_to_be_removed_and_cannot_be_set(qtbot, figure):
    removed = (np.zeros((3, 2), bool), np.array([[True], [False], [False]]))
    figure.set_figure(two_two_one(removed=removed))
    assert "hidden 1 0.50 (removed)" in figure.as_text()
    spot = figure.place((1, 0, 0))
    assert figure.tip_at(spot) == "hidden 1 → y: removed"
    click(qtbot, figure, spot)
    assert figure.field is None


def test_a_unit_without_links_is_dotted_and_no_removed_link_is_amber(figure):
    """It stood there with a number, and all links in amber were those that are gone too."""
    removed = (np.array([[True, False]] * 3), np.array([[True], [False], [False]]))
    net = two_two_one(removed=removed, active=((0, -1, -1), (1, 0, 0)))
    assert active_links(net) == {(0, 0, 1), (0, 1, 1), (0, 2, 1), (1, 0, 0)}
    figure.set_figure(net)
    assert "hidden 1 (removed), " in figure.as_text()
    assert figure.tip_at(figure.laid.units[1, 0] * figure.scale) == "hidden 1: removed"
    assert figure.tip_at(figure.laid.units[1, 1] * figure.scale) == "hidden 2: 0.5000"
    assert (
        is_disconnected(net, (1, 0))
        and not is_disconnected(net, (1, 1))
        and not is_disconnected(net, (0, 0))
    )


# -- setting a weight ------------------------------------------------------------------------------


def test_enter_sets_the_weight_that_was_clicked(qtbot, figure):
    wanted, edited = [], []
    figure.edit_wanted.connect(lambda *all: wanted.append(all))
    figure.edited.connect(lambda where, value: edited.append((where, value)))
    click(qtbot, figure, figure.place((1, 0, 0)))
    assert wanted == [(1, 0, 0, 0.5)]
    assert figure.field.text() == "0.5"
    qtbot.keyClicks(figure.field, "-0,75")
    qtbot.keyClick(figure.field, Qt.Key.Key_Return)
    assert edited == [((1, 0, 0), -0.75)]
    assert figure.field is None


def test_escape_leaves_the_weight_alone(qtbot, figure):
    edited = []
    figure.edited.connect(lambda where, value: edited.append((where, value)))
    click(qtbot, figure, figure.place((1, 0, 0)))
    qtbot.keyClicks(figure.field, "9")
    qtbot.keyClick(figure.field, Qt.Key.Key_Escape)
    assert figure.field is None
    click(qtbot, figure, figure.place((1, 0, 0)))
    qtbot.keyClick(figure.field, Qt.Key.Key_Return)  # unchanged
    assert figure.field is None
    click(qtbot, figure, figure.place((1, 0, 0)))
    qtbot.keyClicks(figure.field, "9")
    click(qtbot, figure, figure.laid.units[0, 0])
    assert figure.field is None
    assert edited == []


def test_what_is_no_number_stays_in_the_field_with_a_reason(qtbot, figure):
    click(qtbot, figure, figure.place((1, 0, 0)))
    qtbot.keyClicks(figure.field, "much")
    qtbot.keyClick(figure.field, Qt.Key.Key_Return)
    assert figure.field.property("wrong")
    assert figure.field.toolTip() == "A weight is a number, such as −0.5."
    assert read_weight(" −0,5 ") == -0.5
    with pytest.raises(ValueError, match="finite"):
        read_weight("1e999")


def test_a_figure_that_cannot_be_edited_opens_no_field(qtbot, figure):
    figure.set_editable(False)
    click(qtbot, figure, figure.place((1, 0, 0)))
    assert figure.field is None
    assert "Click" not in figure.tip_at(figure.place((1, 0, 0)))


def test_the_field_closes_when_the_network_becomes_another_one(qtbot, figure):
    click(qtbot, figure, figure.place((1, 0, 0)))
    figure.set_figure(two_two_one())
    assert figure.field is not None
    figure.set_figure(Network("", (np.zeros(1), np.zeros(1)), (np.ones((2, 1)),)))
    assert figure.field is None


def test_nothing_known_yet_and_nothing_at_all(figure):
    figure.set_figure(Network("", (np.full(2, np.nan), np.full(1, np.nan)), (np.ones((3, 1)),)))
    assert "x" not in figure.as_text()
    assert "input 1 ?" in figure.as_text()
    figure.grab()
    figure.set_figure(Network("", (), ()))
    figure.set_figure(Network("", (np.zeros(3),), ()))
    figure.grab()


# -- little room -----------------------------------------------------------------------------------


def layered(hidden: int, deltas: bool = True) -> Network:
    """Two inputs, so many hidden units, one output."""
    rng = np.random.default_rng(hidden)
    answers = (np.array([0.61, -0.33]), rng.uniform(0, 1, hidden), np.array([0.5]))
    weights = (rng.normal(size=(3, hidden)), rng.normal(size=(hidden + 1, 1)))
    known = (np.zeros(0), rng.normal(size=hidden) / 50, np.array([0.07])) if deltas else ()
    return Network("Net", answers, weights, known, ((0, -1, 1),), ("x1", "x2"), ("y",))


@pytest.mark.parametrize("hidden", [2, 3, 4])
def test_a_small_network_fits_the_dock_of_a_small_window(figure, hidden):
    """292 × 150 pixels are left at 1280 × 800: all units are seen without scrolling, and numbers
    stay legible.
    """
    figure.resize(292, 150)
    figure.set_figure(layered(hidden))
    assert figure.verticalScrollBar().maximum() == 0
    assert figure.horizontalScrollBar().maximum() == 0
    at, scale = figure.laid, figure.scale
    assert scale * face("caption").size >= 10
    for unit in at.units:
        circle = at.circle(unit)
        assert circle.top() * scale >= 0
        assert circle.bottom() * scale <= 150
        text = short_number(
            float(figure.network.activations[unit[0]][unit[1]]), at.digits, 2 * at.radius - 2
        )
        assert face("caption", 600).width(text) <= 2 * at.radius


def test_a_large_network_scrolls_at_its_full_size(figure):
    figure.resize(292, 150)
    figure.set_figure(layered(9))
    assert figure.scale == 1.0
    assert figure.verticalScrollBar().maximum() > 0


@pytest.mark.parametrize("hidden", [1, 4])
def test_bars_come_and_go_once_for_each_size(qtbot, qapp, figure, hidden):
    """Between the bars the names were shorter, so that all fitted and the bars went; without them
    it did not fit: the figure was laid out for ever.
    """
    figure.set_figure(layered(hidden))
    for wide in range(140, 260, 6):
        for high in (110, 130, 161):
            figure.resize(wide, high)
            for _ in range(4):
                qapp.processEvents()
            laid = figure.laid
            qapp.processEvents()
            assert figure.laid is laid, (wide, high)


def test_with_room_every_delta_is_written_and_without_only_that_of_now(figure):
    figure.resize(292, 400)
    figure.set_figure(layered(4))
    assert (figure.scale, figure.laid.detail) == (1.0, FULL)
    figure.resize(292, 150)
    figure.set_figure(layered(4))
    assert figure.laid.detail != FULL
    assert [
        delta_of(figure.laid, unit, unit == (1, 1)) is not None for unit in ((1, 0), (1, 1), (1, 2))
    ] == [
        False,
        True,
        False,
    ]


def test_a_shrunken_network_is_pointed_at_and_edited_where_it_is_seen(qtbot, figure):
    figure.resize(292, 150)
    figure.set_figure(layered(4))
    assert figure.scale < 1
    wanted = []
    figure.edit_wanted.connect(lambda *link: wanted.append(link[:3]))
    centre = figure.laid.units[1, 3] * figure.scale
    assert figure.tag_at(centre) == "unit 1 3"
    link = (1, 0, 0)
    click(qtbot, figure, figure.place(link))
    assert wanted == [link]


def test_a_large_weight_is_a_wide_link_also_while_it_is_at_work(figure):
    """Amber across the link into the output, of weight 0.3 and of weight 1 beside weights of at
    most 1: twice as wide.
    """
    figure.resize(900, 700)
    wide = []
    for weight in (0.3, 1.0):
        network = two_two_one(active=((1, 0, 0),))
        network.weights[1][:] = [[weight], [1.0], [0.25]]
        figure.set_figure(network)
        image = figure.viewport().grab().toImage()
        at = figure.laid.on_link((1, 0, 0), 0.2)
        column = [
            image.pixelColor(round(at.x()), y).name().upper()
            for y in range(round(at.y()) - 14, round(at.y()) + 15)
        ]
        wide.append(column.count(theme.current().now.upper()))
    assert wide[1] >= 2 * wide[0] >= 2


def test_the_remembered_size_is_of_the_network_and_the_look_that_are_there(qtbot, figure):
    small = figure.sizeHint()
    large = Network("", tuple(np.zeros(9) for _ in range(4)), ())
    figure.set_figure(large)
    assert figure.sizeHint().height() > small.height() and figure.sizeHint().width() > small.width()
    figure.set_figure(two_two_one())
    assert figure.sizeHint() == small
    theme.use("projector")
    assert figure.sizeHint().width() > small.width()
    theme.use("light")
    assert figure.sizeHint() == small
