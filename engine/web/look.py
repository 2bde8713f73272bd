"""The looks of lines and markers as classes of a style sheet; colours are variables, which a theme
sets.
"""

from engine.base.records import Record
from engine.scene.layers import Role
from engine.scene.roles import (
    ARROW_STROKES,
    BOX_STROKES,
    CASING,
    CLASS_CURVE,
    CORNERS,
    CROSS,
    CROSS_ARM,
    CROSS_REACH,
    DIVIDER,
    LEVEL,
    MARKS,
    NODE,
    OUTLINE,
    STROKES,
    UNLABELLED,
    WRONG_RADIUS,
    Stroke,
    shape_of,
)
from engine.web.markup import size

COLOURS = 8  # of classes; more of them have these again, with other shapes
SHADES = 5  # steps of the shading on each side of zero
SHARES = ((0.06, 0.28), (0.07, 0.21))  # of the class colour in the first and last step: light, dark
ELLIPSE = Stroke(2.0)
QUERY_RADIUS, QUERY_SMALL, PROBE_RADIUS, PROBE_HAIRS = 15.0, 8.0, 6.0, 13.0
QUARTER = 4  # radii are rounded to quarters

NAMED: dict[str, Stroke] = {
    **{f"s-{role.value}": stroke for role, stroke in STROKES.items()},
    **{f"a-{role.value}": stroke for role, stroke in ARROW_STROKES.items()},
    **{f"b-{role.value}": stroke for role, stroke in BOX_STROKES.items()},
    "divider": DIVIDER,
    "curve": CLASS_CURVE,
    "ellipse": ELLIPSE,
    "level": Stroke(LEVEL, opacity=0.2),
}


def arrow_look(role: Role) -> str:
    return f"a-{role.value}" if role in ARROW_STROKES else f"s-{role.value}"


def box_look(role: Role) -> str:
    return f"b-{role.value}" if role in BOX_STROKES else f"s-{role.value}"


def style_sheet() -> str:
    """The rules of all lines, and of the colours of classes."""
    rules = [rule for name, stroke in NAMED.items() for rule in _rules(name, stroke)]
    for k in range(COLOURS):
        rules.append(
            f".f{k}{{fill:var(--c{k})}}.l{k}{{stroke:var(--c{k})}}.t{k}{{fill:var(--t{k})}}"
        )
        rules.append(f".w{k}{{fill:color-mix(in srgb,var(--c{k}) 42%,var(--plane))}}")
    for group in (0, 1):
        rules += [f".u{group}{k}{{fill:var(--u{group}{k})}}" for k in range(SHADES)]
    return "".join(rules)


def shades(dark: bool) -> str:
    """The variables of the tints and steps of shading for a theme that has named its classes c0 …
    c7 and its plane.
    """
    low, high = SHARES[dark]
    tint = 20 if dark else 15
    made = [f"--t{k}:color-mix(in srgb,var(--c{k}) {tint}%,var(--plane))" for k in range(COLOURS)]
    for group in (0, 1):
        for k in range(SHADES):
            share = 100 * (low + (high - low) * k / (SHADES - 1))
            made.append(
                f"--u{group}{k}:color-mix(in srgb,var(--c{group}) {share:.3g}%,var(--plane))"
            )
    return ";".join(made)


def _rules(name: str, stroke: Stroke) -> list[str]:
    """Of the core of a line and of what lies under it."""
    dash = (
        f";stroke-dasharray:{' '.join(map(size, stroke.dash))};stroke-linecap:butt"
        if stroke.dash
        else ""
    )
    clear = f";opacity:{stroke.opacity}" if stroke.opacity < 1 else ""
    rules = [f".{name}{{stroke:var(--{stroke.colour});stroke-width:{stroke.width}{dash}{clear}}}"]
    if stroke.casing:
        wide = stroke.width + 2 * (stroke.edge + stroke.casing)
        rules.append(f".{name}-k{{stroke:var(--plane);stroke-width:{wide}{dash}}}")
    if stroke.edge:
        rules.append(
            f".{name}-e{{stroke:var(--ink);stroke-width:{stroke.width + 2 * stroke.edge}{dash}}}"
        )
    return rules


def coats(name: str) -> list[str]:
    """The style classes in which a line is drawn from back to front: casing, edge, the line
    itself.
    """
    stroke = NAMED[name]
    under = [f"{name}-k"] * bool(stroke.casing) + [f"{name}-e"] * bool(stroke.edge)
    return [*under, name]


# -- markers ---------------------------------------------------------------------------------------


class Look(Record, eq=True):
    """The marker of a point. group: true class, shown: predicted one, −1 for none; quarters: four
    times its radius
    """

    group: int
    shown: int
    style: str
    quarters: int

    @property
    def name(self) -> str:
        return f"p{self.group + 1}_{self.shown + 1}{self.style[:2]}{self.quarters}"

    @property
    def wrong(self) -> bool:
        return (
            self.style != "ghost"
            and self.group >= 0
            and self.shown >= 0
            and self.shown != self.group
        )

    @property
    def radius(self) -> float:
        r = self.quarters / QUARTER
        if self.wrong:
            return r * WRONG_RADIUS
        return (
            r * UNLABELLED
            if self.group < 0 and self.style not in ("node", "sample", "hollow")
            else r
        )


def outline(shape: str, radius: float) -> str:
    """The path data (`d`) of a marker of this shape around the origin. radius: in pixels"""
    if shape == "circle":
        r = size(radius)
        return f"M-{r} 0a{r} {r} 0 1 1 {size(2 * radius)} 0a{r} {r} 0 1 1 -{size(2 * radius)} 0z"
    corners = [f"{radius * x + 0.0:.2f} {radius * y + 0.0:.2f}" for x, y in CORNERS[shape]]
    return f"M{' '.join(corners)}z"


def marker(look: Look) -> str:
    """The definition of a marker: casing, fill of the predicted class, outline of the true one, a
    cross where it is wrong.
    """
    d = outline(shape_of(look.group), look.radius)
    width = NODE.width if look.style in ("node", "ghost") else OUTLINE
    classes = _colours(look)
    drawn = f'<path d="{d}" class="pk" stroke-width="{width + 2 * CASING}"/><path d="{d}" class="{classes}" stroke-width="{width}"/>'
    if look.wrong:
        a = size(CROSS_ARM * CROSS_REACH * look.radius)
        drawn += (
            f'<path d="M-{a} -{a}L{a} {a}M-{a} {a}L{a} -{a}" class="li" stroke-width="{CROSS}"/>'
        )
    return f'<g id="{look.name}"><g class="m">{drawn}</g></g>'


def _colours(look: Look) -> str:
    """The classes of fill and outline."""
    group = look.group % COLOURS
    shown = look.shown % COLOURS
    if look.style in ("node", "ghost"):
        return "fp li" if look.style == "node" else "fp lg"
    if look.group < 0:
        return "f2i l2i" if look.style == "sample" or look.shown < 0 else f"f{shown} l2i"
    if look.style == "hollow":
        return f"fp l{group}"
    if look.wrong:
        return f"w{shown} l{group}"
    return f"fp l{group}" if look.shown < 0 else f"f{shown} l{group}"


def ring_name(role: Role, radius: float) -> str:
    return f"ring-{role.value}-{size(radius)}"


def rings(role: Role, radius: float) -> str:
    """The definition of the rings round a point of a role; '' where it has none."""
    drawn = ""
    for beyond, stroke in MARKS[role].rings:
        r = size(radius + beyond)
        dash = f' stroke-dasharray="{" ".join(map(size, stroke.dash))}"' if stroke.dash else ""
        for colour, wide in (
            ("plane", stroke.width + 2 * (stroke.edge + stroke.casing))
            if stroke.casing
            else ("", 0.0),
            ("ink", stroke.width + 2 * stroke.edge) if stroke.edge else ("", 0.0),
            (stroke.colour, stroke.width),
        ):
            if colour:
                drawn += f'<circle r="{r}" fill="none" stroke="var(--{colour})" stroke-width="{wide}"{dash}/>'
    return f'<g id="{ring_name(role, radius)}"><g class="m">{drawn}</g></g>' if drawn else ""


def probe() -> str:
    """SVG definition of the probe's cross hairs."""
    a, b = size(PROBE_RADIUS), size(PROBE_HAIRS)
    hairs = f"M{a} 0H{b}M-{a} 0H-{b}M0 {a}V{b}M0 -{a}V-{b}"
    return (
        f'<g id="probe"><g class="m"><path d="{hairs}" class="pk" stroke-width="4.5"/><path d="{hairs}" class="li" stroke-width="2"/>'
        f'<circle r="{a}" class="fp li" stroke-width="2"/></g></g>'
    )


def query(labelled: bool) -> str:
    """SVG definition of the disc that marks a query point; the larger disc where it has a label."""
    r = QUERY_RADIUS if labelled else QUERY_SMALL
    name = "query-l" if labelled else "query"
    return f'<g id="{name}"><g class="m"><circle r="{size(r)}" class="fp li" stroke-width="2"/></g></g>'
