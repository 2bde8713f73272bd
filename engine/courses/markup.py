"""Pieces of HTML and XML: texts come from tables and may hold anything."""

import re
from collections.abc import Sequence
from html import escape

from engine.table.problem import Problem

FEW_ROWS, FEW_COLUMNS = 24, 12  # of a table that stands beside a question
# XML 1.0 allows tab, line feed, carriage return and what begins at the space; half of a pair
# (surrogate) is no character
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """The text without characters that XML cannot hold; each becomes the replacement character."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def html(text: str) -> str:
    """Text as HTML. Braces are entities: in a text of Moodle they would begin a field."""
    return escape(clean(text)).replace("{", "&#123;").replace("}", "&#125;")


def cdata(text: str) -> str:
    """Text as a CDATA section of XML."""
    return "<![CDATA[" + clean(text).replace("]]>", "]]]]><![CDATA[>") + "]]>"


def paragraphs(lines: Sequence[str]) -> str:
    """Each line as a paragraph of HTML, empty ones left out."""
    return "".join(f"<p>{html(line)}</p>" for line in lines if line)


def cells_of(problem: Problem, rows: Sequence[int]) -> list[list[str]]:
    """The table of a problem as texts, its heads first: name, features, target; of these rows."""
    target = problem.target
    heads = ["", *problem.titles, *([target.title] if target is not None else [])]
    found = [heads]
    for row in rows:
        values = [feature.text(problem.X[row, j]) for j, feature in enumerate(problem.features)]
        found.append(
            [
                problem.names[row],
                *values,
                *([target_text(problem, row)] if target is not None else []),
            ]
        )
    return found


def target_text(problem: Problem, row: int) -> str:
    """The target of a row as text: its class, "?" for a row without one, or its value; "" for a
    problem without a target.
    """
    if problem.classes:
        code = int(problem.codes[row])
        return problem.class_text(code) if code >= 0 else "?"
    return problem.target.text(float(problem.y[row])) if problem.target is not None else ""


def html_table(cells: Sequence[Sequence[str]]) -> str:
    """A table of HTML whose first row and column are heads."""
    head = "".join(f"<th>{html(text)}</th>" for text in cells[0])
    body = "".join(
        f"<tr><th>{html(row[0])}</th>"
        + "".join(f"<td>{html(text)}</td>" for text in row[1:])
        + "</tr>"
        for row in cells[1:]
    )
    return f'<table border="1" cellpadding="4"><tr>{head}</tr>{body}</table>'


def small_table(problem: Problem) -> str:
    """The whole table of a small problem as HTML, "" for a larger one."""
    if problem.n > FEW_ROWS or problem.d > FEW_COLUMNS:
        return ""
    return html_table(cells_of(problem, range(problem.n)))
