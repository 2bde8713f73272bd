"""The camera of 3-D figures: it projects a box turned by two angles, and clips
planes to the box.
"""

from collections.abc import Iterator
from itertools import product
from math import cos, hypot, pi, radians, sin

import numpy as np

from engine.base.arrays import Float
from engine.base.records import Record, cached_property
from engine.scene.scene import Space

EYE = 7.0  # distance of the eye from the middle, in half sides of the box
# pixels for names and numbers at the sides, above and below; least pixels below
BESIDE, BELOW, BELOW_SMALL = 72.0, 38.0, 24.0
WIDEST = 2.0  # largest stretch of the box in a wide picture
YAW, PITCH, PITCH_SURFACE = 32.0, 24.0, 38.0
LEAST_ZOOM, MOST_ZOOM = 0.4, 6.0
AIR = 0.04
CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))
EDGES = [
    (a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(CORNERS[a] - CORNERS[b]).sum() == 2
]


class Camera(Record, eq=True, dict=True):
    """yaw turns around the vertical axis, pitch raises the eye (degrees). width, height: of the
    picture in pixels; stretch: half sides of the box, 1 for a cube.
    """

    yaw: float = YAW
    pitch: float = PITCH
    zoom: float = 1.0
    width: float = 300.0
    height: float = 220.0
    stretch: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def axes(self) -> Float:
        """(3, 3) rows: the directions right, up and towards the eye, in the box."""
        a, p = radians(self.yaw), radians(self.pitch)
        right = [cos(a), -sin(a), 0.0]
        up = [sin(a) * sin(p), cos(a) * sin(p), cos(p)]
        near = [-sin(a) * cos(p), -cos(a) * cos(p), sin(p)]
        return np.array([right, up, near])

    def project(self, places: Float) -> Float:
        """(…, 3) in the box from −1 to 1 -> (…, 3): pixel x, pixel y, nearness to the eye."""
        turned = np.clip(places, -30.0, 30.0) * self.stretch @ self._turn
        scale = EYE / np.maximum(EYE - turned[..., 2], 0.5)
        turned[..., 0] = self.width / 2 + self.unit * scale * turned[..., 0]
        turned[..., 1] = self.height / 2 - self.unit * (scale * turned[..., 1] - self.middle)
        return turned

    @cached_property
    def _turn(self) -> Float:
        return self.axes().T

    @cached_property
    def unit(self) -> float:
        """Pixels per half side of the box, seen from afar. The box then fits at any yaw."""
        turn = np.linspace(0, 2 * pi, 24, endpoint=False)
        floor = hypot(*self.stretch[:2])
        high = self.stretch[2]
        rings = np.array([(floor * cos(t), floor * sin(t), z) for t in turn for z in (-high, high)])
        turned = rings @ self.axes().T
        seen = turned[:, :2] * (EYE / (EYE - turned[:, 2]))[:, None]
        across, upwards = np.ptp(seen, axis=0)
        room = (
            max(60.0, self.width - BESIDE) / across,
            max(60.0, self.height - below(self.height)) / upwards,
        )
        return self.zoom * float(min(room))

    @cached_property
    def middle(self) -> float:
        """The vertical centre of the projected box; perspective moves it off 0."""
        turned = CORNERS * self.stretch @ self.axes().T
        heights = EYE / (EYE - turned[:, 2]) * turned[:, 1]
        return float(heights.max() + heights.min()) / 2

    def side(self, w: Float, b: float) -> float:
        """+1 when the eye is where w·x + b > 0 (in the box), else −1."""
        eye = EYE * self.axes()[2] / self.stretch
        return 1.0 if float(w @ eye) + b > 0 else -1.0


def below(height: float) -> float:
    """The pixels for names and numbers above and below the box."""
    return min(BELOW, max(BELOW_SMALL, 0.19 * height))


def stretch_for(width: float, height: float) -> tuple[float, float, float]:
    """The half sides of a box for a picture of this size: broader, deeper and lower than a cube in
    a wide one.
    """
    ratio = max(60.0, width - BESIDE) / max(60.0, height - below(height))
    wide = min(WIDEST, max(1.0, 0.9 * ratio**0.95))
    return wide, wide, wide**-0.5


class Box(Record, eq=True):
    """The ranges of the three axes: low (3,), high (3,)."""

    low: Float
    high: Float

    def inside(self, xyz: Float) -> Float:
        """Data coordinates scaled to −1 … 1."""
        return (np.asarray(xyz, np.float64) - self.low) / (self.high - self.low) * 2 - 1

    def plane(self, w: Float, b: float) -> tuple[Float, float]:
        """(w, b) of the same plane in coordinates from −1 to 1."""
        half = (self.high - self.low) / 2
        return np.asarray(w, np.float64) * half, float(b + w @ (self.low + half))

    def cut(self, w: Float, b: float) -> Float:
        """(m, 3) the corners, in order, of the plane's section with the box; empty when they do not
        meet.
        """
        w, b = self.plane(np.asarray(w, np.float64), b)
        values = CORNERS @ w + b
        size = float(np.abs(w).sum())
        if size < 1e-200 or not np.isfinite(values).all():
            return np.zeros((0, 3))
        values = np.where(np.abs(values) < 1e-9 * size, 1e-9 * size, values)
        found = [
            CORNERS[a] + values[a] / (values[a] - values[b_]) * (CORNERS[b_] - CORNERS[a])
            for a, b_ in EDGES
            if (values[a] > 0) != (values[b_] > 0)
        ]
        return _in_order(np.array(found).reshape(-1, 3), w / size)


def _in_order(corners: Float, w: Float) -> Float:
    """The corners of a convex polygon with normal w, sorted around its middle."""
    if len(corners) < 3:
        return np.zeros((0, 3))
    middle = corners.mean(axis=0)
    first = np.cross(w, np.eye(3)[int(np.abs(w).argmin())])
    second = np.cross(w, first)
    angles = np.arctan2(
        (corners - middle) @ second / np.linalg.norm(second),
        (corners - middle) @ first / np.linalg.norm(first),
    )
    return corners[np.argsort(angles)]


def box_of(space: Space) -> Box:
    """The ranges of the points with a margin and of the surface; of the path when there is nothing
    else.
    """
    parts = [np.asarray(space.xyz, np.float64).reshape(-1, 3)]
    if space.surface is not None:
        x, y, z = (np.asarray(part, np.float64) for part in space.surface)
        z = z[np.isfinite(z)]
        if space.top is not None:
            z = np.minimum(z, space.top)
        if len(x) and len(y) and len(z):
            parts += [np.array([[x.min(), y.min(), z.min()], [x.max(), y.max(), z.max()]])]
    places = np.concatenate(parts)
    places = places[np.isfinite(places).all(axis=1)]
    if not len(places) and space.path is not None:
        places = space.path[np.isfinite(space.path).all(axis=1)]
    if not len(places):
        return Box(np.full(3, -1.0), np.full(3, 1.0))
    low = places.min(axis=0)
    high = places.max(axis=0)
    air = np.where(high > low, AIR * (high - low), 0.5 * np.maximum(1.0, np.abs(low)))
    if space.surface is not None:
        air = np.where(high > low, 0.0, air)
    return Box(low - air, high + air)


def box_lines(camera: Camera) -> Iterator[tuple[int, int]]:
    """The edges of the box behind its contents: all but the three at the corner
    nearest to the eye.
    """
    nearest = int(camera.project(CORNERS)[:, 2].argmax())
    return ((a, b) for a, b in EDGES if nearest not in (a, b))


def axis_edge(camera: Camera, axis: int) -> tuple[Float, Float]:
    """The ends of the edge with the name and the numbers of an axis: in front at the floor, at the
    left for the vertical axis.
    """
    seen = camera.project(CORNERS)
    floor = -1.0 if camera.pitch >= 0 else 1.0
    edges = [(a, b) for a, b in EDGES if CORNERS[a][axis] != CORNERS[b][axis]]
    if axis < 2:
        edges = [(a, b) for a, b in edges if CORNERS[a][2] == floor]
        a, b = max(edges, key=lambda edge: seen[edge[0], 2] + seen[edge[1], 2])
    else:
        a, b = min(edges, key=lambda edge: seen[edge[0], 0] + seen[edge[1], 0])
    return CORNERS[a], CORNERS[b]
