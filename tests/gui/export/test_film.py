"""Moving pictures of a range of steps: how many, how long, and that they are what a single picture
shows.
"""

import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image, ImageSequence
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

import engine
from engine.base.errors import EngineError
from engine.protocol.registry import algorithm
from engine.protocol.step import Level
from engine.runs.chosen_steps import Chosen, read_steps
from engine.runs.run import Run, pace_of
from gui.export import encoders, kinds
from gui.export import shown as shown_module
from gui.export.film import Cancelled, Film, pictures, save_film
from gui.export.kinds import MOST_PIXELS, Kind, check_size
from gui.export.page import band_of, page_of
from gui.export.render import render_view
from gui.look.theme import THEMES

SMALL = (240, 180)
Frames = list[np.ndarray]


def made(
    key: str = "perceptron", data: str = "leaning_clouds", unit: Level = Level.STEP, **params: Any
) -> Run:
    method = algorithm(key)
    table = engine.textbook(data) if data in engine.TEXTBOOK else engine.generate(data, 60)
    problem = engine.prepare(table)
    return Run(method, problem, method.params(**params), pace=pace_of(unit, problem.n))


def chosen(text: str, every: int = 1, unit: Level = Level.STEP) -> Chosen:
    return Chosen(read_steps(text), every, unit)


def pixels(file: Path | Image.Image) -> np.ndarray:
    """(height, width, 3)"""
    image = Image.open(file) if isinstance(file, Path) else file
    return np.asarray(image.convert("RGB"), np.int16)


def decoded(file: Path) -> tuple[Frames, list[float]]:
    """The frames of a GIF or WebP, and how many milliseconds each is shown."""
    with Image.open(file) as film:
        parts = [
            (pixels(frame), float(frame.info["duration"])) for frame in ImageSequence.Iterator(film)
        ]
    return [frame for frame, _ in parts], [lasting for _, lasting in parts]


def shown(image: QImage) -> np.ndarray:
    """(height, width, 3) of a picture in memory."""
    bytes_ = np.frombuffer(image.constBits(), np.uint8)
    return bytes_.reshape(image.height(), image.width(), 4)[..., 2::-1].astype(np.int16)


def drawn(run: Run, number: int, folder: Path, **how: Any) -> np.ndarray:
    """What the door for single pictures draws of a step."""
    path = folder / "single.png"
    render_view(run.trace, run.trace.indices(Level.STEP)[number], path, size=SMALL, **how)
    return pixels(path)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_webp_holds_every_step_as_it_is_drawn_alone(
    qapp: Any, tmp_path: Path, theme: str
) -> None:
    run = made()
    path = tmp_path / "run.webp"
    numbers = save_film(
        run, "L", chosen("1:21", 4), path, Film(SMALL, theme, seconds=0.3, hold=1.7)
    )
    frames, lasting = decoded(path)
    assert numbers == [1, 5, 9, 13, 17, 21]
    assert len(frames) == 6
    assert lasting == [300.0] * 5 + [1700.0]
    for number, frame in zip(numbers, frames, strict=True):
        assert np.array_equal(frame, drawn(run, number, tmp_path, theme=theme))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "data"), [("perceptron", "moons"), ("kmeans", "blobs"), ("adaboost", "moons")]
)
def test_a_gif_shows_the_same_in_few_colours(
    qapp: Any, tmp_path: Path, key: str, data: str
) -> None:
    run = made(key, data)
    path = tmp_path / "run.gif"
    numbers = save_film(
        run, "L", chosen("0:12"), path, Film(SMALL, caption=True, seconds=0.2, hold=1.0)
    )
    frames, lasting = decoded(path)
    assert len(frames) == len(numbers), "each caption has its own number"
    assert lasting == [200.0] * (len(numbers) - 1) + [1000.0]
    places = [run.trace.indices(Level.STEP)[number] for number in numbers]
    for image, frame in zip(
        pictures(run.trace, places, "L", Level.STEP, Film(SMALL, caption=True)), frames, strict=True
    ):
        apart = np.abs(frame - shown(image)).sum(axis=2)
        assert (apart <= 12).mean() > 0.97, "edges of letters may differ"


@pytest.mark.parametrize(
    ("key", "data"),
    [("perceptron", "moons"), ("kmeans", "blobs"), ("logistic_regression", "moons")],
)
def test_the_first_and_the_last_frame_of_a_gif_are_nearly_what_is_drawn(
    qapp: Any, tmp_path: Path, key: str, data: str
) -> None:
    run = made(key, data)
    path = tmp_path / "run.gif"
    numbers = save_film(run, "L", chosen("0:6"), path, Film(SMALL))
    frames, _ = decoded(path)
    for number, frame in ((numbers[0], frames[0]), (numbers[-1], frames[-1])):
        apart = np.abs(frame - drawn(run, number, tmp_path)).sum(axis=2)
        assert (apart == 0).mean() > 0.9
        assert (apart > 40).mean() < 0.01


def test_steps_that_look_the_same_are_one_frame_that_lasts_as_long(
    qapp: Any, tmp_path: Path
) -> None:
    path = tmp_path / "run.gif"
    save_film(made(), "L", chosen("3,3,3"), path, Film(SMALL, seconds=0.4, hold=0.6))
    frames, lasting = decoded(path)
    assert len(frames) == 1 and sum(lasting) == 1400.0


@pytest.mark.parametrize("unit", [Level.STEP, Level.ROUND])
def test_a_folder_holds_a_picture_of_each_step_in_its_unit(
    qapp: Any, tmp_path: Path, unit: Level
) -> None:
    run = made("perceptron", "spam")
    path = tmp_path / "steps"
    numbers = save_film(run, "L", chosen("0:", unit=unit), path, Film(SMALL))
    count = len(run.trace.indices(unit))
    digits = len(str(count - 1))
    assert numbers == list(range(count))
    assert sorted(os.listdir(path)) == [f"step-{n:0{digits}}.png" for n in range(count)]
    last = path / f"step-{count - 1:0{digits}}.png"
    render_view(run.trace, len(run.trace) - 1, tmp_path / "last.png", size=SMALL)
    assert last.read_bytes() == (tmp_path / "last.png").read_bytes()


@pytest.mark.slow
def test_a_video_lasts_as_long_and_has_even_sides(qapp: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.mp4"
    save_film(made(), "L", chosen("0:9"), path, Film((241, 181), seconds=0.2, hold=1.0))
    count, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert seconds == pytest.approx(9 * 0.2 + 1.0, abs=0.1)
    assert count == pytest.approx(25 * seconds, abs=3)
    reader = imageio_ffmpeg.read_frames(str(path))
    assert next(reader)["size"] == (242, 182)
    first = np.frombuffer(next(reader), np.uint8).reshape(182, 242, 3)
    alone = next(pictures(ended(made()).trace, [0], "L", Level.STEP, Film((241, 181))))
    assert np.abs(first[:181, :241].astype(int) - shown(alone)).mean() < 6


def ended(run: Run) -> Run:
    run.advance()
    return run


def test_the_plane_stands_still_whatever_the_words_are(
    qapp: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentences of one and of three lines."""
    run = ended(made())
    places = list(range(0, 40, 3))
    film = Film((240, 300), caption=True, legend=True)
    pages = [page_of(run.trace, i, "L") for i in places]
    own = [band_of(page, THEMES["light"], film.area) for page in pages]
    assert len(set(own)) > 1
    areas: list[QRectF] = []
    usual = shown_module.paint_prepared

    def seen(painter: Any, area: QRectF, **how: Any) -> None:
        areas.append(QRectF(area))
        usual(painter, area, **how)

    monkeypatch.setattr(shown_module, "paint_prepared", seen)
    list(pictures(run.trace, places, "L", Level.STEP, film))
    assert areas == [QRectF(0, 0, 240, 300 - max(own))] * len(places)


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["run.avi", "run.svg", "run.gif.zip"])
def test_an_unknown_ending_names_those_that_are_known(qapp: Any, tmp_path: Path, name: str) -> None:
    with pytest.raises(EngineError, match=r"\.gif, \.webp or \.mp4.*is none of these"):
        save_film(made(), "L", chosen("0:3"), tmp_path / name, Film(SMALL))


@pytest.mark.parametrize(
    ("text", "size", "words"),
    [
        (
            "0:5000",
            SMALL,
            "5,001 pictures of 240 × 180 pixels; one file holds at most 2,000 of them",
        ),
        (
            "0:99",
            (16_000, 16_000),
            (
                "100 pictures of 16,000 × 16,000 pixels; one file holds at most"
                f" {MOST_PIXELS // 16_000**2}"
            ),
        ),
    ],
)
def test_a_range_that_is_too_long_is_refused_with_its_size_before_the_run(
    qapp: Any, tmp_path: Path, text: str, size: tuple[int, int], words: str
) -> None:
    run = made()
    with pytest.raises(EngineError, match=words):
        save_film(run, "L", chosen(text), tmp_path / "run.gif", Film(size))
    assert len(run.trace) == 0


def test_the_advice_for_a_range_that_is_too_long_can_be_followed() -> None:
    for count in (2001, 4000, 4001, 99_999):
        with pytest.raises(EngineError, match="one in") as refusal:
            check_size(Kind.GIF, count, SMALL)
        every = int(str(refusal.value).rstrip(".").rpartition(" ")[2].replace(",", ""))
        check_size(Kind.GIF, len(range(0, count, every)), SMALL)


def test_a_picture_that_webp_cannot_hold() -> None:
    with pytest.raises(EngineError, match="at most 16,383 pixels"):
        check_size(Kind.WEBP, 3, (16_384, 100))


def test_without_a_package_the_command_that_fetches_it_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(kinds, "find_spec", lambda name: None)
    with pytest.raises(EngineError, match=r"imageio-ffmpeg, which this fetches: .*video"):
        kinds.kind_of("run.mp4")
    with pytest.raises(EngineError, match="Pillow, which this fetches: "):
        kinds.kind_of("run.gif")
    assert kinds.kind_of("folder") is Kind.FOLDER and kinds.kind_of("paper.pdf") is Kind.PDF


@pytest.mark.parametrize(
    "how",
    [
        {"seconds": 0.0},
        {"hold": 61.0},
        {"seconds": float("nan")},
        {"theme": "sepia"},
        {"size": (0, 5)},
    ],
)
def test_what_no_film_can_have(qapp: Any, tmp_path: Path, how: dict[str, Any]) -> None:
    with pytest.raises(EngineError):
        save_film(made(), "L", chosen("0:3"), tmp_path / "run.gif", Film(**how))
    assert os.listdir(tmp_path) == []


ENDINGS = pytest.mark.parametrize("name", ["run.gif", "run.webp", "run.mp4", "run"])


@ENDINGS
def test_giving_up_leaves_nothing_and_stops_soon(qapp: Any, tmp_path: Path, name: str) -> None:
    fractions: list[float] = []

    def tick(fraction: float) -> bool:
        fractions.append(fraction)
        return sum(fraction > 0 for fraction in fractions) < 3

    with pytest.raises(Cancelled):
        save_film(made(), "L", chosen("0:50"), tmp_path / name, Film(SMALL), tick=tick)
    assert os.listdir(tmp_path) == []
    assert [fraction for fraction in fractions if fraction] == [1 / 51, 2 / 51, 3 / 51]


@ENDINGS
def test_giving_up_while_the_run_is_followed(qapp: Any, tmp_path: Path, name: str) -> None:
    run = made("perceptron", "moons", rounds=1000)
    with pytest.raises(Cancelled):
        save_film(
            run, "L", chosen("0:1500"), tmp_path / name, Film(SMALL), tick=lambda fraction: False
        )
    assert len(run.trace) <= 500 and os.listdir(tmp_path) == []


@ENDINGS
def test_a_fault_while_drawing_leaves_nothing(
    qapp: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def broken(*given: Any) -> Iterator[QImage]:
        yield from list(pictures(*given))[:2]
        raise EngineError("No more of this.")

    monkeypatch.setattr("gui.export.film.pictures", broken)
    with pytest.raises(EngineError, match="No more of this"):
        save_film(made(), "L", chosen("0:5"), tmp_path / name, Film(SMALL))
    assert os.listdir(tmp_path) == []


@ENDINGS
def test_a_disk_that_takes_no_more_is_a_sentence_and_keeps_the_old_file(
    qapp: Any, tmp_path: Path, name: str
) -> None:
    """The system refuses files of more than 2 kB to this process and to those that it starts."""
    if name != "run":
        (tmp_path / name).write_bytes(b"before")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, before[1]))
    try:
        with pytest.raises(EngineError, match=r"could not be saved in .*: "):
            save_film(made(), "L", chosen("0:9"), tmp_path / name, Film((640, 480), caption=True))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert os.listdir(tmp_path) == ([name] if name != "run" else [])
    assert name == "run" or (tmp_path / name).read_bytes() == b"before"


@pytest.mark.parametrize(
    "name", ["nowhere/run.gif", "nowhere/run", "taken/run.gif", "used", "taken"]
)
def test_a_place_that_cannot_be_written_is_reported_before_the_run(
    qapp: Any, tmp_path: Path, name: str
) -> None:
    (tmp_path / "taken").write_bytes(b"x")
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "mine.txt").write_text("x")
    run = made()
    with pytest.raises(EngineError, match=r"could not be saved in|is not empty|is a file"):
        save_film(run, "L", chosen("0:3"), tmp_path / name, Film(SMALL))
    assert len(run.trace) == 0
    assert sorted(os.listdir(tmp_path)) == ["taken", "used"] and os.listdir(tmp_path / "used") == [
        "mine.txt"
    ]


def test_no_permission_is_reported_before_the_run(
    qapp: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests may run as root, who may write anywhere."""
    refused: Callable[..., bool] = lambda place, mode: False  # noqa: E731
    monkeypatch.setattr(encoders.os, "access", refused)
    run = made()
    with pytest.raises(EngineError, match="you may not write there"):
        save_film(run, "L", chosen("0:3"), tmp_path / "run.gif", Film(SMALL))
    assert len(run.trace) == 0


def test_an_empty_folder_is_taken(qapp: Any, tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    save_film(made(), "L", chosen("0:2"), tmp_path / "steps", Film(SMALL))
    assert sorted(os.listdir(tmp_path / "steps")) == ["step-0.png", "step-1.png", "step-2.png"]


def test_a_table_without_a_plane_gives_its_figures(qapp: Any, tmp_path: Path) -> None:
    run = made("decision_tree", "restaurant")
    path = tmp_path / "run.webp"
    numbers = save_film(run, "R", chosen("0:"), path, Film((500, 400), caption=True))
    frames, _ = decoded(path)
    assert len(frames) == len(numbers) == len(run.trace.indices(Level.STEP))
    assert all(frame.shape == (400, 500, 3) for frame in frames)


def test_more_colours_than_a_gif_has_begin_a_new_palette(qapp: Any, tmp_path: Path) -> None:
    """Three pictures with 200 large patches of colours of their own: each is shown as it is."""
    images = []
    for blue in (0, 90, 180):
        codes = np.arange(40_000, dtype=np.uint32) // 200
        patches = 0xFF000000 | codes % 14 * 18 << 16 | codes // 14 * 17 << 8 | blue
        images.append(
            QImage(patches.astype(np.uint32).tobytes(), 200, 200, QImage.Format.Format_RGB32).copy()
        )
    path = tmp_path / "patches.gif"
    encoders.write(Kind.GIF, path, iter(images), range(3), Film((200, 200)))
    frames, _ = decoded(path)
    for image, frame in zip(images, frames, strict=True):
        assert np.array_equal(frame, shown(image))
