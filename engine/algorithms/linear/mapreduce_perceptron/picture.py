"""Chunks as tints, mappers and reducers with the pairs that fly between them, the line before and
after. MMDS 12.2.8.
"""

from engine.algorithms.linear.mapreduce_perceptron import Setting, State
from engine.algorithms.linear.parts import FIELDS as FIELDS
from engine.algorithms.linear.parts.picture import (
    lines,
    separator,
    weight_arrows,
    weight_bars,
    weight_tags,
)
from engine.authoring import Float, Int, Step, np
from engine.core.dataset import Feature
from engine.core.notation import counted, fixed
from engine.core.scene import (
    NO_GROUP,
    Arrows,
    Field,
    Figure,
    Labels,
    Layer,
    Plot,
    Points,
    Role,
    Scene,
    Table,
    TableColumn,
    active_point,
    data_points,
    data_table,
    looked_at,
)
from engine.pictures.text_columns import text_column

TINT = 2  # the first colour of a chunk: the two before are the classes'
# pairs in the table; mappers and reducers with a place of their own, the last for all others
LISTED, MANY = 300, 6
# of the way from mapper to reducer; of the room of one of them
GAP, BESIDE, ABOVE = 0.08, 0.45, 0.3
FLOWN = {
    "test": (GAP, 0.5),
    "emit": (GAP, 0.5),
    "map": (GAP, 0.5),
    "shuffle": (0.5, 1 - GAP),
    "reduce": (0.5, 1 - GAP),
}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    current = looked_at(step.state)
    table = data_table(
        problem,
        lambda own: [
            text_column("chunk", ["" if c < 0 else str(c + 1) for c in given.mapper.tolist()]),
            *own,
        ],
        group=np.where(given.mapper < 0, NO_GROUP, given.mapper + TINT),
        current=current,
        tag="current",
    )
    jobs = job_plot(given, s, step.line), pair_table(given, s, step.line)
    figures: tuple[Figure, ...] = (*jobs, weight_bars(given, s), table)
    if not problem.plane:
        return Scene((), figures)
    shown = given.predict(s, problem.X)
    changed = step.line == "update"
    centred = given.column is None and problem.d <= 2
    layers: list[Layer] = [Field("class"), *chunk_tints(given), *lines(given, step, ("update",))]
    if step.line == "map":
        layers += sent_now(given, s)
    layers += [data_points(problem, shown), *(active_point(problem, i, shown) for i in current)]
    layers += weight_arrows(problem, s.before, s.w, given.bias(s.w), centred, "+ Δ" * changed)
    return Scene(tuple(layers), figures)


def chunk_tints(given: Setting) -> list[Layer]:
    """Under each example the mark of its mapper."""
    xy = given.problem.xy
    problem = given.problem
    return [
        Points(
            xy[rows],
            np.full(len(rows), c + TINT),
            Role.REGION,
            tag=f"chunk {c}",
            tags=problem.tags_of(rows),
        )
        for c, rows in enumerate(given.chunks)
    ]


def sent_now(given: Setting, s: State) -> list[Layer]:
    """Rings round the examples whose pairs are sent; or the line of a mapper on its own."""
    if given.local:
        return [separator(given, given.alone(s.before, s.chunk), Role.CANDIDATE, "draft")]
    rows = given.chunks[s.chunk]
    rows = rows[given.disagree(s.before, rows)]
    xy = given.problem.xy[rows]
    codes = given.problem.codes[rows]
    return (
        [Points(xy, codes, Role.CANDIDATE, tag="pairs", tags=given.problem.tags_of(rows))]
        if len(rows)
        else []
    )


def places(n: int, x: float) -> tuple[Int, Float]:
    """(n,) at which of the places on one side each mapper or reducer is; the places from top to
    bottom.
    """
    shown = min(n, MANY)
    return np.minimum(np.arange(n), MANY - 1), np.column_stack(
        [np.full(shown, x), 1 - (np.arange(shown) + 0.5) / shown]
    )


def named(stations: Float) -> Float:
    """Where the names of mappers or reducers stand: above them."""
    return np.asarray(stations + np.array([0.0, ABOVE / max(len(stations), 3)]))


def job_plot(given: Setting, s: State, line: str) -> Plot:
    """Mappers on the left, a reducer for each weight on the right; an arrow says how many pairs fly
    from one to another.
    """
    (left, starts), (right, ends) = places(len(given.chunks), 0.0), places(len(given.names), 1.0)
    pairs = given.so_far(s)
    flown = FLOWN.get(line, (0.0, 0.0))
    counts, now = np.zeros((len(starts), len(ends)), int), np.zeros((len(starts), len(ends)), bool)
    np.add.at(counts, (left[given.senders(pairs)], right[pairs.keys]), 1)
    now[
        left[s.chunk] if line in ("test", "emit", "map") else slice(None),
        right[s.key] if line == "reduce" else slice(None),
    ] = True
    tags = tuple(f"chunk {c}" for c in range(len(starts)))
    layers: list[Layer] = [
        Points(starts, np.arange(len(starts)) + TINT, tag="pairs", tags=tags),
        Points(
            ends,
            np.full(len(ends), NO_GROUP),
            Role.PLAIN,
            tag="w",
            tags=weight_tags(given)[: len(ends)],
        ),
        Labels(named(starts), mapper_texts(given, s, counts), tag="pairs"),
        Labels(named(ends), reducer_texts(given, s, len(ends)), tag="w"),
    ]
    for role, shown in ((Role.PLAIN, ~now), (Role.ACTIVE, now)) if flown[1] else ():
        a, b = np.nonzero((counts > 0) & shown)
        if len(a):
            way = ends[b] - starts[a]
            texts = tuple(map(str, counts[a, b].tolist())) if role is Role.ACTIVE else ()
            layers.append(
                Arrows(
                    starts[a] + flown[0] * way, starts[a] + flown[1] * way, role, texts, tag="pairs"
                )
            )
    return Plot(
        "Job: pairs on their way",
        "",
        "",
        tuple(layers),
        beside=True,
        ticks=False,
        x_range=(-BESIDE, 1 + BESIDE),
        y_range=(0.0, 1.0),
    )


def mapper_texts(given: Setting, s: State, counts: Int) -> tuple[str, ...]:
    names = [f"mapper {c + 1}" for c in range(len(counts))]
    if len(given.chunks) > MANY:
        names[-1] = counted(len(given.chunks) - MANY + 1, "other")
    return tuple(
        f"{name}: {total}" if c <= s.chunk else name
        for c, (name, total) in enumerate(zip(names, counts.sum(1).tolist(), strict=True))
    )


def reducer_texts(given: Setting, s: State, shown: int) -> tuple[str, ...]:
    names = list(given.keys[:shown])
    if len(given.names) > MANY:
        names[-1] = counted(len(given.names) - MANY + 1, "other")
    known = [f"Δ = {fixed(v)}" for v in s.deltas[: shown - (len(given.names) > MANY)].tolist()]
    return tuple(
        f"{name}: {delta}" if delta else name
        for name, delta in zip(names, known + [""] * (shown - len(known)), strict=True)
    )


def pair_table(given: Setting, s: State, line: str) -> Table:
    """The pairs of this job as they were sent; from the shuffle on, those of a key together."""
    pairs = given.so_far(s)
    problem = given.problem
    order = (
        np.argsort(pairs.keys, kind="stable")
        if line in ("shuffle", "reduce", "update", "until")
        else np.arange(len(pairs))
    )
    order = (
        order[-LISTED:] if line in FLOWN and line not in ("shuffle", "reduce") else order[:LISTED]
    )
    rows = pairs.rows[order]
    keys = pairs.keys[order]
    senders = given.senders(pairs)[order]
    now = {"map": senders == s.chunk, "emit": rows == s.current, "reduce": keys == s.key}.get(
        line, np.zeros(len(order), bool)
    )
    names = [problem.names[i] if i >= 0 else "all" for i in rows.tolist()]
    columns = (
        text_column("mapper", [str(c + 1) for c in senders.tolist()]),
        text_column("from", names),
        text_column("key i", [given.keys[k] for k in keys.tolist()]),
        TableColumn(Feature("value"), pairs.values[order], digits=3),
    )
    tags = tuple(
        problem.row_tags[i] if i >= 0 else f"chunk {c}"
        for i, c in zip(rows.tolist(), senders.tolist(), strict=True)
    )
    numbers = tuple((order + 1).tolist())
    return Table(
        "Pairs",
        columns,
        tuple(f"pair {k}" for k in numbers),
        senders + TINT,
        None,
        tuple(np.flatnonzero(now).tolist()),
        "pairs",
        numbers,
        tags,
    )
