"""Edits of the lanes: each takes a document and returns a new one, most with the index of the lane
to show.
"""

from collections.abc import Callable, Sequence
from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import short, value_text
from engine.base.records import replace
from engine.document.document import MAX_LANES, Document
from engine.document.lane import Lane, lane
from engine.document.mending import runs
from engine.protocol.params import Field, build, params_fields, to_dict
from engine.protocol.recipe import recipe_title
from engine.protocol.registry import algorithms
from engine.runs.start import Start

FULL = f"There are {MAX_LANES} lanes already: remove one first."
LETTERS = "ABCD"
Edited = tuple[Document, int]


def add_lane(document: Document, beside: int) -> Edited:
    """The document with one more lane at the end, and that lane's index.

    The new lane has a method that no lane has yet, that does the same task as lane `beside` and
    runs on the data. Other families come first, then methods with the most sources. If there is
    none, it copies lane `beside` with the next seed. Raises EngineError if all lanes are taken.
    """
    old = document.lanes[beside]
    taken = {each.key for each in document.lanes}
    families = {each.algorithm.family for each in document.lanes}
    found = [
        a
        for a in algorithms().values()
        if a.task is old.algorithm.task and a.key not in taken and a.predict
    ]
    try:
        problem = document.problem()
    except EngineError:
        problem = None
    for other in sorted(found, key=lambda a: (a.family in families, -len(a.source))):
        fresh = lane(other.key, old.seed)
        if problem is not None and runs(fresh, problem):
            return _with(document, len(document.lanes), fresh), len(document.lanes)
    return _with(document, len(document.lanes), replace(old, seed=old.seed + 1)), len(
        document.lanes
    )


def duplicate_lane(document: Document, place: int) -> Edited:
    """A copy of the lane right behind it; raises EngineError if all lanes are taken."""
    return _with(document, place + 1, document.lanes[place]), place + 1


def fork_lane(document: Document, place: int, start: Start | None) -> Edited:
    """A copy of the lane right behind it that begins at `start`, a step of its run; the two are
    compared.

    None means the same beginning. Raises EngineError if all lanes are taken.
    """
    old = document.lanes[place]
    branches = old.branches if start is None else ()  # they belong to the run from its beginning
    forked = _with(document, place + 1, replace(old, start=start, branches=branches))
    return replace(forked, compared=(place + 1, place)), place + 1


def take_branch(document: Document, place: int, number: int, taken: int) -> Edited:
    """A copy of the lane right behind it that takes option `taken` at tie `number`; the two are
    compared.

    Earlier ties stay as decided; later ones belong to another run, so the rule breaks them. Raises
    EngineError if all lanes are taken.
    """
    old = document.lanes[place]
    before = tuple(branch for branch in old.branches if branch[0] < number)
    branched = _with(document, place + 1, replace(old, branches=(*before, (number, taken))))
    return replace(branched, compared=(place + 1, place)), place + 1


def own_points(document: Document, place: int) -> Document:
    """The document with lane `place` switched between own examples and the document's.

    Its own examples start as a copy of the document's.
    """
    own = document.lanes[place].data
    return document.with_lane(place, data=document.data if own is None else None)


def compare(document: Document, place: int, other: int, ghost: bool | None = None) -> Document:
    """The document that shows the difference of two lanes in the first of them.

    Comparing a lane with itself turns it off. ghost: None to leave it unchanged
    """
    compared = (place, other) if place != other else None
    wanted = document.ghost if ghost is None else ghost
    return replace(document, compared=compared, ghost=wanted and compared is not None)


def remove_lane(document: Document, place: int) -> Edited:
    """The document without this lane; raises EngineError for the only one."""
    if len(document.lanes) == 1:
        raise EngineError("This is the only lane.")
    kept = [k for k in range(len(document.lanes)) if k != place]
    return _placed(document.putting_away(document.lanes[place]), kept), min(place, len(kept) - 1)


def swap_lanes(document: Document, place: int, other: int) -> Edited:
    """The document with the two lanes swapped; raises EngineError if `other` does not exist."""
    order = list(range(len(document.lanes)))
    if not 0 <= other < len(order):
        raise EngineError("There is no lane on that side.")
    order[place], order[other] = other, place
    return _placed(document, order), other


def only_lane(document: Document, place: int) -> Edited:
    """The document with this lane alone."""
    others = (each for k, each in enumerate(document.lanes) if k != place)
    return _placed(document.putting_away(*others), [place]), 0


def sweep(document: Document, place: int, name: str, values: Sequence[Any]) -> Edited:
    """The document with one lane per value of the parameter `name`, instead of all lanes.

    Raises EngineError for more than MAX_LANES values, an invalid one, and one that occurs twice.
    """
    old = document.lanes[place]
    label = next(field.label for field in params_fields(old.algorithm.params) if field.name == name)
    if not 1 <= len(values) <= MAX_LANES:
        raise EngineError(
            f"{label} takes one to {MAX_LANES} values, one for each lane; these are {len(values)}."
        )
    known = to_dict(old.params)
    lanes = tuple(
        replace(old, params=build(old.algorithm.params, known | {name: value})) for value in values
    )
    if any(each in lanes[:k] for k, each in enumerate(lanes)):
        raise EngineError(f"{label} has one of these values twice: the lanes would be alike.")
    return replace(document, lanes=lanes, compared=None), 0


def suggested(each: Lane, name: str) -> tuple[Any, ...]:
    """Up to four values of a parameter worth comparing.

    Of a choice the first options. Of a number its own value and neighbours: times powers of two for
    whole numbers, of ten for others, inside the bounds. () for other kinds.
    """
    field = next(field for field in params_fields(each.algorithm.params) if field.name == name)
    value = getattr(each.params, name)
    if field.options:
        return tuple(field.options)[:MAX_LANES]
    if field.kind == "bool":
        return (False, True)
    if field.kind not in ("int", "float"):
        return ()
    of, base = (int, 2.0) if field.kind == "int" else (float, 10.0)
    start = value or (field.range.low if field.range is not None and field.range.low > 0 else 1)
    tried = {
        of(f"{start * base**k:.0f}") if of is int else float(f"{start * base**k:.6g}")
        for k in range(-8, 9)
    }
    inside = sorted(number for number in {*tried, value} - {None} if _allowed(each, name, number))
    at = inside.index(value) if value in inside else 0
    first = max(0, min(at - 1, len(inside) - MAX_LANES))
    return tuple(inside[first : first + MAX_LANES])


def apart_from(lane: Lane, lanes: Sequence[Lane], brief: bool = False) -> list[str]:
    """The parameters in which a lane differs from others of its method, such as 'C 10'.

    brief: without the labels of words and of lists of numbers
    """
    alike = [other for other in lanes if other.key == lane.key]
    differing = []
    for field in params_fields(lane.algorithm.params):
        values = [getattr(each.params, field.name) for each in alike]
        if any(value != values[0] for value in values):
            differing.append(_set_to(field, getattr(lane.params, field.name), brief))
    return differing


def _set_to(field: Field, value: Any, brief: bool) -> str:
    """A parameter and its value in few words: of a number the symbol alone where its label ends in
    one, 'C 10' for “Cost C”.
    """
    label = field.label
    if value is None:
        return field.empty if brief else f"{label} {field.empty}"
    if isinstance(value, bool):
        return f"{label} {value_text(value)}"
    if isinstance(value, tuple) and not value:
        return f"{label} not set"
    if field.kind in ("learner", "learners"):
        learners = value if isinstance(value, tuple) else (value,)
        words = ", ".join(map(recipe_title, learners))
        return words if brief else f"{label} {words}"
    if isinstance(value, tuple) or not isinstance(value, (int, float)):
        words = value_text(value, -1) if isinstance(value, tuple) else field.written(value)
        return words if brief else f"{label} {words}"
    symbol = label.rsplit(" ", 1)[-1]
    return f"{symbol if len(symbol) == 1 else label} {short(value)}"


def data_name(document: Document, place: int) -> str:
    """The name of a lane's data where each lane has others, such as "AND"; "" where two have the
    same, or the same name.
    """
    names = [document.of_lane(k).data.name for k in range(len(document.lanes))]
    return names[place] if len(set(names)) == len(names) > 1 else ""


def lane_name(lane: Lane, lanes: Sequence[Lane], data: str = "", brief: bool = False) -> str:
    """The name of a lane among others: its method's title, what tells it apart from lanes of the
    same method, or both where some lanes have another method.

    data: the name of its data, see `data_name`; nothing else needs to tell it apart then; brief:
        without the labels of words and of lists of numbers
    """
    alike = [other for other in lanes if other.key == lane.key]
    if len(alike) == 1:
        return lane.algorithm.title
    if data:
        return ", ".join([lane.algorithm.title, data] if len(alike) < len(lanes) else [data])
    seeds = [f"seed {lane.seed}"] if any(other.seed != lane.seed for other in alike) else []
    starts = (
        [f"on from {lane.start.place}"]
        if lane.start and any(each.start != lane.start for each in alike)
        else []
    )
    points = ["own points"] if lane.data is not None else []
    ties = [lane.by_hand] if lane.branches else []
    apart = [*apart_from(lane, lanes, brief), *seeds, *starts, *ties, *points]
    title = [lane.algorithm.title] if len(alike) < len(lanes) or not apart else []
    return ", ".join([*title, *apart])


def title_of(document: Document, place: int, brief: bool = False) -> str:
    """The name of a lane among those of its document, see `lane_name`."""
    return lane_name(document.lanes[place], document.lanes, data_name(document, place), brief)


def _allowed(each: Lane, name: str, value: Any) -> bool:
    try:
        build(each.algorithm.params, to_dict(each.params) | {name: value})
    except EngineError:
        return False
    return True


def _with(document: Document, place: int, fresh: Lane) -> Document:
    """The document with `fresh` inserted at `place`; raises EngineError if all lanes are taken."""
    if len(document.lanes) == MAX_LANES:
        raise EngineError(FULL)
    lanes = list(document.lanes)
    lanes.insert(place, fresh)
    return replace(
        document, lanes=tuple(lanes), compared=_moved(document, lambda k: k + (k >= place))
    )


def _placed(document: Document, order: Sequence[int]) -> Document:
    """The document with only the lanes at these indices, in this order."""
    moved = (
        _moved(document, lambda k: order.index(k))
        if set(document.compared or ()) <= set(order)
        else None
    )
    return replace(document, lanes=tuple(document.lanes[k] for k in order), compared=moved)


def _moved(document: Document, place: Callable[[int], int]) -> tuple[int, int] | None:
    """The compared pair with both indices mapped by `place`, or None."""
    return (
        None
        if document.compared is None
        else (place(document.compared[0]), place(document.compared[1]))
    )
