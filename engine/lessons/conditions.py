"""What a run still lacks for a condition, in sentences; see `engine.judge.conditions`."""

import ast
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from engine.base.errors import EngineError
from engine.judge.conditions import EDITS, NO_EDITS, Condition, Moment, condition
from engine.lessons.lacking import elsewhere, is_of_method, lacks
from engine.lessons.steps import filled
from engine.protocol.step import Level
from engine.table.dataset import Dataset

MOST_TRIED = 5_000  # steps that are searched for the first that meets a condition
NO_SENTENCES: Mapping[str, str] = MappingProxyType({})


def still_missing(
    text: str, lanes: Sequence[Moment], edits: Mapping[str, int] = NO_EDITS
) -> list[str]:
    """For the author: a sentence for each part of a condition that does not hold now; [] where
    all hold.

    A run that lacks what the condition names does not meet it: the sentence says why.
    """
    return [
        _said(part, lanes, edits) if why is None else str(why)
        for part, why in unmet(text, lanes, edits)
    ]


def not_yet(
    text: str,
    lanes: Sequence[Moment],
    edits: Mapping[str, int] = NO_EDITS,
    own: Mapping[str, str] = NO_SENTENCES,
) -> list[str]:
    """For the student: what still lacks, in words of the lab; [] where the condition holds.

    own: the lesson's own sentences, by the part that does not hold
    """
    known = {in_one_way(part): sentence for part, sentence in own.items()}
    found = unmet(text, lanes, edits)
    said = [
        filled(known[part.text], lanes) if part.text in known else _said(part, lanes, edits)
        for part, why in found
        if why is None or part.text in known
    ]
    if found and not said:  # nothing of it can be judged at this step
        said = [elsewhere(found[0][0])]
    return list(dict.fromkeys(said))


def unmet(
    text: str, lanes: Sequence[Moment], edits: Mapping[str, int] = NO_EDITS
) -> list[tuple[Condition, EngineError | None]]:
    """The parts of a condition that do not hold now, each with why the run has no such thing;
    None where it has.
    """
    found: list[tuple[Condition, EngineError | None]] = []
    for part in parts_of(text):
        try:
            if not part.holds(lanes, edits):
                found.append((part, None))
        except EngineError as why:
            found.append((part, why))
    return found


def _said(part: Condition, lanes: Sequence[Moment], edits: Mapping[str, int]) -> str:
    try:
        return lacks(part, lanes, edits)
    except EngineError:  # of several ways one names what the run has not
        return elsewhere(part)


def to_change(
    text: str, lanes: Sequence[Moment], ends: Sequence[Moment], free: Collection[str]
) -> tuple[str, ...]:
    """Which of the free parts of the lab, "method", "data" and "parameters", have to be changed
    for a condition; () where it is enough to go on in the run, or to drag the probe.

    lanes: as the page shows them; ends: the last steps of their runs, () while these go on
    """
    missing = unmet(text, lanes, dict.fromkeys(EDITS, 0))
    if any(why is not None and is_of_method(part) for part, why in missing) and "method" in free:
        return ("method",)
    if ends and not unmet(text, ends, dict.fromkeys(EDITS, 0)):
        return ()
    named = set()
    for part, _ in missing:
        names = {node.id for node in ast.walk(ast.parse(part.text)) if isinstance(node, ast.Name)}
        named |= {"data"} if names & {*EDITS, "rows", "held_out"} else set()
        named |= {"parameters"} if "param" in names else set()
    settings = [part for part in ("data", "parameters") if part in free]
    return tuple(part for part in settings if part in named) or tuple(settings)


def parts_of(text: str) -> list[Condition]:
    """What has to hold for a condition, each part in one way of writing it."""
    return [Condition(in_one_way(part.text)) for part in condition(text).parts()]


def in_one_way(text: str) -> str:
    """A condition in one way of writing it; a text that is none stays as it is."""
    try:
        return ast.unparse(ast.parse(text.strip(), mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text


def search(
    text: str,
    lanes: Sequence[Moment],
    edits: Mapping[str, int] = NO_EDITS,
    unit: Level = Level.STEP,
) -> Iterator[int | None]:
    """Looks for the first step at which the runs meet a condition: None for each step that does
    not, at last its number in the unit. At most MOST_TRIED steps are tried.

    Every lane is looked at, at the same number or at its end.
    """
    wanted = condition(text)
    places = [lane.trace.indices(unit) for lane in lanes]
    longest = max(map(len, places), default=0)
    for number in range(min(longest, MOST_TRIED)):
        tried = [
            Moment(lane.trace, int(steps[min(number, len(steps) - 1)]))
            for lane, steps in zip(lanes, places, strict=True)
        ]
        try:
            met = wanted.holds(tried, edits)
        except EngineError:  # not every step has every operand
            met = False
        if met:
            yield number
            return
        yield None


def first_met(
    text: str,
    lanes: Sequence[Moment],
    edits: Mapping[str, int] = NO_EDITS,
    unit: Level = Level.STEP,
) -> int | None:
    """The number, in the unit, of the first step at which the runs meet a condition; None if none
    does, see `search`.
    """
    return next((met for met in search(text, lanes, edits, unit) if met is not None), None)


def met_words(met: int | None, lanes: Sequence[Moment], unit: Level = Level.STEP) -> str:
    """For the author: where the run meets a condition first, `first_met`."""
    if met is None:
        return "No step of this run meets it: it needs another run."
    here = bisect_right(lanes[0].trace.indices(unit), lanes[0].cursor) - 1
    after = ", so it can be done" if met >= here else ", which is before this page"
    return f"The run meets it first at {unit.name.lower()} {met}{after}."


def edits_between(before: Dataset, after: Dataset) -> dict[str, int]:
    """How many rows were added to a table, removed from it and changed in it.

    A row that is gone and another that is new are one changed row.
    """
    old, new = _rows(before), _rows(after)
    come, gone = (new - old).total(), (old - new).total()
    changed = min(come, gone)
    return dict(zip(EDITS, (come - changed, gone - changed, changed), strict=True))


def _rows(data: Dataset) -> Counter[tuple[str, ...]]:
    columns = [map(str, column.labels()) for column in data.columns]
    return Counter(zip(*columns, strict=True))
