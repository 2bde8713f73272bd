"""What of a table an experiment does not look at, and the sentence that says so at its start."""

from collections.abc import Container

from engine.authoring import Operand, Problem, Record
from engine.base.notation import listed


class LeftOut(Record):
    """The part of a table that an experiment does not use.

    columns: their names
    rows: how many of the `all_rows` of the table
    edges: (axis, edges used, edges in all) for each axis with thinned edges
    same: the names of columns equal to an earlier one
    """

    columns: tuple[str, ...] = ()
    rows: int = 0
    all_rows: int = 0
    edges: tuple[tuple[str, int, int], ...] = ()
    same: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """A template, after a space, that lists what is left out; "" where nothing is.

        `operands` are its values.
        """
        text = ""
        if self.columns:
            text += " The {columns_out:column|columns} {names_out} {columns_out:is|are} left out."
        if self.same:
            text += (
                " The {same:column|columns} {names_same} {same:says|say} the same here as an"
                " earlier column and {same:is|are} left out."
            )
        if self.rows:
            text += " {rows_out} of the {all_rows} {all_rows:row|rows} {rows_out:is|are} left out."
        if self.edges:
            text += " Edges between values are thinned out evenly: {edges_in}."
        return text

    @property
    def operands(self) -> dict[str, Operand]:
        """The operands of `sentence` by name; {} where nothing is left out."""
        if not self.sentence:
            return {}
        edges = listed(f"{used} of {every} along {title}" for title, used, every in self.edges)
        return {
            "columns_out": Operand(len(self.columns)),
            "names_out": Operand(listed(self.columns)),
            "same": Operand(len(self.same)),
            "names_same": Operand(listed(self.same)),
            "rows_out": Operand(self.rows),
            "all_rows": Operand(self.all_rows),
            "edges_in": Operand(edges),
        }


def without(problem: Problem, columns: Container[int]) -> tuple[str, ...]:
    """The names of all columns but these."""
    return tuple(title for j, title in enumerate(problem.titles) if j not in columns)
