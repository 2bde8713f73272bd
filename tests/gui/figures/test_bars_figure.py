"""Bars and candidates on the screen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laboratory import point_at
from PySide6.QtCore import QPoint, QPointF

from engine.base.records import replace
from engine.protocol.step import Choice, Option
from engine.scene.scene import Bars, Role
from gui.figures.bars import VISIBLE_ROWS, BarsFigure, choice_order, extent, halves
from gui.look import theme
from gui.look.ink import face

GAINS = {
    "Alt": 0.1092,
    "Bar": 0.0,
    "Fri": 0.1092,
    "Hungry": 0.2516,
    "Price": 0.2516,
    "Rain": 0.0441,
    "Res": 0.2516,
}
OUT = Option("Patrons", float("nan"), "attr Patrons", "used above")


def choice(**changes):
    options = (*(Option(name, gain, f"attr {name}") for name, gain in GAINS.items()), OUT)
    return Choice(
        "Which attribute?", options, (3, 4, 6), 3, "first in the table", "bits", **changes
    )


@pytest.fixture
def figure(qtbot):
    theme.use("light")
    made = BarsFigure()
    qtbot.addWidget(made)
    made.resize(308, 260)
    made.show()
    return made


def colour(figure, x, y):
    return figure.grab().toImage().pixelColor(int(x), int(y)).name().upper()


def test_candidates_stand_by_score_with_ties_and_the_reason_of_those_left_out(figure):
    figure.set_choice(choice())
    assert [row.label for row in figure.rows] == [
        "Hungry",
        "Price",
        "Res",
        "Alt",
        "Fri",
        "Rain",
        "Bar",
        "Patrons",
    ]
    assert [row.mark for row in figure.rows] == ["check", "tie", "tie", "", "", "", "", ""]
    assert figure.as_text().splitlines() == [
        "Which attribute?",
        "Hungry: 0.2516 (chosen)",
        "Price: 0.2516 (tie)",
        "Res: 0.2516 (tie)",
        "Alt: 0.1092",
        "Fri: 0.1092",
        "Rain: 0.0441",
        "Bar: 0.0000",
        "Patrons: (used above)",
        "bits, first in the table",
    ]


def test_the_chosen_bar_is_amber_tied_ones_are_dark_and_as_long(figure):
    figure.set_choice(choice())
    look = theme.current()
    columns = figure.columns()
    pitch = figure.pitch()
    middle = [pitch * (k + 0.5) for k in range(8)]
    inside = columns.start + 5
    end = columns.end - 4
    assert (colour(figure, inside, middle[0]), colour(figure, end, middle[0])) == (
        look.now,
        look.now,
    )
    assert (colour(figure, inside, middle[1]), colour(figure, end, middle[1])) == (
        look.ghost,
        look.ghost,
    )
    assert colour(figure, inside, middle[3]) == look.line
    assert colour(figure, end, middle[3]) not in (look.line, look.ghost, look.now)
    assert colour(figure, columns.start, middle[0]) == look.ink


def test_where_the_least_wins_the_order_is_ascending():
    made = choice(smallest=True)
    order = choice_order(made)
    assert order[:3] == [3, 4, 6]
    assert [made.options[k].label for k in order[3:]] == ["Bar", "Rain", "Alt", "Fri", "Patrons"]


@given(
    st.lists(st.one_of(st.floats(-5, 5), st.just(float("nan"))), min_size=1, max_size=30), st.data()
)
def test_the_order_is_a_permutation_with_the_chosen_one_first(scores, data):
    chosen = data.draw(st.integers(0, len(scores) - 1))
    made = Choice("?", tuple(Option(str(k), s) for k, s in enumerate(scores)), (chosen,), chosen)
    order = choice_order(made)
    assert sorted(order) == list(range(len(scores)))
    assert order[0] == chosen
    rest = [scores[k] for k in order[1:] if scores[k] == scores[k]]
    assert rest == sorted(rest, reverse=True)


def test_the_largest_weight_grows_too_and_not_only_the_others_shrink(figure):
    figure.set_figure(Bars("Weights", ("x₁", "x₂"), np.array([3.1, -0.5])))
    before = figure.columns()
    figure.set_figure(Bars("Weights", ("x₁", "x₂"), np.array([3.6, -0.6])))
    assert figure.columns() == before
    assert 3.6 * before.unit <= before.end - before.zero


@given(st.floats(-1e6, 0), st.floats(0, 1e6))
def test_the_scale_holds_every_bar_and_the_longest_has_two_thirds_of_its_side(low, high):
    start, end = extent(low, high)
    most = max(high, -low)
    slack = 1e-8 * most
    assert start <= low + slack and high - slack <= end
    assert max(end, -start) <= 1.5 * most * (1 + 1e-8)
    assert extent(low, high, limit=2e6) == (-2e6 if low < 0 else 0.0, 2e6)


def test_signed_bars_grow_from_a_zero_line_and_show_what_was_before(figure):
    figure.set_figure(
        Bars("Weights", ("x₁", "x₂"), np.array([1.5, -0.5]), before=np.array([0.5, -0.5]))
    )
    look = theme.current()
    columns = figure.columns()
    assert columns.start < columns.zero < columns.end
    assert columns.zero - columns.start == pytest.approx((columns.end - columns.start) / 4)
    top = figure.pitch() * 0.5
    low = figure.pitch() * 1.5
    assert colour(figure, columns.zero + 10, top) == look.ghost
    assert colour(figure, columns.zero - 10, low) == look.ghost
    assert colour(figure, columns.zero - 10, top) != look.ghost
    assert figure.as_text().splitlines()[1:] == [
        "x₁: 1.50 (before 0.50)",
        "x₂: −0.50 (before −0.50)",
    ]


def test_classes_have_their_colours_and_the_limit_is_the_scale(figure):
    figure.set_figure(
        Bars("Votes", ("a", "b"), np.array([1.0, 3.0]), group=np.array([0, 1]), limit=4.0, digits=0)
    )
    look = theme.current()
    columns = figure.columns()
    assert colour(figure, columns.start + 4, figure.pitch() * 0.5) == look.classes[0]
    assert colour(figure, columns.start + 4, figure.pitch() * 1.5) == look.classes[1]
    assert columns.unit * 4 == pytest.approx(columns.end - columns.start)


def test_long_lists_scroll_to_the_chosen_row(qtbot, figure):
    roles = tuple(Role.ACTIVE if k == 30 else Role.PLAIN for k in range(40))
    figure.set_figure(
        Bars("Many", tuple(f"stump {k}" for k in range(40)), np.linspace(0, 1, 40), roles)
    )
    bar = figure.verticalScrollBar()
    assert bar.maximum() > 0
    assert (
        bar.value()
        <= 30 * figure.pitch()
        <= bar.value() + figure.viewport().height() - figure.pitch()
    )
    assert figure.sizeHint().height() < (VISIBLE_ROWS + 1) * figure.pitch()


def test_pointing_at_a_candidate(qtbot, figure):
    figure.set_choice(choice())
    tags = []
    figure.hovered.connect(tags.append)
    view = figure.viewport()
    for k in (0, 2, 7):
        point_at(
            view,
            QPoint(80, int(figure.pitch() * (k + 0.5))),
            lambda k=k: tags[-1:] == [figure.rows[k].tag],
        )
    point_at(view, QPoint(80, 250), lambda: tags[-1] == "")
    assert tags == ["attr Hungry", "attr Res", "attr Patrons", ""]


def test_what_is_lit_elsewhere_is_lit_here(figure):
    figure.set_choice(choice())
    figure.set_lit(frozenset({"attr Res"}))
    gap = figure.columns().start - 4
    assert colour(figure, gap, figure.pitch() * 2.5) == theme.current().hover
    assert colour(figure, gap, figure.pitch() * 1.5) != theme.current().hover


def test_columns_never_overlap(figure):
    figure.set_figure(
        Bars("w", ("a rather long name of a column", "b"), np.array([123456.789, -1e9]))
    )
    for width in (140, 200, 308, 900):
        figure.resize(width, 100)
        columns = figure.columns()
        assert columns.label < columns.start < columns.end
        assert columns.zero >= columns.start
    assert "b: −1.00·10⁹" in figure.as_text()


def test_long_names_take_the_room_that_bars_can_spare(figure):
    names = ("1  petal length > 2.45", "2  petal length > 4.75")
    figure.set_figure(Bars("Votes z", names, np.array([0.69, 1.1])))
    columns = figure.columns()
    assert columns.label >= max(face("body", 700).width(name) for name in names)
    assert columns.end - columns.start >= 40
    figure.set_figure(
        Bars("Votes z", ("a name that is longer than all the room there is " * 2,), np.array([1.0]))
    )
    columns = figure.columns()
    assert columns.end - columns.start >= 40


def test_a_bar_with_a_tag_of_its_own_lights_alone(figure):
    figure.set_figure(
        Bars(
            "α",
            ("a", "b", "c"),
            np.array([1.0, 2.0, 3.0]),
            tag="alpha",
            tags=("row 1", "row 5", ""),
        )
    )
    middle = [QPointF(80, figure.pitch() * (k + 0.5)) for k in range(3)]
    assert [figure.tag_at(at) for at in middle] == ["row 1", "row 5", "alpha"]
    assert lit_rows(figure, "row 5") == [1]
    assert lit_rows(figure, "alpha") == [0, 1, 2]


def lit_rows(figure, name: str) -> list[int]:
    """The bars whose ground changes when this lights up."""
    figure.set_lit(frozenset())
    before = figure.grab().toImage()
    figure.set_lit(frozenset({name}))
    after = figure.grab().toImage()
    right = figure.viewport().width() - 2
    places = [QPoint(right, int(figure.pitch() * k) + 2) for k in range(3)]
    return [k for k, at in enumerate(places) if after.pixelColor(at) != before.pixelColor(at)]


def fills(figure) -> list[str]:
    """The colours inside the bars."""
    inside = figure.columns().zero + 10
    return [
        colour(figure, inside, figure.pitch() * (k + 0.5)).lower() for k in range(len(figure.rows))
    ]


def test_bars_of_two_classes_that_are_light_and_dark_have_these_colours(figure) -> None:
    look = theme.current()
    figure.boxed = True
    figure.set_figure(Bars("Votes", ("no", "yes"), np.array([1.0, 1.0]), group=np.array([0, 1])))
    assert fills(figure) == [look.colour("plane").name(), look.colour("ink").name()]
    figure.boxed = False
    figure.viewport().update()
    assert fills(figure) == [look.group(0).name(), look.group(1).name()]


def test_what_a_step_moved_is_amber_and_clusters_have_their_colours(figure):
    weights = Bars(
        "Weights",
        ("x₁", "x₂"),
        np.array([1.5, -0.5]),
        before=np.array([0.5, -0.5]),
        ticks="before this step",
    )
    figure.set_figure(weights)
    c = figure.columns()
    top, low = (figure.pitch() // 2 + k * figure.pitch() for k in range(2))
    look = theme.current()
    assert colour(figure, c.zero + c.unit, top) == look.now, "from 0.5 to 1.5"
    assert colour(figure, c.zero + 0.25 * c.unit, top) == look.ghost
    assert colour(figure, c.zero - 0.25 * c.unit, low) == look.ghost, "it did not move"
    figure.set_figure(replace(weights, ticks="expected"))
    assert colour(figure, c.zero + c.unit, top) == look.ghost, "these ticks are no past"
    figure.boxed = True
    of_classes = Bars("Sizes", ("a", "b"), np.array([2.0, 2.0]), group=np.array([0, 1]))
    for clusters in (False, True):
        figure.set_figure(replace(of_classes, clusters=clusters))
        c = figure.columns()
        dark = colour(figure, c.zero + c.unit, low) == look.ink
        assert dark is not clusters


def test_a_level_has_a_named_line_across_all_bars_and_long_names_take_two_lines(qtbot) -> None:
    figure = BarsFigure()
    qtbot.addWidget(figure)
    figure.set_roomy(True)
    figure.resize(300, 240)
    long = "variance where most are wrong"
    level = (0.5, "always “Yes”: 0.50")
    figure.set_figure(Bars("t", (long, "error"), np.array([0.2, 0.3]), levels=(level,)))
    columns = figure.columns()
    assert columns.start < columns.zero + 0.5 * columns.unit <= columns.end, "inside the scale"
    assert "line at 0.50: always “Yes”: 0.50" in figure.as_text()
    bold = face("body", 700)
    assert max(map(bold.width, halves(bold, long))) <= columns.label < bold.width(long)
    assert " ".join(halves(bold, long)) == long
    assert halves(bold, "single") == ("single", "")


def test_what_a_step_takes_off_a_bar_is_hollow(figure) -> None:
    """Amber reaches no further than the number; what turns its sign has both parts."""
    weights = Bars(
        "Weights",
        ("to zero", "turned"),
        np.array([0.0, -0.5]),
        before=np.array([1.0, 0.5]),
        ticks="before this step",
    )
    figure.set_figure(weights)
    c = figure.columns()
    top, low = (figure.pitch() // 2 + k * figure.pitch() for k in range(2))
    look = theme.current()
    assert colour(figure, c.zero + 0.5 * c.unit, top) == look.now_soft
    assert colour(figure, c.zero + 0.25 * c.unit, low) == look.now_soft
    assert colour(figure, c.zero - 0.25 * c.unit, low) == look.now


def test_the_row_of_an_amber_bar_too_short_to_be_seen_is_amber(figure):
    roles = (Role.ACTIVE, Role.PLAIN)
    look = theme.current()
    for value, ground in ((1e-6, True), (1.0, False)):
        figure.set_figure(Bars("P", ("a", "b"), np.array([value, 1.0]), roles, checked=False))
        at = figure.columns().label + 4, 0.5 * figure.pitch()
        assert (colour(figure, *at) == look.now_soft) == ground
