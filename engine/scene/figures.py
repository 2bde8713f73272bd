"""The figures: second planes, trees, forests, tables, bars, grids of numbers, networks, 3-D
pictures, small pictures; and columns of texts for tables.
"""

from collections.abc import Sequence

import numpy as np

from engine.base.arrays import Bool, Float, Int, frozen
from engine.base.notation import fixed
from engine.base.records import Record, field
from engine.scene.layers import NO_GROUP, Layer, Role
from engine.table.dataset import Feature, Kind


class Figure(Record):
    """A picture beside the plane, under a title.

    A new kind of figure is a subclass here and its widget in gui/figures (`shows`).
    """

    title: str

    @property
    def beside(self) -> bool:
        """Whether it is worth the room of a plane."""
        return False

    @property
    def is_telling(self) -> bool:
        """Whether it shows the method at work and is worth the room of a plane."""
        return self.beside


class Plot(Figure):
    """A second plane with its own axes and the same layers (no Field).

    beside: worth the room of a plane
    ticks: False: the axes are named but carry no numbers (a Karnaugh map names its own columns and
        rows)
    small: points as in a thumbnail, for a figure of many small pictures
    x_ticks, y_ticks: (place, text) on an axis of words or of uneven steps; on a logarithmic one x
        is log₁₀ of the text
    """

    x_label: str
    y_label: str
    layers: Sequence[Layer]
    equal: bool = False
    beside: bool = False
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    ticks: bool = True
    small: bool = False
    x_ticks: tuple[tuple[float, str], ...] = ()
    y_ticks: tuple[tuple[float, str], ...] = ()


class TreeNode(Record, eq=True):
    """One node of a tree.

    parent: index, −1 at the root
    branch: text on the way from the parent
    text: its own text
    kind: 'test' (box), 'leaf' (rounded), 'open' (dashed: not grown yet)
    group: class of a leaf
    boxes: (index in the whole table, class) of the examples drawn as small light/dark boxes
    role: ACTIVE lights it, INACTIVE pales it, REJECTED strikes it (pruned), NEAREST marks the path
        of a query
    column: name of the numeric column that a test looks at
    below: how many nodes below it are left out of the figure
    """

    parent: int
    branch: str
    text: str
    kind: str = "test"
    group: int = NO_GROUP
    note: str = ""
    boxes: tuple[tuple[int, int], ...] = ()
    role: Role = Role.PLAIN
    tag: str = ""
    column: str = ""
    below: int = 0


class Tree(Figure):
    """A tree: parents come before their children.

    classes: texts for the legend of the boxes
    """

    nodes: Sequence[TreeNode]
    classes: tuple[str, ...] = ()

    @property
    def is_telling(self) -> bool:
        return True


class Forest(Figure):
    """Small trees side by side without words in them, each with its answer about one row.

    trees: (k,) their nodes, parents first, () for one that is still to come; of a node only kind,
        group and role are drawn: ACTIVE lights it, NEAREST marks the way of the row
    names: (k,)
    votes: (k,) the class that each says, −1 for none
    current: index of the tree in amber, −1 for none
    tags: (k,) the tag of each tree, or ()
    """

    trees: tuple[Sequence[TreeNode], ...]
    names: tuple[str, ...]
    votes: Int
    current: int = -1
    tags: tuple[str, ...] = ()

    @property
    def beside(self) -> bool:
        return True


class TableColumn(Record):
    """A column of a table.

    values: (n,) as stored (numbers or codes of `feature`)
    role: ACTIVE: current; REJECTED: used up (struck); BOUNDARY: the target, set apart by a rule
    """

    feature: Feature
    values: Float
    role: Role = Role.PLAIN
    digits: int = 2
    tag: str = ""


def text_column(title: str, texts: Sequence[str], role: Role = Role.PLAIN) -> TableColumn:
    """A table column that shows these texts as they are."""
    kinds = tuple(dict.fromkeys(texts))
    places = {text: k for k, text in enumerate(kinds)}
    return TableColumn(
        Feature(title, Kind.CATEGORICAL, kinds),
        np.asarray([places[t] for t in texts], np.float64),
        role,
    )


class Table(Figure):
    """A table of n rows.

    group: (n,) class of each row
    active: (n,) rows in play; the others are pale
    current: indices of the rows in amber
    cells: names of the columns in which alone these rows are amber; () for whole rows
    tag: of the current rows
    numbers: (n,) in the boxes before the rows; () = 1, 2, …; 0: a question, no example
    tags: (n,) the tag of each row, or ()
    """

    columns: Sequence[TableColumn]
    names: Sequence[str]
    group: Int | None = None
    active: Bool | None = None
    current: tuple[int, ...] = ()
    tag: str = ""
    numbers: tuple[int, ...] = ()
    tags: Sequence[str] = ()
    cells: tuple[str, ...] = ()


class Bars(Figure):
    """A bar chart.

    values: (k,), may be negative
    roles: of each bar (ACTIVE = chosen, GHOST = tied)
    before: (k,) earlier or other values, drawn as ticks
    ticks: what the ticks are, for the legend, which leaves them out without; of those before this
        step only bars that moved have one
    beside: the picture of the method, worth the room of a plane or of a second table
    tags: (k,) the tag of each bar, or ()
    clusters: the groups are clusters, in their colours, and no classes
    checked: a bar that alone is ACTIVE was chosen and has a check mark
    levels: (value, name) of lines across all bars, such as a baseline
    """

    labels: tuple[str, ...]
    values: Float
    roles: tuple[Role, ...] = ()
    before: Float | None = None
    group: Int | None = None
    unit: str = ""
    digits: int = 2
    limit: float = 0.0
    tag: str = ""
    beside: bool = False
    tags: tuple[str, ...] = ()
    ticks: str = ""
    clusters: bool = False
    levels: tuple[tuple[float, str], ...] = ()
    checked: bool = True

    def moved(self) -> Bool:
        """(k,) the bars that say another number than `before`, with so many digits."""
        if self.before is None:
            return np.zeros(len(self.labels), bool)
        pairs = zip(self.values.tolist(), self.before.tolist(), strict=True)
        return np.array([fixed(a, self.digits) != fixed(b, self.digits) for a, b in pairs], bool)


class Matrix(Figure):
    """A grid of numbers.

    values: (r, c)
    active: (row, column) of the cells in amber
    shade: tint cells by size
    row_tags: (r,), column_tags: (c,), or (); a cell stands for both of its tags
    measures: so many last rows are of another kind: not shaded, their numbers always with `digits`
    members: (m, 3) row, column and number in the whole table of the examples that the cells count
    """

    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    values: Float
    active: tuple[tuple[int, int], ...] = ()
    digits: int = 2
    shade: bool = True
    x_label: str = ""
    y_label: str = ""
    row_tags: Sequence[str] = ()
    column_tags: tuple[str, ...] = ()
    measures: int = 0
    members: Int = field(default_factory=lambda: frozen(np.zeros((0, 3)), np.intp))


class Block(Record):
    """One grid of numbers among several on a common sheet of cells.

    row, column: place of its first cell on the sheet, in cells
    values: (r, c), NaN where there is no number
    row_labels: (r,) at its left; column_labels: (c,) above it; () without
    look: 'shaded' by size, 'plain', or 'bars', upright from a line at 0
    group: (c,) class of each column, in whose colour its bar or number is; None without
    frames: (row, column, rows, columns) of the runs of cells in one amber frame
    held: (r, c) True for cells with a dashed frame; missing: for hatched ones; None for none
    numbers: False: they are written only where cells are wide enough
    high: rows of the sheet that bars take, 0 for one for each row
    row_tags: (r,), column_tags: (c,), or (); a cell stands for both of its tags
    """

    title: str
    row: float
    column: float
    values: Float
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    digits: int = 2
    look: str = "shaded"
    group: Int | None = None
    frames: tuple[tuple[int, int, int, int], ...] = ()
    held: Bool | None = None
    missing: Bool | None = None
    numbers: bool = True
    high: float = 0.0
    row_tags: Sequence[str] = ()
    column_tags: Sequence[str] = ()


class Blocks(Figure):
    """Several grids of numbers side by side and above one another, on a common sheet of cells.

    Shaded ones have a common scale of grey.

    signs: (row, column, text) between the grids, such as ≈
    notes: (text, role) of the marks that it explains below: HELD_OUT a dashed frame, GHOST a hatch,
        PLAIN words alone, ACTIVE what the grids come to
    """

    blocks: tuple[Block, ...]
    signs: tuple[tuple[float, float, str], ...] = ()
    notes: tuple[tuple[str, Role], ...] = ()

    @property
    def beside(self) -> bool:
        return True


class CardRow(Record):
    """One line of a card.

    cells: texts under the columns of the card
    bar: the filled share of its bar, from 0 to 1, NaN for none; before: the former share, a tick
    value: the text at its right end
    group: class whose mark stands before it
    mark: '×' wrong, '✓' right
    tint: class in whose tint it is
    role: ACTIVE in amber; REJECTED on white, it stands out; INACTIVE pale; BOUNDARY under a rule
    many: how many examples it stands for, more than 1 for a line like “16 rows more”
    cell: the only cell of an ACTIVE row that is amber; −1: the whole row with its bar is
    """

    cells: tuple[str, ...]
    value: str = ""
    bar: float = float("nan")
    before: float = float("nan")
    group: int = NO_GROUP
    mark: str = ""
    tint: int = NO_GROUP
    role: Role = Role.PLAIN
    tag: str = ""
    many: int = 1
    cell: int = -1


class Card(Record):
    """A small table with a title.

    lane: where it stands, from 0; note: at the right end of the title
    columns: names of the cells of its rows; the first `optional` are left out where room is short
    role: ACTIVE in an amber frame, HELD_OUT in a dashed one
    group: class in whose tint it is
    rest: words for pale rows, “agree”; where there is no room for all rows of such a card, the
        pale ones and then the last ones become one line, “7 agree”
    """

    lane: int
    title: str
    rows: tuple[CardRow, ...] = ()
    note: str = ""
    columns: tuple[str, ...] = ()
    optional: tuple[int, ...] = ()
    role: Role = Role.PLAIN
    group: int = NO_GROUP
    rest: str = ""
    tag: str = ""


class Cards(Figure):
    """Small tables, the cards, in lanes, with arrows between their rows.

    arrows: (card, row, card, row, role); row −1 stands for the whole card
    across: the lanes stand from left to right, else from top to bottom
    headings: of the lanes that stand from left to right
    tag: of the arrows
    """

    cards: tuple[Card, ...]
    arrows: tuple[tuple[int, int, int, int, Role], ...] = ()
    across: bool = True
    headings: tuple[str, ...] = ()
    tag: str = ""

    @property
    def beside(self) -> bool:
        return True


class Network(Figure):
    """Units in layers from left to right, inputs first.

    activations: one (n_l,) array per layer
    weights: one (n_l + 1, n_{l+1}) array per gap, the bias in the last row; NaN: there never was a
        link
    deltas: one (n_l,) array per layer, or () while none are known
    active: (layer, from, to) of the links in amber; from = n_l is the bias, −1 stands for all
    names, outputs: texts of the input units and of the output units
    hidden: texts of the hidden units, layer by layer, or ()
    removed: like weights, True where a link is removed
    current: (layer, unit) of the current units, by default where the active links meet; None: no
        unit, the links alone are meant
    beside: worth the room of a plane
    Tags: “unit 1 0” (layer, unit), “link 0 2 1” (layer, from, to)
    """

    activations: tuple[Float, ...]
    weights: tuple[Float, ...]
    deltas: tuple[Float, ...] = ()
    active: tuple[tuple[int, int, int], ...] = ()
    names: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    removed: tuple[Bool, ...] = ()
    digits: int = 2
    current: tuple[tuple[int, int], ...] | None = ()
    beside: bool = True
    hidden: tuple[tuple[str, ...], ...] = ()

    @property
    def is_telling(self) -> bool:
        return True


class Space(Figure):
    """A 3-D picture that can be turned.

    names: of the three axes
    xyz: (m, 3) points, with group (m,) and roles (m,)
    planes: (w (3,), b, role) where w·x + b = 0
    surface: x (nx,), y (ny,), z (ny, nx)
    top: the height at which the surface is cut off, None to show all of it
    path: (k, 3) a line over the surface
    beside: worth the room of a plane
    """

    names: tuple[str, str, str]
    xyz: Float
    group: Int
    roles: tuple[Role, ...] = ()
    planes: tuple[tuple[Float, float, Role], ...] = ()
    surface: tuple[Float, Float, Float] | None = None
    top: float | None = None
    path: Float | None = None
    beside: bool = False


class Pictures(Figure):
    """Small grey pictures side by side, or below the first one where that can be painted.

    values: (k, rows, columns) from 0, paper, to 1, ink
    labels: (k,) below the pictures
    marks: (row, column, text) of cells of the first picture that are numbered
    paints: the parameter that painting sets: the cells of the first picture, row by row, times
        `most`; "" for none
    across: how many stand side by side; 0: as many as have room
    beside: worth the room of a plane
    tags: (k,) the tag of each picture, or ()
    """

    values: Float
    labels: tuple[str, ...] = ()
    marks: tuple[tuple[int, int, str], ...] = ()
    paints: str = ""
    most: float = 1.0
    across: int = 0
    tag: str = ""
    beside: bool = False
    tags: tuple[str, ...] = ()


FIGURES = tuple(Figure.__subclasses__())  # the kinds above
