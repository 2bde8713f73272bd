"""The Karnaugh map as it is painted: the codes of rows and columns lie on nothing, the rule of the
step is amber.
"""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

import engine
from engine.numerics.boolean import covers
from engine.protocol.step import Level, Pace
from engine.scene.karnaugh import inputs
from engine.scene.scene import Boxes, Labels, Plot, Points, Role
from gui.figures.plot import PlotFigure
from gui.look import theme
from gui.painters.letters import outline

SIZES = [(292, 150), (316, 180), (656, 330), (1086, 480), (1580, 700)]
RUNS = [
    ("decision_list", "mit_harder"),
    ("greedy_conjunction", "mit_conjunction"),
    ("greedy_dnf", "mit_harder"),
]


def maps(key, name):
    """(step, its map) for every step of a run."""
    trace = engine.run(key, engine.textbook(name), pace=Pace(Level.DETAIL))
    for k in range(len(trace)):
        figures = trace.algorithm.scene(trace.given, trace[k]).figures
        yield trace[k], next(figure for figure in figures if isinstance(figure, Plot))


def codes(view, plot):
    """The rectangles of what is written beside the cells."""
    layer = next(
        layer for layer in plot.layers if isinstance(layer, Labels) and layer.tag == "cells"
    )
    rects = []
    for (x, y), text in zip(view.pixels(layer.xy).tolist(), layer.text, strict=True):
        _, wide, capital = outline(text, theme.current().font("plane"))
        rects.append(QRectF(x - wide / 2, y - capital / 2, wide, capital))
    return rects


@pytest.mark.parametrize("look", ["light", "projector"])
def test_codes_lie_on_no_block_no_cell_and_not_on_one_another(qtbot, look):
    theme.use(look)
    figure = PlotFigure()
    qtbot.addWidget(figure)
    for plot in [list(maps(*run))[-1][1] for run in RUNS]:
        figure.set_figure(plot)
        for size in SIZES[2 * (look == "projector") :]:  # a projector has no dock
            figure.resize(*size)
            view = figure.view()
            rects = codes(view, plot)
            assert not any(a.intersects(b) for k, a in enumerate(rects) for b in rects[:k]), size
            frame = view.rect.adjusted(1, 1, -1, -1)
            assert all(frame.contains(rect) for rect in rects), size
            for layer in (layer for layer in plot.layers if isinstance(layer, Boxes)):
                for corners in layer.bounds.reshape(-1, 2, 2):
                    (x0, y0), (x1, y1) = view.pixels(corners).tolist()
                    block = QRectF(QPointF(x0, y1), QPointF(x1, y0)).normalized()
                    assert not any(block.intersects(rect) for rect in rects), size
            marks = [view.pixels(layer.xy) for layer in plot.layers if isinstance(layer, Points)]
            assert not any(
                rect.contains(*at) for rect in rects for at in np.concatenate(marks).tolist()
            )
    theme.use("light")


@pytest.mark.parametrize(("key", "name"), RUNS)
def test_the_rule_of_the_step_is_amber_and_no_other(key, name):
    """While a rule is found, put down, or changed; then it is one of the others."""
    seen = set()
    for step, plot in maps(key, name):
        amber = [
            layer for layer in plot.layers if isinstance(layer, Boxes) and layer.role is Role.ACTIVE
        ]
        about = step.line in {"find", "add", "keep"}
        if key == "decision_list" and (about or step.line == "drop"):
            # what anything passes has no block of its own
            about = bool(step.state.found.test) or step.line == "find"
        assert len(amber) == about, step.line
        if amber:
            seen.add(step.line)
            blocks = amber[0].bounds
            rule = step.state.found.test if key == "decision_list" else _rule(step.state)
            held = [covers(rule, cell[None])[0] for cell in inputs(4)]
            places = [(k % 4 + 0.5, 3.5 - k // 4) for k in range(16)]
            assert held == [
                any(a < x < c and b < y < d for a, b, c, d in blocks) for x, y in places
            ]
    assert "add" in seen


@pytest.mark.parametrize(("key", "name"), RUNS)
def test_rows_that_leave_are_amber_in_the_map_and_no_others(key, name):
    left = 0
    for step, plot in maps(key, name):
        rings = [one for one in plot.layers if isinstance(one, Points) and one.role is Role.ACTIVE]
        gone = getattr(step.state, "gone", ())
        assert len(rings) == bool(len(gone)), step.line
        if len(gone):
            left += 1
            (all_rows,) = [
                one for one in plot.layers if isinstance(one, Points) and one.role is Role.POINT
            ]
            shown = np.flatnonzero(np.isfinite(rings[0].xy).all(axis=1))
            assert shown.tolist() == sorted(gone.tolist())
            assert np.array_equal(rings[0].xy[shown], all_rows.xy[shown])
    assert left


def _rule(s):
    return tuple((column, 1.0) for column in s.rule)


def test_names_of_examples_end_within_their_cells():
    """In the dock a cell is 50 pixels wide; the name stands right of the mark."""
    plot = list(maps("decision_list", "mit_harder"))[-1][1]
    marks = next(layer for layer in plot.layers if isinstance(layer, Points))
    cell = 292 / (plot.x_range[1] - plot.x_range[0])
    wide = max(outline(text, theme.current().font("plane"))[1] for text in marks.label)
    for x, _ in marks.xy:
        assert (x % 1) * cell + 3.6 + 5 + wide <= (1 - 2 * 0.05) * cell


def test_a_rule_above_examples_has_its_name_on_its_frame():
    """f₁ ∧ f₂ of the greedy trap, whose cells have examples or other rules."""
    plot = list(maps("greedy_dnf", "mit_trap_dnf"))[-1][1]
    names = {
        text: at
        for layer in plot.layers
        if isinstance(layer, Labels) and layer.role is Role.MARGIN
        for text, at in zip(layer.text, layer.xy.tolist(), strict=True)
    }
    frames = [
        layer.bounds
        for layer in plot.layers
        if isinstance(layer, Boxes) and layer.role is Role.ACCEPTED
    ]
    tops = {round(float(top), 6) for bounds in frames for top in bounds[:, 3]}
    assert list(names) == ["f₁ ∧ f₂"]
    x, y = names["f₁ ∧ f₂"]
    assert 2 < x < 3 and 3 < y < 4  # in the cell of f₁ f₂ = 11, f₃ f₄ = 00
    assert round(y, 6) in tops
