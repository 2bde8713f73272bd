"""Everybody as a square cut into ill and well, the positive ones stretched to a square of their
own; the chance after each test, for other priors too.
"""

from engine.authoring import Float, Step, frozen, np
from engine.base.notation import number, plural
from engine.experiments.bayes_rule import PEOPLE, Setting, State
from engine.experiments.parts.lines import curve
from engine.numerics.closeness import equal
from engine.scene.scene import (
    NO_GROUP,
    Arrows,
    Bars,
    Boxes,
    Labels,
    Layer,
    Plot,
    Points,
    Role,
    Scene,
    data_points,
)

UP = 1.5  # where the square of all begins, above that of the positive ones
PRIORS = (0.001, 0.01, 0.1, 0.5)
ILL, WELL = 0, 1  # their colours


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    layers = (data_points(given.problem),) if given.problem.plane else ()
    known = s.test > 0 and len(s.chances) > s.test  # P(ill) after this test
    bars = (positive_bars(s),) if s.a + s.b else ()
    figures = (areas(given, s, step.line, known), after_each(given, s, step.line), *bars)
    return Scene(layers, figures, leads=("Areas", "After each test"))


def areas(given: Setting, s: State, line: str, known: bool) -> Plot:
    """Above the square of all people, its positive part tinted; with `known` the positive part once
    more below, stretched to a whole square. At the end all people, and below those positive every
    time.
    """
    over = line == "end" and known
    P = s.chances[0] if over else s.before
    layers: list[Layer] = [square(P, (NO_GROUP, NO_GROUP), UP, ("ill", "well"))]
    if line not in ("start", "test") and not over:
        layers += positives(given, s, line)
    whose = "all" if over else before(s)
    texts = [*names(P, UP + 1.1), (0.5, UP - 0.09, f"{whose}: {percent(P)} ill")]
    if known:
        layers.append(square(s.chance, (ILL, WELL), 0.0, ("after", "after")))
        start, end = frozen([[0.5, UP - 0.16]]), frozen([[0.5, 1.2]])
        layers.append(Arrows(start, end, Role.PLAIN, tag="after"))
        whose = "positive"
        if over:
            whose += " once" if s.test == 1 else f" {s.test} times"
        texts += [*names(s.chance, 1.1), (0.5, -0.09, f"{whose}: {percent(s.chance)} ill")]
    elif line in ("ill", "well"):
        layers.append(counted(s, line))
    places = frozen([(x, y) for x, y, _ in texts])
    layers.append(Labels(places, tuple(text for _, _, text in texts)))
    titles = {
        "start": "before any test",
        "ill": "the ill who test positive",
        "well": "the well who test positive",
        "bayes": f"only the positive, test {s.test}",
        "end": f"before and after {s.test} {plural(s.test, 'test')}",
    }
    return Plot(
        f"Areas: {titles.get(line, f'test {s.test} is positive')}",
        "",
        "",
        tuple(layers),
        beside=True,
        x_range=(-0.12, 1.12),
        y_range=(-0.2, UP + 1.22),
        ticks=False,
    )


def before(s: State) -> str:
    """Whose chance the upper square shows: that of all, or of those positive so far."""
    positive = s.test - 1
    if positive < 1:
        return "all"
    return f"positive {positive} times" if positive > 1 else "positive once"


def counted(s: State, line: str) -> Labels:
    """How many people stand in the column of this line, and how many of them are positive."""
    share, column = (s.a, s.before) if line == "ill" else (s.b, 1 - s.before)
    people, positive = (number(PEOPLE * part, 1) for part in (column, share))
    text = f"of {PEOPLE:,}: {people} {line}, {positive} of them positive"
    return Labels(frozen([[0.5, UP - 0.23]]), (text,), Role.ACTIVE, tag=line)


def names(P: float, y: float) -> list[tuple[float, float, str]]:
    """(x, y, text) the names above the two columns of a square."""
    return [(P / 2, y, "ill"), ((1 + P) / 2, y, "well")]


def square(P: float, group: tuple[int, int], y: float, tags: tuple[str, str]) -> Boxes:
    """A square from height y, cut into the ill and the well, as wide as they are many."""
    bounds = frozen([[0, y, P, y + 1], [P, y, 1, y + 1]])
    return Boxes(bounds, np.array(group), Role.PLAIN, tags=tags)


def positives(given: Setting, s: State, line: str) -> list[Layer]:
    """The positive part of both columns, of the ill alone before the well are looked at."""
    P = s.before
    ill = frozen([[0, UP, P, UP + given.hit]])
    role = Role.ACTIVE if line == "ill" else Role.REGION
    layers: list[Layer] = [Boxes(ill, np.array([ILL]), role, tag="ill")]
    if line != "ill":
        well = frozen([[P, UP, 1, UP + given.false_alarm]])
        role = Role.ACTIVE if line == "well" else Role.REGION
        layers.append(Boxes(well, np.array([WELL]), role, tag="well"))
    return layers


def percent(share: float) -> str:
    """A share as text in per cent: "0.8 %", "20.9 %"."""
    return f"{number(100 * share, 1 if 0.001 < share < 0.999 else 3)} %"


def after_each(given: Setting, s: State, line: str) -> Plot:
    """P(ill) after 0, 1, … positive tests, the last amber unless the line is about the people; in
    pale other priors.
    """
    T = given.p.tests
    x = np.arange(T + 1.0)
    layers: list[Layer] = []
    others = [prior for prior in PRIORS if not equal(prior, given.p.prior)]
    for prior in others:
        layers.append(curve(x, given.after(T, prior), Role.INACTIVE, "after"))
    places = frozen([(-0.09 * T, prior) for prior in (*others[-2:],)])
    layers.append(Labels(places, tuple(f"{prior:g}" for prior in others[-2:]), Role.INACTIVE))
    xy: Float = frozen(np.column_stack([np.arange(len(s.chances)), s.chances[:]]))
    layers.append(curve(xy[:, 0], xy[:, 1], Role.BOUNDARY, "after"))
    group = np.full(len(xy), NO_GROUP)
    names = tuple(number(chance, 3) for chance in s.chances)
    layers.append(Points(xy, group, Role.SAMPLE, label=names, tag="after"))
    if line not in ("ill", "well"):
        layers.append(Points(xy[-1:], group[-1:], Role.ACTIVE, tag="after"))
    title = "After each test"
    if line == "end" and len(xy) > 1:
        title += f": {names[0]} → {names[-1]}"
    return Plot(
        title,
        "positive tests",
        "P(ill)",
        tuple(layers),
        beside=True,
        x_range=(-0.15 * T, 1.12 * T),
        y_range=(-0.07, 1.1),
        x_ticks=tuple((float(k), str(k)) for k in range(0, T + 1, 1 + T // 8)),
    )


def positive_bars(s: State) -> Bars:
    """Bars of how many of 10,000 people are positive, the ill and the well."""
    return Bars(
        "Positive of 10,000",
        ("ill and positive", "well and positive"),
        frozen([PEOPLE * s.a, PEOPLE * s.b]),
        (Role.PLAIN, Role.PLAIN),
        group=np.array([ILL, WELL]),
        unit="people",
        digits=1,
        tags=("ill", "well"),
    )
