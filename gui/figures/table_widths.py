"""The widths of a table's contents, cached: the layout asks for them many times."""

from itertools import islice

from engine.base.records import Record
from gui.figures.row_names import RowNames
from gui.figures.table_model import TableModel
from gui.look import theme
from gui.look.ink import box_width, face

SAMPLE, LEAST = 2_000, 20  # number of cells to measure; least number of rows


class Widths(Record, eq=True):
    """Widths in pixels. contents, heads: the widest text and the head of each column, 0 for the
    column of boxes; number: the box with the largest number; name: the box with the longest name, 0
    where no row has a name.
    """

    contents: list[float]
    heads: list[float]
    number: float
    name: float


class TableWidths:
    """The widths in pixels of the columns of a table model."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._last: tuple[object, RowNames, tuple[str, int], Widths] | None = None

    def now(self) -> Widths:
        """The current widths, measured when table, names or theme change."""
        table = self._model.table
        names = self._model.names
        look = theme.current().key
        last = self._last
        if last is None or last[0] is not table or last[1] is not names or last[2] != look:
            self._last = last = table, names, look, self._measured()
        return last[3]

    def _measured(self) -> Widths:
        """Measure the first rows and up to `SAMPLE` names, since another step may
        list other rows.
        """
        model = self._model
        body = face("body", 600)
        bold = face("heading")
        rows = min(model.rowCount(), max(LEAST, SAMPLE // max(1, model.columnCount())))
        columns = range(1, model.columnCount())
        contents = [
            max(map(body.width, model.texts(rows, column)), default=0.0) for column in columns
        ]
        heads = [bold.width(column.feature.name) for column in model.table.columns]
        number = box_width(
            str(max(model.table.numbers, default=model.rowCount() or 1)), model.classes
        )
        own = islice(model.names.own.values(), SAMPLE)
        named = bool(model.names.own) and any(map(model.named, range(rows)))
        name = max((box_width(each, model.classes) for each in own), default=0.0) if named else 0.0
        return Widths([0.0, *contents], [0.0, *heads], number, name)
