"""The neighbours, the curve so far, the errors of other k."""

from engine.algorithms.regression.neighbour_regression import Setting
from engine.algorithms.regression.parts.sweep import State
from engine.algorithms.regression.parts.sweep_picture import neighbour_rivals, picture
from engine.authoring import Step
from engine.scene.scene import Scene


def scene(given: Setting, step: Step[State]) -> Scene:
    return picture(given, step.state, neighbour_rivals(given))
