"""Remedies for a lane that cannot run: a change that its error sentence names, undo, a point to
click, or another method.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.mending import class_without_rows, has_run, mends, runs
from engine.protocol.algorithm import Algorithm
from engine.protocol.recipe import wrapped
from engine.protocol.registry import algorithm, algorithms
from engine.sources.own_points import PointKind, as_kind, kind_for
from engine.table.needs import Fault

if TYPE_CHECKING:
    from gui.session.session import Session

REMEDIES = {
    PointKind.CLASSES: "Give them classes",
    PointKind.VALUES: "Take them as x and y",
}


class Remedy(NamedTuple):
    """A button that mends what keeps a run from starting.

    words: the text of the button;
    effect: what the button does, None if there is no remedy;
    hint: a sentence shown beside the button.
    """

    words: str = ""
    effect: Callable[[], object] | None = None
    hint: str = ""


class Remedies:
    """Finds a remedy for the active lane.

    `find` runs after every edit, also while points are dragged, so it keeps whether the document
    before the edit could run.
    """

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._could_run: tuple[Document, int, bool] | None = None

    def find(self) -> Remedy:
        """The remedy for the present error; an empty one without an error, rows or a remedy."""
        session = self._session
        if not session.error or not len(session.data):
            return Remedy()
        if (own := self._other_points()) is not None:
            words = REMEDIES[kind_for(session.algorithm.needs)]
            return Remedy(words, lambda: session.edit(own, "points of another kind"))
        if (found := next(mends(session.document, session.active), None)) is not None:
            words, changed = found
            return Remedy(words, lambda: session.edit(changed, f"{words[0].lower()}{words[1:]}"))
        fresh = self._other_table()
        if not fresh and self._undo_mends():
            return Remedy("Undo", session.undo)
        if (wrapper := self._wrapper()) is not None:
            return wrapper
        key = self._other() if fresh else ""
        if not key and self._undo_mends():
            return Remedy("Undo", session.undo)
        if not key and (click := self._click()) is not None:
            return click
        key = key or self._other()
        words = (
            "Use the default parameters"
            if key == session.lane.key
            else f"Use {algorithm(key).title}"
            if key
            else ""
        )
        return Remedy(words, (lambda: session.choose(key)) if key else None)

    def _wrapper(self) -> Remedy | None:
        """The remedy for more classes than a method for two takes: the same method in a wrapper."""
        problem = self._session.problem
        found = None
        if problem is not None:
            found = wrapped(self._session.algorithm, self._session.lane.params, problem)
        if problem is None or found is None or not runs(lane(found[0], **found[1]), problem):
            return None
        key, values = found
        words = f"Use {algorithm(key).title} with it"
        return Remedy(words, lambda: self._session.choose(key, **values))

    def _click(self) -> Remedy | None:
        """The remedy for missing points or classes; None if there is no plane to click on."""
        session = self._session
        problem = self._session.problem
        if (
            problem is None
            or not problem.plane
            or (why := session.algorithm.needs.refusal(problem)) is None
        ):
            return None
        if why.fault is Fault.FEW_ROWS:
            return Remedy(
                "Add points", lambda: session.set_settings(tool="add"), "Click more onto the plane."
            )
        if why.fault is not Fault.FEW_CLASSES:
            return None
        code = class_without_rows(problem)
        name = f"class {problem.class_text(code)}" if code < len(problem.classes) else "a new class"
        hint = f"Press {code + 1} and click a point of {name}."
        return Remedy(
            f"Click {name}", lambda: session.set_settings(tool="add", current_class=code), hint
        )

    def _other_points(self) -> Document | None:
        """The document with its hand-drawn points made into the kind that the method learns from,
        with classes or with values.

        None if the data are no such points or of that kind already, or if the method suits them.
        """
        session = self._session
        needs = session.algorithm.needs
        problem = session.problem
        kind = kind_for(session.algorithm.needs)
        if problem is None or needs.reason(problem) is None or not (needs.labels or needs.values):
            return None
        if as_kind(session.data, kind) is session.data:
            return None
        return session.document.in_lane(session.active, partial(_of_kind, kind))

    def _other_table(self) -> bool:
        """Whether the last edit put in another table, which undo would throw away again."""
        done = self._session.history.done
        return bool(done) and done[-1].before.data.name != self._session.document.data.name

    def _undo_mends(self) -> bool:
        """Whether the active lane could run before the last edit."""
        done = self._session.history.done
        active = self._session.active
        if not done:
            return False
        before = done[-1].before
        if (
            self._could_run is None
            or self._could_run[0] is not before
            or self._could_run[1] != active
        ):
            self._could_run = before, active, has_run(before, active)
        return self._could_run[2]

    def _other(self) -> str:
        """The key of a method that runs on the present data with its default parameters, "" if none
        does.

        It is the present method if only its parameters are at fault, otherwise one of the same
        family if there is one.
        """
        problem, here = self._session.problem, self._session.algorithm
        if problem is None:
            return ""
        candidates = self._candidates() if here.needs.reason(problem) is not None else (here.key,)
        return next((key for key in candidates if runs(lane(key), problem)), "")

    def _candidates(self) -> Iterator[str]:
        """The keys of all methods, the best candidates first.

        The same family comes first, then learners before experiments, methods that use the target
        before the rest, and methods with few demands before others.
        """
        family = self._session.algorithm.family
        yield from sorted(
            algorithms(),
            key=lambda key: (algorithm(key).family != family, *_demands(algorithm(key))),
        )


def _of_kind(kind: PointKind, document: Document) -> Document:
    return replace(document, data=as_kind(document.data, kind), plane=(), probe=None)


def _demands(each: Algorithm[Any, Any]) -> tuple[bool, bool, int, str]:
    needs = each.needs
    demands = (
        needs.numeric,
        needs.binary,
        needs.discrete,
        not needs.missing,
        needs.forecasts,
        needs.max_classes <= 2,
    )
    return (
        each.is_experiment,
        not (needs.labels or needs.values),
        sum(map(bool, demands)),
        each.title,
    )
