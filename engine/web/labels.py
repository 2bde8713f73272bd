"""Words on a plane: each where it covers as little as possible."""

import re
from collections.abc import Sequence

import numpy as np

from engine.base.arrays import Float
from engine.base.records import Record
from engine.scene.layers import Role
from engine.scene.roles import LETTERING
from engine.web.frame import Frame
from engine.web.markup import escaped, size

LETTER, HIGH = 7.4, 17.0  # units that a letter and a line of labels take, about
HANDLE = 9.0  # radius of the disc round a letter
NOMINAL = 0.85  # units of the drawing for a pixel, about, where labels are placed
SIDES = {
    "right": (1, 0), "left": (-1, 0), "above": (0, -1), "below": (0, 1), "middle": (0, 0),
    "above right": (1, -1), "below left": (-1, 1), "above left": (-1, -1), "below right": (1, 1),
}  # fmt: skip
BESIDE = ("right", "left", "above", "below")
OVER = ("middle",)
_PLACE = re.compile(r" \([^()]*\)$")


class Label(Record, eq=True):
    """A text and where it may be placed.

    text: what is written
    spots: (k, 2) possible places, the best first
    gap: distance in pixels from the place
    sides: on which sides of it
    """

    text: str
    spots: Float
    role: Role
    gap: float = 0.0
    sides: Sequence[str] = BESIDE
    form: str = ""


class Placer:
    """Finds places for the labels of one picture. covered: (m, 2) places that labels should not
    hide
    """

    def __init__(self, frame: Frame, covered: Float) -> None:
        self.frame = frame
        self.covered = covered[np.isfinite(covered).all(axis=1)]
        self.taken: list[tuple[float, float, float, float]] = []

    def write(self, label: Label) -> str:
        """The label as SVG; '' where none of its spots is in the picture."""
        form = label.form or LETTERING[label.role].form
        if form in ("handle", "cross"):
            return self._handle(label, form)
        colour = LETTERING[label.role].colour
        wide = NOMINAL * (LETTER * len(label.text) + 4)
        high = NOMINAL * HIGH
        best: tuple[float, str] = (np.inf, "")
        box = (0.0, 0.0, 0.0, 0.0)
        for rank, (spot, side) in enumerate(
            (spot, side) for spot in label.spots for side in label.sides
        ):
            if not self.frame.holds(spot):
                continue
            across, down = SIDES[side]
            slant = 0.7 if across and down else 1.0
            x = float(spot[0]) + across * slant * (NOMINAL * label.gap + wide / 2)
            y = float(spot[1]) + down * slant * (NOMINAL * label.gap + high / 2)
            found = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            cost = self._cost(found) + 0.35 * rank
            if cost < best[0]:
                best = (cost, _text(label, spot, (across * slant, down * slant), form, colour))
                box = found
        if best[1]:
            self.taken.append(box)
        return best[1]

    def _cost(self, box: tuple[float, float, float, float]) -> float:
        """How much of other things a box covers, and how far it reaches out of the picture."""
        left, top, right, bottom = box
        out = (
            max(0.0, -left)
            + max(0.0, right - self.frame.wide)
            + max(0.0, -top)
            + max(0.0, bottom - self.frame.high)
        )
        over = len(
            [1 for l, t, r, b in self.taken if left < r and right > l and top < b and bottom > t]
        )
        x, y = self.covered.T
        points = int(np.count_nonzero((x > left) & (x < right) & (y > top) & (y < bottom)))
        return 2.0 * out + 20.0 * over + min(points, 12)

    def _handle(self, label: Label, form: str) -> str:
        """A letter in a disc, or a crossed disc, at the first spot that no other handle has."""
        r = HANDLE if form == "handle" and label.text else HANDLE * 0.6
        seen = [spot for spot in label.spots if self.frame.holds(spot)]
        if not seen:
            return ""
        boxes = [(float(x) - r, float(y) - r, float(x) + r, float(y) + r) for x, y in seen]
        costs = [self._cost(box) + 0.35 * k for k, box in enumerate(boxes)]
        place = costs.index(min(costs))
        self.taken.append(boxes[place])
        half = max(r, LETTER * len(label.text) / 2 + 4) if form == "handle" else r
        edge = np.array([half, r])
        x, y = map(
            size, np.clip(seen[place], edge, [self.frame.wide - half, self.frame.high - r]).tolist()
        )
        if form == "handle" and label.text:
            inside = (
                f'<rect x="-{size(half)}" y="-{size(r)}" width="{size(2 * half)}" height="{size(2 * r)}" rx="{size(r)}" class="fp li" '
                f'stroke-width="1.5"/><text class="hl" y="4.5">{escaped(label.text)}</text>'
            )
        else:
            inside = f'<circle r="{size(r)}" class="fp lg" stroke-width="1.5"/><path d="M-3 -3L3 3M-3 3L3 -3" class="lg" stroke-width="1.5"/>'
        return f'<g transform="translate({x} {y})"><g class="m">{inside}</g></g>'


def _text(label: Label, spot: Float, side: tuple[float, float], form: str, colour: str) -> str:
    """A text beside a spot; its place in pixels, so that it keeps its distance in a drawing of any
    size.
    """
    x, y = (size(v) for v in spot)
    across, down = side
    anchor = "" if across > 0 else (' text-anchor="end"' if across < 0 else ' text-anchor="middle"')
    dx, dy = size(across * label.gap), size(down * (label.gap + HIGH / 2) + 4.7)
    name = {"ink2": "lb lb2", "ghost": "lb lbg"}.get(colour, "lb")
    small = " tag" if form == "tag" else ""
    return f'<g transform="translate({x} {y})"><text class="m {name}{small}" x="{dx}" y="{dy}"{anchor}>{_words(label.text)}</text></g>'


def _words(text: str) -> str:
    """A name with its coordinates, which a small screen leaves out."""
    found = _PLACE.search(text)
    if found is None or found.start() == 0:
        return escaped(text)
    return f'{escaped(text[: found.start()])}<tspan class="co">{escaped(found[0])}</tspan>'
