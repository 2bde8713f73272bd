"""Clusters of a table without a plane: a card for each, with its rows and how they belong to it."""

from engine.authoring import Float, Problem, Sequence
from engine.base.notation import counted, fixed, subscript
from engine.base.tags import class_tag
from engine.scene.scene import Card, CardRow, Cards, Role

MOST_CARDS, MOST_ROWS = 6, 60  # clusters side by side, and examples of all of them
MOST_VALUES = 10  # numbers of all means together that are written
FAINT = 0.005  # share from which an example is listed


def fits(problem: Problem, k: int) -> bool:
    """Whether k clusters of the examples have room as cards."""
    return k <= MOST_CARDS and problem.n <= MOST_ROWS


def cluster_cards(
    title: str,
    problem: Problem,
    means: Float,
    shares: Float,
    values: Float,
    notes: Sequence[str],
    moved: Sequence[int] = (),
) -> Cards:
    """A card for each cluster with its examples and its mean.

    means: (k, d); shares: (n, k) of each example in each cluster; values: (n, k) the number of each
    example, as a bar against the largest too; notes: (k,) of the whole cluster; moved: examples in
    amber
    """
    most = float(values[shares > FAINT].max(initial=0.0)) or 1.0
    cards = []
    for j, mean in enumerate(means):
        lines = [
            CardRow(
                (problem.names[i],),
                fixed(float(values[i, j])),
                bar=float(values[i, j]) / most,
                role=Role.ACTIVE if i in moved else Role.PLAIN,
                tag=problem.row_tags[i],
            )
            for i in range(problem.n)
            if shares[i, j] > FAINT
        ]
        if means.size <= MOST_VALUES:
            centre = "  ".join(fixed(float(value), 1) for value in mean)
            lines.append(CardRow(("mean",), centre, role=Role.BOUNDARY))
        name = f"μ{subscript(j + 1)}"
        cards.append(Card(j, name, tuple(lines), notes[j], rest="more", group=j, tag=class_tag(j)))
    return Cards(title, tuple(cards))


def rows_of(count: int) -> str:
    """How many examples a cluster has."""
    return counted(count, "row")
