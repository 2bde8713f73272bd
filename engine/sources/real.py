"""Small real tables that come with the lab: iris, wine, digits.

Their authors: assets/data/ATTRIBUTION.md.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.sources.bundled import Entry, bundled_rows
from engine.table.dataset import ColumnRole, Dataset, category_column, number_column
from engine.table.problem import Task


class RealEntry(Entry, eq=True):
    """The entry of a real table.

    file: its name in assets/data, '' if the lab may not ship it
    plane: the two columns that separate the classes best
    """

    file: str = ""
    plane: tuple[str, ...] = ()


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
        "435 members of the House of Representatives, 16 votes, y or n. Not shipped: open your own"
        " copy of the UCI file.",
    ),
}

VOTES_FILE = "house-votes-84.data"
VOTES_SENTENCE = (
    f"The votes of 1984 do not come with the lab. Get your own copy of the file {VOTES_FILE} from"
    " the UCI Machine Learning Repository and open it as a table: it has no row of names, the"
    " party in the first column is the target, and “?” is missing. In a script open_votes(path)"
    " does so, and names its votes."
)


def real(name: str) -> Dataset:
    """The real table `name`.

    Raises EngineError for an unknown name and for a table that the lab may not ship.
    """
    if not isinstance(name, str) or name not in REAL:
        raise EngineError(f"There is no real set {quoted(name)}; there are {', '.join(REAL)}.")
    return _made(name)


@cache
def _made(name: str) -> Dataset:
    entry = REAL[name]
    if not entry.file:
        raise EngineError(VOTES_SENTENCE)
    header, rows = bundled_rows(entry.file)
    cells = list(zip(*rows, strict=True))
    features = [
        number_column(key, np.asarray(cells[j], np.float64)) for j, key in enumerate(header[:-1])
    ]
    labels = [int(cell) if cell.isdigit() else cell for cell in cells[-1]]
    columns = (*features, category_column(header[-1], labels, role=ColumnRole.TARGET))
    return Dataset(columns, entry.title, f"{entry.source}. {entry.about}", entry.plane)
