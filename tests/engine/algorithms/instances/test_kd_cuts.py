"""The cuts of a k-d tree on the plane: the level by the width of the line, the order by
its number.
"""

import numpy as np

import engine
from engine.scene.scene import Segments


def cuts(n: int) -> Segments:
    trace = engine.run("kd_tree", engine.generate("blobs", n))
    scene = trace.algorithm.scene(trace.given, trace[-1])
    return next(
        layer for layer in scene.layers if isinstance(layer, Segments) and layer.tag == "boxes"
    )


def test_each_test_of_the_tree_is_one_cut_the_root_the_widest() -> None:
    layer = cuts(16)
    width = np.asarray(layer.width)
    assert len(layer.ends) == 15  # 16 leaves of one example
    counts = {float(w): int((width == w).sum()) for w in np.unique(width)}
    assert counts[float(width.max())] == 1
    assert width[0] == width.max()
    assert layer.label[:8] == ("1", "2", "3", "4", "5", "6", "7", "")
    along = np.isclose(layer.ends[:, 0], layer.ends[:, 1])
    assert (along.sum(axis=1) == 1).all()  # each along one axis


def test_a_cut_halves_its_examples() -> None:
    data = engine.generate("blobs", 17)
    layer = cuts(17)
    x = data["x1"].values
    at = layer.ends[0, 0, 0]
    assert (x <= at).sum() == 9
