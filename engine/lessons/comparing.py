"""A condition as rows: what is compared, how, with which value, in which lane.

An author picks the rows, and the lesson keeps their text; see `engine.judge.conditions`.
"""

import ast
from collections.abc import Mapping, Sequence

from engine.base.errors import EngineError
from engine.base.records import Record, replace
from engine.judge.conditions import EDITS, NAMES, Moment, condition
from engine.protocol.params import params_fields
from engine.runs.trace import Trace

SIGNS: Mapping[str, str] = {"==": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
ANY = 0  # as the lane of a row: it is enough that one of the lanes meets it
HAPPENS, NOT = "==", "!="  # of an event: it happens at the step, it does not
_OPERATORS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


class Compared(Record, eq=True):
    """A row of a condition.

    what: as a condition writes it, without a lane: 'metric("errors")', 'event("mistake")'
    sign: of SIGNS; of an event HAPPENS or NOT
    value: a number or a text in quotation marks; '' for an event
    lane: its number, from 1, or ANY
    """

    what: str
    sign: str = "=="
    value: str = ""
    lane: int = 1

    @property
    def is_event(self) -> bool:
        return self.what.startswith("event(")

    @property
    def has_lane(self) -> bool:
        """Whether it has a value in each lane: the edits of the table and `rows` have one alone."""
        return self.what.endswith(")")

    def text(self, lanes: int = 1) -> str:
        """The row as a condition on so many lanes."""
        if self.lane == ANY:
            every = [replace(self, lane=number).text() for number in range(1, lanes + 1)]
            return f"({' or '.join(dict.fromkeys(every))})" if self.has_lane else every[0]
        named = self.what
        if self.lane > 1 and self.has_lane:
            comma = "" if named.endswith("()") else ", "
            named = f"{named[:-1]}{comma}lane={self.lane})"
        if self.is_event:
            return named if self.sign == HAPPENS else f"not {named}"
        return f"{named} {self.sign} {self.value}"


def rows_of(text: str, lanes: int = 1) -> tuple[Compared, ...] | None:
    """The rows whose texts, joined by “and”, are this condition on so many lanes; None where there
    are none such.
    """
    if not text.strip():
        return ()
    try:
        rows = [_row(part.text, lanes) for part in condition(text).parts()]
    except EngineError:
        return None
    return tuple(row for row in rows if row is not None) if None not in rows else None


def text_of(rows: Sequence[Compared], lanes: int = 1) -> str:
    """The condition on so many lanes that all rows state together."""
    return " and ".join(row.text(lanes) for row in rows)


def _row(text: str, lanes: int) -> Compared | None:
    node = ast.parse(text.strip(), mode="eval").body
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        every = [_row(ast.unparse(each), lanes) for each in node.values]
        first = every[0]
        if first is None or every != [replace(first, lane=k) for k in range(1, lanes + 1)]:
            return None
        return replace(first, lane=ANY)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        found = _row(ast.unparse(node.operand), lanes)
        return Compared(found.what, NOT, "", found.lane) if found and found.is_event else None
    if isinstance(node, ast.Call):
        what, lane = _named(node)
        return Compared(what, HAPPENS, "", lane) if what.startswith("event(") else None
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    sign = _OPERATORS.get(type(node.ops[0]), "")
    if not sign or not isinstance(node.left, (ast.Call, ast.Name)):
        return None
    what, lane = _named(node.left)
    value = node.comparators[0]
    plain = value.operand if isinstance(value, ast.UnaryOp) else value
    if not what or not isinstance(plain, ast.Constant):
        return None
    return Compared(what, sign, _quoted(ast.unparse(value)), lane)


def _named(node: ast.Call | ast.Name) -> tuple[str, int]:
    """A value without its lane, and the lane; ('', 1) for a lane that is no number."""
    if isinstance(node, ast.Name):
        return (node.id if node.id in {*NAMES, *EDITS} else ""), 1
    lanes = [each.value for each in node.keywords if each.arg == "lane"]
    number = lanes[0].value if lanes and isinstance(lanes[0], ast.Constant) else 1
    if len(node.keywords) > len(lanes) or not isinstance(number, int):
        return "", 1
    bare = ast.Call(func=node.func, args=node.args, keywords=[])
    return _quoted(ast.unparse(bare)), number


def _quoted(text: str) -> str:
    """Texts in double quotation marks, as conditions are written."""
    return text if '"' in text else text.replace("'", '"')


# -- what a run offers -----------------------------------------------------------------------------


def offers(lane: Moment) -> list[tuple[str, str]]:
    """(what, its name in words) of all that a row can compare in this run.

    Metrics come first, then events, their counts, what is computed, and the numbers among the
    parameters.
    """
    algorithm = lane.trace.algorithm
    found = [(f'metric("{name}")', _words(name)) for name in metric_names(lane.trace)]
    found += [(f'event("{name}")', f"{_words(name)} at this step") for name in algorithm.events]
    found += [(f'events("{name}")', f"{_words(name)}: how often") for name in algorithm.events]
    for what, words in (
        ("wrong()", "wrong rows"),
        ("wrong_held_out()", "wrong held-out rows"),
        ("here", "the step"),
        ("steps", "steps of the whole run"),
        ("rows", "rows of the table"),
    ):
        if _has(what, lane):
            found.append((what, words))
    found += [(name, f"{name} rows") for name in EDITS]
    for field in params_fields(algorithm.params):
        number = getattr(lane.trace.params, field.name)
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            found.append((f'param("{field.name}")', field.label))
    return found


def offers_by_lane(lanes: Sequence[Moment]) -> dict[int, list[tuple[str, str]]]:
    """`offers` of each lane by its number, and what all of them offer as those of ANY."""
    found = {number: offers(lane) for number, lane in enumerate(lanes, 1)}
    common = set.intersection(*({what for what, _ in each} for each in found.values()))
    return found | {ANY: [each for each in found[1] if each[0] in common]}


def metric_names(trace: Trace) -> list[str]:
    """The metrics of a run: those that it draws as curves first, then by name."""
    drawn = [curve.metric for curve in trace.algorithm.curves if curve.metric in trace.metrics]
    return list(dict.fromkeys([*drawn, *sorted(trace.metrics)]))


def _has(what: str, lane: Moment) -> bool:
    try:
        condition(what).value([lane])
    except EngineError:
        return False
    return True


def _words(name: str) -> str:
    return name.replace("_", " ")
