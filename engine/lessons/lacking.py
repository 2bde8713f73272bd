"""What a part of a condition lacks, in sentences for students: names that the lab shows, no code.

A lesson may say it in words of its own, see `Task.not_yet`.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import (
    MINUS,
    Share,
    listed,
    number,
    quoted,
    subscript,
    telling_digits,
    value_text,
)
from engine.judge.conditions import EDITS, FUNCTIONS, Condition, Moment, condition
from engine.protocol.algorithm import Curve
from engine.protocol.params import Field, params_fields
from engine.protocol.recipe import recipe_title

LETTERS = "ABCD"
ROUGH = 1e-9  # numbers nearer to each other are equal to a condition
NO_WORDS = "What is asked for is not there yet."
NOT_HERE = "This step does not show what is asked for."
NOT_SO = "This method does not have what is asked for."
_COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "must be",
    ast.Lt: "must be below",
    ast.LtE: "must be at most",
    ast.Gt: "must be above",
    ast.GtE: "must be at least",
    ast.In: "must be one of",
    ast.NotIn: "must be none of",
}
_COUNTED: Mapping[type[ast.cmpop], tuple[str, int]] = {  # words, and the aim that means none
    ast.Eq: ("exactly {} must be", 0),
    ast.Lt: ("fewer than {} must be", 1),
    ast.LtE: ("at most {} may be", 0),
    ast.Gt: ("more than {} must be", -1),
    ast.GtE: ("at least {} must be", -1),
}
_SIGNS = {ast.Add: "+", ast.Sub: MINUS, ast.Mult: "·", ast.Div: "/"}
_PLAIN = {
    "max": "the largest of {}",
    "min": "the least of {}",
    "sqrt": "the square root of {}",
    "sum": "the sum of {}",
    "len": "the number of entries of {}",
    "round": "{}, rounded,",
}
_BEHIND_HEAD = re.compile(r",| (?:of|on|so|that|in|left|made|measured|looked|scored|dropped|not)\b")
_METHOD = ("param", "metric", "event", "events")  # what a method has or has not


def elsewhere(part: Condition) -> str:
    """A sentence for a part that the run cannot be asked: it lacks what the part names."""
    return NOT_SO if is_of_method(part) else NOT_HERE


def is_of_method(part: Condition) -> bool:
    """Whether a part names only what a method has or has not, such as a parameter."""
    calls = [node.func for node in ast.walk(_read(part.text)) if isinstance(node, ast.Call)]
    names = {call.id for call in calls if isinstance(call, ast.Name)}
    return bool(names) and names <= {*_METHOD}


def lacks(part: Condition, lanes: Sequence[Moment], edits: Mapping[str, int]) -> str:
    """What a part that does not hold lacks: 'The number of mistakes so far is 6; it must be 0.'

    Of several ways each of them. Raises EngineError where the run lacks what the part names.
    """
    return _Telling(lanes, edits).sentence(_with_lanes(_read(part.text)))


def _with_lanes(tree: ast.expr) -> ast.expr:
    """Where one lane is named, each is: 'w₁ of lane A and w₁ of lane B'."""
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    if any(_lane_letter(call) for call in calls):
        for call in calls:
            if _is_name(call.func, *FUNCTIONS) and not _lane_letter(call):
                call.keywords.append(ast.keyword("lane", ast.Constant(1)))
    return tree


def _read(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


class _Telling:
    """Says what the shown steps of some lanes lack."""

    def __init__(self, lanes: Sequence[Moment], edits: Mapping[str, int]) -> None:
        self.lanes, self.edits = lanes, edits

    def value(self, node: ast.expr) -> Any:
        return condition(ast.unparse(node)).value(self.lanes, self.edits)

    def sentence(self, node: ast.expr) -> str:
        """What is missing for `node` to be true; "" where nothing is."""
        if bool(np.all(np.asarray(self.value(node)))):
            return ""
        if isinstance(node, ast.BoolOp):
            joint = " Or: " if isinstance(node.op, ast.Or) else " "
            return joint.join(filter(None, map(self.sentence, node.values)))
        if isinstance(node, ast.Compare):
            return self._of_compared(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._of_truth(node.operand, False)
        return self._of_truth(node, True)

    # -- what is true or false ---------------------------------------------------------------------

    def _of_truth(self, node: ast.expr, wanted: bool) -> str:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return NO_WORDS
        name, lane = node.func.id, _in_lane(node)
        if name == "event":
            if not wanted:
                return f"This step{lane} is marked {quoted(_first(node))}, and must not be."
            return self._of_event(node)
        if name == "says":
            words = "do not say" if wanted else "must not say"
            return f"The words of this step{lane} {words} {quoted(_first(node))}."
        if name == "param":
            is_now, must = ("no", "yes") if wanted else ("yes", "no")
            return f"{_upper(self.noun(node)[0])} is {is_now}; it must be {must}."
        return NO_WORDS

    def _of_event(self, node: ast.Call) -> str:
        """Where the mark is, if the run has it."""
        lane, name, where = self._lane(node), _first(node), _in_lane(node)
        steps = lane.trace.when(name)
        if not len(steps):
            return f"No step of this run{where} is marked {quoted(name)}."
        which = "the step" if len(steps) == 1 else "a step"
        way = "on" if steps[-1] > lane.cursor else "back"
        return f"Go {way} to {which}{where} marked {quoted(name)}."

    # -- what is compared --------------------------------------------------------------------------

    def _of_compared(self, node: ast.Compare) -> str:
        sides = [node.left, *node.comparators]
        if len(node.ops) > 1:  # 1 < x < 3: what of it does not hold
            pairs = zip(sides, node.ops, sides[1:], strict=False)
            each = (ast.Compare(left, [op], [right]) for left, op, right in pairs)
            return " ".join(filter(None, map(self.sentence, each)))
        (left, right), op = sides, node.ops[0]
        for special in (self._of_place, self._of_count, self._of_distance, self._of_choice):
            if said := special(left, op, right):
                return said
        return self._of_values(left, op, right)

    def _of_place(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        """Where the run is to stand: at an end, or at a line of the pseudo-code."""
        if isinstance(op, ast.Eq) and _is_name(left, "here") and _is_name(right, "start", "end"):
            return f"{'Go on to the end' if _is_name(right, 'end') else 'Go back to the start'}."
        if not _calls(left, "line") or not isinstance(right, ast.Constant):
            return ""
        assert isinstance(left, ast.Call)
        trace = self._lane(left).trace
        code = dict(trace.algorithm.code_lines(trace.params))
        line = quoted(code.get(str(right.value), str(right.value)).strip(), 60)
        if isinstance(op, ast.Eq):
            return f"Go to a step{_in_lane(left)} at the line {line} of the pseudo-code."
        return f"Leave the line {line} of the pseudo-code."

    def _of_count(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        """Rows, and marks of steps: '36 rows are wrong; fewer than 5 must be.'"""
        if not isinstance(right, ast.Constant) or type(op) not in _COUNTED:
            return ""
        aim = right.value
        if not isinstance(aim, int) or isinstance(aim, bool) or aim < 0:
            return ""
        counted = _rows_words(left)
        if counted is None:
            return ""
        thing, state = counted
        now = int(self.value(left))
        template, none = _COUNTED[type(op)]
        if isinstance(op, ast.Gt) and aim == 0:
            template, aim = _COUNTED[ast.GtE][0], 1
        wanted = "none may be" if aim == none else template.format(aim)
        verb, many = ("are", f"{now} {thing}s") if now > 1 else ("is", f"{now or 'no'} {thing}")
        said = f"{many} {verb} {state}" if state else f"there {verb} {many}"
        return f"{_upper(said)}; {wanted}."

    def _of_distance(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        """|a − b| < 0.01: how far both are apart, and how far they must be."""
        if not _calls(left, "abs") or not isinstance(right, ast.Constant):
            return ""
        near = isinstance(op, (ast.Lt, ast.LtE))
        if not near and not isinstance(op, (ast.Gt, ast.GtE)):
            return ""
        assert isinstance(left, ast.Call)
        (inner,), limit = left.args, _aim(right.value)
        minus = isinstance(inner, ast.BinOp) and isinstance(inner.op, (ast.Add, ast.Sub))
        how = "less" if near else "more"
        if isinstance(inner, ast.BinOp) and minus:
            middle = inner.right
            centre = self._constant(middle)
            if centre is not None:
                centre = -centre if isinstance(inner.op, ast.Add) else centre
                noun, verb = self.noun(inner.left)
                now, _ = _numbers(self.value(inner.left), centre)
                must = f"it must be {how} than {limit} from {_aim(centre)}"
                return f"{_upper(noun)} {verb} {now}; {must}."
            if isinstance(inner.op, ast.Sub):
                one, other = self.noun(inner.left)[0], self.noun(middle)[0]
                now, _ = _numbers(self.value(left), right.value)
                return (
                    f"{_upper(one)} and {other} are {now} apart; they must be {how} than"
                    f" {limit} apart."
                )
        noun, verb = self.noun(inner)
        now, _ = _numbers(self.value(inner), right.value)
        return f"{_upper(noun)} {verb} {now}; it must be {how} than {limit} from 0."

    def _of_choice(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        """The candidate that the step takes."""
        if not _calls(left, "chosen") or not isinstance(right, ast.Constant):
            return ""
        assert isinstance(left, ast.Call)
        now = self.value(left)
        takes = f"takes {quoted(now)}" if now else "chooses nothing"
        aim = f"take {quoted(right.value)}" if isinstance(op, ast.Eq) else "take another candidate"
        return f"This step{_in_lane(left)} {takes}; it must {aim}."

    def _of_values(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        now, aim = self.value(left), self.value(right)
        noun, verb = self.noun(left)
        field = self._field(left)
        computed = self._computed(right)
        if isinstance(op, ast.NotEq):
            text, _ = _texts(now, aim, field)
            if computed:
                other = self.noun(right)[0]
                return f"{_upper(noun)} and {other} are both {text}; they must differ."
            if text == NOT_SET:
                return f"{_upper(noun)} {verb} {text} yet."
            return f"{_upper(noun)} {verb} still {text}; it must be something else."
        if computed and _is_number(now) and _is_number(aim):
            aim = round(float(aim), telling_digits(float(now), float(aim)))
        said, wanted = _texts(now, aim, field)
        if type(op) not in _COMPARED:
            return NO_WORDS
        if computed and isinstance(right, (ast.Call, ast.Subscript)) and not _is_plain(right):
            wanted = f"{self.noun(right)[0]}, {wanted}"
        return f"{_upper(noun)} {verb} {said}; it {_COMPARED[type(op)]} {wanted}."

    def _constant(self, node: ast.expr) -> float | None:
        """The number that an expression without a run is; None for any other."""
        if self._computed(node):
            return None
        found = self.value(node)
        plain = isinstance(found, (int, float)) and not isinstance(found, bool)
        return float(found) if plain else None

    def _computed(self, node: ast.expr) -> bool:
        """Whether the run has a part in it."""
        return any(isinstance(each, (ast.Call, ast.Name)) for each in ast.walk(node))

    # -- names -------------------------------------------------------------------------------------

    def noun(self, node: ast.expr) -> tuple[str, str]:
        """What is compared in the words of the lab, and its verb: ('the curve “loss”', 'is at')."""
        if isinstance(node, ast.Constant):
            return _aim(node.value) if _is_number(node.value) else _text(node.value), "is"
        if isinstance(node, ast.Name):
            return _NAMED.get(node.id, f"the number of {node.id} rows"), "is"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return f"{MINUS}{self.noun(node.operand)[0]}", "is"
        if isinstance(node, ast.BinOp):
            left, right = (self._within(each, node.op) for each in (node.left, node.right))
            return f"{left} {_SIGNS[type(node.op)]} {right}", "is"
        if isinstance(node, ast.Subscript):
            return self._entry(node), "is"
        if isinstance(node, ast.Attribute):
            return f"{quoted(node.attr)} of {self.noun(node.value)[0]}", "is"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._called(node, node.func.id)
        return "this", "is"

    def _within(self, node: ast.expr, op: ast.operator) -> str:
        """A term of a sum or a factor of a product; a sum in a product has brackets."""
        noun = self.noun(node)[0]
        is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))
        return f"({noun})" if is_sum and isinstance(op, (ast.Mult, ast.Div)) else noun

    def _called(self, node: ast.Call, name: str) -> tuple[str, str]:
        behind = f"{_at(node)}{_of_lane(node)}"
        if name == "abs":
            inner = self.noun(node.args[0])[0]
            return (f"the size of {inner}" if " " in inner else f"|{inner}|"), "is"
        if name in _PLAIN:
            inner = listed([self.noun(each)[0] for each in node.args], str)
            return _PLAIN[name].format(inner), "is"
        if name == "metric":
            noun, verb = self._metric(node)
            return f"{noun}{behind}", verb
        if name == "answer":
            row = [self.value(each) for each in node.args]
            short = len(row) <= 2 and all(isinstance(each, (int, float)) for each in row)
            place = ", ".join(map(_aim, row)) if short else ""
            where = f" at ({place})" if len(row) > 1 else f" at {place}"
            where = where if place else ""
            return f"the answer{where}{behind}", "is"
        said: Mapping[str, Callable[[], str]] = {
            "events": lambda: f"the number of steps marked {quoted(_first(node))} so far",
            "param": lambda: f"the parameter {quoted(self._label(node))}",
            "state": lambda: _symbol(_first(node)),
            "operand": lambda: self._operand(node),
            "wrong": lambda: "the number of wrong rows",
            "wrong_held_out": lambda: "the number of wrong held-out rows",
            "score": lambda: f"the score of {_first(node)}",
            "line": lambda: "the line",
            "chosen": lambda: "what is chosen",
            "plotted": lambda: f"the line {quoted(_constants(node)[-1])} in {quoted(_first(node))}",
        }
        return f"{said.get(name, lambda: 'this')()}{behind}", "is"

    def _metric(self, node: ast.Call) -> tuple[str, str]:
        """'the number of mistakes so far', or 'the curve “loss”', which the timeline shows."""
        name = _first(node)
        found = self._curve(self._lane(node), name)
        if found is None:
            return self._thing(name, self.value(node)), "is"
        if found.digits == 0 and _is_plural(found.title):
            return f"the number of {found.title}", "is"
        return f"the curve {quoted(found.title)}", "is at"

    def _operand(self, node: ast.Call) -> str:
        lane = self._lane(node)
        operand = lane.trace[lane.cursor].note.operands[_first(node)]
        if operand.symbol:
            is_word = len(operand.symbol) > 2 and operand.symbol.isalpha()
            return f"the {operand.symbol}" if is_word else operand.symbol
        if self._curve(lane, _first(node)) and operand.value == self._measured(lane, _first(node)):
            return self._metric(node)[0]  # what the timeline shows too
        return self._thing(_first(node), operand.value)

    def _measured(self, lane: Moment, name: str) -> float:
        return float(lane.trace.metrics[name][lane.cursor])

    def _curve(self, lane: Moment, name: str) -> Curve | None:
        """The curve of a metric; None where the method draws none."""
        return next((each for each in lane.trace.algorithm.curves if each.metric == name), None)

    def _thing(self, name: str, value: Any) -> str:
        """A value that has only a name: a number of things, a text, or any other number."""
        words = name.replace("_", " ")
        if isinstance(value, str):
            return f"the {words}"
        whole = isinstance(value, Real) and float(value).is_integer()
        return f"the number of {words}" if whole and _is_plural(words) else _symbol(name)

    def _entry(self, node: ast.Subscript) -> str:
        """'w₁', 'mean 2', 'entry 1 of mean 2'."""
        place = self.value(node.slice)
        if not isinstance(place, (int, np.integer)):
            return f"{place} of {self.noun(node.value)[0]}"
        inside = node.value
        if isinstance(inside, ast.Subscript) and len(np.atleast_1d(self.value(inside))) == 1:
            return self._entry(inside)  # the only entry
        if _calls(inside, "state"):
            assert isinstance(inside, ast.Call)
            name, behind = _first(inside), f"{_at(inside)}{_of_lane(inside)}"
            if len(name) == 1:
                return f"{name}{subscript(int(place) + 1)}{behind}"
            if _is_plural(name):
                return f"{name.replace('_', ' ').removesuffix('s')} {int(place) + 1}{behind}"
        return f"entry {int(place) + 1} of {self.noun(inside)[0]}"

    def _label(self, node: ast.Call) -> str:
        field = self._field(node)
        return _first(node) if field is None else field.label

    def _field(self, node: ast.expr) -> Field | None:
        """The parameter that a call names; None for any other."""
        if not _calls(node, "param"):
            return None
        assert isinstance(node, ast.Call)
        fields = params_fields(type(self._lane(node).trace.params))
        return next((each for each in fields if each.name == _first(node)), None)

    def _lane(self, node: ast.Call) -> Moment:
        place = _lane_index(node)
        if not 0 <= place < len(self.lanes):
            raise EngineError(f"There is no lane {place + 1}.")
        return self.lanes[place]


_NAMED = {
    "here": "the number of this step",
    "start": "the first step",
    "end": "the last step",
    "steps": "the number of steps",
    "rows": "the number of rows",
    "held_out": "the number of held-out rows",
    "lanes": "the number of lanes",
    "true": "yes",
    "false": "no",
}


def _rows_words(node: ast.expr) -> tuple[str, str] | None:
    """(what is counted, its state): ('row', 'added'), ('step', 'marked “tie” so far')."""
    if isinstance(node, ast.Name):
        if node.id in EDITS:
            return "row", node.id
        return {"rows": ("row", ""), "held_out": ("row", "held out")}.get(node.id)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    lane = _in_lane(node)
    return {
        "wrong": ("row", f"wrong{lane}"),
        "wrong_held_out": ("held-out row", f"wrong{lane}"),
        "events": ("step", f"marked {quoted(_first(node))} so far{lane}"),
    }.get(node.func.id)


# -- values ----------------------------------------------------------------------------------------

NOT_SET = "not set"


def _texts(now: Any, aim: Any, field: Field | None) -> tuple[str, str]:
    """A value and the one that is wanted, as the lab writes them."""
    if _is_number(now) and _is_number(aim):
        return _numbers(now, aim) if field is None else (_aim(now), _aim(aim))
    return _text(now, field), _text(aim, field)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))


def _numbers(now: Any, aim: Any) -> tuple[str, str]:
    """Two numbers; what a condition takes for the same as the aim, or for 0, reads so."""
    wanted = _aim(aim)
    if isinstance(now, (Fraction, Share)) or not isinstance(now, Real):
        return value_text(now), wanted
    value, target = float(now), float(aim)
    if not (isfinite(value) and isfinite(target)):
        return number(value), wanted
    if abs(value) <= ROUGH < abs(target) or value == 0:
        return "0", wanted
    if abs(value - round(value)) <= ROUGH and abs(value) < 1e6:
        return number(round(value)), wanted
    decimals = len(wanted.partition(".")[2]) if "·" not in wanted else 0
    if target and abs(value) < 0.5 * 10.0 ** -max(3, decimals + 1):
        return "about 0", wanted
    return number(value, max(2, decimals, telling_digits(value, target))), wanted


def _aim(value: Any) -> str:
    """A number that the lesson names, with its own digits: 0.995, 1.36."""
    if isinstance(value, Fraction) or not isinstance(value, Real):
        return value_text(value)
    size = float(value)
    if not isfinite(size) or size == int(size) or abs(size) < 1e-6:
        return number(size)
    text = f"{abs(size):.6f}".rstrip("0")
    return f"{MINUS if size < 0 else ''}{text}"


def _text(value: Any, field: Field | None = None) -> str:
    """A value for reading: a text in quotation marks, an option as the form writes it."""
    if field is not None and field.kind in ("learner", "learners"):
        learners = value if isinstance(value, tuple) else (value,)
        return listed(map(recipe_title, learners), quoted)
    if isinstance(value, str):
        shown = field.written(value) if field is not None else value
        return quoted(shown) if shown else NOT_SET
    if isinstance(value, tuple) and not value:
        return NOT_SET
    try:
        return value_text(value)
    except (TypeError, ValueError):  # a record, or a tuple of them
        return "something else"


# -- the parts of a call ---------------------------------------------------------------------------


def _is_name(node: ast.expr, *names: str) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and _is_name(node.func, name)


def _is_plain(node: ast.expr) -> bool:
    """Whether it is a function of arithmetic, which the student does not see."""
    return isinstance(node, ast.Call) and _is_name(node.func, "abs", *_PLAIN)


def _is_plural(words: str) -> bool:
    """Whether words name several things: 'mistakes so far', not 'loss' or 'radius of the ball'."""
    head = _BEHIND_HEAD.split(words)[0]
    return head.endswith("s") and not head.endswith(("ss", "us", "is"))


def _symbol(name: str) -> str:
    """A short name is a symbol of the lab, a longer one is quoted."""
    return name if len(name) <= 2 else quoted(name.replace("_", " "))


def _constants(node: ast.Call) -> list[str]:
    return [str(each.value) for each in node.args if isinstance(each, ast.Constant)] or [""]


def _first(node: ast.Call) -> str:
    first = node.args[0] if node.args else None
    return str(first.value) if isinstance(first, ast.Constant) else ""


def _at(node: ast.Call) -> str:
    """' at the end' for a value of another step than the shown one."""
    if len(node.args) < 2 or not isinstance(node.args[1], ast.Name):
        return ""
    return {"end": " at the end", "start": " at the start"}.get(node.args[1].id, "")


def _lane_index(node: ast.Call) -> int:
    given = next((each.value for each in node.keywords if each.arg == "lane"), None)
    number_of = given.value if isinstance(given, ast.Constant) else 1
    if isinstance(number_of, str):
        return LETTERS.find(number_of)
    return number_of - 1 if isinstance(number_of, int) else 0


def _lane_letter(node: ast.Call) -> str:
    named = any(each.arg == "lane" for each in node.keywords)
    place = _lane_index(node)
    return LETTERS[place] if named and 0 <= place < len(LETTERS) else ""


def _of_lane(node: ast.Call) -> str:
    """' of lane B' where a lane is named."""
    letter = _lane_letter(node)
    return f" of lane {letter}" if letter else ""


def _in_lane(node: ast.Call) -> str:
    """' in lane B' where a lane is named."""
    letter = _lane_letter(node)
    return f" in lane {letter}" if letter else ""


def _upper(words: str) -> str:
    """A word begins a sentence with a capital; a symbol such as w stays."""
    return words[:1].upper() + words[1:] if words[1:2].isalpha() else words
