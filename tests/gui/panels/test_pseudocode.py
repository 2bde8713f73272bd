"""The pseudo-code panel."""

from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import Qt

from engine.algorithms.linear.perceptron import ALGORITHM
from engine.core.beside import Beside
from gui.look import style, theme
from gui.panels.pseudocode import PAD, PseudocodePanel


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
    qtbot.waitUntil(lambda: panel.card.viewport().height() >= lines * theme.current().line_height("code"))
    assert panel.card.verticalScrollBar().maximum() == 0


def test_long_lines_are_not_wrapped_but_scrolled(qtbot, panel):
    long = "first: " + "a very long line of pseudo-code " * 4
    panel.show_algorithm(replace(ALGORITHM, key="long", pseudocode=f"{long}\nlast: end"))
    assert panel.card.horizontalScrollBar().maximum() > 100
    qtbot.waitUntil(lambda: panel.card.verticalScrollBar().maximum() == 0)
    assert len(panel.card.as_text().splitlines()) == 2


def test_in_a_low_card_the_lit_line_is_in_sight(panel):
    many = "\n".join(f"line{k}: step {k}" for k in range(40))
    panel.show_algorithm(replace(ALGORITHM, key="many", pseudocode=many))
    panel.card.setFixedHeight(130)
    for k in (39, 0, 20):
        panel.light(f"line{k}")
        bar, height = panel.card.verticalScrollBar(), theme.current().line_height("code")
        top = PAD + k * height
        assert bar.value() <= top
        assert top + height <= bar.value() + panel.card.viewport().height()


@dataclass(frozen=True)
class Erring(Beside):
    """The page of an algorithm whose words name these errata."""

    errata: tuple[str, ...] = ()

    def find(self, part, name, own=""):
        return self.errata if name == "ERRATA" else super().find(part, name, own)


def test_errata_unfold_in_place(qtbot, panel):
    assert panel.fold.text() == f"{len(ALGORITHM.errata)} errata"
    assert not panel.errata.isVisible()
    qtbot.mouseClick(panel.fold, Qt.MouseButton.LeftButton)
    assert panel.errata.isVisible()
    texts = [panel.errata.column.itemAt(k).widget().as_text() for k in range(panel.errata.column.count())]
    assert tuple(texts) == ALGORITHM.errata
    panel.fold.setFocus()
    qtbot.keyClick(panel.fold, Qt.Key.Key_Space)
    assert not panel.errata.isVisible()
    panel.show_algorithm(replace(ALGORITHM, key="clean", beside=Erring(ALGORITHM.beside.page)))
    assert not panel.fold.isVisible()
    panel.show_algorithm(
        replace(ALGORITHM, key="one", beside=Erring(ALGORITHM.beside.page, ("The book prints {x} here.",)))
    )
    assert panel.fold.text() == "1 erratum"
    assert panel.as_text().endswith("Erratum: The book prints {x} here.")


def test_the_code_as_text_marks_the_lit_line(panel):
    panel.light("round")
    lines = panel.as_text().splitlines()
    assert [line for line in lines if line.startswith("> ")] == ["> repeat"]
    assert lines[0] == "  w ← start weights"


def test_the_code_reads_as_the_parameters_say(panel):
    """AIMA's rule in its own words, MMDS' again when it is chosen back; the errata stay as they were folded."""
    panel.fold.click()
    panel.show_algorithm(ALGORITHM, ALGORITHM.params(rule="aima"))
    panel.light("update")
    assert "w ← w + η (y − h) x" in panel.as_text().split("> ")[-1].splitlines()[0]
    assert panel.errata.isVisible()
    panel.show_algorithm(ALGORITHM, ALGORITHM.params())
    panel.light("update")
    assert "w ← w + η y x" in panel.as_text().split("> ")[-1].splitlines()[0]
