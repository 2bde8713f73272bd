"""The contrast and colour-vision tables of the design tokens, computed again from
gui/look/theme.py.

WCAG 2 contrast; colour vision after Machado, Oliveira and Fernandes 2009 (severity 1.0, linear
RGB); differences are CIEDE2000 (Sharma, Wu and Dalal 2005, whose published pairs check the formula
here).
"""

import math
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtGui import QColor

from gui.look import sizes
from gui.look.theme import CLASS_HATCHES, CLASS_SHAPES, DARK, LIGHT, PROJECTOR, THEMES, Theme
from gui.look.theme import look as look_at

ALL = pytest.mark.parametrize("look", THEMES.values(), ids=THEMES)

VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
SRGB_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: QColor | str) -> np.ndarray:
    c = QColor(colour)
    s = np.array([c.red(), c.green(), c.blue()]) / 255
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)


def contrast(a: QColor | str, b: QColor | str) -> float:
    light, dark = sorted((float(linear(c) @ SRGB_TO_XYZ[1]) for c in (a, b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(rgb: np.ndarray) -> tuple[float, float, float]:
    t = SRGB_TO_XYZ @ rgb / WHITE
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def ciede2000(one: tuple[float, float, float], two: tuple[float, float, float]) -> float:
    (l1, a1, b1), (l2, a2, b2) = one, two
    c_mean7 = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    g = 0.5 * (1 - math.sqrt(c_mean7 / (c_mean7 + 25**7)))
    a1 = (1 + g) * a1
    a2 = (1 + g) * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1 = math.degrees(math.atan2(b1, a1)) % 360
    h2 = math.degrees(math.atan2(b2, a2)) % 360
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    d_light = l2 - l1
    d_chroma = c2 - c1
    d_hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2)
    light = (l1 + l2) / 2
    chroma = (c1 + c2) / 2
    t = (
        1
        - 0.17 * math.cos(math.radians(hue - 30))
        + 0.24 * math.cos(math.radians(2 * hue))
        + 0.32 * math.cos(math.radians(3 * hue + 6))
        - 0.20 * math.cos(math.radians(4 * hue - 63))
    )
    s_light = 1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)
    s_chroma = 1 + 0.045 * chroma
    s_hue = 1 + 0.015 * chroma * t
    rotation = (
        -2
        * math.sqrt(chroma**7 / (chroma**7 + 25**7))
        * math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    )
    x = d_light / s_light
    y = d_chroma / s_chroma
    z = d_hue / s_hue
    return math.sqrt(x * x + y * y + z * z + rotation * y * z)


def seen(colour: QColor | str, vision: str) -> tuple[float, float, float]:
    return lab(np.clip(VISION[vision] @ linear(colour), 0, 1))


def difference(a: QColor | str, b: QColor | str, vision: str = "normal") -> float:
    return ciede2000(seen(a, vision), seen(b, vision))


def nearest(colours: list[QColor] | tuple[str, ...], vision: str) -> tuple[float, tuple[int, int]]:
    """The smallest difference between any two, and which two (counted from one)."""
    return min(
        (difference(a, b, vision), (i, j))
        for (i, a), (j, b) in combinations(enumerate(colours, start=1), 2)
    )


@pytest.mark.parametrize(
    ("one", "two", "published"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0009), 7.1792),
        ((50.0, 2.5, 0.0), (61.0, -5.0, 29.0), 22.8977),
        ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_ciede2000_gives_the_published_values(one, two, published):
    assert ciede2000(one, two) == pytest.approx(published, abs=1e-4)


def test_contrast_of_black_and_white():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)


# -- contrast --------------------------------------------------------------------------------------

PRINTED = [  # text, on, light, dark, projector, least
    ("ink", "window", 15.0, 17.5, 21.0, 4.5),
    ("ink", "dock", 16.6, 15.7, 21.0, 4.5),
    ("ink", "plane", 17.8, 16.4, 21.0, 4.5),
    ("ink2", "window", 7.1, 10.2, 14.1, 4.5),
    ("ink2", "dock", 7.9, 9.1, 14.1, 4.5),
    ("ink2", "plane", 8.4, 9.6, 14.1, 4.5),
    ("ink3", "window", 4.7, 7.0, 10.2, 4.5),
    ("ink3", "dock", 5.2, 6.2, 10.2, 4.5),
    ("ink3", "field", 5.6, 5.5, 10.2, 4.5),
    ("ink", "now_soft", 15.6, 10.5, 17.5, 4.5),
    ("now_ink", "now", 11.6, 11.6, 13.0, 4.5),
    ("sel_ink", "sel", 14.5, 14.9, 21.0, 4.5),
    ("error", "dock", 7.3, 8.5, 7.8, 4.5),
    ("strong", "window", 3.2, 4.8, 6.0, 3.0),
    ("strong", "dock", 3.5, 4.3, 6.0, 3.0),
    ("strong", "field", 3.8, 3.8, 6.0, 3.0),
    ("ghost", "plane", 4.7, 6.4, 5.6, 3.0),
    ("sel", "dock", 13.5, 14.2, 21.0, 3.0),
]


@pytest.mark.parametrize(("text", "ground", "light", "dark", "projector", "least"), PRINTED)
def test_contrast_of_tokens(text, ground, light, dark, projector, least):
    for look, printed in ((LIGHT, light), (DARK, dark), (PROJECTOR, projector)):
        measured = contrast(look.colour(text), look.colour(ground))
        assert measured >= least
        assert measured == pytest.approx(printed, abs=0.051)


def worst_on(look: Theme, token: str, share: float) -> float:
    return min(contrast(look.colour(token), look.tint(i, share)) for i in range(8))


@pytest.mark.parametrize(
    ("look", "deepest", "printed"),
    [
        (LIGHT, 0.34, (8.4, 6.2, 3.4)),
        (DARK, 0.24, (8.2, 5.5, 3.6)),
        (PROJECTOR, 0.34, (9.9, 8.4, 3.3)),
    ],
)
def test_contrast_on_regions(look, deepest, printed):
    """ink on the deepest shading that is allowed; ink2 and ghost on the worst tint."""
    assert look.shading[1] <= deepest
    measured = (
        worst_on(look, "ink", deepest),
        worst_on(look, "ink2", look.tint_share),
        worst_on(look, "ghost", look.tint_share),
    )
    assert measured[0] >= 3.0
    assert measured[1] >= 4.5
    assert measured[2] >= 3.0
    assert measured == pytest.approx(printed, abs=0.051)


@pytest.mark.parametrize(
    ("look", "printed"),
    [
        (LIGHT, (6.2, 5.3, 4.9, 4.0, 3.2, 3.2, 13.4, 16.7)),
        (DARK, (6.5, 6.2, 9.4, 7.0, 14.1, 15.1, 3.8, 4.2)),
        (PROJECTOR, (6.8, 6.1, 4.9, 4.0, 3.2, 3.2, 13.4, 16.7)),
    ],
)
def test_contrast_of_classes_with_their_casing(look, printed):
    measured = [contrast(look.group(i), look.plane) for i in range(8)]
    assert min(measured) >= 3.0
    assert measured == pytest.approx(printed, abs=0.051)


@pytest.mark.parametrize(
    ("look", "printed"),
    [
        (LIGHT, "#DDE6F7 #F4E3D9 #D9ECE5 #F5E7EE #DDF0F8 #F1EEDC #E2DDE8 #E0DCDA"),
        (DARK, "#213049 #3F2822 #173C35 #3B2C39 #354049 #3C4235 #252542 #29292C"),
        (PROJECTOR, "#C8D6F1 #EAD1C3 #C2E1D5 #EFD9E3 #C9E7F4 #E9E4C7 #D1C9DA #CEC7C4"),
    ],
)
def test_region_tints(look, printed):
    assert " ".join(look.tint(i).name().upper() for i in range(8)) == printed


# -- colour vision ---------------------------------------------------------------------------------

# vision -> smallest difference among the first 2, 3, 4, 6, 8 classes, and the worst pair of eight
DISTANCES = {
    ("light", "normal"): ((49.0, 45.8, 32.9, 24.0, 24.0), (1, 5)),
    ("light", "protanopia"): ((55.2, 13.8, 13.8, 13.8, 13.8), (2, 3)),
    ("light", "deuteranopia"): ((60.8, 16.1, 16.1, 10.8, 10.8), (2, 6)),
    ("light", "tritanopia"): ((60.8, 13.4, 12.6, 12.6, 12.6), (2, 4)),
    ("dark", "normal"): ((47.6, 43.9, 29.7, 21.6, 20.8), (1, 7)),
    ("dark", "protanopia"): ((53.0, 20.5, 15.5, 12.2, 12.2), (3, 6)),
    ("dark", "deuteranopia"): ((57.2, 18.2, 12.8, 12.8, 12.8), (3, 4)),
    ("dark", "tritanopia"): ((73.1, 13.8, 11.0, 11.0, 11.0), (2, 4)),
    ("projector", "normal"): ((47.9, 46.5, 32.9, 26.7, 21.9), (1, 7)),
    ("projector", "protanopia"): ((54.9, 15.6, 15.6, 15.5, 15.5), (3, 6)),
    ("projector", "deuteranopia"): ((60.0, 14.9, 14.9, 14.9, 14.9), (2, 3)),
    ("projector", "tritanopia"): ((57.9, 14.7, 14.7, 14.7, 14.7), (1, 3)),
}
NOW = {  # `now` to its nearest class: normal, protanopia, deuteranopia, tritanopia
    "light": (19.9, 17.9, 19.1, 17.6),
    "dark": (20.1, 12.3, 10.8, 14.3),
    "projector": (19.7, 16.5, 18.3, 17.0),
}


@pytest.mark.parametrize(("name", "vision"), DISTANCES)
def test_classes_stay_apart_for_every_colour_vision(name, vision):
    printed, pair = DISTANCES[name, vision]
    classes = THEMES[name].classes
    measured = [nearest(classes[:n], vision)[0] for n in (2, 3, 4, 6, 8)]
    assert measured[0] >= 40
    assert measured[-1] >= 10
    assert measured == pytest.approx(printed, abs=0.06)
    assert nearest(classes, vision)[1] == pair


@pytest.mark.parametrize("name", NOW)
def test_amber_is_no_class(name):
    look = THEMES[name]
    measured = [min(difference(look.now, c, vision) for c in look.classes) for vision in VISION]
    assert min(measured) >= 10
    assert measured == pytest.approx(NOW[name], abs=0.06)


@ALL
def test_tints_of_the_first_two_classes_stay_apart(look):
    measured = [difference(look.tint(0), look.tint(1), vision) for vision in VISION]
    assert min(measured) >= 13.55


@pytest.mark.parametrize(("look", "printed"), [(LIGHT, 2.0), (DARK, 3.6), (PROJECTOR, 3.2)])
def test_tints_alone_do_not_tell_four_classes_apart(look, printed):
    """Why regions of different classes are always divided by an ink boundary."""
    tints = [look.tint(i) for i in range(4)]
    assert min(nearest(tints, vision)[0] for vision in VISION) == pytest.approx(printed, abs=0.06)


def test_every_class_has_its_own_shape_and_hatch():
    assert len(set(CLASS_SHAPES)) == len(CLASS_SHAPES) == 8
    assert len(set(CLASS_HATCHES)) == len(CLASS_HATCHES) == 8
    assert "cross" not in CLASS_SHAPES  # reserved for “wrong”


@ALL
def test_no_type_is_below_the_least_size(look):
    least = 16 if look is PROJECTOR else 12
    assert min(size for size, _, _ in look.type_sizes.values()) >= least


@pytest.mark.parametrize("style", sizes.TYPE)
def test_type_has_the_printed_sizes_at_the_steps(style):
    for step in (0, 1, 2):
        assert [look_at(name, step).type_sizes[style][0] for name in ("light", "dark")] == [
            sizes.TYPE[style][step]
        ] * 2
    assert look_at("light", 0) is LIGHT
    assert look_at("light", 2) is look_at("light", 2)


def test_under_the_projector_type_and_marks_grow_together():
    grown = look_at("projector", 2)
    for style, (size, _, weight) in PROJECTOR.type_sizes.items():
        assert grown.type_sizes[style][0] == pytest.approx(size * 1.125**2)
        assert grown.type_sizes[style][2] == weight
    assert (grown.radius, grown.stroke) == pytest.approx((9 * 1.265625, 1.5 * 1.265625))
    assert (look_at("light", 2).radius, look_at("light", 2).stroke) == (5.5, 1.0)
