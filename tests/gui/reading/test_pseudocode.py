"""The pseudo-code panel."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from engine.algorithms.linear.perceptron import ALGORITHM
from engine.base.records import replace
from engine.protocol.page_files import PageFiles
from gui.look import style, theme
from gui.look.ink import face
from gui.reading.pseudocode import PAD, TEXT_X, PseudocodePanel


@pytest.fixture
def panel(qtbot, qapp):
    style.apply(qapp, "light")
    made = PseudocodePanel()
    qtbot.addWidget(made)
    made.resize(324, 400)
    made.show()
    made.show_algorithm(ALGORITHM)
    return made


def row_colour(panel, k, x=250):
    card = panel.card.viewport()
    image = card.grab().toImage()
    height = theme.current().line_height("code")
    return image.pixelColor(x, PAD + k * height + 3).name().upper()


def test_the_line_at_work_is_lit_and_only_that(panel):
    labels = [label for label, _ in ALGORITHM.code_lines()]
    for label in ("test", "update"):
        panel.light(label)
        soft = [k for k in range(len(labels)) if row_colour(panel, k) == theme.current().now_soft]
        assert [labels[k] for k in soft] == [label]
        assert row_colour(panel, labels.index(label), 1) == theme.current().now
    panel.light("no such line")
    assert panel.card.lit_line() == -1


def test_the_heading_names_the_source(panel):
    assert panel.caption.full_text() == ", ".join(ALGORITHM.source)
    panel.show_algorithm(replace(ALGORITHM, key="other", source=(), extension=True))
    assert panel.caption.full_text() == "extension"


def test_all_lines_are_seen_when_there_is_room(qtbot, panel):
    lines = len(ALGORITHM.code_lines())
    qtbot.waitUntil(
        lambda: panel.card.viewport().height() >= lines * theme.current().line_height("code")
    )
    assert panel.card.verticalScrollBar().maximum() == 0


def test_long_lines_go_on_below_and_nothing_scrolls_sideways(panel):
    long = "  first: " + "a very long line of pseudo-code " * 4
    panel.show_algorithm(replace(ALGORITHM, key="long", pseudocode=f"{long}\nlast: end"))
    card = panel.card
    rows = card.rows(card.width() - 2)
    assert card.horizontalScrollBar().maximum() == 0
    assert (
        " ".join(row.text for row in rows if row.line == 0).split()
        == ("a very long line of pseudo-code " * 4).split()
    )
    letters = face("code", 700, "mono")
    assert all(
        TEXT_X + row.indent + letters.width(row.text) <= card.viewport().width() for row in rows
    )
    first = [row.indent for row in rows if row.line == 0]
    assert len(first) > 2 and len(set(first[1:])) == 1 and first[1] > first[0]
    assert len(card.as_text().splitlines()) == 2


def test_in_a_low_card_the_lit_line_is_in_sight_between_its_neighbours(panel):
    """Whole rows only."""
    many = "\n".join(f"line{k}: step {k}" for k in range(40))
    panel.show_algorithm(replace(ALGORITHM, key="many", pseudocode=many))
    height = theme.current().line_height("code")
    assert panel.card.least(292) == 3 * height + 2 * PAD + 2
    panel.card.setFixedHeight(panel.card.least(292))
    for k, seen in (
        (39, (37, 38, 39)),
        (0, (0, 1, 2)),
        (20, (19, 20, 21)),
        (21, (20, 21, 22)),
        (10, (9, 10, 11)),
    ):
        panel.light(f"line{k}")
        first, over = divmod(panel.card.verticalScrollBar().value(), height)
        assert (tuple(range(first, first + 3)), over) == (seen, 0)


def test_sources_without_room_are_counted(panel):
    assert len(ALGORITHM.source) > 2
    for width in (60, 110, 160, 230, 900):
        panel.resize(panel.around() + width, 400)
        panel.grab()
        shown = panel.caption.text()
        metrics = QFontMetrics(panel.caption.font())
        whole = shown == ", ".join(ALGORITHM.source)
        if shown == f"{len(ALGORITHM.source)} sources":  # not even one has room
            continue
        names = [name for name in shown.rpartition(" +")[0].split(", ") if name]
        assert whole or len(names) + int(shown.rpartition("+")[2]) == len(ALGORITHM.source)
        assert whole or names == list(ALGORITHM.source[: len(names)])
        assert metrics.horizontalAdvance(shown) <= panel.caption.width() or len(names) == 1


def test_a_heading_of_the_slides_is_one_source(panel):
    """“LS, Linear regression” was two of them, and “LS” stood alone."""
    sources = ("AIMA 18.6.1", "LS, Linear regression", "MMDS Ex 12.2", "LS, Validation")
    panel.set_caption(", ".join(sources))
    panel.resize(panel.around() + 900, 400)
    panel.grab()
    assert panel.caption.text() == ", ".join(sources)
    panel.caption.resize(30, 20)
    assert panel.caption.text() == "4 sources"
    panel.caption.resize(
        QFontMetrics(panel.caption.font()).horizontalAdvance(
            "AIMA 18.6.1, LS, Linear regression +2"
        )
        + 4,
        20,
    )
    assert panel.caption.text() == "AIMA 18.6.1, LS, Linear regression +2"


class Erring(PageFiles, eq=True):
    """The page of an algorithm whose words name these errata."""

    errata: tuple[str, ...] = ()

    def find(self, part, name, own=""):
        return self.errata if name == "ERRATA" else super().find(part, name, own)


def test_errata_unfold_in_place(qtbot, panel):
    assert panel.fold.text() == f"{len(ALGORITHM.errata)} misprints"
    assert not panel.errata.isVisible()
    qtbot.mouseClick(panel.fold, Qt.MouseButton.LeftButton)
    assert panel.errata.isVisible()
    texts = [
        panel.errata.layout().itemAt(k).widget().as_text()
        for k in range(panel.errata.layout().count())
    ]
    assert tuple(texts) == ALGORITHM.errata
    panel.fold.setFocus()
    qtbot.keyClick(panel.fold, Qt.Key.Key_Space)
    assert not panel.errata.isVisible()
    panel.show_algorithm(replace(ALGORITHM, key="clean", beside=Erring(ALGORITHM.beside.page)))
    assert not panel.fold.isVisible()
    panel.show_algorithm(
        replace(
            ALGORITHM,
            key="one",
            beside=Erring(ALGORITHM.beside.page, ("The book prints {x} here.",)),
        )
    )
    assert panel.fold.text() == "1 misprint"
    assert panel.as_text().endswith("Misprint in the source: The book prints {x} here.")


def test_the_code_as_text_marks_the_lit_line(panel):
    panel.light("round")
    lines = panel.as_text().splitlines()
    assert [line for line in lines if line.startswith("> ")] == ["> repeat"]
    assert lines[0] == "  w ← start weights"


def test_the_code_reads_as_the_parameters_say(panel):
    """AIMA's rule in its own words, MMDS' again when it is chosen back; the errata stay as they
    were folded.
    """
    panel.fold.click()
    panel.show_algorithm(ALGORITHM, ALGORITHM.params(rule="aima"))
    panel.light("update")
    assert "w ← w + η (y − h) x" in panel.as_text().split("> ")[-1].splitlines()[0]
    assert panel.errata.isVisible()
    panel.show_algorithm(ALGORITHM, ALGORITHM.params())
    panel.light("update")
    assert "w ← w + η y x" in panel.as_text().split("> ")[-1].splitlines()[0]
