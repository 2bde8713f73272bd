"""What an algorithm is: one frozen record of pure functions. See docs/architecture.md."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from difflib import get_close_matches
from keyword import iskeyword
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.base.faults import OWN, contained
from engine.base.grid import Grid
from engine.base.notation import listed
from engine.base.records import Record, cached_property, field_names
from engine.protocol.edition import FIRST, GONE, check_edition
from engine.protocol.fits import check_fits
from engine.protocol.moment import At
from engine.protocol.page_files import Beside
from engine.protocol.setting import Setting
from engine.protocol.step import Level, Note, Step, Words
from engine.protocol.unknown import missing_note, skip_missing, unknown
from engine.table.needs import Needs as Needs
from engine.table.problem import Problem, Task

if TYPE_CHECKING:  # pictures stand above the protocol: it says no more than their types
    from engine.scene.scene import Bars, Layer, Scene

P = TypeVar("P")
S = TypeVar("S")

# What every page has, by the name that the record gives it: as it is written on the page.
NEEDED = {
    "title": "title=“…” in Algorithm.of",
    "task": "task=Task.CLASSIFY in Algorithm.of",
    "pseudocode": "PSEUDOCODE",
    "steps": "steps(given, at, rng)",
    "example": "example()",
}
FieldFunction = Callable[[Any, Any, Grid], Any]  # (given, state, grid)


class Explanation(Record):
    """Why this label? For one place, at one step.

    label: class index, −1 unclassified; note: the reckoning with its numbers; bars: votes or
    contributions, if any; layers: what to draw on the plane for it; path: indices of tree nodes
    passed
    """

    label: int
    note: Note
    bars: "Bars | None" = None
    layers: "tuple[Layer, ...]" = ()
    path: tuple[int, ...] = ()


class Curve(Record, eq=True):
    """A metric drawn over the timeline. title: 'wrong points'; of_n: the scale is the number of
    rows; log: of the axis; bound: drawn dashed, as a theory bound beside the run; about: tags of
    what it measures, beside its metric.
    """

    metric: str
    title: str
    of_n: bool = False
    log: bool = False
    bound: bool = False
    digits: int = 2
    about: tuple[str, ...] = ()

    @property
    def tags(self) -> tuple[str, ...]:
        """What lights up with it."""
        return (self.metric, *self.about)


class Algorithm(Record, Generic[P, S], kw_only=True, dict=True):
    """The whole of an algorithm: a record of pure functions, found by name on its page and in the
    files beside it.
    """

    # A page binds it as `ALGORITHM = Algorithm.of(__name__, title=…, …)` and is found by the
    # registry. `given`, the first argument of every function, is the page's `Setting`: problem,
    # parameters, and what both come to.
    #
    # key: stable id, saved in files; family: folder under engine/algorithms; source: () plus
    # extension=True when in none of the texts; pseudocode: 'label level: text' lines, aligned, step
    # when no level is named; steps: generator that reads like that pseudo-code, with a None at
    # least every 50 ms of long work (see `core.work`); setting: made once a run; state: what a step
    # holds; predict: (given, state, X (m, d)) -> (m,) class indices (−1 = no class) or values, at
    # ANY step; scores: the same, what `predict` decides by: (m,) for two classes, positive means
    # the first, or (m, k) one for each class, of which the largest wins; component: for a mixture
    # that knows no classes, (m,) which of its components owns the row, −1 where none is ahead;
    # by_known: `predict` itself says what it can of a row with unknown values, as also those do
    # that learn from such rows (`needs.missing`); all others give no answer there, −1 or NaN, nor
    # do scores; resume: goes on from a state, EngineError when the parameters do not fit it;
    # measures: attributes of the state that are recorded at every step, by default those of the
    # curves; metrics: (given, state) -> the numbers to record, where attributes of the state do not
    # do; events: every event `steps` can yield; uses_held_out: whether learning with these
    # parameters looks at the held-out rows, whose errors are no test then; narrow: its hypotheses
    # fit tables of a special kind alone, so that no fair score is to be expected of any other;
    # tweak: the state with one number changed by hand (a weight in a Network), from which `resume`
    # goes on

    key: str
    title: str
    family: str
    task: Task
    source: tuple[str, ...] = ()
    params: type[P]
    pseudocode: str
    steps: Callable[[Any, At, Generator], Iterator[Step[S] | None]]
    example: Callable[[], Problem]
    beside: Beside
    setting: Callable[[Problem, P], Any] = Setting
    state: type[Any] | None = None
    predict: Callable[[Any, S, Float], NDArray[Any]] | None = None
    resume: Callable[[Any, S, At, Generator], Iterator[Step[S] | None]] | None = None
    tweak: Callable[[Any, S, tuple[int, ...], float], S] | None = None
    needs: Needs = Needs()
    curves: tuple[Curve, ...] = ()
    metrics: Callable[[Any, S], Mapping[str, float]] | None = None
    measures: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    scores: Callable[[Any, S, Float], Float] | None = None
    component: Callable[[Any, S, Float], NDArray[Any]] | None = None
    by_known: bool = False
    extension: bool = False
    narrow: bool = False
    uses_held_out: Callable[[P], bool] | None = None

    def __post_init__(self) -> None:
        _ = self.recorded_at  # reads the pseudo-code: raises ValueError where that cannot be done

    @classmethod
    def of(cls, name: str, **told: Any) -> "Algorithm[Any, Any]":
        """The algorithm of the module `name`: `told`, and by name whatever its page defines.

        authoring: the version of `engine.authoring` that a page of one's own is written for. Raises
        EngineError where that does not fit, and for a name that an algorithm does not have.

        The page has to have PSEUDOCODE, steps and example; it may have Params, Setting, predict,
        resume, tweak. In it, or in `words`, `picture` and `fast` beside it: scene; explain, chips,
        wording, fields; one function a line for its words (say_<line> when it stands on the page
        itself); the twins of parts that leap.

        Where rows with unknown values are not learnt from, predict, scores and component give no
        answer for such rows: no page has to think of them.
        """
        written_for = told.pop("authoring", FIRST)
        if name.startswith(f"{OWN}."):
            check_edition(written_for)
        check_names(told, field_names(cls))
        page = sys.modules[name]
        found: dict[str, Any] = {"params": NoParams, "setting": Setting}
        names = {
            "PSEUDOCODE": "pseudocode",
            "Params": "params",
            "Setting": "setting",
            "State": "state",
        }
        parts = ("steps", "resume", "predict", "scores", "component", "tweak", "example", "metrics")
        for here, there in names.items():
            if hasattr(page, here):
                found[there] = getattr(page, here)
        # what a page only imports under such a name is no part of it
        found |= {
            part: vars(page)[part]
            for part in parts
            if getattr(vars(page).get(part), "__module__", "") == name
        }
        above, _, key = name.rpartition(".")
        curves = told.get("curves", ())
        measures = told.pop("measures", ()) or tuple(curve.metric for curve in curves)
        known: dict[str, Any] = {
            "key": key,
            "family": above.rpartition(".")[2],
            "beside": Beside(name),
            "measures": measures,
        }
        check_parts(found | told)
        check_records(vars(page))
        known |= {part: contained(name, value) for part, value in (found | told).items()}
        if not known.get("needs", Needs()).missing:
            by_known = known.get("by_known", False)
            for part, none in (("predict", -1), ("scores", np.nan), ("component", -1)):
                if known.get(part) is not None:
                    known[part] = skip_missing(known[part], none, by_known)
        return cls(**known)

    def given(self, problem: Problem, params: P) -> Any:
        """What every function of it is given for this table: its setting.

        Raises EngineError where a parameter does not fit the table, see `core.fits`.
        """
        check_fits(params, problem)
        return self.setting(problem, params)

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        """Its reference: parameters, lines, events, metrics, state."""
        from engine.protocol.reference import reference

        return reference(self)

    @property
    def scene(self) -> "Callable[[Any, Step[S]], Scene]":
        """(given, step) -> the picture of a step."""
        found: Callable[[Any, Step[S]], Scene] = self.beside.needed("picture", "scene", "scene")
        return found

    @property
    def fields(self) -> Mapping[str, FieldFunction]:
        """Surfaces over a Grid by name, (given, state, grid), 'class' first."""
        return self.beside.find("picture", "FIELDS", "FIELDS") or {}

    @property
    def summary(self) -> str:
        """What it does, in one or two sentences."""
        found: str = self.beside.needed("words", "SUMMARY", "SUMMARY")
        return found

    @property
    def errata(self) -> tuple[str, ...]:
        """What a source prints wrongly and the correct form, shown beside the pseudo-code."""
        return self.beside.find("words", "ERRATA", "ERRATA") or ()

    @property
    def explain(self) -> Callable[[Any, S, Float], Explanation] | None:
        """(given, state, x (d,)) -> why this label."""
        found: Callable[[Any, S, Float], Explanation] | None = self.beside.find(
            "words", "explain", "explain"
        )
        return self.explained(found)

    def explained(
        self, explain: Callable[[Any, S, Float], Explanation] | None
    ) -> Callable[[Any, S, Float], Explanation] | None:
        """`explain`, and of rows that nothing can be said of just that."""
        if explain is None or self.needs.missing:
            return explain

        def told(given: Any, state: S, x: Float) -> Explanation:
            if unknown(x[None], self.by_known)[0]:
                return Explanation(-1, missing_note(given.problem, x))
            return explain(given, state, x)

        return told

    @property
    def chips(self) -> Callable[[P], tuple[str, ...]] | None:
        """What the parameters mean for the picture, in a few words."""
        found: Callable[[P], tuple[str, ...]] | None = self.beside.find("words", "chips", "chips")
        return found

    @property
    def wording(self) -> Callable[[P], Mapping[str, str]] | None:
        """Lines of the pseudo-code, by label, that read otherwise with these parameters."""
        found: Callable[[P], Mapping[str, str]] | None = self.beside.find(
            "words", "wording", "wording"
        )
        return found

    @property
    def left_out(self) -> Callable[[Any, S], Float] | None:
        """(given, state) -> (n,) what `predict` would say of each example had only the others been
        learnt from, NaN of rows that are none; of those methods that know it without another run.
        """
        found: Callable[[Any, S], Float] | None = self.beside.find("fast", "left_out", "left_out")
        return found

    @property
    def is_experiment(self) -> bool:
        """It is an experiment about algorithms, none that learns."""
        return self.family == "experiments"

    def words(self, line: str) -> Callable[..., Words]:
        """What the moments of a line say: (given, state, **told) -> Note, or (Note, Choice); of a
        line `while` it is `while_`.
        """
        found: Callable[..., Words] = self.beside.needed(
            "words", line + "_" * iskeyword(line), f"say_{line}"
        )
        return found

    def twin(self, name: str) -> Callable[..., Any] | None:
        """The fast form of a part of the page."""
        found: Callable[..., Any] | None = self.beside.find("fast", name)
        return found

    @cached_property
    def _lines(self) -> tuple[tuple[str, Level, str], ...]:
        return read_code(self.pseudocode)

    @cached_property
    def levels(self) -> Mapping[str, Level]:
        """The level of every line of the pseudo-code."""
        return {label: level for label, level, _ in self._lines}

    @cached_property
    def recorded_at(self) -> Mapping[Level, Mapping[str, Level]]:
        """The lines that a run at the pace of a level tells, with their own levels."""
        return {
            pace: {line: level for line, level in self.levels.items() if level >= pace}
            for pace in Level
        }

    @cached_property
    def measured(self) -> Callable[[Any, S], Mapping[str, float]]:
        """(given, state) -> the numbers to record of a state."""
        if self.metrics is not None:
            return self.metrics
        names = self.measures
        values: Callable[[Any], Any] = (
            attrgetter(*names)
            if len(names) > 1
            else lambda s: tuple(getattr(s, name) for name in names)
        )
        return lambda given, s: dict(zip(names, values(s), strict=True))

    def code_lines(self, params: P | None = None) -> tuple[tuple[str, str], ...]:
        """The pseudo-code as (label, text with indentation), as it reads with `params`."""
        other = self.wording(params) if params is not None and self.wording is not None else {}
        return tuple((label, other.get(label, text)) for label, _, text in self._lines)


def check_names(told: Iterable[str], known: Collection[str]) -> None:
    """Raises EngineError for a name that is not among the `known` ones."""
    for name in set(told) - set(known):
        if name in GONE:
            raise EngineError(f"“{name}” of Algorithm.of {GONE[name]}.")
        close = get_close_matches(name, known, 1)
        hint = f"did you mean “{close[0]}”?" if close else f"it takes {listed(known)}."
        raise EngineError(f"Algorithm.of takes no “{name}”; {hint}")


def check_parts(found: Iterable[str]) -> None:
    """Raises EngineError that names what a page lacks and cannot do without."""
    lacking = [words for part, words in NEEDED.items() if part not in found]
    if lacking:
        raise EngineError(f"The page has no {listed(lacking)}.")


def check_records(page: Mapping[str, Any]) -> None:
    """Raises EngineError where Params or State of a page is a dataclass of Python's own, as in
    version 1.
    """
    for name in ("Params", "State"):
        if is_dataclass(page.get(name)):
            raise EngineError(
                f"{name} is a dataclass; since version 2 of engine.authoring it is a record: write"
                f" class {name}(Record) without @dataclass."
            )


class NoParams(Record, eq=True):
    """For an algorithm that has nothing to set."""


def read_code(text: str) -> tuple[tuple[str, Level, str], ...]:
    """Pseudo-code as (label, level, text): 'update detail: w ← …'.

    The texts of all lines may begin further right.
    """
    rows = [row.split(":", 1) for row in text.strip("\n").splitlines() if row.strip()]
    begins = [len(head) + len(body) - len(body.lstrip()) for head, body in rows]
    lines = []
    for (head, body), begin in zip(rows, begins, strict=True):
        label, _, level = head.strip().partition(" ")
        try:
            rank = Level[level.strip().upper() or "STEP"]
        except KeyError:
            raise ValueError(f"{label}: there is no level “{level.strip()}”") from None
        lines.append((label, rank, " " * (begin - min(begins)) + body.strip()))
    return tuple(lines)
