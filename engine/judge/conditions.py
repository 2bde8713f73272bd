"""Conditions on runs, in a small language of comparisons.

A book states one of each picture ("12 tests", "the error falls"), a task of a lesson asks for one
("make it converge"). The grammar is that of Python's comparisons:

    metric("errors") == 0 and steps < 100
    printed(operand("gain"), "0.541")
    metric("errors", start) > metric("errors", end)

Nothing in a condition is executed as Python: names, calls and attributes beyond those listed in
`NAMES` and `FUNCTIONS` are refused when the condition is read.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from numbers import Real
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import listed, quoted
from engine.base.records import Record, field_names, is_record
from engine.runs.trace import Trace
from engine.scene.layers import Polyline

LONGEST, DEEPEST, MOST = 600, 30, 200  # letters, levels and parts of a condition
NAMES = ("start", "end", "here", "steps", "rows", "held_out", "lanes", "true", "false")
# how many rows, since the data that a lesson brought
EDITS = ("added", "removed", "changed")
NO_EDITS: Mapping[str, int] = MappingProxyType({})


class Shown(Protocol):
    """A lane as a condition reads it: its recorded run, and the step that is shown."""

    @property
    def trace(self) -> Trace | None: ...
    @property
    def cursor(self) -> int: ...


class Moment(Record):
    """A recorded run at one of its steps."""

    trace: Trace
    cursor: int


class Condition(Record, eq=True):
    """A condition on the shown steps of lanes; make it with `condition`.

    text: as it was written
    """

    text: str

    def holds(self, lanes: Sequence[Shown], edits: Mapping[str, int] = NO_EDITS) -> bool:
        """Whether it is true now; raises EngineError where a run lacks what the condition names.

        lanes: in order, the first is the one that a condition means if it names none
        edits: the numbers of EDITS
        """
        return bool(np.all(np.asarray(self.value(lanes, edits))))

    def value(self, lanes: Sequence[Shown], edits: Mapping[str, int] = NO_EDITS) -> Any:
        """Its value now: of a comparison true or false, of any other expression what it gives.

        Raises EngineError where it has none.
        """
        try:
            with np.errstate(all="ignore"):
                return _Evaluation(lanes, edits).value(_parsed(self.text))
        except EngineError:
            raise
        except (TypeError, ValueError, ArithmeticError, LookupError, RecursionError) as fault:
            raise EngineError(f"{quoted(self.text)} cannot be computed here: {fault}.") from fault

    def parts(self) -> "list[Condition]":
        """What has to hold for it: the parts that “and” joins, else itself alone."""
        tree = _parsed(self.text)
        if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
            return [Condition(ast.unparse(node)) for node in tree.values]
        return [self]

    def values(self, lanes: Sequence[Shown]) -> list[str]:
        """The values of its compared parts, 'metric("errors") = 3', to explain why it fails."""
        parts = dict.fromkeys(
            ast.unparse(part)
            for node in ast.walk(_parsed(self.text))
            for part in _compared_parts(node)
            if not isinstance(part, ast.Constant)
        )
        evaluation = _Evaluation(lanes)
        return [f"{part} = {evaluation.value(_parsed(part))}" for part in parts]


def _compared_parts(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    return [*node.args] if isinstance(node, ast.Call) else []


def condition(text: str) -> Condition:
    """The condition that `text` states; raises EngineError with the place of what is wrong."""
    _parsed(text)
    return Condition(text)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> ast.expr:
    if len(text) > LONGEST:
        raise EngineError(f"A condition has at most {LONGEST} letters.")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as fault:
        place = getattr(fault, "offset", None)
        where = f" at letter {place}" if place else ""
        raise EngineError(f"{quoted(text)} is no condition{where}.") from fault
    _check(tree, text, DEEPEST)
    if sum(1 for _ in ast.walk(tree)) > MOST:
        raise EngineError(f"{quoted(text)} has more than {MOST} parts.")
    return tree


# -- what may stand in it --------------------------------------------------------------------------

_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: lambda a, b: _equal(a, b),
    ast.NotEq: lambda a, b: not _equal(a, b),
    ast.Lt: operator.lt,
    ast.LtE: lambda a, b: _at_most(a, b),
    ast.Gt: operator.gt,
    ast.GtE: lambda a, b: _at_most(b, a),
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_COMPUTED: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_PLAIN: Mapping[str, Callable[..., Any]] = {
    "abs": np.abs,
    "all": np.all,
    "any": np.any,
    "len": len,
    "max": np.max,
    "min": np.min,
    "round": np.round,
    "sqrt": np.sqrt,
    "sum": np.sum,
}


def _equal(one: Any, other: Any) -> bool:
    """Whether both are the same: numbers up to rounding, arrays in every place."""
    if isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    try:
        return bool(np.allclose(np.asarray(one, float), np.asarray(other, float), atol=1e-9))
    except (TypeError, ValueError):
        return bool(one == other)


def _at_most(low: Any, high: Any) -> bool:
    """Whether low ≤ high in every place, up to rounding as in `_equal`."""
    if isinstance(low, str) or isinstance(high, str):
        return bool(low <= high)
    a, b = np.asarray(low, float), np.asarray(high, float)
    return bool(np.all((a <= b) | np.isclose(a, b, atol=1e-9)))


def printed(value: Any, text: str) -> bool:
    """Whether `value` is the number that a book prints as `text`, rounded or cut to its digits.

    '.91', '0.541', '−3.2', '1,024', '5 514' are read; raises EngineError for what is no number.
    """
    plain = text.replace("−", "-").replace(",", "").replace(" ", "").replace("\u202f", "")
    try:
        wanted = Decimal(plain)
    except InvalidOperation as fault:
        raise EngineError(f"{quoted(text)} is no printed number.") from fault
    exponent = wanted.as_tuple().exponent
    last = 10.0 ** (exponent if isinstance(exponent, int) else 0)
    number = float(value)
    rounded = abs(number - float(wanted)) <= last / 2 + 1e-9 * max(1.0, abs(number))
    cut = math.trunc(abs(number) / last + 1e-9) * last
    return rounded or math.isclose(cut, abs(float(wanted)), abs_tol=1e-9)


def _check(node: ast.AST, text: str, depth: int) -> None:
    """Raise EngineError for anything that a condition may not hold."""
    if depth <= 0:
        raise EngineError(f"{quoted(text)} is nested too deeply.")
    if isinstance(node, ast.Call):
        known = {*FUNCTIONS, *_PLAIN, "printed"}
        if not isinstance(node.func, ast.Name) or node.func.id not in known:
            _refuse(node.func, text, f"It can use {listed(sorted(known))}.")
        for part in (*node.args, *(each.value for each in node.keywords)):
            _check(part, text, depth - 1)
        return
    if isinstance(node, ast.Name):
        if node.id not in {*NAMES, *EDITS}:
            _refuse(node, text, f"It can use {listed([*NAMES, *EDITS])}.")
        return
    if isinstance(node, ast.Attribute):
        if node.attr.startswith("_"):
            _refuse(node, text, "Names that begin with _ cannot be used.")
        _check(node.value, text, depth - 1)
        return
    if isinstance(node, ast.Constant):
        if not isinstance(node.value, (bool, int, float, str)):
            _refuse(node, text, "Numbers and texts in quotation marks can be used.")
        return
    allowed = (ast.BoolOp, ast.Compare, ast.UnaryOp, ast.BinOp, ast.Subscript, ast.Tuple, ast.List)
    if not isinstance(node, allowed):
        _refuse(node, text, "It can use comparisons, and, or, not, + − · / and brackets.")
    if isinstance(node, ast.BinOp) and type(node.op) not in _COMPUTED:
        _refuse(node, text, "It can add, subtract, multiply and divide.")
    if isinstance(node, ast.Compare) and any(type(op) not in _COMPARED for op in node.ops):
        _refuse(node, text, "It can compare by <, <=, ==, !=, >=, > and in.")
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            _check(child, text, depth - 1)


def _refuse(node: ast.AST, text: str, way_out: str) -> None:
    column = getattr(node, "col_offset", 0) + 1
    raise EngineError(
        f"{quoted(ast.unparse(node))} at letter {column} of {quoted(text)} is not known to a"
        f" condition. {way_out}"
    )


# -- what it means ---------------------------------------------------------------------------------


class _Evaluation:
    """The values of the parts of a condition for the shown steps of some lanes."""

    def __init__(
        self, lanes: Sequence[Shown], edits: Mapping[str, int] = NO_EDITS, meant: Any = 1
    ) -> None:
        """meant: the lane of names such as `end`; inside a call the lane that it names"""
        self.lanes, self.edits, self.meant = lanes, edits, meant

    def value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._named(node.id)
        if isinstance(node, ast.BoolOp):
            whether = all if isinstance(node.op, ast.And) else any
            return whether(bool(self.value(each)) for each in node.values)
        if isinstance(node, ast.UnaryOp):
            value = self.value(node.operand)
            return not value if isinstance(node.op, ast.Not) else -value
        if isinstance(node, ast.Compare):
            return self._compared(node)
        if isinstance(node, ast.BinOp):
            return self._computed(node)
        if isinstance(node, ast.Subscript):
            return self._part(self.value(node.value), self.value(node.slice))
        if isinstance(node, ast.Attribute):
            return self._field(self.value(node.value), node.attr)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._called(node.func.id, node)
        assert isinstance(node, (ast.Tuple, ast.List))
        return tuple(self.value(each) for each in node.elts)

    def _computed(self, node: ast.BinOp) -> Any:
        values = self.value(node.left), self.value(node.right)
        for value in values:
            if not isinstance(value, (Real, np.ndarray)):
                raise EngineError(f"{quoted(ast.unparse(node))} computes with what is no number.")
        try:
            return _COMPUTED[type(node.op)](*values)
        except ZeroDivisionError as fault:
            raise EngineError(f"{quoted(ast.unparse(node))} divides by zero.") from fault

    def _compared(self, node: ast.Compare) -> bool:
        values = [self.value(node.left), *map(self.value, node.comparators)]
        try:
            return all(
                bool(np.all(_COMPARED[type(op)](one, other)))
                for op, one, other in zip(node.ops, values, values[1:], strict=False)
            )
        except TypeError as fault:
            raise EngineError(f"{quoted(ast.unparse(node))} compares unlike things.") from fault

    def _part(self, whole: Any, index: Any) -> Any:
        try:
            return whole[index]
        except (TypeError, KeyError, IndexError) as fault:
            raise EngineError(f"There is no part {index} here.") from fault

    def _field(self, record: Any, name: str) -> Any:
        if isinstance(record, np.ndarray) and name in {"shape", "size", "T"}:
            return getattr(record, name)
        if is_record(record) and (name in field_names(record) or _is_property(record, name)):
            return getattr(record, name)
        raise EngineError(f"There is no {quoted(name)} in {type(record).__name__}.")

    def _called(self, name: str, node: ast.Call) -> Any:
        named = {str(each.arg): self.value(each.value) for each in node.keywords}
        inside = _Evaluation(self.lanes, self.edits, named.get("lane", self.meant))
        arguments = [inside.value(each) for each in node.args]
        try:
            if name in FUNCTIONS:
                lane = self._lane(named.pop("lane", 1))
                return FUNCTIONS[name](lane, *arguments, **named)
            return (printed if name == "printed" else _PLAIN[name])(*arguments, **named)
        except EngineError:
            raise
        except (TypeError, ValueError, IndexError) as fault:
            raise EngineError(f"{quoted(ast.unparse(node))} is not used so: {fault}") from fault

    def _lane(self, number: Any) -> Moment:
        place = "ABCD".find(number) if isinstance(number, str) else int(number) - 1
        if not 0 <= place < len(self.lanes):
            raise EngineError(f"There is no lane {number}.")
        found = self.lanes[place]
        if found.trace is None or not len(found.trace):
            raise EngineError(f"Lane {number} has no run.")
        return Moment(found.trace, found.cursor)

    def _named(self, name: str) -> Any:
        if name in {"true", "false"}:
            return name == "true"
        if name == "lanes":
            return len(self.lanes)
        if name in EDITS:
            if name not in self.edits:
                raise EngineError(f"{quoted(name)} is known in a lesson only.")
            return self.edits[name]
        lane = self._lane(self.meant)
        held_out = lane.trace.problem.held_out
        return {
            "start": 0,
            "end": len(lane.trace) - 1,
            "here": lane.cursor,
            "steps": len(lane.trace) - 1,
            "rows": lane.trace.problem.n,
            "held_out": held_out.n if held_out is not None else 0,
        }[name]


def _is_property(record: Any, name: str) -> bool:
    """Whether it is computed from the fields of a record, without an argument."""
    found = getattr(type(record), name, None)
    return found is not None and not callable(found)


# -- what a condition can name of a run ------------------------------------------------------------


def _metric(lane: Moment, name: str, at: int | None = None) -> float:
    """The value of a metric at a step, by default the shown one."""
    columns = lane.trace.metrics
    if name not in columns:
        known = listed(sorted(map(quoted, columns)))
        raise EngineError(f"This run measures no {quoted(name)}: it has {known}.")
    return float(columns[name][lane.cursor if at is None else int(at)])


def _operand(lane: Moment, name: str) -> Any:
    """The value of a term in the formula of the shown step."""
    operands = lane.trace[lane.cursor].note.operands
    if name not in operands:
        known = listed(sorted(map(quoted, operands)))
        raise EngineError(f"This step has no {quoted(name)}: it has {known}.")
    return operands[name].value


def _says(lane: Moment, words: str) -> bool:
    """Whether the words of the shown step contain these."""
    return words.casefold() in lane.trace[lane.cursor].note.text().casefold() or any(
        words.casefold() in line.casefold() for line in lane.trace[lane.cursor].note.lines()
    )


def _event(lane: Moment, name: str) -> bool:
    """Whether the shown step has this event."""
    return name in _known_event(lane, name).events[lane.cursor]


def _events(lane: Moment, name: str) -> int:
    """How many steps up to the shown one have this event."""
    return sum(1 for step in _known_event(lane, name).when(name) if step <= lane.cursor)


def _known_event(lane: Moment, name: str) -> Trace:
    if name not in lane.trace.algorithm.events:
        known = listed(sorted(map(quoted, lane.trace.algorithm.events)))
        raise EngineError(f"This method has no event {quoted(name)}: it has {known}.")
    return lane.trace


def _line(lane: Moment) -> str:
    """The label of the line of pseudo-code at the shown step."""
    return str(lane.trace[lane.cursor].line)


def _param(lane: Moment, name: str) -> Any:
    """The value of a parameter."""
    return _of_record(lane.trace.params, name, "parameter")


def _state(lane: Moment, name: str, at: int | None = None) -> Any:
    """A field of the model at a step, by default the shown one."""
    return _of_record(lane.trace[lane.cursor if at is None else int(at)].state, name, "field")


def _of_record(record: Any, name: str, what: str) -> Any:
    if name in field_names(record) or (not name.startswith("_") and _is_property(record, name)):
        return getattr(record, name)
    raise EngineError(
        f"There is no {what} {quoted(name)}: there are {listed(field_names(record))}."
    )


def _figure(lane: Moment, title: str) -> Any:
    """The figure of the shown step whose title begins with these words."""
    scene = lane.trace.algorithm.scene(lane.trace.given, lane.trace[lane.cursor])
    found = [each for each in scene.figures if each.title.casefold().startswith(title.casefold())]
    if not found:
        known = listed([quoted(each.title) for each in scene.figures]) or "none"
        raise EngineError(f"This step has no figure {quoted(title)}: it has {known}.")
    return found[0]


def _plotted(lane: Moment, title: str, name: str, at: float | None = None) -> Any:
    """The heights (n,) of the line called `name` in a plot of the shown step, from left to right;
    at: the one at this x, between two corners in proportion.
    """
    figure = _figure(lane, title)
    layers = getattr(figure, "layers", ())
    called = [layer for layer in layers if getattr(layer, "label", None) == name]
    tags = {layer.tag for layer in called}
    lines = [
        np.asarray(layer.xy)
        for layer in layers
        if isinstance(layer, Polyline) and (layer in called or layer.tag in tags)
    ]
    if not called or not lines:
        labels = [getattr(layer, "label", "") for layer in layers]
        known = listed([quoted(each) for each in labels if isinstance(each, str) and each])
        raise EngineError(f"There is no line {quoted(name)} in it: it has {known or 'none'}.")
    line = max(lines, key=len)
    line = line[np.isfinite(line).all(axis=1)]
    if at is None:
        return line[:, 1]
    place = math.log10(at) if _is_logarithmic(figure) else at
    return float(np.interp(place, line[:, 0], line[:, 1]))


def _is_logarithmic(plot: Any) -> bool:
    """Whether the x of a plot is the logarithm of what its ticks say."""
    for place, text in getattr(plot, "x_ticks", ()):
        if text.replace(",", "").isdigit() and int(text.replace(",", "")) > 1:
            return math.isclose(place, math.log10(int(text.replace(",", ""))))
    return False


def _curve(lane: Moment, name: str) -> bool:
    """Whether the run draws a curve of this metric."""
    return any(each.metric == name for each in lane.trace.algorithm.curves)


def _wrong(lane: Moment) -> int:
    """How many rows that were learnt from get a wrong label at the shown step."""
    return int(lane.trace.wrong(at=lane.cursor).sum())


def _wrong_held_out(lane: Moment) -> int:
    """How many held-out rows get a wrong label at the shown step."""
    held_out = lane.trace.problem.held_out
    if held_out is None:
        raise EngineError("No rows are held out.")
    return int(lane.trace.wrong(held_out, at=lane.cursor).sum())


def _answer(lane: Moment, *row: float) -> Any:
    """What the shown model predicts for a row of numbers: the name of a class, or a value."""
    return lane.trace.predict(np.asarray([row], float), at=lane.cursor)[0]


def _chosen(lane: Moment) -> str:
    """The label of the candidate that the shown step takes; "" where it chooses nothing."""
    choice = lane.trace[lane.cursor].choice
    return "" if choice is None else str(choice.options[choice.chosen].label)


def _score(lane: Moment, label: str) -> float:
    """The score of a candidate of the shown step by its label."""
    choice = lane.trace[lane.cursor].choice
    options = () if choice is None else choice.options
    for option in options:
        if option.label == label and option.score is not None:
            return float(option.score)
    known = listed([quoted(option.label) for option in options]) or "none"
    raise EngineError(f"This step weighs no candidate {quoted(label)}: it has {known}.")


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "answer": _answer,
    "chosen": _chosen,
    "curve": _curve,
    "event": _event,
    "events": _events,
    "figure": _figure,
    "line": _line,
    "metric": _metric,
    "operand": _operand,
    "param": _param,
    "plotted": _plotted,
    "says": _says,
    "score": _score,
    "state": _state,
    "wrong": _wrong,
    "wrong_held_out": _wrong_held_out,
}
