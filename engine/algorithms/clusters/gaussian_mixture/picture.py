"""Ovals or bells, the means and how they move, sizes or shares of the components."""

from engine.algorithms.clusters.gaussian_mixture import Setting, State
from engine.algorithms.clusters.parts import SURFACES
from engine.algorithms.clusters.parts.figures import (
    mass_bars,
    mixture_scene,
    names_of,
    shape_layers,
)
from engine.authoring import Float, Step, np
from engine.base.tags import class_tags
from engine.scene.scene import Bars, Role, Scene

FIELDS = SURFACES


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    ghost = shape_layers(
        problem, s.before_means, s.before_covariances, s.weights, Role.GHOST, "before"
    )
    changed = step.line in ("means", "shapes")
    shapes = [
        *(ghost if changed else []),
        *shape_layers(problem, s.means, s.covariances, s.weights),
    ]
    bars = (
        share_bars(s.weights) if step.line in ("shapes", "until") else mass_bars(s.responsibilities)
    )
    return mixture_scene(given, s, shapes, s.before_means if step.line == "means" else None, bars)


def share_bars(weights: Float) -> Bars:
    """Bars of the weights πⱼ (k,) of the components."""
    k = len(weights)
    return Bars(
        "Shares π",
        names_of(k),
        weights,
        group=np.arange(k),
        digits=3,
        limit=1.0,
        tag="N",
        tags=class_tags(k),
        clusters=True,
    )
