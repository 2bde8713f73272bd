"""The declared changes of the columns as code, fitted on the rows that are not held out."""

from collections.abc import Callable

import numpy as np

from engine.base.records import Record
from engine.scripts.body import block, join_blocks, listing, literal
from engine.scripts.table import Table
from engine.table.dataset import Feature, Kind
from engine.table.prepare import Transform


class Changed(Record, eq=True):
    """The code of one change of columns.

    code: Python that fits and applies the change
    features: the columns after it
    function: name of the function that changes new rows, "" where none is needed
    """

    code: str
    features: tuple[Feature, ...]
    function: str = ""


def changes_code(table: Table) -> tuple[str, tuple[str, ...]]:
    """(the code of all changes, the names of the functions that change new rows, in
    their order).
    """
    features = tuple(c.feature for c in table.columns)
    parts, functions = list[str](), list[str]()
    for number, change in enumerate(table.transforms, 1):
        written = WRITERS[change.kind](table, change, features, f"{change.kind}_{number}")
        features = written.features
        parts.append(written.code)
        functions += [written.function] if written.function else []
    return "\n\n".join(parts), tuple(functions)


def _places(
    change: Transform, features: tuple[Feature, ...], fits: Callable[[Feature], bool]
) -> list[int]:
    """The columns that a change is about: those it names, else all that fit."""
    names = [feature.name for feature in features]
    if change.names:
        return [names.index(name) for name in change.names]
    return [j for j, feature in enumerate(features) if fits(feature)]


def _numeric(feature: Feature) -> bool:
    return feature.numeric


def _training(table: Table) -> str:
    return "X[~held_out]" if table.held_out.any() else "X"


def _scaled(table: Table, change: Transform, features: tuple[Feature, ...], name: str) -> Changed:
    places = _places(change, features, _numeric)
    standard = change.kind == "standardise"
    about = "mean 0 and standard deviation 1 (divided by n)" if standard else "from 0 to 1"
    measured = "part.mean(), part.std()" if standard else "part.min(), np.ptp(part)"
    code = join_blocks(
        listing(f"COLUMNS_{name} = ", map(str, places)),
        f"""
        # columns get {about}, by the training rows;
        # a constant one is only shifted
        SCALES_{name} = {{}}
        for j in COLUMNS_{name}:
            part = {_training(table)}[:, j]
            part = part[~np.isnan(part)]
            shift, scale = {measured}
            SCALES_{name}[j] = shift, scale if scale > 1e-300 else 1.0


        def {name}(X):
            X = X.copy()
            for j, (shift, scale) in SCALES_{name}.items():
                X[:, j] = (X[:, j] - shift) / scale
            return X


        X = {name}(X)
    """,
    )
    return Changed(code, features, name)


def _polar(table: Table, change: Transform, features: tuple[Feature, ...], name: str) -> Changed:
    a, b = _places(change, features, _numeric)[:2]
    code = block(f"""
        # two columns as distance from the origin and angle
        def {name}(X):
            X = X.copy()
            x, y = X[:, {a}].copy(), X[:, {b}].copy()
            X[:, {a}], X[:, {b}] = np.hypot(x, y), np.arctan2(y, x)
            return X


        X = {name}(X)
    """)
    made = list(features)
    made[a], made[b] = Feature("r"), Feature("angle")
    return Changed(code, tuple(made), name)


def _quadratic(
    table: Table, change: Transform, features: tuple[Feature, ...], name: str
) -> Changed:
    places = _places(change, features, _numeric)
    pairs = sorted(((a, b) for i, a in enumerate(places) for b in places[i:]), key=_is_product)
    after = places[-1] + 1
    written = listing(f"PAIRS_{name} = ", map(literal, pairs))
    code = join_blocks(
        "# squares and products of columns, behind them",
        written,
        f"""


        def {name}(X):
            products = [X[:, a] * X[:, b] for a, b in PAIRS_{name}]
            return np.column_stack([X[:, :{after}], *products, X[:, {after}:]])


        X = {name}(X)
        """,
    )
    names = [
        f"{features[a].name}²" if a == b else f"{features[a].name}·{features[b].name}"
        for a, b in pairs
    ]
    return Changed(code, (*features[:after], *map(Feature, names), *features[after:]), name)


def _is_product(pair: tuple[int, int]) -> bool:
    return pair[0] != pair[1]


def _one_hot(table: Table, change: Transform, features: tuple[Feature, ...], name: str) -> Changed:
    places = set(_places(change, features, _is_word))
    shown = [
        (j, code) for j, feature in enumerate(features) for code in _shown(feature, j in places)
    ]
    made = [
        features[j] if code is None else Feature(f"{features[j].name} = {code}")
        for j, code in shown
    ]
    written = listing(f"SHOWN_{name} = ", map(literal, shown))
    code = join_blocks(
        "# words as columns of 0 and 1: (j, v) is 1 where column j has the category v; None: as it is",
        written,
        f"""


        def {name}(X):
            columns = []
            for j, v in SHOWN_{name}:
                x = X[:, j]
                columns.append(x if v is None else np.where(np.isnan(x), np.nan, x == v))
            return np.column_stack(columns)


        X = {name}(X)
        """,
    )
    return Changed(code, tuple(made), name)


def _is_word(feature: Feature) -> bool:
    return not feature.numeric


def _shown(feature: Feature, chosen: bool) -> list[int | None]:
    """The categories that get a column of their own: of a pair only the one that means yes."""
    if not chosen:
        return [None]
    if len(feature.categories) != 2:
        return list(range(len(feature.categories)))
    return [1 if feature.categories in ((False, True), (0, 1)) else 0]


def _drop(table: Table, change: Transform, features: tuple[Feature, ...], name: str) -> Changed:
    places = _places(change, features, lambda feature: True)
    others = ["y"] * (table.target is not None) + ["held_out"] * bool(table.held_out.any())
    names = ", ".join(["X", *others])
    kept = ", ".join(f"{each}[keep]" for each in ["X", *others])
    code = join_blocks(
        listing(f"COLUMNS_{name} = ", map(str, places)),
        f"""
        # rows with a missing value are left out
        keep = ~np.isnan(X[:, COLUMNS_{name}]).any(axis=1)
        {names} = {kept}
    """,
    )
    return Changed(code, features)


def _fill(table: Table, change: Transform, features: tuple[Feature, ...], name: str) -> Changed:
    places = _places(change, features, lambda feature: True)
    words = [j for j in places if features[j].kind is not Kind.NUMERIC]
    code = join_blocks(
        listing(f"COLUMNS_{name} = ", map(str, places)),
        f"""
        # missing values: the mean; in columns of words, or of 0 and 1 alone, the most frequent one
        WORDS_{name} = {words}
        FILLINGS_{name} = {{}}
        for j in COLUMNS_{name}:
            part = {_training(table)}[:, j]
            part = part[~np.isnan(part)]
            if j not in WORDS_{name} and not np.isin(part, (0, 1)).all():
                FILLINGS_{name}[j] = part.mean()
            else:
                FILLINGS_{name}[j] = np.bincount(part.astype(int)).argmax()


        def {name}(X):
            X = X.copy()
            for j, value in FILLINGS_{name}.items():
                X[np.isnan(X[:, j]), j] = value
            return X


        X = {name}(X)
    """,
    )
    return Changed(code, features, name)


def _permute(table: Table, change: Transform, features: tuple[Feature, ...], name: str) -> Changed:
    places = _places(change, features, _any)
    order = np.arange(len(features))
    order[places] = np.array(places)[np.random.default_rng(0).permutation(len(places))]
    code = block(f"""
        # the columns in another order
        def {name}(X):
            return X[:, {order.tolist()}]


        X = {name}(X)
    """)
    return Changed(code, tuple(features[j] for j in order), name)


def _any(feature: Feature) -> bool:
    return True


WRITERS: dict[str, Callable[[Table, Transform, tuple[Feature, ...], str], Changed]] = {
    "standardise": _scaled,
    "unit_range": _scaled,
    "polar": _polar,
    "quadratic": _quadratic,
    "one_hot": _one_hot,
    "permute": _permute,
    "drop_missing": _drop,
    "fill_missing": _fill,
}
