"""The table in stripes, a fold each: a thin line for each row, with its class, bars for its numbers
and what the model that never saw it said.
"""

from engine.authoring import Float, Int, Record, np
from engine.base.notation import counted, number
from engine.base.tags import step_tag
from engine.experiments.cross_validation import Setting, State
from engine.scene.scene import (
    Boxes,
    Labels,
    Layer,
    Plot,
    Points,
    Role,
    Segments,
)
from engine.table.baseline import baseline

EACH = 40  # folds that have a stripe of their own
LINES = 80  # rows that stand below one another; more stand in blocks side by side
MOST_BLOCKS = 4
MOST_BARS = 3  # columns of numbers that are shown
CLASS, SAYS, CROSS, ERROR, WIDE = (
    0.0,
    0.82,
    0.115,
    1.13,
    1.26,
)  # places across, in parts of a block of rows
FIRST, BAR, SPACE = 0.1, 0.66, 0.03  # where bars begin, their room, and the room between two
GAP = 1.4  # lines between two stripes
LINE = 0.045  # height of a line of text, in parts of all stripes
ASIDE = 0.05  # every other mark stands so far aside, so that none hides the next
ANSWER = 0.2  # room for the bar of an answer
THICK = 2.6  # width of a bar, of its role


class Lines(Record):
    """Where the rows stand.

    rows: (m,) their indices, fold after fold; block, height: (m,) the block that each stands in and
        its line, 0 at the top and less below; blocks: how many there are
    ends: (k, 2) the upper and lower end of each stripe; line: the height of a line of text
    """

    rows: Int
    block: Int
    height: Float
    blocks: int
    ends: Float
    line: float


def stripes(given: Setting, s: State, line: str) -> Plot:
    """The rows of the table, sorted into their folds; the fold that is left out has an amber frame,
    or the others while they are learnt from, and beside every tested one stands its error.
    """
    at = placed(given, s)
    layers: list[Layer] = []
    if len(given.rows) <= LINES * MOST_BLOCKS:
        layers += row_lines(given, s, at)
    layers += frames(given, s, at, line == "learn" and s.model is not None)
    below, named = sums(given, s, at)
    layers += [headings(given, at), *errors_behind(given, s, at), *below]
    few = given.k <= EACH
    numbers = [(float(end.mean()), str(i + 1)) for i, end in enumerate(at.ends) if few]
    return Plot(
        heading(given, s, line),
        "",
        "fold",
        tuple(layers),
        beside=True,
        x_range=(-0.05, WIDE),
        y_range=(float(at.ends[-1, 1]) - 3 * at.line, 1.6 * at.line),
        y_ticks=(*numbers, *named) or ((0.0, ""),),
        small=True,
    )


def heading(given: Setting, s: State, line: str) -> str:
    """The title of the stripes, with what this step does."""
    n = len(given.rows)
    fold = f"fold {s.fold + 1}"
    out = int((s.deal == s.fold).sum())
    said = ""
    match line:
        case "deal":
            said = f"{counted(n, 'row')} dealt into {given.k}"
        case "fold":
            said = f"{fold} is laid aside, {counted(out, 'row')}"
        case "learn" if s.model is None:
            said = f"{fold} is left out"
        case "learn" if given.p.cheap and given.alone:
            said = f"{given.learner.name} keeps all rows"
        case "learn":
            said = f"{given.learner.name} learns from the other {n - out}"
        case "test":
            said = f"{fold}, error {number(s.errors.last)}"
            if not given.problem.regress:
                said = f"{fold}, {round(s.errors.last * out)} of {out} wrong"
        case "mean" if s.errors.count:
            said = f"mean error {number(s.errors.mean)}"
            if s.errors.count > 1:
                said += f" ± {number(s.errors.deviation)}"
    return f"Folds: {said}" if said else "Folds"


def placed(given: Setting, s: State) -> Lines:
    """The lines of the rows: of many rows every stripe is cut into blocks side by side."""
    deal = s.deal[given.rows]
    order = np.argsort(deal, kind="stable")
    sizes = np.bincount(deal, minlength=given.k)
    blocks = min(MOST_BLOCKS, 1 + (len(deal) - 1) // LINES)
    high = -(-sizes // blocks)  # lines of each stripe
    gap = GAP if given.k <= 12 else 0.4 * (given.k <= EACH)
    tops = -np.concatenate([[0.0], np.cumsum(high + gap)[:-1]])
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    fold = deal[order]
    nth = np.arange(len(order)) - first[fold]
    block = nth // high[fold]
    height = tops[fold] - nth % high[fold] - 0.5
    ends = np.column_stack([tops, tops - high])
    return Lines(given.rows[order], block, height, blocks, ends, -LINE * float(ends[-1, 1]))


def across(at: Lines, place: float | Float) -> Float:
    """(m,) a place inside a block of rows, from 0 to 1, for each row on the whole width."""
    return np.asarray((at.block + place) / at.blocks)


def row_lines(given: Setting, s: State, at: Lines) -> list[Layer]:
    """The marks and bars of the rows."""
    problem = given.problem
    rows = at.rows
    tags = np.array(problem.tags_of(rows.tolist()))
    deal = s.deal[rows]
    layers: list[Layer] = []
    answers = answered(given, s)[rows]
    shown = shown_columns(given, at)
    for k, (_, values) in enumerate(shown):
        left = FIRST + BAR * k / len(shown)
        reach = BAR / len(shown) - SPACE
        layers.append(bars(at, values[rows], values, left, reach, tuple(tags)))
    if problem.regress and at.blocks == 1:
        layers.append(bars(at, answers, problem.y, FIRST + BAR, ANSWER, tuple(tags)))
    seen = ~np.isnan(answers)
    if problem.regress:
        return layers
    aside = np.where(np.arange(len(rows)) % 2, ASIDE, 0.0) * (len(rows) > LINES / 2)
    mine = np.column_stack([across(at, CLASS + aside), at.height])
    out = deal == s.fold
    codes = problem.codes[rows]
    layers.append(Points(mine[~out], codes[~out], Role.POINT, tags=tuple(tags[~out])))
    layers.append(Points(mine[out], codes[out], Role.HELD_OUT, tags=tuple(tags[out])))
    said = answers[seen].astype(np.intp)
    theirs = np.column_stack([across(at, SAYS + aside), at.height])[seen]
    layers.append(
        Points(theirs, codes[seen], Role.POINT, said, tag="unseen", tags=tuple(tags[seen]))
    )
    wrong = np.column_stack([across(at, SAYS + CROSS), at.height])[seen][said != codes[seen]]
    layers.append(Labels(wrong, ("×",) * len(wrong), tag="errors"))
    return layers


def bars(
    at: Lines, values: Float, scale: Float, left: float, reach: float, tags: tuple[str, ...]
) -> Segments:
    """A bar on the line of each row, as long as its number lies above the least one of `scale`."""
    known = scale[np.isfinite(scale)]
    least = float(known.min(initial=np.inf))
    span = float(known.max(initial=-np.inf)) - least
    share = np.clip((values - least) / span, 0, 1) if span > 0 else np.zeros(len(values))
    kept = np.isfinite(share)
    start = np.column_stack([across(at, left), at.height])
    end = np.column_stack([across(at, left + reach * (0.06 + 0.94 * share)), at.height])
    ends = np.stack([start, end], axis=1)[kept]
    chosen = tuple(tag for tag, here in zip(tags, kept, strict=True) if here)
    return Segments(ends, Role.INACTIVE, width=np.full(len(ends), THICK), tags=chosen)


def shown_columns(given: Setting, at: Lines) -> list[tuple[str, Float]]:
    """(name, (n,) values) of the columns that have bars: the axes of the plane first, no more than
    there is room for; of values also the target and what was said.
    """
    problem = given.problem
    first = [*problem.plane, *(j for j in range(len(problem.features)) if j not in problem.plane)]
    named = [(problem.features[j].title, problem.columns[j]) for j in first]
    if problem.regress and problem.target is not None:
        return [*named[: MOST_BARS - 1], (problem.target.title, problem.y)][
            : MOST_BARS + 1 - at.blocks
        ]
    return named[: max(0, MOST_BARS + 1 - at.blocks)]


def answered(given: Setting, s: State) -> Float:
    """(n,) the answer to each row of a tested fold, NaN for the others and where there is none."""
    answers = np.full(given.problem.n, np.nan)
    for fold, said in enumerate(s.answers):
        answers[s.deal == fold] = (
            np.where(said < 0, np.nan, said) if given.problem.classes else said
        )
    return answers


def frames(given: Setting, s: State, at: Lines, learns: bool) -> list[Layer]:
    """A frame round each stripe, that of the fold left out in amber; where the others are learnt
    from, theirs are.
    """
    k = given.k
    right = 1.0 if at.blocks > 1 else 0.97
    bounds = np.column_stack(
        [np.full(k, -0.04), at.ends[:, 1] - 0.3, np.full(k, right), at.ends[:, 0] + 0.3]
    )
    tags = steps_of_folds(given, s)
    none = np.full(k, -1)
    layers: list[Layer] = []
    if k <= EACH:
        layers.append(Boxes(bounds, none, Role.REGION, tag="folds", tags=tags))
    if s.fold >= 0:
        lit = (np.arange(k) != s.fold) == (learns and k <= EACH)
        layers.append(Boxes(bounds[lit], none[lit], Role.ACTIVE, tag="fold"))
    return layers


def errors_behind(given: Setting, s: State, at: Lines) -> list[Layer]:
    """The error of each tested fold behind its stripe."""
    known = [(i, e) for i, e in enumerate(s.errors) if e == e]
    if not known or given.k > EACH:
        return []
    places = np.array([[ERROR, at.ends[i].mean()] for i, _ in known])
    return [Labels(places, tuple(f"{e:.2f}" for _, e in known), tag="errors")]


def sums(given: Setting, s: State, at: Lines) -> tuple[list[Layer], tuple[tuple[float, str], ...]]:
    """(the mean of the errors so far and the error of the baseline, below the stripes; their names
    with their places).
    """
    mean = f"{s.errors.mean:.2f}" if s.errors.count else "–"
    texts = [("mean", mean, "of the errors")]
    base = baseline(given.problem)
    if base is not None:
        error = base.error(given.problem)
        texts.append(
            ("guess", f"{error**2 if given.problem.regress else error:.2f}", f"always {base.name}")
        )
    y = at.ends[-1, 1] - at.line * (1 + np.arange(len(texts)))
    errors = np.column_stack([np.full(len(y), ERROR), y])
    words = np.column_stack([np.full(len(y), 0.5), y])
    return [
        Labels(errors, tuple(text for _, text, _ in texts), tag="errors"),
        Labels(words, tuple(text for *_, text in texts), Role.GHOST, tag="errors"),
    ], tuple((float(place), text) for place, (text, *_) in zip(y, texts, strict=True))


def headings(given: Setting, at: Lines) -> Labels:
    """The names of the columns, above the first stripe."""
    names = [name for name, _ in shown_columns(given, at)]
    x = [(ERROR, "error")]
    for block in range(at.blocks):
        middles = [FIRST + BAR * (k + 0.5) / len(names) - SPACE / 2 for k in range(len(names))]
        said = FIRST + BAR + ANSWER / 2 if given.problem.regress else SAYS
        inside = [*zip(middles, names, strict=True), (said, "said")]
        x += [((block + place) / at.blocks, name) for place, name in inside]
    places = np.array([[place, at.line] for place, _ in x])
    return Labels(places, tuple(text for _, text in x), tag="columns")


def steps_of_folds(given: Setting, s: State) -> tuple[str, ...]:
    """For each fold the tag of the step at which it is tested; for a fold not tested, of the step
    at which the others are learnt from.
    """
    refused = [fold for fold, _ in s.refused]
    tested = [fold for fold in range(len(s.errors)) if fold not in refused]
    number = {fold: nth for nth, fold in enumerate(tested)}
    return tuple(
        step_tag("test", number[i]) if i in number else step_tag("learn", i) for i in range(given.k)
    )
