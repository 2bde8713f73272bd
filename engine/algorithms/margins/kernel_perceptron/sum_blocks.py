"""The sum of kernels that decides about an example, read down the columns: how often each example
was counted, its kernel with the one that is asked about, and the product of both.
"""

from engine.algorithms.margins.kernel_perceptron import Setting, State
from engine.algorithms.margins.parts.picture import listed
from engine.authoring import Int, np
from engine.base.notation import MINUS, fixed, number, quoted
from engine.scene.scene import NO_GROUP, Block, Blocks, Role

MOST = 24  # examples that all have a column; of more those that count most
HIGH = 3.0  # rows of the sheet that bars take
APART = 2.4  # rows of the sheet between two grids, for a title


def shown_rows(given: Setting, s: State) -> list[int]:
    """The rows that have a column, class by class."""
    problem = given.problem
    current = (s.current,) if s.current >= 0 else ()
    few = problem.n <= MOST
    rows = list(range(problem.n)) if few else listed(problem, s.counts, current)
    return sorted(rows, key=lambda row: (int(problem.codes[row]), row))


def asked_counts(s: State, line: str) -> Int:
    """(n,) the counts with which the current example was asked about: before its own mistake."""
    counts = s.counts.copy()
    if line == "update":
        counts[s.current] -= 1
    return counts


def kernel_sum(given: Setting, s: State, line: str) -> Blocks:
    """The counts c y as bars, the kernel matrix with a frame round the row of the current example,
    and that row times c y.
    """
    problem = given.problem
    rows = shown_rows(given, s)
    count = len(rows)
    counts = asked_counts(s, line)
    cy = (counts * given.sign)[rows]
    K = given.kernel.matrix(given.X[rows], given.X[rows])
    digits = 0 if np.array_equal(K, np.round(K)) else 2
    names = tuple(problem.names[row] for row in rows)
    tags = tuple(problem.tags_of(rows))
    codes = problem.codes[rows]
    at = rows.index(s.current) if s.current in rows else -1
    frame = ((at, 0, 1, count),) if at >= 0 else ()
    blocks = [
        Block(
            "c y: mistakes about each so far", 0, 0, cy[None].astype(np.float64), (), names, 0,
            "bars", codes, numbers=False, column_tags=tags, high=HIGH,
        ),
        Block(
            "K of each with each", HIGH + APART, 0, K, names, (), digits, frames=frame,
            numbers=False,
            row_tags=tags, column_tags=tags,
        ),
    ]  # fmt: skip
    some = ", the largest" if count < problem.n else ""
    title = f"c y K: row {names[at]} times c y{some}" if at >= 0 else "c y K"
    terms = cy * K[at] if at >= 0 else np.zeros(count)
    if given.learned and at >= 0:  # after a gap, as it belongs to no example
        b = float(given.sign @ counts)
        title += ", and b"
        terms = np.append(terms, [np.nan, b])
        codes = np.append(codes, [NO_GROUP, int(b < 0)])
        tags = (*tags, "", "")
    blocks.append(
        Block(
            title, HIGH + count + 2 * APART, 0, terms[None], (), (), digits, "bars", codes,
            numbers=False, column_tags=tags, high=HIGH,
        )
    )  # fmt: skip
    said = in_words(given, counts, s.current) if at >= 0 else "Σ c y K decides about each in turn"
    notes = ((said, Role.ACTIVE if at >= 0 else Role.PLAIN),)
    return Blocks("Sum of kernels", tuple(blocks), notes=notes)


def in_words(given: Setting, counts: Int, row: int) -> str:
    """What the two classes add up to, with b where it is learnt, and what the sum says."""
    problem = given.problem
    K = given.kernel.matrix(given.X[[row]], given.X)[0]
    b = float(given.sign @ counts) if given.learned else 0.0
    terms = counts * given.sign * K
    ahead = float(terms[terms > 0].sum())
    against = float(-terms[terms < 0].sum())
    total = ahead - against + b
    classes = [problem.class_text(k) for k in range(2)]
    says = "on the boundary" if not total else f"says {quoted(classes[int(total < 0)])}"
    last = f" {MINUS if b < 0 else '+'} {number(abs(b))}" if given.learned else ""
    law = "Σ c y K + b" if given.learned else "Σ c y K"
    return f"{law} = {fixed(ahead)} − {fixed(against)}{last} = {fixed(total)}: {says}"
