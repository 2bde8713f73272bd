"""Pictures one after the other as one file, or one folder, which is there whole or not at all."""

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.files.atomic import in_folder, reason, write_atomic
from gui.export.kinds import Kind
from gui.export.render import png_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from gui.export.film import Film

COLOURS = 256  # of a GIF's picture
FIRST_COLOURS = 208  # of the first picture, which leaves room for those that later ones bring along
# share of the pixels of a colour that is missed; squared distance from a colour as good
SEEN, ALIKE = 4e-5, 64.0
PER_SECOND = 25  # pictures that a video has at least
BLOCK = 2**20  # bytes
Colours = npt.NDArray[np.uint32]
Floats = npt.NDArray[np.float32]
Counts = npt.NDArray[np.intp]


def write(
    kind: Kind, path: Path, images: Iterator[QImage], numbers: Sequence[int], film: "Film"
) -> None:
    """Write one image for each of the numbers.

    Raises EngineError where the disk refuses; what `images` raises, too.
    """
    if kind is Kind.FOLDER:
        _write_folder(path, images, numbers)
    elif kind is Kind.MP4:
        _write_video(path, images, film, len(numbers))
    elif kind is Kind.GIF:
        _write_animation(path, "GIF", _in_few_colours(images), film, len(numbers), disposal=1)
    else:
        _write_animation(
            path, "WEBP", map(_rgb, images), film, len(numbers), lossless=True, method=2, quality=40
        )


def _write_animation(
    path: Path, kind: str, pictures: Iterator["Image"], film: "Film", count: int, **options: object
) -> None:
    """By Pillow.

    Of pictures that are the same one after the other it makes one, shown for as long as all of
    them.
    """
    thousandths = [round(1000 * seconds) for seconds in film.durations(count)]
    buffer = BytesIO()
    next(pictures).save(
        buffer, kind, save_all=True, append_images=pictures, duration=thousandths, loop=0, **options
    )
    write_atomic(path, [buffer.getvalue()])


def _rgb(image: QImage) -> "Image":
    from PIL import Image

    size = image.width(), image.height()
    return Image.frombuffer(
        "RGB", size, bytes(image.constBits()), "raw", "BGRX", image.bytesPerLine(), 1
    )


# -- colours of a GIF ------------------------------------------------------------------------------


def _in_few_colours(images: Iterator[QImage]) -> Iterator["Image"]:
    """Each image with at most 256 colours.

    A colour keeps its place and value from picture to picture, so that nothing flickers and what
    stands still takes no room; one that is new is added, and begins a new palette where there is no
    room. Pillow's own way takes a near colour of the palette for a frequent one that stands in it.
    """
    from PIL import Image

    palette = np.zeros(0, np.uint32)
    for image in images:
        pixels = np.frombuffer(image.constBits(), np.uint32) & 0xFFFFFF
        found, counts = np.unique(pixels, return_counts=True)
        palette = _extended(palette, found, counts)
        nearest = _apart(found, palette).argmin(axis=1).astype(np.uint8)
        indices = nearest[np.searchsorted(found, pixels)]
        made = Image.frombuffer(
            "P", (image.width(), image.height()), indices.tobytes(), "raw", "P", 0, 1
        )
        made.putpalette(_channels(palette).astype(np.uint8).tobytes())
        yield made


def _extended(palette: Colours, found: Colours, counts: Counts) -> Colours:
    """The palette with those colours of an image that it lacks; the most frequent ones alone where
    it has no room for them.
    """
    if len(palette):
        wanted = counts >= max(2.0, SEEN * counts.sum())
        wanted[wanted] = _apart(found[wanted], palette).min(axis=1) > ALIKE
        if len(palette) + wanted.sum() <= COLOURS:
            return np.concatenate([palette, found[wanted]])
    return found[np.argsort(-counts, kind="stable")[:FIRST_COLOURS]]


def _apart(found: Colours, palette: Colours) -> Floats:
    """(m, k) squared distances of colours from those of a palette; exact, since they are whole
    numbers below 2²⁴.
    """
    a, b = _channels(found), _channels(palette)
    return (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * (a @ b.T)


def _channels(colours: Colours) -> Floats:
    """(m, 3) red, green, blue of colours as 0xRRGGBB."""
    return np.stack([colours >> 16 & 255, colours >> 8 & 255, colours & 255], axis=1).astype(
        np.float32
    )


# -- a folder, a video -----------------------------------------------------------------------------


def _write_folder(path: Path, images: Iterable[QImage], numbers: Sequence[int]) -> None:
    """A PNG file for each step, named by its number. A folder that is not empty is left alone."""
    digits = len(str(max(numbers)))
    temporary = path.parent / f".learnscope-{secrets.token_hex(8)}.tmp"
    try:
        _refuse_full(path)
        temporary.mkdir()
        for number, image in zip(numbers, images, strict=True):
            (temporary / f"step-{number:0{digits}}.png").write_bytes(png_of(image))
        if path.exists():
            path.rmdir()
        temporary.rename(path)
    except EngineError:
        raise
    except (OSError, ValueError) as refused:
        raise _not_saved(path, refused) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _refuse_full(path: Path) -> None:
    """Raises EngineError where something is at the place of the folder."""
    if path.exists() and not path.is_dir():
        raise EngineError(
            f"{quoted(path.name)} is a file, and no folder of pictures can take its place; choose"
            " another name."
        )
    if path.is_dir() and any(path.iterdir()):
        raise EngineError(
            f"The folder {quoted(path.name)} is not empty; name one that is, or one that is not"
            " there yet."
        )


def _write_video(path: Path, images: Iterator[QImage], film: "Film", count: int) -> None:
    """H.264 by ffmpeg.

    The last picture is repeated for as long as it is held; sides are made even, as the format
    wants.
    """
    per_second = 1 / film.seconds
    last_lasts = round(film.durations(count)[-1] * per_second)
    with tempfile.TemporaryDirectory(prefix="learnscope-") as folder:
        made = Path(folder) / "film.mp4"
        log = Path(folder) / "log.txt"
        with open(log, "wb") as words, _ffmpeg(film.size, per_second, made, words, path) as process:
            assert process.stdin is not None
            try:
                with suppress(BrokenPipeError):  # it has ended early: its exit code says so
                    for number, image in enumerate(images, 1):
                        for _ in range(last_lasts if number == count else 1):
                            process.stdin.write(bytes(image.constBits()))
                    process.stdin.close()
                code = process.wait()
            finally:
                process.kill()
                with suppress(BrokenPipeError):
                    process.stdin.close()
        if code:
            said = log.read_text(errors="replace").splitlines()
            raise _not_saved(path, OSError(said[-1] if said else "ffmpeg has failed"))
        write_atomic(path, _blocks(made))


def _ffmpeg(
    size: tuple[int, int], per_second: float, made: Path, words: IO[bytes], path: Path
) -> "subprocess.Popen[bytes]":
    """The process that makes a video of the pixels written to it, and of nothing else its words."""
    import imageio_ffmpeg

    pixels = [
        "-f",
        "rawvideo",
        "-pix_fmt",
        "bgra",
        "-s",
        f"{size[0]}x{size[1]}",
        "-r",
        f"{per_second:g}",
        "-i",
        "-",
    ]
    coded = [
        "-c:v",
        "libx264",
        "-crf",
        "18",
        "-pix_fmt",
        "yuv420p",
        "-vf",
        "pad=ceil(iw/2)*2:ceil(ih/2)*2",
    ]
    played = ["-r", f"{max(per_second, PER_SECOND):g}", "-movflags", "+faststart"]
    try:
        program = imageio_ffmpeg.get_ffmpeg_exe()
        command = [program, "-y", "-loglevel", "error", *pixels, *coded, *played, str(made)]
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=words
        )
    except (OSError, RuntimeError) as refused:  # RuntimeError: there is none for this machine
        raise _not_saved(path, refused) from None


def _blocks(file: Path) -> Iterator[bytes]:
    with open(file, "rb") as stream:
        while block := stream.read(BLOCK):
            yield block


def refuse_place(kind: Kind, path: Path) -> None:
    """Raises EngineError, before all the work, where the file could not be put."""
    try:
        if not path.parent.is_dir():
            raise _not_saved(path, OSError("there is no such folder"))
        if not os.access(path.parent, os.W_OK):
            raise _not_saved(path, OSError("you may not write there"))
        if kind is Kind.FOLDER:
            _refuse_full(path)
        elif path.is_dir():
            raise _not_saved(path, OSError("there is a folder of this name"))
    except EngineError:
        raise
    except (OSError, ValueError) as refused:
        raise _not_saved(path, refused) from None


def _not_saved(path: Path, refused: Exception) -> EngineError:
    return EngineError(
        f"{quoted(path.name)} could not be saved{in_folder(path)}: {reason(refused)}."
    )
