"""The way out to code: a Python script with numpy or scikit-learn that makes the model of a run
from the same data, without the lab. A module for each family has a function for each method, by its
key.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.base.errors import EngineError
from engine.base.records import Record
from engine.files.atomic import write_atomic
from engine.protocol.params import to_dict
from engine.scripts import (
    bayes,
    clusters,
    ensembles,
    experiments,
    instances,
    linear,
    margins,
    networks,
    online,
    regression,
    rules,
    trees,
)
from engine.scripts.body import (
    Body,
    ScriptRun,
    Writer,
    block,
    comment,
    listing,
    literal,
    plain,
    refuse,
)
from engine.scripts.changes import changes_code
from engine.scripts.table import Table, csv_text, table_code, table_of
from engine.table.given import file_path
from engine.table.problem import Task

if TYPE_CHECKING:
    from engine.runs.trace import Trace

STANDARD = ("csv", "pathlib", "itertools", "math", "collections", "heapq", "fractions")
FAMILIES: Mapping[str, Mapping[str, Writer]] = {
    "bayes": bayes.WRITERS,
    "clusters": clusters.WRITERS,
    "ensembles": ensembles.WRITERS,
    "experiments": experiments.WRITERS,
    "instances": instances.WRITERS,
    "linear": linear.WRITERS,
    "margins": margins.WRITERS,
    "networks": networks.WRITERS,
    "online": online.WRITERS,
    "regression": regression.WRITERS,
    "rules": rules.WRITERS,
    "trees": trees.WRITERS,
}
RULE = 92  # letters of a line that parts a script


class Script(Record, eq=True):
    """A script, its table, and how closely its answers agree with the lab's.

    text: the Python script
    table: the text of the CSV file that it reads, None where the rows stand in the script
    differs: sentences on where and why its answers can differ from the lab's
    share: the least share of places of the plane that get the same answer
    close: largest difference of two equal values, as a share of the largest value
    answers: whether it defines `predict`
    """

    text: str
    table: str | None
    differs: tuple[str, ...]
    share: float
    close: float
    answers: bool


def script(trace: "Trace", file: str | Path | None = None) -> str:
    """The script of a run; with `file` it is written there, and the table beside it where it is
    large. Without a file all rows stand in the script.

    Raises EngineError for a method or settings without a script, and when a file cannot be written;
    no file is left half.
    """
    if file is None:
        return script_of(trace).text
    path = file_path(file)
    made = _beside(trace, path)
    _write(made, path)
    return made.text


def write_script(trace: "Trace", file: str | Path) -> tuple[Path, ...]:
    """Write the script of a run, and beside it its table where that is large; returns the paths
    written.

    Raises EngineError as `script` does.
    """
    path = file_path(file)
    return _write(_beside(trace, path), path)


def _beside(trace: "Trace", path: Path) -> "Script":
    if not path.name:
        raise EngineError("The script needs the name of a file, as in perceptron.py.")
    if path.suffix.lower() == ".csv":
        raise EngineError(
            "A script is a .py file: beside a .csv file of its own name there is no room for its table."
        )
    return script_of(trace, f"{path.stem}.csv")


def _write(made: "Script", path: Path) -> tuple[Path, ...]:
    if made.table is not None:
        table = path.with_name(f"{path.stem}.csv")
        before = table.read_bytes() if table.is_file() else None
        write_atomic(table, [made.table.encode()])
        try:
            write_atomic(path, [made.text.encode()])
        except EngineError:  # no table without its script
            if before is None:
                table.unlink(missing_ok=True)
            else:
                write_atomic(table, [before])
            raise
        return path, table
    write_atomic(path, [made.text.encode()])
    return (path,)


def script_of(trace: "Trace", table_file: str | None = None) -> Script:
    """The script of a run.

    table_file: name of the CSV file for a large table; None: all rows stand in the script

    Raises EngineError for a method or parameters without a script.
    """
    body = _body(trace)
    table = table_of(trace.problem, "the data", _with_target(trace))
    file = None if table_file is None or table.small else table_file
    parts = [
        _docstring(trace, body, table),
        _imports(body, file),
        _titled(f"the data: {table.n:,} rows of {plain(table.name)[:40]}", table_code(table, file)),
        _changes(table),
        _rows(table, body),
        _titled(f"the method: {trace.algorithm.title}", _settings(trace, body) + "\n" + body.code),
        _titled("what came out", _answers(table, body)) if body.answers else _plain_model(body),
    ]
    text = _spaced("\n\n".join(part.strip("\n") for part in parts if part)) + "\n"
    return Script(
        text,
        None if file is None else csv_text(table),
        body.differs,
        body.share,
        body.close,
        body.answers,
    )


def _body(trace: "Trace") -> Body:
    algorithm = trace.algorithm
    if trace.start is not None or trace.branches:
        refuse(
            "This run goes on from a step of another one; a script begins at the beginning: run the method anew."
        )
    writer = FAMILIES.get(algorithm.family, {}).get(algorithm.key)
    if writer is None:
        refuse(
            f"{algorithm.title} has no script: the lab knows no counterpart of it in numpy or scikit-learn."
        )
    return writer(
        ScriptRun(trace.problem, trace.params, trace.given, trace.seed, algorithm.title, FAMILIES)
    )


def _with_target(trace: "Trace") -> bool:
    return trace.problem.target is not None and trace.algorithm.task is not Task.CLUSTER


# -- the parts -------------------------------------------------------------------------------------


def _docstring(trace: "Trace", body: Body, table: Table) -> str:
    settings = ", ".join(
        f"{name}={plain(literal(value))}" for name, value in to_dict(trace.params).items()
    )
    lines = [
        comment(
            f"{trace.algorithm.title} on {table.name}, from Learnscope; seed {trace.seed}.",
            '"""',
            "",
        ),
        "",
        comment(f"Settings in the lab: {settings or 'none'}.", "", ""),
    ]
    differs = list(body.differs)
    if not trace.finished:
        differs.append(
            f"The run in the lab was stopped after {len(trace):,} steps; this script goes on to its end."
        )
    if 0 < body.share < 1:
        differs.append(
            f"On the tables of the lab's tests at least {body.share:.0%} of the answers are equal."
        )
    if differs:
        lines += ["", "Where this script and the lab differ:"]
        lines += [comment(each, "- ", "  ") for each in differs]
    return "\n".join([*lines, '"""'])


def _imports(body: Body, file: str | None) -> str:
    standard = {"import csv", "from pathlib import Path"} if file else set()
    lines = {"import numpy as np", *body.imports}
    standard |= {line for line in lines if line.split()[1].split(".")[0] in STANDARD}
    groups = (sorted(group, key=_import_order) for group in (standard, lines - standard))
    return "\n\n".join("\n".join(group) for group in groups if group)


STANDARD = ("csv", "pathlib", "itertools", "math", "collections", "heapq", "fractions")


def _import_order(line: str) -> tuple[bool, str]:
    """Whole modules first, as linters want it."""
    return line.startswith("from"), line.lower()


def _titled(title: str, code: str) -> str:
    return f"# -- {title} {'-' * max(3, RULE - len(title))}\n\n{code.strip(chr(10))}"


def _changes(table: Table) -> str:
    code, functions = changes_code(table)
    if not code:
        return ""
    calls = "".join(f"    X = {name}(X)\n" for name in functions)
    text = f'''def prepare(X):
    """New rows of the table's own columns as the method takes them."""
{calls}    return X
'''
    return _titled("changes of the columns", code + ("\n\n\n" + text if functions else ""))


def _rows(table: Table, body: Body) -> str:
    """The training rows, and the others beside them."""
    lines = []
    if table.held_out.any():
        if table.target is not None:
            lines.append("X_test, y_test = X[held_out], y[held_out]")
            lines.append("X, y = X[~held_out], y[~held_out]")
        else:
            lines.append("X_test, X = X[held_out], X[~held_out]")
    if table.target is not None and not table.classes and table.target.has_gaps:
        lines.append(
            "X, y = X[np.isfinite(y)], y[np.isfinite(y)]  # rows without a value teach nothing"
        )
    if table.target is not None and table.classes and table.target.has_gaps:
        lines.append("X, y = X[y >= 0], y[y >= 0]  # rows without a class teach nothing")
    return "\n".join(lines)


def _settings(trace: "Trace", body: Body) -> str:
    lines = [
        listing(f"{name} = ", map(literal, value))
        if isinstance(value, list)
        else f"{name} = {literal(value)}"
        for name, value in body.settings
    ]
    if "SEED" in body.code:
        lines.append(f"SEED = {trace.seed}")
    return "\n".join(lines)


def _answers(table: Table, body: Body) -> str:
    report = _report(table, body)
    if table.classes and not body.groups and table.target is not None:
        return (
            block('''
            LABELS = np.array([*CLASSES, None], dtype=object)


            def predict(X):
                """(m,) the labels of rows X (m, {d}); None where the model gives none."""
                return LABELS[decide(np.asarray(X, dtype=float))]
        ''').replace("{d}", "d")
            + "\n\n\n"
            + report
        )
    return report


def _report(table: Table, body: Body) -> str:
    lines = list(body.model)
    if body.groups or table.target is None:
        lines += ['print("rows in each group:", np.bincount(predict(X)))'] * body.groups
        return "\n".join(lines)
    sides = [("training", "X", "y")] + [("held-out", "X_test", "y_test")] * bool(
        table.held_out.any()
    )
    for name, X, y in sides:
        if table.classes:
            lines.append(f'print("wrong {name} rows:", (decide({X}) != {y}).sum(), "of", len({X}))')
        else:
            lines.append(
                f'print("mean squared error, {name} rows:", np.mean((predict({X}) - {y}) ** 2))'
            )
    return "\n".join(lines)


def _plain_model(body: Body) -> str:
    return _titled("what came out", "\n".join(body.model)) if body.model else ""


def _spaced(text: str) -> str:
    """Two blank lines around functions, elsewhere at most one; no blanks at the ends of lines."""
    lines = list[str]()
    within = False  # a function
    for line in map(str.rstrip, text.splitlines()):
        if not line and (not lines or not lines[-1]):
            continue
        begins = line.startswith("def ")
        ends = within and bool(line) and not line[0].isspace()
        if begins or ends:
            _part(lines, begins)
        within = begins or (within and not ends)
        lines.append(line)
    return "\n".join(lines)


def _part(lines: list[str], begins: bool) -> None:
    """Two blank lines at the end; a comment right before a function belongs to it."""
    above = list[str]()
    while begins and lines and lines[-1].startswith("#") and not lines[-1].startswith("# --"):
        above.insert(0, lines.pop())
    while lines and not lines[-1]:
        lines.pop()
    lines += ["", "", *above]
