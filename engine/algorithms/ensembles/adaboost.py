"""AdaBoost: a weighted majority of weak learners, each taught on the earlier ones' mistakes. AIMA 18.10, Fig 18.34."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Bool, Float, Int, Prefix, frozen
from engine.core.dataset import Dataset
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.params import Help, Label, Range, When
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Figure, Scene, data_points
from engine.core.step import Level, Note, Pace, Step, late_choice, late_note
from engine.core.work import Work
from engine.data.prepare import prepare
from engine.numerics import weighted_majority as majority
from engine.numerics.stumps import Stump
from engine.numerics.weak_learners import Candidate, Learner, Tree, WeakLearner, replicated, weak_learner
from engine.numerics.weighted_majority import Majority, boosted
from engine.pictures import boosting as words
from engine.pictures import ensembles as pictures

CANDIDATES = 40  # columns whose best stumps are listed
LEARNERS = "stump: one test. tree: a few tests. line: weighted least squares, for numbers only."
EDGE = 1e-9  # an error this near to ½ is ½ up to rounding

PSEUDOCODE = """
init: w[j] ← 1/N for every example
loop: for k = 1 to K
learn:   h[k] ← L(examples, w)
error:   error ← Σ w[j] where h[k] errs
stop:   if error = 0 or error ≥ ½: stop
reweight:   right: w[j] ·= error/(1 − error)
normalise:   w ← w / Σ w
z:   z[k] ← log[(1 − error)/error]
return: majority of h, weighted by z
"""


@dataclass(frozen=True)
class Params:
    rounds: Annotated[int, Range(1, 10_000, log=True), Label("Rounds K")] = 40
    learner: Annotated[Literal["stump", "tree", "line"], Label("Weak learner L"), Help(LEARNERS)] = "stump"
    depth: Annotated[int, Range(1, 6), Label("Depth of a tree"), When("learner", ("tree",))] = 2
    criterion: Annotated[
        Literal["error", "gain", "gini"],
        Label("Best test"),
        Help("error: least weighted error. gain: most information gain. gini: least impurity (extension)."),
        When("learner", ("stump", "tree")),
    ] = "error"
    multiway: Annotated[bool, Label("Multi-way tests"), Help("off: A = v"), When("learner", ("stump", "tree"))] = True
    copies: Annotated[
        Literal["weights", "replicated"],
        Label("Examples"),
        Help("weights: L takes weights. replicated: L gets M copies, w · M of each, the fraction left over by chance."),
    ] = "weights"
    size: Annotated[
        int, Range(1, 100), Label("Copies, × N"), Help("size of the copied set"), When("copies", ("replicated",))
    ] = 1


@dataclass(frozen=True, slots=True)
class State:
    """learners, z: hypotheses with a vote so far; weights (n,); round from 1, 0 before.
    errors: rows that the vote gets wrong; bound: of them, at most this many. This round's: wrong (n,) mask (of the result:
    by the vote), learner h[k], its weighted error (NaN before it is known), copies (n,) it was shown, candidates."""

    learners: Prefix[Learner]
    z: Prefix[float]
    weights: Float
    errors: int
    bound: float
    wrong: Bool
    round: int = 0
    learner: Learner | None = None
    error: float = float("nan")
    copies: Int | None = None
    candidates: tuple[Candidate, ...] = ()


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    _, s = rebuilt(problem, (), ())
    yield step("init", s, words.init_note(int(problem.labelled.sum())), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    vote, s = rebuilt(problem, s.learners, s.z)
    L, nobody = teacher(problem, p), s.wrong
    while s.round < p.rounds and not np.isinf(s.z[-1:]).any():
        s = replace(s, round=s.round + 1, learner=None, error=float("nan"), wrong=nobody)
        if pace.detail:
            yield step("loop", s, words.loop_note(s.round, p.rounds), Level.DETAIL)
        s, h = yield from learnt(problem, p, L, s, rng)
        if pace.step:
            yield (yield from learn_step(problem, p, L, s, h))
        says = L.says(h)
        s = judged(problem, s, says)
        if pace.step:
            yield step("error", s, late_note(words.error_note, problem, s))
        if s.error == 0 or s.error >= 0.5 - EDGE:
            s = voted(s, h, says, vote, s.weights) if s.error == 0 else s
            yield stop_step(problem, s, h)
            break
        before, w = s, np.where(s.wrong, s.weights, s.weights * (s.error / (1 - s.error)))
        if pace.step:
            s = replace(s, weights=frozen(w))
            yield step("reweight", s, late_note(words.reweight_note, problem, before.weights, s))
        w = frozen(w / w.sum())
        if pace.step:
            s = replace(s, weights=w)
            yield step("normalise", s, late_note(words.normalise_note, problem, s))
        s = voted(s, h, says, vote, w)
        yield round_step(problem, s, h, before.errors)
    if pace.step:
        s = replace(s, learner=None, wrong=frozen(vote.mistakes()))
        yield step("return", s, words.return_note(problem, s.z, s.errors, vote.ties()))


def rebuilt(problem: Problem, learners: Iterable[Learner], z: Iterable[float]) -> tuple[Majority, State]:
    """The state that these learners leave on the problem's examples; without learners, the start."""
    vote, weights, bound = boosted(problem, learners, z)
    nobody = frozen(np.zeros(problem.n, dtype=bool))
    return vote, State(
        vote.learners.prefix(), vote.z.prefix(), weights, vote.errors(), bound, nobody, len(vote.z.items)
    )


def learnt(problem: Problem, p: Params, L: WeakLearner, s: State, rng: Generator) -> Work[tuple[State, Learner]]:
    """h[k] ← L(examples, w), from the weights or from copies in their proportion."""
    copies = replicated(s.weights, p.size * int(problem.labelled.sum()), rng) if p.copies == "replicated" else None
    h = yield from L.learn(given(s.weights, copies))
    return replace(s, copies=copies, learner=h), h


def given(weights: Float, copies: Int | None) -> Float:
    """What L is given; it sums to 1."""
    return weights if copies is None else np.asarray(copies / copies.sum(), np.float64)


def judged(problem: Problem, s: State, says: Int) -> State:
    """error ← total weight of the mistakes of h[k], which says `says` (n,)."""
    wrong = (says != problem.codes) & problem.labelled
    error = float(s.weights @ wrong) or float(np.finfo(float).tiny * wrong.any())
    return replace(s, wrong=frozen(wrong), error=error)


def voted(s: State, h: Learner, says: Int, vote: Majority, w: Float) -> State:
    """z[k] ← log[(1 − error)/error]: the figure prints it without the bracket. Error 0 has all the vote."""
    vote.add(h, says, float(np.log((1 - s.error) / s.error)) if s.error else float("inf"))
    bound = s.bound * 2 * float(np.sqrt(s.error * (1 - s.error)))
    return replace(s, weights=w, learners=vote.learners.prefix(), z=vote.z.prefix(), errors=vote.errors(), bound=bound)


def teacher(problem: Problem, p: Params) -> WeakLearner:
    """L for this problem. Unlabelled rows weigh 0, so the class they are given does not matter."""
    return weak_learner(
        p.learner, problem.X, np.maximum(problem.codes, 0), problem.features, len(problem.classes),
        depth=p.depth, multiway=p.multiway, criterion=p.criterion,
    )  # fmt: skip


# -- steps with their words --------------------------------------------------------------------------------------------


def step(line: str, s: State, said: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()) -> Step[State]:
    metrics = {"errors": float(s.errors), "bound": min(s.bound, float(len(s.weights)))}
    if not np.isnan(s.error):
        metrics["error"] = s.error
    return Step(line, s, said, level, metrics, events)


def learn_step(problem: Problem, p: Params, L: WeakLearner, s: State, h: Learner) -> Work[Step[State]]:
    """The learner, and the stumps that were in the race."""
    candidates, tied = yield from L.candidates(given(s.weights, s.copies), CANDIDATES)
    copied = None if s.copies is None else (int(s.copies.sum()), p.size * int(problem.labelled.sum()))
    leaves = words.leaf_ties(problem, h, given(s.weights, s.copies))
    said = late_note(words.learn_note, problem, s.round, h, candidates, tied, copied, leaves)
    made = step("learn", replace(s, candidates=candidates), said, events=("tie",) if len(tied) > 1 or leaves else ())
    choice = problem, p.criterion, candidates, tied, p.learner == "tree"
    return replace(made, choice=late_choice(words.learn_choice, *choice)) if candidates else made


def round_step(problem: Problem, s: State, h: Learner, errors_before: int) -> Step[State]:
    said = late_note(words.vote_note, problem, s, h, s.z[-1], s.errors, s.bound)
    events = ("round", "clean") if s.errors == 0 and errors_before else ("round",)
    return step("z", s, said, Level.ROUND, events)


def stop_step(problem: Problem, s: State, h: Learner) -> Step[State]:
    """Error 0: that learner has all the vote. Error ≥ ½: its vote would count nothing, or against it."""
    if s.error == 0:
        return step("stop", s, words.perfect_note(s.round, h, problem), Level.ROUND, ("round", "perfect"))
    return step("stop", s, words.no_edge_note(problem, s.round, s.error), Level.ROUND, ("no edge",))


# -- looking at a model ------------------------------------------------------------------------------------------------


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """Weighted majority of the learners so far, −1 before the first; equal votes go to the first class in order."""
    return majority.winners(majority.row_votes(problem, s.learners, s.z, X))


def score_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    """Vote for the first of two classes less the vote for the other, from −1 to 1."""
    two = len(problem.classes) == 2
    return majority.grid_score(problem, s.learners, s.z, grid) if two else np.full(grid.shape, np.nan)


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    if len(problem.classes) == 2:
        score = score_surface(problem, p, s, grid)
        return np.where(np.isnan(score), -1.0, score < 0)
    return np.asarray(majority.winners(majority.grid_votes(problem, s.learners, s.z, grid)), np.float64)


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    return pictures.vote_explanation(problem, s.learners, s.z, x)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    """Sizes are weights. While h[k] is learnt and judged the fill is what h[k] says, then what the vote says."""
    s = step.state
    votes = majority.row_votes(problem, s.learners, s.z, problem.X)
    says = s.learner.predict(problem.X) if s.learner is not None else None
    figures = scene_figures(problem, p, step, votes, says)
    if not problem.plane:
        return Scene((), figures)
    shown = says if step.line in ("learn", "error", "reweight", "normalise") else None
    earlier = s.learners[: len(s.learners) - 1] if step.line in ("z", "stop") else s.learners
    layers = pictures.ensemble_layers(problem, earlier, s.learner, s.candidates)
    said, sizes = majority.winners(votes) if shown is None else shown, frozen(s.weights * problem.n)
    points = data_points(problem, said, sizes, partial=shown is not None)
    return Scene((*layers, points), figures)


def scene_figures(problem: Problem, p: Params, step: Step[State], votes: Float, says: Int | None) -> tuple[Figure, ...]:
    s = step.state
    first = s.learner.tests[0] if isinstance(s.learner, Tree) else s.learner
    column, wrong = first.column if isinstance(first, Stump) else -1, s.wrong if s.wrong.any() else None
    tree = (pictures.weak_tree(problem, s.learner, s.round),) if isinstance(s.learner, Tree) else ()
    figures: list[Figure] = [*tree, pictures.weighted_table(problem, s.weights, s.copies, says, wrong, column)]
    if len(s.z):
        figures.insert(0, pictures.vote_bars(problem, s.learners, s.z, step.line in ("z", "stop")))
        figures.append(pictures.margin_plot(votes[:, problem.labelled], problem.codes[problem.labelled]))
    return tuple(figures)


def chips(p: Params) -> tuple[str, ...]:
    kind = {"stump": "stumps", "tree": f"trees of depth {p.depth}", "line": "lines"}[p.learner]
    return (kind, *(("copies",) if p.copies == "replicated" else ()))


def example() -> Problem:
    """Two places with three of one class and one of the other: after one round no stump has an edge."""
    X = [[1.0, 1.0]] * 4 + [[2.0, 2.0]] * 4
    return prepare(Dataset.from_arrays(X, ["Yes", "Yes", "Yes", "No", "No", "No", "No", "Yes"]))


ALGORITHM = former(
    key="adaboost",
    title="AdaBoost",
    family="ensembles",
    task=Task.CLASSIFY,
    source=("AIMA 18.10", "AIMA Fig 18.34"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    scene=scene,
    predict=predict,
    scores=lambda problem, p, s, X: majority.row_scores(problem, s.learners, s.z, X),
    fields={"class": class_surface, "score": score_surface},
    explain=explain,
    needs=Needs(missing=True),
    example=example,
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("bound", "bound N Π 2√(e(1 − e))", of_n=True, bound=True, digits=1),
        Curve("error", "weighted error of this round", digits=3),
    ),
    events=("round", "tie", "clean", "perfect", "no edge"),
    errata=(
        "AIMA Fig 18.34 prints z = log(1 − error)/error. With error 1/6 that is −1.09, a vote against a good learner; the "
        "bracket belongs round the fraction, z = log[(1 − error)/error] = 1.61, and that is what runs here.",
        "The figure is silent about error = 0 (z would be infinite, all weights 0) and error ≥ ½ (z would be 0 or less): "
        "here the first gets all the vote and both end the run.",
        "AIMA 18.10 promises training error 0 for enough rounds. That needs a weak learner that is right on more than half "
        "of the weight in every round, whatever the weights are.",
    ),
    chips=chips,
    summary="Teaches weak learners one after the other. Each round the examples that the last one got wrong gain weight, so the "
    "next one looks at them; in the end all vote, the better ones with more weight.",
)
