"""The picture of a network whose tables are learnt: the network, and beside it the numbers of the
table that a step is about.
"""

from collections.abc import Mapping
from typing import Any

from engine.algorithms.bayes.parts.figures import network, table_matrix
from engine.algorithms.bayes.parts.learning import Learning
from engine.authoring import Float
from engine.scene.scene import Role, Scene, data_table

# titles of sums over rows, with two digits; other numbers are chances, with three
SUMS = ("Entries: counts", "Counts", "Entries: gradient", "Gradient")


def learning_scene(given: Learning[Any], s: Any, numbers: Mapping[str, Float], case: int) -> Scene:
    """The network, the numbers of the table of the variable looked at, and the examples.

    numbers: {title: (rows, values)}, the most informative first; case: the row of them to
    highlight, −1 for none
    """
    x = s.current
    lit = (x, *s.parents[x]) if x >= 0 else ()
    roles = {given.variables[v].name: Role.ACTIVE for v in lit}
    current = (s.row,) if s.row >= 0 else ()
    table = data_table(given.problem, current=current, tag="current", roles=roles)
    graph = network(given, s.parents, s.tables, x, case, hidden=given.hidden)
    if not numbers:
        return Scene((), (graph, table), leads=("Network",))
    name = given.variables[x].title
    beside = [
        table_matrix(
            given, x, s.parents[x], values, f"{title} of {name}", case, 2 if title in SUMS else 3
        )
        for title, values in numbers.items()
    ]
    return Scene((), (graph, *beside, table), leads=("Network", "Entries"))
