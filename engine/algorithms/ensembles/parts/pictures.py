"""Pictures of weak learners and of their vote: cuts on the plane, trees, bars, margins."""

from collections.abc import Sequence

import numpy as np

from engine.algorithms.ensembles.parts.stumps import Learner, Stump, Tree
from engine.algorithms.ensembles.parts.votes import leaves_and_cuts
from engine.base.arrays import Float, Int, frozen
from engine.base.notation import subscript
from engine.base.tags import joined
from engine.numerics.linear import plane_line
from engine.scene.scene import (
    NO_GROUP,
    Bars,
    Boxes,
    Layer,
    Plot,
    Role,
    Segments,
    TreeNode,
)
from engine.scene.scene import (
    Line as SceneLine,
)
from engine.scene.scene import (
    Tree as Diagram,
)
from engine.table.problem import Problem

SHOWN = 12  # bars that can be read at once
BINS = 20
EDGES = np.linspace(-1.0, 1.0, BINS + 1)


def learner_layers(problem: Problem, learner: Learner, role: Role, tag: str) -> list[Layer]:
    """A weak learner on the plane: a stump's cut x = t, a tree's cuts, where two classes of a line
    have equal scores; [] when unseen, and for lines between more classes, which would hide the
    points.
    """
    if isinstance(learner, Tree):
        _, cuts = leaves_and_cuts(problem, learner)
        return [Segments(frozen(cuts), role, tag=tag)] if cuts else []
    if isinstance(learner, Stump):
        return stump_layers(problem, learner, role, tag)
    if learner.W.shape[1] != 2:
        return []
    w = learner.W[:, 0] - learner.W[:, 1]
    b = float(learner.b[0] - learner.b[1] - w @ learner.centre)
    normal, b = plane_line(problem, w, b)
    return [SceneLine(frozen(normal), b, role, "", tag)] if normal.any() else []


def stump_layers(problem: Problem, stump: Stump, role: Role, tag: str) -> list[Layer]:
    """The cut x = t of a threshold on the plane, labelled unless it is pale; [] for a column off
    the plane or another test.
    """
    cuts = stump.test == "threshold" and stump.column in problem.plane
    if not cuts or stump.parts_missing:
        return []
    normal = np.eye(2)[problem.plane.index(stump.column)]
    label = "" if role is Role.INACTIVE else stump.text(problem.features)
    return [SceneLine(frozen(normal), -stump.value, role, label, tag)]


def tree_diagram(problem: Problem, tree: Tree, k: int) -> Diagram:
    """The figure of learner k, a tree."""
    features = problem.features
    nodes = list[TreeNode]()
    waiting = [(0, -1, "")]  # test, place of its parent, what stands at the branch to it
    while waiting:
        test, parent, branch = waiting.pop(0)
        stump = tree.tests[test]
        place = len(nodes)
        column = problem.axis_column(stump.column)
        nodes.append(TreeNode(parent, branch, stump.question(features), column=column))
        names = branch_names(problem, stump)
        for name, child, label in zip(names, tree.children[test], stump.classes, strict=False):
            if child >= 0:
                waiting.append((child, place, name))
            else:
                nodes.append(TreeNode(place, name, problem.class_text(label), "leaf", label))
    texts = tuple(map(problem.class_text, range(len(problem.classes))))
    return Diagram(f"Tree: h{subscript(k)}", tuple(nodes), texts)


def branch_names(problem: Problem, stump: Stump) -> list[str]:
    """The labels of a stump's branches; "missing" only where the column has missing values."""
    if stump.test == "none":
        return ["all"]
    feature = problem.features[stump.column]
    names = ["no", "yes"]
    if stump.test == "values":
        names = [feature.text(float(v)) for v in range(len(feature.categories))]
    if has_gaps(problem, stump):
        names.append("?")
    return names


def has_gaps(problem: Problem, stump: Stump) -> bool:
    """Whether the column of a stump's test has missing values."""
    return stump.test != "none" and bool(np.isnan(problem.X[:, stump.column]).any())


def vote_name(problem: Problem, k: int, learner: Learner, z: float) -> str:
    """The label of learner k, "3 x₂ > 0.36", with (∞) where its error is 0."""
    name = f"{k + 1}  {learner.text(problem.features)}"
    return f"{name} (∞)" if np.isinf(z) else name


def learner_tag(k: int) -> str:
    """The tag of learner k, counted from 0."""
    return f"learner {k}"


def vote_bars(
    problem: Problem, learners: Sequence[Learner], z: Sequence[float], newest: bool
) -> Bars:
    """Bars of the votes of the last learners, the newest first; ∞ is as long as the longest."""
    rows = range(len(z) - 1, max(0, len(z) - SHOWN) - 1, -1)
    votes = np.array([z[k] for k in rows])
    finite = np.isfinite(votes)
    values = np.where(finite, votes, votes[finite].max(initial=1.0))
    roles = tuple(Role.ACTIVE if newest and i == 0 else Role.PLAIN for i in range(len(values)))
    title = "Votes z" if len(z) <= SHOWN else f"Votes z, the last {SHOWN} of {len(z)}"
    names = tuple(vote_name(problem, k, learners[k], z[k]) for k in rows)
    tags = tuple(_vote_tag(problem, k, learners[k]) for k in rows)
    return Bars(title, names, frozen(values), roles, tag="z", tags=tags)


def _vote_tag(problem: Problem, k: int, learner: Learner) -> str:
    """A learner with the column that it tests, if it tests one."""
    if not isinstance(learner, Stump) or learner.test == "none":
        return learner_tag(k)
    return joined(learner_tag(k), problem.column_tags[learner.column])


def margins(votes: Float, codes: Int) -> Float:
    """(n,) votes for the true class less the best other, as a share of all votes, from −1 to 1.

    votes (k, n), codes (n,) of labelled rows
    """
    true = np.arange(len(votes))[:, None] == codes
    rival = np.maximum(np.where(true, -np.inf, votes).max(axis=0), 0.0)
    lead = votes.T[true.T] - rival
    shares = lead / np.maximum(votes.sum(axis=0), 1e-300)
    return np.asarray(shares.clip(-1, 1))


def margin_plot(votes: Float, codes: Int) -> Plot:
    """A histogram of the margins of the examples. votes: (k, n); codes: (n,) of labelled rows"""
    bins = np.searchsorted(EDGES, margins(votes, codes), "right") - 1
    count = np.bincount(np.minimum(bins, BINS - 1), minlength=BINS)
    top = float(count.max(initial=1))
    filled = np.flatnonzero(count)
    zeros = np.zeros(len(filled))
    bounds = np.column_stack([EDGES[filled], zeros, EDGES[filled + 1], count[filled]])
    bars = Boxes(frozen(bounds), frozen(np.full(len(filled), NO_GROUP)))
    zero = Segments(frozen([[[0.0, 0.0], [0.0, top]]]), Role.BOUNDARY)
    return Plot(
        "Margins: how clear the vote is",
        "margin",
        "examples",
        (bars, zero),
        x_range=(-1.0, 1.0),
        y_range=(0.0, 1.05 * top),
    )
