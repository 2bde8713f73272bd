"""The line, the weights with what was done to them, the printed table. MMDS Figs 12.7 and 12.9."""

from fractions import Fraction
from itertools import compress

from engine.algorithms.linear.parts import FIELDS as FIELDS
from engine.algorithms.linear.parts.picture import lines, weight_tags
from engine.algorithms.linear.parts.visit_table import Visited, visit_table
from engine.algorithms.linear.winnow import Setting, State
from engine.algorithms.linear.winnow.words import operands, readable
from engine.authoring import Step, np, short
from engine.base.notation import counted, value_text
from engine.base.sums import add_up
from engine.scene.scene import (
    Bars,
    Field,
    Figure,
    Role,
    Scene,
    Table,
    data_table,
    looked_at,
    plane_scene,
)


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    changed = (s.powers != s.before)[: problem.d]
    amber = {problem.features[j].name: Role.ACTIVE for j in np.flatnonzero(changed)}
    examples = data_table(problem, current=looked_at(s), roles=amber, tag="current")
    table = (visits(given, s),) if s.visits else ()
    figures: tuple[Figure, ...] = (weight_bars(given, step), *table, examples)
    shown = given.predict(s, problem.X)
    line = lines(given, step, ("double", "halve"))
    return plane_scene(problem, s, shown, figures, [Field("class")], line, place=problem.d == 2)


def heading(given: Setting, step: Step[State]) -> str:
    """How w · x of the example stands to θ before this step, and what comes of it; at the end of a
    round its mistakes.
    """
    s = step.state
    if step.line == "until":
        made = counted(step.details["mistakes"], "mistake")
        return f": round {s.round} is over, {made}, {s.errors} wrong now"
    if s.current < 0:
        begins = f": round {s.round} begins"
        return ": every weight starts at 1" if step.line == "start" else begins
    name = given.problem.names[s.current]
    if step.line == "take":
        return f": look at {name}"
    said = operands(given, s)
    score = fraction_text(said["score"].value)
    verdict = "right" if step.line == "test" else "wrong"
    return (
        f": {name} is {verdict}, w·x = {score} {said['sign']} {fraction_text(said['theta'].value)}"
    )


def weight_bars(given: Setting, step: Step[State]) -> Bars:
    """Bars of the weights; doubled and halved ones in amber with × and ÷ at their names, while an
    example is tested those that its w · x adds up. A fixed θ has no bar.
    """
    s = step.state
    kept = slice(None) if given.learned else slice(0, given.problem.d)
    change = (s.powers - s.before)[kept].tolist()
    added = change
    if step.line in ("take", "test"):
        added = given.extended(given.problem.X[[s.current]])[0, kept].tolist()
    by = short(given.p.factor)
    marks = {1: f" × {by}", -1: f" ÷ {by}", 0: ""}
    return Bars(
        ("Weights w" if given.learned else f"Weights w, θ = {short(s.theta)}")
        + heading(given, step),
        tuple(name + marks[c] for name, c in zip(given.names[kept], change, strict=True)),
        given.floats(s.powers)[kept],
        tuple(Role.ACTIVE if c else Role.PLAIN for c in added),
        given.floats(s.before)[kept],
        tag="w",
        beside=True,
        ticks="before this step",
        tags=weight_tags(given)[kept],
        checked=False,
    )


def visits(given: Setting, s: State) -> Table:
    """The table of visits. A learned θ counts in the score, as the weight of a feature that is −1,
    MMDS Fig 12.9.
    """
    exact = {powers.tobytes(): given.exact(powers) for _, powers, _ in s.visits}
    kept = given.problem.d + given.learned
    visited = []
    for i, powers, after in s.visits:
        weights = exact[powers.tobytes()]
        score = add_up(compress(weights, given.problem.X[i] > 0), Fraction(0))
        if given.learned:
            score -= weights[-1]
        then = () if after is None else given.exact(after)[:kept]
        visited.append(Visited(i, fraction_text(score), tuple(map(fraction_text, then))))
    changed = (s.powers != s.before)[:kept]
    name = "w·x − θ" if given.learned else "w·x"
    first = s.visited - len(visited) + 1
    return visit_table(given, visited, name, changed, first, looking=s.current >= 0)


def fraction_text(value: Fraction) -> str:
    """The value as text, a fraction where that is readable."""
    return value_text(readable(value))
