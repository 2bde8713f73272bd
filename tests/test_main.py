"""The command line: list, run and render without a window; every mistake is one sentence and exit
code 2.
"""

import errno
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import engine
import main
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.registry import algorithms
from engine.sources.generators import GENERATORS
from engine.sources.real import REAL
from engine.sources.textbook import TEXTBOOK
from gui.commands.arguments import for_argparse, run_parser
from gui.commands.runs import prepared_run, setting

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
ENDLESS = [
    "run",
    "perceptron",
    "--data",
    "four_points_cycle",
    "--set",
    "rounds=100000",
    "--json",
    "-",
]


def process(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "main.py", *arguments],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


# -- as a person types it --------------------------------------------------------------------------


def test_list_as_json() -> None:
    out, errors = process("list", "--json").communicate(timeout=60)
    found = json.loads(out)
    assert errors == ""
    perceptron = next(a for a in found["algorithms"] if a["key"] == "perceptron")
    rate = next(p for p in perceptron["params"] if p["name"] == "rate")
    assert (rate["low"], rate["high"], rate["default"]) == (1e-4, 10, 0.5)
    assert {"restaurant", "spam", "six_points", "doubling"} <= {
        entry["name"] for entry in found["data"]["textbook"]
    }
    assert {"iris", "wine", "digits", "votes84"} == {
        entry["name"] for entry in found["data"]["real"]
    }
    moons = next(entry for entry in found["data"]["generators"] if entry["name"] == "moons")
    assert moons["n"] == 200


def test_a_run_with_every_step_as_json_and_no_window(tmp_path: Path) -> None:
    """MMDS Ex 12.4: w after the mistakes on a, b, c and d; then all six e-mails are right."""
    out = tmp_path / "steps.json"
    code = f"""
import sys, main
assert main.main(["run", "perceptron", "--data", "spam", "--json", {str(out)!r}]) == 0
assert not [name for name in sys.modules if name.startswith(("PySide6", "pandas", "scipy"))]
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    assert done.stdout.startswith("Perceptron on Spam\n  rows       6; 5 columns; classes ")
    assert "finished" in done.stdout
    assert "training   0 of 6 rows wrong" in done.stdout
    found = json.loads(out.read_text("utf-8"))
    updates = [step for step in found["steps"] if step["line"] == "update"]
    assert [step["operands"]["after"]["value"] for step in updates] == [
        [0.5, 0.5, 0, 0.5, 0.5],
        [0.5, 0.5, -0.5, 0, 0.5],
        [0.5, 1, 0, 0, 0.5],
        [0, 1, 0, -0.5, 0.5],
    ]
    assert found["step_count"] == len(found["steps"])
    assert found["finished"] is True
    assert found["training_error"] == 0


def test_a_reader_that_has_seen_enough() -> None:
    running = process(*ENDLESS)
    assert running.stdout is not None
    assert running.stderr is not None
    assert running.stdout.readline() == "{\n"
    running.stdout.close()
    assert running.wait(timeout=60) == 0
    assert running.stderr.read() == ""
    running.stderr.close()


class NoRoom(io.RawIOBase):
    """A device that is full until `emptied`."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("wb")
        self.emptied = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.file.fileno()

    def write(self, data: object) -> int:
        if not self.emptied:
            raise OSError(errno.ENOSPC, "No space left on device")
        return len(memoryview(data))  # type: ignore[arg-type]


@pytest.fixture
def full(tmp_path: Path) -> Iterator[io.TextIOWrapper]:
    device = NoRoom(tmp_path / "full")
    stream = io.TextIOWrapper(io.BufferedWriter(device), encoding="utf-8")
    yield stream
    device.emptied = True
    stream.close()
    device.file.close()


WRITERS = [
    "list",
    "list --json",
    "run perceptron --data spam",
    "run perceptron --data spam --json -",
]


@pytest.mark.parametrize("arguments", WRITERS)
def test_a_full_disk_is_a_sentence(arguments: str, full, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "stdout", full)
    assert main.main(arguments.split()) == 2
    assert capsys.readouterr().err == "The output could not be written: No space left on device.\n"


@pytest.mark.parametrize(("arguments", "code"), [("run nope --data x", 2), ("list", 0)])
def test_full_errors_keep_the_exit_code(
    arguments: str, code: int, full, monkeypatch, capsys
) -> None:
    monkeypatch.setattr(sys, "stderr", full)
    assert main.main(arguments.split()) == code


def test_closed_streams_are_no_traceback(monkeypatch, capsys) -> None:
    """Python has no stream at all where the shell closed it."""
    with monkeypatch.context() as closed:
        closed.setattr(sys, "stdout", None)
        assert main.main(["run", "perceptron", "--data", "spam", "--json", "-"]) == 2
        assert main.main(["list"]) == 0
    assert (
        capsys.readouterr().err == "The output could not be written: standard output is closed.\n"
    )
    with monkeypatch.context() as closed:
        closed.setattr(sys, "stderr", None)
        assert main.main(["run", "nope", "--data", "spam"]) == 2
    assert capsys.readouterr().out == ""


def test_interrupting_leaves_no_traceback_and_no_half_file(tmp_path: Path) -> None:
    out = tmp_path / "steps.json"
    # started in the background, a test run ignores the signal, and what it starts would do so too
    running = process(
        *ENDLESS[:-1], str(out), preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    )
    while not os.listdir(tmp_path):
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    said, errors = running.communicate(timeout=60)
    assert (said, errors) == ("", "")
    assert running.returncode == main.INTERRUPTED
    assert os.listdir(tmp_path) == []


def test_a_picture_of_a_step(tmp_path: Path) -> None:
    out = tmp_path / "plane.png"
    drawing = process(
        "render",
        "perceptron",
        "--data",
        "six_points",
        "--step",
        "3",
        "--out",
        str(out),
        "--size",
        "320x200",
    )
    said, errors = drawing.communicate(timeout=60)
    assert errors == ""
    assert said == f"Step 3 is drawn in {out}.\n"
    raw = out.read_bytes()
    assert raw.startswith(b"\x89PNG")
    assert (int.from_bytes(raw[16:20]), int.from_bytes(raw[20:24])) == (320, 200)


def test_a_film_of_a_range_of_rounds(tmp_path: Path) -> None:
    out = tmp_path / "run.gif"
    drawing = process(
        "render",
        "perceptron",
        "--data",
        "six_points",
        "--unit",
        "round",
        "--steps",
        "0:3",
        "--every",
        "2",
        "--out",
        str(out),
        "--size",
        "320x200",
        "--caption",
        "--theme",
        "dark",
        "--seconds",
        "0.25",
        "--hold",
        "1.5",
    )
    said, errors = drawing.communicate(timeout=60)
    assert errors == ""
    assert said == f"2 pictures, round 0 to 2: {out}\n"
    with Image.open(out) as film:
        assert film.size == (320, 200) and film.n_frames == 2
        lasting = []
        for frame in range(film.n_frames):
            film.seek(frame)
            lasting.append(film.info["duration"])
    assert lasting == [250, 1500]


# -- within this process ---------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main.main(arguments) == 0
    found = capsys.readouterr()
    assert found.err == ""
    return found.out


def test_numbers_as_csv(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "numbers.csv"
    said = run(
        capsys,
        "table",
        "perceptron",
        "--data",
        "spam",
        "--steps",
        "0:4",
        "--every",
        "2",
        "--out",
        str(out),
    )
    assert said == f"3 rows, step 0 to 4: {out}\n"
    trace = engine.run("perceptron", engine.textbook("spam"), pace=engine.Pace(engine.Level.STEP))
    head, *rows = [line.split(",") for line in out.read_text().splitlines()]
    assert [int(row[0]) for row in rows] == [0, 2, 4]
    assert [float(row[head.index("errors")]) for row in rows] == trace.metrics["errors"][
        [0, 2, 4]
    ].tolist()
    said = run(capsys, "table", "perceptron", "--data", "spam", "--of", "data", "--out", str(out))
    rows = len(engine.textbook("spam"))
    assert said.startswith(f"{rows} rows of ")
    assert len(out.read_text().splitlines()) == rows + 1


def test_list_for_reading(capsys: pytest.CaptureFixture[str]) -> None:
    said = run(capsys, "list")
    assert re.search(r"^  perceptron {2,}Perceptron \(linear; MMDS 12\.2\.1", said, re.MULTILINE)
    assert "Rate η, 0.0001 to 10" in said
    assert "Rule, one of mmds, aima" in said
    assert "\n  restaurant " in said
    keys = re.findall(r"^  (\w+ {2,})\S", said, re.MULTILINE)
    assert len(keys) == len(algorithms()) + len(TEXTBOOK) + len(REAL) + len(GENERATORS)
    # one column of the algorithms, one of the data sets
    assert len({len(key) for key in keys}) == 2


def test_list_by_source(capsys: pytest.CaptureFixture[str]) -> None:
    """MMDS Ex 12.9 as the text sets it; what stands behind a place can be given to “run”."""
    said = run(capsys, "list", "--by-source")
    assert re.search(
        r"^  Ex 12\.9 {2,}\S.*\n +hinge_descent --data six_points --set C=0.1 rate=0.2 start=0,1,-2"
        r"  \(step 3\)$",
        said,
        re.M,
    )
    assert (
        said.index("\n  18.3.4 ")
        < said.index("\n  Fig 18.10 ")
        < said.index("\nMIT: ")
        < said.index("\n  2.4.28-2.4.35 ")
    )
    for line in re.findall(r"^ +(?:greedy_dnf|em_means|winnow) --data .*$", said, re.M):
        command = shlex.split(line.split("  (")[0])
        assert "\n  steps " in run(capsys, "run", *command, "--max-steps", "2")
    found = json.loads(run(capsys, "list", "--by-source", "--json"))
    fig = next(place for place in found["MMDS"] if place["place"] == "MMDS Fig 12.9")
    (opened,) = fig["opens"]
    assert [opened[name] for name in ("key", "data", "params", "step", "kind")] == [
        "winnow",
        "spam",
        {"threshold": "learned"},
        4,
        "exact",
    ]


def test_parameters_seed_pace_and_split(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "run",
        "perceptron",
        "--data",
        "moons:80:0:2",
        "--set",
        "rule=aima",
        "--set",
        "threshold = learned",
    ]
    arguments += [
        "--seed",
        "4",
        "--pace",
        "round",
        "--split",
        "25%",
        "--max-steps",
        "12",
        "--json",
        "-",
    ]
    found = json.loads(run(capsys, *arguments))
    assert (found["rows"], found["held_out_rows"]) == (60, 20)
    assert found["params"]["threshold"] == "learned"
    assert {step["level"] for step in found["steps"]} == {"round"}
    data = engine.generate("moons", 80, 0.0, 2)
    trace = engine.run(
        "perceptron",
        data,
        4,
        pace=engine.Pace(engine.Level.ROUND),
        max_steps=12,
        split=engine.Split(0.25, 4),
        rule="aima",
        threshold="learned",
    )
    assert [step["metrics"]["errors"] for step in found["steps"]] == trace.metrics[
        "errors"
    ].tolist()
    assert found["held_out_error"] == trace.wrong(trace.problem.held_out).mean()


def test_several_parameters_stand_behind_one_set(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "run",
        "--set",
        "rule=aima",
        "rate = 0.25",
        "perceptron",
        "--data",
        "moons:40",
        "--set",
        "threshold=learned",
    ]
    found = json.loads(run(capsys, *arguments, "--max-steps", "5", "--json", "-"))
    chosen = {name: found["params"][name] for name in ("rule", "rate", "threshold")}
    assert chosen == {"rule": "aima", "rate": 0.25, "threshold": "learned"}


def test_the_summary_says_when_a_run_was_cut(capsys: pytest.CaptureFixture[str]) -> None:
    said = run(
        capsys,
        "run",
        "perceptron",
        "--data",
        "four_points_cycle",
        "--max-steps",
        "40",
        "--split",
        "0.25",
    )
    assert "steps      40, " in said
    assert "cut before the end" in said
    assert "held out" in said


def test_the_summary_counts_one_in_the_singular(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table = tmp_path / "one.csv"
    table.write_text("a,y\n1,p\n")
    assert main.main(["run", "decision_tree", "--data", str(table)]) == 0
    said, noticed = capsys.readouterr()
    assert noticed == "Column “y” has one class only.\n"
    assert "rows       1; 1 column; classes p" in said
    assert "training   0 of 1 row wrong" in said


def test_a_table_with_a_target(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = tmp_path / "pets.csv"
    table.write_text("height,kind,weight\n5,small,2\n6,small,3\n20,large,30\n22,large,31\n")
    said = run(capsys, "run", "perceptron", "--data", str(table), "--target", "kind")
    assert "4; 2 columns; classes large, small" in said


@pytest.mark.parametrize("command", [["run"], ["render", "--out", "plane.png"]])
def test_what_was_guessed_about_a_table_is_reported_beside_the_output(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
) -> None:
    table = tmp_path / "guessed.csv"
    rows = "".join(f"{i},{'NA' if i == 7 else i % 9},,{'pq'[i % 2]}\n" for i in range(20_001))
    table.write_bytes(f"a,a,größe,kind\n{rows}".encode("latin-1"))
    monkeypatch.chdir(tmp_path)
    arguments = [
        *command,
        "decision_tree",
        "--data",
        str(table),
        "--pace",
        "round",
        "--target",
        "kind",
    ]
    assert (
        main.main([*arguments, *(["--max-steps", "2"] if command == ["run"] else ["--step", "1"])])
        == 0
    )
    said, noticed = capsys.readouterr()
    assert "given twice" not in said
    for words in (
        "A sample of 20,000 of its 20,001 rows",
        "not UTF-8",
        "given twice",
        "counts as missing",
        "is ignored",
    ):
        assert [words in line for line in noticed.splitlines()].count(True) == 1
    assert "choose the target" not in noticed


def test_a_named_target_is_not_called_ignored(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table = tmp_path / "towns.csv"
    table.write_text("a,town\n" + "".join(f"{i},t{i % 65}\n" for i in range(130)))
    assert "65 different labels" in refused(
        capsys, "run", "decision_tree", "--data", str(table), "--target", "town"
    )


def test_a_project_brings_its_split_and_another_may_be_given(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    document = Document(
        engine.generate("moons", 40, 0.0, 0), (lane("perceptron"),), split=engine.Split(0.5, 1)
    )
    path = tmp_path / "lesson.learnscope"
    engine.save_project(document, path)
    assert "20, 20 more held out" in run(
        capsys, "run", "perceptron", "--data", str(path), "--max-steps", "9"
    )
    assert "rows       40;" in run(
        capsys, "run", "perceptron", "--data", str(path), "--max-steps", "9", "--split", "0"
    )


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence on stderr."""
    assert main.main(arguments) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.count("\n") == 1
    return found.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("run perceptrom --data moons", "There is no algorithm “perceptrom”"),
        ("run perceptron --data moosn", "did you mean moons?"),
        (
            "run perceptron --data zzzz",
            "There is no file and no data set “zzzz”; there are restaurant",
        ),
        ("run perceptron --data none.csv", "There is no file “none.csv”"),
        ("run perceptron --data none.learnscope", "There is no file “none.learnscope”"),
        ("run perceptron --data spam:10", "“spam” is a fixed table"),
        (
            "run perceptron --data moons:many",
            "The number of rows must be a whole number; it is “many”",
        ),
        ("run perceptron --data moons:10:loud", "The noise must be a number; it is “loud”"),
        ("run perceptron --data moons:10:0:-3", "The seed must be 0 or more"),
        ("run perceptron --data moons:10:0:1:2:1", "has more than rows, noise, seed and classes"),
        ("run perceptron --data moons:0", "moons"),
        ("run perceptron --data moons --set rate", "--set takes name=value"),
        ("run perceptron --data moons --set speed=3", "There is no parameter “speed”"),
        ("run perceptron --data moons --set rate=99", "Rate η must lie between"),
        ("run perceptron --data moons --set rate=1e9", "it is 1e9."),
        ("run perceptron --data moons --target colour", "There is no column “colour”"),
        (
            "run perceptron --data moons --json /nonexistent/o.json",
            "“o.json” could not be saved in /nonexistent",
        ),
        (
            "run perceptron --data moons --json=",
            "--json takes the name of a file, or - for the terminal; it is empty",
        ),
        ("run perceptron --data iris", "Perceptron needs two classes"),
        (f"run perceptron --data {ROOT}", "is a folder; name a table or a project in it"),
        (
            (
                "render perceptron --data four_points_cycle --set rounds=100000 --step 99999999"
                " --out p.png"
            ),
            "The run is followed for 3,000 steps, 0 to 2,999; choose an earlier --step",
        ),
        (
            "table perceptron --data spam --out numbers.txt",
            "Numbers are written as .csv; “numbers.txt” is none",
        ),
        ("table perceptron --data spam --out numbers.csv --steps 7:3", "“7:3” is empty, 0 steps"),
        (
            "table perceptron --data spam --out nowhere/numbers.csv",
            "“numbers.csv” could not be saved in nowhere",
        ),
        ("render perceptron --data spam --out plane.bmp", ".gif, .webp or .mp4"),
        (
            "render perceptron --data spam --out plane",
            "“plane” has no ending: a picture is a .png, .svg or .pdf file",
        ),
        (
            "render perceptron --data spam --out p.png --steps 0:9",
            "A strip shows 2 to 6 steps, not 10",
        ),
        ("render perceptron --data spam --out p.gif --steps 0:3 --strip", "A strip is a .png"),
        (
            "render perceptron --data spam --out p.pdf --step 3 --view tree",
            "no view “tree”; there are Weights w, Examples, Visits, Curves, Whole step",
        ),
        (
            "render perceptron --data spam --out p.pdf --steps 0:999",
            "1,000 pictures; one file holds at most 240 of them",
        ),
        ("render perceptron --data spam --out p.gif --step 3", "here --steps say which ones"),
        ("render perceptron --data spam --out p.gif --steps 9:3", "“9:3” is empty, 0 steps"),
        (
            "render perceptron --data spam --out p.gif --steps few",
            "“few” names no steps: write 0:200",
        ),
        (
            "render perceptron --data spam --out p.gif --steps 900:",
            "0 of the run's: it has steps 0 to",
        ),
        (
            "render perceptron --data spam --out p.gif --steps 0:9000 --size 640x480",
            (
                "9,001 pictures of 640 × 480 pixels; one file holds at most 2,000 of them. Choose"
                " fewer steps, or one in 5."
            ),
        ),
        (
            "render perceptron --data spam --out p.gif --seconds 0",
            "A step is shown for 0.02 to 60 seconds, not for 0.",
        ),
        (
            "render perceptron --data leaning_clouds --step 9999 --out p.png",
            "There is no step 9999; the run has steps 0 to",
        ),
        ("n" * 400, "There is no file “nnn"),
        (
            "nowhere.csv",
            (
                "There is no file “nowhere.csv”; the commands are list, run, render, answers,"
                " script, table, check, lesson, marks, new."
            ),
        ),
    ],
)
def test_mistakes_are_sentences(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: str, words: str
) -> None:
    monkeypatch.setattr("engine.runs.run.MAX_STEPS", 3000)
    assert words.lower() in refused(capsys, *arguments.split()).lower()


@pytest.mark.parametrize(
    "arguments",
    ["run {} --data iris", "run perceptron --data {}", "run perceptron --data {}.csv", "{}"],
)
def test_an_over_long_name_is_not_sent_back_whole(
    capsys: pytest.CaptureFixture[str], arguments: str
) -> None:
    said = refused(capsys, *arguments.format("q" * 5000).split())
    assert "There is no " in said
    assert "q" * 201 not in said


@pytest.mark.parametrize(
    "arguments",
    [
        "run",
        "run perceptron",
        "run perceptron --data moons --seed -1",
        "run perceptron --data moons --seed 99999999999",
        "run perceptron --data moons --split 1.5",
        "run perceptron --data moons --split nan",
        "run perceptron --data moons --max-steps 0",
        "run perceptron --data moons --pace slow",
        "run perceptron --data moons --probe 1",
        "run perceptron --data moons --probe nan,1",
        "render perceptron --data moons --out p.png --size 3x4",
        "render perceptron --data moons --out p.png --size ²x²",
        "list --xml",
        "one two",
    ],
)
def test_what_cannot_be_parsed_shows_the_usage(
    capsys: pytest.CaptureFixture[str], arguments: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main.main(arguments.split())
    assert stopped.value.code == 2
    assert "usage: main.py" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["10x10", "320x16385", "320"])
def test_the_size_of_a_picture_has_bounds_that_are_reported(
    capsys: pytest.CaptureFixture[str], size: str
) -> None:
    with pytest.raises(SystemExit):
        main.main(["render", "perceptron", "--data", "moons", "--out", "p.png", "--size", size])
    said = " ".join(capsys.readouterr().err.split())
    assert f"width x height in pixels, each from 16 to 16384, as 1280x800; it is “{size}”" in said


def test_a_pipe_is_not_read_and_not_replaced(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "is no ordinary file" in refused(capsys, "run", "perceptron", "--data", str(pipe))
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert "Perceptron on" in run(
        capsys, "run", "perceptron", "--data", "spam", "--max-steps", "3", "--json", str(pipe)
    )
    assert os.read(reader, 2) == b"{\n"
    os.close(reader)
    assert pipe.is_fifo()


def test_steps_to_the_terminal_by_its_name() -> None:
    arguments = ("run", "perceptron", "--data", "spam", "--max-steps", "3", "--json", "/dev/stdout")
    out, errors = process(*arguments).communicate(timeout=60)
    assert errors == ""
    assert json.loads(out)["step_count"] == 3


def test_a_damaged_project_is_refused_in_words(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "half.learnscope"
    path.write_text('{"format": "learnscope project", "version": 1, "lanes": [')
    assert "“half.learnscope” cannot be opened" in refused(
        capsys, "run", "perceptron", "--data", str(path)
    )


def test_the_probe_reaches_the_problem() -> None:
    parser = run_parser("run", "")
    given = parser.parse_args(["perceptron", "--data", "six_points", "--probe", "1.5,-2"])
    with prepared_run(given) as (found, _):
        pass
    assert found.problem.query.tolist() == [1.5, -2]


def test_a_probe_may_begin_with_a_minus(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["run", "nearest_neighbours", "--data", "moons", "--max-steps", "9"]
    spaced, with_equals = (
        run(capsys, *arguments, *probe) for probe in (["--probe", "-1,2"], ["--probe=-1,2"])
    )
    assert spaced == with_equals
    assert for_argparse(["--probe", "-.5,1", "--seed", "3"]) == ["--probe=-.5,1", "--seed", "3"]
    assert for_argparse(["--probe", "--json"]) == ["--probe", "--json"]


def test_settings_keep_their_equals_signs() -> None:
    assert setting("start = 1,2") == ("start", "1,2")
    assert setting("rule=a=b") == ("rule", "a=b")


def test_why_a_table_has_no_classes_is_reported_before_the_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1.5,2.5\n2.5,3.5\n")
    assert main.main(["run", "perceptron", "--data", str(path)]) == 2
    errors = capsys.readouterr().err
    assert errors.index("No column of classes was found") < errors.index(
        "needs a column of classes"
    )


def test_a_very_long_class_name_is_cut_in_the_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1.5," + "p" * 5000 + "\n2.5,q\n")
    assert main.main(["run", "nearest_neighbours", "--data", str(path)]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) < 700


def test_the_answers_of_a_run_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """AIMA Fig 18.6: below Patrons = Full five columns tie."""
    printed = run(capsys, "answers", "decision_tree", "--data", "restaurant").splitlines()
    assert printed[0] == "Decision tree on Restaurant, seed 0: questions and answers"
    assert "   Answer: Patrons" in printed
    assert "   Answer: Hungry or Price or Res or Type or Est" in printed
    numbers = run(
        capsys,
        "answers",
        "perceptron",
        "--data",
        "six_points",
        "--only",
        "numbers",
        "--every",
        "rounds",
    )
    assert "round 1: " in numbers and "□₁ = " in numbers
    assert "There is no question" in run(
        capsys, "answers", "perceptron", "--data", "six_points", "--only", "cells"
    )


@pytest.mark.parametrize("name", ["\x1b]0;owned\x07", "\x1b[2J", "a\rb", "\x9b31m", "a\x08b"])
def test_no_name_from_a_file_reaches_the_terminal_as_a_command(tmp_path, capsys, name: str) -> None:
    file = tmp_path / "t.csv"
    file.write_text(
        f"x,y,{name}\n" + "".join(f"{k},{k * k % 5},{name}{k % 2}\n" for k in range(8)),
        "utf-8",
        newline="",
    )
    main.main(["run", "decision_tree", "--data", str(file)])
    main.main(["answers", "decision_tree", "--data", str(file), "--max-steps", "5"])
    main.main(["run", "decision_tree", "--data", f"{file}{name}"])
    printed = "".join(capsys.readouterr())
    assert printed
    assert [
        letter
        for letter in printed
        if unicodedata.category(letter) == "Cc" and letter not in "\n\t"
    ] == []


CONTROLS = ["\x1b[31m", "\x07", "\x7f", "\x85", "\x9b31m", "\x9d0;owned\x9c"]


@pytest.mark.parametrize("name", CONTROLS)
@pytest.mark.parametrize(
    "arguments",
    [
        ["--{}"],
        ["list", "perceptron", "{}"],
        ["run", "perceptron", "--data", "moons", "--{}"],
        ["run", "perceptron", "--data", "moons", "--seed", "{}"],
        ["run", "perceptron", "--data", "moons", "--unit", "{}"],
        ["render", "perceptron", "--data", "moons", "--out", "p.png", "--size", "{}"],
        ["answers", "perceptron", "--data", "moons", "--probe", "{}"],
    ],
)
def test_what_was_typed_wrongly_is_not_repeated_as_a_command(
    arguments: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main.main([word.format(name) for word in arguments])
    assert left.value.code == 2
    printed = "".join(capsys.readouterr())
    assert "error: " in printed
    assert [
        letter
        for letter in printed
        if unicodedata.category(letter) == "Cc" and letter not in "\n\t"
    ] == []


@pytest.mark.parametrize("name", ["\x1b[31m", "\x7f", "\x85", "\x9b31m", "\x9d0;owned\x9c"])
def test_steps_on_the_terminal_hold_no_control_characters(
    name: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "t.csv"
    file.write_text(f"x,y,kind\n1,2,a{name}b\n2,1,b\n3,3,a{name}b\n4,1,b\n", "utf-8", newline="")
    assert (
        main.main(["run", "decision_tree", "--data", str(file), "--target", "kind", "--json", "-"])
        == 0
    )
    printed = capfdbinary.readouterr().out.decode("utf-8")
    assert f"a{name}b" in json.loads(printed)["classes"]
    assert [
        letter
        for letter in printed
        if unicodedata.category(letter) == "Cc" and letter not in "\n\t"
    ] == []


def test_questions_for_a_course_are_written_as_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    xml = tmp_path / "quiz.xml"
    text = tmp_path / "quiz.txt"
    said = run(
        capsys,
        "answers",
        "perceptron",
        "--data",
        "spam",
        "--questions",
        "2",
        "--variants",
        "3",
        "--moodle",
        str(xml),
        "--qti",
        str(text),
    )
    assert said.strip() == f"2 questions on each of 3 sheets in {xml} and {text}."
    assert xml.read_text("utf-8").count('<question type="cloze">') == 6
    assert text.read_text("utf-8").startswith("Quiz title: Perceptron on Spam\n")


def test_a_worksheet_is_written_as_pdf(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    run(
        capsys,
        "answers",
        "perceptron",
        "--data",
        "spam",
        "--worksheet",
        str(file),
        "--paper",
        "letter",
        "--variants",
        "2",
    )
    content = file.read_bytes()
    assert content.startswith(b"%PDF") and len(re.findall(rb"/Type /Page\b", content)) == 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--moodle", "{}/no/x.xml"], "“x.xml” could not be saved in"),
        (["--moodle", "{}/x.xml", "--from", "900"], "There is no question from step 900 on"),
        (
            ["--qti", "{}/x.txt", "--only", "cells"],
            "There is no question: Perceptron has no question of this kind here.",
        ),
        (["--qti", ""], "--qti takes the name of a file; it is empty."),
        (["--variants", "3"], "name a file with --worksheet, --moodle or --qti."),
        (
            ["--moodle", "{}/x.xml", "--worksheet", "{}/x.doc"],
            "A worksheet is written as .html or .pdf; “x.doc” is another kind.",
        ),
        (["--moodle", "{}/x.xml", "--variants", "501"], "1 to 500 sheets can be made, not 501."),
    ],
)
def test_a_course_that_cannot_be_made_is_a_sentence_and_no_file(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    given = [option.format(tmp_path) for option in options]
    assert main.main(["answers", "perceptron", "--data", "spam", *given]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
