"""In my book: found, searched, opened by keys and mouse, taken back, and never cut."""

import pytest
from cut import Painted, faults
from laboratory import LEFT, Key, Lab
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest

from engine.base.records import replace
from engine.files.books import TEXTS, in_my_book
from engine.table.prepare import Split
from gui.dialogs.in_my_book import EDGE, INSET, NAME, NOTE, WAY, InMyBook
from gui.look import style, theme


def opened(lab: Lab) -> InMyBook:
    lab.window.action("book").trigger()
    (page,) = lab.window.findChildren(InMyBook)
    assert page.isVisible()
    # until then its keys could be shortcuts of the window
    assert QTest.qWaitForWindowActive(page)
    return page


def lines(page: InMyBook) -> list[str]:
    """Places in front, what opens them behind a dash."""
    items = (page.model.item(k) for k in range(page.model.rowCount()))
    return [f"– {i.text()}" if i.data(WAY) else f"{i.data(NAME)[0]} {i.text()}" for i in items]


def marked(page: InMyBook) -> tuple[str, str]:
    index = page.list.currentIndex()
    return index.data(WAY)[0].citation, index.data(Qt.ItemDataRole.DisplayRole)


def click(page: InMyBook, row: int) -> None:
    index = page.model.index(row, 0)
    page.list.scrollTo(index)
    QTest.mouseClick(page.list.viewport(), LEFT, pos=page.list.visualRect(index).center())


@pytest.mark.slow
def test_the_page_of_the_texts(open_lab) -> None:
    """One window for all of it."""
    lab = open_lab(wait=False)
    keys_and_mouse_open(lab)
    one_undo_takes_it_back(lab)
    keys_move_and_search(lab)
    the_search_of_the_window_finds_places(lab)
    for look in ("light", "dark", "projector"):
        lab.window.use_theme(look)
        nothing_is_cut(lab, list(TEXTS))
    lab.window.use_theme("light")
    lab.window.resize(800, 600)
    nothing_is_cut(lab, ["AIMA"])
    lanes_go_to_their_ends(lab)


def keys_and_mouse_open(lab: Lab) -> None:
    session = lab.session
    session.edit(replace(session.document, split=Split(0.3)), "hold out")
    session.player.toggle()
    page = opened(lab)
    said = lines(page)
    assert "Fig 18.4 Patrons tells much, Type nothing" in said
    assert sum(line.startswith("– ") for line in said) == sum(
        len(ways) for _, ways in in_my_book()["AIMA"]
    )
    QTest.keyClicks(page.search, "fig 12.20")  # MMDS, though the lines of AIMA stood there
    assert marked(page)[0] == "MMDS Fig 12.20"
    QTest.keyClick(page.search, Key.Key_Return)
    assert not page.isVisible() and not session.player.playing
    assert (session.lane.key, session.document.data.name, session.cursor) == (
        "hinge_descent",
        "Six points",
        17,
    )
    assert (session.lane.params.C, session.lane.params.start, session.document.split) == (
        0.1,
        (0, 1, -2),
        Split(),
    )
    assert session.step.state.w.tolist() == pytest.approx([-0.155, 0.414], abs=1.1e-3)

    page = opened(lab)
    QTest.mouseClick(page.texts.buttons()[list(TEXTS).index("MIT")], LEFT)
    assert page.search.text() == "" and lines(page)[0].startswith("2.1.15-2.1.17 ")
    click(page, 0)  # a place opens nothing
    assert page.isVisible() and session.lane.key == "hinge_descent"
    click(page, lines(page).index("2.2.41-2.2.43 The rules, step by step") + 2)
    lab.until(lambda: session.finished and session.cursor == len(session.trace) - 1)
    assert not page.isVisible()
    assert session.lane.key == "greedy_dnf"
    assert [set(rule) for rule in session.step.state.rules] == [{2, 3}, {0, 1}]  # f3 ^ f4 v f1 ^ f2


def one_undo_takes_it_back(lab: Lab) -> None:
    session = lab.session
    lab.window.action("undo").trigger()
    lab.until(lambda: session.cursor == 17)
    assert session.lane.key == "hinge_descent"
    lab.window.action("undo").trigger()
    assert (session.document.data.name, session.document.split) == ("Leaning clouds", Split(0.3))


def lanes_go_to_their_ends(lab: Lab) -> None:
    """ML Ex 7.5: 18, 10 and 130 steps; each lane ends, and shows its labellings."""
    session = lab.session
    ways = next(ways for place, ways in in_my_book()["ML"] if place.name == "Ex 7.5")
    place = next(place for place, _ in in_my_book()["ML"] if place.name == "Ex 7.5")
    lab.window.commands.data_commands.open_place(place, ways[1])
    lab.until(lambda: all(view.at_end for view in session.lane_views))
    assert [view.step.state.made for view in session.lane_views] == [16, 8, 128]
    assert not any(view.pending for view in session.lane_views)
    for cell in lab.window.lanes.cells:
        assert cell.stage.arrangement.names == ("Labellings",)


def keys_move_and_search(lab: Lab) -> None:
    page = opened(lab)  # the same page, where it was left
    assert marked(page)[0] == "MIT 2.2.41-2.2.43"
    QTest.keyClick(page.search, Key.Key_Down)
    assert marked(page)[0] == "MIT 2.3.1-2.3.6"
    openings = [k for k in range(page.model.rowCount()) if page.model.item(k).data(WAY)]
    before = openings.index(page.list.currentIndex().row())
    QTest.keyClick(page.search, Key.Key_PageDown)
    assert openings.index(page.list.currentIndex().row()) == before + 10
    page.search.setText("winnow learned")
    assert {line.split(" on ")[0] for line in lines(page) if line.startswith("– ")} == {"– Winnow"}
    QTest.keyClick(page.search, Key.Key_Escape)
    assert (
        page.isVisible()
        and page.search.text() == ""
        and lines(page)[0].startswith("2.1.15-2.1.17 ")
    )
    page.search.setText("zebra")
    assert lines(page) == [] and page.whole.full_text().startswith("No text")
    QTest.keyClick(page.search, Key.Key_Return)
    assert page.isVisible()
    QTest.keyClick(page.search, Key.Key_Escape)
    QTest.keyClick(page.search, Key.Key_Escape)
    assert not page.isVisible()


def the_search_of_the_window_finds_places(lab: Lab) -> None:
    assert [each.text for each in lab.window.search.results("books and topics")] == [
        "Books and topics"
    ]
    found = lab.window.search.results("fig 18.24")[0]
    assert (found.text, found.kind) == ("AIMA Fig 18.24", "Back-propagation as pseudo-code")
    lab.window.commands.data_commands.browse(found.text)
    (page,) = lab.window.findChildren(InMyBook)
    assert page.isVisible() and marked(page)[0] == "AIMA Fig 18.24"
    page.close()


def nothing_is_cut(lab: Lab, texts: list[str]) -> None:
    """Each line of each text is as wide as the list at most; what stands in sight is
    painted whole.
    """
    page = opened(lab)
    assert page.size().boundedTo(lab.window.size() - EDGE) == page.size()
    for text in texts:
        page.texts.set_value(text)
        page.fill()
        assert lab.window.width() < 1280 or narrow(page) == []
    with Painted().listening() as painted:
        lab.settle_drawing()
        assert faults(page) + painted.found(page) == []
    page.close()


def narrow(page: InMyBook) -> list[str]:
    """Lines with words that have no room."""
    look = theme.current()
    found = []
    for k in range(page.model.rowCount()):
        item = page.model.item(k)
        if item.data(WAY) is None:
            kind = "body" if item.data(NAME)[1] else "caption"
            texts = [
                (item.data(NAME)[0], look.font(kind, weight=600)),
                (item.text(), look.font(kind)),
            ]
        else:
            texts = [(item.text(), look.font("body")), (item.data(NOTE), look.font("caption"))]
        wide = sum(QFontMetrics(font).horizontalAdvance(text) for text, font in texts)
        if wide + style.scale(look, INSET) + 8 + 12 > page.list.viewport().width():
            found.append(item.text())
    return found


def test_topics_hold_the_same_openings_for_those_without_a_book(lab: Lab) -> None:
    page = opened(lab)
    QTest.mouseClick(page.texts.buttons()[-1], LEFT)
    listed = [page.model.item(k).data(WAY) for k in range(page.model.rowCount())]
    ways = {pair[1] for pair in listed if pair is not None}
    assert ways == {way for rows in in_my_book().values() for _, all_ in rows for way in all_}
    heads = [page.model.item(k).data(NAME)[0] for k, pair in enumerate(listed) if pair is None]
    assert len(heads) == len(set(heads)) and {"Trees", "Linear", "Margins"} <= set(heads)
    page.close()


@pytest.mark.parametrize("typed", ["Fig 18.26", "ex 7.3", "AIMA Fig 18.6", "18.8.1"])
def test_the_name_of_a_place_finds_that_place_first(lab: Lab, typed: str) -> None:
    places = [place for rows in in_my_book().values() for place, _ in rows]
    there = [
        place.citation
        for place in places
        if typed.casefold() in (place.name.casefold(), place.citation.casefold())
    ]
    page = opened(lab)
    QTest.keyClicks(page.search, typed)
    assert marked(page)[0] in there
    page.close()


@pytest.mark.parametrize(
    ("typed", "data"), [("house", "houses"), ("iris", "iris"), ("spam", "spam")]
)
def test_data_are_found_as_people_call_them(lab: Lab, typed: str, data: str) -> None:
    page = opened(lab)
    QTest.keyClicks(page.search, typed)
    _, way = page.list.currentIndex().data(WAY)
    assert way.given.data.partition(":")[0] == data
    page.close()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            "AIMA Fig 18.30",
            "The figure’s own data are not printed; this set behaves as the text says.",
        ),
        (
            "AIMA Ex 18.22",
            "The text has no data here; this set is an example. ",
        ),
        ("MMDS Ex 12.13", ""),
    ],
)
def test_the_marked_opening_says_where_data_stand_in(lab: Lab, typed: str, said: str) -> None:
    page = opened(lab)
    QTest.keyClicks(page.search, typed)
    assert marked(page)[0] == typed
    text = page.remark.text()
    assert text.startswith(said) if said else text == ""
    page.close()
