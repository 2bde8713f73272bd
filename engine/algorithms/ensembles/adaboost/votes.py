"""Pictures of a vote among weak learners: stumps and leaves on the plane, votes, margins, the weighted table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from engine.core.algorithm import Explanation
from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.dataset import Feature, Kind
from engine.core.notation import MINUS, agreeing_digits, counted, subscript
from engine.core.problem import Problem
from engine.core.scene import (
    NO_GROUP,
    Bars,
    Boxes,
    Field,
    Layer,
    Plot,
    Role,
    Segments,
    Table,
    TableColumn,
    Tree,
    TreeNode,
    data_table,
)
from engine.core.scene import Line as SceneLine
from engine.core.step import Fact, Formula, Note, Operand, note, verbatim
from engine.core.sums import add_up
from engine.numerics.linear import plane_line
from engine.algorithms.ensembles.adaboost.stumps import Stump
from engine.algorithms.ensembles.adaboost.learners import Candidate
from engine.algorithms.ensembles.adaboost.stumps import Learner, Line
from engine.algorithms.ensembles.adaboost.stumps import Tree as WeakTree
from engine.algorithms.ensembles.adaboost.majority import row_votes, tied, voting_power, winners

SHOWN = 12  # bars that can be read at once
PALE = 6  # earlier stumps that do not hide the points
BINS = 20
LISTED = 6  # terms of a sum written out


def ensemble_layers(
    problem: Problem,
    earlier: Sequence[Learner],
    learner: Learner | None,
    candidates: Sequence[Candidate],
) -> list[Layer]:
    """The vote as shading with its boundary, earlier stumps pale, the candidates, and the learner of this moment lit."""
    layers: list[Layer] = [Field("score" if len(problem.classes) == 2 else "class", boundary=True)]
    layers += earlier_layers(problem, earlier)
    chosen = learner.tests[0] if isinstance(learner, WeakTree) else learner
    for c in candidates:
        if c.stump != chosen:
            layers += stump_layers(problem, c.stump, Role.CANDIDATE, f"column {c.stump.column}")
    return layers if learner is None else layers + learner_layers(problem, learner, Role.ACTIVE, "learner")


def learner_layers(problem: Problem, learner: Learner, role: Role, tag: str) -> list[Layer]:
    """A weak learner on the plane: a stump's cut, a tree's cuts, the line between two classes; [] when unseen."""
    if isinstance(learner, Stump):
        return stump_layers(problem, learner, role, tag)
    if isinstance(learner, WeakTree):
        ends = list(tree_cuts(problem, learner))
        return [Segments(frozen(ends), role, tag=tag)] if ends else []
    return line_layers(problem, learner, role, tag)


def stump_layers(problem: Problem, stump: Stump, role: Role, tag: str) -> list[Layer]:
    """The cut x = t of a stump on one of the plane's columns."""
    if stump.test != "threshold" or stump.column not in problem.plane or stump.parts_missing:
        return []
    normal = np.zeros(2)
    normal[problem.plane.index(stump.column)] = 1.0
    label = "" if role is Role.INACTIVE else stump.text(problem.features)
    return [SceneLine(frozen(normal), -stump.value, role, label, tag)]


def line_layers(problem: Problem, line: Line, role: Role, tag: str) -> list[Layer]:
    """Where two classes have equal scores; with more classes the lines would hide the points."""
    if line.W.shape[1] != 2:
        return []
    w = line.W[:, 0] - line.W[:, 1]
    normal, b = plane_line(problem, w, float(line.b[0] - line.b[1] - w @ line.centre))
    return [SceneLine(frozen(normal), b, role, tag=tag)] if normal.any() else []


def tree_cuts(problem: Problem, tree: WeakTree) -> Iterator[Float]:
    """(2, 2) ends of the cut of each test that the plane meets, hidden columns at the anchor; ±∞ where it is open."""
    waiting = [(0, np.array([-np.inf, -np.inf, np.inf, np.inf]))]
    while waiting:
        node, box = waiting.pop()
        parts = _halves(problem, tree.tests[node], box)
        if len(parts) == 2:
            low, high = parts[0][1], parts[1][1]
            yield np.array([high[:2], low[2:]])  # the corners that both halves share
        waiting += [(child, part) for b, part in parts if (child := tree.children[node][b]) >= 0]


def _halves(problem: Problem, stump: Stump, box: Float) -> list[tuple[int, Float]]:
    if stump.test != "threshold" or stump.column not in problem.plane:
        return [(int(stump.branches(problem.anchor[None])[0]), box)]
    axis = problem.plane.index(stump.column)
    low, high = box.copy(), box.copy()
    low[axis + 2] = high[axis] = min(max(stump.value, box[axis]), box[axis + 2])
    return [(0, low), (1, high)]


def earlier_layers(problem: Problem, learners: Sequence[Learner]) -> list[Layer]:
    """The last few different cuts, pale."""
    cuts: dict[tuple[int, float], Stump] = {}
    for k in range(len(learners) - 1, max(-1, len(learners) - 1 - 4 * PALE), -1):
        learner = learners[k]
        if isinstance(learner, Stump) and len(cuts) < PALE:
            cuts.setdefault((learner.column, learner.value), learner)
    return [layer for stump in cuts.values() for layer in stump_layers(problem, stump, Role.INACTIVE, "earlier")]


def vote_name(problem: Problem, k: int, learner: Learner, z: float) -> str:
    """'3  x₂ > 0.36': the learner number k from 0; one without error is marked."""
    return f"{k + 1}  {learner.text(problem.features)}" + (" (∞)" if np.isinf(z) else "")


def vote_bars(problem: Problem, learners: Sequence[Learner], z: Sequence[float], newest: bool) -> Bars:
    """The votes of the last learners, the newest first; ∞ is drawn as long as the longest."""
    first = max(0, len(z) - SHOWN)
    rows = range(len(z) - 1, first - 1, -1)
    values = np.array([z[k] for k in rows])
    finite = values[np.isfinite(values)]
    labels = [vote_name(problem, k, learners[k], z[k]) for k in rows]
    values = np.where(np.isfinite(values), values, finite.max(initial=1.0))
    roles = tuple(Role.ACTIVE if newest and i == 0 else Role.PLAIN for i in range(len(values)))
    title = "Votes z" if not first else f"Votes z, the last {SHOWN} of {len(z)}"
    return Bars(title, tuple(labels), frozen(values), roles, tag="z")


def margin_plot(votes: Float, codes: Int) -> Plot:
    """How many examples have which margin: votes for the true class less the best other, as a share of all votes.
    votes (k, n), codes (n,) of labelled rows."""
    rows = np.arange(len(codes))
    true = votes[codes, rows]
    others = votes.copy()
    others[codes, rows] = -np.inf
    rival = np.maximum(others.max(axis=0), 0.0)
    margin = np.clip((true - rival) / np.maximum(votes.sum(axis=0), 1e-300), -1, 1)
    count, edges = np.histogram(margin, BINS, (-1, 1))
    kept = np.flatnonzero(count)
    bounds = np.column_stack([edges[kept], np.zeros(len(kept)), edges[kept + 1], count[kept]])
    top = float(count.max(initial=1))
    zero = Segments(frozen([[[0.0, 0.0], [0.0, top]]]), Role.BOUNDARY)
    layers = (Boxes(frozen(bounds), frozen(np.full(len(kept), NO_GROUP))), zero)
    return Plot(
        "Margins: how clear the vote is", "margin", "examples", layers, x_range=(-1.0, 1.0), y_range=(0.0, 1.05 * top)
    )


def weighted_table(
    problem: Problem, weights: Float, copies: Int | None, says: Int | None, wrong: Bool | None, column: int
) -> Table:
    """The examples with their weights; `says`: this round's labels, its mistakes in amber; column: tested one or −1."""
    roles = {problem.features[column].name: Role.ACTIVE} if column >= 0 else {}
    current = tuple(np.flatnonzero(wrong).tolist()) if wrong is not None else ()
    table = data_table(problem, current=current, roles=roles, tag="data")
    added = [TableColumn(Feature("weight"), weights, digits=4 if problem.n <= 1000 else 6)]
    if copies is not None:
        added.append(TableColumn(Feature("copies"), copies.astype(np.float64)))
    if says is not None:
        added.append(TableColumn(Feature("h says", Kind.CATEGORICAL, problem.classes), says.astype(np.float64)))
    return replace(table, columns=(*table.columns, *added))


def weak_tree(problem: Problem, tree: WeakTree, k: int) -> Tree:
    """A weak tree as a diagram."""
    nodes: list[TreeNode] = []
    waiting = [(0, -1, "")]
    while waiting:
        test, parent, branch = waiting.pop(0)
        stump = tree.tests[test]
        at = len(nodes)
        nodes.append(TreeNode(parent, branch, stump.question(problem.features)))
        for b, name in enumerate(branch_names(problem, stump)):
            if tree.children[test][b] >= 0:
                waiting.append((tree.children[test][b], at, name))
            else:
                label = stump.classes[b]
                nodes.append(TreeNode(at, name, problem.class_text(label), "leaf", label))
    classes = tuple(problem.class_text(c) for c in range(len(problem.classes)))
    return Tree(f"Tree h{subscript(k)}", tuple(nodes), classes)


def branch_names(problem: Problem, stump: Stump) -> list[str]:
    """What stands at the branches; the one for missing values only where the column has any."""
    if stump.test == "none":
        return ["all"]
    feature = problem.features[stump.column]
    names = ["no", "yes"]
    if stump.test == "values":
        names = [feature.text(float(v)) for v in range(len(feature.categories))]
    return [*names, "?"] if has_gaps(problem, stump) else names


def has_gaps(problem: Problem, stump: Stump) -> bool:
    """Whether values are missing in the column that a stump asks for."""
    return stump.test != "none" and bool(np.isnan(problem.X[:, stump.column]).any())


def vote_explanation(problem: Problem, learners: Sequence[Learner], z: Sequence[float], x: Float) -> Explanation:
    """Why this label? Every learner's vote at the place x (d,); of many only the strongest, the rest of them in one bar."""
    k = len(problem.classes)
    power = voting_power(z)
    votes = row_votes(problem, learners, z, x[None])[:, 0]
    votes[votes < 1e-9 * votes.sum()] = 0.0  # nobody's: what rounding has left
    label = int(winners(votes[:, None])[0])
    if label < 0:
        return Explanation(-1, note("No learner has a vote yet."))
    shown = np.sort(np.argsort(-power, kind="stable")[:SHOWN])
    says = np.array([int(learners[int(i)].predict(x[None])[0]) for i in shown], np.intp)
    rest = votes - np.bincount(says, power[shown], k)
    names = [vote_name(problem, i, learners[i], z[i]) for i in shown.tolist()]
    others = [c for c in range(k) if len(power) > len(shown) and rest[c] > 1e-9 * power.sum()]
    names += [f"{counted(len(power) - len(shown), 'other')} for {problem.class_text(c)}" for c in others]
    group = np.concatenate([says, others]).astype(np.intp)
    sizes = np.concatenate([power[shown], rest[others]])
    values = np.where(group == 1, -sizes, sizes) if k == 2 else sizes
    title = f"Votes: + {problem.class_text(0)}, − {problem.class_text(1)}" if k == 2 else "Votes"
    bars = Bars(title, tuple(names), frozen(values), group=frozen(group), tag="z")
    sure = np.flatnonzero(np.isinf(np.asarray(z)))
    if len(sure):
        return Explanation(label, alone_note(problem, int(sure[0]) + 1, len(power), label), bars)
    return Explanation(label, vote_words(problem, votes, values, label), bars)


def alone_note(problem: Problem, k: int, count: int, label: int) -> Note:
    """The k-th of `count` learners has no error: with z = ∞ it decides alone."""
    lead = "{name} wins: {h} decides alone, because its error is 0 and so its vote z = {z}."
    if count > 1:
        lead += " Beside it the other votes count for nothing."
    h, vote = Operand(f"h{subscript(k)}", about="z"), Operand(float("inf"), "z", "z")
    return note(lead, name=problem.class_text(label), h=h, z=vote)


def vote_words(problem: Problem, votes: Float, values: Float, label: int) -> Note:
    """The sum of the votes and who wins: signed for two classes, else class by class."""
    equal = int(tied(votes[:, None]).sum()) > 1
    lead = "{name} wins: it has {won} of {whole} {whole:vote|votes}."
    if equal:
        lead = "Several classes have {won} {won:vote|votes} each; {name} is the first of them in order."
    facts = [
        Fact(f"votes for {verbatim(problem.class_text(c))}", f"{{v{c}}}") for c in range(len(votes)) if votes[c] > 0
    ]
    two, listed = len(votes) == 2, len(values) <= LISTED
    total = 0.0 if equal else float(votes[0] - votes[1]) if two else 0.0
    digits = agreeing_digits([*(values if listed else votes)], partial(_vote, listed), total) if two else 2
    operands = {f"v{c}": Operand(float(v), digits=2 if listed else digits) for c, v in enumerate(votes)}
    parts: list[Formula] = []
    if two and listed:
        signs = ["" if i == 0 and v >= 0 else f"{'+' if v >= 0 else MINUS} " for i, v in enumerate(values)]
        body = " ".join(f"{sign}{{t{i}}}" for i, sign in enumerate(signs))
        parts.append(Formula("vote =", body, "{sum}"))
        for i, v in enumerate(values):
            operands[f"t{i}"] = Operand(abs(float(v)), f"z{subscript(i + 1)}", "z", digits=digits)
    elif two:
        parts.append(Formula("vote =", f"{{v0}} {MINUS} {{v1}}", "{sum}"))
    name, won = problem.class_text(label), Operand(float(votes[label]))
    whole = Operand(float(votes.sum()))
    return note(lead, *parts, *facts, name=name, won=won, whole=whole, sum=Operand(total, "vote"), **operands)


def _vote(listed: bool, *parts: float) -> float:
    """The signed votes of the learners together, or those for the first class less those for the second."""
    return add_up(parts) if listed else parts[0] - parts[1]
