"""Opens a person's own copy of the votes of 1984, which the lab may not ship."""

from pathlib import Path

import numpy as np

from engine.base.errors import EngineError
from engine.base.records import replace
from engine.read.guess import TableOptions
from engine.read.tables import open_table
from engine.sources.real import REAL
from engine.table.dataset import ColumnRole, Dataset, category_column

VOTES = (
    "handicapped-infants", "water-project-cost-sharing", "adoption-of-the-budget-resolution",
    "physician-fee-freeze",
    "el-salvador-aid", "religious-groups-in-schools", "anti-satellite-test-ban",
    "aid-to-nicaraguan-contras",
    "mx-missile", "immigration", "synfuels-corporation-cutback", "education-spending",
    "superfund-right-to-sue",
    "crime", "duty-free-exports", "export-administration-act-south-africa",
)  # fmt: skip
_GAPS = (
    12,
    48,
    11,
    11,
    15,
    11,
    14,
    15,
    22,
    7,
    21,
    31,
    25,
    17,
    28,
    104,
)  # missing values per vote in the complete file; shortened copies circulate
VOTES_OPTIONS = TableOptions(header=False, missing=("?", ""))


def open_votes(path: str | Path) -> Dataset:
    """A person's copy of house-votes-84.data with named columns; democrat, the class of MIT 2.5.29,
    comes first.

    Raises EngineError if the file is not complete (MIT 2.3.39: 435 rows, and the counts of missing
    votes).
    """
    raw = open_table(path, options=VOTES_OPTIONS)
    gaps = tuple(int(np.isnan(c.values).sum()) for c in raw.columns[1:])
    if len(raw) != 435 or gaps != _GAPS or raw.columns[0].categories != ("democrat", "republican"):
        raise EngineError(
            "This is not the whole file of votes: it should have 435 rows, 17 columns, the party"
            " first, and 392 missing votes."
        )
    votes = [
        category_column(name, column.labels(), ("y", "n"))
        for name, column in zip(VOTES, raw.columns[1:], strict=True)
    ]
    party = replace(
        raw.columns[0],
        feature=replace(raw.columns[0].feature, name="party"),
        role=ColumnRole.TARGET,
    )
    entry = REAL["votes84"]
    return Dataset((*votes, party), entry.title, f"{entry.source}. y = yes, n = no.")
