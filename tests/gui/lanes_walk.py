"""A walk that tries everything with several lanes and predicts: what is done, and what holds after
each action.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
from laboratory import LEFT, NONE, SHIFT, Key, Lab
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox
from walker import Walker

import engine
from engine.base.errors import EngineError
from engine.base.records import field_names
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.lane_edits import suggested
from engine.judge.questions import Every, Kind
from engine.protocol.params import params_fields
from engine.protocol.step import Level
from engine.runs.seen import examples_seen
from gui.dialogs.sweep import Sweep
from gui.session.forked import seen_before, units_before
from gui.session.lane_view import LaneView
from gui.session.predicting import UNCOVERED
from gui.session.sync_mode import SyncMode

LANES = (
    "add_lane",
    "duplicate_lane",
    "fork_lane",
    "remove_lane",
    "swap_lane",
    "only_lane",
    "own_points",
    "next_lane",
)
ANSWERS = (
    Key.Key_A,
    Key.Key_B,
    Key.Key_C,
    Key.Key_Return,
    Key.Key_Right,
    Key.Key_End,
    Key.Key_Left,
    Key.Key_Space,
)
MOVES = (Key.Key_Right, Key.Key_Left, Key.Key_Home, Key.Key_End, Key.Key_PageDown, Key.Key_Space)
VIEWS = "123"
# actions between two pictures of the window: a hand is slower than that, a walk need not wait for
# each
PAINTED = 12


def small() -> Document:
    """Twelve points of two classes, a method that goes on from a step and one that does not."""
    data = engine.generate("moons", 12, noise=0.2, seed=3)
    return Document(data, (lane("perceptron"), lane("decision_tree")), compared=(1, 0))


class LanesWalk(Walker):
    """Every action is one that a menu, key, mouse or control does; `holds` says what must be true
    after each.
    """

    def __init__(self, lab: Lab, seed: int, folder: Path) -> None:
        super().__init__(lab, seed)
        self.at_rest = False
        self.file = folder / "walk.learnscope"
        self.before: list[
            tuple[Document, str]
        ] = []  # of the edits that can be undone: the document, and what it looked like
        self.keys_of = sorted(engine.algorithms())
        self.shapes: Counter[tuple[int, bool]] = Counter()  # how many lanes, predicting or not
        self.questions: Counter[Kind] = Counter()
        chances: dict[Callable[[], str], float] = {
            self.lanes: 4,
            self.clock: 5,
            self.move: 35,
            self.scrub: 12,
            self.pull: 2,
            self.add: 2,
            self.delete: 1,
            self.back: 4,
            self.parameter: 3,
            self.sweep: 0.3,
            self.algorithm: 2,
            self.difference: 8,
            self.view: 3,
            self.point_out: 3,
            self.unit: 2,
            self.file_away: 0.4,
            self.predict: 3,
            self.answer: 100,
            self.wish: 8,
            self.button: 2,
            self.slider: 1,
            self.combo: 1,
            self.field: 0.2,
            self.command: 1,
            self.dress: 0.1,
        }
        self.ways, self.weights = list(chances), list(chances.values())

    def step(self) -> None:
        self.remember()
        depth = len(self.before)
        way = self.chance.choices(self.ways, self.weights)[0]
        self.trail.append(way.__name__)
        self.trail[-1] += f" {way()}"
        self.done[way.__name__] += 1
        self.pass_time()
        self.tidy()
        self.remember(depth)
        self.holds()

    def pass_time(self) -> None:
        """What is due is done; `at_rest` where the worker had nothing to tell any more."""
        self.lab.window.setUpdatesEnabled(len(self.trail) % PAINTED == 0)
        idle = self.lab.session.worker.idle
        QApplication.processEvents()
        self.at_rest = idle and self.lab.session.worker.idle
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    # -- what is done: lanes -----------------------------------------------------------------------

    def do(self, name: str) -> str:
        action = self.lab.window.action(name)
        if action.isEnabled():
            action.trigger()
        return name

    def lanes(self) -> str:
        return self.do(self.chance.choice(LANES))

    def clock(self) -> str:
        return self.do(self.chance.choice(list(SyncMode)).name)

    def sweep(self) -> str:
        self.do("sweep")
        for dialog in self.lab.window.findChildren(Sweep):
            dialog.names.setCurrentIndex(self.chance.randrange(dialog.names.count()))
            dialog.accept()
        return ""

    def algorithm(self) -> str:
        """Mostly one that can take the data."""
        session = self.lab.session
        keys = self.keys_of
        problem = session.problem
        if problem is not None and self.chance.random() < 0.8:
            keys = [key for key in keys if not engine.algorithms()[key].needs.reason(problem)]
        session.choose(key := self.chance.choice(keys))
        return key

    def parameter(self) -> str:
        session = self.lab.session
        fields = [
            (f.name, suggested(session.lane, f.name))
            for f in params_fields(session.algorithm.params)
        ]
        there = [(name, values) for name, values in fields if values]
        if not there:
            return "none"
        name, values = self.chance.choice(there)
        value = self.chance.choice(values)
        try:
            session.set_params(self.chance.choice([None, name]), **{name: value})
        except EngineError:
            return f"{name} {value} refused"
        return f"{name} {value}"

    def difference(self) -> str:
        panel = self.lab.window.right_dock.above.difference
        if panel.isHidden():
            return "none"
        which = self.chance.choice(["pair", "pair", "ghost", "there"])
        if which == "pair":
            k = self.chance.randrange(panel.choice.count())
            panel.choice.setCurrentIndex(k)
            panel.choice.activated.emit(k)
        elif which == "ghost" and not panel.ghost.isHidden():
            panel.ghost.click()
        elif which == "there" and not panel.there.isHidden():
            panel.there.click()
        return which

    def view(self) -> str:
        stage = self.lab.window.stage
        name = self.chance.choice(list(stage.known))
        stage.choose(name, beside=self.chance.random() < 0.3)
        return name

    # -- what is done: points and time -------------------------------------------------------------

    def pull(self) -> str:
        """A point of some lane, with the move tool or the probe in hand."""
        self.lab.session.set_settings(tool=self.chance.choice(["move", "move", "probe", "add"]))
        self.lab.plane = self.chance.choice(self.lab.window.lanes.planes)
        viewport = self.lab.plane.viewport()
        places = [self.spot() for _ in range(3)]
        QTest.mousePress(viewport, LEFT, NONE, places[0])
        for place in places[1:]:
            QTest.mouseMove(viewport, place)
        QTest.mouseRelease(viewport, LEFT, NONE, places[-1])
        return self.lab.session.tool

    def add(self) -> str:
        self.lab.session.set_settings(tool="add")
        self.lab.plane = self.chance.choice(self.lab.window.lanes.planes)
        QTest.mouseClick(
            self.lab.plane.viewport(), LEFT, self.chance.choice([NONE, SHIFT]), self.spot()
        )
        return ""

    def delete(self) -> str:
        """Some points, so that the plane does not fill."""
        self.lab.plane = self.lab.window.lanes.plane
        rows = self.lab.plane.shown().rows
        if len(rows) > 6:
            self.lab.plane.select(
                self.chance.sample(rows.tolist(), len(rows) - 10 if len(rows) > 12 else 1)
            )
            self.do("delete")
        return ""

    def back(self) -> str:
        way = self.chance.choice(["undo", "undo", "redo"])
        expected = self.before[-1][1] if way == "undo" and self.before else None
        self.do(way)
        if expected is not None:
            assert looks(self.lab.session.document) == expected, "undo brings another document"
        return way

    def move(self) -> str:
        key = self.chance.choice(MOVES)
        self.lab.window.setFocus()
        QTest.keyClick(self.lab.window, key, self.chance.choice([NONE, NONE, SHIFT]))
        return str(key)

    def scrub(self) -> str:
        line = self.lab.window.timeline
        if not line.isVisible():
            return "hidden"
        places = [QPoint(self.chance.randrange(line.width()), line.height() // 2) for _ in range(3)]
        QTest.mousePress(line, LEFT, NONE, places[0])
        for place in places[1:]:
            QTest.mouseMove(line, place)
        QTest.mouseRelease(line, LEFT, NONE, places[-1])
        return ""

    def unit(self) -> str:
        unit = self.chance.choice(list(engine.protocol.step.Level))
        self.lab.session.set_unit(unit)
        return unit.name

    def point_out(self) -> str:
        """The probe is moved, put down, taken away; or a row is pointed at."""
        session = self.lab.session
        session.set_settings(tool="probe")
        self.lab.plane = self.chance.choice(self.lab.window.lanes.planes)
        QTest.mouseMove(self.lab.plane.viewport(), self.spot())
        if self.chance.random() < 0.4:
            QTest.mouseClick(self.lab.plane.viewport(), LEFT, NONE, self.spot())
        elif self.chance.random() < 0.3:
            self.do("probe_off")
        return ""

    def file_away(self) -> str:
        """Save; now and then open what was saved."""
        commands = self.lab.window.commands
        if self.file.exists() and self.chance.random() < 0.5:
            commands.open_path(str(self.file))
            return "open"
        self.lab.session.path = str(self.file)
        commands.save()
        return "save"

    def dress(self) -> str:
        name = self.chance.choice(["dark", "light", "projector"])
        self.lab.window.use_theme(name)
        return name

    # -- what is done: predicting ------------------------------------------------------------------

    def predict(self) -> str:
        if self.lab.session.predicting.on and self.chance.random() < 0.5:
            return "stays"
        self.do("predict")
        return "on" if self.lab.session.predicting.on else "off"

    def wish(self) -> str:
        wishes = self.lab.window.predict.panel.wishes
        if not wishes.isVisible():
            return "off"
        if self.chance.random() < 0.5:
            every = self.chance.choice(list(Every))
            wishes.every.picked.emit(every)
            return every.value
        only: QComboBox = wishes.only
        k = self.chance.choice([0, 0, 0, self.chance.randrange(only.count())])
        only.setCurrentIndex(k)
        only.activated.emit(k)
        return only.itemText(k)

    def answer(self) -> str:
        predicting = self.lab.session.predicting
        question = predicting.question
        panel = self.lab.window.predict.panel
        if not predicting.on:
            if self.chance.random() < 0.6:
                self.do("first")
            self.do("predict")
            return "begins"
        if question is None and self.chance.random() < 0.6:
            self.do("predict")
            return f"leaves: {predicting.said}"
        if not predicting.open or question is None:
            key = self.chance.choice(
                (Key.Key_Return, *ANSWERS)
                if predicting.looks_back
                else (Key.Key_Return,) * 8 + ANSWERS
            )
            self.lab.window.setFocus()
            QTest.keyClick(self.lab.window, key)
            return f"not open {key}"
        self.questions[question.kind] += 1
        way = self.chance.random()
        if way < 0.15:
            button = self.chance.choice([panel.question.show_answer, panel.question.skip])
            button.click()
            return button.text()
        if question.blanks:
            right = self.chance.random() < 0.6
            for field, blank in zip(panel.question.form.fields, question.blanks, strict=True):
                field.setText(blank.shown if right else self.chance.choice(["1e5", "x", "", "1/3"]))
            panel.question.form.enter.click()
            assert not right or (predicting.verdict is not None and predicting.verdict.right), (
                "what is shown is right"
            )
            return f"numbers {right}"
        if way < 0.4:
            self.lab.plane = self.lab.window.lanes.planes[predicting.lane.place]
            viewport = self.lab.plane.viewport()
            place = self.spot()
            QTest.mouseMove(viewport, place)
            QTest.mouseClick(viewport, LEFT, NONE, place)
            return "click"
        k = self.chance.choice(question.options)
        QTest.keyClick(self.lab.window, Key(Key.Key_A + question.options.index(k)))
        if predicting.question is question and predicting.verdict is not None:
            assert predicting.verdict.right == (k in question.right), (
                "a letter answers for its candidate"
            )
        verdict = "right" if k in question.right else "wrong"
        return f"{verdict} tie" if len(question.right) > 1 else verdict

    # -- what must hold ----------------------------------------------------------------------------

    def remember(self, depth: int = -1) -> None:
        """What the document looked like before each edit that can be undone."""
        edits = self.lab.session.history.done
        del self.before[len(edits) :]
        for edit in edits[len(self.before) :]:
            self.before.append((edit.before, looks(edit.before)))
        if self.before and self.before[-1][0] is not edits[-1].before:
            self.before = [(edit.before, looks(edit.before)) for edit in edits]

    def holds(self) -> None:
        session, window = self.lab.session, self.lab.window
        views, predicting = session.lane_views, session.predicting
        assert len(views) == len(session.document.lanes) == len(window.lanes.cells)
        assert 0 <= session.active < len(views) and session.lead in views
        for place, view in enumerate(views):
            assert view.place == place and view.document is session.document
            count = len(view.trace) if view.trace is not None else 0
            assert 0 <= view.cursor < max(1, count), f"lane {place} is at {view.cursor} of {count}"
            assert view.trace is not None or view.error.endswith("."), view.error
            assert view.veiled == predicting.on
        if self.at_rest and not self.together():
            self.lab.until(self.together)  # growth is looked at now and then
        if predicting.on:
            self.covered()
        else:
            assert predicting.fence == UNCOVERED and predicting.question is None
            assert window.predict.panel.isHidden()
        self.shapes[len(views), predicting.on] += 1

    def together(self) -> bool:
        """Whether all lanes are at the time of the lead."""
        session = self.lab.session
        beside = [
            v
            for v in session.lane_views
            if v is not session.lead and v.trace is not None and not v.overdue
        ]
        return all(at_same_time(view, session.lead, session.together) for view in beside)

    def covered(self) -> None:
        session = self.lab.session
        predicting = self.lab.session.predicting
        question = predicting.question
        lead = session.lead
        assert lead.cursor <= predicting.fence
        assert (
            question is None or predicting.verdict is not None or predicting.fence < predicting.at
        )
        assert not session.player.playing
        for view in session.lane_views:
            assert view.explanation(np.zeros(0)) is None
        shown = self.lab.window.timeline.curves.series
        assert all(series.x.max(initial=0) <= predicting.fence + 1e-9 for series in shown)
        assert self.lab.window.predict.panel.isVisible() or self.lab.window.room.projector


def looks(document: Document) -> str:
    """All of a document as text, so that one that was changed in place is noticed."""
    tables = [document.data, *(each.data for each in document.lanes if each.data is not None)]
    cells = [[column.values.tobytes() for column in table.columns] for table in tables]
    rest = [
        getattr(document, name) for name in field_names(document) if name not in ("data", "lanes")
    ]
    return repr((cells, [(e.key, e.params, e.seed, e.start) for e in document.lanes], rest))


def at_same_time(view: LaneView, lead: LaneView, together: SyncMode) -> bool:
    """Of steps recorded: the same number of the clock's units, as many examples, or the end, each
    as far as there is one.
    """
    if lead.trace is None or not len(lead.trace) or view.trace is None or not len(view.trace):
        return True
    last = len(view.trace) - 1
    if together is SyncMode.ENDS or lead.wanted >= 1 << 60:
        return view.cursor == last
    if together is SyncMode.EXAMPLES:
        now = examples_seen(lead.trace)[lead.cursor] + seen_before(lead)
        seen = examples_seen(view.trace) + seen_before(view)
        past = seen[view.cursor] <= now * (1 + 1e-9) or view.cursor == 0
        return bool(past and (view.cursor == last or seen[view.cursor + 1] > now or lead.at_end))
    ahead = passed(lead, lead.unit) - passed(view, lead.unit)
    return ahead == 0 or view.cursor == last or (ahead < 0 and view.cursor == 0)


def passed(view: LaneView, unit: Level) -> int:
    """The last unit of the clock that has passed where a lane stands; before its first one that of
    the run it was forked from.
    """
    assert view.trace is not None
    return max(
        0, bisect_right(view.trace.indices(unit), view.cursor) - 1 + units_before(view, unit)
    )


def end(walk: LanesWalk) -> None:
    """Everything undone gives the first document again; nothing is left running."""
    session = walk.lab.session
    session.player.pause()
    session.predicting.leave()
    walk.lab.window.setUpdatesEnabled(True)
    walk.remember()
    while session.history.done:
        session.undo()
        walk.remember()
    assert not any(view.veiled or view.regions_veiled for view in session.lane_views)
