"""The line, the weights with what was done to them, the printed table. MMDS Figs 12.7 and 12.9."""

from engine.algorithms.linear.winnow import Setting, State, predict
from engine.algorithms.linear.winnow.scale import NEAR
from engine.algorithms.linear.winnow.words import readable
from engine.authoring import Float, Grid, Int, Step, np, short
from engine.core.notation import MINUS, value_text
from engine.core.scene import Bars, Field, Figure, Layer, Role, Scene, Table, active_point, data_points, data_table
from engine.core.sums import add_up
from engine.numerics.linear import linear_surface, size_surface
from engine.pictures.linear import separator
from engine.pictures.text_columns import text_column

FEW = 8  # columns up to which the table shows every weight


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    return linear_surface(given.problem, s.w, -s.theta, grid)


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    gap, sizes = score_surface(given, s, grid), size_surface(given.problem, np.append(s.w, s.theta), grid)
    return given.called(np.where(np.abs(gap) <= NEAR * sizes, 0.0, gap))


FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem, s = given.problem, step.state
    shown_figures = figures(given, s)
    if not problem.plane:
        return Scene((), shown_figures)
    shown = predict(given, s, problem.X)
    layers: list[Layer] = [Field("class")]
    if step.line in ("double", "halve"):
        old = given.floats(s.before)
        layers.append(separator(problem, old[:-1], -float(old[-1]), Role.GHOST, "before"))
    layers += [separator(problem, s.w, -s.theta), data_points(problem, shown)]
    if s.current >= 0:
        layers.append(active_point(problem, s.current, shown, place=problem.d == 2))
    return Scene(tuple(layers), shown_figures)


def figures(given: Setting, s: State) -> tuple[Figure, ...]:
    """The weights, the table of the text, the examples with the columns that were on."""
    changed = [f.name for f, a, b in zip(given.problem.features, s.before, s.powers, strict=False) if a != b]
    current = (s.current,) if s.current >= 0 else ()
    examples = data_table(given.problem, current=current, roles=dict.fromkeys(changed, Role.ACTIVE), tag="current")
    return (weight_bars(given, s), *([visit_table(given, s)] if s.visits else []), examples)


def weight_bars(given: Setting, s: State) -> Bars:
    """Doubled and halved columns in amber, with × and ÷ at their names."""
    kept = slice(None) if given.learned else slice(0, given.problem.d)
    change, by = (s.powers - s.before)[kept], short(given.p.factor)
    marks = {1: f" × {by}", -1: f" ÷ {by}", 0: ""}
    return Bars(
        "Weights w" + ("" if given.learned else f", θ = {short(s.theta)}"),
        tuple(name + marks[int(c)] for name, c in zip(given.names[kept], change, strict=True)),
        given.floats(s.powers)[kept],
        tuple(Role.ACTIVE if c else Role.PLAIN for c in change),
        given.floats(s.before)[kept],
        tag="w",
        beside=True,
    )


def visit_table(given: Setting, s: State) -> Table:
    """Fig 12.7: every example as it was looked at; the weights are written only where they changed."""
    problem, known = given.problem, {powers.tobytes(): given.exact(powers) for _, powers, _ in s.visits}
    rows = np.asarray([i for i, _, _ in s.visits])
    then = [known[powers.tobytes()] for _, powers, _ in s.visits]
    after = [() if powers is None else given.exact(powers) for _, _, powers in s.visits]
    scores = [
        add_up((v for v, on in zip(w, problem.X[i], strict=False) if on > 0), 0 * w[-1])
        for i, w in zip(rows, then, strict=True)
    ]
    columns = [
        text_column("x", [problem.names[i] for i in rows]),
        text_column("y", ["+" if problem.codes[i] == 0 else MINUS for i in rows]),
        text_column("w·x", [value_text(readable(score)) for score in scores]),
        *([text_column("θ", [value_text(readable(w[-1])) for w in then])] if given.learned else []),
        text_column("OK?", ["no" if w else "yes" for w in after], Role.BOUNDARY),
    ]
    if problem.d <= FEW:
        titles = [f.title for f in problem.features] + (["θ after"] if given.learned else [])
        changed = s.powers != s.before
        for j, title in enumerate(titles):
            texts = [value_text(readable(w[j])) if w else "" for w in after]
            columns.append(text_column(title, texts, Role.ACTIVE if changed[j] else Role.PLAIN))
    active = (len(rows) - 1,) if s.current >= 0 else ()
    names = tuple(f"visit {s.visited - len(rows) + k + 1}" for k in range(len(rows)))
    return Table(
        "Visits", tuple(columns), names, problem.codes[rows], np.array([bool(w) for w in after]), active, tag="w"
    )
