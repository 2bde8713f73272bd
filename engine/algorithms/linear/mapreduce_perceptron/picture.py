"""Mappers and reducers with the pairs that go between them, and on the plane the line before and
after, with rings round the examples that send. MMDS 12.2.8.
"""

from engine.algorithms.linear.mapreduce_perceptron import Setting, State
from engine.algorithms.linear.mapreduce_perceptron.job_cards import TINT, job_cards
from engine.algorithms.linear.mapreduce_perceptron.words import so_far
from engine.algorithms.linear.parts import FIELDS as FIELDS
from engine.algorithms.linear.parts.picture import (
    lines,
    separator,
    weight_arrows,
    weight_bars,
)
from engine.authoring import Step, np
from engine.scene.figures import text_column
from engine.scene.scene import (
    NO_GROUP,
    Field,
    Figure,
    Layer,
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
from engine.scene.views import PLANE
from engine.table.dataset import Feature

LISTED = 300  # pairs in the table
NAMED = 12  # senders that carry their names on the plane


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    current = looked_at(s)
    figures: tuple[Figure, ...] = (
        job_cards(given, s, step.line),
        pair_table(given, s, step.line),
        weight_bars(given, s),
        example_table(given, current),
    )
    if not problem.plane:
        return Scene((), figures, leads=("Job",))
    shown = given.predict(s, problem.X)
    change = "+ Δ" if step.line == "update" else ""
    centred = given.column is None and problem.d <= 2
    layers: list[Layer] = [Field("class"), *lines(given, step, ("update",))]
    layers.append(data_points(problem, shown))
    if step.line in ("map", "shuffle", "update"):
        layers += sent_now(given, s, step.line)
    layers += [active_point(problem, i, shown) for i in current]
    layers += weight_arrows(problem, s.before, s.w, given.bias(s.w), centred, change)
    return Scene(tuple(layers), figures, leads=("Job", PLANE))


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


def sent_now(given: Setting, s: State, line: str) -> list[Layer]:
    """Rings round the examples whose pairs are emitted, with their names, at the update round those
    of the whole job; for a local mapper its line.
    """
    if given.local:
        if line != "map":
            return []
        own = given.own_round(s.before, s.chunk)
        return [separator(given, own, Role.CANDIDATE, "draft")]
    rows = given.disagree(s.before, given.chunks[s.chunk] if line == "map" else given.rows)
    if not len(rows):
        return []
    problem = given.problem
    tags = problem.tags_of(rows)
    names = tuple(problem.names[i] for i in rows.tolist()) if len(rows) <= NAMED else ()
    return [
        Points(
            problem.xy[rows],
            np.full(len(rows), NO_GROUP),
            Role.CANDIDATE,
            label=names,
            tag="pairs",
            tags=tags,
        )
    ]


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
