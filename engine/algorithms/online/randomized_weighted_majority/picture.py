"""The wheel of chance, between the examples the tally; shares, weights and experts, and the race
of the mistakes.
"""

from engine.algorithms.online.parts.figures import Rival, figures, wheel
from engine.algorithms.online.parts.words import names
from engine.algorithms.online.randomized_weighted_majority import Setting, State
from engine.authoring import Step, np
from engine.base.notation import counted
from engine.scene.scene import Bars, Role, Scene


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    drawn = (s.drawn,) if step.line in ("draw", "say") else ()
    u = s.u if s.drawn >= 0 else None
    now = step.line in ("draw", "say")
    chance = wheel(given.problem, s.before, given.says(s), u, s.drawn, now)
    rivals = (
        Rival("expected", Role.GHOST, given.expected),
        Rival("bound", Role.MARGIN, bound=given.bound),
    )
    others = figures(given, step, rivals, drawn)
    if step.line == "tally":
        return Scene((), (tally_bars(given, s), *others), leads=("Tally", "Experts"))
    return Scene((), (chance, *others))


def tally_bars(given: Setting, s: State) -> Bars:
    """Bars of the mistakes so far: the learner's, those of the best expert, the number expected
    and its bound.
    """
    best = names(given.problem)[int(s.wrong.argmin())]
    rows = {
        "the learner": float(s.mistakes),
        f"best expert, {best}": float(s.best),
        "expected": float(s.expected),
        "bound on it": float(given.bound(s.best)),
    }
    roles = tuple(Role.PLAIN if name == "expected" else Role.ACTIVE for name in rows)
    title = f"Tally: mistakes after {counted(s.seen, 'example')}"
    values = np.array([*rows.values()])
    return Bars(title, tuple(rows), values, roles, tag="mistakes", beside=True)
