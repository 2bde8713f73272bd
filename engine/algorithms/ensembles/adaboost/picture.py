"""The vote, the learner of this round, the weights as sizes."""

from engine.algorithms.ensembles.adaboost import Setting, State
from engine.algorithms.ensembles.parts.pictures import (
    learner_layers,
    learner_tag,
    margin_plot,
    tree_diagram,
    vote_bars,
)
from engine.algorithms.ensembles.parts.votes import grid_votes, row_votes, shares, winners
from engine.authoring import Float, Grid, Int, Step, frozen, np
from engine.core.borders import Cuts, cuts_of
from engine.core.dataset import Feature, Kind
from engine.core.scene import (
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
from engine.core.tags import joined
from engine.algorithms.ensembles.parts.stumps import Stump, Tree

PALE = 6  # earlier stumps that do not hide the points


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    return winners(grid_votes(given.problem, s.learners, s.z, grid)).astype(np.float64)


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """Vote for the first of two classes less the vote for the other, from −1 to 1."""
    if len(given.problem.classes) != 2:
        return np.full(grid.shape, np.nan)
    return shares(grid_votes(given.problem, s.learners, s.z, grid))


FIELDS = {"class": class_surface, "score": score_surface}


def label_borders(given: Setting, s: State) -> Cuts | None:
    learners = [learner for learner in s.learners if isinstance(learner, Stump | Tree)]
    if len(learners) < len(s.learners):
        return None
    stumps = [
        stump
        for learner in learners
        for stump in (learner.tests if isinstance(learner, Tree) else (learner,))
    ]
    return cuts_of((stump.column, stump.value) for stump in stumps if stump.test == "threshold")


def scene(given: Setting, step: Step[State]) -> Scene:
    """Sizes are weights.

    While h[k] is learnt and judged the fill is what h[k] says, then what the vote says.
    """
    problem = given.problem
    s = step.state
    voted = step.line in ("z", "stop")
    votes = row_votes(problem, s.learners, s.z, problem.X)
    says = s.learner.predict(problem.X) if s.learner is not None else None
    figures: list[Figure] = (
        [tree_diagram(problem, s.learner, s.round)] if isinstance(s.learner, Tree) else []
    )
    figures.append(weighted_table(given, s, says))
    if len(s.z):
        known = problem.labelled
        figures = [
            vote_bars(problem, s.learners, s.z, voted),
            *figures,
            margin_plot(votes[:, known], problem.codes[known]),
        ]
    if not problem.plane:
        return Scene((), tuple(figures))
    shown = says if step.line in ("learn", "error", "reweight", "normalise") else None
    said = winners(votes) if shown is None else shown
    sizes = frozen(s.weights * problem.n)
    points = data_points(problem, said, sizes, partial=shown is not None)
    return Scene((*layers(given, s, len(s.z) - voted), points), tuple(figures))


def layers(given: Setting, s: State, earlier: int) -> list[Layer]:
    """The vote as shading with its boundary, the last few different cuts of the earlier learners
    pale, the candidates, and the learner of this moment lit.
    """
    problem = given.problem
    cuts = dict[tuple[int, float], tuple[Stump, list[str]]]()
    for k in range(earlier - 1, max(-1, earlier - 1 - 4 * PALE), -1):
        h = s.learners[k]
        if isinstance(h, Stump) and (len(cuts) < PALE or (h.column, h.value) in cuts):
            cuts.setdefault((h.column, h.value), (h, ["earlier"]))[1].append(learner_tag(k))
    chosen = s.learner.tests[0] if isinstance(s.learner, Tree) else s.learner
    rivals = [
        (c.stump, Role.CANDIDATE, problem.column_tags[c.stump.column])
        for c in s.candidates
        if c.stump != chosen
    ]
    lit = (
        []
        if s.learner is None
        else [(s.learner, Role.ACTIVE, joined("learner", learner_tag(s.round)))]
    )
    drawn = [*((h, Role.INACTIVE, joined(*tags)) for h, tags in cuts.values()), *rivals, *lit]
    field = Field("score" if len(problem.classes) == 2 else "class", boundary=True)
    return [
        field,
        *(layer for h, role, tag in drawn for layer in learner_layers(problem, h, role, tag)),
    ]


def weighted_table(given: Setting, s: State, says: Int | None) -> Table:
    """The examples with their weights, and what this round says of them; its mistakes in amber, the
    tested column lit.
    """
    problem = given.problem
    first = s.learner.tests[0] if isinstance(s.learner, Tree) else s.learner
    column = first.column if isinstance(first, Stump) else -1
    roles = {problem.features[column].name: Role.ACTIVE} if column >= 0 else {}
    added = [TableColumn(Feature("weight"), s.weights, digits=4 if problem.n <= 1000 else 6)]
    if s.copies is not None:
        added.append(TableColumn(Feature("copies"), s.copies.astype(np.float64)))
    if says is not None:
        added.append(
            TableColumn(
                Feature("h says", Kind.CATEGORICAL, problem.classes), says.astype(np.float64)
            )
        )
    wrong = tuple(np.flatnonzero(s.wrong).tolist())
    return data_table(problem, lambda own: own + added, current=wrong, roles=roles, tag="data")
