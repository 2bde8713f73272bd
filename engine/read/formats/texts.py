"""Recognises a text by its beginning and its file name: selects its reader, or explains why none
can read it.
"""

import re

from engine.base.errors import EngineError
from engine.read.formats.arff import arff_form, is_arff
from engine.read.formats.basket import SUFFIXES, basket_form, listed_by
from engine.read.formats.form import Form, Opener
from engine.read.formats.json_records import json_form
from engine.read.formats.libsvm import is_libsvm, libsvm_form
from engine.read.formats.markdown import has_table, markdown_form
from engine.read.formats.orange import is_orange, orange_form

_FIRST = 50  # lines to judge by
_PAGE = "a web page, not a table; copy the table in the browser, and paste it"
_BLANKS = re.compile(r"\s*+")
_PROLOGUE = (("<!--", "-->"), ("<?xml", ">"), ("<!doctype", ">"))
_TAGS = (
    (re.compile(r"(?i)<(?:html|head|body|table|div|meta|p|script|style|title|center)\b"), _PAGE),
    (re.compile(r"(?i)<svg\b"), "a drawing (SVG), no table"),
)
_NO_TABLES = (
    (re.compile(r"(?i)\s*<!doctype html"), _PAGE),
    (
        re.compile(r"(?i)mime-version:"),
        "a saved web page or a mail, not a table; copy the table, and paste it",
    ),
    (
        re.compile(r"\s*<(?:\?xml\b|!DOCTYPE\b)"),
        "an XML file, not a table; save the table as CSV, then open that",
    ),
    (
        re.compile(r"\s*\\(?:documentclass|begin\{)"),
        "a LaTeX document, not a table; save the table as CSV, then open that",
    ),
    (
        re.compile(r"(?i)\s*(?:insert\s+into|create\s+table|drop\s+table)\s"),
        (
            "a script for a database (SQL), not a table; save the result of a query as CSV, then"
            " open that"
        ),
    ),
    (re.compile(r"%!PS"), "a PostScript document, which holds pages and no cells"),
)
_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[{\[])")
_LINE = re.compile(r"[^\r\n]*+")


def text_form(
    name: str, suffix: str, opener: Opener, encoding: str, text: str, cut: bool
) -> Form | None:
    """The reader of a text that begins with `text`; None for cells with separators.

    cut: whether the text continues. Raises EngineError, with the reason, if it is no table.
    """
    reason = next((why for sign, why in _TAGS if sign.match(text, _first_tag(text))), "")
    reason = reason or next((why for sign, why in _NO_TABLES if sign.match(text)), "")
    if suffix == ".lesson":
        reason = "a lesson, no table; this version of the lab cannot open lessons yet"
    if reason:
        raise EngineError(f"{name} is {reason}.")
    if suffix == ".arff" or is_arff(text):
        return arff_form(name, opener, encoding)
    if suffix in (".json", ".jsonl", ".ndjson", ".geojson", ".ipynb") or _JSON.match(text):
        lines = suffix in (".jsonl", ".ndjson") or _has_records(text)
        return json_form(name, opener, encoding, lines)
    first = [line for line in text.splitlines()[: -1 if cut else None] if line.strip()][:_FIRST]
    if suffix in (".md", ".markdown") or has_table(first[:3]):
        return markdown_form(name, opener, encoding)
    if is_orange(text.splitlines()[:3], suffix == ".tab"):
        return orange_form(name, opener, encoding)
    if is_libsvm(first):
        return libsvm_form(name, opener, encoding)
    separator = listed_by(first) or ("," if suffix in SUFFIXES else "")
    return basket_form(name, opener, encoding, separator) if separator else None


def _first_tag(text: str) -> int:
    """The position after blanks, comments and XML or HTML declarations."""
    place = 0
    going = True
    while going:
        place = _blanks_end(text, place)
        going = False
        for begin, end in _PROLOGUE:
            if text[place : place + len(begin)].lower() == begin:
                found = text.find(end, place + len(begin))
                going = found >= 0
                place = found + len(end) if found >= 0 else place
                break
    return place


def _blanks_end(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return found.end() if found is not None else place


def _has_records(text: str) -> bool:
    """Whether the first line is a whole JSON record and the next one begins another."""
    text = text.lstrip()
    line = _LINE.match(text)
    first = line[0] if line is not None else ""
    return (
        first.startswith("{")
        and first.rstrip().endswith("}")
        and text[len(first) :].lstrip().startswith("{")
    )
