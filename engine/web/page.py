"""One HTML file that steps through a run in any browser and loads nothing from elsewhere."""

import base64
import json
import re
import zlib
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import counted, cut, short
from engine.base.place import ASSETS
from engine.base.records import Record
from engine.judge.questions import covered, questions_at
from engine.protocol.step import Level
from engine.runs.trace import Trace
from engine.web import look, mathml, words
from engine.web.frame import Span
from engine.web.markup import escaped
from engine.web.picture import Views
from engine.web.plain_questions import plain

MOST = 1_000  # steps of a page
LIT = ' class="lit" aria-current="step"'
ASIDE = 0.06  # of the height of the curve, free above it
_PLACE = re.compile(r"\{\{([A-Z]+)\}\}")
Progress = Callable[[int, int], bool]  # (steps done, of all) -> whether to go on


class Shown(Record):
    """One run of a page. name: of its data; chips: the settings that distinguish it from other
    runs; view: the ranges of its plane, None to fit the examples
    """

    trace: Trace
    name: str = "data"
    chips: tuple[str, ...] = ()
    view: tuple[Span, Span] | None = None


class Cancelled(Exception):
    """Raised where `progress` returns False: the page is no longer wanted."""


def page(
    runs: Sequence[Shown],
    unit: Level = Level.STEP,
    steps: range | None = None,
    *,
    still: int = -1,
    progress: Progress = lambda done, all_: True,
) -> str:
    """The page of one run or of several in lockstep, as HTML.

    steps: which ones, counted in `unit` from 0, None: all
    still: the step that is shown where scripts are off
    progress: called with (steps done, all steps); False cancels

    Raises EngineError where there is nothing to show, or too much for a page, and Cancelled.
    """
    wanted = [chosen_steps(shown.trace, unit, steps) for shown in runs]
    if not any(map(len, wanted)):
        raise EngineError(
            "There is nothing to step through yet: the run has no step in this range."
        )
    most = max(map(len, wanted))
    if most > MOST:
        raise EngineError(
            f"{counted(most, 'step')} are too many for one page, about {estimated(runs, unit, steps) / 1e6:.0f} MB: it takes "
            f"{MOST:,} at most. Choose a range of them, or count time in rounds."
        )
    parts = Parts()
    defs: dict[str, str] = {}
    lanes = []
    done = 0
    total = int(np.sum([len(w) for w in wanted]))
    for shown, indices in zip(runs, wanted, strict=True):
        lane = Lane(shown, unit, indices, parts, defs)
        rows = []
        for place in range(len(indices)):
            if not progress(done, total):
                raise Cancelled
            rows.append(lane.row(place))
            done += 1
        lanes.append(lane.plain(rows))
    return _html(runs, unit, lanes, parts, defs, still)


def chosen_steps(trace: Trace, unit: Level, steps: range | None) -> list[int]:
    """The indices in the trace of the chosen steps. steps: counted in `unit`, None: all"""
    places = trace.indices(unit)
    return list(places) if steps is None else [places[k] for k in steps if 0 <= k < len(places)]


def estimated(runs: Sequence[Shown], unit: Level, steps: range | None = None) -> float:
    """Size of the page in bytes, estimated from a few of its steps."""
    total = 60_000.0
    for shown in runs:
        indices = chosen_steps(shown.trace, unit, steps)
        some = indices[:: max(1, len(indices) // 8)][:8]
        if some:
            parts = Parts()
            defs = dict[str, str]()
            lane = Lane(shown, unit, some, parts, defs)
            rows = [lane.row(k) for k in range(len(some))]
            total += len(packed({"rows": rows, "parts": parts.texts})) / len(some) * len(indices)
    return total


class Parts:
    """Pieces of HTML by number; equal pieces are stored once."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return found

    def numbers(self, texts: Sequence[str]) -> list[int]:
        return [self.number(text) for text in texts]


class Lane:
    """One run of the page, whose steps are drawn one after another."""

    def __init__(
        self, shown: Shown, unit: Level, indices: list[int], parts: Parts, defs: dict[str, str]
    ) -> None:
        self.shown = shown
        self.trace = shown.trace
        self.unit = unit
        self.indices = indices
        self.parts = parts
        self.views = Views(shown.trace, defs, shown.view)
        self.names: list[str] = []
        self.code = self.trace.algorithm.code_lines(self.trace.params)
        self.lines = {label: k for k, (label, _) in enumerate(self.code)}
        self.questions = questions_at(self.trace, indices[1:])
        self.rounds = self.trace.indices(Level.ROUND)

    def row(self, place: int) -> dict[str, Any]:
        """A step as plain values: l line, t sentence, f formulas, n numbers, v parts of each view,
        w views that lead, e events, r rounds before it; q question, c parts of each view while it
        is open, d line then.
        """
        index = self.indices[place]
        step = self.trace[index]
        note = self.trace[index].note
        scene = self.views.scene(index)
        row: dict[str, Any] = {
            "l": self.lines.get(step.line, -1),
            "t": self.parts.number(words.sentence(note)),
            "f": self.parts.numbers(mathml.formulas(note)),
            "n": self.parts.number(words.facts(note)),
            "v": self._views(index, scene),
            "w": self._leading(index),
            "e": list(step.events),
            "r": bisect_right(self.rounds, index - 1),
        }
        question = self.questions.get(index)
        if question is not None and place:
            before = self.indices[place - 1]
            hidden = covered(self.views.scene(before), question)
            row["q"] = plain(question)
            row["c"] = self._views(
                before, hidden, question.surfaces_give_away or question.asks_for_class
            )
            row["d"] = self.lines.get(question.line, -1)
        return row

    def _views(self, index: int, scene: Any, bare: bool = False) -> list[list[int]]:
        found = self.views.of_step(index, scene, bare)
        for name in found:
            if name not in self.names:
                self.names.append(name)
        return [self.parts.numbers(found.get(name, ())) for name in self.names]

    def _leading(self, index: int) -> list[int]:
        return [self.names.index(name) for name in self.views.leads(index) if name in self.names]

    def plain(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        method = self.trace.algorithm
        return {
            "title": method.title,
            "source": ", ".join(method.source),
            "chips": list(self.shown.chips),
            "code": [[len(text) - len(text.lstrip()), text.strip()] for _, text in self.code],
            "views": self.names,
            "curve": curve(self.trace, self.indices),
            "finished": self.trace.finished
            and bool(self.indices)
            and self.indices[-1] == self.trace.indices(self.unit)[-1],
            "steps": rows,
        }


def curve(trace: Trace, indices: Sequence[int]) -> dict[str, Any] | None:
    """The first curve of the method over these steps: caption, texts of its lowest and highest
    value, and for each step its height from 0 to 1, null where it has none.
    """
    metrics = trace.metrics
    chosen = next((c for c in trace.algorithm.curves if c.metric in metrics and not c.bound), None)
    if chosen is None or not indices:
        return None
    values = metrics[chosen.metric][list(indices)]
    known = np.isfinite(values) & (np.abs(values) < 1e300)
    if chosen.log:
        known &= values > 0
    if not known.any():
        return None
    low, high = float(values[known].min()), float(values[known].max())
    caption = (
        f"{chosen.title}, of {np.count_nonzero(trace.problem.labelled):,}"
        if chosen.of_n
        else chosen.title
    )
    if chosen.log and high > low:
        heights = np.log(np.where(known, values, low) / low) / np.log(high / low)
    else:
        low = min(0.0, low) if chosen.of_n or 0 <= low < high / 2 else low
        heights = (np.where(known, values, low) - low) / (high - low or 1.0)
    shown = [
        round(h * (1 - ASIDE), 3) if good else None
        for h, good in zip(heights.tolist(), known.tolist(), strict=True)
    ]
    return {
        "caption": caption,
        "low": short(float(f"{low:.3g}")),
        "high": short(float(f"{high:.3g}")),
        "at": shown,
    }


# -- writing ---------------------------------------------------------------------------------------


def packed(plain: Any) -> str:
    """Plain values packed for a page, so that it is small and answers are not read in
    its source.
    """
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")


def _html(
    runs: Sequence[Shown],
    unit: Level,
    lanes: list[dict[str, Any]],
    parts: Parts,
    defs: dict[str, str],
    still: int,
) -> str:
    title = titled(runs)
    run = packed({"title": title, "unit": unit.name.lower(), "lanes": lanes, "parts": parts.texts})
    first = lanes[0]
    shown = [lane["steps"][still] for lane in lanes if lane["steps"]]
    stills = [_still(lane, row, parts) for lane, row in zip(lanes, shown, strict=False)]
    row = shown[0]
    places = {
        "TITLE": escaped(title),
        "METHOD": escaped(" and ".join(lane["title"] for lane in lanes[:4])),
        "DATA": escaped(f"on {cut(runs[0].name)}"),
        "CHIPS": "".join(f'<span class="chip">{escaped(chip)}</span>' for chip in first["chips"]),
        "STYLE": style(),
        "DEFS": "".join(defs.values()),
        "STAGE": "".join(stills),
        "SOURCE": escaped(first["source"]),
        "CODE": "".join(
            f'<li style="padding-left:{12 + 7.5 * indent:g}px"{LIT if k == row["l"] else ""}>{escaped(text)}</li>'
            for k, (indent, text) in enumerate(first["code"])
        ),
        "LEAD": parts.texts[row["t"]],
        "FORMULA": "".join(f"<p>{parts.texts[k]}</p>" for k in row["f"]),
        "FACTS": parts.texts[row["n"]],
        "STILL": "last" if still == -1 else "first",
        "RUN": run,
        "SCRIPT": asset("shared.js") + asset("page.js"),
    }
    return written("page.html", places)


def written(template: str, places: Mapping[str, str]) -> str:
    """A page with its places, {{TITLE}}, put in. template: a file of assets/web"""
    return _PLACE.sub(lambda found: places[found[1]], asset(template))


def titled(runs: Sequence[Shown]) -> str:
    titles = " and ".join(dict.fromkeys(shown.trace.algorithm.title for shown in runs))
    return f"{titles} on {cut(runs[0].name)}"


def _still(lane: dict[str, Any], row: dict[str, Any], parts: Parts) -> str:
    """The leading views of a step as they stand in the page before its script runs."""
    wanted = [k for k in row["w"][:2] if k < len(row["v"]) and row["v"][k]]
    inside = "".join(
        f'<div class="view"><h3>{escaped(lane["views"][k])}</h3>{"".join(parts.texts[n] for n in row["v"][k])}</div>'
        for k in wanted
    )
    return f'<div class="lane">{inside}</div>'


def style() -> str:
    """The style sheet of pages and of single drawings."""
    return (
        asset("page.css")
        .replace("/*light shades*/", look.shades(False))
        .replace("/*dark shades*/", look.shades(True))
        + look.style_sheet()
    )


def asset(name: str) -> str:
    """The text of a file of assets/web."""
    return (ASSETS / "web" / name).read_text(encoding="utf-8")


def chips_of(trace: Trace, seed: bool = True) -> tuple[str, ...]:
    """Short texts that describe a run: number of rows, seed (where `seed`), parameters of the
    method.
    """
    method = trace.algorithm
    chips = method.chips(trace.params) if method.chips is not None else ()
    return (counted(trace.problem.n, "row") + (f", seed {trace.seed}" if seed else ""), *chips)
