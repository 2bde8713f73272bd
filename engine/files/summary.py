"""Summarises a finished run in a few lines."""

from collections.abc import Iterator, Sequence

from engine.base.notation import counted, cut, label_text, listed, number, plural
from engine.judge.evaluate import error_share
from engine.protocol.step import Level
from engine.runs.run import Run
from engine.scene.figures import Bars, Figure, Tree
from engine.table.baseline import baseline
from engine.table.problem import Problem

LETTERS = 60  # of a name
MOST = 40  # lines: a tree of thousands of leaves is unreadable


def learnt_lines(figures: Sequence[Figure]) -> list[str]:
    """The first tree or bars among the figures of a step as lines; [] without either."""
    found = next((figure for figure in figures if isinstance(figure, (Tree, Bars))), None)
    if found is None:
        return []
    lines = list(_branches(found) if isinstance(found, Tree) else _numbers(found))
    more = len(lines) - MOST
    return (
        [found.title, *lines]
        if more <= 0
        else [found.title, *lines[:MOST], f"  … and {counted(more, 'more line')}"]
    )


def _branches(tree: Tree) -> Iterator[str]:
    """A line per node, indented below its parent."""
    children: dict[int, list[int]] = {}
    for at, node in enumerate(tree.nodes):
        children.setdefault(node.parent, []).append(at)
    waiting = [(at, 1) for at in reversed(children.get(-1, []))]
    while waiting:
        at, depth = waiting.pop()
        node = tree.nodes[at]
        branch = f"{node.branch}: " if node.branch else ""
        note = f" ({node.note})" if node.note else ""
        yield f"{'  ' * depth}{_cut(branch)}{_cut(node.text)}{_cut(note)}"
        waiting += [(child, depth + 1) for child in reversed(children.get(at, []))]


def _numbers(bars: Bars) -> Iterator[str]:
    labels = [_cut(label) for label in bars.labels]
    wide = max(map(len, labels), default=0)
    for label, value in zip(labels, bars.values.tolist(), strict=True):
        yield f"  {label.ljust(wide)}  {number(value, bars.digits)}"


def _cut(text: str) -> str:
    return text if len(text) <= LETTERS else text[:LETTERS] + "…"


_NAME, _SENTENCE = 60, 600  # letters


def summary_lines(run: Run, data_name: str) -> list[str]:
    """Rows, steps, the last note, the last metrics, the errors, and the model itself."""
    trace, problem = run.trace, run.problem
    lines = [f"{run.algorithm.title} on {data_name}"]
    if not len(trace):
        return [*lines, "  steps      none"]
    last = trace[-1]
    metrics = " · ".join(f"{name} {number(value, 4)}" for name, value in last.metrics.items())
    rounds = len(trace.indices(Level.ROUND))
    end = "finished" if run.finished else "cut before the end"
    lines += [
        f"  rows       {_rows(problem)}",
        (
            f"  {run.pace.level.name.lower() + 's':9} "
            f" {_counted(len(trace), rounds, run.pace.level)}; {end}"
        ),
        f"  last step  {cut(last.note.text(), _SENTENCE)}",
    ]
    if metrics:
        lines.append(f"  numbers    {metrics}")
    if run.algorithm.predict is not None and problem.labelled.any():
        lines.append(f"  training   {_wrong(run, problem)}")
        if problem.held_out is not None:
            lines.append(f"  held out   {_wrong(run, problem.held_out)}")
        lines += _beside(run)
    return lines + [
        f"  {line}" for line in learnt_lines(run.algorithm.scene(run.trace.given, last).figures)
    ]


def _counted(steps: int, rounds: int, unit: Level) -> str:
    return (
        str(steps)
        if unit is Level.ROUND
        else f"{steps}, {rounds} of them {plural(rounds, 'a round', 'rounds')}"
    )


def _rows(problem: Problem) -> str:
    held_out = f", {problem.held_out.n} more held out" if problem.held_out is not None else ""
    classes = listed(label_text(label) for label in problem.classes)
    columns = f"{problem.d} {plural(problem.d, 'column')}"
    return f"{problem.n}{held_out}; {columns}" + (f"; classes {classes}" if classes else "")


def _beside(run: Run) -> list[str]:
    """The baseline on held-out rows, or else on training rows, and whether the method does
    worse.
    """
    problem = run.problem
    held_out = run.problem.held_out
    rows = held_out if held_out is not None and held_out.labelled.any() else problem
    found = baseline(problem)
    if found is None:
        return []
    error = found.error(rows)
    own = error_share(run.trace, held_out=rows is not problem)
    worse = "; the method does worse" if own > error else ""
    return [f"  baseline   always saying {found.name}: {number(100 * error, 1)} % wrong{worse}"]


def _wrong(run: Run, problem: Problem) -> str:
    count = int(problem.labelled.sum())
    if not count:
        return "no row has a class"
    share = error_share(run.trace, held_out=problem is not run.problem)
    return (
        f"{round(share * count)} of {count} {plural(count, 'row')} wrong"
        f" ({number(100 * share, 1)} %)"
    )
