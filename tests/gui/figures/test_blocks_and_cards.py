"""Grids on a common sheet, and cards with arrows between their rows: where they stand, what they
say, and what goes first where the room is short.
"""

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF

import engine
from engine.base.records import replace
from engine.scene.scene import Block, Blocks, Card, CardRow, Cards, Role
from gui.figures.blocks import BlocksFigure, evenly
from gui.figures.cards import CardsFigure
from gui.figures.cards_layout import bypass, need, row_rect
from gui.look import theme
from gui.look.ink import face

NUMBERS = np.arange(6.0).reshape(2, 3)
NAMES = ("a", "b", "c")


def shown(qtbot, widget, figure, width, height):
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    widget.set_figure(figure)
    return widget


def sheet(rows: int) -> Blocks:
    """A row of numbers above a grid of so many rows."""
    held = np.zeros((rows, 3), bool)
    held[0, 1] = True
    names = tuple(f"row {k}" for k in range(rows))
    return Blocks(
        "sheet",
        (
            Block("V", 0, 0, NUMBERS[:1], ("v",), NAMES, look="plain", row_tags=("factor",)),
            Block(
                "M", 2, 0, np.ones((rows, 3)), names, NAMES, held=held,
                frames=((rows - 1, 2, 1, 1),), row_tags=names, column_tags=NAMES,
            ),
        ),
    )  # fmt: skip


def test_a_cell_says_its_names_its_number_and_what_marks_it(qtbot) -> None:
    widget = shown(qtbot, BlocksFigure(), sheet(3), 400, 300)
    above, grid = widget.figure.blocks
    assert widget.tip_at(widget.cell(grid, 0, 1).center()) == "row 0, b: 1.00, held out"
    assert widget.tag_at(widget.cell(grid, 2, 0).center()).split("\x1f") == ["row 2", "a"]
    assert widget.tag_at(widget.cell(above, 0, 2).center()) == "factor"
    assert widget.tip_at(QPointF(1, 1)) == ""
    assert "*1.00" in widget.as_text()


def test_cells_grow_with_the_room_and_a_frame_is_scrolled_to(qtbot) -> None:
    small = shown(qtbot, BlocksFigure(), sheet(3), 300, 240)
    large = shown(qtbot, BlocksFigure(), sheet(3), 900, 700)
    assert large.cell_size()[0] > 1.5 * small.cell_size()[0]
    assert not large.verticalScrollBar().maximum()
    high = shown(qtbot, BlocksFigure(), sheet(60), 400, 300)
    assert high.verticalScrollBar().value() > 0
    above, grid = high.figure.blocks
    frame = high.cell(grid, 59, 2)
    seen = QRectF(high.origin(), high.viewport().size().toSizeF())
    assert seen.contains(frame)
    # what stands above a high grid stays in sight, and answers there
    assert high.cell_at(high.cell(above, 0, 1).center() + high.origin()) == (above, 0, 1)


def test_the_book_s_matrix_fits_the_stage_of_a_laptop(qtbot) -> None:
    trace = engine.run("uv_descent", engine.textbook("uv_matrix"), max_steps=30)
    step = next(step for step in trace if step.line == "move")
    figure = trace.algorithm.scene(trace.given, step).figures[0]
    widget = shown(qtbot, BlocksFigure(), figure, 704, 540)
    bars = widget.verticalScrollBar(), widget.horizontalScrollBar()
    assert [bar.maximum() for bar in bars] == [0, 0]
    used = widget.content_size(704)
    assert used.width() * used.height() > 0.55 * 704 * 540


def job(rows: int) -> Cards:
    """A card with one wrong row among pale ones, whose arrow goes to a row of another card."""
    lines = [CardRow((f"x{k}", "0.5"), role=Role.INACTIVE, tag=f"row {k + 1}") for k in range(rows)]
    lines[-1] = CardRow(
        (f"x{rows - 1}", "0.5"), "2", mark="×", role=Role.REJECTED, tag=f"row {rows}"
    )
    return Cards(
        "job",
        (
            Card(0, "mapper", tuple(lines), "", ("", "a"), (1,), rest="agree", tag="chunk 0"),
            Card(1, "reducer", (CardRow(("sum",), "2"),), tag="w"),
        ),
        ((0, rows - 1, 1, 0, Role.ACTIVE),),
        headings=("map", "reduce"),
    )


def test_rows_of_cards_say_what_they_are_and_pale_ones_go_first(qtbot) -> None:
    roomy = shown(qtbot, CardsFigure(), job(8), 500, 400)
    places = roomy.places()
    assert [len(card.rows) for card in roomy.figure.cards] == [8, 1]
    at = row_rect(places, 0, 7).center()
    assert roomy.tip_at(at) == "mapper: x7 0.5 2 ×"
    assert set(roomy.tag_at(at).split("\x1f")) == {"chunk 0", "row 8"}
    tight = shown(qtbot, CardsFigure(), job(20), 500, 200)
    tight.places()
    mapper = tight.figure.cards[0]
    assert [row.cells[0] for row in mapper.rows[-2:]] == [
        "x19",
        f"{20 - len(mapper.rows) + 1} agree",
    ]
    (_, row, _, _, _) = tight.figure.arrows[0]
    assert mapper.rows[row].cells == ("x19", "0.5")
    assert "x11" in tight.as_text(), "the words leave nothing out"
    for high in range(160, 500, 20):
        tight.resize(500, high)
        assert not tight.verticalScrollBar().maximum(), high


def test_arrows_from_top_to_bottom_pass_beside_the_cards_between(qtbot) -> None:
    line = (CardRow(("yes",), "0.5", 0.5),)
    cards = (Card(0, "A", line), Card(1, "B", line), Card(2, "C", line))
    arrows = ((0, -1, 1, -1, Role.PLAIN), (1, -1, 2, -1, Role.PLAIN), (0, -1, 2, -1, Role.ACTIVE))
    widget = shown(qtbot, CardsFigure(), Cards("net", cards, arrows, across=False), 500, 400)
    places = widget.places()
    top, middle, bottom = places.card
    assert top.bottom() < middle.top() < middle.bottom() < bottom.top()
    assert bypass(places, 0, 1) == []
    way = [QPointF(*place) for place in bypass(places, 0, 2)]
    for start, end in pairwise(way):
        across = QLineF(start, end)
        assert not any(middle.contains(across.pointAt(t)) for t in np.linspace(0, 1, 20))


def test_cards_side_by_side_that_are_wider_than_the_room_stand_in_two_lines(qtbot) -> None:
    line = (CardRow(("no", "0.222", "0.444", "0.333")),)
    named = ("Outlook", "Temperature", "Humidity", "Wind")
    columns = ("PlayTennis", "Sunny", "Overcast", "Rain")
    children = [Card(1, name, line, columns=columns) for name in named]
    arrows = tuple((0, -1, k, -1, Role.PLAIN) for k in range(1, 5))
    net = Cards("net", (Card(0, "PlayTennis", line), *children), arrows, across=False)
    widget = shown(qtbot, CardsFigure(), net, 700, 560)
    places = widget.places()
    assert places.levels == ((0,), (1, 2), (3, 4))
    assert not widget.horizontalScrollBar().maximum()
    assert max(rect.right() for rect in places.card) < 700
    for k in (3, 4):
        past = [QPointF(*place) for place in bypass(places, 0, k)]
        assert past and not any(rect.contains(at) for rect in places.card for at in past)
    widget.resize(1600, 560)
    assert widget.places().levels == ((0,), (1, 2, 3, 4))


def test_a_sheet_shrinks_before_it_scrolls_and_cuts_no_title_and_no_note(qtbot) -> None:
    theme.use("light")
    title = "c y K: row 1 times c y, the largest"
    note = "Σ c y K = 0.00 − 0.00 = 0.00: on the boundary"
    grid = Block(title, 0, 0, NUMBERS[:1, :1], digits=2)
    figure = Blocks("sheet", (grid,), notes=((note, Role.ACTIVE),))
    wide = face("heading").width(title)
    widget = shown(qtbot, BlocksFigure(), figure, int(wide) + 40, 300)
    left = widget.area(grid).left()
    assert left + wide <= widget.viewport().width()
    parts = [words for _, _, words, _ in widget.note_lines()]
    assert len(parts) == 2 and " ".join(parts) == note
    assert widget.wish().least[0] >= wide
    numbers = Block("M", 0, 0, np.full((2, 8), 0.125))
    for room, bars in ((1.0, 0), (0.93, 0), (0.5, 1)):
        sheet = shown(qtbot, BlocksFigure(), Blocks("", (numbers,)), 600, 300)
        needed = sheet.wish().least[0]
        sheet.resize(int(room * needed) + 1, 300)
        assert (sheet.horizontalScrollBar().maximum() > 0) is bool(bars), room
        last = sheet.cell(numbers, 1, 7).center()
        assert sheet.tip_at(last) == "M: 0.12"


def test_the_amber_card_is_in_sight_wherever_it_stands(qtbot) -> None:
    """Also where the lanes are wider than the room, and after that changes."""
    rows = tuple(CardRow((f"a long line {k}",)) for k in range(4))
    for lit in range(6):
        cards = tuple(
            Card(lane, f"card {lane}", rows, role=Role.ACTIVE if lane == lit else Role.PLAIN)
            for lane in range(6)
        )
        widget = shown(qtbot, CardsFigure(), Cards("job", cards), 300, 300)
        for width in (300, 240):
            widget.resize(width, 300)
            box = widget.places().card[lit]
            left, right = (widget.in_view(at).x() for at in (box.topLeft(), box.bottomRight()))
            assert left >= 0 and right <= widget.viewport().width()


def test_an_amber_row_is_in_sight_where_no_card_is_amber(qtbot) -> None:
    cards = tuple(
        Card(lane, f"card {lane}", (CardRow(("a long line",), role=role),))
        for lane, role in enumerate([Role.PLAIN] * 5 + [Role.ACTIVE])
    )
    widget = shown(qtbot, CardsFigure(), Cards("job", cards), 300, 300)
    box = widget.places().card[5]
    assert widget.in_view(box.bottomRight()).x() <= widget.viewport().width()


def test_lanes_without_arrows_stand_closer(qtbot) -> None:
    cards = tuple(Card(lane, f"card {lane}", (CardRow(("row",)),)) for lane in range(3))
    gaps = []
    for arrows in ((), ((0, 0, 1, 0, Role.PLAIN),)):
        widget = shown(qtbot, CardsFigure(), Cards("job", cards, arrows), 100, 300)
        first, second, _ = widget.places().card
        gaps.append(second.left() - first.right())
    assert gaps[0] < gaps[1]


def test_cards_shrink_a_little_before_they_scroll(qtbot) -> None:
    theme.use("light")
    widget = shown(qtbot, CardsFigure(), job(3), 900, 600)
    needed = widget.wish().least[0]
    assert widget.zoom == 1.0 and needed % 100 == 0
    whole = widget.places().width
    widget.resize(900, 600)
    for width in range(120, 900, 60):
        widget.resize(width, 600)
        places = widget.places()
        assert 0.92 <= widget.zoom <= 1.0
        if widget.zoom > 0.92:
            assert not widget.horizontalScrollBar().maximum(), (width, whole)
        assert widget.tip_at(row_rect(places, 0, 0).center()).startswith(
            widget.figure.cards[0].title
        )


def test_what_is_left_out_is_counted_with_what_a_line_stands_for(qtbot) -> None:
    """24 rows: eight lines and one for the 16 others. Wherever the card ends, its lines add up."""
    lines = [CardRow((f"row {k}",), role=Role.REJECTED) for k in range(8)]
    card = Card(0, "mapper", (*lines, CardRow(("16 rows more",), many=16)), rest="agree")
    said = set()
    for height in (60, 100, 140, 180, 400):
        widget = shown(qtbot, CardsFigure(), Cards("job", (card,)), 400, height)
        *rows, last = widget.figure.cards[0].rows
        assert len(rows) + int(last.cells[0].split()[0]) == 24
        said.add(last.cells[0])
    assert "16 rows more" in said and len(said) > 2


def test_a_line_for_many_rows_makes_no_column_wider() -> None:
    rows = tuple(CardRow((f"x{k}", "0.5", "1.0")) for k in range(4))
    card = Card(0, "m", rows, columns=("", "x1", "x2"))
    longer = replace(card, rows=(*rows, CardRow(("16 rows more",), many=16)))
    assert need(longer) == need(card)


def test_a_row_can_be_about_one_cell_alone(qtbot) -> None:
    theme.use("light")
    row = CardRow(("no", "21 : 74"), "0.221", 0.221, role=Role.ACTIVE)
    one = CardRow(("no", "21 : 74"), "0.221", 0.221, role=Role.ACTIVE, cell=1)
    pictures = []
    for each in (row, one):
        card = Card(0, "Campfire", (each,), columns=("Storm", "counts"))
        widget = shown(qtbot, CardsFigure(), Cards("net", (card,)), 400, 200)
        pictures.append((widget, widget.grab().toImage()))
    now = theme.current().colour("now").rgb()
    for (widget, picture), whole in zip(pictures, (True, False), strict=True):
        places = widget.places()
        rect = row_rect(places, 0, 0)
        start = rect.left() + places.columns[0][1][1]  # of the second cell
        amber = [
            x
            for x in range(int(rect.left()), int(rect.right()))
            for y in range(int(rect.top()), int(rect.bottom()))
            if picture.pixel(x, y) == now
        ]
        assert amber
        past = start + face("body", 700).width("21 : 74") + 8
        assert any(x > past for x in amber) is whole, "the bar"
        assert whole or all(start - 8 < x < past for x in amber)
    words = pictures[1][0].as_text()
    assert "no *21 : 74 0.221" in words and "*no" in pictures[0][0].as_text()


def test_a_note_on_two_lines_leaves_no_word_alone(qapp) -> None:
    look = face("heading")
    text = "Σ c y K = 6.26 − 4.62 = 1.64: says “+1”"
    room = int(look.width(text)) - 2
    first, second = evenly(look, text, room)
    assert f"{first} {second}" == text
    assert max(map(look.width, (first, second))) < 0.75 * room
    assert evenly(look, text, room + 10) == [text]
