"""What the texts state of their pictures, compared with what each opening shows."""

import re

import pytest

from engine.files.books import Place, in_my_book
from engine.files.facts import check, fact_lines, stated
from engine.files.openings import EXACT, IN_KIND, NO_DATA, STAND_IN, Opening
from engine.judge.conditions import condition

FACTS = list(stated())


def name_of(found: tuple[Place, Opening]) -> str:
    place, way = found
    number = place.opens.index(way) if way in place.opens else 0
    return f"{place.citation} {number}"


@pytest.mark.slow
@pytest.mark.parametrize("found", FACTS, ids=map(name_of, FACTS))
def test_the_opening_shows_what_the_text_states(found: tuple[Place, Opening]) -> None:
    checked = check(*found)
    assert checked.holds, f"{found[1].fact}: {checked.found}"


def test_facts_are_conditions_with_a_card() -> None:
    for place, way in FACTS:
        condition(way.fact)
        reads_what_the_run_found(way)
        assert way.card, f"{place.citation}: the card that states it is missing"
        assert way.kind in (EXACT, IN_KIND, STAND_IN, NO_DATA), place.citation


def test_the_first_opening_of_a_figure_table_exercise_or_example_states_a_fact() -> None:
    missing = [
        place.citation
        for rows in in_my_book().values()
        for place, ways in rows
        if not place.is_section and not ways[0].fact
    ]
    assert missing == []


def test_the_list_counts_them() -> None:
    exact = sum(way.kind == EXACT for _, way in FACTS)
    assert f"{exact} exact, {len(FACTS) - exact} in kind" in fact_lines()[-1]


OF_SETTINGS = re.compile(
    r'param\([^)]*\)|line\(\)|figure\("[^"]*"\)\.title|\b(rows|steps|lanes|held_out)\b'
)


def reads_what_the_run_found(way: Opening) -> None:
    """What the entry itself has set, how long a run is and how a figure is called prove nothing."""
    calls = re.findall(r"([a-z_]+)\(", OF_SETTINGS.sub("", way.fact))
    assert set(calls) - {"len", "abs", "max", "min", "sum", "printed"}, way.fact
