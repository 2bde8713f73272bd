"""Where the words of a step speak of a result, it stands in the picture or its heading, and amber
lies on what they speak of.
"""

from typing import Any

import numpy as np
import pytest

import engine
from engine.protocol.step import Step
from engine.scene.figure_legend import figure_legend
from engine.scene.figures import Bars, Cards, Forest, Matrix, Network, Plot, Table
from engine.scene.legend import BEFORE
from engine.scene.scene import (
    Arrows,
    Boxes,
    Ellipses,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
)

BLOBS = engine.generate("blobs", 60, seed=1)


def pictures(key: str, data: Any, line: str, **params: Any) -> list[tuple[Step[Any], Scene]]:
    """[(step, scene)] of a line of a run."""
    trace = engine.run(key, data, **params)
    found = [(s, trace.algorithm.scene(trace.given, s)) for s in trace if s.line == line]
    assert found, f"{key} never came to {line}"
    return found


def figure(scene: Scene, kind: type, title: str = "") -> Any:
    return next(f for f in scene.figures if isinstance(f, kind) and f.title.startswith(title))


def amber(scene: Scene | Plot, kind: type) -> list[Any]:
    return [one for one in scene.layers if isinstance(one, kind) and one.role is Role.ACTIVE]


# -- ticks and check marks of bars -----------------------------------------------------------------


def test_ticks_of_the_step_before_are_those_of_bars_that_moved() -> None:
    values = np.array([1.0, 2.0])
    bars = Bars("B", ("a", "b"), values, before=np.array([1.0, 1.5]), ticks=BEFORE)
    assert bars.moved().tolist() == [False, True]
    assert [mark.words for mark in figure_legend(bars)] == [BEFORE]
    still = Bars("B", ("a", "b"), values, before=values + 1e-9, ticks=BEFORE)
    assert not still.moved().any()
    assert figure_legend(still) == ()
    other = Bars("B", ("a", "b"), values, before=values, ticks="prior")
    assert [mark.words for mark in figure_legend(other)] == ["prior"]


def test_a_perceptron_that_is_right_moves_no_score() -> None:
    for step, scene in pictures("multiclass_perceptron", engine.generate("blobs", 30, 3), "test"):
        bars = figure(scene, Bars, "Classes")
        assert not bars.moved().any()
        assert bars.title.endswith("all right")
        label = int(engine_codes(scene)[step.state.current])
        assert bars.roles[label] is Role.ACTIVE


def engine_codes(scene: Scene) -> Any:
    return next(one for one in scene.layers if isinstance(one, Points) and one.tag == "data").group


# -- what a step comes to --------------------------------------------------------------------------


def test_a_renormalised_row_shows_its_sum_before_and_after() -> None:
    data = engine.generate("campfire", 60)
    network = "Lightning: Storm; Thunder: Lightning"
    seen = 0
    for step, scene in pictures(
        "bayes_net_gradient", data, "normalise", hidden=("Lightning",), parents=network, rounds=2
    ):
        x = step.state.current
        cards = figure(scene, Cards)
        card = next(c for c in cards.cards if c.role is Role.ACTIVE)
        sums = [row.cells[card.columns.index("sum")] for row in card.rows]
        moved = step.details["moved"].sum(axis=1)
        assert [float(text.split(" → ")[0]) for text in sums] == pytest.approx(moved, abs=6e-4)
        assert all(text.endswith("→ 1.000") for text in sums)
        lost = [float(row.cells[card.columns.index("taken off")]) for row in card.rows]
        off = (step.details["moved"] - step.state.tables[x]).max(axis=1)
        assert lost == pytest.approx(off, abs=6e-5)
        assert not any("counts" in card.columns for card in cards.cards)
        seen += 1
    assert seen


def test_rows_that_were_not_looked_up_have_no_count() -> None:
    data = engine.textbook("restaurant")
    for nth, (_, scene) in enumerate(pictures("table_lookup", data, "new"), 1):
        memory = figure(scene, Table, "Memory")
        times = next(c for c in memory.columns if c.feature.name == "times")
        texts = [times.feature.categories[int(v)] for v in times.values]
        assert texts == ["1"] * nth + [""] * (12 - nth)
        worth = figure(scene, Bars, "Worth")
        lit = {
            name
            for name, role in zip(worth.labels, worth.roles, strict=True)
            if role is Role.ACTIVE
        }
        assert lit == {
            name for name, moved in zip(worth.labels, worth.moved(), strict=True) if moved
        }
        assert "never seen" in lit
        assert len(lit) == 1 + (nth > 1)  # and whether the commonest label was right


def test_a_network_that_will_grow_shows_the_wrong_example_and_the_next_unit() -> None:
    steps = pictures("tiling", engine.textbook("xor"), "until")
    for step, scene in steps:
        network = figure(scene, Network)
        wrong = sum(len(one.xy) for one in amber(scene, Points))
        assert wrong == step.state.errors
        grows = not step.details["ends"]
        assert bool(network.removed) == grows
        assert network.outputs[-1].endswith("next") == grows
        assert scene.plane.endswith(f"{step.state.errors or 'none'} wrong")
    assert [bool(step.details["ends"]) for step, _ in steps] == [False, True]


def test_the_end_of_a_round_of_k_means_counts_who_changed() -> None:
    several = 0
    for step, scene in pictures("kmeans", engine.generate("blobs", 80, seed=2), "until", k=3):
        s = step.state
        assert f"{len(s.changed)} changed" in scene.plane
        assert ("best start" in scene.plane) == (s.trial > 1)
        rings = [one for one in amber(scene, Points) if one.tag == "changed"]
        if s.round > 1 and len(s.changed):
            assert len(rings[0].xy) == len(s.changed)
            several += 1
        else:
            assert not rings
    assert several


def test_the_degree_that_is_weighed_is_amber_not_the_best() -> None:
    for step, scene in pictures(
        "posterior_of_degrees", engine.generate("sine", 12, seed=1), "weigh"
    ):
        bars = figure(scene, Bars, "Posterior")
        degree = step.state.fit.degree
        assert [k for k, role in enumerate(bars.roles) if role is Role.ACTIVE] == [degree]
        assert len(amber(scene, Polyline)) == 1
        assert scene.plane.endswith(f" {degree}")


def test_filled_hash_tables_show_the_fullest_bucket_and_no_query() -> None:
    for step, scene in pictures("lsh", BLOBS, "fill"):
        assert not any(one.role is Role.QUERY for one in scene.layers)
        cards = figure(scene, Cards)
        lit = [card for card in cards.cards if card.role is Role.ACTIVE]
        full = max(int(np.bincount(table.bucket).max()) for table in step.state.tables)
        assert [card.note.split()[0] for card in lit] == [str(full)]
        total = sum(len(table.codes) for table in step.state.tables)
        assert cards.title == f"Buckets: {total} in all"


def test_a_bucket_is_amber_only_when_it_is_opened() -> None:
    for line in ("bucket", "look", "keep", "enough", "answer"):
        for step, scene in pictures("lsh", BLOBS, line):
            cards = figure(scene, Cards).cards
            rows = [row for card in cards for row in card.rows if row.role is Role.ACTIVE]
            assert any(card.role is Role.ACTIVE for card in cards) is (line == "bucket")
            measured = [name_of(step.state.looked)] if line in ("look", "keep") else []
            assert [row.cells[0] for row in rows] == measured
            if line == "enough":
                assert scene.plane.startswith(f"{step.note['near']} of {step.note['k']} within ")


def test_a_cell_says_whether_it_is_held_and_alone_is_amber() -> None:
    for line, sign in (("hold", "≤"), ("drop", ">")):
        for step, scene in pictures("va_file", BLOBS, line):
            assert f" {sign} " in scene.plane
            cells = figure(scene, Table, "Cells")
            assert [cells.names[i] for i in cells.current] == [f"cell {step.state.cell + 1}"]
            assert not any(column.role is Role.ACTIVE for column in cells.columns)


def test_the_means_are_amber_only_where_they_move() -> None:
    line = engine.Dataset.from_columns({"x": [-3.2, -2.4, -1.9, -0.6, 0.8, 1.7, 2.3, 3.1]})
    for name in ("e", "m", "until"):
        for step, scene in pictures("em_means", line, name):
            plot = figure(scene, Plot, "Likelihood")
            assert [one.tag for one in amber(plot, Points)] == ["means"] * (name == "m")
            assert scene.plane.startswith(f"Round {step.state.round}")


def test_the_side_that_waits_is_the_one_without_the_query() -> None:
    for step, scene in pictures("kd_search", BLOBS, "descend"):
        (waits,) = [
            one for one in scene.layers if isinstance(one, Boxes) and one.label == ("waits",)
        ]
        x0, y0, x1, y1 = waits.bounds[0]
        x, y = step.state.query
        assert not (x0 < x < x1 and y0 < y < y1)
        assert [one for one in amber(scene, Segments) if one.tag == "cut"]


def test_places_are_counted_until_all_are_taken() -> None:
    steps = pictures("nearest_neighbours", BLOBS, "keep", k=5)
    titles = [scene.plane for _, scene in steps]
    assert titles[:4] == [f"Places taken: {n} of 5" for n in (1, 2, 3, 4)]
    assert titles[4] == "The 5 nearest so far"
    for step, scene in steps[5:]:
        s = step.state
        out = step.note["kth"]
        change = f"{name_of(s.looked)} in ({s.distance:.2f}), {name_of(s.dropped)} out ({out:.2f})"
        assert scene.plane.endswith(change)


def name_of(row: int) -> str:
    return "x" + "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(row + 1))


def test_trees_that_never_saw_the_missed_row_say_so() -> None:
    data = engine.generate("moons", 80, noise=0.3, seed=2)
    judged = 0
    for step, scene in pictures("bagging", data, "vote"):
        s = step.state
        forest = figure(scene, Forest)
        rows = [one for one in amber(scene, Points) if one.tag == "wrong"]
        assert sum(len(one.xy) for one in rows) == s.missed
        named = [name.endswith("never saw it") for name in forest.names]
        if not s.missed:
            assert not any(named)
            continue
        row = int(rows[0].tags[0].split()[1]) - 1
        unseen = [bag[row] == 0 for bag in s.bags]
        assert named[: len(unseen)] == unseen
        assert not any(named[len(unseen) :])
        judged += 1
    assert judged


def test_a_network_that_is_found_stands_with_what_its_score_is_made_of() -> None:
    ((step, scene),) = pictures("k2_search", engine.generate("campfire", 200), "found")
    graph = figure(scene, Plot, "Network")
    arcs = [one for one in graph.layers if isinstance(one, Arrows)]
    assert not any(one.role is Role.ACTIVE for one in arcs), "no arc is at hand any more"
    assert sum(len(one.start) for one in arcs) == len(step.state.edges)
    scores = figure(scene, Bars, "Scores")
    assert scores.values.sum() == pytest.approx(step.state.score)
    assert scene.leads == ("Network", "Scores")


def test_a_chosen_pair_says_what_b_it_needs() -> None:
    for line, asks in (("choose", True), ("move", False)):
        for _, scene in pictures("svm", engine.textbook("margin_set"), line)[:5]:
            labels = [text for one in amber(scene, Points) for text in one.label]
            assert len(labels) == 2
            assert all(("b ≥" in text or "b ≤" in text) == asks for text in labels)


def test_a_strike_shows_the_votes_before_it() -> None:
    for step, scene in pictures("halving", engine.textbook("mit_conjunction"), "strike"):
        s = step.state
        bars = figure(scene, Bars, "Votes")
        if bars.before is None:  # of many columns at this example alone
            continue
        now = [k for k, role in enumerate(bars.roles) if role is Role.ACTIVE]
        assert bars.moved()[now].all() == (int(s.before.sum()) != len(s.left))
        assert f"{int(s.before.sum())} → {len(s.left)} left" in bars.title


def test_the_spread_of_a_class_is_amber() -> None:
    for step, scene in pictures("gaussian_bayes", BLOBS, "spread"):
        (oval,) = amber(scene, Ellipses)
        s = step.state
        assert np.allclose(oval.centre[0], s.means[s.label])
        assert np.allclose(oval.shape[0], np.diag(s.variances[s.label]))


def test_a_trial_of_three_tables_is_amber() -> None:
    trials = pictures("column_curves", engine.textbook("restaurant"), "test", trials=3)
    for _, scene in trials[:6]:
        plot = figure(scene, Plot, "Learning curves")
        groups = [int(one.group[0]) for one in amber(plot, Points)]
        assert groups == sorted(set(groups))
        assert groups


def test_the_draw_is_amber_only_while_it_is_drawn() -> None:
    data = engine.generate("pundits", 12, 0.2)
    for line, now in (("draw", True), ("truth", False), ("update", False)):
        for _, scene in pictures("randomized_weighted_majority", data, line)[:5]:
            assert bool(amber(figure(scene, Plot, "Draw"), Boxes)) == now


def test_a_split_says_how_many_go_left_and_right() -> None:
    for step, scene in pictures("kd_tree", BLOBS, "split"):
        tree, node = step.state.tree, step.state.node
        sides = [len(tree.rows(int(side[node]))) for side in (tree.left, tree.right)]
        assert scene.plane.endswith(f"{sides[0]} left, {sides[1]} right")


def test_asked_words_stand_in_the_title_and_all_priors_are_amber() -> None:
    data = engine.textbook("spam_nigeria")
    trace = engine.run("multinomial_bayes", data)
    for step in trace:
        if step.line != "query":
            continue
        scene = trace.algorithm.scene(trace.given, step)
        words = [trace.given.vocabulary.words[w] for w in step.state.order[:6]]
        assert all(word in figure(scene, Matrix, "Words").title for word in words)
        assert set(figure(scene, Bars, "Chances").roles) == {Role.ACTIVE}
