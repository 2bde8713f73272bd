"""Pictures shared by linear models: the separating line, the weight vector and its change, the parts of a score."""

from typing import Any

import numpy as np

from engine.core.algorithm import Explanation
from engine.core.arrays import Float
from engine.core.notation import fixed, label_text, product_digits, short
from engine.core.problem import Problem
from engine.core.scene import Arrows, Bars, Line, Role
from engine.core.step import Formula, Operand, note
from engine.numerics.linear import plane_line

ASIDE = 0.15  # of the reach of the data: a line farther than this from the points cannot carry the arrow of w
NAMED = 8  # bad examples up to which the penalty is written beside the arrow


def separator(problem: Problem, w: Float, bias: float, role: Role = Role.BOUNDARY, tag: str = "w") -> Line:
    """The line w·x + bias = 0 on the plane."""
    return Line(*plane_line(problem, w, bias), role, tag=tag)


def weight_arrows(problem: Problem, before: Float, w: Float, bias: float, centred: bool, change: str = "") -> list[Any]:
    """w as an arrow from the origin (centred), or from the line, when it is free to leave the origin; with `change`
    also the former w and what was added, as vector addition. Scaled by a round number when it is too short or too long."""
    new, b = plane_line(problem, w, bias)
    old, _ = plane_line(problem, before, 0.0)
    reach = float(np.abs(problem.xy - problem.xy.mean(0)).max(initial=0)) or 1.0
    longest = max(float(np.hypot(*new)), float(np.hypot(*old)))
    if longest == 0:
        return []
    scale = 1.0 if 0.1 * reach <= longest <= reach else round_factor(0.6 * reach / longest)
    foot = np.zeros(2) if centred else _foot(problem, new, b)
    tip, old_tip = foot + scale * new, foot + scale * old
    suffix = "" if scale == 1 else f" × {short(scale)}"
    arrow = Arrows(foot[None], tip[None], Role.ACCEPTED, (("w after" if change else "w") + suffix,), tag="w")
    if not change:
        return [arrow]
    ghost = Arrows(foot[None], old_tip[None], Role.GHOST, ("w before",), tag="before")
    return [ghost, arrow, Arrows(old_tip[None], tip[None], Role.ACTIVE, (change,), tag="change")]


def round_factor(most: float) -> float:
    """The largest of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that is not above `most` > 0."""
    power = float(10.0 ** np.floor(np.log10(most)))
    return max((m * power for m in (1, 2, 5) if m * power <= most), default=power)


def _foot(problem: Problem, w: Float, b: float) -> Float:
    """The line's nearest place to the middle of the data; the middle itself when the line passes far from all points."""
    middle, most = problem.xy.mean(0), float(np.abs(w).max())
    across = w / most if most else w  # the square of w itself may be beyond all numbers
    foot = middle - across * (float(across @ middle) + b / most) / float(across @ across) if most else middle
    low, high = problem.xy.min(0), problem.xy.max(0)
    away = np.maximum(low - foot, foot - high) > ASIDE * (high - low).max()
    return np.asarray(middle if away.any() else foot)


def explain_score(
    problem: Problem, w: Float, x: Float, names: tuple[str, ...], label: int, score: float | None = None
) -> Explanation:
    """w · x term by term, for weights and a row that both hold the threshold's column already, called as in `names`: the
    bars call it so too. score: w · x where it is known without its rounding."""
    parts = x * w
    total = float(parts.sum()) if score is None else score
    sign = ">" if total > 0 else ("<" if total < 0 else "=")
    lead = (
        "This is called {name}: w · x {sign} 0." if label >= 0 else "This lies on the line, on neither side: w · x = 0."
    )
    digits = product_digits((w, x, total), column=False)
    words = note(
        lead,
        Formula("w · x =", " + ".join(f"{{w{j}}} · {{x{j}}}" for j in range(len(parts))), "{score}"),
        name=problem.class_text(label),
        sign=sign,
        score=Operand(total, "w · x"),
        **{f"w{j}": Operand(float(w[j]), names[j] if j >= problem.d else f"w{j + 1}", "w", digits) for j in range(len(w))},
        **{f"x{j}": Operand(float(x[j]), _constant(x[j]) if j >= problem.d else f"x{j + 1}", digits=digits)
           for j in range(len(x))},
    )  # fmt: skip
    bars = Bars("Part of each column", names, parts) if len(parts) > 4 else None  # the formula shows a few itself
    return Explanation(label, words, bars)


def _constant(value: float) -> str:
    """What the threshold is multiplied by, in a row of symbols."""
    return f"({label_text(int(value))})" if value < 0 else label_text(int(value))


def penalty_arrows(problem: Problem, w: Float, penalties: Float) -> list[Any]:
    """An arrow to each bad example from the margin of its OWN class; `penalties` (n,) max(0, 1 − z), w may hold b last.

    Drawn where the plane shows every column: its length is penalty / |w|. MMDS Fig 12.16.
    """
    rows = np.flatnonzero(penalties)
    on_plane, _ = plane_line(problem, w, 0.0)
    size = float(on_plane @ on_plane)
    if not len(rows) or size < 1e-300 or set(problem.plane) != set(range(problem.d)):
        return []
    away = (problem.sign[rows] * penalties[rows])[:, None] * (on_plane / size)
    texts = tuple(fixed(v) for v in penalties[rows]) if len(rows) <= NAMED else ()
    return [Arrows(problem.xy[rows] + away, problem.xy[rows], Role.PLAIN, texts, tag="penalty")]
