"""Numbers of a network lie on no link, no unit and no other number, at every size; what has no room
is not written.
"""

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QLineF, QPointF, QRectF

from engine.base.records import replace
from engine.scene.scene import Network
from gui.figures import network_look
from gui.figures.network import NetworkFigure
from gui.figures.network_layout import NAME_GAP, active_links, current_units
from gui.figures.network_look import delta_of, weight_labels
from gui.look import theme
from gui.look.ink import face

SIZES = [(295, 480), (230, 160), (488, 690), (488, 400), (700, 1000), (320, 260)]
LARGE = pytest.param((2, 8, 8, 1), marks=pytest.mark.slow)
NETS = [(2, 4, 1), (2, 2, 1), LARGE, (2, 3, 3), (2, 2), (4, 5, 1), (9, 3, 3, 2)]


def net(shape, seed, active=(), deltas=True):
    rng = np.random.default_rng(seed)
    answers = tuple(rng.normal(size=n) for n in shape)
    weights = tuple(3 * rng.normal(size=(a + 1, b)) for a, b in pairwise(shape))
    errors = (answers[0] * np.nan, *(rng.normal(size=n) / 10 for n in shape[1:])) if deltas else ()
    return Network(
        "Net", answers, weights, errors, active, names=("x1", "x2"), outputs=("y = A",) * shape[-1]
    )


def crosses(box, line):
    """Whether a line comes into a box: an end lies in it, or it cuts a side."""
    corners = [box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()]
    sides = [QLineF(corners[k - 1], corners[k]) for k in range(4)]
    cut = any(
        line.intersects(side)[0] == QLineF.IntersectionType.BoundedIntersection for side in sides
    )
    return cut or box.contains(line.p1())


@pytest.fixture
def figure(qtbot):
    made = NetworkFigure()
    made.show()
    qtbot.addWidget(made)
    yield made
    theme.use("light")


def deltas(at, now):
    """Where the deltas of the units are written."""
    return [found[0] for unit in at.units if (found := delta_of(at, unit, unit in now)) is not None]


@pytest.mark.slow
@pytest.mark.parametrize("look", ["light", "projector"])
@pytest.mark.parametrize("shape", NETS)
def test_numbers_lie_on_nothing(figure, shape, look):
    theme.use(look)
    for size in SIZES:
        figure.resize(*size)
        for layer in range(len(shape) - 1):
            figure.set_figure(net(shape, layer, ((layer, -1, -1),)))
            at = figure.laid
            lines = [QLineF(QPointF(*a), QPointF(*b)) for a, b in at.ends.tolist()]
            now = current_units(at.network)
            boxes = [
                w.box for w in weight_labels(at, sorted(active_links(at.network)), deltas(at, now))
            ]
            inside = [b.adjusted(0.5, 0.5, -0.5, -0.5) for b in boxes]
            assert not any(a.intersects(b) for k, a in enumerate(inside) for b in inside[:k]), (
                size,
                layer,
            )
            boxes += [found[0] for unit in now if (found := delta_of(at, unit, True)) is not None]
            assert all(b.left() >= 0 and b.right() <= at.width for b in boxes), (size, layer)
            assert not any(b.intersects(at.circle(unit)) for b in inside for unit in at.units), (
                size,
                layer,
            )
            assert not any(crosses(b, line) for b in inside for line in lines), (size, layer)


def test_with_room_every_weight_stands_where_its_link_ends(figure):
    """Also those that are at rest, in the order in which the links come."""
    figure.resize(488, 690)
    figure.set_figure(net((2, 4, 1), 0))
    at = figure.laid
    written = weight_labels(at, [], [])
    assert [w.link for w in written] == at.links
    for w in written:
        end = at.ends[at.index[w.link]][1]
        assert (w.box.left(), w.box.center().y()) == pytest.approx(tuple(end))
        unit = at.circle((w.link[0] + 1, w.link[2]))
        assert 0 < unit.left() - w.box.right() <= 6
    first = sorted(
        (w for w in written if w.link[0] == 0 and w.link[2] == 0), key=lambda w: w.box.top()
    )
    assert [w.link[1] for w in first] == [0, 1, 2]
    assert [w.text for w in first] == [
        f"{v:.2f}".replace("-", "−") for v in at.network.weights[0][:, 0]
    ]


def test_the_deltas_of_a_small_network_lie_on_no_link_and_no_weight(figure):
    for size in ((295, 480), (488, 690), (700, 1000)):
        figure.resize(*size)
        figure.set_figure(net((2, 4, 1), 3))
        at = figure.laid
        lines = [QLineF(QPointF(*a), QPointF(*b)) for a, b in at.ends.tolist()]
        weights = [w.box for w in weight_labels(at, [], [])]
        shown = [
            found[0]
            for unit in at.units
            if unit[0] and (found := delta_of(at, unit, False)) is not None
        ]
        assert len(shown) >= 3, size
        for box in shown:
            small = box.adjusted(1, 1, -1, -1)
            assert not any(small.intersects(w) for w in weights)
            assert not any(crosses(small, line) for line in lines)


def test_numbers_at_a_few_of_many_links_are_left_out(figure):
    """They would seem to be chosen; pointing at a link tells its weight."""
    figure.resize(295, 480)
    figure.set_figure(net((2, 8, 8, 1), 0, ((1, -1, -1),)))
    at = figure.laid
    active = sorted(active_links(at.network))
    assert len(active) == 72
    assert weight_labels(at, active, deltas(at, current_units(at.network))) == []
    spot = QPointF(*at.ends[0].mean(axis=0))
    assert "weight" in figure.tip_at(spot * figure.scale)
    assert QRectF(figure.rect()).contains(spot * figure.scale)


def test_of_a_network_that_flies_by_only_numbers_with_a_place_of_their_own_are_written(
    figure, monkeypatch
):
    """Those beside links and units jump from place to place in each frame; at rest they
    are there.
    """
    written: list[str] = []
    write = network_look.write_centred
    monkeypatch.setattr(
        network_look,
        "write_centred",
        lambda painter, x, y, text, *look: (
            written.append(text) or write(painter, x, y, text, *look)
        ),
    )
    figure.resize(*SIZES[0])
    for deltas in (False, True):
        figure.set_figure(net((2, 4, 1), 0, ((0, -1, -1),), deltas))
        at = figure.laid
        amber = weight_labels(at, sorted(active_links(at.network)), [])
        beside = {"Δ"} if deltas else {w.text for w in amber if not at.gutters[w.link[0]]}
        for figure.flying in (True, False):
            written.clear()
            figure.viewport().grab()
            there = {each for each in beside if any(text.startswith(each) for text in written)}
            assert there == (set() if figure.flying else beside)
            assert beside and written


def test_places_of_a_network_are_found_once_for_one_shape(figure, monkeypatch):
    figure.resize(*SIZES[0])
    figure.set_figure(net((2, 4, 1), 0))
    at = figure.laid
    before = figure.laid.ends.copy()
    other = net((2, 4, 1), 1)
    figure.set_figure(other)
    assert figure.laid is at and at.network is other and (at.ends == before).all()
    figure.set_figure(net((2, 5, 1), 0))
    assert figure.laid is not at and len(figure.laid.units) == 8
    theme.use("projector")
    figure.set_figure(net((2, 5, 1), 0))
    assert figure.laid.radius != at.radius


IRIS = ("sepal length", "sepal width", "petal length", "petal width")


@pytest.mark.parametrize("size", [(290, 480), (660, 480)])
def test_names_are_written_in_full_on_two_lines_before_they_are_cut(figure, size):
    shape = (4, 3)
    outputs = ("setosa", "versicolor", "virginica")
    figure.resize(*size)
    figure.set_figure(replace(net(shape, 0, deltas=False), names=IRIS, outputs=outputs))
    at = figure.laid
    for texts, lines, room in (
        (IRIS, at.names[0], at.left - NAME_GAP),
        (outputs, at.names[1], at.right - NAME_GAP),
    ):
        assert tuple(" ".join(each) for each in lines) == texts
        assert max(face("body").width(line) for each in lines for line in each) <= room, texts
    assert all(len(each) == 1 for each in at.names[0]) == (size[0] > 600)


def test_names_of_hidden_units_lie_on_nothing(figure):
    hidden = (("h₁", "h₂", "h₃", "h₄"),)
    for size in SIZES:
        figure.resize(*size)
        figure.set_figure(replace(net((2, 4, 1), 3), hidden=hidden))
        at = figure.laid
        lines = [QLineF(QPointF(*a), QPointF(*b)) for a, b in at.ends.tolist()]
        weights = [w.box for w in weight_labels(at, [], list(at.hidden_names.values()))]
        for (layer, k), box in at.hidden_names.items():
            small = box.adjusted(1, 1, -1, -1)
            assert layer == 1 and k < 4
            assert not any(crosses(small, line) for line in lines), size
            assert not any(small.intersects(other) for other in (*weights, *deltas(at, ())))
    figure.resize(488, 690)
    figure.set_figure(replace(net((2, 4, 1), 3), hidden=hidden))
    assert len(figure.laid.hidden_names) == 4


@pytest.mark.parametrize("high", range(120, 420, 30))
def test_no_name_of_a_hidden_unit_seems_to_be_that_of_another(figure, high: int) -> None:
    """AIMA Fig 18.25 in a lane: of close units the names lay on one another, h₂ above the third."""
    figure.resize(460, high)
    hidden = (("h₁", "h₂", "h₃", "h₄"),)
    figure.set_figure(replace(net((2, 4, 1), 3), hidden=hidden))
    at = figure.laid
    boxes = list(at.hidden_names.items())
    for k, (unit, box) in enumerate(boxes):
        assert not any(box.intersects(other) for _, other in boxes[:k])
        away = {
            other: QLineF(at.units[other], box.center()).length()
            for other in at.units
            if other[0] == 1
        }
        assert away[unit] <= min(away.values()) + 0.001
