"""Chunks as tints, mappers and reducers with the pairs that fly between them, the line before and
after. MMDS 12.2.8.
"""

from engine.algorithms.linear.mapreduce_perceptron import Setting, State
from engine.algorithms.linear.mapreduce_perceptron.words import so_far
from engine.algorithms.linear.parts import FIELDS as FIELDS
from engine.algorithms.linear.parts.picture import (
    lines,
    separator,
    weight_arrows,
    weight_bars,
    weight_tags,
)
from engine.authoring import Float, Int, Step, np
from engine.base.notation import counted, fixed
from engine.scene.figures import text_column
from engine.scene.scene import (
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
from engine.table.dataset import Feature

TINT = 2  # the first colour of a chunk: the two before are the classes'
LISTED = 300  # pairs in the table
MANY = 6  # mappers, or reducers, with a place of their own; the last is for all others
GAP = 0.08  # of the way from mapper to reducer that stays free at either end
BESIDE = 0.45  # room for names beside the two sides, in parts of the way
ABOVE = 0.3  # of the room of a mapper: how far its name stands above it
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
    current = looked_at(s)
    figures: tuple[Figure, ...] = (
        job_plot(given, s, step.line),
        pair_table(given, s, step.line),
        weight_bars(given, s),
        example_table(given, current),
    )
    if not problem.plane:
        return Scene((), figures)
    shown = given.predict(s, problem.X)
    change = "+ Δ" if step.line == "update" else ""
    centred = given.column is None and problem.d <= 2
    layers: list[Layer] = [Field("class"), *chunk_tints(given), *lines(given, step, ("update",))]
    if step.line == "map":
        layers += sent_now(given, s)
    layers.append(data_points(problem, shown))
    layers += [active_point(problem, i, shown) for i in current]
    layers += weight_arrows(problem, s.before, s.w, given.bias(s.w), centred, change)
    return Scene(tuple(layers), figures)


def example_table(given: Setting, current: tuple[int, ...]) -> Table:
    """The examples with their chunk, in the colour of its mapper."""
    mapper = given.mapper
    texts = [str(chunk + 1) if chunk >= 0 else "" for chunk in mapper.tolist()]
    return data_table(
        given.problem,
        lambda own: [text_column("chunk", texts), *own],
        group=np.where(mapper < 0, NO_GROUP, mapper + TINT),
        current=current,
        tag="current",
    )


def chunk_tints(given: Setting) -> list[Layer]:
    """A mark below each example in the colour of its mapper."""
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
    """Rings around the examples whose pairs are emitted; for a local mapper its line."""
    if given.local:
        own = given.own_round(s.before, s.chunk)
        return [separator(given, own, Role.CANDIDATE, "draft")]
    rows = given.disagree(s.before, given.chunks[s.chunk])
    if not len(rows):
        return []
    problem = given.problem
    tags = problem.tags_of(rows)
    return [Points(problem.xy[rows], problem.codes[rows], Role.CANDIDATE, tag="pairs", tags=tags)]


def places(n: int, x: float) -> tuple[Int, Float]:
    """((n,) the place of each mapper or reducer of one side, (k, 2) the places from top to bottom);
    all that have no place of their own share the last.
    """
    shown = min(n, MANY)
    heights = 1 - (np.arange(shown) + 0.5) / shown
    place = np.minimum(np.arange(n), MANY - 1)
    return place, np.column_stack([np.full(shown, x), heights])


def named(stations: Float) -> Float:
    """(m, 2) the places of the names of mappers or reducers, above their stations (m, 2)."""
    return np.asarray(stations + np.array([0.0, ABOVE / max(len(stations), 3)]))


def job_plot(given: Setting, s: State, line: str) -> Plot:
    """A plot of the job: mappers at the left, a reducer for each weight at the right, arrows with
    the numbers of pairs.
    """
    left, starts = places(len(given.chunks), 0.0)
    right, ends = places(len(given.names), 1.0)
    pairs = so_far(given, s)
    counts = np.zeros((len(starts), len(ends)), int)
    np.add.at(counts, (left[given.senders(pairs)], right[pairs.keys]), 1)
    chunks = tuple(f"chunk {c}" for c in range(len(starts)))
    no_class = np.full(len(ends), NO_GROUP)
    weights = weight_tags(given)[: len(ends)]
    layers: list[Layer] = [
        Points(starts, np.arange(len(starts)) + TINT, tag="pairs", tags=chunks),
        Points(ends, no_class, Role.PLAIN, tag="w", tags=weights),
        Labels(named(starts), mapper_texts(given, s, counts), tag="pairs"),
        Labels(named(ends), reducer_texts(given, s, len(ends)), tag="w"),
    ]
    if line in FLOWN:
        now = np.zeros(counts.shape, bool)
        senders = left[s.chunk] if line in ("test", "emit", "map") else slice(None)
        receivers = right[s.key] if line == "reduce" else slice(None)
        now[senders, receivers] = True
        layers += pair_arrows(starts, ends, np.where(now, 0, counts), line, Role.PLAIN)
        layers += pair_arrows(starts, ends, np.where(now, counts, 0), line, Role.ACTIVE)
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


def pair_arrows(starts: Float, ends: Float, counts: Int, line: str, role: Role) -> list[Layer]:
    """An arrow from each mapper to each reducer that pairs (counts) fly between, as far as they
    have come at a line; the active ones with how many there are.
    """
    a, b = np.nonzero(counts)
    if not len(a):
        return []
    first, last = FLOWN[line]
    way = ends[b] - starts[a]
    texts = tuple(map(str, counts[a, b].tolist())) if role is Role.ACTIVE else ()
    return [Arrows(starts[a] + first * way, starts[a] + last * way, role, texts, tag="pairs")]


def mapper_texts(given: Setting, s: State, counts: Int) -> tuple[str, ...]:
    """The label of each mapper, with its number of pairs once it is done."""
    names = [f"mapper {c + 1}" for c in range(len(counts))]
    if len(given.chunks) > MANY:
        names[-1] = counted(len(given.chunks) - MANY + 1, "other")
    totals = counts.sum(axis=1).tolist()
    done = [f"{name}: {total}" for name, total in zip(names, totals, strict=True)]
    return (*done[: s.chunk + 1], *names[s.chunk + 1 :])


def reducer_texts(given: Setting, s: State, shown: int) -> tuple[str, ...]:
    """The label of each reducer, with its Δ once it is done."""
    names = list(given.keys[:shown])
    alone = shown
    if len(given.names) > MANY:
        names[-1] = counted(len(given.names) - MANY + 1, "other")
        alone = shown - 1
    deltas = s.deltas[:alone].tolist()
    done = [f"{name}: Δ = {fixed(delta)}" for name, delta in zip(names, deltas, strict=False)]
    return (*done, *names[len(done) :])


def pair_table(given: Setting, s: State, line: str) -> Table:
    """The pairs of this job in the order of emission; from the shuffle on grouped by key."""
    pairs = so_far(given, s)
    problem = given.problem
    order = np.arange(len(pairs))
    if line in ("shuffle", "reduce", "update", "until"):
        order = np.argsort(pairs.keys, kind="stable")
    order = order[-LISTED:] if line in ("test", "emit", "map") else order[:LISTED]
    rows = pairs.rows[order]
    keys = pairs.keys[order]
    senders = given.senders(pairs)[order]
    now = np.zeros(len(order), bool)
    if line == "map":
        now = senders == s.chunk
    elif line == "emit":
        now = rows == s.current
    elif line == "reduce":
        now = keys == s.key
    columns = (
        text_column("mapper", [str(c + 1) for c in senders.tolist()]),
        text_column("from", [problem.names[i] if i >= 0 else "all" for i in rows.tolist()]),
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
        current=tuple(np.flatnonzero(now).tolist()),
        tag="pairs",
        numbers=numbers,
        tags=tags,
    )
