"""The edges between boxes."""

import numpy as np

from engine.scene.geometry import dividing_edges


def test_dividing_edges_are_the_common_parts() -> None:
    bounds = np.array([[0.0, 0, 1, 2], [1.0, 1, 2, 3], [0.0, 2, 1, 4]])
    found = {
        tuple(map(tuple, edge)) for edge in dividing_edges(bounds, np.array([0, 1, 2])).tolist()
    }
    assert found == {((1, 1), (1, 2)), ((1, 2), (1, 3)), ((0, 2), (1, 2))}
