"""An opening: all that one click on a place of a book puts in the window, and what it shows there.

The openings stand in assets/books, one file for each text:

    [[place]]
    name = "Fig 18.6"
    title = "The tree that the twelve rows give"
    [[place.opens]]
    method = "decision_tree"
    data = "restaurant"            # as a command line names it: name:rows:noise:seed:classes
    set = { prune = "chi2" }       # parameters that differ from their defaults
    columns = "one_hot"            # a transformation of the columns
    split = 0.3                    # the share of rows held out, or their numbers [2, 5]
    probe = [0.5, 1.0]             # the place of the probe on the plane
    axes = ["Patrons", "Type"]     # the columns of the plane
    view = [[2, 4], [1, 3]]        # the section of the plane that is shown
    views = ["Tree", "Examples"]   # the pictures that lead; "Curve": the one of the run,
                                   # "Code": the pseudo-code
    curve = "f"                    # the metric whose curve the timeline shows
    unit = "round"                 # detail, step or round
    step = 8                       # the number of the step in that unit, or "end"
    seed = 0
    lanes = [{ method = "perceptron" }]   # further methods beside it: method, set, seed, and data
                                   # and columns of their own
    fact = 'wrong() == 0'          # what the text states, see engine/judge/conditions.py
    card = "aima B03"              # the card of the text that states it
    kind = "in kind"               # the figure's own data are not printed: a stand-in;
                                   # "stand-in": one that gives other numbers than the text;
                                   # "no data": the text has none here (pseudo-code, a task)
    says = "…"                     # an erratum or a remark for the reader
"""

import re
import shlex
from collections.abc import Mapping
from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import MINUS, cut, listed, quoted
from engine.base.records import Record, replace
from engine.document.document import MAX_LANES, Document
from engine.document.lane import Lane
from engine.files.sources import find_source
from engine.protocol.algorithm import Algorithm
from engine.protocol.params import build, params_fields
from engine.protocol.registry import algorithms
from engine.protocol.step import Level
from engine.sources.bundled import Entry
from engine.sources.generators import GENERATORS, Recipe
from engine.sources.real import REAL
from engine.sources.textbook import TEXTBOOK
from engine.table.dataset import Dataset
from engine.table.prepare import Split, Transform
from engine.table.transforms import fit

END = -1
# parameters that words leave out
HOW_OFTEN = {"most", "repeats", "sizes", "spaced", "splits", "steps", "trials"}
EXACT, IN_KIND, STAND_IN, NO_DATA = "exact", "in kind", "stand-in", "no data"
COLUMNS = {
    "polar": "polar columns",
    "quadratic": "squares and products too",
    "one_hot": "words as 0/1 columns",
    "drop_missing": "rows with gaps left out",
    "permute": "columns in another order",
    "standardise": "standardised columns",
}
LONGEST = 24  # letters of a value in words
WIDEST = 90  # letters of an opening in words
OPTIONS = {"one_hot", "drop_missing", "permute"}  # of COLUMNS those that “main.py run” can make
KNOWN = {
    "method",
    "data",
    "set",
    "columns",
    "split",
    "probe",
    "axes",
    "view",
    "views",
    "curve",
    "unit",
    "step",
    "seed",
    "lanes",
    "fact",
    "card",
    "kind",
    "says",
}


class Given(Record, eq=True):
    """A data set as a text uses it.

    data: as a command line names it
    columns: the kind of a transformation of the columns, "" for none
    split: the share of rows held out, or their numbers from 1; 0 for none
    """

    data: str
    columns: str = ""
    split: float | tuple[int, ...] = 0.0

    @property
    def transforms(self) -> tuple[Transform, ...]:
        return (Transform(self.columns),) if self.columns else ()

    @property
    def held_out(self) -> Split:
        return Split(rows=self.split) if isinstance(self.split, tuple) else Split(self.split)

    def table(self) -> Dataset:
        """The data set with its transformed columns; raises EngineError."""
        data = find_source(self.data).data
        if not self.transforms:
            return data
        return replace(fit(self.transforms, data).apply(data), name=self.title)

    @property
    def title(self) -> str:
        """The title of the data set, with its rows, classes and noise where a generator's differ
        from the defaults, and with what was changed.
        """
        entry, (_, n, noise, _, classes, *_) = entry_of(self.data), f"{self.data}::::".split(":")
        rows = [f"{n} rows"] if isinstance(entry, Recipe) and n and int(n) != entry.n else []
        rows += [f"{classes} classes"] if classes else []
        changed = [COLUMNS[self.columns]] if self.columns else []
        held_out = ["some rows held out"] if self.split else []
        noisy = [f"noise {noise}"] if noise else []
        title = entry.title.removesuffix(", many rows") if rows else entry.title
        return ", ".join([title, *rows, *noisy, *changed, *held_out])


Settings = tuple[tuple[str, str], ...]  # (name, value) as text


class FurtherLane(Record, eq=True):
    """A further lane of an opening. data: of its own, "" for those of the opening; columns: the
    kind of a transformation of these
    """

    method: str
    settings: Settings = ()
    seed: int = 0
    data: str = ""
    columns: str = ""

    @property
    def given(self) -> Given | None:
        """The data of its own; None for those of the opening."""
        return Given(self.data, self.columns) if self.data else None

    @property
    def lane(self) -> Lane:
        """The lane that it opens; raises EngineError."""
        own = self.given
        params = _params_of(self.method, self.settings)
        return Lane(self.method, params, self.seed, data=None if own is None else own.table())


class Opening(Record, eq=True):
    """What one click opens: a method with data and parameters, and where it stands then.

    key: of the method
    unit, step: the moment to show; step END for the last one
    fact: a condition on that moment that the text states; "" for none
    card: where the text states it
    curve: the metric whose curve the timeline shows; "" for the method's first one
    kind: EXACT; IN_KIND for a stand-in of data that are not printed; STAND_IN for one that does not
        behave as the text says, as the remark then says; NO_DATA where the text has
        none to print: pseudo-code, a task, a drawing
    says: a remark for the reader, "" for none
    """

    key: str
    given: Given
    settings: Settings = ()
    seed: int = 0
    probe: tuple[float, float] | None = None
    axes: tuple[str, ...] = ()
    view: tuple[tuple[float, float], tuple[float, float]] | None = None
    views: tuple[str, ...] = ()
    unit: Level = Level.STEP
    step: int = 0
    lanes: tuple[FurtherLane, ...] = ()
    fact: str = ""
    card: str = ""
    kind: str = EXACT
    says: str = ""
    curve: str = ""

    @property
    def method(self) -> Algorithm[Any, Any]:
        return algorithms()[self.key]

    @property
    def params(self) -> Any:
        """The parameters of the method; raises EngineError."""
        return build(self.method.params, dict(self.settings))

    def document(self, before: Document, active: int) -> Document:
        """The document that it opens, in place of `before`.

        Its lanes replace those of `before`, and nothing set for another table stays. Raises
        EngineError.
        """
        from engine.files.books import as_in_its_book

        params = self.params
        chosen = before.with_lane(active, key=self.key, params=params)
        document = as_in_its_book(chosen, self.given.data)
        document = document.with_lane(active, params=params, seed=self.seed, start=None)
        further = [each.lane for each in self.lanes]
        return replace(
            document,
            lanes=(document.lanes[active], *further)[:MAX_LANES],
            compared=None,
            transforms=self.given.transforms,
            split=self.given.held_out,
            probe=self.probe,
            plane=self.axes,
            view=self.view,
        )

    def words(self) -> str:
        """The opening in words: 'Winnow on Spam, Threshold θ learned'.

        Of lanes with the same method it names the parameters that they share: 'Perceptron in 2
        lanes on Spam'. Of many parameters it names the first ones.
        """
        fields = {field.name: field for field in params_fields(self.method.params)}
        alike = [each for each in self.lanes if each.method == self.key]
        choices = [
            fields[name].label
            + (f" {cut(_value(text), LONGEST)}" if fields[name].kind != "bool" else "")
            for name, text in self.settings
            if name not in HOW_OFTEN and all((name, text) in each.settings for each in alike)
        ]
        others = dict.fromkeys(each.method for each in self.lanes if each.method != self.key)
        title = self.method.title + (f" in {len(alike) + 1} lanes" if alike else "")
        if others:
            title += f" beside {listed([algorithms()[key].title for key in others])}"
        own = [each.given for each in self.lanes]
        sets = [self.given.title, *(given.title for given in own if given is not None)]
        if others and len(sets) > 1:
            choices = []
        idle = not others and Lane(self.key, self.params).without_data
        words = title if idle else f"{title} on {listed(list(dict.fromkeys(sets)))}"
        for choice in choices:
            if len(words) + len(choice) > WIDEST:
                return f"{words}, …"
            words += f", {choice}"
        return words

    def moment(self) -> str:
        """The moment in words, 'at its end', 'at round 3'; "" for the beginning."""
        if not self.step:
            return ""
        return "at its end" if self.step == END else f"at {self.unit.name.lower()} {self.step}"

    def command(self) -> str:
        """The arguments of “main.py run”, which has no places in polar or quadratic columns, probe
        or lanes.
        """
        data = f"{self.key} --data {self.given.data}"
        if self.given.columns in OPTIONS:
            data += f" --{self.given.columns.replace('_', '-')}"
        options = shlex.join(f"{name}={text}" for name, text in self.settings)
        return data + (f" --set {options}" if options else "")


def _params_of(key: str, settings: Settings) -> Any:
    return build(algorithms()[key].params, dict(settings))


def _value(text: str) -> str:
    """The value of a parameter for reading: learners by their titles, true minus signs."""
    keys = [part.partition("(")[0] for part in text.split(";")]
    if all(key in algorithms() for key in keys):
        return listed([algorithms()[key].title for key in keys])
    return re.sub(r"(?<!\w)-(?=\d)", MINUS, text)


def entry_of(data: str) -> Entry:
    """The record of a bundled data set by its name on the command line."""
    name, _, numbers = data.partition(":")
    if numbers or name in GENERATORS.keys() - TEXTBOOK.keys():
        return GENERATORS[name]
    return TEXTBOOK.get(name) or REAL[name]


def read_opening(written: Mapping[str, Any], place: str) -> Opening:
    """The opening as a file of a book states it; raises EngineError with the place."""
    if unknown := written.keys() - KNOWN:
        raise EngineError(f"{place}: {listed(sorted(map(quoted, unknown)))} is not known.")
    split = written.get("split", 0.0)
    step = written.get("step", 0)
    return Opening(
        written["method"],
        Given(
            written["data"],
            written.get("columns", ""),
            tuple(split) if isinstance(split, list) else float(split),
        ),
        settings_of(written.get("set", {})),
        written.get("seed", 0),
        tuple(written["probe"]) if "probe" in written else None,
        tuple(written.get("axes", ())),
        _view(written["view"]) if "view" in written else None,
        tuple(written.get("views", ())),
        Level[written.get("unit", "step").upper()],
        END if step == "end" else step,
        tuple(
            FurtherLane(
                each["method"],
                settings_of(each.get("set", {})),
                each.get("seed", 0),
                each.get("data", ""),
                each.get("columns", ""),
            )
            for each in written.get("lanes", ())
        ),
        written.get("fact", ""),
        written.get("card", ""),
        written.get("kind", EXACT),
        written.get("says", ""),
        written.get("curve", ""),
    )


def _view(written: Any) -> tuple[tuple[float, float], tuple[float, float]]:
    """The ranges of both axes."""
    (x0, x1), (y0, y1) = written
    return (float(x0), float(x1)), (float(y0), float(y1))


def settings_of(written: Mapping[str, Any]) -> Settings:
    return tuple((name, setting_text(value)) for name, value in written.items())


def setting_text(value: Any) -> str:
    """A parameter as the command line takes it: lists by commas, true as yes."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(setting_text, value)) if isinstance(value, list) else str(value)
