"""The curve through the points and the query on it."""

from engine.algorithms.regression.connect_the_dots import Setting
from engine.algorithms.regression.parts.sweep import State
from engine.algorithms.regression.parts.sweep_picture import picture
from engine.authoring import Step
from engine.scene.scene import Scene


def scene(given: Setting, step: Step[State]) -> Scene:
    return picture(given, step.state)
