"""Shattering against brute force (mitchell A22, A23, B2-B4, D9, D10, F16, F17; aima E08, E10), and
its grid of small pictures.
"""

import re
import time
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.notation import fixed, read_number
from engine.experiments.shattering import four_points, labels, seek, shattered
from engine.experiments.shattering.cube import separable
from engine.experiments.shattering.hypotheses import dimension, holds, most
from engine.protocol.step import Level, Pace
from engine.scene.scene import Boxes, Plot, Role, Segments

places = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
points = st.lists(places, min_size=1, max_size=5)


def run(xy: Any, **params: Any) -> Any:
    x, y = zip(*xy, strict=True)
    return engine.run(
        "shattering", engine.Dataset.from_columns({"x1": list(x), "x2": list(y)}), **params
    )


def numbers(trace: Any) -> list[int]:
    return trace[-1].state.numbers


# -- oracles: whole numbers and every candidate, no programme --------------------------------------


def turn(a: Any, b: Any, c: Any) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def parted(plus: list[Any], minus: list[Any]) -> bool:
    """Whether a line parts two sets of whole places: then one through two of all of them, turned a
    little, does.
    """
    if not plus or not minus:
        return True
    if set(plus) & set(minus):
        return False
    # a line through one of each, turned so that they fall on their sides
    for a, b in product(plus, minus):
        for p, q, up in ((a, b, 1), (a, b, -1)):
            sides = [(up * turn(p, q, c), c, True) for c in plus] + [
                (up * turn(p, q, c), c, False) for c in minus
            ]
            if any((side < 0) if own else (side > 0) for side, _, own in sides):
                continue
            along = [
                ((c[0] - p[0]) * (q[0] - p[0]) + (c[1] - p[1]) * (q[1] - p[1]), own)
                for side, c, own in sides
                if side == 0
            ]
            if max(t for t, own in along if own) < min(t for t, own in along if not own):
                return True
    return False


def round_apart(plus: list[Any], minus: list[Any]) -> bool:
    """Whether a disc holds all of the first and none of the second: unless a mix of some + is a mix
    of some −, with squares that are on average no smaller. Four points are enough for that (Radon).
    """
    if not plus or not minus:
        return True
    if set(plus) & set(minus):
        return False
    every = [(p, 1) for p in plus] + [(q, -1) for q in minus]
    for size in (2, 3, 4):
        for chosen in combinations(every, size):
            if mixed([p for p, s in chosen if s > 0], [q for q, s in chosen if s < 0]):
                return False
    return True


def mixed(a: list[Any], b: list[Any]) -> bool:
    """Whether places a and b (four at most in all, on both sides) have a mix in common at which a's
    squares are at least b's.
    """
    if not a or not b:
        return False
    ways = [(p, 1) for p in a] + [(q, -1) for q in b]
    rows = [
        [Fraction(s * p[0]) for p, s in ways],
        [Fraction(s * p[1]) for p, s in ways],
        [Fraction(1 if s > 0 else 0) for _, s in ways],
        [Fraction(0 if s > 0 else 1) for _, s in ways],
    ]
    for weights in vertices(rows, [Fraction(0), Fraction(0), Fraction(1), Fraction(1)]):
        lift = sum(w * s * (p[0] ** 2 + p[1] ** 2) for w, (p, s) in zip(weights, ways, strict=True))
        if lift >= 0:
            return True
    return False


def vertices(rows: list[list[Fraction]], right: list[Fraction]) -> list[list[Fraction]]:
    """The basic solutions ≥ 0 of rows · w = right."""
    n = len(rows[0])
    found = []
    for used in (c for k in range(1, n + 1) for c in combinations(range(n), k)):
        w = solved([[row[j] for j in used] for row in rows], right)
        if w is not None and min(w) >= 0:
            found.append([w[used.index(j)] if j in used else Fraction(0) for j in range(n)])
    return found


def solved(A: list[list[Fraction]], b: list[Fraction]) -> list[Fraction] | None:
    """The one solution of A w = b, by elimination; None where there is none or there
    are several.
    """
    table = [[*row, v] for row, v in zip(A, b, strict=True)]
    n = len(A[0])
    for at in range(n):
        pivot = next((i for i in range(at, len(table)) if table[i][at] != 0), None)
        if pivot is None:
            return None
        table[at], table[pivot] = table[pivot], table[at]
        table[at] = [v / table[at][at] for v in table[at]]
        for i in range(len(table)):
            if i != at:
                table[i] = [v - table[i][at] * t for v, t in zip(table[i], table[at], strict=True)]
    return [row[-1] for row in table[:n]] if all(row[-1] == 0 for row in table[n:]) else None


def boxed(plus: list[Any], minus: list[Any], columns: int = 2) -> bool:
    """Whether some box with edges half-way between whole numbers holds just the first."""
    edges = [v - 0.5 for v in range(-5, 7)]
    sides = [[(lo, hi) for lo in edges for hi in edges] for _ in range(columns)]
    return any(
        all(all(lo < p[j] < hi for j, (lo, hi) in enumerate(box)) for p in plus)
        and not any(all(lo < q[j] < hi for j, (lo, hi) in enumerate(box)) for q in minus)
        for box in product(*sides)
    )


def told_by(way: Any, xy: list[Any]) -> list[int]:
    made = []
    for number in range(1 << len(xy)):
        plus = labels(number, len(xy))
        if way(
            [p for p, yes in zip(xy, plus, strict=True) if yes],
            [p for p, yes in zip(xy, plus, strict=True) if not yes],
        ):
            made.append(number)
    return made


# -- agreement -------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(points)
def test_lines_are_those_of_brute_force(xy: list[Any]) -> None:
    trace = run(xy, hypotheses="lines")
    assert numbers(trace) == told_by(parted, xy)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.lists(places, min_size=1, max_size=4))
def test_discs_are_those_of_brute_force(xy: list[Any]) -> None:
    assert numbers(run(xy, hypotheses="discs")) == told_by(round_apart, xy)


@settings(max_examples=10, deadline=None)
@given(st.lists(places, min_size=1, max_size=4))
def test_intervals_are_those_of_brute_force(xy: list[Any]) -> None:
    assert numbers(run(xy, hypotheses="intervals")) == told_by(lambda a, b: boxed(a, b, 1), xy)


@pytest.mark.slow
def test_boxes_are_those_of_brute_force() -> None:
    for xy in ([(-2, 0), (2, 1), (0, 3), (1, -3)], [(0, 0), (1, 1), (2, 2), (1, 0)]):
        assert numbers(run(xy, hypotheses="boxes")) == told_by(boxed, xy)


def triangled(plus: list[Any], minus: list[Any]) -> bool:
    """Whether three of 60 directions have sides that touch the + and leave all − outside: some
    triangles are missed, none is made up.
    """
    if not plus:
        return True
    angle = np.pi * np.arange(60) / 30 + 0.01
    normal = np.column_stack([np.cos(angle), np.sin(angle)])
    reach = (normal @ np.array(plus).T).max(axis=1)
    out = normal @ np.array(minus, float).reshape(-1, 2).T > reach[:, None] + 1e-9
    for three in combinations(range(60), 3):
        gaps = np.diff([*three, three[0] + 60])
        if gaps.max() < 30 and out[list(three)].any(axis=0).all():
            return True
    return False


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.lists(places, min_size=1, max_size=5))
def test_no_triangle_of_a_scan_is_overlooked_and_each_that_is_found_holds(xy: list[Any]) -> None:
    trace = run(xy, hypotheses="triangles")
    made = numbers(trace)
    for number, answer in enumerate(trace[-1].state.answers):
        plus = labels(number, len(xy))
        if number in made:
            assert (holds("triangles", answer.shape, np.array(xy, float)) == plus).all()
        else:
            pairs = list(zip(xy, plus, strict=True))
            assert not triangled([p for p, yes in pairs if yes], [p for p, yes in pairs if not yes])


def test_triangles_shatter_seven_points_on_a_circle_and_no_eight() -> None:
    """mitchell E7.5: of eight points only + − + − … and its opposite need four sides. The first
    four rows are every second point of the circle.
    """
    circle = engine.textbook("eight_on_a_circle")
    seven = engine.run("shattering", circle, hypotheses="triangles", points=7)
    assert seven[-1].state.made == 128 and seven.when("shattered")
    eight = engine.run("shattering", circle, hypotheses="triangles", points=8)
    assert [k for k in range(256) if k not in numbers(eight)] == [0b00001111, 0b11110000]
    words = next(step for step in eight if step.line == "cross").note.text()
    assert "no three sides" in words


def test_a_triangle_of_one_point_or_of_points_in_a_row() -> None:
    row = engine.run("shattering", engine.textbook("three_in_a_row"), hypotheses="triangles")
    assert [k for k in range(8) if k not in numbers(row)] == [0b101]
    assert run([(1, 1), (1, 1)], hypotheses="triangles")[-1].state.made == 2
    assert run([(2, 3)], hypotheses="triangles")[-1].state.made == 2


@pytest.mark.parametrize(
    ("data", "settings", "made", "of"),
    [
        ("three_corners", {"hypotheses": "lines"}, 8, 8),  # B4, Fig 7.4(a): shattered
        ("three_in_a_row", {"hypotheses": "lines"}, 6, 8),  # B4, Fig 7.4(b): not
        ("interval_pair", {"hypotheses": "intervals"}, 4, 4),  # B2
        ("three_bits", {"hypotheses": "conjunctions"}, 8, 8),  # B3
        ("eight_on_a_circle", {"hypotheses": "discs", "points": 4}, 14, 16),  # E7.5: 3 of discs
    ],
)
def test_the_sets_of_the_chapter(data: str, settings: dict[str, Any], made: int, of: int) -> None:
    """mitchell B2-B4, E7.5."""
    state = engine.run("shattering", engine.textbook(data), **settings)[-1].state
    assert (state.made, state.looked) == (made, of)


def test_four_points_in_a_diamond_are_shattered_by_boxes_and_no_five_are() -> None:
    """mitchell E7.5: VC dimension 4."""
    diamond = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    assert run(diamond, hypotheses="boxes")[-1].state.made == 16
    for fifth in [(0, 0), (2, 2), (3, 0)]:
        assert run([*diamond, fifth], hypotheses="boxes")[-1].state.made < 32


@pytest.mark.parametrize("kind", ["lines", "boxes", "discs", "triangles", "intervals"])
def test_what_is_found_makes_the_labelling(kind: str) -> None:
    for xy in (four_points(), engine.generate("moons", 5, seed=3)):
        trace = engine.run("shattering", xy, hypotheses=kind)
        for number, answer in enumerate(trace[-1].state.answers):
            made = holds(kind, answer.shape, trace.given.points) == labels(number, trace.given.n)
            assert made.all() == answer.made


# -- what the text prints --------------------------------------------------------------------------


def test_a_line_parts_three_points_but_not_the_diagonals_of_four() -> None:
    """The mock-up: 14 of 16; ½ x₁ + ½ x₃ = 0.6 x₂ + 0.4 x₄ = (0.20, 0.15)."""
    trace = engine.run("shattering", four_points())
    state = trace[-1].state
    assert (state.made, state.looked, state.fails, state.counts) == (
        14,
        16,
        (0, 1, 2, 3),
        (4, 6, 4, 0),
    )
    crossed = [step for step in trace if step.line == "cross"]
    assert [step.state.current for step in crossed] == [0b0101, 0b1010]
    note = crossed[1].note
    assert [note[f"a{i}"] for i in range(4)] == pytest.approx([0.5, 0.6, 0.5, 0.4])
    assert [*note["of+"], *note["of−"]] == pytest.approx([0.2, 0.15, 0.2, 0.15])
    assert (trace[-1].note["most"], trace[-1].note["vc"]) == (14, 3)


@pytest.mark.parametrize(("third", "fails"), [((0, 1), ()), ((2, 2), (0, 1, 2))])
def test_three_points_are_shattered_unless_they_lie_on_a_line(
    third: tuple[int, int], fails: tuple[int, ...]
) -> None:
    """mitchell B4, ML Fig 7.4: (0, 0), (1, 0), (0, 1) and (0, 0), (1, 1), (2, 2)."""
    trace = run([(0, 0), (1, 0) if not fails else (1, 1), third])
    assert trace[-1].state.fails == fails
    assert bool(trace.when("shattered")) == (not fails)
    assert len(trace.when("crossed")) == (2 if fails else 0)


def test_points_that_are_nearly_on_a_line_are_on_it() -> None:
    assert run([(0.1, 0.1), (0.2, 0.2), (0.3, 0.1 + 0.2)])[-1].state.made == 6


def test_intervals_shatter_two_numbers_and_no_three() -> None:
    """mitchell B2, D9: 3.1 and 5.7; + − + is never made."""
    two = engine.run(
        "shattering", engine.Dataset.from_columns({"x": [3.1, 5.7]}), hypotheses="intervals"
    )
    assert two[-1].state.made == 4 and two.when("shattered")
    three = engine.run(
        "shattering", engine.Dataset.from_columns({"x": [3.1, 5.7, 8.0]}), hypotheses="intervals"
    )
    assert [k for k in range(8) if k not in numbers(three)] == [0b101]
    assert three[-1].state.made == most("intervals", 3) == 7
    assert next(s for s in three if s.line == "cross").note["point"] == "x₂"


@pytest.mark.parametrize("d", [2, 3])
def test_conjunctions_shatter_as_many_rows_as_there_are_columns(d: int) -> None:
    """mitchell B3, D10: 100, 010, 001; of d + 1 rows no set is shattered."""
    rows = {f"f{j + 1}": [i == j for i in range(d)] for j in range(d)}
    assert engine.run("shattering", engine.Dataset.from_columns(rows))[-1].state.made == 1 << d
    for chosen in combinations(product((0.0, 1.0), repeat=d), d + 1):
        X = np.array(chosen)
        assert not all(seek("conjunctions", X, labels(k, d + 1)).made for k in range(1 << (d + 1)))
    assert dimension("conjunctions", d) == d


def test_a_single_column_is_an_exception() -> None:
    """mitchell D10: with f ∧ ¬f, which never holds, conjunctions of one column shatter both its
    rows.
    """
    trace = engine.run("shattering", engine.Dataset.from_columns({"f": [False, True]}))
    assert trace[-1].state.made == 4
    assert "vc" not in [fact.text.strip("{}") for fact in trace[-1].note.facts]


@pytest.mark.slow
@pytest.mark.parametrize(("inputs", "made"), [(1, 4), (2, 14), (3, 104)])
def test_boolean_functions_that_a_threshold_makes(inputs: int, made: int) -> None:
    """AIMA Ex 18.20: of all 4, 16, 256 functions; the oracle tries whole weights up to 2 and half
    thresholds.
    """
    rows = np.array(list(product((0, 1), repeat=inputs)))
    weights = product(range(-2, 3), repeat=inputs)
    tried = {tuple(rows @ w > t + 0.5) for w in map(np.array, weights) for t in range(-7, 7)}
    assert len(tried) == made
    columns = {f"f{j + 1}": rows[:, j].astype(bool) for j in range(inputs)}
    trace = engine.run(
        "shattering", engine.Dataset.from_columns(columns), hypotheses="half-spaces", points=8
    )
    assert {tuple(labels(k, len(rows))) for k in numbers(trace)} == tried


def test_points_in_general_position_are_shattered_by_half_spaces() -> None:
    """AIMA Ex 18.25: N points in N − 1 dimensions."""
    X = np.vstack([np.zeros(3), np.eye(3)])
    columns = {f"x{j + 1}": X[:, j] for j in range(3)}
    trace = engine.run("shattering", engine.Dataset.from_columns(columns), hypotheses="half-spaces")
    assert trace[-1].state.made == 16 and dimension("half-spaces", 3) == 4


def test_most_labellings_are_those_of_points_in_general_position() -> None:
    """Lines: 2 Σ C(n − 1, k), k ≤ 2; a circle of five points and one inside cannot have more."""
    assert [most("lines", n) for n in range(1, 6)] == [2, 4, 8, 14, 22]
    assert [most("lines", n) for n in range(1, 9)] == [
        2 * sum(comb(n - 1, k) for k in range(3)) for n in range(1, 9)
    ]
    turn_ = 2 * np.pi * np.arange(5) / 5
    assert run(np.column_stack([np.cos(turn_), np.sin(turn_)]))[-1].state.made == 22


def test_sets_are_counted_from_the_labellings_of_all_points() -> None:
    """Whoever makes + − + and so on of four also makes it of three of them: against runs of the
    sets by themselves.
    """
    xy = [(0, 0), (1, 1), (2, 2), (0, 1)]
    counts, fails = shattered(numbers(run(xy)), 4)
    alone = {
        c: run([xy[i] for i in c])[-1].state.made == 1 << len(c)
        for k in range(1, 5)
        for c in combinations(range(4), k)
    }
    assert counts == tuple(
        sum(good for c, good in alone.items() if len(c) == k) for k in range(1, 5)
    )
    assert fails == next(c for c, good in alone.items() if not good) == (0, 1, 2)


# -- the run and its picture -----------------------------------------------------------------------


@pytest.mark.slow
def test_five_points_by_lines_take_no_time() -> None:
    data = engine.generate("moons", 5, seed=3)
    engine.run("shattering", data)
    begun = time.process_time()
    assert len(engine.run("shattering", data)[-1].state.answers) == 32
    assert time.process_time() - begun < 0.2


def test_a_turned_line_is_the_answer_to_the_opposite_labelling() -> None:
    answers = engine.run("shattering", four_points())[-1].state.answers
    for number, answer in enumerate(answers):
        assert answer.shape.tolist() == (-answers[15 - number].shape).tolist()


def test_the_grid_has_a_picture_for_every_labelling() -> None:
    trace = engine.run("shattering", four_points(), pace=Pace(Level.STEP))
    for step in trace:
        plot = next(
            f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Plot)
        )
        named = ("later", "made", "crossed")
        frames = {
            box.tag: len(box.bounds)
            for box in plot.layers
            if isinstance(box, Boxes) and box.tag in named
        }
        crosses = next(
            layer for layer in plot.layers if isinstance(layer, Segments) and layer.tag == "crossed"
        )
        s = step.state
        assert frames == {"later": 16 - s.looked, "made": s.made, "crossed": s.looked - s.made}
        assert len(crosses.ends) == 2 * (s.looked - s.made)


def test_a_line_through_the_corners_of_its_small_picture_has_both_ends() -> None:
    """Of a square that stands on a corner: its sides are parallel to the diagonals."""
    trace = run([(1, 2), (2, 3), (2, 1), (3, 2)], hypotheses="lines")
    scene = trace.algorithm.scene(trace.given, trace[-1])
    cuts = next(layer for layer in scene.figures[0].layers if isinstance(layer, Segments))
    assert trace[-1].state.made == cuts.ends.shape[0] == 14


def test_only_so_many_points_and_why_not() -> None:
    many = engine.run("shattering", engine.generate("moons", 60), max_steps=1)
    assert many.given.n == 5
    assert engine.run("shattering", four_points(), points=8, max_steps=1).given.n == 4
    with pytest.raises(engine.EngineError, match=r"Points n must lie between 1 and 8"):
        engine.run("shattering", four_points(), points=9)
    with pytest.raises(engine.EngineError, match="choose lines"):
        engine.run("shattering", four_points(), hypotheses="conjunctions")
    with pytest.raises(engine.EngineError, match="lie on the plane, and there is none"):
        engine.run("shattering", engine.textbook("mit_conjunction"), hypotheses="discs")
    with pytest.raises(engine.EngineError, match="turn on 0/1 columns"):
        engine.run("shattering", engine.textbook("restaurant"))


def test_two_points_at_one_place_have_one_label() -> None:
    for kind in ("lines", "boxes", "discs", "triangles", "intervals"):
        trace = run([(1, 1), (1, 1)], hypotheses=kind)
        assert numbers(trace) == [0b00, 0b11]
        assert trace[-1].state.fails == (0, 1)


def test_the_place_of_both_sides_follows_from_the_numbers_as_they_are_shown() -> None:
    """Parts like 0.3712 need more decimals than two, or the sum on paper is another place."""
    trace = engine.run("shattering", engine.generate("hidden_rectangle", 5, seed=1))
    for step in (s for s in trace if s.line == "cross"):
        for formula in step.note.formulas:
            terms = re.findall(r"(\S+) · \((\S+), (\S+)\)", step.note.worked(formula.body))
            place = step.note.worked(formula.result).strip("()").split(", ")
            for axis in (1, 2):
                product = sum(read_number(t[0]) * read_number(t[axis]) for t in terms)
                assert fixed(product) == fixed(read_number(place[axis - 1]))


def test_how_many_functions_of_bits_a_line_makes() -> None:
    """aima E08: 4, 14, 104 and 1,882; of two bits the labellings themselves agree."""
    assert [separable(bits) for bits in (1, 2, 3, 4)] == [4, 14, 104, 1882]
    trace = run([(0, 0), (0, 1), (1, 0), (1, 1)])
    assert len(numbers(trace)) == separable(2)
    assert "Functions that a line makes" in figures(trace)
    assert "Functions that a line makes" not in figures(run([(0, 0), (0, 1), (1, 0), (2, 1)]))


def figures(trace: Any) -> list[str]:
    scene = trace.algorithm.scene(trace.given, trace[-1])
    return [figure.title for figure in scene.figures]


def test_only_the_step_about_sets_rings_the_points_that_fail() -> None:
    trace = engine.run("shattering", engine.textbook("xor"))
    for step in (t for t in trace if t.line in ("start", "sets", "done")):
        layers = trace.algorithm.scene(trace.given, step).layers
        lit = sum(len(x.xy) for x in layers if getattr(x, "role", None) is Role.ACTIVE)
        assert lit == (len(step.state.fails) if step.line == "sets" else 0)
    assert trace[-1].state.fails
