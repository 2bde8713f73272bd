"""Voronoi diagrams step by step: the dogs of MMDS Fig 12.21, copies, lines of points, the O(n)
edges of the erratum.
"""

from typing import Any

import numpy as np
import pytest
from scipy.spatial import ConvexHull, Voronoi

import engine
from engine.algorithms.instances.voronoi_diagram import ALGORITHM, MOST_ROWS
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.runs.trace import Trace
from engine.scene.scene import Polygons, Role, Segments
from engine.table.dataset import Dataset
from engine.table.prepare import prepare
from tests.engine.algorithms.instances.qhull import voronoi_walls

DOGS = {  # stand-in for MMDS Fig 12.1
    "weight": [2.0, 1.0, 1.5, 3.5, 6.0, 5.0, 8.0],
    "height": [5.0, 5.0, 3.5, 6.5, 6.5, 8.0, 8.0],
    "breed": ["Chihuahua"] * 3 + ["Dachshund"] * 2 + ["Beagle"] * 2,
}


def run(data: Any, pace: Pace = Pace()) -> Trace:
    run = Run(ALGORITHM, prepare(data), ALGORITHM.params(), pace=pace)
    run.advance()
    return run.trace


def sites(*points: tuple[float, float]) -> Dataset:
    x, y = zip(*points, strict=True)
    return Dataset.from_columns({"x": list(x), "y": list(y)})


def last_layers(trace: Trace, role: Role) -> list[Any]:
    layers = ALGORITHM.scene(trace.given, trace[-1]).layers
    return [layer for layer in layers if isinstance(layer, Segments) and layer.role is role]


def test_seven_dogs_have_seven_cells() -> None:
    trace = run(Dataset.from_columns(DOGS, "breed"))
    cells = trace[-1].state.cells
    assert [cell.site for cell in cells] == list(range(7))
    expected = voronoi_walls(trace.problem.xy, trace.problem.codes)
    pairs = {tuple(sorted(pair)) for pair in expected.between.tolist()}
    found = {
        tuple(sorted((cell.site, q))) for cell in cells for q in cell.across.tolist() if q >= 0
    }
    assert found == pairs
    assert trace[-1].state.edges == len(pairs)


def test_dashed_within_a_breed_and_solid_between() -> None:
    trace = run(Dataset.from_columns(DOGS, "breed"))
    codes = trace.problem.codes
    between = voronoi_walls(trace.problem.xy, trace.problem.codes).between
    same = int((codes[between[:, 0]] == codes[between[:, 1]]).sum())
    assert len(last_layers(trace, Role.SAME)[0].ends) == same
    assert len(last_layers(trace, Role.DIFFERENT)[0].ends) == len(between) - same


def test_crossed_points_have_four_quarters() -> None:
    """MMDS Exercise 12.4.2: the bisectors x1 = x2 and x1 + x2 = 5 meet in (2.5, 2.5)."""
    trace = run(sites((1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 3.0)))
    for cell in trace[-1].state.cells:
        assert min(np.abs(cell.ring - 2.5).max(1)) < 1e-9
    assert trace[-1].state.edges == 4


def test_collinear_sites_have_parallel_edges() -> None:
    trace = run(sites((0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (5.0, 5.0)))
    assert trace[-1].state.edges == 3
    assert [int((cell.across >= 0).sum()) for cell in trace[-1].state.cells] == [1, 2, 2, 1]


def test_copies_share_the_cell_of_the_first() -> None:
    trace = run(sites((0.0, 0.0), (1.0, 0.0), (0.0, 0.0)))
    assert [cell.site for cell in trace[-1].state.cells] == [0, 1]
    copies = [step for step in trace if step.line == "copy"]
    assert len(copies) == 1
    assert copies[0].note["first"] == trace.problem.names[0]


def test_one_site_has_all() -> None:
    trace = run(sites((3.0, 4.0)))
    assert (trace[-1].state.cells[0].across < 0).all()
    assert trace[-1].state.edges == 0


@pytest.mark.parametrize("n", [3, 10, 60])
def test_edges_are_few(n: int) -> None:
    """At most 3n − 6 (erratum to MMDS 12.4.2)."""
    X = np.random.default_rng(n).normal(size=(n, 2))
    trace = run(Dataset.from_columns({"x": X[:, 0], "y": X[:, 1]}), Pace(Level.ROUND))
    assert trace[-1].state.edges <= 3 * n - 6 == trace.metrics["bound"][-1]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 20))
def test_edges_however_far_away_are_counted(seed: int) -> None:
    """As many as Qhull has triangles' sides; beyond ten half extents some were lost."""
    X = np.random.RandomState(seed).normal(size=(25, 2))
    trace = run(Dataset.from_columns({"x": X[:, 0], "y": X[:, 1]}), Pace(Level.ROUND))
    edges = len(Voronoi(X).ridge_points)
    assert (trace[-1].note["cells"], trace[-1].note["edges"]) == (25, edges)
    endless = [
        step for step in trace if step.line == "cell" and "no end outwards" in step.note.text()
    ]
    assert {step.state.cell.site for step in endless} == set(ConvexHull(X).vertices.tolist())


def test_the_flat_parabola_has_seventeen_edges_and_a_finite_picture() -> None:
    trace = run(sites(*((float(x), 0.001 * x * x) for x in range(10))))
    assert (trace[-1].note["cells"], trace[-1].note["edges"]) == (10, 17)
    for step in trace:
        for layer in ALGORITHM.scene(trace.given, step).layers:
            rings = layer.rings if isinstance(layer, Polygons) else ()
            assert all(np.abs(ring).max() < 1e3 for ring in rings)


def test_corners_are_counted_without_those_of_the_picture() -> None:
    """Manners too: no corners are, one is left."""
    trace = run(sites((0.0, 0.0), (2.0, 0.0), (0.0, 2.0)))
    notes = [step.note for step in trace if step.line == "cut"]
    assert [words["corners"] for words in notes[:2]] == [0, 1]
    assert notes[0].text().endswith("0 corners are left.")
    assert notes[1].text().endswith("1 corner is left.")


def test_each_bisector_is_a_step() -> None:
    trace = run(sites((0.0, 0.0), (2.0, 0.0), (9.0, 0.0)))
    assert [step.line for step in trace][:6] == ["start", "box", "cut", "bisector", "cell", "box"]
    cut = trace[2]
    assert cut.note["m"] == (1.0, 0.0)
    assert cut.note["w"] == (2.0, 0.0)
    assert cut.state.before is not None
    assert cut.state.cell.ring[:, 0].max() == pytest.approx(1.0)


def test_a_round_ends_in_the_same_cells() -> None:
    data = Dataset.from_columns(DOGS, "breed")
    fine, coarse = run(data)[-1].state.cells, run(data, Pace(Level.ROUND))[-1].state.cells
    assert all(np.array_equal(a.ring, b.ring) for a, b in zip(fine, coarse, strict=True))


def test_the_part_cut_off_is_shown() -> None:
    trace = run(sites((0.0, 0.0), (2.0, 0.0)))
    scene = ALGORITHM.scene(trace.given, trace[2])
    _, lost = [layer for layer in scene.layers if isinstance(layer, Polygons)]
    assert lost.role is Role.DIFFERENCE
    assert lost.rings[0][:, 0].min() == pytest.approx(1.0)  # half-way, and all beyond
    (amber,) = [layer for layer in scene.layers if getattr(layer, "role", None) is Role.ACTIVE]
    assert amber.tag == "cut"  # the bisector alone


def test_too_many_rows_are_refused_with_the_reason() -> None:
    X = np.random.default_rng(0).normal(size=(MOST_ROWS + 1, 2))
    with pytest.raises(engine.EngineError, match="at most 2,000 rows"):
        engine.run("voronoi_diagram", Dataset.from_columns({"x": X[:, 0], "y": X[:, 1]}))


def test_bisectors_look_perpendicular_where_spans_allow() -> None:
    for far, equal in ((9.0, True), (300.0, False)):
        trace = run(sites((0.0, 0.0), (far, 3.0), (2.0, 5.0)))
        assert {ALGORITHM.scene(trace.given, step).equal_scales for step in trace} == {equal}


def test_a_point_without_a_place_is_reported() -> None:
    """One column and a value to predict: the value is the height, and one is missing."""
    data = engine.Dataset.from_columns(
        {"x": [1.0, 2.0, 3.0], "y": [2.0, None, 5.5]}, "y", task="regress"
    )
    with pytest.raises(engine.EngineError, match="no place"):
        engine.run("voronoi_diagram", data)
