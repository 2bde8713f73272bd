"""Printed facts of every textbook set: counts, class sizes, domains, single cells.

Sources: the cards of the texts.
"""

import math
from collections import Counter

import numpy as np
import pytest

from engine.base.errors import EngineError
from engine.base.notation import subscript
from engine.sources.stand_ins import will_wait
from engine.sources.textbook import TEXTBOOK, textbook
from engine.table.dataset import ColumnRole, Kind
from engine.table.prepare import prepare
from engine.table.problem import Task

# name: (rows, columns to learn from, labels with their counts, the positive one first; None =
# values)
SIZES = {
    "restaurant": (12, 10, {"Yes": 6, "No": 6}),
    "restaurant_slide": (12, 10, {"Yes": 6, "No": 6}),
    "restaurant_exact": (12, 11, {"Yes": 6, "No": 6}),
    "restaurant_gaps": (12, 10, {"Yes": 6, "No": 6}),
    "spam": (6, 5, {1: 3, -1: 3}),
    "e_mails": (6, 6, {1: 3, -1: 3}),
    "spam_threshold": (6, 6, {1: 3, -1: 3}),
    "spam_nigeria": (6, 5, {1: 3, -1: 3}),
    "four_points_line": (4, 1, None),
    "four_points_alternating": (4, 2, {1: 2, -1: 2}),
    "four_points_crossed": (4, 2, {1: 2, -1: 2}),
    "four_points_free": (4, 2, {1: 2, -1: 2}),
    "four_points_cycle": (4, 2, {1: 2, -1: 2}),
    "six_points": (6, 2, {1: 3, -1: 3}),
    "six_points_space": (6, 3, {1: 3, -1: 3}),
    "six_points_odd": (6, 2, {1: 3, -1: 3}),
    "peak": (7, 1, None),
    "doubling": (6, 1, None),
    "dogs": (7, 2, {"Beagle": 2, "Chihuahua": 3, "Dachshund": 2}),
    "day_trips": (16, 2, {"day trip": 8, "excursion": 8}),
    "mixed_border": (10, 2, {1: 5, -1: 5}),
    "many_lines": (8, 2, {1: 4, -1: 4}),
    "just_admitting": (10, 2, {1: 5, -1: 5}),
    "widest_street": (10, 2, {1: 5, -1: 5}),
    "bad_points": (12, 2, {1: 6, -1: 6}),
    "mit_conjunction": (6, 4, {1: 3, 0: 3}),
    "mit_harder": (6, 4, {1: 4, 0: 2}),
    "mit_tree": (6, 4, {1: 3, 0: 3}),
    "mit_xor": (6, 4, {1: 2, 0: 4}),
    "mit_bayes": (10, 4, {1: 5, 0: 5}),
    "mit_trap_conjunction": (7, 3, {1: 1, 0: 6}),
    "mit_trap_dnf": (6, 4, {1: 3, 0: 3}),
    "mit_trap_tree": (5, 3, {1: 3, 0: 2}),
    "neighbour_drives": (8, 5, {"drive": 4, "walk": 4}),
    "neighbour_memory": (3, 5, {"drive": 1, "walk": 2}),
    "neighbour_repeats": (7, 5, {"drive": 2, "walk": 5}),
    "neighbour_noise": (7, 5, {"drive": 4, "walk": 3}),
    "two_bit_adder": (4, 2, {1: 1, 0: 3}),
    "xor": (4, 2, {1: 2, 0: 2}),
    "xor_table": (4, 2, {"T": 2, "F": 2}),
    "xor_copies": (16, 2, {1: 8, 0: 8}),
    "and": (4, 2, {1: 1, 0: 3}),
    "or": (4, 2, {1: 3, 0: 1}),
    "majority": (2048, 11, {1: 1024, 0: 1024}),
    "schedule_trap": (21, 1, {1: 10, 0: 11}),
    "margin_set": (8, 2, {1: 4, -1: 4}),
    "regression_points": (15, 1, None),
    "polynomial_seven": (7, 1, None),
    "polynomial_eight": (8, 1, None),
    "polynomial_eight_off": (8, 1, None),
    "one_or_five": (10, 2, {"+": 5, "−": 5}),
    "uv_matrix": (5, 5, None),
    "seven_hypotheses": (4, 7, {1: 2, 0: 2}),
    "people": (4, 2, {"yes": 2, "no": 2}),
    "whole_rectangle": (12, 2, {"yes": 5, "no": 7}),
    "three_in_a_row": (3, 2, None),
    "three_corners": (3, 2, None),
    "interval_pair": (2, 1, None),
    "regular_tree": (8, 3, {1: 4, 0: 4}),
    "three_bits": (3, 3, None),
    "eight_on_a_circle": (8, 2, None),
    "play_tennis": (14, 4, {"Yes": 9, "No": 5}),
    "news": (12, 1, {"cars": 4, "space": 4, "sport": 4}),
    "enjoy_sport": (4, 6, {"Yes": 3, "No": 1}),
}
GAPS = {"uv_matrix": 2, "restaurant_gaps": 6}
NO_TARGET = {
    "uv_matrix",
    "three_in_a_row",
    "three_corners",
    "interval_pair",
    "three_bits",
    "eight_on_a_circle",
}


def rows(name: str) -> list[tuple[object, ...]]:
    data = textbook(name)
    return list(zip(*(c.labels() for c in (*data.features, data.target)), strict=True))


def test_every_set_is_known_here() -> None:
    assert set(TEXTBOOK) == set(SIZES)


@pytest.mark.parametrize("name", SIZES)
def test_sizes(name: str) -> None:
    count, width, labels = SIZES[name]
    data = textbook(name)
    assert (len(data), len(data.features)) == (count, width)
    without = Task.STRUCTURE if name in NO_TARGET else Task.REGRESS
    assert TEXTBOOK[name].task is (without if labels is None else Task.CLASSIFY)
    assert data.classes == (tuple(labels) if labels else ())
    if labels:
        assert Counter(data.target.labels()) == labels
    assert int(np.count_nonzero([np.isnan(c.values) for c in data.features])) == GAPS.get(name, 0)
    assert (data.target is None) == (name in NO_TARGET)
    assert data.about.startswith(TEXTBOOK[name].source)
    prepare(data)


def test_names_of_the_catalogue() -> None:
    wanted = [
        "restaurant",
        "spam",
        "four_points_alternating",
        "four_points_crossed",
        "four_points_line",
        "six_points",
        "peak",
        "doubling",
        "dogs",
        "mit_conjunction",
        "mit_harder",
        "mit_tree",
        "mit_xor",
        "mit_bayes",
        "neighbour_drives",
        "two_bit_adder",
        "xor",
        "and",
        "or",
        "majority",
        "polynomial_seven",
        "polynomial_eight",
    ]
    assert not set(wanted) - set(TEXTBOOK)


def test_unknown_name_lists_the_known() -> None:
    with pytest.raises(EngineError, match=r"“restaurent”.*restaurant"):
        textbook("restaurent")


def test_restaurant() -> None:
    data = textbook("restaurant")
    assert data.row_names() == tuple(f"x{subscript(i)}" for i in range(1, 13))
    assert data["Patrons"].categories == ("None", "Some", "Full")
    assert data["Price"].categories == ("$", "$$", "$$$")
    assert data["Type"].categories == ("French", "Italian", "Thai", "Burger")
    assert data["Est"].categories == ("0-10", "10-30", "30-60", ">60")
    assert all(
        data[name].categories == ("Yes", "No")
        for name in ("Alt", "Bar", "Fri", "Hungry", "Rain", "Res")
    )
    assert data["Rain"].labels()[3] == "Yes"
    assert Counter(data["Patrons"].labels()) == {"None": 2, "Some": 4, "Full": 6}
    assert [i + 1 for i, v in enumerate(data["WillWait"].labels()) if v == "Yes"] == [
        1,
        3,
        4,
        6,
        8,
        12,
    ]
    assert data.target.name == "WillWait"


def test_restaurant_agrees_with_the_tree_that_made_it() -> None:
    data = textbook("restaurant")
    wait = will_wait({c.name: np.asarray(c.labels()) for c in data.features})
    assert [bool(v) for v in wait] == [label == "Yes" for label in data.target.labels()]


def test_spam() -> None:
    data = textbook("spam")
    assert data.row_names() == tuple("abcdef")
    assert [c.name for c in data.features] == ["and", "viagra", "the", "of", "nigeria"]
    assert rows("spam")[0] == (1, 1, 0, 1, 1, 1)
    assert rows("spam")[1] == (0, 0, 1, 1, 0, -1)
    assert rows("spam_nigeria")[1] == (0, 0, 1, 1, 1, -1)
    assert all(c.kind is Kind.BOOLEAN and c.categories == (0, 1) for c in data.features)


def test_one_dimensional_sets() -> None:
    assert rows("four_points_line") == [(1, 2), (2, 1), (3, 4), (4, 3)]
    assert rows("peak") == [(x, 8 / 2 ** abs(x - 4)) for x in range(1, 8)]
    assert rows("doubling") == [(x, 1 + math.log2(x)) for x in (1, 2, 4, 8, 16, 32)]
    assert np.allclose(rows("polynomial_eight"), [(x, 0.4 * x + 3) for x in range(8)])
    assert np.allclose(
        rows("polynomial_seven"), [(x, 0.4 * x + 3 + math.sin(x)) for x in range(0, 13, 2)]
    )


def test_six_points_share_a_ray() -> None:
    assert (2, 2, 1) in rows("six_points")
    assert (1, 1, -1) in rows("six_points")


def test_labels_follow_their_rules() -> None:
    assert all((sum(r[:3]) >= 10) == (r[3] == 1) for r in rows("six_points_space"))
    assert all((sum(r[:2]) % 2 == 1) == (r[2] == 1) for r in rows("six_points_odd"))
    assert all((r[0] == r[1]) == (r[4] == 1) for r in rows("mit_xor"))
    assert all((r[0] != r[1]) == (r[3] == 1) for r in rows("mit_trap_tree"))
    assert all((sum(r[:11]) >= 6) == (r[11] == 1) for r in rows("majority"))
    assert all((math.hypot(*r[:2]) > 3) == (r[2] == "excursion") for r in rows("day_trips"))


def test_dogs_obey_the_printed_rule() -> None:
    for weight, height, breed in rows("dogs"):
        assert breed == ("Beagle" if height > 7 else "Chihuahua" if weight < 3 else "Dachshund")


def test_mit_sets_differ_in_one_label() -> None:
    first, second, third = rows("mit_conjunction"), rows("mit_harder"), rows("mit_tree")
    assert [i for i in range(6) if first[i] != second[i]] == [2]
    assert [i for i in range(6) if second[i] != third[i]] == [5]


def test_none_is_a_value_of_precip() -> None:
    assert "none" in textbook("neighbour_drives")["precip"].categories
    assert rows("neighbour_drives")[-3:] == [
        (80, "none", "sat", "no", "casual", "walk"),
        (19, "snow", "mon", "yes", "casual", "drive"),
        (65, "none", "tues", "no", "casual", "walk"),
    ]


def test_two_bit_adder_keeps_the_sum_aside() -> None:
    data = textbook("two_bit_adder")
    assert data["sum"].role is ColumnRole.IGNORED
    assert data["sum"].labels() == [0, 1, 1, 0]
    assert data["carry"].labels() == [0, 0, 0, 1]


def test_stand_ins_say_so() -> None:
    for name in (
        "dogs",
        "day_trips",
        "polynomial_seven",
        "polynomial_eight",
        "polynomial_eight_off",
        "e_mails",
        "mixed_border",
        "margin_set",
        "one_or_five",
        "news",
    ):
        assert "lab data" in textbook(name).about.casefold()


def test_vectors_of_e_mails() -> None:
    """MMDS Ex 12.3: a word’s column is 1 where the e-mail has it; the vectors are those of Fig 12.6,
    and in Fig 12.8 θ has a column of −1.
    """
    words = [column.name for column in textbook("spam").features]
    table = rows("e_mails")
    for text, *vector, _ in table:
        assert vector == [int(word in text.casefold().split()) for word in words]
    assert [row[1:] for row in table] == rows("spam")
    assert [(*row[:5], row[6]) for row in rows("spam_threshold")] == rows("spam")
    assert {row[5] for row in rows("spam_threshold")} == {-1}


def test_play_tennis_gains_what_the_text_prints() -> None:
    """ML 3.4.1.2, 3.4.2: E([9+, 5−]) = 0.940, and the gains of the four columns. The text cuts
    0.2467 to 0.246 and 0.1518 to 0.151. All rows are as in many public copies of Table 3.2.
    """
    table = rows("play_tennis")

    def bits(labels: list[object]) -> float:
        return -sum(c / len(labels) * math.log2(c / len(labels)) for c in Counter(labels).values())

    whole = bits([row[-1] for row in table])
    assert whole == pytest.approx(0.940, abs=5e-4)
    gains = []
    for j in range(4):
        parts = [[row[-1] for row in table if row[j] == v] for v in {row[j] for row in table}]
        gains.append(whole - sum(len(part) / 14 * bits(part) for part in parts))
    outlook, temperature, humidity, wind = gains
    assert (outlook, humidity) == (pytest.approx(0.246, abs=1e-3), pytest.approx(0.151, abs=1e-3))
    assert (wind, temperature) == (pytest.approx(0.048, abs=1e-3), pytest.approx(0.029, abs=1e-3))


def test_enjoy_sport_has_the_days_of_the_text() -> None:
    """ML 2.3: 96 different days, 5120 conjunctions as written, 973 that differ in meaning. All rows
    are as in many public copies of Table 2.1.
    """
    sizes = [len(c.categories) for c in textbook("enjoy_sport").features]
    assert math.prod(sizes) == 96
    assert math.prod(size + 2 for size in sizes) == 5120
    assert 1 + math.prod(size + 1 for size in sizes) == 973
