"""Recognises a file by its first bytes: selects its reader, or explains why none can read it."""

import re
import zipfile
from collections.abc import Sequence

from engine.base.errors import EngineError
from engine.read.formats.form import Form, Opener

ZIP, OLE, PARQUET = b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"PAR1"
_AS_TABLE = "save the table as CSV, then open that"
_NO_TABLES = (
    (
        b"%PDF",
        "a PDF document, which holds pages and no cells; copy the table out of it, and paste it",
    ),
    (b"{\\rtf", "a text document (RTF); copy the table out of it, and paste it"),
    (b"\x89PNG", "a picture (PNG), no table"),
    (b"\xff\xd8\xff", "a picture (JPEG), no table"),
    (b"GIF8", "a picture (GIF), no table"),
    (b"II*\x00", "a picture (TIFF), no table"),
    (b"MM\x00*", "a picture (TIFF), no table"),
    (b"\x00\x00\x01\x00", "a picture (an icon), no table"),
    (b"SQLite format 3\x00", f"an SQLite database; {_AS_TABLE}"),
    (
        b"\x93NUMPY",
        (
            "an array of numpy (.npy) without names of columns; write it with numpy.savetxt, then"
            " open that"
        ),
    ),
    (b"\x89HDF\r\n", f"an HDF5 file; {_AS_TABLE}"),
    (b"CDF\x01", f"a NetCDF file; {_AS_TABLE}"),
    (b"MATLAB 5.0", f"a file of MATLAB (.mat); {_AS_TABLE}"),
    (b"ARROW1", "a Feather or Arrow file; save the table as Parquet or CSV, then open that"),
    (b"FEA1", "a Feather file; save the table as Parquet or CSV, then open that"),
    (b"Obj\x01", f"an Avro file; {_AS_TABLE}"),
    (b"ORC", f"an ORC file; {_AS_TABLE}"),
    (b"$FL2", f"a file of SPSS (.sav); {_AS_TABLE}"),
    (b"<stata_dta>", f"a file of Stata (.dta); {_AS_TABLE}"),
    (b"RDX", f"a file of R (.RData); {_AS_TABLE} with write.csv"),
    (b"BZh", "packed with bzip2; unpack it, then open what it holds"),
    (b"\xfd7zXZ\x00", "packed with xz; unpack it, then open what it holds"),
    (b"(\xb5/\xfd", "packed with Zstandard; unpack it, then open what it holds"),
    (b"7z\xbc\xaf", "a 7z archive; unpack it, then open the table in it"),
    (b"Rar!", "a RAR archive; unpack it, then open the table in it"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x7fELF", "a program, no table"),
    (b"MZ\x90\x00", "a program, no table"),
)
_WORDS = re.compile(rb"[\w .]+")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x19]")
_PICKLES = tuple(
    bytes([0x80, version, sign]) for version in (2, 3, 4, 5) for sign in b"\x95c}](KGXqU"
)
_IN_ZIP = (
    ("word/document.xml", "a Word document; copy the table out of it, and paste it"),
    ("ppt/presentation.xml", "a presentation of PowerPoint, no table"),
    ("xl/workbook.bin", "a binary Excel file (.xlsb); save it as .xlsx or as CSV, then open that"),
    ("META-INF/MANIFEST.MF", "a program or archive of Java, no table"),
    ("Index/Document.iwa", f"a file of Numbers, Pages or Keynote; {_AS_TABLE}"),
)
_IN_OLE = (
    (
        "EncryptedPackage",
        "an Excel file locked by a password; open it in Excel and save it without one",
    ),
    ("WordDocument", "a Word document; copy the table out of it, and paste it"),
    ("PowerPoint Document", "a presentation of PowerPoint, no table"),
)
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."


def binary_form(name: str, opener: Opener, head: bytes, sheet: str = "") -> Form | None:
    """The reader of a file that begins with `head`; None if it may be text.

    Raises EngineError, with the reason, if it holds no table that the lab can read.
    """
    if head.startswith(ZIP):
        return _zip_form(name, opener, sheet)
    if head.startswith(OLE):
        return _ole_form(name, opener, sheet)
    if head.startswith(PARQUET):
        from engine.read.formats.parquet import parquet_form

        return parquet_form(name, opener)
    binary = _CONTROL.search(head) is not None  # a text may begin with ORCHID
    found = (
        reason
        for sign, reason in _NO_TABLES
        if head.startswith(sign) and (binary or not _WORDS.fullmatch(sign))
    )
    reason = next(found, "")
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        reason = "a picture (WebP), no table"
    if head.startswith(b"BM") and head[6:10] == bytes(4):
        reason = "a picture (BMP), no table"
    if head[4:8] == b"ftyp":
        reason = "a film or a picture, no table"
    if head.startswith(_PICKLES):
        reason = (
            "a pickle of Python, which could run any program when it is read; write the table with"
            " to_csv, then open that"
        )
    if reason:
        raise EngineError(f"{name} is {reason}.")
    return None


def _zip_form(name: str, opener: Opener, sheet: str) -> Form:
    from engine.read.excel import excel_form
    from engine.read.formats.ods import ods_form

    with opener() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                names = archive.namelist()
                kind = (
                    archive.open("mimetype").read(200).decode("ascii", "replace")
                    if "mimetype" in names
                    else ""
                )
        except Exception:  # zipfile raises many kinds of errors
            raise EngineError(
                f"{name} cannot be read as an Excel file or another packed one: it may be"
                " half-written, or locked by a password."
            ) from None
    if kind.startswith(_OPEN_DOCUMENT + "spreadsheet"):
        return ods_form(name, opener, sheet)
    if "xl/workbook.xml" in names:
        return excel_form(name, opener, sheet)
    raise EngineError(f"{name} is {_archive(kind, names)}.")


def _archive(kind: str, names: Sequence[str]) -> str:
    """What a ZIP archive holds that is no workbook, in words."""
    if kind.startswith(_OPEN_DOCUMENT):
        return "an OpenDocument file, but no spreadsheet; copy the table out of it, and paste it"
    if kind == "application/epub+zip":
        return "a book (EPUB), no table"
    found = next((reason for inside, reason in _IN_ZIP if inside in names), "")
    if names and all(inside.endswith(".npy") for inside in names):
        found = (
            "a set of arrays of numpy (.npz) without names of columns; write one with"
            " numpy.savetxt, then open that"
        )
    return found or "a ZIP archive; unpack it, then open the table in it"


def _ole_form(name: str, opener: Opener, sheet: str) -> Form:
    from engine.read.excel import old_excel_form
    from engine.read.formats.compound import Compound
    from engine.read.formats.form import whole

    with opener() as stream:
        streams = Compound(name, whole(name, stream)).names
    reason = next((reason for inside, reason in _IN_OLE if inside in streams), "")
    if not reason and not {"Workbook", "Book"} & set(streams):
        reason = "a document of an old program, no table; save the table as CSV, then open that"
    if reason:
        raise EngineError(f"{name} is {reason}.")
    return old_excel_form(name, opener, sheet)
