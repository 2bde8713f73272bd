"""The lines that `main.py run` prints when a run has ended."""

from engine import Level, Pace, Run
from engine.files.summary import summary_lines
from engine.protocol.registry import algorithm
from engine.table.dataset import ColumnRole, Dataset, category_column, number_column
from engine.table.prepare import Split, prepare


def test_rows_held_out_of_which_none_has_a_class() -> None:
    """ValueError: cannot convert float NaN to integer, from a table that had lost most of its
    classes.
    """
    kind = category_column(
        "kind", ["p", "q", None, None, None, None, None, None], role=ColumnRole.TARGET
    )
    data = Dataset((number_column("a", range(8)), kind), "gaps")
    seed = next(k for k in range(100) if prepare(data, split=Split(0.25, k)).labelled.sum() == 2)
    tree = algorithm("decision_tree")
    run = Run(tree, prepare(data, split=Split(0.25, seed)), tree.params(), 0, Pace(Level.ROUND))
    run.advance()
    lines = summary_lines(run, "gaps")
    assert "  training   0 of 2 rows wrong (0 %)" in lines
    assert "  held out   no row has a class" in lines
