"""`Step`, what an algorithm yields: a snapshot of the model with its line, words and decision."""

import re
from collections.abc import Callable, Mapping
from enum import IntEnum
from fractions import Fraction
from numbers import Real
from typing import Any, Generic, Protocol, TypeVar

from engine.base.notation import MINUS, value_text
from engine.base.paper import line_faults
from engine.base.records import Record, cached_property, field, replace

S = TypeVar("S")
_AGREES = re.compile(r"\{\{|\}\}|\{(?P<name>\w+):(?P<one>[^{}|]*)\|(?P<several>[^{}|]*)\}")
_BEHIND = re.compile(r"[−+·×/]\s*\{(\w+)\}")
_BOUND = re.compile(r"/\s*\{(\w+)\}|\{(\w+)\}[²³^]")  # divides, or is raised to a power
_PLACES = re.compile(r"\{(\w+)\}")
MOST_FURTHER = 12  # most decimals that are added to those that a method asks for
_TENS = re.compile(r"·10|\de[−+]")  # a power of ten: 1/1·10³ and 1·10³² would say something else


def _bound(template: str) -> frozenset[str]:
    return frozenset(name for names in _BOUND.findall(template) for name in names)


class Level(IntEnum):
    """How coarse a step is: detail, step or round. Moving to the next step and thinning depend on
    it.
    """

    DETAIL = 0
    STEP = 1
    ROUND = 2


class Pace(Record, eq=True):
    """How fine the caller wants the steps. Guard costly steps: `if pace.detail: yield …`.

    end: only the last step is wanted, so that rounds on the way may be skipped
    """

    level: Level = Level.DETAIL
    end: bool = False

    @property
    def detail(self) -> bool:
        return self.level <= Level.DETAIL

    @property
    def step(self) -> bool:
        """Whether steps are wanted, not rounds alone: then a fit can skip the work for them."""
        return self.level <= Level.STEP


class Operand(Record, eq=True):
    """One term of a formula.

    value: number, text, vector (read-only array or tuple), Fraction or Share
    symbol: how the formula writes it before the numbers are put in ('η', 'w')
    about: tag of the scene layers that it is about; hovering over either lights both
    digits: decimals shown; −1: as few as the value needs, for what a person typed
    """

    value: Any
    symbol: str = ""
    about: str = ""
    digits: int = 2

    def text(self) -> str:
        return value_text(self.value, self.digits)

    def inside(self) -> "Operand":
        """The operand behind an operator: a negative number in brackets, 3 − (−2)."""
        text = self.text()
        if not isinstance(self.value, Real) or not text.startswith(MINUS):
            return self
        return replace(self, value=f"({text})")

    def whole(self) -> "Operand":
        """The operand below a stroke or a power: a product or negative number in brackets,
        (1.00·10⁻³)².
        """
        text = self.text()
        if (
            not isinstance(self.value, (Real, str))
            or text.startswith("(")
            or not _TENS.search(text)
        ):
            return self.inside()
        return replace(self, value=f"({text})")

    def in_line(self, bound: bool) -> str:
        """Its text in a line.

        bound: below a stroke or a power, where a fraction, which the screen stacks, needs brackets
        """
        stacked = isinstance(self.value, Fraction) and self.value.denominator != 1
        return f"({self.text()})" if bound and stacked else self.text()


class _LazyTexts:
    """Texts for the places of a template, each made on access: a template uses few of a note's
    operands.
    """

    def __init__(self, word: Callable[[str], str]) -> None:
        self._word = word

    def __getitem__(self, name: str) -> str:
        return self._word(name)


class Formula(Record, eq=True):
    """`left body = result`: the screen shows it once with symbols and once with numbers.

    Define it once per module.

    left: what is computed, as text: 'w ←', 'Gain ='
    body, result: text with {operand} places: '{w} + {eta} · {y} · {x}', '{after}'
    g: the function that its body calls g
    """

    left: str
    body: str
    result: str = ""
    g: Callable[[Any], Any] | None = None


class Fact(Record, eq=True):
    """A small captioned number under the formula: Fact('y (w · x) before', '{before} ≤ 0, wrong').

    Both texts may have {operand} places.
    """

    caption: str
    text: str


class Note(Record, eq=True):
    """The words of a step: templates with operands, formatted only when they are shown.

    lead: one or two sentences with {operand} places: what happened and what to do about it
    """

    lead: str
    formulas: tuple[Formula, ...] = ()
    facts: tuple[Fact, ...] = ()
    operands: Mapping[str, Operand] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        """The value of an operand; tests assert on these, never on prose."""
        return self.operands[name].value

    def fill(self, template: str) -> str:
        """`template` with every operand as text."""
        return template.format_map(_LazyTexts(lambda name: self.operands[name].text()))

    def terms(self, template: str) -> dict[str, Operand]:
        """The operands of a formula's body or result, with the brackets that they need there."""
        behind = frozenset(_BEHIND.findall(template))
        bound = _bound(template)
        found = {name: o.inside() if name in behind else o for name, o in self.operands.items()}
        return found | {name: o.whole() for name, o in self.operands.items() if name in bound}

    def worked(self, template: str) -> str:
        """A formula's body or result with every operand as text."""
        bound = _bound(template)
        terms = self.terms(template)
        return template.format_map(_LazyTexts(lambda name: terms[name].in_line(name in bound)))

    def symbols(self, formula: Formula) -> str:
        """A formula with its symbols; '' where its body repeats its left side: w · x = w · x."""
        symbols = _LazyTexts(lambda name: self.operands[name].symbol or self.operands[name].text())
        left = formula.left.format_map(symbols)
        body = formula.body.format_map(symbols).strip()
        return "" if body == left.rstrip("=← ").strip() else f"{left} {body}".strip()

    def going_on(self, sentence: str, **operands: Operand) -> "Note":
        """This note with one more sentence after the lead.

        Its words may agree with a number, as in `note`.
        """
        lead = f"{self.lead} {_agreeing(sentence, operands)}"
        return replace(self, lead=lead, operands={**self.operands, **operands})

    def text(self) -> str:
        """The lead as plain text."""
        return self.fill(self.lead)

    def lines(self) -> list[str]:
        """Everything as plain text: lead, each formula with symbols and with numbers, each fact."""
        rows = [self.text()]
        for formula in self.formulas:
            if symbols := self.symbols(formula):
                rows.append(symbols)
            numbers = self.worked(formula.body)
            rows.append(f"{numbers} = {self.worked(formula.result)}" if formula.result else numbers)
        rows += [f"{self.fill(fact.caption)}: {self.fill(fact.text)}" for fact in self.facts]
        return rows


def note(lead: str, *parts: Formula | Fact, **operands: Any) -> Note:
    """Build a Note; a bare value becomes an Operand without symbol.

    Words of lead, formulas and facts may agree with a number: '{n} {n:leaf holds|leaves hold}'. The
    numbers of a formula get as many decimals as it takes to compute the shown result from them.
    """
    wrapped = {name: v if isinstance(v, Operand) else Operand(v) for name, v in operands.items()}
    formulas = tuple(_agreed(part, wrapped) for part in parts if isinstance(part, Formula))
    facts = tuple(
        Fact(part.caption, _agreeing(part.text, wrapped)) if "|" in part.text else part
        for part in parts
        if isinstance(part, Fact)
    )
    return _adding_up(
        Note(_agreeing(lead, wrapped) if "|" in lead else lead, formulas, facts, wrapped)
    )


def _agreed(formula: Formula, operands: Mapping[str, Operand]) -> Formula:
    """The formula with its words in agreement; bars as in |x| stay."""
    body, result = _agreeing(formula.body, operands), _agreeing(formula.result, operands)
    return (
        formula
        if (body, result) == (formula.body, formula.result)
        else replace(formula, body=body, result=result)
    )


def _adding_up(said: Note) -> Note:
    """The note with enough decimals in each formula.

    Repeated while the decimals of one formula change the numbers of another.
    """
    for _ in said.formulas:
        before = said
        for formula in said.formulas:
            said = _with_decimals(said, formula) if formula.result else said
        if said is before:
            break
    return said


def _with_decimals(said: Note, formula: Formula) -> Note:
    """The note with the fewest further decimals with which the formula gives its result on paper.

    Unchanged where no number of decimals does, or the formula holds more than numbers.
    """
    *ways, last = formula.result.split(" = ")
    result = said.worked(last)
    body = " = ".join([formula.body, *ways])
    names = [
        name
        for name in _PLACES.findall(body)
        if not isinstance(said.operands[name].value, (int, str))
    ]
    for more in range(MOST_FURTHER + 1):
        finer = {
            name: replace(o, digits=o.digits + more)
            for name in names
            if (o := said.operands[name]).digits >= 0
        }
        trial = replace(said, operands={**said.operands, **finer}) if more else said
        if not line_faults(f"{trial.worked(body)} = {result}", formula.g)[0]:
            return trial
        if not finer:
            break
    return said


def _agreeing(template: str, operands: Mapping[str, Operand]) -> str:
    """`template` with the words that agree with a number: '{n} {n:leaf holds|leaves hold}'.

    The first words are for numbers that read as 1, the others for all the rest. Doubled braces, as
    in a name from the data, mark no place.
    """

    def word(found: re.Match[str]) -> str:
        if found["name"] is None:
            return found[0]
        return found["one" if operands[found["name"]].text() == "1" else "several"]

    return _AGREES.sub(word, template)


def verbatim(text: str) -> str:
    """A name from the data with its braces doubled, for templates: a column may be called '{1}'."""
    return text.replace("{", "{{").replace("}", "}}")


class Option(Record, eq=True):
    """One candidate of a decision.

    label: as shown ('Hungry', 'x₁ > 2.5')
    score: what the decision compares
    about: tag of its scene layers
    detail: a few words, such as why it is ruled out
    value: what is chosen: a row, a column, a threshold
    """

    label: str
    score: float
    about: str = ""
    detail: str = ""
    value: Any = None


class Choice(Record, eq=True):
    """A decision taken at a step: shown as a table of candidates, as a quiz, and with its ties.

    winners: indices of every option that is as good as the best
    chosen: the index of the one taken
    rule: how a tie was broken
    unit: of the scores
    smallest: True when the least score wins
    rows: the examples that it is about; () all
    box: (x0, y0, x1, y1), the part of the plane that it is about, ±∞ where open; () none
    """

    prompt: str
    options: tuple[Option, ...]
    winners: tuple[int, ...]
    chosen: int
    rule: str = ""
    unit: str = ""
    smallest: bool = False
    digits: int = 4
    rows: tuple[int, ...] = ()
    box: tuple[float, ...] = ()


BY_HAND = "equal: this one was taken by hand"
Words = Note | tuple[Note, Choice | None]


class Tie(Record, eq=True):
    """A decision between equals that a run can take otherwise, see `At.take`.

    number: of the tie in its run, from 0
    taken: which of the equals
    by_hand: whether it is not the one by the page's rule
    """

    number: int
    taken: int
    by_hand: bool


class Teller(Protocol):
    """Makes the words and metrics of a step on request."""

    def say(self, line: str, state: Any, details: Mapping[str, Any]) -> Words: ...
    def measured(self, state: Any) -> Mapping[str, float]: ...


class Step(Record, Generic[S], dict=True):
    """One visible moment of a run; its words and choice are made on first use.

    teller: makes its words and measures its state
    line: label of the pseudo-code line
    state: the whole model at this instant, immutable
    events: marks on the timeline ('mistake', 'split', 'converged')
    details: what the line gave for its words, by name
    tie: the tie that its choice breaks; None where none can be taken otherwise
    """

    teller: Teller
    line: str
    state: S
    level: Level
    events: tuple[str, ...]
    details: Mapping[str, Any]
    tie: Tie | None = None

    def __repr__(self) -> str:
        return f"Step({self.line!r}, {self.state!r}, {self.level!r}, {self.events!r})"

    @property
    def metrics(self) -> Mapping[str, float]:
        """The metrics of its state by name."""
        return self.teller.measured(self.state)

    @property
    def told(self) -> Mapping[str, Any]:
        """`details` by its earlier name, for pages in other folders."""
        return self.details

    @property
    def note(self) -> Note:
        return self._words[0]

    @property
    def choice(self) -> Choice | None:
        return self._words[1]

    @cached_property
    def _words(self) -> tuple[Note, Choice | None]:
        said = self.teller.say(self.line, self.state, self.details)
        words, choice = said if isinstance(said, tuple) else (said, None)
        if choice is not None and self.tie is not None and self.tie.by_hand:
            choice = replace(choice, rule=BY_HAND, chosen=choice.winners[self.tie.taken])
        return words, choice
