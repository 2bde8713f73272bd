"""Locality-sensitive hashing: chances by independent reckoning, buckets, radii in turn, and who is
missed.
"""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

import engine
from engine.algorithms.instances.lsh import Setting
from engine.algorithms.instances.lsh.hashes import alike, strip
from engine.base.errors import EngineError
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.scene.scene import Cards, Plot, Points, Polygons, Polyline, Role, Table

ALGORITHM = engine.algorithms()["lsh"]
ROUND = Pace(Level.ROUND)


def columns_of(X: Any) -> Any:
    return engine.Dataset.from_columns(
        {f"x{j + 1}": column for j, column in enumerate(np.asarray(X, np.float64).T)}
    )


def run(X: Any, **params: Any) -> Any:
    return engine.run("lsh", columns_of(X), **params)


def setting(X: Any, **params: Any) -> Setting:
    found: Setting = ALGORITHM.setting(
        engine.prepare(columns_of(X)), build(ALGORITHM.params, params)
    )
    return found


def bits(n: int, d: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(0, 2, (n, d)).astype(float)


# -- chances ---------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.integers(1, 64), st.data())
def test_bits_agree_as_drawing_without_putting_back_says(B: int, data: Any) -> None:
    """C(B − d, m) / C(B, m) is the chance that none of m drawn is among the d that differ (AIMA
    18.8.3).
    """
    m, d = data.draw(st.integers(1, B)), data.draw(st.integers(0, B))
    assert alike(B, m, d) == pytest.approx(stats.hypergeom.pmf(0, B, d, m), abs=1e-12)


def test_bits_agree_as_all_draws_counted_say() -> None:
    """Of the 10 pairs of five bits, three avoid two that differ."""
    draws = list(combinations(range(5), 2))
    assert alike(5, 2, 2) == sum(not {0, 1} & set(draw) for draw in draws) / len(draws) == 0.3


def test_sixty_four_bits_at_distance_five() -> None:
    """E39: ten bits of 64 are found at distance 5 with chance 0.41 in one table; six tables make it
    95 %.
    """
    found = setting(bits(4, 64), bits=10, tables=6, hash="bits", radii=(5,))
    assert found.share(5, 5.0) == pytest.approx(stats.hypergeom.pmf(0, 64, 5, 10))
    assert found.chance(5, 5.0, 5) < 0.95 < found.chance(5, 5.0, 6)


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0, 1.7, 4.0])
@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_strips_are_shared_as_the_mean_over_directions_says(share: float, d: int) -> None:
    """In the plane 1 − 2/π · share while no strip is jumped; a segment of length d over a random
    line in general.
    """
    if d == 1:
        assert strip(1, share) == max(0.0, 1 - share)
        return

    def weight(a: float) -> float:
        return float(np.sin(a) ** (d - 2))

    whole = integrate.quad(weight, 0, np.pi / 2)[0]
    part = integrate.quad(
        lambda a: weight(a) * max(0.0, 1 - share * np.cos(a)), 0, np.pi / 2, limit=200
    )[0]
    assert strip(d, share) == pytest.approx(part / whole, abs=1e-5)
    if d == 2 and share <= 1:
        assert strip(2, share) == pytest.approx(1 - 2 * share / np.pi, abs=1e-6)


def test_what_is_counted_is_near_the_chance() -> None:
    """Over 400 draws of a table, two places one radius apart, and two rows that differ in 3 of 12
    bits.
    """
    rng = np.random.default_rng(1)
    lines = setting([[0.0, 0.0], [0.6, 0.8]], bits=2, radii=(1.0,), hash="lines")
    B = bits(2, 12)
    B[1] = B[0]
    B[1, [2, 5, 7]] = 1 - B[0, [2, 5, 7]]
    words = setting(B, bits=3, hash="bits", radii=(3,))
    for found, d, r in ((lines, 1.0, 1.0), (words, 3.0, 3.0)):
        met = np.mean([len(set(found.draw_hash(r, rng).bucket.tolist())) == 1 for _ in range(400)])
        assert met == pytest.approx(found.share(d, r), abs=0.08)


def test_pairs_are_counted_by_distance() -> None:
    """Four rows: their six pairs by hand."""
    X = np.array([[0.0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1], [1, 1, 1, 1]])
    found = setting(X, hash="bits", bits=2)
    table = found.draw_hash(1.0, np.random.default_rng(0))
    shares, many = found.counted((table,), np.arange(-0.5, 5))
    assert many.tolist() == [0, 2, 2, 1, 1]
    read = X[:, table.columns]
    for d in range(1, 5):
        pairs = [(a, b) for a, b in combinations(range(4), 2) if np.abs(X[a] - X[b]).sum() == d]
        assert shares[d] == sum((read[a] == read[b]).all() for a, b in pairs) / len(pairs)


# -- the search ------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 4), st.booleans())
def test_candidates_are_those_that_share_a_bucket(seed: int, n: int, k: int, bitwise: bool) -> None:
    rng = np.random.default_rng(seed)
    X = bits(n, 8, seed) if bitwise else rng.normal(size=(n, 3))
    query = tuple(bits(1, 8, seed + 1)[0]) if bitwise else tuple(rng.normal(size=3))
    trace = run(
        X, k=k, query=query, seed=seed, hash="bits" if bitwise else "lines", tables=2, bits=3
    )
    q = np.array(query)
    d = np.abs(X - q).sum(1) if bitwise else np.linalg.norm(X - q, axis=1)
    met: set[int] = set()
    for step in trace:
        s = step.state
        if step.line == "fill":
            for table in s.tables:
                code = (
                    X[:, table.columns]
                    if bitwise
                    else np.floor((X @ table.lines.T + table.offsets) / table.width)
                )
                own = (
                    q[table.columns]
                    if bitwise
                    else np.floor((table.lines @ q + table.offsets) / table.width)
                )
                met |= set(np.flatnonzero((code == own).all(1)).tolist())
        if step.line == "enough":
            assert set(s.candidates.tolist()) == met
            assert s.examined == len(met)
            expected = sorted(met, key=lambda i: (round(d[i], 9), i))[:k]
            assert s.neighbours.tolist() == expected
            near = sum(d[i] <= s.r * (1 + 1e-9) for i in expected)
            assert ("too few" in step.events) == (near < min(k, n))
    last = trace[-1].state
    nearest = sorted(range(n), key=lambda i: (round(d[i], 9), i))[: min(k, n)]
    assert set(last.missed.tolist()) == set(nearest) - set(last.neighbours.tolist())
    assert len(last.buckets) == 2 and len(last.buckets[0]) == n


def test_larger_radii_are_tried_until_enough_are_near() -> None:
    """MMDS 12.4.6: the only example is 3 away; radius 1 and 2 cannot be enough, 4 is, 8 is not
    tried any more.
    """
    trace = run([[3.0, 0.0]], query=(0.0, 0.0), radii=(8, 1, 4, 2), tables=30, bits=1)
    assert [step.state.r for step in trace if step.line == "radius"] == [1.0, 2.0, 4.0]
    assert [step.note["near"] for step in trace if step.line == "enough"] == [0, 0, 1]
    assert [step.state.tables[0].width for step in trace if step.line == "fill"] == [2.0, 4.0, 8.0]
    choice = [step.choice for step in trace if step.line == "enough"]
    assert [c.options[c.chosen].value for c in choice] == [False, False, True]


def test_fewer_bits_for_larger_radii_keep_the_chance() -> None:
    found = setting(bits(5, 64), bits=12, hash="bits", radii=(2, 4, 8))
    many = [found.many(r) for r in found.radii]
    assert many[0] == 12 and many == sorted(many, reverse=True)
    for r, m in zip(found.radii, many, strict=True):
        assert stats.hypergeom.pmf(0, 64, r, m) >= stats.hypergeom.pmf(0, 64, 2, 12) - 1e-12
        assert stats.hypergeom.pmf(0, 64, r, m + 1) < stats.hypergeom.pmf(0, 64, 2, 12) or m == 12


def missing() -> Any:
    """A run that finds one within its radius, but not the nearest."""
    rng = np.random.default_rng(5)
    X = rng.random((60, 2)) * 8
    for seed in range(60):
        trace = run(X, query=(4.0, 4.0), radii=(1.5,), tables=1, bits=3, seed=seed)
        s = trace[-1].state
        if len(s.missed) and len(s.neighbours):
            return trace
    raise AssertionError("no neighbour was missed")


def test_one_that_is_found_need_not_be_the_nearest() -> None:
    """F33: a near one in no bucket of the query is missed, and shown as missed, with the chance
    that it had.
    """
    trace = missing()
    s = trace[-1].state
    X = trace.problem.X
    (lost,) = s.missed.tolist()
    d = np.linalg.norm(X - 4.0, axis=1)
    assert lost == d.argmin() and d[lost] < s.distances[0]
    assert "missed" in trace[-1].events
    said = trace[-1].note
    assert said["missed"] == trace.problem.names[lost]
    assert said["far"] == pytest.approx(d[lost])
    assert said["chance"] == pytest.approx(strip(2, d[lost] / 3) ** 3)
    scene = ALGORITHM.scene(trace.given, trace[-1])
    (mark,) = [
        layer for layer in scene.layers if isinstance(layer, Points) and layer.role is Role.REJECTED
    ]
    assert mark.xy.tolist() == [X[lost].tolist()]
    (plot,) = [f for f in scene.figures if isinstance(f, Plot)]
    (there,) = [layer for layer in plot.layers if layer.tag == "missed"]
    assert there.xy[0] == pytest.approx([d[lost], said["chance"]])


@pytest.mark.parametrize("bitwise", [False, True])
def test_the_chance_to_be_found_counts_every_radius_that_was_tried(bitwise: bool) -> None:
    """Each radius has tables of its own, so that a row is missed by all of them alone: 1 − Π (1 −
    share)^ℓ.
    """
    if bitwise:
        X = bits(40, 16)
        query = (1.0,) * 16
        params = {"hash": "bits", "bits": 4, "radii": (1, 2, 3)}
    else:
        X = np.random.default_rng(4).normal(size=(60, 2)) * 3
        query = (9.0, 9.0)
        params = {"hash": "lines", "bits": 2, "radii": (1.0, 2.0, 5.0)}
    trace = run(X, query=query, tables=2, seed=1, **params)
    s = trace[-1].state
    found = trace.given
    assert s.turn == 2
    said = trace[-1].note
    near = s.missed if len(s.missed) else s.neighbours
    far = float(found.distances(near[:1])[0])
    missed = [(1 - found.share(far, r)) ** 2 for r in found.radii]
    assert said["chance"] == pytest.approx(1 - missed[0] * missed[1] * missed[2])
    assert [said[f"share{i}"] for i in range(3)] == pytest.approx(
        [found.share(far, r) for r in found.radii]
    )


def test_draws_of_all_radii_meet_two_places_as_often_as_the_law_says() -> None:
    rng = np.random.default_rng(2)
    found = setting([[0.0, 0.0], [1.2, 1.6]], bits=2, radii=(1.0, 2.0, 4.0), hash="lines")

    def met() -> bool:
        tables = [found.draw_hash(r, rng) for r in found.radii for _ in range(2)]
        return any(len(set(table.bucket.tolist())) == 1 for table in tables)

    assert np.mean([met() for _ in range(400)]) == pytest.approx(
        found.chance_in_all(2.0, 3, 2), abs=0.08
    )


def test_every_pace_ends_alike() -> None:
    X = np.random.default_rng(3).normal(size=(200, 2))
    ends = [run(X, k=5, seed=2, pace=Pace(level))[-1].state for level in Level]
    assert (
        len(
            {
                (
                    s.examined,
                    s.r,
                    s.candidates.tobytes(),
                    s.neighbours.tobytes(),
                    s.distances.tobytes(),
                )
                for s in ends
            }
        )
        == 1
    )


def test_a_tiny_share_of_many_rows_is_measured() -> None:
    """F42: of 5,000 places in the plane."""
    X = np.random.default_rng(0).random((5000, 2))
    s = run(X, query=(0.5, 0.5), radii=(0.02,), tables=4, bits=3, pace=ROUND)[-1].state
    assert s.examined < 250
    assert s.distances[0] < 0.02


# -- pictures --------------------------------------------------------------------------------------


def test_strips_and_buckets_are_where_the_hash_says() -> None:
    X = np.random.default_rng(4).random((30, 2)) * 10
    trace = run(X, query=(5.0, 5.0), radii=(1.0,), tables=2, bits=2)
    step = [step for step in trace if step.line == "bucket"][-1]
    s = step.state
    layers = ALGORITHM.scene(trace.given, step).layers
    rings = {layer.tag: layer for layer in layers if isinstance(layer, Polygons)}
    edges = {layer.tag: layer for layer in layers if isinstance(layer, Polyline)}
    for t, table in enumerate(s.tables):
        ring = rings[f"table {t + 1}"]
        assert ring.group.tolist() == [t] and edges[f"table {t + 1}"].group == t
        middle = ring.rings[0].mean(0)
        inside = middle + 0.999 * (ring.rings[0] - middle)
        assert (table.code(inside) == table.code(s.query[None])).all()
        along = (edges[f"table {t + 1}"].xy @ table.lines.T + table.offsets) / table.width
        off = np.abs(along - np.round(along)).min(axis=1)
        assert np.nanmax(off) < 1e-6  # every end lies on an edge between strips
    assert rings["table 2"].role is Role.ACTIVE


def test_the_bits_of_a_table_are_lit_in_the_examples() -> None:
    trace = run(bits(20, 6), hash="bits", bits=2, query=(0, 0, 0, 0, 0, 0))
    for step in trace:
        table = next(
            f
            for f in ALGORITHM.scene(trace.given, step).figures
            if isinstance(f, Table) and f.title == "Examples"
        )
        lit = [j for j, column in enumerate(table.columns) if column.role is Role.ACTIVE]
        if step.line == "draw":
            assert lit == step.state.tables[-1].columns.tolist()
        if step.line == "bucket":
            assert lit == step.state.tables[step.state.opened - 1].columns.tolist()
            assert table.current == tuple(step.details["new"].tolist())


def test_what_bits_and_radii_must_be_is_said() -> None:
    with pytest.raises(EngineError, match="needs columns of 0 and 1"):
        run([[0.5, 1.0], [1.0, 0.0]], hash="bits")
    with pytest.raises(EngineError, match="above 0"):
        run([[0.5, 1.0]], radii=(0.0, 1.0))
    assert not setting([[0.5, 1.0]]).bitwise and setting([[0.0, 1.0]]).bitwise
    assert not setting([[0.0, 1.0]], hash="lines").bitwise


def test_colours_of_classes_mean_classes_only() -> None:
    """A table has a colour of its own on the plane and in its list, and none that a class has."""
    trace = engine.run("lsh", engine.generate("blobs", 30, seed=1, classes=3), tables=4)
    used = set()
    for step in trace:
        scene = ALGORITHM.scene(trace.given, step)
        for layer in scene.layers:
            amber = layer.tag == "current"  # the frame of the fullest bucket
            if isinstance(layer, (Polyline, Polygons)) and not amber:
                used |= {int(g) for g in np.atleast_1d(layer.group)}
        for figure in scene.figures:
            if isinstance(figure, Table) and figure.title.startswith("Tables"):
                assert figure.group.tolist() == [3 + t for t in range(len(figure.names))]
    assert used == {3, 4, 5, 6}
    many = engine.run("lsh", engine.generate("blobs", 30, seed=1, classes=3), tables=7)
    last = ALGORITHM.scene(many.given, many[-1])
    assert {int(layer.group) for layer in last.layers if isinstance(layer, Polyline)} == {
        -1,
        3,
        4,
        5,
        6,
        7,
    }


def test_the_last_step_says_what_the_buckets_did() -> None:
    trace = engine.run("lsh", ALGORITHM.example())
    assert trace[-1].note.text().startswith("The nearest in a bucket of “?”: ")
    far = engine.run("lsh", engine.generate("blobs", 20), query=(90.0, 90.0), radii=(0.1,))
    assert far[-1].state.examined == 0
    assert far[-1].note.text().startswith("In the buckets of “?” is none of 20 examples. Missed: ")


def test_the_number_that_was_measured_agrees_with_its_verb() -> None:
    """One of four was measured, not “were”: the verb belongs to the first number."""
    X = [[0.0, 0.0], [900.0, 0.0], [0.0, 900.0], [900.0, 900.0]]
    text = engine.run("lsh", (X, ["A", "B", "A", "B"]), query=(0.1, 0.1))[-1].note.text()
    assert "1 of 4 examples was in one and measured" in text


def test_the_cards_of_a_table_hold_the_rows_that_agree_in_its_bits() -> None:
    data = engine.textbook("spam")
    trace = engine.run("lsh", data)
    step = next(step for step in trace if step.line == "bucket")
    cards = trace.algorithm.scene(trace.given, step).figures[0].cards
    X, names = trace.problem.X, trace.problem.names
    for lane, table in enumerate(step.state.tables):
        own = [card for card in cards if card.lane == lane and card.note == "of “?”"]
        agree = (X[:, table.columns] == step.state.query[table.columns]).all(axis=1)
        assert [row.cells[0] for row in own[0].rows] == [names[i] for i in np.flatnonzero(agree)]
        assert (own[0].role is Role.ACTIVE) == (lane == step.state.opened - 1)
        every = [row.cells[0] for card in cards if card.lane == lane for row in card.rows]
        assert sorted(every) == sorted(names), "each example lies in one bucket"


def test_the_open_bucket_is_in_amber_on_the_plane_and_among_the_cards() -> None:
    trace = engine.run("lsh", engine.generate("blobs", 60, seed=1))
    seen = 0
    for step in trace:
        if step.line != "bucket":
            continue
        scene = trace.algorithm.scene(trace.given, step)
        cards = next(f for f in scene.figures if isinstance(f, Cards)).cards
        assert [card.lane for card in cards if card.role is Role.ACTIVE] == [step.state.opened - 1]
        amber = [k for k in scene.layers if getattr(k, "role", None) is Role.ACTIVE]
        assert [k.tag for k in amber] == [f"table {step.state.opened}"]
        seen += 1
    assert seen
