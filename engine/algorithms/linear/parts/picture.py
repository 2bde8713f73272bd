"""What the pictures of linear learners share: the line, and where it was before this step."""

from collections.abc import Container, Iterable, Iterator
from itertools import combinations
from typing import Any

from engine.authoring import Float, Problem, Step, np, short
from engine.base.notation import counted, fixed
from engine.numerics.contours import round_factor
from engine.numerics.linear import plane_line
from engine.scene.scene import Arrows, Bars, Layer, Line, Role

# of the reach of the data: a line farther than this from the points cannot carry the arrow of w
ASIDE = 0.15
SEEN = 0.9  # of the half extent of the data: so far from the middle the arrow of a move stands
SHORT, LONG = 0.12, 0.3  # of it: a shorter move is drawn longer, up to this
LEAST_WAY = 1e-12  # of it: a line that moves less stays
SMALLEST = 0.1  # share of the mean size below which a point does not shrink


def separator(given: Any, w: Float, role: Role = Role.BOUNDARY, tag: str = "w") -> Line:
    """The line w · x + b = 0 of extended weights on the plane."""
    return Line(*plane_line(given.problem, w, given.bias(w)), role, tag=tag)


def weight_tags(given: Any) -> tuple[str, ...]:
    """For each of `given.names` the tag of its column, "" for a threshold or bias."""
    return (*given.problem.column_tags, *[""] * (len(given.names) - given.problem.d))


def nearest_to_middle(problem: Problem, w: Float, b: float) -> Float:
    """(2,) the place of the line w · x + b = 0 nearest to the middle of the data; the middle itself
    where w is 0.
    """
    middle = problem.bounds[2]
    largest = float(np.abs(w).max())
    if largest == 0:
        return middle
    across = w / largest  # the square of w itself may be beyond all numbers
    ahead = (float(across @ middle) + b / largest) / float(across @ across)
    return np.asarray(middle - across * ahead)


def lines(
    given: Any, step: Step[Any], changing: Container[str], between: Iterable[Layer] = ()
) -> Iterator[Layer]:
    """The line of a state; at the page's lines in `changing` also the previous one, and the region
    between them where `between`.
    """
    if step.line in changing:
        yield separator(given, given.previous_line(step.state), Role.GHOST, "before")
    yield from between
    yield separator(given, given.line(step.state))


def moved_line(given: Any, step: Step[Any], changing: Container[str]) -> Iterator[Layer]:
    """The line of a state as `lines`, for learners that all examples move at once: at the page's
    lines in `changing` it is in amber, with an arrow to it from where it was, dashed.
    """
    if step.line not in changing:
        yield separator(given, given.line(step.state))
        return
    before, after = given.previous_line(step.state), given.line(step.state)
    yield separator(given, before, Role.GHOST, "before")
    yield separator(given, after, Role.ACTIVE)
    yield from way_of_line(given.problem, separator(given, before), separator(given, after))


def way_of_line(problem: Problem, old: Line, new: Line) -> Iterator[Arrows]:
    """An arrow from the old line straight to the new one, where these are farthest apart among the
    points; drawn longer, and saying how much, where it would be too short to see. None for a line
    that stays, or that is not among the points.
    """
    low, high = problem.bounds[:2]
    reach = float((high - low).max()) / 2 or 1.0
    size, old_size = float(np.hypot(*new.w)), float(np.hypot(*old.w))
    if not (0 < size < np.inf and 0 < old_size < np.inf):
        return
    foot = nearest_to_middle(problem, old.w, old.b)
    along = np.array([-old.w[1], old.w[0]]) / old_size
    places = foot + np.linspace(-1, 1, 41)[:, None] * SEEN * reach * along
    inside = (places >= low).all(axis=1) & (places <= high).all(axis=1)
    gaps = -(places @ new.w + new.b) / size
    if not inside.any():
        return
    best = int(np.where(inside, np.abs(gaps), -1.0).argmax())
    way = gaps[best] * new.w / size
    length = abs(float(gaps[best]))
    if not LEAST_WAY * reach < length < reach:
        return
    scale = 1.0 if length >= SHORT * reach else round_factor(LONG * reach / length)
    name = "" if scale == 1 else f"step × {short(scale)}"
    start = places[best][None]
    label = (name,) if name else ()
    yield Arrows(start, start + scale * way, Role.ACTIVE, label, tag="change")


def region_borders(N: Float, b: Float, reach: float) -> Float:
    """(m, 2, 2) pieces of the lines between the regions of a plane in which one of k scores is the
    largest.

    Score i at a place is N[i]·place + b[i], N (k, 2); pieces without an end are `reach` long on
    that side.
    """
    pieces = []
    for i, j in combinations(range(len(N)), 2):
        normal = N[i] - N[j]
        level = b[i] - b[j]
        size = float(normal @ normal)
        if size == 0:
            continue
        foot = -level / size * normal
        along = np.array([-normal[1], normal[0]]) / np.sqrt(size)
        others = [c for c in range(len(N)) if c not in (i, j)]
        lead = (N[i] - N[others]) @ foot + b[i] - b[others]
        slope = (N[i] - N[others]) @ along
        with np.errstate(divide="ignore", invalid="ignore"):
            cut = -lead / slope
        low = max(float(cut[slope > 0].max(initial=-reach)), -reach)
        high = min(float(cut[slope < 0].min(initial=reach)), reach)
        if low < high and (lead[slope == 0] >= 0).all():
            pieces.append([foot + low * along, foot + high * along])
    return np.array(pieces).reshape(-1, 2, 2)


def sizes(pull: Float) -> Float:
    """(n,) relative sizes, the mean 1; the least are still to be seen."""
    mean = float(pull.mean())
    return np.maximum(pull / mean, SMALLEST) if mean > 0 else np.ones_like(pull)


def visited(problem: Problem, s: Any, line: str) -> str:
    """What a visit to an example comes to, as words of a heading."""
    name = problem.names[s.current]
    if line == "update":
        return f"{name} was wrong" + ", w turns" * bool((s.w != s.before).any())
    return f"{name} is right" if line == "test" else f"look at {name}"


def descent_title(
    step: Step[Any], measure: str, value: float, before: float | None = None, start: str = ""
) -> str:
    """The heading of a step down: its number and what comes of it, at the end why it is the last.

    measure: the name of what falls, with its value after this step and before it; start: what else
        the start is
    """
    s, line = step.state, step.line
    now = f"{measure} {fixed(value, 3)}"
    if line == "until":
        ending = step.details["ending"]
        done = f"All {counted(s.updates, 'step')} are taken" if s.updates != 1 else "One step"
        if ending == "round":
            done = f"Round {s.round} is over"
        elif ending == "diverged":
            done = "The next step leads away"
        elif ending in ("converged", "flat", "tiny steps"):
            done = f"After {counted(s.updates, 'step')} w moves no more"
        last = {"falling": ", still falling", "overshoot": ", up in the last step"}.get(ending, "")
        return f"{done}: {now}{last}"
    if line == "start":
        return f"Start: {start}{now}"
    if line == "update" and before is not None:
        now = f"{measure} {fixed(before, 3)} → {fixed(value, 3)}"
    return f"Step {s.updates + (line != 'update')}: {now}"


def under(name: str, title: str) -> str:
    """The title of a figure of this name that goes on with the heading of a step."""
    return f"{name}: {title[0].lower()}{title[1:].replace(': ', ', ')}"


def weight_bars(given: Any, s: Any, title: str = "Weights w") -> Bars:
    """Bars of a state's weights, with the previous ones as ticks."""
    return Bars(
        title,
        given.names,
        given.line(s),
        before=given.previous_line(s),
        ticks="before this step",
        tag="w",
        tags=weight_tags(given),
    )


def weight_arrows(
    problem: Problem, before: Float, w: Float, bias: float, centred: bool, change: str = ""
) -> list[Any]:
    """w as an arrow from the origin (centred), or from the line, when it is free to leave the
    origin; none where all weights are 0. With `change`, the name of what was added, also the
    previous w and what was added, as vector addition. Scaled by a round number when it is too short
    or too long.
    """
    new, b = plane_line(problem, w, bias)
    old, _ = plane_line(problem, before, 0.0)
    low, high, middle = problem.bounds
    reach = float(np.maximum(middle - low, high - middle).max()) or 1.0
    longest = max(float(np.hypot(*new)), float(np.hypot(*old)))
    if longest == 0:
        return []
    scale = 1.0
    if not 0.1 * reach <= longest <= reach:
        scale = round_factor(0.6 * reach / longest)
    foot = np.zeros(2) if centred else _foot(problem, new, b)
    tip = foot + scale * new
    old_tip = foot + scale * old
    label = "w after" if change else "w"
    if scale != 1:
        label += f" × {short(scale)}"
    arrow = Arrows(foot[None], tip[None], Role.ACCEPTED, (label,), tag="w")
    if not change:
        return [arrow]
    ghost = Arrows(foot[None], old_tip[None], Role.GHOST, ("w before",), tag="before")
    return [ghost, arrow, Arrows(old_tip[None], tip[None], Role.ACTIVE, (change,), tag="change")]


def _foot(problem: Problem, w: Float, b: float) -> Float:
    """The line's nearest place to the middle of the data; the middle itself when the line passes
    far from all points.
    """
    foot = nearest_to_middle(problem, w, b)
    low, high, middle = problem.bounds
    away = np.maximum(low - foot, foot - high) > ASIDE * (high - low).max()
    return middle if away.any() else foot
