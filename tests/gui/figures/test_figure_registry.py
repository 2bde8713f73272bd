"""Every kind of figure of the engine has its widget, and every widget the same manners."""

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget

from engine.scene import scene
from engine.scene.scene import (
    Bars,
    Block,
    Blocks,
    Card,
    CardRow,
    Cards,
    Forest,
    Matrix,
    Network,
    Pictures,
    Plot,
    Points,
    Polyline,
    Role,
    Space,
    Table,
    Tree,
    TreeNode,
)
from gui.figures import FIGURES
from gui.look import style, theme

EXAMPLES = [
    Plot(
        "ROC",
        "false",
        "true",
        (Polyline(np.array([[0, 0], [0.2, 0.8], [1, 1.0]]), Role.ACCEPTED, tag="curve"),),
    ),
    Plot("empty", "x", "y", ()),
    Plot("one point", "x", "y", (Points(np.array([[3.0, 3.0]]), np.array([0])),), equal=True),
    Tree(
        "tree",
        (
            TreeNode(-1, "", "x ≤ 1"),
            TreeNode(0, "yes", "A", "leaf", 0),
            TreeNode(0, "no", "", "open"),
        ),
    ),
    Tree("empty", ()),
    Forest(
        "forest",
        (
            (TreeNode(-1, "", "x"), TreeNode(0, "", "A", "leaf", 0), TreeNode(0, "", "", "open")),
            (TreeNode(-1, "", "B", "leaf", 1, role=Role.NEAREST),),
            (),
        ),
        ("h₁", "h₂", "h₃"),
        np.array([0, 1, -1]),
        current=1,
    ),
    Forest("no trees", (), (), np.zeros(0, np.intp)),
    Table("empty", (), ()),
    Bars(
        "gain",
        ("a", "b"),
        np.array([0.5, -0.25]),
        (Role.ACTIVE, Role.GHOST),
        before=np.array([0.1, 0.2]),
    ),
    Bars("none", (), np.zeros(0)),
    Bars("flat", ("a", "b"), np.zeros(2), group=np.array([0, 1])),
    Matrix(
        "counts",
        ("a", "b"),
        ("a", "b"),
        np.array([[3, 1], [0, np.nan]]),
        ((0, 1),),
        x_label="said",
        y_label="true",
    ),
    Matrix("none", (), (), np.zeros((0, 0))),
    Blocks(
        "M ≈ U V",
        (
            Block(
                "M",
                1,
                0,
                np.array([[3, np.nan]]),
                ("a",),
                ("p", "q"),
                frames=((0, 0, 1, 1),),
                held=np.array([[True, False]]),
                missing=np.array([[False, True]]),
                row_tags=("curve",),
                column_tags=("curve", ""),
            ),
            Block("sum", 2, 0, np.array([[1.0, -2.0]]), look="bars", group=np.array([0, 1])),
        ),
        ((1, 3, "≈"),),
        (("missing", Role.GHOST),),
    ),
    Blocks("none", ()),
    *(
        Cards(
            "job",
            (
                Card(
                    0,
                    "mapper 1",
                    tuple(
                        CardRow((f"x{k}", "0.5"), "0.25", 0.25, 0.5, k, "✓", role=role, tag="curve")
                        for k, role in enumerate((Role.INACTIVE, Role.ACTIVE, Role.INACTIVE))
                    ),
                    "1 wrong",
                    ("", "a"),
                    (1,),
                    group=2,
                    rest="agree",
                    tag="curve",
                ),
                Card(1, "reducer", (CardRow(("sum",), "2", role=Role.BOUNDARY),)),
                Card(1, "", role=Role.HELD_OUT),
            ),
            ((0, 2, 1, 0, Role.ACTIVE), (0, -1, 2, -1, Role.PLAIN)),
            across,
            ("map", "reduce") if across else (),
        )
        for across in (True, False)
    ),
    Cards("none", ()),
    Network(
        "net",
        (np.array([1.0, 0.5]), np.array([0.7])),
        (np.array([[0.5], [-1], [0.1]]),),
        active=((0, 0, 0),),
    ),
    Network("none", (), ()),
    Space(
        "space",
        ("a", "b", "c"),
        np.array([[0.0, 1, 2], [1, 2, 0]]),
        np.array([0, 1]),
        (Role.POINT, Role.ACTIVE),
    ),
    Pictures(
        "nearest",
        np.random.default_rng(0).random((5, 8, 8)),
        ("1", "2", "3", "4", "5"),
        tag="curve",
    ),
    Pictures("pad", np.eye(8)[None], (), ((0, 1, "1"),), "drawn", 16.0),
    Pictures("none", np.zeros((0, 8, 8))),
    Space("none", ("", "", ""), np.zeros((0, 3)), np.zeros(0, np.intp)),
]


@pytest.fixture(autouse=True)
def light_again(qapp):
    yield
    theme.use("light")


def test_every_figure_of_the_vocabulary_has_a_widget():
    for kind in scene.FIGURES:
        assert issubclass(FIGURES[kind], QWidget), kind


@pytest.mark.slow
@pytest.mark.parametrize("name", ["light", "dark", "projector"])
@pytest.mark.parametrize(
    "figure", EXAMPLES, ids=lambda figure: f"{type(figure).__name__} {figure.title}"
)
def test_figures_show_in_every_theme_and_say_what_they_show(qtbot, qapp, figure, name):
    style.apply(qapp, name)
    widget = FIGURES[type(figure)]()
    qtbot.addWidget(widget)
    widget.resize(300, 200)
    widget.show()
    widget.set_figure(figure)
    widget.set_lit(frozenset({"curve", ""}))
    picture = widget.grab().toImage()
    assert isinstance(widget.as_text(), str)
    hint = widget.sizeHint()
    least = widget.minimumSizeHint()
    assert least.width() <= hint.width() <= 600
    assert least.height() <= max(hint.height(), 1) <= 600
    assert not picture.isNull()
    style.apply(qapp, "light")
