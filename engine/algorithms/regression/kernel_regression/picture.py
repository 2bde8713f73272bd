"""The kernel under the points, the curve so far, the errors of other widths."""

from engine.algorithms.regression.kernel_regression import Setting
from engine.algorithms.regression.parts.sweep import State
from engine.algorithms.regression.parts.sweep_picture import picture, width_rivals
from engine.authoring import Step
from engine.scene.scene import Scene


def scene(given: Setting, step: Step[State]) -> Scene:
    return picture(given, step.state, width_rivals(given))
