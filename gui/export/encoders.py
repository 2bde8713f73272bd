"""Writes a series of pictures as one file or one folder, whole or not at all."""

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

COLOURS = 256  # most colours of a picture in a GIF
FIRST_COLOURS = 208  # of a new palette, which leaves room for colours of later pictures
# share of the pixels from which on a missing colour is added to the palette;
# squared distance up to which a colour of the palette stands for it
SEEN, ALIKE = 4e-5, 64.0
PER_SECOND = 25  # fewest pictures per second of a video
BLOCK = 2**20  # bytes
Colours = npt.NDArray[np.uint32]
Floats = npt.NDArray[np.float32]
Counts = npt.NDArray[np.intp]


def write(
    kind: Kind, path: Path, images: Iterator[QImage], numbers: Sequence[int], film: "Film"
) -> None:
    """Write one image for each of the step numbers.

    Raises EngineError where the disk refuses, and whatever `images` raises.
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
    """Write GIF or WebP by Pillow.

    Pillow makes one picture of equal ones in a row and shows it for as long as all of them.
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
    """Yield each image with a palette of at most 256 colours.

    The palette is carried from picture to picture, so that a colour keeps its index and value:
    nothing flickers, and what does not change takes no room. New colours are added; where they do
    not fit, a new palette begins. Pillow's own quantisation would replace frequent colours that are
    in the palette by near ones.
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
    """The palette with the colours of an image that it lacks added.

    Where they do not fit, a new palette of the image's most frequent colours.
    """
    if len(palette):
        wanted = counts >= max(2.0, SEEN * counts.sum())
        wanted[wanted] = _apart(found[wanted], palette).min(axis=1) > ALIKE
        if len(palette) + wanted.sum() <= COLOURS:
            return np.concatenate([palette, found[wanted]])
    return found[np.argsort(-counts, kind="stable")[:FIRST_COLOURS]]


def _apart(found: Colours, palette: Colours) -> Floats:
    """(m, k) squared distances of m colours from the k of a palette.

    Exact in float32, since they are whole numbers below 2²⁴.
    """
    a, b = _channels(found), _channels(palette)
    return (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * (a @ b.T)


def _channels(colours: Colours) -> Floats:
    """(m, 3) red, green and blue of colours given as 0xRRGGBB."""
    return np.stack([colours >> 16 & 255, colours >> 8 & 255, colours & 255], axis=1).astype(
        np.float32
    )


# -- a folder, a video -----------------------------------------------------------------------------


def _write_folder(path: Path, images: Iterable[QImage], numbers: Sequence[int]) -> None:
    """Write a PNG file for each step, named by its number, into a new or empty folder.

    The folder appears with all its files or not at all. Raises EngineError where it cannot be
    written.
    """
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
    """Raise EngineError if `path` is a file or a folder that is not empty."""
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
    """Write H.264 by ffmpeg; raises EngineError where it fails.

    The last picture is repeated for as long as it is held. ffmpeg pads the sides to even numbers,
    as the format requires.
    """
    per_second = 1 / film.seconds
    last_lasts = round(film.durations(count)[-1] * per_second)
    with tempfile.TemporaryDirectory(prefix="learnscope-") as folder:
        made = Path(folder) / "film.mp4"
        log = Path(folder) / "log.txt"
        with open(log, "wb") as words, _ffmpeg(film.size, per_second, made, words, path) as process:
            assert process.stdin is not None
            try:
                with suppress(BrokenPipeError):  # ffmpeg ended early: its exit code says so
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
    """Start ffmpeg: it reads pixels from its standard input and writes the video to `made`.

    words: the file that gets its messages
    path: the file's name in errors

    Raises EngineError where ffmpeg is missing or does not start.
    """
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
    except (OSError, RuntimeError) as refused:  # RuntimeError: no ffmpeg for this machine
        raise _not_saved(path, refused) from None


def _blocks(file: Path) -> Iterator[bytes]:
    with open(file, "rb") as stream:
        while block := stream.read(BLOCK):
            yield block


def refuse_place(kind: Kind, path: Path) -> None:
    """Raise EngineError if the file cannot be put at `path`; to call before the work begins."""
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
