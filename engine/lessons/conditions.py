"""What a run still lacks for a condition, in sentences; see `engine.judge.conditions`."""

import ast
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import MINUS, quoted, telling_digits, value_text
from engine.judge.conditions import EDITS, NO_EDITS, Condition, Moment, condition
from engine.protocol.params import params_fields
from engine.protocol.step import Level
from engine.table.dataset import Dataset

MOST_TRIED = 5_000  # steps that are searched for the first that meets a condition
_COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "must be",
    ast.NotEq: "must not be",
    ast.Lt: "must be below",
    ast.LtE: "must be at most",
    ast.Gt: "must be above",
    ast.GtE: "must be at least",
}
_SIGNS = {ast.Add: "+", ast.Sub: MINUS, ast.Mult: "·", ast.Div: "/"}


def still_missing(
    text: str, lanes: Sequence[Moment], edits: Mapping[str, int] = NO_EDITS
) -> list[str]:
    """A sentence for each part of a condition that does not hold now; [] where all hold.

    A run that lacks what the condition names does not meet it: the sentence says why.
    """
    found = []
    for part in condition(text).parts():
        try:
            if not part.holds(lanes, edits):
                found.append(_lacks(part, lanes, edits))
        except EngineError as sentence:
            found.append(str(sentence))
    return found


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


# -- words -----------------------------------------------------------------------------------------


def _lacks(part: Condition, lanes: Sequence[Moment], edits: Mapping[str, int]) -> str:
    """What one part lacks: 'Errors is 3; it must be 0.'; of several ways each of them."""
    node = ast.parse(part.text.strip(), mode="eval").body
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        ways = [still_missing(ast.unparse(each), lanes, edits) for each in node.values]
        return " Or: ".join(map(" ".join, ways))
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARED:
        left, right = node.left, node.comparators[0]
        must = _COMPARED[type(node.ops[0])]
        found = [condition(ast.unparse(each)).value(lanes, edits) for each in (left, right)]
        numbers = all(isinstance(each, (int, float)) for each in found)
        digits = telling_digits(*found) if numbers else 2
        now, aim = (_text(each, digits) for each in found)
        computed = any(isinstance(each, (ast.Call, ast.Name)) for each in ast.walk(right))
        wanted = f"{_words(right, lanes)}, {aim}" if computed else aim
        return f"{_upper(_words(left, lanes))} is {now}; it {must} {wanted}."
    if isinstance(node, ast.Call) and _is(node, "event"):
        return f"This step{_lane(node)} does not have the event {quoted(_first(node))}."
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = node.operand
        if isinstance(inner, ast.Call) and _is(inner, "event"):
            return f"This step{_lane(inner)} must not have the event {quoted(_first(inner))}."
    return f"{quoted(part.text)} does not hold yet."


def _is(node: ast.Call, name: str) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == name


def _text(value: Any, digits: int) -> str:
    try:
        return value_text(value, digits)
    except (TypeError, ValueError):  # a record, or a tuple of them
        return "something else"


def _words(node: ast.expr, lanes: Sequence[Moment]) -> str:
    """A compared part in words: 'the number of mistake steps of lane B'."""
    if isinstance(node, ast.Name):
        if node.id in EDITS:
            return f"the number of {node.id} rows"
        return {"here": "the step", "rows": "the number of rows"}.get(node.id, node.id)
    if isinstance(node, ast.BinOp):
        return f"{_words(node.left, lanes)} {_SIGNS[type(node.op)]} {_words(node.right, lanes)}"
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        place = node.slice.value
        entry = place + 1 if isinstance(place, int) else str(place)
        return f"entry {entry} of {_words(node.value, lanes)}"
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return ast.unparse(node).replace("-", MINUS)
    name = _first(node)
    said = {
        "metric": name.replace("_", " "),
        "events": f"the number of steps with {name}",
        "param": _label(name, node, lanes),
        "state": name.replace("_", " "),
        "operand": name.replace("_", " "),
        "wrong": "the number of wrong rows",
        "wrong_held_out": "the number of wrong held-out rows",
        "answer": "the answer",
        "score": f"the score of {name}",
        "line": "the line",
        "chosen": "what is chosen",
    }.get(node.func.id, ast.unparse(node))
    return f"{said}{_at(node)}{_lane(node)}"


def _label(name: str, node: ast.Call, lanes: Sequence[Moment]) -> str:
    """The label of a parameter in the form."""
    fields = params_fields(type(lanes[_lane_index(node, len(lanes))].trace.params))
    return next((field.label for field in fields if field.name == name), name)


def _first(node: ast.Call) -> str:
    first = node.args[0] if node.args else None
    return str(first.value) if isinstance(first, ast.Constant) else ""


def _at(node: ast.Call) -> str:
    """' at the end' for a value of another step than the shown one."""
    if len(node.args) < 2 or not isinstance(node.args[1], ast.Name):
        return ""
    return {"end": " at the end", "start": " at the start"}.get(node.args[1].id, "")


def _lane_index(node: ast.Call, count: int) -> int:
    given = next((each.value for each in node.keywords if each.arg == "lane"), None)
    number = given.value if isinstance(given, ast.Constant) else 1
    if isinstance(number, str):
        place = "ABCD".find(number)
    else:
        place = number - 1 if isinstance(number, int) else 0
    return place if 0 <= place < count else 0


def _lane(node: ast.Call) -> str:
    """' of lane B' where a lane is named."""
    named = any(each.arg == "lane" for each in node.keywords)
    return f" of lane {'ABCD'[_lane_index(node, 4)]}" if named else ""


def _upper(words: str) -> str:
    """A word begins a sentence with a capital; a symbol such as w stays."""
    return words[:1].upper() + words[1:] if words[1:2].isalpha() else words
