"""Support vector machine: the widest margin by its dual, two multipliers at a time. AIMA 18.9, MMDS 12.3.1-12.3.3."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Dataset
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.notation import short
from engine.core.params import Help, Label, Range, When
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Scene
from engine.core.step import Choice, Level, Note, Pace, Step, late_note
from engine.data.prepare import prepare
from engine.numerics.kernels import Kernel, smallest_eigenvalue
from engine.numerics.linear import linear_surface, signed_classes
from engine.numerics.smo import Pair, Rows, Solver, feasible, grid_sizes, row_sizes, separable_rows, settled
from engine.pictures import margin_words as words
from engine.pictures import margins as pictures

PSEUDOCODE = """
start: α ← 0, b ← 0
while: while a pair breaks its condition
choose:   (i, j) ← the worst such pair
move:   move αᵢ, αⱼ along Σ α y = 0
clip:   clip both to [0, C]
b:   b ← midway between the margins
return: sign(Σ α y K(x, ·) + b)
"""


@dataclass(frozen=True)
class Params:
    kernel: Annotated[
        Literal["linear", "quadratic", "polynomial", "rbf"],
        Label("Kernel"),
        Help("linear: x·z. quadratic: (x·z)². polynomial: (1 + x·z)^d. rbf: exp(−γ|x − z|²), an extension."),
    ] = "linear"
    degree: Annotated[int, Range(1, 10), Label("Degree d"), When("kernel", ("polynomial",))] = 3
    gamma: Annotated[
        float, Range(1e-4, 1e4, log=True), Label("Width γ"), Help("large: narrow bells"), When("kernel", ("rbf",))
    ] = 1.0
    C: Annotated[
        float,
        Range(1e-4, float("inf"), log=True),
        Label("Cost C"),
        Help("what a point inside the margin costs; inf: none may be there (hard margin)"),
    ] = 10.0
    pair: Annotated[
        Literal["worst", "in turn"],
        Label("Pair"),
        Help("worst: the one that breaks its condition most. in turn: the next in the table. Partner: most gain."),
    ] = "worst"
    tolerance: Annotated[float, Range(1e-6, 0.1, log=True), Label("Tolerance")] = 1e-3


@dataclass(frozen=True, slots=True)
class State:
    """alpha (n,); score = Σ α y K(x, ·) + b, plus is the first class; w = Σ α y x (d,) of the linear kernel, else None.
    pair: the rows chosen, () between; before: their α before the move; moves: pairs moved so far."""

    alpha: Float
    b: float
    w: Float | None
    pair: tuple[int, ...] = ()
    before: tuple[float, ...] = ()
    moves: int = 0


ROUND = 10  # a round is at least so many pairs, else a fifth of the examples
PROOF = 20  # pairs after which, and after every doubling, a hard margin is asked whether it exists at all
LIMIT = 500_000
EIGENVALUES = 200  # examples up to which the kernel matrix is examined


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    solver = solver_of(problem, p, None)
    s = state_of(problem, p, solver)
    yield step(problem, solver, "start", s, late_note(start_note, problem, p), Level.ROUND)
    yield from pairs(problem, p, solver, s, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    solver = solver_of(problem, p, feasible(s.alpha, problem.sign, p.C))
    yield from pairs(problem, p, solver, state_of(problem, p, solver), pace)


def pairs(problem: Problem, p: Params, solver: Solver, s: State, pace: Pace) -> Iterator[Step[State]]:
    choose = solver.worst if p.pair == "worst" else solver.next_in_turn
    each, seen = max(ROUND, problem.n // 5), pace.step
    proof = PROOF if np.isinf(p.C) else LIMIT + 1
    tell = partial(step, problem, solver)
    while (pair := choose()) is not None:
        if seen:
            s = replace(s, pair=(pair.i, pair.j), before=multipliers(s.alpha, pair))
            yield choose_step(problem, p, solver, pair, s)
        if solver.endless(pair):
            s = replace(state_of(problem, p, solver), pair=(pair.i, pair.j), before=multipliers(solver.alpha, pair))
            same = kernel_of(p).same_place(problem.X[pair.i], problem.X[pair.j])
            told, how = words.same_place_note(problem, pair, same), "not separable" if same else "stopped"
            yield tell("while", s, told, Level.ROUND, (how,))
            return
        before = words.Before(solver, pair) if seen else None
        ends = solver.move(pair)
        if before is not None:
            s = replace(state_of(problem, p, solver), pair=s.pair, before=s.before)
            told = words.move_note(problem, solver, pair, before, ends)
            yield tell("clip" if pair.clipped else "move", s, told, events=("bound",) if ends else ())
            if pace.detail:
                asking = replace(s, pair=solver.asking(), before=())
                yield tell("b", asking, words.b_note(problem, solver), Level.DETAIL)
        if solver.moves % each == 0:
            s = state_of(problem, p, solver)
            yield tell("while", s, words.while_note(solver, errors(problem, solver)), Level.ROUND, ("round",))
        if solver.moves >= proof:
            proof *= 2
            if not separable(problem, p, solver):
                yield tell(
                    "while", state_of(problem, p, solver), words.grows_note(solver), Level.ROUND, ("not separable",)
                )
                return
        if solver.moves >= LIMIT:
            yield tell("while", state_of(problem, p, solver), words.tired_note(solver), Level.ROUND, ("stopped",))
            return
    told, how = words.return_note(solver, errors(problem, solver)), "stopped" if solver.blurred else "converged"
    yield tell("return", state_of(problem, p, solver), told, Level.ROUND, (how,))


def solver_of(problem: Problem, p: Params, alpha: Float | None) -> Solver:
    origin = (kernel := kernel_of(p)).origin(problem.X)
    X = np.ascontiguousarray(problem.X - origin)
    rows = Rows(lambda first, last: kernel.matrix(X[first:last], X), kernel.diagonal(X))
    return Solver(rows, problem.sign, p.C, p.tolerance, alpha, X @ origin if origin.any() else None)


def kernel_of(p: Params) -> Kernel:
    return Kernel(p.kernel, p.degree, p.gamma)


def state_of(problem: Problem, p: Params, solver: Solver) -> State:
    w = frozen(solver.beta @ (problem.X - kernel_of(p).origin(problem.X))) if p.kernel == "linear" else None
    return State(frozen(solver.alpha), solver.b, w, moves=solver.moves)


def multipliers(alpha: Float, pair: Pair) -> tuple[float, float]:
    return float(alpha[pair.i]), float(alpha[pair.j])


def errors(problem: Problem, solver: Solver) -> int:
    return int((problem.sign * solver.scores() <= 0)[problem.labelled].sum())


def start_note(problem: Problem, p: Params) -> Note:
    return words.start_note(kernel_of(p).text(), p.C, eigenvalue(problem, p))


def eigenvalue(problem: Problem, p: Params) -> float | None:
    """The smallest one of the kernel matrix: Mercer asks that it is not negative."""
    if problem.n > EIGENVALUES:
        return None
    return smallest_eigenvalue(kernel_of(p).matrix(problem.X, problem.X))


def separable(problem: Problem, p: Params, solver: Solver) -> bool:
    """Whether a plane separates the examples whose multipliers grow."""
    rows, kernel = solver.proof_rows(), kernel_of(p)
    X = problem.X[rows]
    return separable_rows(kernel.lifted(X), lambda: kernel.matrix(X, X), problem.sign[rows])


def choose_step(problem: Problem, p: Params, solver: Solver, pair: Pair, s: State) -> Step[State]:
    in_turn = p.pair == "in turn"
    choice = words.partner_choice(problem, solver, pair, solver.turn if in_turn else pair.i)
    told = words.choose_note(problem, solver, pair, in_turn)
    return step(problem, solver, "choose", s, told, events=("tie",) if len(choice.winners) > 1 else (), choice=choice)


def step(
    problem: Problem, solver: Solver, line: str, s: State, told: Note, level: Level = Level.STEP,
    events: tuple[str, ...] = (), choice: Choice | None = None,
) -> Step[State]:  # fmt: skip
    metrics = {
        "violation": solver.violation, "objective": solver.objective,
        "errors": float(errors(problem, solver)), "support": float(np.count_nonzero(solver.beta)),
    }  # fmt: skip
    return Step(line, s, told, level, metrics, events, choice)


# -- the model at any step ---------------------------------------------------------------------------------------------


def scores(problem: Problem, p: Params, s: State, X: Float) -> Float:
    """(m,) Σ α y K(x, ·) + b; 0 where only rounding keeps it from being so."""
    kernel, rows = kernel_of(p), np.flatnonzero(s.alpha)
    origin, alpha = kernel.origin(problem.X), s.alpha[rows]
    vectors, X, b = problem.X[rows] - origin, X - origin, s.b
    if s.w is None:
        score = kernel.scores(vectors, alpha * problem.sign[rows], X)
    else:
        score, b = X @ s.w, b + float(s.w @ origin)
    return settled(score + b, row_sizes(kernel, vectors, alpha, X) + b_size(s))


def b_size(s: State) -> float:
    """How large the terms of b are: it lies between demands of y − Σ α y K, and is without rounding where it is 0."""
    return 1.0 + abs(s.b) if s.b else 0.0


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """Class indices by the sign of the score; −1 exactly on the boundary."""
    return signed_classes(scores(problem, p, s, X)).astype(np.intp)


def score_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    """`scores` on the plane."""
    kernel, rows = kernel_of(p), np.flatnonzero(s.alpha)
    vectors, alpha, origin = problem.X[rows], s.alpha[rows], kernel.origin(problem.X)
    if s.w is not None:
        score = linear_surface(problem, s.w, s.b, grid)
    else:
        score = kernel.surface(problem, vectors, alpha * problem.sign[rows], grid) + s.b
    return settled(score, grid_sizes(kernel, problem, vectors - origin, alpha, grid, origin) + b_size(s))


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return signed_classes(score_surface(problem, p, s, grid))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    score = float(scores(problem, p, s, x[None])[0])
    return pictures.explain_margin(problem, kernel_of(p), s.alpha, s.b, x, score)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s = step.state
    bounded = np.flatnonzero(s.alpha == p.C)
    figures = pictures.margin_figures(problem, kernel_of(p), s.b, s.alpha, bounded, p.C, s.pair, s.before)
    if not problem.plane:
        return Scene((), figures)
    shown = predict(problem, p, s, problem.X)
    return Scene(pictures.margin_layers(problem, s.w, s.b, s.alpha, bounded, shown, s.pair), figures)


def chips(p: Params) -> tuple[str, ...]:
    kernel = f"rbf, γ = {short(p.gamma)}" if p.kernel == "rbf" else f"K = {kernel_of(p).text()}"
    return (kernel, "hard margin" if np.isinf(p.C) else f"◎ α = C = {short(p.C)}")


def example() -> Problem:
    """Two classes that overlap a little: some multipliers stay free, others end at C."""
    x = [1.0, 1.5, 2.0, 2.5, 3.0, 3.6, 2.2, 4.0, 4.5, 5.0, 3.4, 5.5]
    y = [1.0, 2.5, 1.2, 3.0, 2.0, 2.9, 4.1, 4.0, 2.5, 4.5, 3.1, 3.5]
    return prepare(Dataset.from_columns({"x1": x, "x2": y, "y": [-1] * 6 + [1] * 6}, "y"))


ALGORITHM = former(
    key="svm",
    title="Support vector machine",
    family="margins",
    task=Task.CLASSIFY,
    source=("AIMA 18.9", "MMDS 12.3.1", "MMDS 12.3.2", "MMDS 12.3.3"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    scene=scene,
    predict=predict,
    scores=scores,
    fields={"class": class_surface, "score": score_surface},
    explain=explain,
    needs=Needs(min_classes=2, max_classes=2, numeric=True, max_rows=50_000),
    example=example,
    curves=(
        Curve("violation", "largest violation", log=True),
        Curve("objective", "dual objective"),
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("support", "support vectors", of_n=True, digits=0),
    ),
    events=("bound", "round", "tie", "converged", "not separable", "stopped"),
    errata=(
        "AIMA 18.9 prints w = Σ α x. It is w = Σ α y x; without y the boundary of the margin set runs through a support "
        "vector.",
        "AIMA 18.9 adds b in w·x + b and subtracts it in Eq 18.14. Here it is added in both; with mixed signs all eight "
        "points of the margin set are called positive.",
        "AIMA 18.9 calls the dual convex. It is concave, and it is maximised: hence one optimum.",
        "AIMA 18.9 asks for a positive definite kernel matrix. Semidefinite is enough: eigenvalues may be 0.",
        "AIMA 18.9 says the space of the polynomial kernel grows exponentially with d. It has C(n + d, d) dimensions.",
        "MMDS 12.3.1 expects d + 1 support vectors in most cases. It is 2 to d + 1, and 2 are common for distant classes.",
        "No source gives a solver, the letter C in the dual or the rbf kernel: pairs of multipliers and rbf are extensions.",
    ),
    chips=chips,
    summary="Finds the boundary that keeps as far as possible from both classes. Only the examples on its margin or beyond, "
    "the support vectors, have a say. A kernel bends the boundary: it is a plane in a space of more dimensions.",
)
