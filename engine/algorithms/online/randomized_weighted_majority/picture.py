"""The wheel of chance, shares, weights and experts, and the race of the mistakes."""

from engine.algorithms.online.parts.figures import Rival, figures, wheel
from engine.algorithms.online.randomized_weighted_majority import Setting, State
from engine.authoring import Step
from engine.scene.scene import Role, Scene


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    drawn = (s.drawn,) if step.line in ("draw", "say") else ()
    u = s.u if s.drawn >= 0 else None
    chance = wheel(given.problem, s.before, given.says(s), u, s.drawn)
    rivals = (
        Rival("expected", Role.GHOST, given.expected),
        Rival("bound", Role.MARGIN, bound=given.bound),
    )
    return Scene((), (chance, *figures(given, step, rivals, drawn)))
