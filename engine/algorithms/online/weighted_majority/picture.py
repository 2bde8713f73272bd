"""Shares, weights and experts, and the race of the mistakes against a plain vote and the bound."""

from engine.algorithms.online.parts.figures import Rival, figures
from engine.algorithms.online.weighted_majority import Setting, State
from engine.authoring import Step
from engine.scene.scene import Role, Scene


def scene(given: Setting, step: Step[State]) -> Scene:
    rivals = (
        Rival("no weights", Role.GHOST, given.stream.plain),
        Rival("bound", Role.MARGIN, bound=given.bound),
    )
    return Scene((), figures(given, step, rivals))
