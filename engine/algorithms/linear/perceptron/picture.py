"""The line, w as an arrow, the example it turns for, the visits so far."""

from engine.algorithms.linear.parts import FIELDS as FIELDS
from engine.algorithms.linear.parts.picture import (
    lines,
    under,
    visited,
    weight_arrows,
    weight_bars,
)
from engine.algorithms.linear.parts.visit_table import FEW, Visited, visit_table
from engine.algorithms.linear.perceptron import Setting, State, updated
from engine.authoring import Step, np, replace, short
from engine.base.notation import MINUS, counted
from engine.scene.scene import (
    Field,
    Layer,
    Role,
    Scene,
    Segments,
    Table,
    active_point,
    data_points,
    data_table,
    looked_at,
)

LISTED = 60  # visits in the table


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    current = looked_at(step.state)
    title = heading(given, step)
    figures = (
        weight_bars(given, s, under("Weights w", title)),
        data_table(problem, current=current),
        *visits(given, step),
    )
    if not problem.plane:
        return Scene((), figures)
    changed = step.line == "update"
    centred = given.column is None and problem.d <= 2
    shown = given.predict(s, problem.X)
    added = "+ η(y−h)x" if given.fires else "+ η·y·x"
    layers: list[Layer] = [
        Field("class"),
        *lines(given, step, ("update",)),
        data_points(problem, shown),
    ]
    layers += weight_arrows(
        problem, s.before, s.w, given.bias(s.w), centred, added if changed else ""
    )
    if changed and centred:
        layers.append(
            Segments(np.stack([np.zeros(2), problem.xy[s.current]])[None], Role.SAME, tag="current")
        )
    layers += [active_point(problem, i, shown, place=changed) for i in current]
    return Scene(tuple(layers), figures, plane=title)


def heading(given: Setting, step: Step[State]) -> str:
    """The round, and what this step of it comes to."""
    s = step.state
    if step.line == "start":
        return "Start" if s.w.any() else "Start: w = 0"
    if step.line == "until":
        made = counted(step.details["mistakes"], "mistake")
        return f"Round {s.round} is over: {made}, {s.errors} wrong now"
    if s.current < 0:
        return f"Round {s.round} begins"
    return f"Round {s.round}: {visited(given.problem, s, step.line)}"


def visits(given: Setting, step: Step[State]) -> list[Table]:
    """The table of all visits up to this step, MMDS Ex 12.4: where there is no plane, and few
    visits that follow from the start weights and the order of the table; else [].
    """
    s = step.state
    done = s.visited - (step.line == "take")
    if given.problem.plane or given.problem.d > FEW or not given.table_order:
        return []
    if not 0 < done <= LISTED:
        return []
    w = given.start(given.p.start)
    then = replace(s, w=w, before=w)
    visited = []
    for number in range(done):
        finished, place = divmod(number, len(given.rows))
        i = int(given.rows[place])
        then = replace(then, before=then.w, current=i, round=finished + 1, visited=number + 1)
        score = float(given.score(then.w, given.X[i]))
        after: tuple[str, ...] = ()
        if given.wrong(given.sign[i], score):
            then = updated(given, then, score)
            after = tuple(map(short, then.w.tolist()))
        visited.append(Visited(i, short(score), after))
    if not np.array_equal(then.w, s.w):  # the run began from other weights
        return []
    sign = "+" if given.fires else MINUS
    formula = "w·x" + "".join(f" {sign} {name}" for name in given.names[given.problem.d :])
    return [visit_table(given, visited, formula, s.w != s.before, 1, looking=s.current >= 0)]
