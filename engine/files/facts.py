"""The facts of the books: what a text states of a picture, compared with what its opening shows."""

from collections.abc import Iterator

from engine.base.errors import EngineError
from engine.base.records import Record
from engine.document.document import Document
from engine.document.lane import lane
from engine.files.books import Place, in_my_book, named_only
from engine.files.openings import END, EXACT, Opening
from engine.files.sources import find_source
from engine.judge.conditions import Moment, condition
from engine.protocol.params import to_dict
from engine.runs.run import pace_of, run_problem


class Checked(Record):
    """A stated fact after its comparison.

    holds: None where the opening states no fact
    found: the values that it compares, '' where it holds, or why it cannot be compared
    """

    place: Place
    way: Opening
    holds: bool | None
    found: str = ""


def moments(way: Opening) -> tuple[Moment, ...]:
    """The runs of all lanes of an opening, each at the step that it shows; raises EngineError."""
    data = find_source(way.given.data).data
    document = way.document(Document(data, (lane(way.key),)), 0)
    found = []
    for place, each in enumerate(document.lanes):
        problem = document.of_lane(place).problem()
        pace = pace_of(way.unit, problem.n)
        trace = run_problem(
            each.key,
            problem,
            each.seed,
            pace=pace,
            **to_dict(each.params),
        )
        steps = trace.indices(way.unit)
        if place == 0 and way.step != END and way.step >= len(steps):
            raise EngineError(f"The run has {len(steps) - 1} {way.unit.name.lower()}s only.")
        last = len(trace) - 1
        cursor = last if way.step == END else int(steps[min(way.step, len(steps) - 1)])
        found.append(Moment(trace, cursor))
    return tuple(found)


def check(place: Place, way: Opening) -> Checked:
    """Whether the opening shows what the text states there."""
    if not way.fact:
        return Checked(place, way, None)
    try:
        stated = condition(way.fact)
        shown = moments(way)
        holds = stated.holds(shown)
        return Checked(place, way, holds, "" if holds else "; ".join(stated.values(shown)))
    except EngineError as fault:
        return Checked(place, way, False, str(fault))


def stated() -> Iterator[tuple[Place, Opening]]:
    """The openings of all texts that state a fact, with their places, in their order."""
    for rows in in_my_book().values():
        for place, ways in rows:
            for way in ways:
                if way.fact:
                    yield place, way


def fact_lines() -> list[str]:
    """The list for a terminal: each place with its openings, facts and cards, what is named only
    with its reason, and the counts.
    """
    lines: list[str] = []
    exact = in_kind = silent = 0
    for text, rows in in_my_book().items():
        lines += ["", text, ""]
        for place, ways in rows:
            lines.append(f"  {place.name}  {place.title}")
            for way in ways:
                lines.append(f"      {way.words()} {way.moment()}".rstrip())
                if not way.fact:
                    silent += 1
                    continue
                exact += way.kind == EXACT
                in_kind += way.kind != EXACT
                kind = "" if way.kind == EXACT else " (in kind)"
                lines.append(f"        {way.fact}  [{way.card}]{kind}")
        lines += _named_only_lines(text)
    lines += ["", f"{exact} exact, {in_kind} in kind, {silent} without a fact of their own"]
    return lines[1:]


def _named_only_lines(text: str) -> list[str]:
    """What the lab does not open of a text, by name, each with its reason."""
    named = named_only(text)
    return ["", "  Named only"] * bool(named) + [
        f"    {each.name}  {each.title}: {each.why}" for each in named
    ]
