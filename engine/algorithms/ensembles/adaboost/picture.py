"""The vote, the learner of this round, the weights as sizes."""

from engine.algorithms.ensembles.adaboost import Setting, State
from engine.algorithms.ensembles.adaboost.weight_stacks import heading, spoken_of, weight_plot
from engine.algorithms.ensembles.parts.pictures import (
    learner_layers,
    learner_tag,
    margin_plot,
    tree_diagram,
    vote_bars,
)
from engine.algorithms.ensembles.parts.stumps import Stump, Tree
from engine.algorithms.ensembles.parts.votes import grid_votes, row_votes, shares, winners
from engine.authoring import Float, Grid, Int, Step, frozen, np
from engine.base.tags import joined
from engine.protocol.borders import Cuts, cuts_of
from engine.scene.scene import (
    Field,
    Figure,
    Layer,
    Role,
    Scene,
    Table,
    TableColumn,
    data_points,
    data_table,
)
from engine.scene.views import PREDICTED
from engine.table.dataset import Feature, Kind

RESULT = "the vote"  # column of the table
VOTING = ("z", "stop")  # lines after which h[k] has a vote
PALE = 6  # earlier stumps that do not hide the points


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the class with most votes, −1 without a vote."""
    return winners(grid_votes(given.problem, s.learners, s.z, grid)).astype(np.float64)


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) vote for the first of two classes less the vote for the other, from −1 to 1; NaN for
    more classes.
    """
    if len(given.problem.classes) != 2:
        return np.full(grid.shape, np.nan)
    return shares(grid_votes(given.problem, s.learners, s.z, grid))


FIELDS = {"class": class_surface, "score": score_surface}


def label_borders(given: Setting, s: State) -> Cuts | None:
    """The thresholds of all learners by column, where the label can change; None where a learner is
    a line.
    """
    stumps = list[Stump]()
    for learner in s.learners:
        if isinstance(learner, Stump):
            stumps.append(learner)
        elif isinstance(learner, Tree):
            stumps += learner.tests
        else:
            return None
    return cuts_of((stump.column, stump.value) for stump in stumps if stump.test == "threshold")


def scene(given: Setting, step: Step[State]) -> Scene:
    """The scene of a step: point sizes are weights; the fill is the class that h[k] gives while it
    is learnt, then that of the vote.
    """
    problem = given.problem
    s = step.state
    voted = step.line in VOTING
    votes = row_votes(problem, s.learners, s.z, problem.X)
    says = None if s.learner is None else s.learner.predict(problem.X)
    own = figures_of(given, s, step.line, says, votes)
    figures = (*own, *weight_plot(given, s, step.line))
    if not problem.plane:
        return Scene((), figures)
    sizes = frozen(s.weights * problem.n)
    if says is not None and step.line in ("learn", "error", "reweight", "normalise"):
        points = data_points(problem, says, sizes, partial=True)
    else:
        points = data_points(problem, winners(votes), sizes)
    earlier = len(s.z) - voted
    said = heading(given, s, step.line)
    title = f"{PREDICTED}: {said}" if said else ""
    return Scene((*layers(given, s, earlier), points), figures, plane=title)


def figures_of(
    given: Setting, s: State, line: str, says: Int | None, votes: Float
) -> tuple[Figure, ...]:
    """The figures: votes, tree of this round, examples, margins.

    says: (n,) the answers of h[k]; votes: (k, n) for each class
    """
    problem = given.problem
    figures: list[Figure] = [weighted_table(given, s, line, says, votes)]
    if isinstance(s.learner, Tree):
        figures.insert(0, tree_diagram(problem, s.learner, s.round))
    if s.z:
        known = problem.labelled
        figures.insert(0, vote_bars(problem, s.learners, s.z, line in VOTING))
        figures.append(margin_plot(votes[:, known], problem.codes[known]))
    return tuple(figures)


def layers(given: Setting, s: State, earlier: int) -> list[Layer]:
    """The layers of the plane: the vote as shading with its boundary, the last few different cuts
    of earlier learners pale, the candidates, and this step's learner highlighted.
    """
    problem = given.problem
    layers = list[Layer]()
    for stump, tags in earlier_cuts(s, earlier):
        layers += learner_layers(problem, stump, Role.INACTIVE, joined("earlier", *tags))
    chosen = s.learner.tests[0] if isinstance(s.learner, Tree) else s.learner
    for candidate in s.candidates:
        if candidate.stump != chosen:
            tag = problem.column_tags[candidate.stump.column]
            layers += learner_layers(problem, candidate.stump, Role.CANDIDATE, tag)
    if s.learner is not None:
        tag = joined("learner", learner_tag(s.round))
        layers += learner_layers(problem, s.learner, Role.ACTIVE, tag)
    field = Field("score" if len(problem.classes) == 2 else "class", boundary=True)
    return [field, *layers]


def earlier_cuts(s: State, earlier: int) -> list[tuple[Stump, list[str]]]:
    """(a stump, the tags of the learners that cut there) of the last few different cuts.

    earlier: how many learners there are to look at, of which the last ones are
    """
    cuts = dict[tuple[int, float], tuple[Stump, list[str]]]()
    first = max(0, earlier - 4 * PALE)
    for k in reversed(range(first, earlier)):
        stump = s.learners[k]
        if not isinstance(stump, Stump):
            continue
        place = (stump.column, stump.value)
        if place not in cuts and len(cuts) < PALE:
            cuts[place] = stump, []
        if place in cuts:
            cuts[place][1].append(learner_tag(k))
    return list(cuts.values())


def weighted_table(given: Setting, s: State, line: str, says: Int | None, votes: Float) -> Table:
    """The examples with their weights and the answers of this round; in amber the rows that the
    line is about, the tested column while it is learnt. Of the result only what the vote says is in
    amber where it is wrong.

    votes: (k, n) for each class
    """
    problem = given.problem
    first = s.learner.tests[0] if isinstance(s.learner, Tree) else s.learner
    roles = {}
    if line == "learn" and isinstance(first, Stump) and first.column >= 0:
        roles = {problem.features[first.column].name: Role.ACTIVE}
    added = [TableColumn(Feature("weight"), s.weights, digits=4 if problem.n <= 1000 else 6)]
    if s.copies is not None:
        added.append(TableColumn(Feature("copies"), s.copies.astype(np.float64)))
    if says is not None:
        feature = Feature("h says", Kind.CATEGORICAL, problem.classes)
        added.append(TableColumn(feature, says.astype(np.float64)))
    cells: tuple[str, ...] = ()
    if line == "return":
        feature = Feature(RESULT, Kind.CATEGORICAL, problem.classes)
        added.append(TableColumn(feature, winners(votes).astype(np.float64)))
        cells = (RESULT,)
    current = tuple(np.flatnonzero(spoken_of(given, s, line)).tolist())

    def columns(own: list[TableColumn]) -> list[TableColumn]:
        return [*own, *added]

    return data_table(problem, columns, current=current, roles=roles, tag="data", cells=cells)
