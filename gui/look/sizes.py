"""How the parts share the window, and how the type grows: the rules of the design tokens, in
logical pixels. No Qt.
"""

from collections.abc import Mapping

from engine.base.records import Record

START_W, START_H = 1280, 800  # window size at which rules give their start sizes
LEAST_W, LEAST_H = 800, 600  # least size of the window
STEP = 1.125  # factor of one type step
MOST_ZOOM = 4  # steps that a person may add
RAIL, TOOLS = 32, 48
# least width of the middle, with one view, with two, with lanes
STAGE, STAGE_TWO, STAGE_LANES = 480, 640, 840
# least width of the middle with its tools for which the left dock becomes a rail where it must; the
# tools come and go with the plane, so that only both together say what is wide
WIDE = 750
CAPTIONS, MARKS, TRACK, OVERVIEW = 20, 22, 20, 40  # rows of the timeline around its curve
# the overview is shown from this many steps or this height of the curve
OVERVIEW_STEPS, OVERVIEW_CURVE = 2000, 110
SCRUBBER = 52  # the timeline's least height: captions, track and what the handle needs


class Rule(Record, eq=True):
    """A size: `start` in a window of 1280 × 800, growing by `grows` pixels per further pixel of the
    window, between `least` and `most`.
    """

    least: int
    start: int
    grows: float
    most: int

    def at(self, surplus: float) -> int:
        """The size in a window with `surplus` more pixels than 1280 × 800."""
        return min(max(even(self.start + self.grows * surplus), self.least), self.most)


LEFT, LESSON = Rule(208, 252, 0.10, 360), Rule(296, 330, 0.10, 440)
RIGHT, RIGHT_TREE, RIGHT_PREDICT = (Rule(284, start, 0.22, 560) for start in (324, 340, 364))
AUTHOR = Rule(312, 364, 0.22, 560)  # the form of a page that is being written
CURVE = Rule(34, 70, 2 / 7, 240)
# where the curve is the lead picture: the timeline's share of the window, and the pixels of the
# window that it leaves to the bars and to docks and tools in their least height
CURVE_LEADS, BESIDE_CURVE = 0.38, 444
CURVE_LEADS_LARGE = 0.26  # in the projector theme, whose head and caption take more
CURVES_LEAD = 0.3  # the share of the curves of several lanes, each of which keeps a plane
# at the steps 0, 1, 2; from there on by STEP
TYPE: dict[str, tuple[float, float, float]] = {
    "caption": (12, 13.5, 15), "body": (13, 14.5, 16), "heading": (13, 14.5, 16), "code": (12.5, 14,
    16),
    "lead": (15, 17, 19), "formula": (17, 18, 20), "counter": (30, 34, 38),
}  # fmt: skip
BARS: dict[str, tuple[float, float, float]] = {
    "control": (26, 29, 32), "row": (31, 35, 39), "tool": (36, 40, 46), "menu": (40, 44, 50),
    "chips": (40, 46, 50),
    "transport": (44, 52, 58),
}  # fmt: skip


def even(pixels: float) -> int:
    return 2 * round(pixels / 2)


def type_step(width: int, height: int, zoom: int = 0) -> int:
    """The type step in a window, with `zoom` steps added by hand; at least 0."""
    step = 2 if height >= 1260 and width >= 1920 else int(height >= 900 and width >= 1440)
    return max(0, step + max(-MOST_ZOOM, min(MOST_ZOOM, zoom)))


def projector_step(width: int, height: int, zoom: int = 0) -> int:
    """The type step of the projector theme: as `type_step`, limited to those at which its layout
    for 1280 × 800 fits.
    """
    room = min(width / START_W, height / START_H)
    step = 0
    while STEP ** (step + 1) <= room * (1 + 1e-9):
        step += 1
    return max(0, step + max(-MOST_ZOOM, min(MOST_ZOOM, zoom)))


def at_step(sizes: tuple[float, float, float], step: int) -> float:
    """A size of TYPE or BARS at any step."""
    return sizes[step] if step < len(sizes) else sizes[-1] * STEP ** (step - len(sizes) + 1)


class Shares(Record, eq=True):
    """The sizes that `shares` gives.

    left, right: widths of the docks, RAIL for a folded one; timeline: its height; curve: height of
    its curve, 0 when folded; marks (the row of events), overview: whether they are shown
    """

    left: int
    right: int
    timeline: int
    curve: int
    marks: bool
    overview: bool

    @property
    def left_rail(self) -> bool:
        return self.left == RAIL

    @property
    def right_rail(self) -> bool:
        return self.right == RAIL


def shares(
    width: int,
    height: int,
    *,
    left: Rule = LEFT,
    right: Rule = RIGHT,
    tools: int = TOOLS,
    stage: int = STAGE,
    steps: int = 0,
    dragged: Mapping[str, int] | None = None,
    grown: float = 1.0,
) -> Shares:
    """The size of each part in a window of this size.

    tools: width of the tool strip, 0 without one
    stage: the least width of the middle
    steps: of the shown run
    dragged: sizes by hand of "left", "right" and "timeline", which win over the rules as far as
    there is room
    grown: the width of the docks' type relative to step 0; no dock gets too narrow for its words
    """
    by_hand = dict(dragged or {})
    rails = (width < 1100, width < 900)
    wide = []
    rules = (left, right)
    for name, rule, rail in zip(("left", "right"), rules, rails, strict=True):
        least = even(rule.least * grown)
        usual = max(rule.at(max(0, width - START_W)), least)
        wide.append(RAIL if rail else max(least, by_hand.get(name, usual)))
    if (
        stage + tools >= WIDE
        and even(left.least * grown) + even(right.least * grown) + tools + stage > width
    ):
        # several lanes, or a wide figure beside the plane, need the room more than the left dock
        wide[0], rails = RAIL, (True, rails[1])
    over = sum(wide) + tools + stage - width
    for k in (1, 0):  # the right dock, which is wider, shrinks first
        if over > 0 and not rails[k]:
            given = min(over, max(0, wide[k] - even(rules[k].least * grown)))
            wide[k], over = wide[k] - given, over - given
    return Shares(wide[0], wide[1], *timeline_rows(height, steps, by_hand.get("timeline")))


def leading_curve(height: int, several: bool = False, projector: bool = False) -> int:
    """The height of the timeline, without overview, in a window of `height` where its curve is the
    lead picture.

    several: of lanes, which keep a plane each with its head; projector: in the projector theme
    """
    alone = CURVE_LEADS_LARGE if projector else CURVE_LEADS
    share = CURVES_LEAD if several else alone
    return max(SCRUBBER, min(round(share * height), height - BESIDE_CURVE))


def timeline_rows(
    height: int, steps: int = 0, by_hand: int | None = None, leads: bool = False
) -> tuple[int, int, bool, bool]:
    """(height, curve, marks, overview) of the timeline in a window of `height`.

    In a low window the overview goes first, then the row of events, then the curve. leads: the
    curve is the lead picture, and the views beside it need the room of the overview
    """
    marks = height >= 640
    curve = CURVE.at(max(0, height - START_H)) if height >= 600 else 0
    rows = CAPTIONS + TRACK + (MARKS if marks else 0)
    long = steps >= OVERVIEW_STEPS
    overview = height >= 700 and (long or curve >= OVERVIEW_CURVE)
    if by_hand is not None:
        whole = min(max(by_hand, SCRUBBER), height // 2)
        for marks, strip in ((True, OVERVIEW), (True, 0), (False, 0)):
            rows = CAPTIONS + TRACK + (MARKS if marks else 0) + strip
            curve = whole - rows
            overview = strip > 0
            if overview and (leads or not (long or curve >= OVERVIEW_CURVE)):
                continue
            if curve >= CURVE.least:
                return whole, curve, marks, overview
        return whole, 0, False, False
    if not curve:
        return SCRUBBER, 0, False, False
    return min(rows + curve + (OVERVIEW if overview else 0), height // 2), curve, marks, overview
