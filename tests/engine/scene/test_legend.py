"""The legend of a scene: words and numbers of its marks, and the scene without them.

Counts are from the definitions.
"""

import numpy as np
import pytest

import engine
from engine.scene.layers import (
    Arrows,
    Circles,
    Field,
    Layer,
    Line,
    Points,
    Polyline,
    Role,
    Segments,
)
from engine.scene.legend import (
    ABOUT,
    BEFORE,
    MARGIN,
    NOW,
    ORDER,
    QUERY,
    SIZE,
    SIZES,
    WORDS,
    WRONG,
    WRONG_H,
    legend,
    without,
    words_of,
)

FOUR = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def points(role: Role = Role.POINT, tag: str = "data", rows: int = 4, **more: object) -> Points:
    return Points(FOUR[:rows], np.array([0, 0, 1, 1][:rows]), role, tag=tag, **more)  # type: ignore[arg-type]


def legend_of(*layers: Layer) -> dict[str, int]:
    return {mark.words: mark.count for mark in legend(layers)}


def test_what_explains_itself_has_no_row() -> None:
    curve = Polyline(FOUR, Role.BOUNDARY, tag="curve")
    assert (
        legend_of(
            points(),
            points(Role.SAMPLE),
            curve,
            Field("class", boundary=True),
            Line(np.ones(2), 0.0),
        )
        == {}
    )
    assert legend(()) == ()


def test_crosses_are_counted_and_points_without_prediction_or_class_are_not_wrong() -> None:
    assert legend_of(points(shown=np.array([0, 1, 0, 1]))) == {WRONG: 2}
    assert legend_of(points(shown=np.array([0, -1, -1, 1]))) == {}
    assert legend_of(Points(FOUR, np.full(4, -1), shown=np.zeros(4, np.int64))) == {}


def test_crosses_of_one_learner_are_not_those_of_the_vote() -> None:
    shown = np.array([0, 1, 0, 1])
    assert legend_of(points(shown=shown, partial=True)) == {WRONG_H: 2}
    assert without((points(shown=shown, partial=True),), frozenset({WRONG}))[0].shown is shown  # type: ignore[union-attr]
    right = without((points(shown=shown, partial=True),), frozenset({WRONG_H}))[0]
    assert right.shown.tolist() == [0, 0, 1, 1]  # type: ignore[union-attr]


def test_rings_of_several_layers_add_up_and_empty_layers_count_nothing() -> None:
    free, bounded = points(Role.SUPPORT, "free", 3), points(Role.BOUNDED, "bounded", 2)
    assert legend_of(free, bounded, points(Role.SUPPORT, "free", 1)) == {
        "free, 0 < α < C": 4,
        "bounded, α = C": 2,
    }
    assert legend_of(points(Role.SUPPORT, "free", 0)) == {}


def test_sizes_are_explained_when_they_differ() -> None:
    assert legend_of(points(weight=np.array([1.0, 2.0, 1.0, 1.0]))) == {SIZE: -1}
    assert legend_of(points(weight=np.ones(4))) == {}


def test_what_a_size_means_depends_on_what_is_drawn() -> None:
    counts = points(tag="counts", weight=np.array([0.0, 3.0, 1.0, 0.0]))
    assert legend_of(counts) == {SIZES["counts"]: -1}
    (same,) = without((counts,), frozenset({SIZE}))
    (equal,) = without((counts,), frozenset({SIZES["counts"]}))
    assert same.weight is not None and equal.weight is None  # type: ignore[union-attr]


def test_a_kind_of_mark_has_one_row_whatever_it_is_drawn_with() -> None:
    arrow = Arrows(FOUR[:1], FOUR[1:2], Role.ACTIVE, tag="change")
    ghosts = Line(np.ones(2), 0.0, Role.GHOST, tag="before"), points(Role.GHOST, "before")
    assert legend_of(points(Role.ACTIVE, "current", 1), arrow, *ghosts) == {NOW: -1, BEFORE: -1}
    upright = Segments(np.array([[[0.0, -np.inf], [0.0, np.inf]]]), Role.MARGIN, tag="query")
    assert list(legend_of(upright, Points(FOUR[:1], np.array([-1]), Role.QUERY, tag="query"))) == [
        QUERY
    ]


def test_rows_stand_in_the_same_order_for_every_order_of_layers() -> None:
    layers = [
        points(Role.SUPPORT, "free", 3),
        points(shown=np.array([0, 1, 0, 1]), weight=np.arange(4.0)),
        Circles(FOUR[:1], np.ones(1), Role.BALL, tag="ball"),
        points(Role.ACTIVE, "current", 1),
    ]
    assert (
        list(legend_of(*layers))
        == list(legend_of(*layers[::-1]))
        == sorted(legend_of(*layers), key=ORDER.index)
    )


def test_marks_of_an_unknown_algorithm_have_the_words_of_their_role() -> None:
    assert words_of(points(Role.REJECTED, "of my own")) == "rejected"
    assert words_of(Line(np.ones(2), 0.0, Role.CANDIDATE, tag="of my own")) == "candidate"
    assert words_of(Line(np.ones(2), 0.0, Role.PLAIN, tag="of my own")) == ""
    assert set(ABOUT) <= set(ORDER) and len(ORDER) == len(set(ORDER)) >= len(
        {words for *_, words in WORDS}
    )


def test_without_takes_away_what_it_names_and_nothing_else() -> None:
    data = points(shown=np.array([0, 1, 0, 1]), weight=np.array([1.0, 2.0, 3.0, 4.0]))
    margins = Field("score", boundary=True, margins=(-1.0, 1.0))
    layers = (
        margins,
        Line(np.ones(2), 1.0, Role.MARGIN, tag="margins"),
        data,
        points(Role.SUPPORT, "free", 2),
    )
    assert without(layers, frozenset()) == layers
    assert without(layers, frozenset({"free, 0 < α < C"})) == layers[:3]
    right = without(layers, frozenset({WRONG}))
    assert right[2].shown.tolist() == [0, 0, 1, 1] and right[2].weight is data.weight  # type: ignore[union-attr]
    assert data.shown.tolist() == [0, 1, 0, 1]  # type: ignore[union-attr]
    equal = without(layers, frozenset({SIZE}))[2]
    assert equal.weight is None and equal.shown is data.shown  # type: ignore[union-attr]
    bare = without(layers, frozenset({MARGIN}))
    assert len(bare) == 3 and bare[0].margins == () and bare[0].boundary  # type: ignore[union-attr]


def test_what_is_hidden_keeps_no_row_and_the_rest_keeps_its_own() -> None:
    trace = engine.run("svm", engine.generate("moons", 40, 0.3, 1))
    scene = trace.algorithm.scene(trace.given, trace[-1])
    rows = legend_of(*scene.layers)
    alpha = trace[-1].state.alpha
    most = trace.params.C
    assert rows["bounded, α = C"] == int((alpha >= most * (1 - 1e-9)).sum()) > 0
    assert rows["free, 0 < α < C"] == int(((alpha > 0) & (alpha < most * (1 - 1e-9))).sum()) > 0
    for words in rows:
        left = legend_of(*without(scene.layers, frozenset({words})))
        assert left == {other: count for other, count in rows.items() if other != words}
    assert legend_of(*without(scene.layers, frozenset(rows))) == {}


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(engine.algorithms()))
def test_every_algorithm_can_do_without_its_marks(key: str) -> None:
    algorithm = engine.algorithms()[key]
    run = engine.Run(algorithm, algorithm.example(), algorithm.params())
    run.advance(max_steps=60)
    for step in run.trace:
        layers = algorithm.scene(run.trace.given, step).layers
        rows = legend_of(*layers)
        assert rows.keys() <= set(ORDER) and all(count != 0 for count in rows.values())
        assert legend_of(*without(layers, frozenset(rows))) == {}
