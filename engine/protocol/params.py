"""Parameters of a method: an annotated record, from which form, checks, JSON and command line
derive.
"""

import re
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from math import isfinite
from numbers import Real
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from engine.base.errors import EngineError
from engine.base.notation import INFINITY, MINUS, label_text, number, quoted, short, written
from engine.base.records import Record, field_names
from engine.base.spelling import place_of
from engine.table.dataset import MOST
from engine.table.given import WHOLE, seen

P = TypeVar("P")
EXAMPLE = "“nearest_neighbours(k=3)”"  # a learner, for sentences


class Range(Record, eq=True):
    """Bounds of a number, both included; log: the slider is logarithmic."""

    low: float
    high: float
    log: bool = False


class Label(Record, eq=True):
    """The text before the control in the form."""

    text: str


class Help(Record, eq=True):
    """One sentence for the tool tip."""

    text: str


class Empty(Record, eq=True):
    """One short word that the form shows for a number that is left out: auto, ∞."""

    text: str


class Written(Record, eq=True):
    """Shorter texts for long options in the form, as (option, text) pairs."""

    words: tuple[tuple[str, str], ...]


class When(Record, eq=True):
    """The parameter has an effect only where parameter `name` has one of `values`; else the form
    hides it.
    """

    name: str
    values: tuple[Any, ...]


class Learner(Record, eq=True):
    """The text names a learner of the lab with its parameters: 'nearest_neighbours(k=3)'.

    '' leaves the choice to the data. A tuple of texts names several. See `engine.protocol.recipe`.

    most: how many learners at most
    scores: only learners with scores are allowed
    two_classes: it learns to tell a class from the rest, not the table's own classes
    """

    most: int = 4
    scores: bool = False
    two_classes: bool = False


class Costs(Record, eq=True):
    """The text is a table of numbers, '0 10; 1 0', with a row and a column for each class.

    '' leaves the costs to the method.
    """


class Place(Record, eq=True):
    """The tuple of numbers is a place on the plane, which the form lets the probe set."""


class Length(Record, eq=True):
    """How many numbers the tuple holds when it is not empty: "columns + 1", "k * columns".

    text: a sum of products of whole numbers, `columns`, `classes`, and names of whole numbers of
        the Params (parameters or properties)
    multiple: any whole multiple of that fits
    """

    text: str
    multiple: bool = False

    @property
    def terms(self) -> tuple[tuple[str, ...], ...]:
        """The factors of each term of the sum."""
        return tuple(tuple(map(str.strip, term.split("*"))) for term in self.text.split("+"))

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the text, each once, in order."""
        factors = (factor for term in self.terms for factor in term)
        return tuple(dict.fromkeys(factor for factor in factors if not factor.isdigit()))


class Fits(Record):
    """Any other condition that the value has to fit, such as the names of the columns.

    check: (params, problem); raises EngineError, a sentence, where the value does not fit
    """

    check: Callable[[Any, Any], object]


MostRounds = Annotated[
    int | None,
    Range(1, 100_000, log=True),
    Label("Rounds"),
    Empty("∞"),
    Help("at most; empty: no limit"),
]
Patience = Annotated[
    int,
    Range(1, 100),
    Label("Patience"),
    Help(
        "rounds with an equal count before the errors count as settled; two equal rounds prove"
        " nothing"
    ),
]


class Field(Record, eq=True):
    """One parameter as a form needs it.

    kind: 'float', 'int', 'bool', 'choice', 'numbers', 'words' (numbers and words), 'text', 'costs',
        'learner', 'learners'
    most: how many learners at most
    scores: whether only learners with scores are allowed
    two_classes: whether the learner tells a class from the rest
    fits: what the value has to fit in the table
    """

    name: str
    kind: str
    default: Any
    label: str
    help: str = ""
    range: Range | None = None
    options: tuple[Any, ...] = ()
    when: When | None = None
    optional: bool = False
    place: bool = False
    empty: str = "none"
    words: tuple[tuple[str, str], ...] = ()
    most: int = 1
    scores: bool = False
    two_classes: bool = False
    fits: Length | Fits | None = None

    def matters(self, params: Any) -> bool:
        """Whether the parameter has an effect with these values of the others, see `When`."""
        return self.when is None or getattr(params, self.when.name) in self.when.values

    def written(self, option: Any) -> str:
        """The text of an option in the form."""
        return dict(self.words).get(option, str(option))


def params_fields(params: type[Any]) -> tuple[Field, ...]:
    """The parameters of a class of records in order: its fields that have a default."""
    return _read(params)  # type: ignore[arg-type]  # to mypy a class is not hashable


@cache
def _read(params: Any) -> tuple[Field, ...]:
    return tuple(
        _field(declared.name, declared.type, declared.default)
        for declared in msgspec.structs.fields(params)
        if declared.default is not msgspec.NODEFAULT
    )


def _field(name: str, hint: Any, default: Any) -> Field:
    marks: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *rest = get_args(hint)
        marks = tuple(rest)
    optional = get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)
    if optional:
        hint = next(a for a in get_args(hint) if a is not type(None))
    found = {type(mark): mark for mark in marks}
    label = found.get(Label)
    about = found.get(Help)
    learners = found.get(Learner)
    kind = _kind(hint) if learners is None else "learner" if hint is str else "learners"
    kind = "costs" if Costs in found else kind
    return Field(
        name,
        kind,
        default,
        label.text if label else name.replace("_", " ").capitalize(),
        about.text if about else "",
        found.get(Range),
        get_args(hint) if get_origin(hint) is Literal else (),
        found.get(When),
        optional,
        Place in found,
        found.get(Empty, Empty("none")).text,
        found.get(Written, Written(())).words,
        1 if learners is None else learners.most,
        learners is not None and learners.scores,
        learners is not None and learners.two_classes,
        found.get(Length, found.get(Fits)),
    )


def _kind(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return "choice"
    if get_origin(hint) is tuple:
        return "numbers" if get_args(hint)[0] is float else "words"
    return {bool: "bool", int: "int", float: "float", str: "text"}[hint]


def build(params: type[P], values: Mapping[str, Any]) -> P:
    """`params(**values)`, checked.

    Raises EngineError that names the parameter, its bounds and the given value.
    """
    known = {field.name: field for field in params_fields(params)}
    for name in values:
        if name not in known:
            names = ", ".join(known) or "none"
            raise EngineError(f"There is no parameter {quoted(name)}; the parameters are {names}.")
    return params(**{name: check(known[name], value) for name, value in values.items()})


def check(field: Field, value: Any) -> Any:
    """`value` as parameter `field` stores it; numbers may be text, as from a command line.

    Raises EngineError for a value that the parameter cannot have.
    """
    if hasattr(value, "tolist"):
        value = value.tolist()  # arrays and numbers of numpy
    if value is None or (
        field.optional and isinstance(value, str) and value in ("", "none", field.empty)
    ):
        if field.optional:
            return None
        raise EngineError(f"{field.label} needs a value.")
    if field.kind == "choice":
        return _check_choice(field, value)
    if field.kind == "bool":
        return _check_bool(field, value)
    if field.kind == "numbers":
        return _check_numbers(field, value)
    if field.kind == "words":
        return _check_words(field, value)
    if field.kind in ("text", "costs", "learner"):
        return _check_text(field, value)
    if field.kind == "learners":
        return _check_learners(field, value)
    return _check_number(field, value)


def _check_choice(field: Field, value: Any) -> Any:
    place = place_of(value, field.options)
    if place is not None:
        return field.options[place]
    raise EngineError(
        f"{field.label} must be one of {', '.join(map(str, field.options))}; it is {quoted(value)}."
    )


def _check_bool(field: Field, value: Any) -> bool:
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    known = words.get(written(value).lower())
    if known is None:
        raise EngineError(f"{field.label} must be yes or no; it is {quoted(value)}.")
    return known


def _check_number(field: Field, value: Any) -> float | int:
    if isinstance(value, str) and not value.strip():
        raise EngineError(f"{field.label} is empty: it must be a number.")
    try:
        given = float(
            value.replace(INFINITY, "inf").replace(MINUS, "-") if isinstance(value, str) else value
        )
    except (TypeError, ValueError, OverflowError):
        raise EngineError(f"{field.label} must be a number; it is {seen(value)}.") from None
    if field.kind == "int" and not given.is_integer():
        raise EngineError(f"{field.label} must be a whole number; it is {_typed(value)}.")
    bounds = field.range
    if given != given or (bounds and not bounds.low <= given <= bounds.high):
        low, high = (bounds.low, bounds.high) if bounds else (float("-inf"), float("inf"))
        raise EngineError(
            f"{field.label} must lie between {_bound(low)} and {_bound(high)}; it is"
            f" {_typed(value)}."
        )
    return int(given) if field.kind == "int" else given


def _typed(value: Any) -> str:
    """A number, or its text, as it was entered, unrounded: rounded, it could seem within the
    bounds.
    """
    if isinstance(value, str):
        return f"{value.strip().replace('-', MINUS):.40}"
    if isinstance(value, float):
        if not isfinite(value):
            return number(value)
        if float(f"{value:g}") == value and abs(value) < 1:
            return short(value)
        value = int(value) if value.is_integer() and abs(value) < WHOLE else value
    return seen(value).replace("-", MINUS)


def _bound(value: float) -> str:
    return short(value) if isfinite(value) else number(value)


def _check_numbers(field: Field, value: Any) -> tuple[float, ...]:
    if isinstance(value, Real) and not isinstance(value, bool):
        value = (value,)  # one number is a list of one, as from a command line
    parts = (
        re.split(r"[,;\s]+", value.strip("()[] ").replace("−", "-"))
        if isinstance(value, str)
        else value
    )
    try:
        numbers = tuple(float(part) for part in parts if not isinstance(part, str) or part.strip())
    except (TypeError, ValueError, OverflowError):
        raise EngineError(
            f"{field.label} must be numbers separated by commas or blanks; it is {quoted(value)}."
        ) from None
    if any(v != v or v in (float("inf"), float("-inf")) for v in numbers):
        raise EngineError(f"{field.label} must be finite numbers.")
    if any(abs(v) > MOST for v in numbers):
        raise EngineError(
            f"{field.label} holds a number beyond 10¹⁵⁰, too large to compute: make it smaller."
        )
    return numbers


def _check_text(field: Field, value: Any) -> str:
    """The value as text; numbers are allowed, because a column may be called 5."""
    if isinstance(value, str) or (isinstance(value, Real) and field.kind == "text"):
        with suppress(ValueError):  # a whole number of thousands of digits
            return str(value).strip()
    wanted = {
        "learner": f"one text such as {EXAMPLE}",
        "costs": "a text with a row for each class, such as “0 10; 1 0”",
    }
    raise EngineError(
        f"{field.label} must be {wanted.get(field.kind, 'a text')}; it is {seen(value)}, of the"
        f" type {type(value).__name__}."
    )


def _check_learners(field: Field, value: Any) -> tuple[str, ...]:
    """The names of learners: from one text with semicolons, or several texts."""
    texts = split_outside(value, ";") if isinstance(value, str) else value
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        raise EngineError(
            f"{field.label} must be texts such as {EXAMPLE}, one for each learner; it is"
            f" {seen(value)}, of the type {type(value).__name__}."
        )
    named = tuple(text.strip() for text in texts if text.strip())
    if len(named) > field.most:
        raise EngineError(f"{field.label} must be at most {field.most}; there are {len(named)}.")
    return named


def split_outside(text: str, mark: str) -> list[str]:
    """The parts of a text between marks, where marks in brackets do not count; blank parts are left
    out.
    """
    depth = 0
    parts = [""]
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == mark and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def _check_words(field: Field, value: Any) -> tuple[float | str, ...]:
    """A tuple of numbers and words; a text is split at commas or semicolons, else at blanks."""
    if isinstance(value, str):
        value = re.split(
            r"[,;]" if re.search("[,;]", value) else r"\s+", value.strip().strip("()[]")
        )
    parts = [value] if isinstance(value, Real) else value
    try:
        return tuple(_word(part) for part in parts if not isinstance(part, str) or part.strip())
    except TypeError:
        raise EngineError(
            f"{field.label} must be words or numbers separated by commas; it is {seen(value)}."
        ) from None


def _word(part: Any) -> float | str:
    """A finite number as a float, anything else as its text."""
    try:
        text = label_text(part) if isinstance(part, bool) else str(part).strip()
    except ValueError:  # a whole number of thousands of digits
        raise EngineError(f"A word must be shorter than {seen(part)}.") from None
    try:
        value = float(text.replace(MINUS, "-"))
    except ValueError:
        return text
    return value if abs(value) <= MOST else text


def to_dict(params: Any) -> dict[str, Any]:
    """The parameters as plain JSON values; `build(type, …)` reads them back."""
    plain = {name: getattr(params, name) for name in field_names(params)}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in plain.items()}
