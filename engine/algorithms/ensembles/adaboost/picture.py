"""The vote, the learner of this round, the weights as sizes."""

from engine.algorithms.ensembles.adaboost import State, majority, votes
from engine.algorithms.ensembles.adaboost.setting import Setting
from engine.authoring import Float, Grid, Int, Step, frozen, np
from engine.core.scene import Figure, Scene, data_points
from engine.algorithms.ensembles.adaboost.stumps import Stump
from engine.algorithms.ensembles.adaboost.stumps import Tree


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """Vote for the first of two classes less the vote for the other, from −1 to 1."""
    problem = given.problem
    two = len(problem.classes) == 2
    return majority.grid_score(problem, s.learners, s.z, grid) if two else np.full(grid.shape, np.nan)


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    problem = given.problem
    if len(problem.classes) == 2:
        score = score_surface(given, s, grid)
        return np.where(np.isnan(score), -1.0, score < 0)
    return np.asarray(majority.winners(majority.grid_votes(problem, s.learners, s.z, grid)), np.float64)


FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    """Sizes are weights. While h[k] is learnt and judged the fill is what h[k] says, then what the vote says."""
    problem, s = given.problem, step.state
    told = majority.row_votes(problem, s.learners, s.z, problem.X)
    says = s.learner.predict(problem.X) if s.learner is not None else None
    figures = scene_figures(given, step, told, says)
    if not problem.plane:
        return Scene((), figures)
    shown = says if step.line in ("learn", "error", "reweight", "normalise") else None
    earlier = s.learners[: len(s.learners) - 1] if step.line in ("z", "stop") else s.learners
    layers = votes.ensemble_layers(problem, earlier, s.learner, s.candidates)
    said, sizes = majority.winners(told) if shown is None else shown, frozen(s.weights * problem.n)
    points = data_points(problem, said, sizes, partial=shown is not None)
    return Scene((*layers, points), figures)


def scene_figures(given: Setting, step: Step[State], told: Float, says: Int | None) -> tuple[Figure, ...]:
    problem, s = given.problem, step.state
    first = s.learner.tests[0] if isinstance(s.learner, Tree) else s.learner
    column, wrong = first.column if isinstance(first, Stump) else -1, s.wrong if s.wrong.any() else None
    tree = (votes.weak_tree(problem, s.learner, s.round),) if isinstance(s.learner, Tree) else ()
    figures: list[Figure] = [*tree, votes.weighted_table(problem, s.weights, s.copies, says, wrong, column)]
    if len(s.z):
        figures.insert(0, votes.vote_bars(problem, s.learners, s.z, step.line in ("z", "stop")))
        figures.append(votes.margin_plot(told[:, problem.labelled], problem.codes[problem.labelled]))
    return tuple(figures)
