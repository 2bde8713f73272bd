"""The kinds of file for many steps, by their endings, and how much each may hold."""

from enum import Enum
from importlib.util import find_spec
from math import ceil
from pathlib import Path

from engine.base.errors import EngineError
from engine.base.notation import counted, quoted
from engine.base.place import INSTALLED

MOST_PICTURES, MOST_ON_PAPER = 2_000, 240
MOST_PIXELS = 1_000_000_000  # of all pictures: a GIF in the making keeps a byte for each
LARGEST_WEBP = 16_383  # pixels, by its format
FETCH_VIDEO = 'pip install "learnscope[video]"' if INSTALLED else "uv run --extra video main.py"
FETCH_PILLOW = (
    "pip install --upgrade learnscope" if INSTALLED else "pip install uv && uv run main.py"
)


class Kind(Enum):
    """A kind of file; the value is its suffix, "" for a folder of pictures."""

    GIF = ".gif"
    WEBP = ".webp"
    MP4 = ".mp4"
    FOLDER = ""
    PDF = ".pdf"


FILMS = (Kind.GIF, Kind.WEBP, Kind.MP4, Kind.FOLDER)


def kind_of(path: str | Path) -> Kind:
    """The kind of file that the ending of `path` names.

    Raises EngineError for an unknown ending, and if a package for this kind is missing.
    """
    ending = Path(path).suffix.lower()
    kinds = {kind.value: kind for kind in Kind}
    if ending not in kinds:
        raise EngineError(
            "A moving picture is written as .gif, .webp or .mp4, a picture of each step into a"
            f" folder (a name without an ending), a handout as .pdf; {quoted(Path(path).name)} is"
            " none of these."
        )
    kind = kinds[ending]
    if missing := missing_package(kind):
        raise EngineError(missing)
    return kind


def missing_package(kind: Kind) -> str:
    """The sentence that says how to install the package that this kind of file needs.

    "" if nothing is missing.
    """
    if kind is Kind.MP4 and find_spec("imageio_ffmpeg") is None:
        return (
            f"A film as MP4 needs the package imageio-ffmpeg, which this fetches: {FETCH_VIDEO}."
            " GIF and WebP need none."
        )
    if kind in (Kind.GIF, Kind.WEBP) and find_spec("PIL") is None:
        return (
            f"A film as GIF or WebP needs the package Pillow, which this fetches: {FETCH_PILLOW}."
        )
    return ""


def most_pictures(kind: Kind, size: tuple[int, int]) -> int:
    """The most pictures of a size, (width, height) in pixels, that one file may hold."""
    return (
        MOST_ON_PAPER
        if kind is Kind.PDF
        else max(1, min(MOST_PICTURES, MOST_PIXELS // (size[0] * size[1])))
    )


def check_size(kind: Kind, count: int, size: tuple[int, int]) -> None:
    """Raise EngineError if a file of `count` pictures of this size would be too large."""
    most = most_pictures(kind, size)
    if kind is Kind.WEBP and max(size) > LARGEST_WEBP:
        raise EngineError(
            f"A WebP is at most {LARGEST_WEBP:,} pixels wide and high, not {size[0]:,} ×"
            f" {size[1]:,}."
        )
    if count > most:
        of_size = "" if kind is Kind.PDF else f" of {size[0]:,} × {size[1]:,} pixels"
        raise EngineError(
            f"That would be {counted(count, 'picture')}{of_size}; one file holds at most {most:,}"
            f" of them. Choose fewer steps, or one in {ceil(count / most):,}."
        )
