"""The weights of the examples round by round, AIMA Fig 18.33: boxes as high as the weights, with
who is right and who is wrong, over the votes of the hypotheses.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from engine.algorithms.ensembles.adaboost import Setting, State
from engine.algorithms.ensembles.parts.stumps import Learner
from engine.authoring import Bool, Float, frozen, np, own
from engine.base.notation import cut, fixed, subscript
from engine.base.sums import add_up
from engine.scene.scene import NO_GROUP, Boxes, Layer, Plot, Role

ROUNDS = 5  # columns that can be read at once
JUDGING = ("error", "normalise", "return")  # lines about the rows that are wrong
SCALING = ("reweight", "normalise")  # lines at which the weights change
MOST = 60  # rows whose boxes can be told apart
LETTERED = 0.055  # height of a box from which its row is named
MARKED = 0.025  # height of a box from which ✗ finds room in it
HALF = 0.36  # half the width of a column
BESIDE = 0.2  # of a column, at the right: room for the name of the axis
VOTES = (-0.05, -0.2)  # where the votes hang, and how low the largest reaches


class Column(NamedTuple):
    """The examples before one hypothesis.

    name: of the hypothesis
    weights: (n,) of the rows
    wrong: (n,) rows that it gets wrong, None before it has answered
    z: its vote, NaN before it has one
    """

    name: str
    weights: Float
    wrong: Bool | None = None
    z: float = np.nan


def weight_columns(given: Setting, s: State, line: str) -> list[Column]:
    """The columns of the last rounds, then that of this step, if it has one of its own."""
    before = s.weights
    if line in SCALING:
        before = undone(before, s.wrong, np.log((1 - s.error) / s.error))
    now = present(given, s, line)
    earlier = list(islice(backwards(given, s, before), ROUNDS - len(now)))
    return [*reversed(earlier), *now]


def present(given: Setting, s: State, line: str) -> list[Column]:
    """The column of this step: the weights that h[k] meets, or the rows as all of them vote."""
    if line == "return":
        equal = own(given.problem.labelled / given.known)
        return [Column("the vote", equal, s.wrong)]
    if line == "init":
        return [Column(hypothesis(given, s.round), s.weights)]
    voted = line == "z" or s.z[-1:] == (np.inf,)
    if voted:  # it stands among the earlier ones
        return []
    answered = None if line in ("loop", "learn") else s.wrong
    return [Column(hypothesis(given, s.round - 1, s.learner), s.weights, answered)]


def hypothesis(given: Setting, k: int, learner: Learner | None = None) -> str:
    """The name of h[k], counted from 0, with its test where it has one."""
    name = f"h{subscript(k + 1)}"
    return name if learner is None else f"{name} {cut(learner.text(given.problem.features), 18)}"


def backwards(given: Setting, s: State, weights: Float) -> Iterator[Column]:
    """The rounds that have a vote, the last first, each with the weights that it learnt from.

    weights: (n,) after the last of them
    """
    for k in reversed(range(len(s.z))):
        wrong = given.errs(s.learners[k].predict(given.problem.X))
        weights = undone(weights, wrong, s.z[k])
        yield Column(hypothesis(given, k, s.learners[k]), weights, wrong, s.z[k])


def undone(weights: Float, wrong: Bool, z: float) -> Float:
    """(n,) the weights before a round that multiplied those of the right rows by e^−z."""
    if np.isinf(z):
        return weights
    before = np.where(wrong, weights, weights * np.exp(z))
    return np.asarray(before / before.sum())


def weight_plot(given: Setting, s: State, line: str) -> tuple[Plot, ...]:
    """The picture of the rounds; () for more rows than can be told apart."""
    if given.problem.n > MOST:
        return ()
    columns = weight_columns(given, s, line)
    hanging = votes(columns)
    layers: list[Layer] = [*(stack(given, k, column) for k, column in enumerate(columns)), hanging]
    here = len(columns) - 1
    rows = spoken_of(given, s, line)
    if rows.any():
        layers.append(amber_boxes(here, columns[here], rows))
    if line == "z":
        newest = frozen(hanging.bounds[-1:])
        layers.append(Boxes(newest, np.array([NO_GROUP]), Role.ACTIVE, tag="z"))
    if line == "reweight":
        layers.append(whole_box(here))
    said = heading(given, s, line)
    plot = Plot(
        f"Weights by round: {said}" if said else "Weights by round",
        "learner",
        "weight of the examples",
        tuple(layers),
        x_range=(-0.5, max(3, len(columns)) - 0.5 + BESIDE),
        y_range=(VOTES[1] - 0.02, 1.02),
        x_ticks=tuple((float(k), column.name) for k, column in enumerate(columns)),
        y_ticks=((0.0, "0"), (0.5, "0.5"), (1.0, "1"), (add_up(VOTES) / 2, "votes")),
        beside=not given.problem.plane,
    )
    return (plot,)


def heading(given: Setting, s: State, line: str) -> str:
    """What happens at a line, in a few words and with its number; "" for others."""
    h = f"h{subscript(s.round)}"
    n = given.known
    if line == "init":
        return f"each starts with 1/{n}"
    if line == "loop":
        return f"round {s.round} of {given.p.rounds}"
    if line == "learn":
        return f"{h} is learnt"
    if line == "error":
        return f"error of {h} is {fixed(s.error)}"
    if line == "stop":
        return f"the end, {h} errs nowhere" if not s.error else f"the end, {h} errs on half"
    if line == "reweight":
        return f"right ones times {fixed(s.error / (1 - s.error))}"
    if line == "normalise":
        return f"divided by their sum {fixed(2 * s.error)}"
    if line == "z":
        return f"{h} gets the vote {fixed(s.z[-1])}"
    if line == "return":
        return f"vote of {len(s.z)}, {int(s.wrong.sum())} of {n} wrong"
    return ""


def spoken_of(given: Setting, s: State, line: str) -> Bool:
    """(n,) the rows that a line is about: those that h[k] or the vote gets wrong, or the right ones
    while their weights change.
    """
    if line == "reweight":
        return np.asarray(~s.wrong & given.problem.labelled)
    return s.wrong if line in JUDGING else given.none_wrong


def amber_boxes(k: int, column: Column, of: Bool) -> Layer:
    """Amber frames round the boxes of the rows `of` (n,) that the step is about."""
    rows = np.flatnonzero(of & (column.weights > 0))
    none = np.full(len(rows), NO_GROUP)
    return Boxes(frozen(box_bounds(k, column)[rows]), frozen(none), Role.ACTIVE, tag="spoken of")


def whole_box(k: int) -> Layer:
    """A pale frame as high as column k was before it lost weight."""
    bounds = frozen([[k - HALF, 0.0, k + HALF, 1.0]])
    return Boxes(bounds, np.array([NO_GROUP]), Role.GHOST, tag="before")


def box_bounds(k: int, column: Column) -> Float:
    """(n, 4) the boxes of column k, one on the other, the first row on top."""
    w = column.weights
    top = w.sum() - w.cumsum() + w
    left, right = np.full(len(w), k - HALF), np.full(len(w), k + HALF)
    return np.column_stack([left, top - w, right, top])


def stack(given: Setting, k: int, column: Column) -> Layer:
    """The boxes of a column with the numbers of their rows."""
    bounds = box_bounds(k, column)
    texts = tuple(row_text(j, column.wrong, column.weights[j]) for j in range(given.problem.n))
    tags = tuple(given.problem.tags_of(range(given.problem.n)))
    return Boxes(
        frozen(bounds), given.problem.codes, Role.PLAIN, label=texts, tag="weights", tags=tags
    )


def row_text(j: int, wrong: Bool | None, height: float) -> str:
    """The number of row j with ✓ or ✗, if the hypothesis has answered; in a low box ✗ alone."""
    if height < LETTERED:
        return "✗" if wrong is not None and wrong[j] and height >= MARKED else ""
    mark = "" if wrong is None else " ✗" if wrong[j] else " ✓"
    return f"{j + 1}{mark}"


def votes(columns: Sequence[Column]) -> Boxes:
    """The votes as bars that hang below the columns."""
    z = np.array([column.z for column in columns])
    finite = z[np.isfinite(z)]
    height = np.where(np.isinf(z), finite.max(initial=1.0), np.nan_to_num(z))
    high, low = VOTES
    reach = (low - high) * height / max(height.max(initial=0.0), 1e-9)
    here = np.flatnonzero(~np.isnan(z))
    bounds = np.column_stack([here - HALF, high + reach[here], here + HALF, 0.0 * here + high])
    texts = tuple("∞" if np.isinf(z[k]) else f"z = {z[k]:.2f}" for k in here)
    groups = np.full(len(here), NO_GROUP)
    return Boxes(frozen(bounds), frozen(groups), Role.PLAIN, label=texts, tag="z")
