"""In my book: every item of the cards is reached, or a reason stands there why not; every opening opens;
printed numbers behind some.
"""

import re
from typing import Any

import numpy as np
import pytest

import engine
from engine.base.notation import unbroken
from engine.base.records import replace
from engine.document.document import Document
from engine.document.fitting import with_data
from engine.document.lane import lane
from engine.files.books import (
    TEXTS,
    Place,
    as_in_its_book,
    contents,
    in_my_book,
    in_text,
    named_only,
    problem_of,
    remark,
    suits,
    without_its_book,
)
from engine.files.cites import cites
from engine.files.openings import IN_KIND, FurtherLane, Given, Opening, read_opening
from engine.protocol.step import Level
from engine.sources.generators import GENERATORS
from engine.sources.textbook import TEXTBOOK
from engine.table.prepare import Split
from tests.engine.files.cards import HAND, items, listed, places


def named_only_items() -> list[str]:
    """The items that the books say the lab does not open: 'aima A86', 'mit A33'."""
    found = []
    for text in TEXTS:
        for each in named_only(text):
            card, *names = each.cards.split() or [""]
            found += [f"{card} {name}" for name in names]
    return found


CARDS = listed()


def every_place() -> list[tuple[Place, tuple[Opening, ...]]]:
    """Each place that something opens, with its openings."""
    return [row for rows in in_my_book().values() for row in rows]


def every_opening() -> list[tuple[Place, Opening]]:
    """Each opening with its place."""
    return [(place, way) for place, ways in every_place() for way in ways]


def opened_by(item: str) -> set[str]:
    """The methods that open one of the places of an item."""
    there = [cite for name in CARDS[item] for cite in cites(name)]
    return {
        way.key for place, way in every_opening() if any(place.cite.names(cite) for cite in there)
    }


# -- the cards -------------------------------------------------------------------------------------


def test_every_item_is_reached_or_has_its_reason() -> None:
    excused = set(named_only_items())
    assert [item for item in CARDS if item not in excused and not opened_by(item)] == []


def test_the_excuses_are_of_items_that_there_are_each_once() -> None:
    excused = named_only_items()
    assert sorted(excused) == sorted(set(excused))
    assert not set(excused) - set(CARDS)


def test_a_place_that_nothing_opens_has_parts_that_open_or_a_reason() -> None:
    for text in TEXTS:
        opened = [place for place, _ in in_my_book()[text]]
        excused = {each.name for each in named_only(text)}
        for place in contents()[text]:
            depth = len(place.cite.low)
            parts = [
                each
                for each in opened
                if each.section == place.cite or each.section.low[:depth] == place.cite.low
            ]
            assert place in opened or parts or place.name in excused, place.citation


def test_what_is_named_only_says_where_and_why() -> None:
    for text in TEXTS:
        for each in named_only(text):
            assert each.title and each.why.endswith("."), each
            assert known(f"{text}, {each.name}" if text == "LS" else f"{text} {each.name}"), each


def test_the_cards_were_read_as_they_are_written() -> None:
    assert len(CARDS) > 900
    assert all(CARDS.values())
    assert CARDS["aima A49"] == ["AIMA 18.7.4", "AIMA Fig 18.24"]
    assert CARDS["mit D08"] == ["MIT 2.2.41-2.2.43"]
    assert CARDS["mitchell A26"] == ["ML Ex 7.1"] and CARDS["mitchell A27"] == ["ML 7.4.4"]
    assert CARDS["mmds C12.20"] == ["MMDS Fig 12.20"]


@pytest.mark.parametrize(
    ("card", "line", "found"),
    [
        (
            "aima",
            "### A41 Learning-rate schedules — 18.6.1, 18.6.3",
            {"A41": ["AIMA 18.6.1", "AIMA 18.6.3"]},
        ),
        ("aima", "### A69 Dual problem — 18.9, Eq 18.13, 18.14", {"A69": ["AIMA 18.9"]}),
        ("aima", "| C27 | 18.27 | two curves | D70 |", {"C27": ["AIMA Fig 18.27"]}),
        ("aima", "| E02 (Ex 18.8) | Add χ² pruning |", {"E02": ["AIMA Ex 18.8"]}),
        (
            "mit",
            "### A11 Greedy conjunction — 2.2.18–2.2.22, traces 2.2.23–27",
            {"A11": ["MIT 2.2.18-2.2.22", "MIT 2.2.23-2.2.27"]},
        ),
        (
            "mit",
            "| F15 | needs more data (2.3.8, 2.3.12) | holds |",
            {"F15": ["MIT 2.3.8", "MIT 2.3.12"]},
        ),
        ("mmds", "| E7 | Exercise 12.3.1: continue |", {"E7": ["MMDS Exercise 12.3.1"]}),
        ("slides", "### A63 Validation — Validation", {"A63": ["LS, Validation"]}),
    ],
)
def test_a_line_of_a_card(card: str, line: str, found: dict[str, list[str]]) -> None:
    assert {
        name: places(card, HAND[card].get(name, words)) for name, words, _ in items(card, line)
    } == found


# -- the contents ----------------------------------------------------------------------------------


def known(name: str) -> bool:
    return all(
        any(place.cite.names(cite) for place in contents()[cite.text]) for cite in cites(name)
    )


def test_every_place_of_the_cards_stands_in_the_contents() -> None:
    assert [name for names in CARDS.values() for name in names if not known(name)] == []


def test_every_source_names_a_place_of_the_contents() -> None:
    """Equations and theorems stand in a section that is named beside them."""
    sources = [source for each in engine.algorithms().values() for source in each.source]
    sources += [entry.source for shelf in (TEXTBOOK, GENERATORS) for entry in shelf.values()]
    named = [s for s in sources if re.match("AIMA|MIT|MMDS|ML|LS", s)]
    assert len(named) > 100
    assert [s for s in named if not cites(s)] == []
    assert [s for s in sources if not re.search(r" (Eq|Theorem) ", s) and not known(s)] == []


def test_a_generator_takes_the_number_of_classes_after_the_seed() -> None:
    given = Given("blobs:30:0.4:0:3")
    assert len(given.table().target.categories) == 3
    assert given.title == "Blobs, 30 rows, 3 classes, noise 0.4"


def test_places_stand_in_the_order_of_their_numbers() -> None:
    for text, rows in contents().items():
        assert len({place.name for place in rows}) == len(rows)
        assert text == "LS" or [p.cite.low for p in rows if p.is_section] == sorted(
            p.cite.low for p in rows if p.is_section
        )
        for kind in ("Fig", "Table"):
            numbers = [place.cite.low for place in rows if place.cite.kind == kind]
            assert numbers == sorted(numbers)


def test_whatever_the_files_list_opens() -> None:
    """Each names a method that there is, parameters that it has, and data that it takes."""
    for place, way in every_opening():
        assert way.params is not None
        assert suits(way.key, way.given), f"{place.citation}: {way.words()}"
        for other in way.lanes:
            assert suits(other.method, other.given or way.given), (
                f"{place.citation}: {other.method}"
            )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("AIMA Fig 18.1", "AIMA Fig 18.1(c)", True),
        ("AIMA Fig 18.1(a)", "AIMA Fig 18.1(c)", False),
        ("AIMA Fig 18.1", "AIMA Fig 18.10", False),
        ("AIMA 18.1", "AIMA Fig 18.1", False),
        ("MIT 2.2.11-2.2.30", "MIT 2.2.28-2.2.40", True),
        ("MIT 2.2.11-2.2.17", "MIT 2.2.18", False),
        ("MMDS Ex 12.2", "MMDS Exercise 12.2.1", False),
        ("MMDS Ex 12.2", "MMDS Exercise 12.2", False),
        ("ML Ex 7.4", "ML Exercise 7.4", True),
        ("AIMA 18.3", "AIMA 18.3.4", False),
        ("LS, Validation", "LS, Validation", True),
    ],
)
def test_when_two_names_mean_one_place(one: str, other: str, same: bool) -> None:
    (a,), (b,) = cites(one), cites(other)
    assert a.names(b) is b.names(a) is same


# -- what opens ------------------------------------------------------------------------------------


def test_a_method_opens_every_section_that_it_names() -> None:
    """And of the methods that name a figure or an exercise one at least."""
    for place, ways in every_place():
        naming = {
            key
            for key, each in engine.algorithms().items()
            if any(place.cite.names(c) for s in each.source for c in cites(s))
        }
        opened = {way.key for way in ways}
        assert naming <= opened if place.is_section else not naming or naming & opened, (
            place.citation
        )


def test_a_set_is_opened_where_it_says_that_it_is_from() -> None:
    for name, entry in [*TEXTBOOK.items(), *GENERATORS.items()]:
        for cite in cites(entry.source):
            there = [place for place in contents()[cite.text] if place.cite.names(cite)]
            opened = {
                way.given.data.split(":")[0]
                for place, ways in every_place()
                if place in there
                for way in ways
            }
            assert name in opened, f"{name} at {cite}"


def run_of(way: Opening) -> tuple[Any, ...]:
    """What decides the run of an opening."""
    return way.key, way.given, tuple(way.settings), way.seed


@pytest.mark.slow
def test_every_opening_begins_and_comes_to_its_step() -> None:
    """Those that state a fact come to it in test_facts.py, and with them those of the same run."""
    stopped = []
    stated = {run_of(way) for _, way in every_opening() if way.fact}
    for way in dict.fromkeys(way for _, way in every_opening() if not way.fact):
        if run_of(way) in stated and way.step <= 0:
            continue
        run = engine.Run(
            way.method,
            problem_of(way.given),
            way.params,
            way.seed,
            engine.Pace(min(way.unit, Level.STEP)),
        )
        wanted = max(way.step, 0) + 1
        while not run.finished and len(run.trace.indices(way.unit)) < wanted:
            run.advance(max_steps=len(run.trace) + 10)
        if len(run.trace.indices(way.unit)) < wanted:
            stopped.append(way.command())
    assert stopped == []


def shown(place: str, number: int = 0) -> engine.Step:
    """The step that the number-th opening of a place shows."""
    way = next(ways for where, ways in every_place() if where.citation == place)[number]
    trace = engine.run(
        way.key, problem_of(way.given), pace=engine.Pace(Level.STEP), **dict(way.settings)
    )
    return trace[way.step]


def scores(step: engine.Step) -> dict[str, float]:
    return {option.label: option.score for option in step.choice.options}


def test_the_restaurants_first_two_splits() -> None:
    """AIMA 18.3.4: Gain(Patrons) ≈ 0.541, Gain(Type) = 0; under Full Hungry shares the best gain
    with others.
    """
    first, second = (scores(shown("AIMA Fig 18.4", number)) for number in (1, 2))
    assert (first["Patrons"], first["Type"]) == (pytest.approx(0.541, abs=5e-4), pytest.approx(0))
    assert second["Hungry"] == max(second.values()) == pytest.approx(0.2516, abs=5e-5)


def test_the_weights_of_the_e_mails() -> None:
    """MMDS Ex 12.4 and Figs 12.7 and 12.9: what the printed traces end with."""
    assert shown("MMDS Ex 12.4").state.w.tolist() == [0, 1, 0, -0.5, 0.5]
    assert shown("MMDS Fig 12.7").state.w.tolist() == [1, 8, 2, 0.5, 4]
    last = shown("MMDS Fig 12.9").state
    assert (last.w.tolist(), last.theta) == ([0.5, 2, 1, 0.25, 1], 2)


def test_lines_of_descent() -> None:
    """MMDS Fig 12.20, lines 2 and 6, to the third decimal, which the text rounds at every line."""
    for place, w, b in (
        ("MMDS Ex 12.9", [0.04, 0.84], -1.58),
        ("MMDS Fig 12.20", [-0.155, 0.414], -0.733),
    ):
        state = shown(place).state
        assert [*state.w, state.b] == pytest.approx([*w, b], abs=1.1e-3)
    assert shown("MMDS Fig 12.20").state.bad.all()  # xxxxxx


def test_lines_through_four_points() -> None:
    """MMDS Ex 12.2: y = 3x/5 + 1. MMDS Ex 12.8: w = (−1, 1), b = 0, all four points support it."""
    assert shown("MMDS Ex 12.2").state.w.tolist() == pytest.approx([1, 0.6])
    margin = shown("MMDS Ex 12.8").state
    assert [*margin.w, margin.b] == pytest.approx([-1, 1, 0], abs=1e-3)


def test_rules_and_trees_of_bits() -> None:
    """MIT 2.2.23: f4 ^ f3.

    MIT 2.2.41: f3 ^ f4 v f1 ^ f2. MIT 2.4.28 and 2.4.31: gains 1 − 0.92, 0.92, 0.81, 1 and 0.97 −
    0.55, 0.55, 0.95.
    """
    assert [set(rule) for rule in shown("MIT 2.2.23-2.2.27").state.rules] == [{2, 3}]
    assert [set(rule) for rule in shown("MIT 2.2.41-2.2.43", 1).state.rules] == [{2, 3}, {0, 1}]
    root, right = (list(scores(shown("MIT 2.4.28-2.4.35", k)).values()) for k in (0, 1))
    assert root == pytest.approx([1 - 0.92, 1 - 0.92, 1 - 0.81, 0], abs=5e-3)
    assert right == pytest.approx([0.971 - 0.55, 0.971 - 0.55, 0.971 - 0.95], abs=5e-3)


def test_neighbours() -> None:
    """ML Fig 8.1: one says +, five say −. MMDS Fig 12.24: 51.23 / 9.29."""
    assert [shown(place).state.label for place in ("ML Fig 8.1", "ML Table 8.1")] == [0, 1]
    assert problem_of(Given("one_or_five")).classes == ("+", "−")
    way = next(ways for where, ways in every_place() if where.citation == "MMDS Fig 12.24")[0]
    trace = engine.run(way.key, problem_of(way.given), **dict(way.settings))
    assert trace.predict(np.array([[3.5]])) == pytest.approx([51.23 / 9.29], abs=1e-3)


def test_words_and_commands() -> None:
    way = Opening("winnow", Given("spam"), (("threshold", "learned"), ("rounds", "7")), step=-1)
    assert way.words() == "Winnow on Spam, Threshold θ learned, Rounds 7"
    assert way.command() == "winnow --data spam --set threshold=learned rounds=7"
    assert way.moment() == "at its end"
    scheduled = Opening("perceptron", Given("restaurant:100"), (("schedule", "1/(1+ct)"),))
    assert scheduled.command().endswith("--data restaurant:100 --set 'schedule=1/(1+ct)'")
    assert scheduled.given.title == GENERATORS["restaurant"].title
    changed = Given("seismic:72:0.1", columns="polar")
    assert changed.title == "Seismic events, 72 rows, noise 0.1, polar columns"


def test_lanes_of_one_method_are_counted_in_words() -> None:
    learned, both = ("threshold", "learned"), (("threshold", "learned"), ("start", "1,0,0"))
    lanes = (FurtherLane("perceptron", both), FurtherLane("svm"))
    way = Opening("perceptron", Given("many_lines"), (learned, ("rate", "0.1")), lanes=lanes)
    assert way.words() == (
        "Perceptron in 2 lanes beside Support vector machine on Many lines, Threshold learned"
    )


def test_an_opening_is_read_with_all_that_it_names() -> None:
    way = read_opening(
        {
            "method": "perceptron",
            "data": "moons:40:0.1:2",
            "set": {"rounds": 3, "stop": "rounds"},
            "columns": "quadratic",
            "split": [1, 2],
            "probe": [0.5, 1.0],
            "axes": ["x1", "x2"],
            "view": [[0, 1], [-1, 2.5]],
            "views": ["Weights"],
            "unit": "round",
            "step": 2,
            "seed": 4,
            "lanes": [{"method": "decision_tree", "seed": 1}],
        },
        "AIMA 18.6",
    )
    document = way.document(
        Document(engine.generate("xor"), (lane("svm"), lane("kd_tree"))), active=1
    )
    assert [each.key for each in document.lanes] == ["perceptron", "decision_tree"]
    assert [each.seed for each in document.lanes] == [4, 1]
    assert document.lanes[0].params.rounds == 3
    assert document.split == Split(rows=(1, 2)) and document.probe == (0.5, 1.0)
    assert document.plane == ("x1", "x2") and len(document.transforms) == 1
    assert document.view == ((0, 1), (-1, 2.5))
    assert len(document.data) == 40 and way.moment() == "at round 2"
    assert way.lanes == (FurtherLane("decision_tree", (), 1),)
    assert "Perceptron beside Decision tree" in way.words()
    with pytest.raises(engine.EngineError, match=r"AIMA 18.6: “metod” is not known"):
        read_opening({"metod": "svm", "data": "moons"}, "AIMA 18.6")


def test_columns_that_are_changed_separate() -> None:
    """MMDS Ex 12.7: a line in r parts the day trips, which no line in x1 and x2 does.

    AIMA Ex 18.16: circles are flat in squares.
    """
    assert shown("MMDS Ex 12.7").state.errors > 0
    assert shown("MMDS Ex 12.7", 1).state.errors == 0
    way = next(ways for where, ways in every_place() if where.citation == "AIMA Ex 18.16")[0]
    assert [f.name for f in problem_of(way.given).features] == [
        "x1",
        "x2",
        "x1²",
        "x2²",
        "x1·x2",
    ]


# -- a set by itself -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(TEXTBOOK))
def test_a_textbook_set_opens_the_same_whatever_was_set_for_the_table_before(name: str) -> None:
    own = engine.generate("moons", 30)
    usual = lane("decision_tree")
    shallow = lane("decision_tree", seed=7, stop="depth", depth=1)
    touched = Document(
        own, (shallow,), split=Split(0.4, 3), put_away=(lane("perceptron", rate=3.0),)
    )
    after = as_in_its_book(touched, name)
    assert after == as_in_its_book(Document(own, (usual,)), name)
    assert after.split == Split() and after.put_away == ()


def test_the_restaurant_tests_patrons_first_also_after_a_table_with_rows_held_out() -> None:
    """AIMA Fig 18.6: the root of the tree of the twelve rows."""
    held_out = Document(
        engine.generate("moons", 30),
        (lane("decision_tree", stop="depth", depth=0),),
        split=Split(0.33, 1),
    )
    document = as_in_its_book(held_out, "restaurant")
    assert document.lanes == (lane("decision_tree"),)
    problem = document.problem()
    tree = engine.run("decision_tree", problem)[-1].state.tree
    assert (problem.n, problem.features[tree.column[0]].name) == (12, "Patrons")


def test_the_first_settings_that_a_text_names_are_taken() -> None:
    """AIMA Fig 18.15 shows the earthquakes with the rule of AIMA 18.6.3 and a threshold that is
    learnt.
    """
    (after,) = as_in_its_book(
        Document(engine.generate("moons", 30), (lane("perceptron", rate=3.0),)), "seismic"
    ).lanes
    assert after.params == lane("perceptron", rule="aima", threshold="learned").params


def test_lanes_that_compare_settings_of_one_method_go_on_comparing_them() -> None:
    lanes = (lane("decision_tree", depth=1), lane("decision_tree", depth=2))
    assert (
        as_in_its_book(Document(engine.generate("moons", 30), lanes), "restaurant").lanes == lanes
    )


def test_a_place_of_a_text_opens_the_same_whatever_was_set_before() -> None:
    """Also in the other lanes, and for a method that is chosen again afterwards."""
    own = engine.generate("moons", 30)
    place = next(ways for where, ways in every_place() if where.citation == "MMDS Fig 12.20")
    touched = Document(
        own,
        (lane("decision_tree", depth=1, seed=5), lane("perceptron", rate=3.0)),
        split=Split(0.4, 3),
        put_away=(lane("svm", C=5.0),),
    )
    untouched = Document(own, (lane("decision_tree"), lane("perceptron")))
    assert place[0].document(touched, 0) == place[0].document(untouched, 0)
    compared = Document(own, (lane("decision_tree", depth=1), lane("decision_tree", depth=2)))
    opened = place[0].document(compared, 1)
    assert [each.key for each in opened.lanes] == ["hinge_descent"] and opened.compared is None


def test_what_a_text_says_of_its_set_is_not_taken_to_another_table() -> None:
    """MMDS Fig 12.20 begins at (0, 1, −2) with C = 0.1; a C that was chosen by hand is kept."""
    own = engine.generate("moons", 30)
    way, *_ = next(ways for where, ways in every_place() if where.citation == "MMDS Fig 12.20")
    shown_there = way.document(Document(own, (lane("decision_tree"),)), 0)
    assert shown_there.lanes[0].params != lane("hinge_descent").params
    left = without_its_book(shown_there, way.given.data)
    assert left.lanes[0].params == lane("hinge_descent").params
    by_hand = shown_there.with_params(0, C=3.0)
    assert without_its_book(by_hand, way.given.data) == by_hand


def test_rows_held_out_by_their_numbers_mean_rows_of_their_own_table() -> None:
    numbered = Document(
        engine.generate("moons", 30), (lane("perceptron"),), split=Split(rows=(1, 2, 3))
    )
    assert with_data(numbered, engine.real("iris")).split == Split()
    drawn = replace(numbered, split=Split(0.3, 2))
    assert with_data(drawn, engine.real("iris")).split == Split(0.3, 2)


def test_a_further_lane_may_have_transformed_columns_of_its_own() -> None:
    """MMDS 12.2.6: the map and the same trips in polar columns, side by side (mmds A23)."""
    way = next(ways for where, ways in every_place() if where.citation == "MMDS Ex 12.7")[0]
    document = way.document(Document(engine.generate("moons", 10), (lane("perceptron"),)), 0)
    here, beside = (document.of_lane(k).problem() for k in (0, 1))
    assert [f.name for f in here.features] == ["x1", "x2"]
    assert [f.name for f in beside.features] == ["r", "angle"]
    np.testing.assert_allclose(beside.X[:, 0], np.hypot(*here.X.T))


def test_a_remark_on_data_is_said_where_the_text_has_a_figure_with_data() -> None:
    """Pseudo-code (AIMA Fig 18.8) and tasks without data (Ex 18.16) have none that are missing."""
    said = {place.name: remark(place, ways[0]) for place, ways in in_text("AIMA")}
    assert said["Fig 18.28"].startswith("The figure’s own data are not printed; this set behaves")
    assert said["Fig 18.35"].startswith("The figure’s own data are not printed; these sets behave")
    # its digits are fewer and smaller, and the order of the methods is another
    stands_in = "The text’s own data are not printed; this set stands in for them. "
    assert said["18.11.1"].startswith(stands_in)
    for name in ("Fig 18.8", "Ex 18.9", "Ex 18.16", "Ex 18.22"):
        assert said[name].startswith("The text has no data here; this set is an example. "), name
    for place, ways in in_text("AIMA"):
        for way in ways:
            assert way.kind != IN_KIND or "Code" not in way.views, place.name


def test_the_first_opening_of_a_section_shows_what_the_section_says() -> None:
    """At step 0 without a word nothing is to be seen of it."""
    for place, ways in in_text("AIMA"):
        if place.is_section:
            assert ways[0].step, f"{place.name} opens before the first step"
            assert ways[0].fact and ways[0].says, place.name


def test_no_line_of_a_remark_can_end_within_a_number_or_a_short_bracket() -> None:
    for text in TEXTS:
        for place, ways in in_text(text):
            for way in ways:
                assert not re.search(r"\d %", remark(place, way)), place.citation
    assert unbroken("6.8 % of (x₂ − b)² are 5 %") == "6.8\xa0% of (x₂\xa0−\xa0b)² are 5\xa0%"
    assert unbroken("by hand (as in the text)") == "by hand (as in the text)"


def test_a_curve_that_an_opening_names_is_one_of_its_method() -> None:
    named = [way for _, ways in every_place() for way in ways if way.curve]
    assert named
    for way in named:
        assert way.curve in {curve.metric for curve in way.method.curves}, way.words()
