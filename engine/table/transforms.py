"""Declared changes of the columns, fitted on the training rows and applied alike to all others."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from engine.base.arrays import Bool, Float, frozen
from engine.base.errors import EngineError
from engine.base.notation import counted, cut, label_text, listed, quoted
from engine.base.records import Record, field, replace
from engine.base.sums import add_up
from engine.table.dataset import Column, ColumnRole, Dataset, Feature, number_column
from engine.table.given import check_type, columns_named, seen


class Transform(Record, eq=True):
    """One declared change of the columns; `columns` empty = all it applies to.

    kind: standardise, unit_range, polar, quadratic, one_hot, permute, drop_missing,
        fill_missing
    Raises EngineError for columns that are no list of names.
    """

    kind: str
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _ = self.names  # raises for what is no list

    @property
    def names(self) -> tuple[str, ...]:
        """The columns as a tuple of texts, whatever kind of list was given."""
        return columns_named("The columns of a transformation", self.columns)


class Fitted(Record):
    """A transformation with what it learnt from the training rows.

    apply: table -> table
    notice: the words of its chip
    keep: table -> (n,) the rows that stay; None = all
    scales: column -> (shift, factor) of value = (raw − shift) / factor
    made: columns that it made from others
    plane: the columns that the plane shows by default; () = no wish
    """

    apply: Callable[[Dataset], Dataset]
    notice: str
    keep: Callable[[Dataset], Bool] | None = None
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    made: tuple[str, ...] = ()
    plane: tuple[str, ...] = ()


class Pipeline(Record):
    """The fitted transformations in their order."""

    parts: tuple[Fitted, ...] = ()

    def apply(self, data: Dataset) -> Dataset:
        """The table `data` after every transformation: training rows, held-out rows, or any
        others.
        """
        for part in self.parts:
            data = part.apply(data)
        return data

    def kept(self, data: Dataset) -> Bool:
        """(n,) which rows of `data` the transformations keep."""
        mask = np.zeros(len(data), dtype=bool)
        alive = np.arange(len(data))
        for part in self.parts:
            if part.keep is not None:
                alive = alive[part.keep(data)]
            data = part.apply(data)
        mask[alive] = True
        return mask

    @property
    def notices(self) -> tuple[str, ...]:
        return tuple(part.notice for part in self.parts if part.notice)

    @property
    def plane(self) -> tuple[str, ...]:
        """The default plane of the last transformation that has one; () = none has."""
        return next((part.plane for part in reversed(self.parts) if part.plane), ())

    def raw(self, name: str, values: Float) -> Float:
        """(m,) values of prepared column `name` in the units of the table.

        Raises EngineError for a column that was made from others.
        """
        for part in reversed(self.parts):
            if name in part.made:
                raise EngineError(
                    f"{quoted(name)} is made from other columns, so a place on this plane is no row"
                    " of the table. Show the original columns to add or move points."
                )
            shift, factor = part.scales.get(name, (0.0, 1.0))
            values = values * factor + shift
        return values


def fit(transforms: Sequence[Transform], train: Dataset) -> Pipeline:
    """The transformations fitted on `train`, each on the result of those before it.

    Raises EngineError.
    """
    parts: list[Fitted] = []
    if not isinstance(transforms, Sequence) or isinstance(transforms, str):
        raise EngineError(
            'The transformations must be a list, as in [Transform("standardise")]; they are'
            f" {seen(transforms)}."
        )
    for declared in transforms:
        check_type("A transformation", declared, Transform, 'Transform("standardise")')
        if not isinstance(declared.kind, str) or declared.kind not in KINDS:
            raise EngineError(
                f"There is no transformation {quoted(declared.kind)}; there are {', '.join(KINDS)}."
            )
        part = KINDS[declared.kind](train, declared.names)
        train = part.apply(train)
        parts.append(part)
    return Pipeline(tuple(parts))


# -- scaling ---------------------------------------------------------------------------------------


def standardise(train: Dataset, names: Sequence[str]) -> Fitted:
    """(x − mean) / standard deviation, over the present values. AIMA 18.8.1."""
    columns = _numeric(train, names, "standardise")
    scales = {c.name: (float(_present(c).mean()), float(_present(c).std())) for c in columns}
    return _scaled(scales, f"{_listed(columns)} standardised")


def unit_range(train: Dataset, names: Sequence[str]) -> Fitted:
    """(x − least) / (largest − least), over the present values: from 0 to 1."""
    columns = _numeric(train, names, "scale")
    scales = {c.name: (float(_present(c).min()), float(np.ptp(_present(c)))) for c in columns}
    return _scaled(scales, f"{_listed(columns)} scaled to 0…1")


def _scaled(measured: Mapping[str, tuple[float, float]], notice: str) -> Fitted:
    """A scaling by (shift, factor) of each column; a constant column is only shifted."""
    constant = [name for name, (_, factor) in measured.items() if factor <= 1e-300]
    scales = {
        name: (shift, 1.0 if name in constant else factor)
        for name, (shift, factor) in measured.items()
    }

    def apply(data: Dataset) -> Dataset:
        for name, (shift, factor) in scales.items():
            column = data[name]
            data = data.with_column(
                replace(column, values=frozen((column.values - shift) / factor))
            )
        return data

    return Fitted(
        apply, notice + (f" ({listed(constant)} constant)" if constant else ""), scales=scales
    )


# -- new columns -----------------------------------------------------------------------------------


def polar(train: Dataset, names: Sequence[str]) -> Fitted:
    """Two columns become distance from the origin and angle (atan2, so quadrants differ).

    MMDS 12.2.6.
    """
    chosen = [c.name for c in _numeric(train, names, "turn into polar coordinates")]
    chosen = chosen if names else chosen[:2]
    if len(chosen) != 2:
        raise EngineError(f"Polar coordinates need two numeric columns, there {_are(len(chosen))}.")
    r, angle = _free(train, "r"), _free(train, "angle")

    def apply(data: Dataset) -> Dataset:
        x, y = data[chosen[0]].values, data[chosen[1]].values
        new = {
            chosen[0]: [number_column(r, np.hypot(x, y))],
            chosen[1]: [number_column(angle, np.arctan2(y, x))],
        }
        return _replaced(data, new)

    return Fitted(
        apply, f"{chosen[0]}, {chosen[1]} as {r}, {angle}", made=(r, angle), plane=(r, angle)
    )


def quadratic(train: Dataset, names: Sequence[str]) -> Fitted:
    """Squares and products of the columns, added behind them. MMDS Exercise 12.2.3, AIMA 18.9."""
    chosen = [c.name for c in _numeric(train, names, "square")]
    pairs = [(a, b) for i, a in enumerate(chosen) for b in chosen[i:]]
    if len(pairs) > 500:
        raise EngineError(
            f"{len(chosen)} columns would give {len(pairs)} squares and products: name the columns"
            " to use."
        )
    squares_first = sorted(pairs, key=lambda pair: pair[0] != pair[1])
    titles = {
        pair: _free(train, f"{pair[0]}²" if pair[0] == pair[1] else f"{pair[0]}·{pair[1]}")
        for pair in squares_first
    }

    def apply(data: Dataset) -> Dataset:
        added = [
            number_column(titles[pair], data[pair[0]].values * data[pair[1]].values)
            for pair in squares_first
        ]
        return _behind(data, chosen[-1], added)

    made = tuple(titles.values())
    plane = made[:2] if len(chosen) > 1 else (chosen[0], made[0])
    what = "squares and products" if len(chosen) > 1 else "the square"
    return Fitted(
        apply, f"{what} of {_listed([train[n] for n in chosen])} added", made=made, plane=plane
    )


def one_hot(train: Dataset, names: Sequence[str]) -> Fitted:
    """Categories as 0/1 columns: one for each, but a single one for a pair. MIT 2.3.36."""
    columns = _chosen(train, names, lambda c: not c.feature.numeric, "holds numbers already")
    if not columns:
        raise EngineError("There is no column of categories to turn into 0/1 columns.")
    if sum(len(c.categories) for c in columns) > 2000:
        raise EngineError(
            "That would give more than 2000 columns of 0 and 1: name the columns to use."
        )
    features = {c.name: c.feature for c in columns}
    titles = {name: _indicators(train, feature) for name, feature in features.items()}

    def apply(data: Dataset) -> Dataset:
        new = {}
        for name, shown in titles.items():
            values = data[name].values
            gaps = np.isnan(values)
            new[name] = [
                number_column(t, np.where(gaps, np.nan, values == code)) for code, t in shown
            ]
        return _replaced(data, new)

    made = tuple(title for shown in titles.values() for _, title in shown)
    return Fitted(apply, f"{_listed(columns)} as 0/1 columns", made=made)


def _indicators(data: Dataset, feature: Feature) -> list[tuple[int, str]]:
    """(code, column name) of each 0/1 column: every category; of a pair only the one that means
    yes.
    """
    if len(feature.categories) != 2:
        return [
            (k, _free(data, f"{feature.name} = {label_text(v)}"))
            for k, v in enumerate(feature.categories)
        ]
    code = 1 if feature.categories in ((False, True), (0, 1)) else 0
    return [(code, _free(data, f"{feature.name} = {label_text(feature.categories[code])}"))]


def permute(train: Dataset, names: Sequence[str]) -> Fitted:
    """The columns in another order, drawn once for all tables. AIMA 18.11.1: permuted pixels.

    What looks at each column by itself, or at distances and dot products, learns the same.
    """
    chosen = [c.name for c in _chosen(train, names, always, "")]
    order = permuted(chosen)
    places = dict(zip(chosen, order, strict=True))

    def apply(data: Dataset) -> Dataset:
        columns = [data[places.get(c.name, c.name)] for c in data.columns]
        return replace(data, columns=tuple(columns))

    return Fitted(apply, f"{_listed([train[n] for n in chosen])} permuted")


def permuted(names: Sequence[str]) -> list[str]:
    """The names in the drawn order: the same for as many names."""
    return [names[j] for j in np.random.default_rng(0).permutation(len(names))]


def always(column: Column) -> bool:
    """Whether a column fits: each does."""
    return True


# -- missing values --------------------------------------------------------------------------------


def drop_missing(train: Dataset, names: Sequence[str]) -> Fitted:
    """Leaves out rows with a gap in one of the columns."""
    chosen = list(names) or [c.name for c in train.features]

    def keep(data: Dataset) -> Bool:
        gaps = np.zeros(len(data), dtype=bool)
        for name in chosen:
            gaps |= np.isnan(data[name].values)
        return np.asarray(~gaps)

    lost = int((~keep(train)).sum())
    if lost == len(train):
        raise EngineError(
            "Every row has a missing value, none would be left: fill them instead, or ignore a"
            " column."
        )
    notice = f"{counted(lost, 'row')} with missing values dropped"
    return Fitted(lambda data: data.take(keep(data)), notice, keep=keep)


def fill_missing(train: Dataset, names: Sequence[str]) -> Fitted:
    """Missing numbers become the mean, missing categories the most frequent one (the first of
    equals).

    In a column of 0 and 1 alone, gaps become the more frequent one too: a mean would be a third
    value.
    """
    columns = _chosen(train, names, lambda c: True, "")
    fillings = {c.name: _middle(c) for c in columns}
    filled = add_up(int(np.isnan(c.values).sum()) for c in columns)

    def apply(data: Dataset) -> Dataset:
        for name, value in fillings.items():
            values = data[name].values
            data = data.with_column(
                replace(data[name], values=frozen(np.where(np.isnan(values), value, values)))
            )
        return data

    return Fitted(apply, f"{counted(filled, 'missing value')} filled by mean or most frequent")


def _middle(column: Column) -> float:
    """What fills the gaps of a column: the mean, or the most frequent value."""
    present = _present(column)
    is_zero_one = bool(np.isin(present, (0, 1)).all())
    if column.feature.numeric and not is_zero_one:
        return float(present.mean())
    return float(np.bincount(present.astype(int)).argmax())


# -- helpers ---------------------------------------------------------------------------------------


def _chosen(
    data: Dataset, names: Sequence[str], fits: Callable[[Column], bool], why_not: str
) -> list[Column]:
    """The named columns, or every feature that fits.

    Raises EngineError for a named one that does not.
    """
    for name in names:
        if data[name].role is not ColumnRole.FEATURE:
            raise EngineError(
                f"Column {quoted(name)} is not one to learn from: only those are transformed."
            )
        if not fits(data[name]):
            raise EngineError(f"Column {quoted(name)} {why_not}.")
    return [data[name] for name in names] if names else [c for c in data.features if fits(c)]


def _numeric(data: Dataset, names: Sequence[str], verb: str) -> list[Column]:
    columns = _chosen(data, names, lambda c: c.feature.numeric, "holds words, not numbers")
    if not columns:
        raise EngineError(f"There is no numeric column to {verb}.")
    return columns


def _present(column: Column) -> Float:
    values = column.values[~np.isnan(column.values)]
    if not len(values):
        raise EngineError(
            f"Column {quoted(column.name)} has no value at all in the training rows: ignore it."
        )
    return values


def _replaced(data: Dataset, new: Mapping[str, Sequence[Column]]) -> Dataset:
    """`data` with each named column replaced, in its place, by others."""
    columns = [column for c in data.columns for column in new.get(c.name, (c,))]
    return replace(data, columns=tuple(columns))


def _behind(data: Dataset, name: str, added: Sequence[Column]) -> Dataset:
    place = [c.name for c in data.columns].index(name) + 1
    return replace(data, columns=(*data.columns[:place], *added, *data.columns[place:]))


def _free(data: Dataset, name: str) -> str:
    """`name`, with primes when the table has such a column already."""
    while any(c.name == name for c in data.columns):
        name += "′"
    return name


def _listed(columns: Sequence[Column]) -> str:
    return (
        ", ".join(cut(c.name) for c in columns) if len(columns) <= 3 else f"{len(columns)} columns"
    )


def _are(count: int) -> str:
    return "is one" if count == 1 else f"are {count}"


KINDS: Mapping[str, Callable[[Dataset, Sequence[str]], Fitted]] = {
    "standardise": standardise,
    "unit_range": unit_range,
    "polar": polar,
    "quadratic": quadratic,
    "one_hot": one_hot,
    "permute": permute,
    "drop_missing": drop_missing,
    "fill_missing": fill_missing,
}
