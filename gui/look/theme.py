"""Every colour, size and duration of the program, in three themes. No other module names one."""

from functools import lru_cache

from PySide6.QtGui import QColor, QFont

from engine.base.records import Record, cached_property, field, replace
from engine.scene.roles import CLASS_SHAPES as CLASS_SHAPES
from gui.look import sizes

CLASS_HATCHES = (
    "diagonal",
    "dots",
    "antidiagonal",
    "horizontal",
    "vertical",
    "grid",
    "diamond_grid",
    "dashes",
)
SLIDE_MS, HOVER_MS, FOLD_MS, REVEAL_MS = 160, 80, 140, 240
SLIDE_LIMIT = 4.0  # steps per second up to which lines and arrows slide while playing

MENU, CHIP_ROW, TOOLS, LEFT_DOCK, RIGHT_DOCK, RIGHT_DOCK_TREE = 40, 40, 48, 252, 324, 340
TIMELINE, TRANSPORT, CURVES = 132, 44, 70
CONTROL, CONTROL_ROW, TABLE_ROW, BUTTON, LARGE_BUTTON, TOOL_BUTTON = 26, 31, 22, 28, 38, 36
LOW_TOOL = 30  # height of a tool's button where the window is low
CONTROL_ROW_TIGHT = 29  # in forms with many rows
PAD_X, PAD_Y, GAP = 16, 10, 8
PAD_TIGHT, GAP_TIGHT = (
    5,
    5,
)  # in the left dock, so that data, algorithm and parameters show at 1280 x 800 without scrolling
CHECK_RADIUS, RADIUS, CARD_RADIUS, CHIP_RADIUS = 3, 4, 6, 13


class Theme(Record, eq=True, dict=True):
    """One theme.

    Colours are '#RRGGBB'; sizes are logical pixels.
    """

    name: str
    window: str
    dock: str
    field_: str
    plane: str
    line: str
    strong: str
    ink: str
    ink2: str
    ink3: str
    sel: str
    sel_ink: str
    hover: str
    grid: str
    now: str
    now_soft: str
    now_ink: str
    ghost: str
    error: str
    classes: tuple[str, ...]
    tint_share: float
    shading: tuple[float, float]
    level_alpha: float
    dark: bool = False
    stroke: float = 1.0
    radius: float = 5.5
    handle: float = 8.0
    type_sizes: dict[str, tuple[float, int, int]] = field(default_factory=dict)
    step: int = 0  # type step (gui/look/sizes.py)

    @cached_property
    def key(self) -> tuple[str, int]:
        """The key of this theme and type step, for caches of pictures and measures."""
        return self.name, self.step

    def large(self, pixels: float) -> int:
        """A size of a projector-only part, which grows with the type."""
        return round(pixels * (sizes.STEP**self.step if self.name == "projector" else 1.0))

    def colour(self, name: str, alpha: float = 1.0) -> QColor:
        """The colour of a token, or of 'class 0' … 'class 7', with an opacity of 0 … 1."""
        known = self._colours.get((name, alpha))
        if known is None:
            if name.startswith("class"):
                known = QColor(self.classes[int(name[5:]) % len(self.classes)])
            else:
                known = QColor(getattr(self, "field_" if name == "field" else name))
            known.setAlphaF(alpha)
            self._colours[name, alpha] = known
        return QColor(known)

    @cached_property
    def _colours(self) -> dict[tuple[str, float], QColor]:
        """The colours asked for so far: a frame asks for hundreds, and a copy is cheaper than
        parsing.
        """
        return {}

    @cached_property
    def _fonts(self) -> dict[tuple[object, ...], QFont]:
        return {}

    def group(self, index: int) -> QColor:
        """The colour of a class; ghost grey for no class.

        From the ninth class on colours repeat; shapes tell them apart.
        """
        return self.colour("ghost" if index < 0 else f"class {index}")

    def tint(self, index: int, share: float | None = None) -> QColor:
        """Plane colour mixed with `share` of the class colour (default: the region tint)."""
        if index < 0:
            return self.colour("plane")
        share = self.tint_share if share is None else share
        known = self._tints.get((index, share))
        if known is None:
            known = self._tints[index, share] = mix(self.colour("plane"), self.group(index), share)
        return QColor(known)

    @cached_property
    def _tints(self) -> dict[tuple[int, float], QColor]:
        return {}

    @cached_property
    def font_families(self) -> dict[str, list[str]]:
        return {
            "text": [
                "Inter",
                "Noto Sans",
                "Segoe UI",
                "Helvetica Neue",
                "DejaVu Sans",
                "sans-serif",
            ],
            "mono": ["JetBrains Mono", "DejaVu Sans Mono", "Menlo", "Consolas", "monospace"],
            "formula": [
                "STIXGeneral",
                "STIX",
                "STIX Two Text",
                "Cambria Math",
                "DejaVu Serif",
                "serif",
            ],
        }

    def font(
        self, style: str, family: str = "text", weight: int = 0, italic: bool = False
    ) -> QFont:
        """The font of a type style (a key of `type_sizes`), in pixels; digits are tabular."""
        key = style, family, weight, italic
        if key not in self._fonts:
            self._fonts[key] = self._font(*key)
        return QFont(self._fonts[key])

    def _font(self, style: str, family: str, weight: int, italic: bool) -> QFont:
        size, _, usual = self.type_sizes[style]
        font = QFont()
        font.setFamilies(self.font_families[family])
        font.setPixelSize(pixel_size(size, family))
        font.setWeight(QFont.Weight(weight or usual))
        font.setItalic(italic)
        if family == "text":
            font.setFeature(QFont.Tag("tnum"), 1)
        if family == "mono":
            font.setFeature(QFont.Tag("liga"), 0)
            font.setFeature(QFont.Tag("calt"), 0)
        return font

    def line_height(self, style: str) -> int:
        return self.type_sizes[style][1]


def pixel_size(size: float, family: str = "text") -> int:
    """A type size in whole pixels; halves are rounded up, in code down, as its lines are long."""
    return int(size + (0.5 if family != "mono" else 0.49))


def mix(base: QColor, over: QColor, share: float) -> QColor:
    """`share` (0 … 1) of `over` on `base`, mixed in sRGB; NaN counts as 0."""
    share = min(max(0.0, share), 1.0)  # max() takes its first argument before NaN
    parts = zip(rgba(base)[:3], rgba(over)[:3], strict=True)
    return QColor(*(round(b + (o - b) * share) for b, o in parts))


def rgba(colour: QColor) -> tuple[int, int, int, int]:
    """Red, green, blue and alpha, 0 … 255."""
    return colour.red(), colour.green(), colour.blue(), colour.alpha()


# style -> (size, line height, weight); “less”: for a formula that is too wide
_TYPE: dict[str, tuple[float, int, int]] = {
    "caption": (12, 16, 400), "body": (13, 18, 400), "code": (12.5, 20, 400), "heading": (13, 18,
    600),
    "lead": (15, 21, 500), "plane": (13.5, 18, 600), "formula": (17, 22, 400), "vector": (15, 20,
    400),
    "formula less": (15, 20, 400), "vector less": (14, 18, 400),
    "title": (23, 30, 700), "counter": (30, 36, 700), "total": (18, 24, 400),
}  # fmt: skip
_TYPE_PROJECTOR: dict[str, tuple[float, int, int]] = {
    "caption": (16, 20, 500), "body": (20, 26, 500), "code": (20, 30, 400), "heading": (20, 26,
    700),
    "lead": (27, 36, 600), "plane": (20, 26, 700), "formula": (27, 36, 400), "vector": (24, 32,
    400),
    "formula less": (24, 32, 400), "vector less": (21, 28, 400),
    "title": (30, 38, 700), "counter": (60, 66, 800), "total": (32, 40, 500),
}  # fmt: skip

LIGHT = Theme(
    "light",
    window="#E9ECF0",
    dock="#F6F7F9",
    field_="#FFFFFF",
    plane="#FFFFFF",
    line="#D5DAE1",
    strong="#7A8492",
    ink="#14181E",
    ink2="#454E5B",
    ink3="#5F6977",
    sel="#222A35",
    sel_ink="#FFFFFF",
    hover="#E3E7EC",
    grid="#E6E9EE",
    now="#FFC933",
    now_soft="#FFEFBF",
    now_ink="#14181E",
    ghost="#6C7582",
    error="#A3161F",
    classes=(
        "#1B5BCB",
        "#B94700",
        "#028252",
        "#BE608C",
        "#1C99D1",
        "#A29014",
        "#3E1D66",
        "#331608",
    ),
    tint_share=0.15,
    shading=(0.06, 0.28),
    level_alpha=0.20,
    type_sizes=_TYPE,
)
DARK = Theme(
    "dark",
    window="#0B0E12",
    dock="#161B22",
    field_="#1F252E",
    plane="#12161C",
    line="#2C343F",
    strong="#737F8F",
    ink="#F1F4F8",
    ink2="#B4BDC9",
    ink3="#919CAB",
    sel="#E4E9F0",
    sel_ink="#12161C",
    hover="#262D37",
    grid="#222933",
    now="#FFC933",
    now_soft="#43380F",
    now_ink="#14181E",
    ghost="#8E9AAA",
    error="#FF9A93",
    classes=(
        "#5F9AFB",
        "#F4703A",
        "#2BD39B",
        "#DF85AD",
        "#C3E8FF",
        "#E4F29A",
        "#7160DC",
        "#83776C",
    ),
    tint_share=0.20,
    shading=(0.07, 0.21),
    level_alpha=0.20,
    dark=True,
    type_sizes=_TYPE,
)
PROJECTOR = Theme(
    "projector",
    window="#FFFFFF",
    dock="#FFFFFF",
    field_="#FFFFFF",
    plane="#FFFFFF",
    line="#8A93A0",
    strong="#5A6470",
    ink="#000000",
    ink2="#262C34",
    ink3="#3A424D",
    sel="#000000",
    sel_ink="#FFFFFF",
    hover="#E6E9EE",
    grid="#DDE1E7",
    now="#FFC21A",
    now_soft="#FFE9A8",
    now_ink="#000000",
    ghost="#606974",
    error="#A3161F",
    classes=(
        "#1853C6",
        "#A84104",
        "#028252",
        "#BE608C",
        "#1C99D1",
        "#A29014",
        "#3E1D66",
        "#331608",
    ),
    tint_share=0.24,
    shading=(0.10, 0.34),
    level_alpha=0.22,
    stroke=1.5,
    radius=9.0,
    handle=13.0,
    type_sizes=_TYPE_PROJECTOR,
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK, PROJECTOR)}

_active = LIGHT


@lru_cache(maxsize=32)
def look(name: str, step: int = 0) -> Theme:
    """Theme `name` (the light one if unknown) at a step of its type.

    In the projector theme marks grow too, as the screen is seen from afar.
    """
    base = THEMES.get(name, LIGHT)
    if step == 0:
        return base
    projector = base.name == "projector"
    grown = sizes.STEP**step
    type_ = {}
    for style, (size, height, weight) in base.type_sizes.items():
        larger = (
            size * grown
            if projector or style not in sizes.TYPE
            else sizes.at_step(sizes.TYPE[style], step)
        )
        type_[style] = (larger, round(height * larger / size), weight)
    marks = (
        {part: getattr(base, part) * grown for part in ("stroke", "radius", "handle")}
        if projector
        else {}
    )
    return replace(base, step=step, type_sizes=type_, **marks)


def current() -> Theme:
    """The current theme; paint code calls this whenever it paints."""
    return _active


def use(name: str, step: int = 0) -> Theme:
    """Make theme `name` (the light one if unknown) the current one, its type at `step`.

    gui/look/style.py applies it to the application's style sheet and repaints.
    """
    global _active
    _active = look(name, step)
    return _active
