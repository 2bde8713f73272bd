"""What an algorithm yields: a snapshot of the model with the line, the words and the decision of
that moment.
"""

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
MOST_FURTHER = 12  # decimals beyond those that a method gives its numbers
_TENS = re.compile(r"·10|\de[−+]")  # a power of ten: 1/1·10³ and 1·10³² would say something else


def _bound(template: str) -> frozenset[str]:
    return frozenset(name for names in _BOUND.findall(template) for name in names)


class Level(IntEnum):
    """How coarse a moment is; 'next' and thinning look at it."""

    DETAIL = 0
    STEP = 1
    ROUND = 2


class Pace(Record, eq=True):
    """How fine the caller wants the steps. Guard costly moments: `if pace.detail: yield …`.

    end: only the last step is wanted: rounds on the way to it may be leapt over
    """

    level: Level = Level.DETAIL
    end: bool = False

    @property
    def detail(self) -> bool:
        return self.level <= Level.DETAIL

    @property
    def step(self) -> bool:
        """False when only rounds are wanted: the fit then pays for nothing that nobody looks at."""
        return self.level <= Level.STEP


class Operand(Record, eq=True):
    """One term of a formula.

    value: number, text, vector (read-only array or tuple), Fraction or Share symbol: how the
    formula writes it before the numbers are put in ('η', 'w') about: tag of the scene layers that
    it speaks of; hovering the term lights them, and the other way round digits: decimals shown; −1:
    as few as the value needs, for what a person typed
    """

    value: Any
    symbol: str = ""
    about: str = ""
    digits: int = 2

    def text(self) -> str:
        return value_text(self.value, self.digits)

    def inside(self) -> "Operand":
        """As it stands behind an operator: a negative number in brackets, 3 − (−2)."""
        text = self.text()
        if not isinstance(self.value, Real) or not text.startswith(MINUS):
            return self
        return replace(self, value=f"({text})")

    def whole(self) -> "Operand":
        """As it stands below a stroke or a power: what is a product or negative in brackets,
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
        """In a line of text; bound: below a stroke or a power, where a fraction, stacked on the
        screen, has brackets.
        """
        stacked = isinstance(self.value, Fraction) and self.value.denominator != 1
        return f"({self.text()})" if bound and stacked else self.text()


class _Asked:
    """The words for the places of a template, each made when the template asks for it: most name
    few of a note's operands.
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
    """A small captioned number under the formula, both with {operand} places: Fact('y (w · x)
    before', '{before} ≤ 0, wrong').
    """

    caption: str
    text: str


class Note(Record, eq=True):
    """The words of a step: templates with operands, formatted only when somebody looks.

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
        return template.format_map(_Asked(lambda name: self.operands[name].text()))

    def terms(self, template: str) -> dict[str, Operand]:
        """The operands of a formula's body or result, as they stand there."""
        behind = frozenset(_BEHIND.findall(template))
        bound = _bound(template)
        found = {name: o.inside() if name in behind else o for name, o in self.operands.items()}
        return found | {name: o.whole() for name, o in self.operands.items() if name in bound}

    def worked(self, template: str) -> str:
        """A formula's body or result with every operand as text."""
        bound = _bound(template)
        terms = self.terms(template)
        return template.format_map(_Asked(lambda name: terms[name].in_line(name in bound)))

    def symbols(self, formula: Formula) -> str:
        """A formula with its symbols; '' where its body only says again what stands at the left: w
        · x = w · x.
        """
        symbols = _Asked(lambda name: self.operands[name].symbol or self.operands[name].text())
        left = formula.left.format_map(symbols)
        body = formula.body.format_map(symbols).strip()
        return "" if body == left.rstrip("=← ").strip() else f"{left} {body}".strip()

    def going_on(self, sentence: str, **operands: Operand) -> "Note":
        """With one sentence more behind the lead; its words may agree with a number, as
        in `note`.
        """
        lead = f"{self.lead} {_agreeing(sentence, operands)}"
        return replace(self, lead=lead, operands={**self.operands, **operands})

    def text(self) -> str:
        """The lead sentence for reading."""
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
    numbers of a formula have as many decimals as it takes for them to come to the result that is
    shown.
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
    """The formula with its words in agreement; bars of |x| are none of these."""
    body, result = _agreeing(formula.body, operands), _agreeing(formula.result, operands)
    return (
        formula
        if (body, result) == (formula.body, formula.result)
        else replace(formula, body=body, result=result)
    )


def _adding_up(said: Note) -> Note:
    """The note with enough decimals in each formula; again where one formula changes the numbers of
    another.
    """
    for _ in said.formulas:
        before = said
        for formula in said.formulas:
            said = _with_decimals(said, formula) if formula.result else said
        if said is before:
            break
    return said


def _with_decimals(said: Note, formula: Formula) -> Note:
    """The note with the fewest further decimals in the body of a formula with which it comes to its
    result on paper, as it was where none do so or where it says more than numbers.
    """
    *ways, told = formula.result.split(" = ")
    result = said.worked(told)
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
    """`template` with the words that agree with a number: '{n} {n:leaf holds|leaves hold}', for 1
    and for all others as they read on paper. A brace that is doubled, of a name from the data,
    marks no place.
    """

    def word(found: re.Match[str]) -> str:
        if found["name"] is None:
            return found[0]
        return found["one" if operands[found["name"]].text() == "1" else "several"]

    return _AGREES.sub(word, template)


def verbatim(text: str) -> str:
    """A name from the data as part of a template, where braces would else mark a place: columns may
    be called '{1}'.
    """
    return text.replace("{", "{{").replace("}", "}}")


class Option(Record, eq=True):
    """One candidate of a decision.

    label: as shown ('Hungry', 'x₁ > 2.5'); score: what the decision compares; about: tag of its
    scene layers; detail: a few words, e.g. why it is out of the race; value: what is chosen: a row,
    a column, a threshold
    """

    label: str
    score: float
    about: str = ""
    detail: str = ""
    value: Any = None


class Choice(Record, eq=True):
    """A decision taken at a step: the table of candidates, the quiz of the predict mode and the
    display of ties.

    winners: indices of every option that is as good as the best; chosen: the one taken; rule: how a
    tie was broken; unit: of the scores; smallest: True when the least score wins; rows: the
    examples that it is about, () all; box: (x0, y0, x1, y1) the part of the plane in which it is
    decided, ±∞ where that is open, () none
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
    """A decision between equals that a run may be told to take otherwise, see `At.take`.

    number: among those of its run, from 0; taken: which of the equals; by_hand: not by the rule of
    the page
    """

    number: int
    taken: int
    by_hand: bool


class Teller(Protocol):
    """Who is asked when somebody looks at a step."""

    def say(self, line: str, state: Any, told: Mapping[str, Any]) -> Words: ...
    def measured(self, state: Any) -> Mapping[str, float]: ...


class Step(Record, Generic[S], dict=True):
    """One visible moment of a run; its words, choice and metrics are made when they are first asked
    for.

    teller: says its words and measures its state
    line: label of the pseudo-code line
    state: the whole model at this instant, immutable
    events: marks on the timeline ('mistake', 'split', 'converged')
    told: what the line said to its words
    tie: that its choice breaks, None where it breaks none that can be taken otherwise
    """

    teller: Teller
    line: str
    state: S
    level: Level
    events: tuple[str, ...]
    told: Mapping[str, Any]
    tie: Tie | None = None

    def __repr__(self) -> str:
        return f"Step({self.line!r}, {self.state!r}, {self.level!r}, {self.events!r})"

    @property
    def metrics(self) -> Mapping[str, float]:
        """The columns of the curves."""
        return self.teller.measured(self.state)

    @property
    def note(self) -> Note:
        return self._words[0]

    @property
    def choice(self) -> Choice | None:
        return self._words[1]

    @cached_property
    def _words(self) -> tuple[Note, Choice | None]:
        said = self.teller.say(self.line, self.state, self.told)
        told, choice = said if isinstance(said, tuple) else (said, None)
        if choice is not None and self.tie is not None and self.tie.by_hand:
            choice = replace(choice, rule=BY_HAND, chosen=choice.winners[self.tie.taken])
        return told, choice
