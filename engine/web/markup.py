"""Numbers, texts and elements as they are written in a page."""

import re
from collections.abc import Iterable

import numpy as np

from engine.base.arrays import Float

# what no XML may hold: control characters, lone surrogates, two that are no characters
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_MARKS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def escaped(text: object) -> str:
    """A text for the content or an attribute of an element; what no XML may hold becomes �."""
    clean = _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", str(text))
    return "".join(_MARKS.get(letter, letter) for letter in clean)


def size(value: float) -> str:
    """A length or place with one decimal at most."""
    return f"{round(float(value), 1) + 0.0:.6g}"


def points(xy: Float) -> str:
    """Places (m, 2) as the points of a path: 'x y x y …' behind 'M'."""
    return " ".join(f"{v:.6g}" for v in (np.round(xy, 1) + 0.0).ravel().tolist())


def simplified(line: Float, error: float = 0.15) -> Float:
    """A curve (m, 2) without the places that lie within `error` pixels of the line between their
    neighbours; both ends are kept.
    """
    while len(line) > 3:
        before, point, after = line[:-2:2], line[1:-1:2], line[2::2]
        way = after - before
        part = point - before
        aside = way[:, 0] * part[:, 1] - way[:, 1] * part[:, 0]
        along, length = (way * part).sum(axis=1), (way**2).sum(axis=1)
        stays = np.ones(len(line), bool)
        stays[1:-1:2] = (aside**2 >= error**2 * length) | (along < 0) | (along > length)
        if stays.all():
            break
        line = line[stays]
    return line


def path(pieces: Iterable[Float], closed: bool = False) -> str:
    """The `d` of a path along pieces (m_i, 2) of two places or more; '' without any."""
    end = "z" if closed else ""
    return "".join(f"M{points(simplified(piece))}{end}" for piece in pieces if len(piece) > 1)


def runs(xy: Float) -> list[Float]:
    """The stretches of (m, 2) between places that are not finite."""
    good = np.isfinite(xy).all(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], good, [False]]).astype(np.int8)))
    return [xy[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
