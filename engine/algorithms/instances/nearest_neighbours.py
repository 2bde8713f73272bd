"""k nearest neighbours: store everything, compare only when asked. AIMA 18.8.1-18.8.2, MMDS 12.4.1-12.4.3, ML 8.2, MIT 2.1.33."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.random import Generator

from engine.algorithms.instances.parts import asked_place
from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int
from engine.core.dataset import Dataset
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.notation import number
from engine.core.params import Help, Label, Place, Range, When
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Scene
from engine.core.step import Choice, Level, Note, Pace, Step, note
from engine.data.prepare import prepare
from engine.numerics.distances import tidy
from engine.numerics.search import (
    NONE,
    Search,
    begin,
    hold,
    insert,
    next_closer,
    outside_tie,
)
from engine.numerics.stored import Stored, stored
from engine.numerics.votes import Vote
from engine.pictures import neighbour_votes as ballot
from engine.pictures import neighbour_words as words
from engine.pictures import neighbours as pictures

PSEUDOCODE = """
start: memory ← empty
store: put every (x, y) into memory
query: at a query q: best ← empty
look:   for each stored x: d ← |x − q|
keep:     if d < k-th best: keep x, y
vote: each in best votes for its y
answer: return the class with most votes
"""


@dataclass(frozen=True)
class Params:
    k: Annotated[int, Range(1, 10_000, log=True), Label("Neighbours k")] = 1
    metric: Annotated[
        Literal["minkowski", "hamming", "mahalanobis"],
        Label("Distance"),
        Help("minkowski: numbers; hamming: how many columns differ; mahalanobis: numbers, scaled by their covariance"),
    ] = "minkowski"
    p: Annotated[
        float,
        Range(1, float("inf")),
        Label("Minkowski p"),
        Help("1: sum of the differences (Manhattan), 2: straight line (Euclid), inf: largest difference"),
        When("metric", ("minkowski",)),
    ] = 2.0
    weights: Annotated[Literal["equal", "1/d", "1/d²"], Label("Weight of a vote")] = "equal"
    normalise: Annotated[
        bool,
        Label("Normalise columns"),
        Help("(x − mean) / standard deviation in each column"),
        When("metric", ("minkowski",)),
    ] = False
    disagree: Annotated[
        Literal["vote", "leave unclassified"], Label("If they disagree"), Help("what happens unless all who vote agree")
    ] = "vote"
    stretch: Annotated[
        tuple[float, ...], Label("Stretch axes"), Help("one factor for each column, 0 leaves it out; empty: all 1")
    ] = ()
    query: Annotated[
        tuple[float, ...],
        Label("Query"),
        Help("a place on the plane; empty: the probe, or the middle of the data"),
        Place(),
    ] = ()


POWERS = {"equal": 0, "1/d": 1, "1/d²": 2}
EACH_IS_A_STEP = 50  # with more examples those that are farther are details
ONE_BY_ONE = 50_000  # with more examples the farther ones between two closer ones are told together


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[Search] | None]:
    memory = memory_of(problem, p)
    vote = vote_of(problem, p, memory)
    s = begin(asked_place(problem, p.query), len(problem.classes))
    yield step("start", s, note("The memory is empty: no place can be classified yet."), Level.ROUND)
    s = replace(s, stored=True)
    if pace.step:
        yield from memory.foresee(vote, problem)
    yield step("store", s, words.store_note(memory, p.k), Level.ROUND)
    if pace.step:
        yield step("query", s, words.query_note(problem, memory, s.query))
        s = yield from scan(problem, memory, vote, s, pace)
    else:
        s = hold(memory, vote, s, memory.nearest(s.query, vote.k))
    s = replace(s, looked=-1, distance=NONE, seen=memory.n, former=NONE, dropped=-1)
    outside = outside_tie(memory, s)
    yield vote_step(problem, vote, s, outside)
    framed = outside < 0 and memory.framed(vote)
    yield step("answer", s, ballot.answer_note(problem, s, p.k, vote.power, framed), Level.ROUND)


def scan(problem: Problem, memory: Stored, vote: Vote, s: Search, pace: Pace) -> Generator_[Step[Search], None, Search]:
    """One pass over the examples in table order (AIMA 18.8.2); returns the state with the k nearest."""
    rank = tidy(memory.distances(s.query))
    held, at = np.zeros(0, np.intp), 0
    fine = Level.STEP if memory.n <= EACH_IS_A_STEP else Level.DETAIL
    while at < memory.n:
        closer = at if len(held) < vote.k else next_closer(rank, at, rank[held[-1]])
        if pace.level <= fine:
            yield from farther(problem, memory, s, rank, at, closer, fine)
        if closer == memory.n:
            break
        s, held = insert(memory, vote, s, held, rank, closer)
        yield keep_step(problem, memory, vote, s, closer - at if fine < Level.STEP else 0)
        at = closer + 1
    return s


def farther(
    problem: Problem, memory: Stored, s: Search, rank: Float, at: int, end: int, level: Level
) -> Iterator[Step[Search]]:
    """The examples at … end − 1, none of which is closer than the k-th best so far."""
    s, d = replace(s, former=NONE, dropped=-1), memory.distances(s.query)
    if memory.n > ONE_BY_ONE and end > at:
        i = at + int(rank[at:end].argmin())
        s = replace(s, looked=int(memory.rows[i]), distance=float(d[i]), seen=end)
        yield step("look", s, words.run_note(problem, memory, s, at, end), level)
        return
    rim = rank[memory.position(s.neighbours[-1])] if end > at else NONE
    for i in range(at, end):
        s = replace(s, looked=int(memory.rows[i]), distance=float(d[i]), seen=i + 1)
        tie = bool(rank[i] == rim)
        choice = words.nearer_choice(problem, s, int(s.neighbours[-1]), s.radius, tie)
        yield step("look", s, words.look_note(problem, memory, s, tie), level, ("tie",) if tie else (), choice)


def keep_step(problem: Problem, memory: Stored, vote: Vote, s: Search, skipped: int) -> Step[Search]:
    told = words.keep_note(problem, memory, s, vote.k, skipped)
    if s.dropped < 0:
        return step("keep", s, told)
    choice = words.nearer_choice(problem, s, s.dropped, s.former)
    return step("keep", s, told, events=("closer",), choice=choice)


def vote_step(problem: Problem, vote: Vote, s: Search, outside: int) -> Step[Search]:
    choice = (ballot.agreement_choice if vote.unanimous else ballot.vote_choice)(problem, s)
    tie = outside >= 0 or len(choice.winners) > 1
    told = ballot.vote_note(problem, s, vote.power, outside)
    return step("vote", s, told, Level.ROUND, ("tie",) if tie else (), choice)


def step(
    line: str,
    s: Search,
    told: Note,
    level: Level = Level.STEP,
    events: tuple[str, ...] = (),
    choice: Choice | None = None,
) -> Step[Search]:
    return Step(line, s, told, level, {"radius": s.radius} if np.isfinite(s.radius) else {}, events, choice)


def memory_of(problem: Problem, p: Params) -> Stored:
    return stored(problem, p.metric, p.p, p.normalise, p.stretch)


def vote_of(problem: Problem, p: Params, memory: Stored) -> Vote:
    return Vote(min(p.k, memory.n), len(problem.classes), POWERS[p.weights], p.disagree == "leave unclassified")


# -- the model at any step ---------------------------------------------------------------------------------------------


def predict(problem: Problem, p: Params, s: Search, X: Float) -> Int:
    """Class indices, −1 before anything is stored, where neighbours must agree and do not, where a number is missing."""
    if not s.stored:
        return np.full(len(X), -1)
    memory = memory_of(problem, p)
    return memory.labels(vote_of(problem, p, memory), X)


def class_surface(problem: Problem, p: Params, s: Search, grid: Grid) -> Any:
    if not s.stored:
        return np.full(grid.shape, -1.0)
    memory = memory_of(problem, p)
    return memory.class_surface(vote_of(problem, p, memory), problem, grid)


def share_surface(problem: Problem, p: Params, s: Search, grid: Grid) -> Any:
    """Votes for the first class minus all others, as a share of all votes."""
    if not s.stored:
        return np.full(grid.shape, np.nan)
    memory = memory_of(problem, p)
    return memory.share_surface(vote_of(problem, p, memory), problem, grid)


def explain(problem: Problem, p: Params, s: Search, x: Float) -> Explanation:
    if not s.stored:
        return Explanation(-1, note("Nothing is stored yet, so no place has a class."))
    memory = memory_of(problem, p)
    vote = vote_of(problem, p, memory)
    if not memory.comparable(x[None])[0]:
        return Explanation(-1, note("A number of this row is missing, so its distances are unknown."))
    near = hold(memory, vote, replace(s, query=x, looked=-1), memory.nearest(x, vote.k))
    shown = memory.trained(vote, problem)
    layers = pictures.probe_layers(problem, memory, vote, near, shown) if problem.plane else []
    told = ballot.explain_note(problem, near, vote.power, outside_tie(memory, near))
    return Explanation(near.label, told, pictures.vote_bars(problem, near), tuple(layers))


# -- the picture -------------------------------------------------------------------------------------------------------


def scene(problem: Problem, p: Params, step: Step[Search]) -> Scene:
    memory = memory_of(problem, p)
    return pictures.search_scene(problem, memory, vote_of(problem, p, memory), step.state, step.line)


METRICS = {1.0: "Manhattan", 2.0: "Euclidean", float("inf"): "largest difference"}


def chips(p: Params) -> tuple[str, ...]:
    name = METRICS.get(p.p, f"Minkowski p = {number(p.p)}") if p.metric == "minkowski" else p.metric.capitalize()
    normalised = p.normalise and p.metric == "minkowski"
    said = ((f"weights {p.weights}", p.weights != "equal"), ("normalised", normalised), ("axes stretched", bool(p.stretch)),
            ("all must agree", p.disagree != "vote"))  # fmt: skip
    return (f"k = {p.k}", name, *(text for text, holds in said if holds))


def example() -> Problem:
    """Three classes; the query meets closer, farther and equally near examples."""
    x = [1.0, 2.0, 5.0, 6.0, 1.0, 2.5, 4.5, 3.0, 6.0, 4.5]
    y = [4.0, 5.0, 5.0, 4.0, 1.0, 3.5, 3.5, 0.5, 0.5, 3.5]
    shapes = [{"c": "circle", "s": "square", "t": "triangle"}[letter] for letter in "ccsstcsttt"]
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "shape": shapes}, "shape"), query=(3.5, 3.0))


ALGORITHM = former(
    key="nearest_neighbours",
    title="Nearest neighbours",
    family="instances",
    task=Task.CLASSIFY,
    source=(
        "AIMA 18.8.1",
        "AIMA 18.8.2",
        "MMDS 12.4.1",
        "MMDS 12.4.2",
        "ML 8.2",
        "ML 8.2.1",
        "MIT 2.1.33",
        "LS, Nearest neighbor models",
    ),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predict,
    fields={"class": class_surface, "score": share_surface},
    by_known=True,
    explain=explain,
    example=example,
    curves=(Curve("radius", "distance of the k-th best"),),
    events=("closer", "tie"),
    errata=(
        "MMDS 12.4.2 speaks of O(n log n) lines in the diagram. It has O(n) edges; O(n log n) is the time to find them.",
        "AIMA 18.8.1 takes an odd k to avoid ties. That helps only with two classes and equal weights; equal distances remain.",
        "ML 8.2.1 says weighting by distance removes isolated noise. With 1/d² the noisy point outweighs all at its own place.",
        "ML 8.2.1 sees no harm in letting all examples vote. With 1/d² and two or more columns the many far ones together can "
        "outweigh the near ones, without bound; weights that fall as fast as a Gaussian do no harm.",
    ),
    chips=chips,
    needs=Needs(),
    summary="Stores all examples. A new place gets the class that most of its k nearest examples have. "
    "Small k follows every point, large k smooths; the distance decides who is near.",
)
