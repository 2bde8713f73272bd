"""Small real tables that come with the lab: iris, wine, digits, votes.

Their authors: assets/data/ATTRIBUTION.md.
"""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from engine.base.arrays import frozen
from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.sources.bundled import Entry, bundled_rows
from engine.table.dataset import (
    Column,
    ColumnRole,
    Dataset,
    Feature,
    Kind,
    category_column,
    number_column,
)
from engine.table.problem import Task


class RealEntry(Entry, eq=True):
    """The entry of a real table.

    file: its name in assets/data
    bits: of a table of two words, those that are 0 and 1
    plane: the two columns that separate the classes best
    """

    file: str = ""
    plane: tuple[str, ...] = ()
    bits: tuple[str, str] | None = None


_COPY = (
    "Copy from scikit-learn (BSD 3-Clause), after the UCI Machine Learning Repository (CC BY 4.0)."
)
REAL: Mapping[str, RealEntry] = {
    "iris": RealEntry(
        "Iris",
        Task.CLASSIFY,
        "R. A. Fisher, 1936",
        "150 flowers of three species, in centimetres. Two flowers differ from the UCI file, which"
        f" has them wrong. {_COPY}",
        "iris.csv",
        ("petal length", "petal width"),
    ),
    "wine": RealEntry(
        "Wine",
        Task.CLASSIFY,
        "M. Forina and others, PARVUS; donor S. Aeberhard, 1991",
        f"178 Italian wines of three cultivars, thirteen chemical measurements. {_COPY}",
        "wine.csv",
        ("flavanoids", "proline"),
    ),
    "digits": RealEntry(
        "Digits, 8 × 8",
        Task.CLASSIFY,
        "E. Alpaydin and C. Kaynak, 1998",
        "1797 handwritten digits of 13 people as 64 pixels from 0 to 16; r1c1 is the upper left"
        f" one. {_COPY}",
        "digits.csv.gz",
        ("r6c3", "r3c6"),
    ),
    "votes84": RealEntry(
        "Votes 1984",
        Task.CLASSIFY,
        "Congressional Quarterly Almanac 1984; donor J. Schlimmer, 1987",
        "435 members of the House of Representatives, 16 votes: 1 is yes, 0 no, a gap neither."
        " MIT 2.3.39 drops the rows with a gap, which leaves 232. Errata: it counts 15 votes, they"
        " are 16; MIT 2.5.29 swaps the parties: a yes on physician-fee-freeze marks a republican."
        " After the UCI Machine Learning Repository (CC BY 4.0).",
        "votes.csv",
        bits=("n", "y"),
    ),
}


def real(name: str) -> Dataset:
    """The real table `name`; raises EngineError for an unknown name."""
    if not isinstance(name, str) or name not in REAL:
        raise EngineError(f"There is no real set {quoted(name)}; there are {', '.join(REAL)}.")
    return _made(name)


@cache
def _made(name: str) -> Dataset:
    entry = REAL[name]
    header, rows = bundled_rows(entry.file)
    cells = list(zip(*rows, strict=True))
    features = [_feature(key, cells[j], entry.bits) for j, key in enumerate(header[:-1])]
    labels = [int(cell) if cell.isdigit() else cell for cell in cells[-1]]
    columns = (*features, category_column(header[-1], labels, role=ColumnRole.TARGET))
    return Dataset(columns, entry.title, f"{entry.source}. {entry.about}", entry.plane)


def _feature(name: str, cells: Sequence[str], bits: tuple[str, str] | None) -> Column:
    """A column of numbers, or of 0 and 1 for two words; an empty cell is missing."""
    if bits is None:
        return number_column(name, np.asarray(cells, np.float64))
    values = [bits.index(cell) if cell else np.nan for cell in cells]
    return Column(Feature(name, Kind.BOOLEAN, (0, 1)), frozen(values, np.float64))
