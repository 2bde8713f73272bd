"""Reads Parquet with pyarrow, if installed; the file declares names and kinds of its columns."""

from collections.abc import Iterator
from functools import partial
from typing import Any, BinaryIO

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.read.formats.form import DeclaredColumn, Form, Opener
from engine.read.number_cells import number_cell
from engine.read.regular import MAX_COLUMNS, LeftOut, Line
from engine.table.dataset import ColumnRole, Kind

_BATCH = 4096
_BATCH_CELLS = 2**18
_INDEX = "__index_level_"  # pandas' name of an index column


def parquet_form(name: str, opener: Opener) -> Form:
    """The reader of a Parquet file.

    Raises EngineError without pyarrow, and for columns whose cells are lists or records.
    """
    with opener() as stream:
        schema = _opened(name, stream).schema_arrow
        if len(schema) > MAX_COLUMNS:
            raise EngineError(
                f"{name} has {len(schema):,} columns; the lab takes at most {MAX_COLUMNS:,}."
            )
        said = tuple(_said(name, each) for each in schema)
    return Form(partial(_rows, name), said)


def _opened(name: str, stream: BinaryIO) -> Any:
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise EngineError(
            f"{name} is a Parquet file; to read it the lab needs the package pyarrow: “pip install"
            " pyarrow” fetches it. Or save the table as CSV."
        ) from None
    try:
        return ParquetFile(stream)
    except Exception:  # pyarrow raises many kinds of errors
        raise _broken(name) from None


def _broken(name: str) -> EngineError:
    return EngineError(
        f"{name} cannot be read as a Parquet file: it is broken off, damaged, or locked."
    )


def _said(name: str, column: Any) -> DeclaredColumn:
    from pyarrow import types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    if types.is_nested(kind):
        raise EngineError(
            f"Column {quoted(column.name)} of {name} holds lists or records; a cell of a table is a"
            " number or a word."
        )
    role = ColumnRole.IGNORED if column.name.startswith(_INDEX) else None
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return DeclaredColumn(Kind.NUMERIC, role)
    return DeclaredColumn(None, role)


def _rows(name: str, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    file = _opened(name, stream)
    yield 1, list(file.schema_arrow.names)
    number = 1
    batches = file.iter_batches(
        batch_size=max(1, min(_BATCH, _BATCH_CELLS // max(1, len(file.schema_arrow)))),
        use_threads=False,
    )
    while True:
        try:
            batch = next(batches, None)
            columns = [column.to_pylist() for column in batch.columns] if batch is not None else []
        except Exception:
            raise _broken(name) from None
        if batch is None:
            return
        for row in zip(*columns, strict=True):
            number += 1
            yield number, [_cell(value) for value in row]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return number_cell(value) if abs(value) < float("inf") else str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).removesuffix("T00:00:00")
    return str(value)
