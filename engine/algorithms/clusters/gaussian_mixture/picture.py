"""Ovals or bells, the means and how they move, sizes or shares of the components."""

from engine.algorithms.clusters.gaussian_mixture import Setting, State
from engine.algorithms.clusters.parts import SURFACES
from engine.algorithms.clusters.parts.figures import (
    mass_bars,
    mixture_scene,
    names_of,
    shape_layers,
)
from engine.authoring import Float, Step, np, number, replace
from engine.base.notation import counted, fixed
from engine.base.tags import class_tags
from engine.scene.scene import Bars, Layer, Role, Scene

FIELDS = SURFACES


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    ghost = shape_layers(
        problem, s.before_means, s.before_covariances, s.weights, Role.GHOST, "before"
    )
    changed = step.line in ("means", "shapes", "until")
    shapes = [
        *(ghost if changed else []),
        *shape_layers(problem, s.means, s.covariances, s.weights),
        *(new_spreads(given, s) if step.line == "shapes" else []),
    ]
    bars = (
        share_bars(s.weights) if step.line in ("shapes", "until") else mass_bars(s.responsibilities)
    )
    was = s.before_means if step.line == "means" else None
    scene = mixture_scene(given, s, shapes, was, bars)
    return replace(scene, plane=title(step))


def new_spreads(given: Setting, s: State) -> list[Layer]:
    """In amber the ovals that this step has changed; [] over one column, where they are bells."""
    which = (s.covariances != s.before_covariances).any(axis=(1, 2))
    if len(given.problem.plane) != 2 or not which.any():
        return []
    parts = (s.means[which], s.covariances[which], s.weights[which])
    return shape_layers(given.problem, *parts, Role.ACTIVE, "change")


def title(step: Step[State]) -> str:
    """What the plane shows: which part of which round, at its end what it has gained."""
    s = step.state
    parts = {
        "e": "E step, the share of each example",
        "means": "M step, the means",
        "shapes": "M step, the spreads",
    }
    if step.line in parts:
        far = ""
        if step.line == "means":
            far = f" move at most {number(float(np.abs(s.means - s.before_means).max()))}"
        if step.line == "shapes":
            spread, was = (
                np.sqrt(each.diagonal(axis1=1, axis2=2))
                for each in (s.covariances, s.before_covariances)
            )
            far = f" change at most {number(float(np.abs(spread - was).max()))}"
        return f"Round {s.round}: {parts[step.line]}{far}"
    if step.line == "until":
        before, now = (fixed(v) for v in (step.details["before"], s.log_likelihood))
        return f"Round {s.round} is over: log-likelihood {before} → {now}"
    return f"Start: {counted(len(s.means), 'Gaussian')}" if not s.round else f"Round {s.round}"


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
