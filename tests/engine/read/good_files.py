"""One good file of every kind that the lab reads, with the same three columns: a, b, kind."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.document.document import Document
from engine.document.lane import lane
from engine.files.project import save_project
from engine.sources.textbook import textbook

ROWS: list[tuple[Any, ...]] = [
    (1.5, 2, "p"),
    (2.5, 4, "q"),
    (3.25, 8, "p"),
    (-4, 16, "q"),
    (0.5, 1, "p"),
    (7, 3, "q"),
]
NAMES = ("a", "b", "kind")
TEXT = "a,b,kind\n" + "".join(f"{a},{b},{c}\n" for a, b, c in ROWS)
_ODS = (
    '<?xml version="1.0" encoding="UTF-8"?><office:document-content '
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>{}'
    "</office:spreadsheet></office:body></office:document-content>"
)


def ods(*sheets: tuple[str, str]) -> bytes:
    """A spreadsheet of (title, rows as ods_row makes them)."""
    tables = "".join(
        f'<table:table table:name="{title}">{rows}</table:table>' for title, rows in sheets
    )
    return zipped(
        {
            "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": _ODS.format(tables).encode(),
        }
    )


def ods_row(*cells: Any, times: int = 1) -> str:
    """A row with blank cells up to the edge of the sheet, as LibreOffice writes it."""
    blank = '<table:table-cell table:number-columns-repeated="16000"/>'
    return (
        "<table:table-row"
        f' table:number-rows-repeated="{times}">{"".join(map(ods_cell, cells))}{blank}</table:table-row>'
    )


def ods_cell(value: Any, times: int = 1) -> str:
    repeated = f' table:number-columns-repeated="{times}"' if times > 1 else ""
    if isinstance(value, str):
        return (
            f"<table:table-cell{repeated}"
            f' office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        )
    shown = "<text:p>as it is shown</text:p>"
    return (
        f'<table:table-cell{repeated} office:value-type="float"'
        f' office:value="{value}">{shown}</table:table-cell>'
    )


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
    return out.getvalue()


def _xlsx() -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    out = io.BytesIO()
    for row in (NAMES, *ROWS):
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def _xls() -> bytes:
    from xlwt import Workbook

    book = Workbook()
    out = io.BytesIO()
    sheet = book.add_sheet("s")
    for i, row in enumerate((NAMES, *ROWS)):
        for j, value in enumerate(row):
            sheet.write(i, j, value)
    book.save(out)
    return out.getvalue()


def _parquet() -> bytes:
    import pyarrow
    from pyarrow import parquet

    out = io.BytesIO()
    columns = {
        name: [float(v) if j == 0 else v for v in column]
        for j, (name, column) in enumerate(zip(NAMES, zip(*ROWS, strict=True), strict=True))
    }
    parquet.write_table(pyarrow.table(columns), out)
    return out.getvalue()


def _project() -> bytes:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "p.learnscope"
        save_project(Document(textbook("spam"), (lane("perceptron"),)), path)
        return path.read_bytes()


def _arff() -> bytes:
    head = (
        "% made by hand\n@relation r\n@attribute a numeric\n@attribute 'b' integer\n@attribute kind"
        " {p, q}\n@data\n"
    )
    return (head + TEXT.partition("\n")[2]).encode()


def _markdown() -> bytes:
    rows = "".join(f"| {a} | {b} | {c} |\n" for a, b, c in ROWS)
    return f"# Title\n\n| a | b | kind |\n|---|:-:|---:|\n{rows}\nEnd.\n".encode()


def _orange() -> bytes:
    rows = "".join(f"{a}\t{b}\t{c}\n" for a, b, c in ROWS)
    return f"a\tb\tkind\ncontinuous\tcontinuous\tp q\n\t\tclass\n{rows}".encode()


def _records() -> list[dict[str, Any]]:
    return [dict(zip(NAMES, row, strict=True)) for row in ROWS]


GOOD: dict[str, Callable[[], bytes]] = {
    ".csv": TEXT.encode,
    ".tsv": TEXT.replace(",", "\t").encode,
    ".csv.gz": lambda: gzip.compress(TEXT.encode(), mtime=0),
    ".xlsx": _xlsx,
    ".xls": _xls,
    ".ods": lambda: ods(("s", "".join(ods_row(*row) for row in (NAMES, *ROWS)))),
    ".arff": _arff,
    ".svm": (
        lambda: "".join(f"{'+1' if c == 'p' else '-1'} 1:{a} 2:{b}\n" for a, b, c in ROWS).encode()
    ),
    ".json": lambda: json.dumps(_records()).encode(),
    ".jsonl": lambda: "".join(json.dumps(record) + "\n" for record in _records()).encode(),
    ".parquet": _parquet,
    ".tab": _orange,
    ".md": _markdown,
    ".learnscope": _project,
}
