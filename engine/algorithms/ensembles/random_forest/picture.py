"""The bag as sizes, the spread of the trees' borders, the vote as shading, and how many columns a
node tries; beside it the tree, the table, the margins.
"""

from engine.algorithms.ensembles.parts.bag_figures import FIELDS, label_borders
from engine.algorithms.ensembles.parts.bag_figures import scene as bag_scene
from engine.algorithms.ensembles.parts.bags import Bagged
from engine.algorithms.ensembles.random_forest import Setting
from engine.authoring import Step, replace
from engine.base.notation import counted
from engine.scene.scene import Forest, Scene

__all__ = ["FIELDS", "label_borders", "scene"]


def scene(given: Setting, step: Step[Bagged]) -> Scene:
    """The scene of bagging; before the trees and while one grows its figure says how many columns a
    node tries.
    """
    made = bag_scene(given, step)
    if step.line not in ("start", "split"):
        return made
    trees = f"Trees: {given.tried} of {counted(given.problem.d, 'column')} tried at each node"
    figures = tuple(
        replace(figure, title=trees) if isinstance(figure, Forest) else figure
        for figure in made.figures
    )
    return replace(made, figures=figures)
