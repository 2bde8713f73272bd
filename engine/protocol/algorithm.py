"""`Algorithm`: one frozen record of pure functions. See docs/architecture.md."""

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
from engine.protocol.edition import FIRST, REPLACED, check_edition
from engine.protocol.fits import check_fits
from engine.protocol.moment import At
from engine.protocol.page_files import PageFiles
from engine.protocol.params import params_fields
from engine.protocol.setting import Setting
from engine.protocol.step import Level, Note, Step, Words
from engine.protocol.unknown import missing_note, skip_missing, unknown
from engine.table.needs import Needs as Needs
from engine.table.problem import Problem, Task

if TYPE_CHECKING:  # pictures are a layer above the protocol, which only names their types
    from engine.scene.scene import Bars, Layer, Scene

P = TypeVar("P")
S = TypeVar("S")

# What every page must have: field of the record -> how the page writes it.
NEEDED = {
    "title": "title=“…” in Algorithm.of",
    "task": "task=Task.CLASSIFY in Algorithm.of",
    "pseudocode": "PSEUDOCODE",
    "steps": "steps(given, at, rng)",
    "example": "example()",
}
FieldFunction = Callable[[Any, Any, Grid], Any]  # (given, state, grid)


class Explanation(Record):
    """Why one place has its label at one step.

    label: class index, −1 unclassified
    note: the computation with its numbers
    bars: votes or contributions, if any
    layers: what to draw on the plane for it
    path: indices of the tree nodes passed
    """

    label: int
    note: Note
    bars: "Bars | None" = None
    layers: "tuple[Layer, ...]" = ()
    path: tuple[int, ...] = ()


class Curve(Record, eq=True):
    """A metric drawn over the timeline.

    title: 'wrong points'
    of_n: the scale is the number of rows
    log: logarithmic axis
    bound: a bound from theory, drawn dashed
    about: tags of what it measures, beside its metric
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
        """The tags that are highlighted together with the curve."""
        return (self.metric, *self.about)


class Algorithm(Record, Generic[P, S], kw_only=True, dict=True):
    """An algorithm: a record of pure functions, found by name on its page and in the files beside
    it.
    """

    # A page binds it as `ALGORITHM = Algorithm.of(__name__, title=…, …)` and is found by the
    # registry. `given`, the first argument of every function, is the page's `Setting`: problem,
    # parameters, and what is computed from both.
    #
    # key: stable id, saved in files
    # family: folder under engine/algorithms
    # source: () plus extension=True when in none of the texts
    # pseudocode: 'label level: text' lines, aligned; step when no level is named
    # steps: generator that reads like that pseudo-code, with a None at least every 50 ms of long
    #     work (see `engine.base.work`)
    # setting: made once a run
    # state: the class of what a step holds
    # predict: (given, state, X (m, d)) -> (m,) class indices (−1 = no class) or values, at ANY step
    # scores: as predict, the numbers it decides by: (m,) for two classes, positive means the first;
    #     or (m, k), one for each class, of which the largest wins
    # component: as predict, for a mixture that knows no classes: (m,) the component that owns each
    #     row, −1 where none is ahead
    # by_known: `predict` itself answers rows with some unknown values, as do all algorithms that
    #     learn from such rows (`needs.missing`); the others answer −1 or NaN there
    # resume: goes on from a state; raises EngineError when the parameters do not fit it
    # measures: attributes of the state to record at every step, by default those of the curves
    # metrics: (given, state) -> the numbers to record, where attributes of the state do not suffice
    # events: every event that `steps` can yield
    # uses_held_out: whether learning with these parameters looks at the held-out rows, so that
    #     their errors are no test
    # without_data: whether a run with these parameters looks at no row and no column of the table
    # narrow: its hypotheses fit tables of a special kind only; on others its score is not fair
    # tweak: the state with one number changed by hand (a weight in a Network), for `resume`

    key: str
    title: str
    family: str
    task: Task
    source: tuple[str, ...] = ()
    params: type[P]
    pseudocode: str
    steps: Callable[[Any, At, Generator], Iterator[Step[S] | None]]
    example: Callable[[], Problem]
    beside: PageFiles
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
    without_data: Callable[[P], bool] | None = None

    def __post_init__(self) -> None:
        _ = self.recorded_at  # reads the pseudo-code; raises ValueError where it cannot be read

    @classmethod
    def of(cls, name: str, **fields: Any) -> "Algorithm[Any, Any]":
        """The algorithm of the module `name`: with `fields`, and the rest by name from its page.

        authoring: the version of `engine.authoring` that a page from another folder is written for
        The page must have PSEUDOCODE, steps and example; it may have Params, Setting, State,
        predict, scores, component, resume, tweak, metrics. The page, or `words`, `picture` and
        `fast` beside it, may have: scene; explain, chips, wording, fields; one function a line for
        its words (say_<line> on the page itself); the fast paths of parts that leap.

        Where rows with unknown values are not learnt from, predict, scores and component answer −1
        or NaN for such rows without calling the page.

        Raises EngineError where the version does not fit, for an unknown name, and where the page
        lacks a part.
        """
        written_for = fields.pop("authoring", FIRST)
        if name.startswith(f"{OWN}."):
            check_edition(written_for)
        check_names(fields, field_names(cls))
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
        # only functions defined on the page count, not imported ones of the same name
        found |= {
            part: vars(page)[part]
            for part in parts
            if getattr(vars(page).get(part), "__module__", "") == name
        }
        above, _, key = name.rpartition(".")
        curves = fields.get("curves", ())
        measures = fields.pop("measures", ()) or tuple(curve.metric for curve in curves)
        known: dict[str, Any] = {
            "key": key,
            "family": above.rpartition(".")[2],
            "beside": PageFiles(name),
            "measures": measures,
        }
        check_parts(found | fields)
        check_records(vars(page))
        known |= {part: contained(name, value) for part, value in (found | fields).items()}
        if not known.get("needs", Needs()).missing:
            by_known = known.get("by_known", False)
            for part, none in (("predict", -1), ("scores", np.nan), ("component", -1)):
                if known.get(part) is not None:
                    known[part] = skip_missing(known[part], none, by_known)
        return cls(**known)

    def given(self, problem: Problem, params: P) -> Any:
        """The setting of a problem and parameters, the first argument of every function.

        Raises EngineError where a parameter does not fit the table, see `engine.protocol.fits`.
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
        """(given, step) -> the picture of the step."""
        found: Callable[[Any, Step[S]], Scene] = self.beside.needed("picture", "scene", "scene")
        return found

    @property
    def fields(self) -> Mapping[str, FieldFunction]:
        """Functions (given, state, grid) of surfaces over a `Grid`, by name, 'class' first."""
        return self.beside.find("picture", "FIELDS", "FIELDS") or {}

    @property
    def summary(self) -> str:
        """One or two sentences on what the method does."""
        found: str = self.beside.needed("words", "SUMMARY", "SUMMARY")
        return found

    @property
    def errata(self) -> tuple[str, ...]:
        """The misprints of the sources, beside the correct form; shown with the pseudo-code."""
        return self.beside.find("words", "ERRATA", "ERRATA") or ()

    @property
    def explain(self) -> Callable[[Any, S, Float], Explanation] | None:
        """(given, state, x (d,)) -> why this row has its label; None where the page has no such
        function.
        """
        found: Callable[[Any, S, Float], Explanation] | None = self.beside.find(
            "words", "explain", "explain"
        )
        return self.explained(found)

    def explained(
        self, explain: Callable[[Any, S, Float], Explanation] | None
    ) -> Callable[[Any, S, Float], Explanation] | None:
        """`explain`, with an answer of its own for rows that the algorithm cannot answer."""
        if explain is None or self.needs.missing:
            return explain

        def answer(given: Any, state: S, x: Float) -> Explanation:
            if unknown(x[None], self.by_known)[0]:
                return Explanation(-1, missing_note(given.problem, x))
            return explain(given, state, x)

        return answer

    @property
    def chips(self) -> Callable[[P], tuple[str, ...]] | None:
        """(params) -> what the parameters mean for the picture, in a few words; or None."""
        found: Callable[[P], tuple[str, ...]] | None = self.beside.find("words", "chips", "chips")
        return found

    @property
    def wording(self) -> Callable[[P], Mapping[str, str]] | None:
        """(params) -> the lines of the pseudo-code, by label, that read otherwise then; or None."""
        found: Callable[[P], Mapping[str, str]] | None = self.beside.find(
            "words", "wording", "wording"
        )
        return found

    @property
    def left_out(self) -> Callable[[Any, S], Float] | None:
        """(given, state) -> (n,) what `predict` would say of each example, learnt from the others
        only.

        NaN for rows that are no examples. None for methods that would need more runs for it.
        """
        found: Callable[[Any, S], Float] | None = self.beside.find("fast", "left_out", "left_out")
        return found

    @property
    def is_experiment(self) -> bool:
        """Whether it is an experiment about algorithms, not one that learns."""
        return self.family == "experiments"

    @property
    def wraps(self) -> bool:
        """Whether it makes several classes out of learners of two, named by a parameter."""
        return any(field.two_classes for field in params_fields(self.params))

    def words(self, line: str) -> Callable[..., Words]:
        """The function of a line's words: (given, state, **details) -> Note, or (Note, Choice).

        Its name is that of the line; for a Python keyword with an underscore, `while_`.
        """
        found: Callable[..., Words] = self.beside.needed(
            "words", line + "_" * iskeyword(line), f"say_{line}"
        )
        return found

    def twin(self, name: str) -> Callable[..., Any] | None:
        """The fast path of the part `name` of the page; None where there is none."""
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
        """For each pace, the lines that a run records, with their own levels."""
        return {
            pace: {line: level for line, level in self.levels.items() if level >= pace}
            for pace in Level
        }

    @cached_property
    def measured(self) -> Callable[[Any, S], Mapping[str, float]]:
        """(given, state) -> the metrics of a state by name."""
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


def check_names(names: Iterable[str], known: Collection[str]) -> None:
    """Raises EngineError for a name that is not among the `known` ones."""
    for name in set(names) - set(known):
        if name in REPLACED:
            raise EngineError(f"“{name}” of Algorithm.of {REPLACED[name]}.")
        close = get_close_matches(name, known, 1)
        hint = f"did you mean “{close[0]}”?" if close else f"it takes {listed(known)}."
        raise EngineError(f"Algorithm.of takes no “{name}”; {hint}")


def check_parts(found: Iterable[str]) -> None:
    """Raises EngineError that names the parts that a page must have and lacks."""
    lacking = [words for part, words in NEEDED.items() if part not in found]
    if lacking:
        raise EngineError(f"The page has no {listed(lacking)}.")


def check_records(page: Mapping[str, Any]) -> None:
    """Raises EngineError where Params or State of a page is a Python dataclass, as in version 1."""
    for name in ("Params", "State"):
        if is_dataclass(page.get(name)):
            raise EngineError(
                f"{name} is a dataclass; since version 2 of engine.authoring it is a record: write"
                f" class {name}(Record) without @dataclass."
            )


class NoParams(Record, eq=True):
    """The parameters of an algorithm that has none."""


def read_code(text: str) -> tuple[tuple[str, Level, str], ...]:
    """Pseudo-code as (label, level, text): 'update detail: w ← …'.

    The indentation that the texts of all lines share is removed. Raises ValueError for an unknown
    level.
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
