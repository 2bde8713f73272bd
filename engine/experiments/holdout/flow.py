"""The way of the rows as boxes: the data are cut into a training and a test set, the training set
makes the model, the test set measures its error rate. MMDS Fig 12.3, 12.1.4.
"""

from typing import NamedTuple

from engine.authoring import frozen, np, number
from engine.base.notation import counted
from engine.experiments.holdout import Setting, State
from engine.experiments.parts.loss import loss_name
from engine.scene.layers import Arrows, Boxes, Labels, Layer, Role
from engine.scene.scene import NO_GROUP, Plot

WIDE, HIGH = 0.84, 0.56  # of a box; the boxes stand on a raster of 1
LEFT, RIGHT = 0.0, 1.2
LIT = {
    "share": ("data",),
    "draw": ("training set", "test set"),
    "learn": ("model",),
    "test": ("error",),
}


class Box(NamedTuple):
    """A box around (x, y). what: it is made of, "" before that is known"""

    name: str
    what: str
    x: float
    y: float


def flow(given: Setting, s: State, line: str) -> Plot:
    """The boxes of the present split, with arrows from each to what is made of it; those of the
    step lit.
    """
    boxes = boxes_of(given, s, line)
    data, training, test, model, error = boxes
    lit = LIT.get(line, ())
    links = [
        arrow(data, training, "the rest"),
        arrow(data, test, "by chance"),
        arrow(training, model, "learns"),
        arrow(test, model, "tests"),
        arrow(model, error, ""),
    ]
    layers: list[Layer] = [link for pair in links for link in pair]
    for role, some in (
        (Role.PLAIN, [box for box in boxes if box.name not in lit]),
        (Role.ACTIVE, [box for box in boxes if box.name in lit]),
    ):
        if some:
            bounds = [
                [b.x - WIDE / 2, b.y - HIGH / 2, b.x + WIDE / 2, b.y + HIGH / 2] for b in some
            ]
            layers.append(Boxes(frozen(bounds), np.full(len(some), NO_GROUP), role, tag="flow"))
    names = frozen([(box.x, box.y + (0.12 if box.what else 0.0)) for box in boxes])
    said = [box for box in boxes if box.what]
    layers.append(Labels(names, tuple(title(given, box) for box in boxes), tag="flow"))
    layers.append(
        Labels(
            frozen([(box.x, box.y - 0.12) for box in said]),
            tuple(box.what for box in said),
            Role.ACTIVE,
            tag="flow",
        )
    )
    return Plot(
        "Flow",
        "",
        "",
        tuple(layers),
        beside=True,
        x_range=(LEFT - 0.55, RIGHT + 0.55),
        y_range=(-0.4, 3.4),
        ticks=False,
    )


def boxes_of(given: Setting, s: State, line: str) -> tuple[Box, Box, Box, Box, Box]:
    """Data, training set, test set, model and error, each with what is known of it."""
    drawn = line != "share" and len(s.test) > 0
    learnt = drawn and s.model is not None
    measured = learnt and line != "learn" and s.now.errors.count > 0
    rest = len(given.rows) - len(s.test)
    error = ""
    if measured:
        e = s.now.errors.last
        m = len(s.test)
        error = number(e) if given.problem.regress else f"{round(e * m)} / {m} = {number(e)}"
    return (
        Box("data", counted(len(given.rows), "row"), (LEFT + RIGHT) / 2, 3.0),
        Box("training set", counted(rest, "row") if drawn else "", LEFT, 2.0),
        Box("test set", counted(len(s.test), "row") if drawn else "", RIGHT, 2.0),
        Box("model", given.learner.name if learnt else "", LEFT, 1.0),
        Box("error", error, LEFT, 0.0),
    )


def title(given: Setting, box: Box) -> str:
    """The name above what a box holds."""
    if box.name != "error":
        return box.name
    return loss_name(given.problem) if given.problem.regress else "error rate"


def arrow(one: Box, other: Box, name: str) -> tuple[Layer, ...]:
    """An arrow from the edge of a box to the edge of the one below it, with its name beside it."""
    aside = np.sign(other.x - one.x)
    start = np.array([one.x + aside * WIDE / 4, one.y - HIGH / 2])
    end = np.array([other.x, other.y + HIGH / 2])
    if one.name == "test set":  # the model lies beside it, one row lower
        start = np.array([one.x, one.y - HIGH / 2])
        end = np.array([other.x + WIDE / 2, other.y])
    middle = (start + end) / 2 + np.array([-0.27 if aside < 0 else 0.27, 0.0])
    if one.name == "test set":
        middle = (start + end) / 2 + np.array([0.2, -0.1])
    layers: tuple[Layer, ...] = (Arrows(start[None], end[None], Role.PLAIN, tag="flow"),)
    return (*layers, Labels(middle[None], (name,), Role.INACTIVE, tag="flow")) if name else layers
