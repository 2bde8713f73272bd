"""The bag as sizes, the spread of the trees' borders, the vote as shading; beside it the tree, the
table, the margins.
"""

from engine.algorithms.ensembles.parts.bag_figures import FIELDS, label_borders, scene

__all__ = ["FIELDS", "label_borders", "scene"]
