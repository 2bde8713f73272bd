"""What to try after a run: prepared changes, each a lane beside that differs in one thing."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.base.notation import value_text
from engine.base.records import Record, replace
from engine.document.document import Document
from engine.document.edits import Shown, add_points, relabel, shown
from engine.document.lane import Lane
from engine.document.lane_edits import LETTERS, fork_lane
from engine.document.mending import runs
from engine.judge.outcome import MISTAKES, measured
from engine.protocol.params import Field, build, params_fields, to_dict
from engine.runs.trace import Trace
from engine.scene.layers import Layer, Points
from engine.scene.roles import CLASS_SHAPES, Role
from engine.sources.generators import GENERATORS, generate
from engine.table.problem import Problem, Task

MOST = 2
PLACES = 15  # along each axis, of which one is chosen for an outlier
CLEAR = 0.15  # of the plane: so far the outlier is at most from the class that it lies among
ENOUGH = 1000  # points that are looked at for a clear place
MOST_GHOSTS = 400  # rows of which the new places are drawn
COMING = "coming"  # the tag of what a change would bring
KINDS = ("float", "int", "choice", "bool")  # of parameters, the most telling first
TELLING = (
    "rate",
    "k",
    "C",
    "degree",
    "strength",
    "kernel",
    "noise",
    "sigma",
    "width",
    "depth",
    "members",
    "prune",
    "epsilon",
    "factor",
    "beta",
    "rank",
)
# they end the run, set how finely it is measured, or change only what is written
DULL = {
    *("rounds", "steps", "tolerance", "seed", "restarts", "patience", "most", "repeats", "sizes"),
    *("spaced", "splits", "trials", "show", "look", "low", "high", "values", "epochs", "retrain"),
    *("enough", "picture", "limit", "runs", "cases", "arithmetic", "logs", "ties", "plurality"),
    *("cheap", "shuffle", "equality", "zero", "stop", "rounding", "price", "units"),
}
FACTORS = {"float": (10, 2, 0.5), "int": (2, 0.5)}  # tried in this order
FROM_ZERO = (0.1, 0.3)  # in place of 0: of a number; the share of a range such as 0 to 90 degrees


class WhatIf(Record):
    """A prepared change.

    name: 'One outlier', 'η × 10'
    question: without the outcome
    lane: the changed lane
    marks: what would change, where it has a place on the plane
    badge: what the picture of the change cannot show, '× 10'
    """

    name: str
    question: str
    lane: Lane
    marks: tuple[Layer, ...] = ()
    badge: str = ""


def take(document: Document, place: int, change: WhatIf) -> tuple[Document, int]:
    """The document with the changed lane behind lane `place`, which it is compared with, and its
    place.

    Raises EngineError where all lanes are taken.
    """
    beside, lane = fork_lane(document, place, None)
    changed = change.lane
    return beside.with_lane(lane, params=changed.params, data=changed.data), lane


def taken(document: Document, place: int, change: WhatIf) -> int | None:
    """The place of the lane that this change of lane `place` has made; None where there is none."""
    lanes = enumerate(document.lanes)
    return next((k for k, lane in lanes if k != place and lane == change.lane), None)


def what_ifs(
    document: Document, place: int, problem: Problem | None, trace: Trace | None = None
) -> list[WhatIf]:
    """Up to two changes of the lane at `place`: one of its data and one of its parameters, where
    it has both.

    problem: what the lane learns from
    trace: its run, of which the questions take their numbers
    """
    if problem is None:
        return []
    lane = document.lanes[place]
    old = replace(lane, start=None, branches=())
    of_data = _of_data(document, place, old, problem, trace)
    of_params = _of_params(old, problem, trace)
    found = [*islice(of_data, 1), *islice(of_params, 1)]
    found += islice(chain(of_params, of_data), MOST - len(found))
    return found


# -- of the data -----------------------------------------------------------------------------------


def _of_data(
    document: Document, place: int, lane: Lane, problem: Problem, trace: Trace | None
) -> Iterator[WhatIf]:
    """Changes of the examples; none for theory, which takes its numbers from parameters."""
    if lane.algorithm.task is Task.THEORY:
        return
    own = replace(document, lanes=(lane,), compared=None).of_lane(0)
    words = f"in lane {LETTERS[min(place + 1, len(LETTERS) - 1)]}"
    for change in (_outlier, _other_label, _noise):
        made = change(own, problem, trace, words)
        if made is not None:
            name, question, changed, marks = made
            fresh = replace(lane, data=changed.data)
            if _learns(fresh, changed):
                yield WhatIf(name, question, fresh, marks)


Made = tuple[str, str, Document, tuple[Layer, ...]] | None


def _learns(lane: Lane, document: Document) -> bool:
    try:
        return runs(lane, document.problem())
    except EngineError:
        return False


def _outlier(own: Document, problem: Problem, trace: Trace | None, words: str) -> Made:
    """One example more, where none is expected; None without a plane of numbers."""
    if not _spread_out(problem):
        return None
    points = shown(own, problem)
    labelled = len(problem.classes) > 1 and _learns_labels(own.lanes[0])
    where = _among(points) if labelled else _far(points, problem.regress)
    if where is None:
        return None
    code = 0 if problem.classes else None
    try:
        changed = add_points(own, where, code)
    except EngineError:
        return None
    group = 0 if labelled else -1
    marks = _marked(where, group, f"new {words}")
    if labelled:
        one, others = (CLASS_SHAPES[k] for k in (0, 1))
        question = f"A {one} among the {others}s: {_rest(trace)}"
        return "One outlier", question, changed, marks
    what = "One value far off" if problem.regress else "One far point"
    return what, f"One row more, far from the others: {_rest(trace)}", changed, marks


def _learns_labels(lane: Lane) -> bool:
    """Whether the classes of the rows count: for what finds clusters or near rows they do not."""
    method = lane.algorithm
    return method.task not in (Task.CLUSTER, Task.STRUCTURE) or method.needs.discrete


def _spread_out(problem: Problem) -> bool:
    """Whether the rows lie on a plane of numbers, and not on the corners of a square."""
    columns = problem.plane
    if len(columns) != (1 if problem.regress else 2):
        return False
    return all(problem.features[j].numeric and len(np.unique(problem.X[:, j])) > 2 for j in columns)


def _among(points: Shown) -> Float | None:
    """(1, 2) a place on the plane among the second class, as clear of its points as there is one,
    and twice as far from all others; None without such a place.
    """
    xy, codes = points.xy, points.codes
    some = slice(None, None, 1 + len(xy) // ENOUGH)
    xy, codes = xy[some], codes[some]
    second = codes == 1
    if second.all() or not second.any():
        return None
    grid = _grid(xy)
    apart = np.linalg.norm((grid[:, None] - xy) / _size(xy), axis=2)
    own, others = apart[:, second].min(axis=1), apart[:, ~second].min(axis=1)
    clear = np.where((own < others / 2) & (own <= CLEAR), own, 0.0)
    place: Float = grid[[int(clear.argmax())]]
    return place if clear.any() else None


def _size(xy: Float) -> Float:
    """(2,) the extent of the points along each axis, 1 where they have none."""
    size: Float = np.ptp(xy, axis=0)
    return np.where(size > 0, size, 1.0)


def _grid(xy: Float) -> Float:
    """(k, 2) places all over the rectangle of the points."""
    (x0, y0), (x1, y1) = xy.min(axis=0), xy.max(axis=0)
    across, up = np.meshgrid(np.linspace(x0, x1, PLACES), np.linspace(y0, y1, PLACES))
    return np.column_stack([across.ravel(), up.ravel()])


def _far(points: Shown, upright: bool) -> Float | None:
    """(1, 2) the corner of the plane that is farthest from every point; upright: the place over
    the lowest point that is as high as the highest.
    """
    xy = points.xy[:: 1 + len(points.xy) // ENOUGH]
    if len(xy) < 2:
        return None
    if upright:
        return np.array([[xy[xy[:, 1].argmin(), 0], xy[:, 1].max()]])
    low, high = xy.min(axis=0), xy.max(axis=0)
    corners = np.array([(x, y) for x in (low[0], high[0]) for y in (low[1], high[1])])
    apart = np.linalg.norm((corners[:, None] - xy) / _size(xy), axis=2).min(axis=1)
    place: Float = corners[[int(apart.argmax())]]
    return place


def _other_label(own: Document, problem: Problem, trace: Trace | None, words: str) -> Made:
    """The last row of the largest class gets another label; None where no label is learnt from."""
    classes = len(problem.classes) if _learns_labels(own.lanes[0]) else 0
    if classes < 2 or problem.regress or not (problem.codes >= 0).any():
        return None
    code = int(np.bincount(problem.codes[problem.codes >= 0]).argmax())
    row = int(np.flatnonzero(problem.codes == code)[-1])
    new = (code + 1) % len(problem.classes)
    try:
        changed = relabel(own, problem.table_rows[[row]], new)
    except EngineError:
        return None
    label = problem.class_text(new)
    there = f"{label} {words}"
    marks = _marked(problem.xy[[row]], new, there) if len(problem.plane) == 2 else ()
    question = f"{problem.names[row]} becomes {label}: {_rest(trace)}"
    return "One label changed", question, changed, marks


def _noise(own: Document, problem: Problem, trace: Trace | None, words: str) -> Made:
    """The same rows drawn with more noise; None for a table that no generator drew."""
    origin = own.data.origin
    if origin is None or origin.generator not in GENERATORS or not own.data.as_drawn:
        return None
    recipe = GENERATORS[origin.generator]
    more = min(recipe.max_noise, max(2 * origin.noise, recipe.max_noise / 4))
    if more <= origin.noise:
        return None
    data = generate(origin.generator, origin.n, more, origin.seed, classes=origin.classes)
    changed = replace(own, data=data)
    question = f"{_text(more)} in place of {_text(origin.noise)}: {_rest(trace)}"
    return "Noise up", question, changed, _ghosts(changed)


def _ghosts(changed: Document) -> tuple[Layer, ...]:
    try:
        problem = changed.problem()
    except EngineError:
        return ()
    if not problem.plane or problem.n > MOST_GHOSTS:
        return ()
    return (Points(problem.xy, problem.codes, Role.GHOST, tag=COMING),)


def _marked(where: Float, group: int, words: str) -> tuple[Layer, ...]:
    """A point with a dashed ring and words beside it."""
    groups = np.full(len(where), group)
    return (
        Points(where, groups, Role.HELD_OUT, tag=COMING),
        Points(where, groups, Role.CANDIDATE, tag=COMING),
        Points(where, groups, Role.DIFFERENCE, label=(words,) * len(where), tag=COMING),
    )


# -- of the parameters -----------------------------------------------------------------------------


def _of_params(lane: Lane, problem: Problem, trace: Trace | None) -> Iterator[WhatIf]:
    """Another value of each telling parameter, the most telling first."""
    fields = [
        each
        for each in params_fields(type(lane.params))
        if each.kind in KINDS and each.matters(lane.params) and each.name not in DULL
    ]
    for field in sorted(fields, key=_telling):
        if (change := _other_value(lane, field, trace)) is not None and runs(change.lane, problem):
            yield change


def _telling(field: Field) -> tuple[int, int]:
    known = TELLING.index(field.name) if field.name in TELLING else len(TELLING)
    return known, KINDS.index(field.kind)


def _other_value(lane: Lane, field: Field, trace: Trace | None) -> WhatIf | None:
    """A lane with another value of this parameter; None where there is none."""
    now = getattr(lane.params, field.name)
    if now is None:
        return None
    for new, times in _others(field, now):
        try:
            params = build(type(lane.params), to_dict(lane.params) | {field.name: new})
        except EngineError:
            continue
        old, text = (_value(field, each) for each in (now, new))
        name = f"{_symbol(field)} {times}" if times else f"{field.label}: {text}"
        question = f"{text} in place of {old}: {_more(trace)}"
        return WhatIf(name, question, replace(lane, params=params), badge=times or text)
    return None


def _others(field: Field, now: Any) -> Iterator[tuple[Any, str]]:
    """(value, times) of the values to try; times: '× 10', or '' where it is no multiple."""
    if field.kind == "bool":
        yield not now, ""
    elif field.kind == "choice":
        yield from ((each, "") for each in field.options if each not in (now, "auto"))
    elif now == 0:
        high = field.range.high if field.range is not None else np.inf
        wide = 1 < high <= 1000
        yield (1 if field.kind == "int" else FROM_ZERO[1] * high if wide else FROM_ZERO[0]), ""
    else:
        for factor in FACTORS[field.kind]:
            new = int(now * factor) if field.kind == "int" else float(f"{now * factor:.6g}")
            if new != now and _sensible(field, new, factor):
                yield new, f"× {factor}" if factor > 1 else f"÷ {round(1 / factor)}"


def _sensible(field: Field, new: float, factor: float) -> bool:
    """Whether a multiple is no extreme: a share of 1 says nothing, a step size may be large."""
    shares = field.range is not None and field.range.high <= 1 and field.name != "rate"
    return factor < 1 or not shares or new <= field.range.high / 2  # type: ignore[union-attr]


def _symbol(field: Field) -> str:
    """'η' of 'Rate η'; the whole label where the letter alone says little, 'Neighbours k'."""
    last = field.label.split()[-1]
    return last if len(last) == 1 and not last.isascii() else field.label


def _value(field: Field, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return field.written(value) if field.options else _text(value)


def _text(value: Any) -> str:
    return value_text(value, -1)


# -- questions -------------------------------------------------------------------------------------


def _rest(trace: Trace | None) -> str:
    """The question after a change of the data."""
    if trace is not None and trace.finished and trace.when("converged"):
        return "will it still come to rest?"
    return _stays(trace)


def _more(trace: Trace | None) -> str:
    """The question after a change of a parameter."""
    known = measured(trace) if trace is not None else []
    if known and known[0][0].metric == MISTAKES:
        return f"more mistakes than {known[0][1]}, fewer, or as many?"
    return _stays(trace)


def _stays(trace: Trace | None) -> str:
    known: Sequence[Any] = measured(trace) if trace is not None else ()
    if not known:
        return "what changes?"
    curve, text = known[0]
    return f"does “{curve.title}” stay {text}?"
