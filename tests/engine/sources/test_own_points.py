"""Points clicked onto an empty plane: what the algorithm looks at, and each in its place when that
changes.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.document.document import Document
from engine.document.edits import add_points, shown
from engine.document.lane import lane
from engine.protocol.algorithm import Needs
from engine.protocol.registry import algorithm
from engine.sources.own_points import (
    PointKind,
    as_kind,
    axis_titles,
    empty_plane,
    kind_for,
    kind_of,
    taken_by,
)
from engine.table.dataset import ColumnRole

CLASSES, VALUES, PLAIN = PointKind.CLASSES, PointKind.VALUES, PointKind.PLAIN
PLACES = st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("perceptron", CLASSES),
        ("decision_tree", CLASSES),
        ("backpropagation", CLASSES),
        ("linear_regression", VALUES),
        ("polynomial_fit", VALUES),
        ("em_means", PLAIN),
        ("kd_tree", PLAIN),
        ("voronoi_diagram", PLAIN),
    ],
)
def test_an_empty_plane_is_what_the_algorithm_learns_from(key: str, kind: PointKind) -> None:
    needs = algorithm(key).needs
    assert kind_for(needs) is kind
    for other in PointKind:
        assert kind_of(taken_by(empty_plane(other), needs)) is kind


def test_the_columns_of_each_kind() -> None:
    columns = {
        kind: [(c.name, c.feature.numeric, c.role) for c in empty_plane(kind).columns]
        for kind in PointKind
    }
    feature, target = ColumnRole.FEATURE, ColumnRole.TARGET
    assert columns[CLASSES] == [("x1", True, feature), ("x2", True, feature), ("y", False, target)]
    assert columns[VALUES] == [("x", True, feature), ("y", True, target)]
    assert columns[PLAIN] == [("x1", True, feature), ("x2", True, feature)]
    assert empty_plane().classes == (1, -1)
    assert [axis_titles(empty_plane(kind)) for kind in PointKind] == [
        ("x₁", "x₂"),
        ("x", "y"),
        ("x₁", "x₂"),
    ]


@given(PLACES, st.sampled_from(list(PointKind)), st.sampled_from(list(PointKind)))
def test_a_point_keeps_its_place_when_its_kind_changes(
    places, first: PointKind, second: PointKind
) -> None:
    document = Document(empty_plane(first), (lane("kd_tree"),))
    document = add_points(document, np.array(places), 0 if first is CLASSES else None)
    data = as_kind(document.data, second)
    assert kind_of(data) is second
    changed = Document(data, document.lanes)
    assert np.array_equal(shown(changed, changed.problem()).xy, places)


def test_other_tables_are_left_alone() -> None:
    for data in (
        engine.textbook("restaurant"),
        engine.generate("moons"),
        engine.generate("blobs").take([]),
    ):
        assert kind_of(data) is None
        assert as_kind(data, VALUES) is data
        assert taken_by(data, Needs(labels=False, values=True)) is data


def test_points_that_are_there_are_not_changed_by_another_algorithm() -> None:
    data = add_points(Document(empty_plane(), ()), [[1.0, 2.0]], 1).data
    assert taken_by(data, algorithm("linear_regression").needs) is data


def test_a_class_more_is_still_the_persons_own_plane() -> None:
    data = add_points(Document(empty_plane(), ()), [[1.0, 2.0]], 2).data
    assert len(data.classes) == 3
    assert kind_of(data) is CLASSES
    assert kind_of(as_kind(data.take([]), VALUES)) is VALUES
