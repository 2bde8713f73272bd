"""The nearest flip in the window: an arrow on the plane and a sentence below “Why?”, for what a
person asks about.
"""

from collections.abc import Callable

import pytest
from laboratory import Lab

from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.scene import Arrows
from engine.sources.generators import generate


def arrows(lab: Lab) -> list[Arrows]:
    return [
        layer for layer in lab.plane.layers() if isinstance(layer, Arrows) and layer.tag == "flip"
    ]


def at_the_end(open_lab: Callable[..., Lab], key: str, **params: object) -> Lab:
    lab = open_lab(Document(generate("blobs", seed=1), (lane(key, **params),)))
    lab.session.seek(len(lab.session.trace) - 1)
    return lab


def test_the_probe_has_its_way_out(open_lab: Callable[..., Lab]) -> None:
    lab = at_the_end(open_lab, "perceptron")
    assert not arrows(lab)
    lab.session.place_probe((0.5, 1.0))
    lab.settle_drawing()
    (arrow,) = arrows(lab)
    w1, w2 = lab.session.step.state.w
    score = 0.5 * w1 + 1.0 * w2
    assert arrow.end[0] == pytest.approx(
        arrow.start[0] - score * lab.session.step.state.w / (w1 * w1 + w2 * w2)
    )
    assert (
        "nearest flip" in lab.window.right_dock.why.as_text()
        and "exact" in lab.window.right_dock.why.as_text()
    )
    lab.session.player.play()
    assert not arrows(lab), "while steps fly by nothing is asked"


def test_what_has_to_be_searched_comes_later(open_lab: Callable[..., Lab]) -> None:
    lab = at_the_end(open_lab, "nearest_neighbours", k=3)
    lab.session.place_probe((0.5, 1.0))
    lab.until(lambda: bool(arrows(lab)))
    assert "searched" in lab.window.right_dock.why.as_text()
