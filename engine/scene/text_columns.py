"""Columns of texts for tables in figures."""

from collections.abc import Sequence

import numpy as np

from engine.scene.scene import Role, TableColumn
from engine.table.dataset import Feature, Kind


def text_column(title: str, texts: Sequence[str], role: Role = Role.PLAIN) -> TableColumn:
    """A table column that shows these texts as they are."""
    kinds = tuple(dict.fromkeys(texts))
    places = {text: k for k, text in enumerate(kinds)}
    return TableColumn(
        Feature(title, Kind.CATEGORICAL, kinds),
        np.asarray([places[t] for t in texts], np.float64),
        role,
    )
