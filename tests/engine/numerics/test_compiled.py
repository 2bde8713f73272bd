"""Loops run compiled exactly as they run plainly, only when that pays, and plainly where there is
no compiler.
"""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import get_ident
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Dataset, Level, Pace, generate, prepare, run
from engine.core.arrays import Float
from engine.numerics import compiled, machine_code, visits
from engine.numerics.compiled import SHORT, WORTH, Loop, Numbers, Rows, Three
from engine.numerics.machine_code import all_loops, alone, keep
from engine.numerics.mistakes import reach_of
from engine.numerics.sigmoid import after_sigmoid
from engine.numerics.visits import Visits, round_of_rows, steady_round

always = patch.object(Loop, "compiled_for", lambda body, turns: body.compiled())
never = patch.object(Loop, "compiled_for", return_value=None)


START = 0.0
ROOT = Path(__file__).parents[3]
needs_compiler = pytest.mark.xfail(find_spec("numba") is None, reason="there is none", strict=True)

FIT = """
import sys
from engine import Level, Pace, generate, prepare, run
from engine.numerics.visits import steady_round
run("perceptron", prepare(generate("moons", 500, 0.3)), pace=Pace(Level.ROUND), stop="rounds", rounds=45, threshold="learned")
print("plain" if steady_round._compiled is None else "compiled", [name for name in ("numba", "llvmlite") if name in sys.modules])
"""
SAMPLE = """
from engine import Level, Pace, generate, prepare, run
found = {}
for key, params in (
    ("perceptron", {}), ("logistic_regression", {"mode": "stochastic"}), ("hinge_descent", {"mode": "stochastic"}),
    ("svm", {}), ("decision_tree", {}), ("gradient_boosting", {"members": 3}), ("multiclass_perceptron", {}),
):
    trace = run(key, prepare(generate("moons", 300, 0.3)), pace=Pace(Level.ROUND), **params)
    found[key] = [len(trace), trace.predict(trace.problem.X).tolist()]
"""
BLOCKED = f"""
import json, sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
{SAMPLE}
print(json.dumps(found))
"""


def total(values: Numbers) -> float:
    result = START
    for value in values:
        result += value
    return result


def mean_and_count(rows: Rows, shift: Three, upwards: bool) -> tuple[float, int]:
    """All kinds of arguments, and an answer of two kinds."""
    result = 0.0
    count = 0
    for row in rows:
        for value in row:
            result += value
            count += 1
    return result / count + (shift[0] if upwards else -shift[0]), count


@pytest.mark.slow
@pytest.mark.parametrize("body", list(all_loops()), ids=lambda body: body.plain.__name__)
def test_every_loop_can_be_compiled_where_there_is_a_compiler(body: Loop) -> None:
    assert (body.compiled() is not None) == (find_spec("numba") is not None)


def rounds(
    make: Callable[[], Visits], n: int, w: Float, rates: Any
) -> list[tuple[list[float], int]]:
    told = []
    learner = make()
    for _ in range(4):
        w, mistakes = learner.whole_round(np.arange(n), w, rates)
        told.append((w.tolist(), mistakes))
    return told


@pytest.mark.slow
@given(
    st.integers(0, 10_000),
    st.integers(1, 6),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["tenths", "any"]),
)
def test_compiled_and_plain_rounds_agree_to_the_last_bit(
    seed: int, d: int, fires_at_zero: bool, steady: bool, kind: str
) -> None:
    """On tenths, where rounding decides what lies on the line, as on any numbers; with unlabelled
    rows; all loops.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 80))
    X = (
        rng.integers(-9, 10, (n, d)) / 10
        if kind == "tenths"
        else rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4)
    )
    if d == 3 and rng.random() < 0.5:
        X[:, 2] = -1.0
    sign = rng.choice([-1.0, 0.0, 1.0], n, p=[0.45, 0.1, 0.45])
    w = rng.integers(-3, 4, d) / 10
    rates = 0.3 if steady else rng.integers(1, 9, n) / 10
    make = lambda: Visits(X, sign, fires_at_zero, reach=reach_of(X, 0.3))  # noqa: E731
    with never:
        plain = rounds(make, n, w, rates)
    with always:
        assert rounds(make, n, w, rates) == plain


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(1, 6), st.booleans())
def test_updates_of_logistic_regression_agree_to_the_last_bit(
    seed: int, d: int, squared: bool
) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 80))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 3)
    y = rng.integers(0, 2, n) * 1.0
    w = rng.normal(size=d)
    order = rng.permutation(n)
    rates = rng.random(n)
    with never:
        plain = after_sigmoid(X[order], y[order], rates, w, squared)
    with always:
        assert after_sigmoid(X[order], y[order], rates, w, squared).tolist() == plain.tolist()


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(1, 6))
def test_visits_of_sigmoid_units_agree_to_the_last_bit(seed: int, d: int) -> None:
    """Plain and compiled; some answers are not known."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 3)
    w = rng.normal(size=d)
    rate = float(rng.random())
    y = rng.choice([0.0, 1.0, np.nan], n)
    order = rng.permutation(n)
    with never:
        plain = after_sigmoid(X[order], y[order], rate, w)
    with always:
        quick = after_sigmoid(X[order], y[order], rate, w)
    assert quick.tolist() == plain.tolist()
    assert np.isfinite(plain).all()


@given(st.integers(0, 10_000), st.booleans())
def test_three_features_are_a_case_of_any_number(seed: int, squared: bool) -> None:
    """A fourth that is 0 changes nothing, to the last bit; some answers are not known."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3)) * 10.0 ** rng.integers(-3, 3)
    y = rng.choice([0.0, 1.0, np.nan], 40)
    rates = rng.random(40)
    w = rng.normal(size=3)
    wide = after_sigmoid(np.column_stack([X, np.zeros(40)]), y, rates, np.append(w, 0.0), squared)
    assert after_sigmoid(X, y, rates, w, squared).tolist() == wide[:3].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize(
    ("key", "params"),
    [
        ("hinge_descent", {}),
        ("hinge_descent", {"penalise_b": False, "schedule": "1/(1+ct)"}),
        ("hinge_descent", {"rate": 10.0, "C": 100.0}),  # leads beyond all numbers
        ("gradient_descent", {"order": "random", "schedule": "1000/(1000+t)"}),
        ("gradient_descent", {"rate": 5.0}),  # so does this
    ],
)
def test_single_steps_of_a_descent_are_those_of_its_page(
    d: int, key: str, params: dict[str, Any]
) -> None:
    """Plain and compiled rounds come to the weights that the page comes to example by example, to
    the last bit.
    """
    rng = np.random.default_rng(d)
    X = rng.normal(size=(60, d))
    y = X.sum(axis=1) + rng.normal(size=60)
    problem = prepare(
        Dataset.from_arrays(X, np.where(y > 0, "A", "B") if key == "hinge_descent" else y)
    )
    with never:
        watched = run(key, problem, pace=Pace(Level.STEP), mode="stochastic", steps=250, **params)
        plain = run(key, problem, pace=Pace(Level.ROUND), mode="stochastic", steps=250, **params)
    with always:
        quick = run(key, problem, pace=Pace(Level.ROUND), mode="stochastic", steps=250, **params)
    rounds = [step.state for step in watched if step.level == Level.ROUND]
    assert len(rounds) == len(plain) == len(quick)
    for page, *leapt in zip(
        rounds, (s.state for s in plain), (s.state for s in quick), strict=True
    ):
        for state in leapt:
            w, wanted = (getattr(s, "weights", getattr(s, "w", None)) for s in (state, page))
            assert w.tobytes() == wanted.tobytes()


@pytest.mark.slow
def test_a_whole_run_is_the_same_either_way() -> None:
    problem = prepare(generate("moons", 300, 0.3))
    for schedule in ("fixed", "1000/(1000+t)"):
        params = {"stop": "rounds", "rounds": 30, "threshold": "learned", "schedule": schedule}
        with never:
            plain = run("perceptron", problem, pace=Pace(Level.ROUND), **params)
        with always:
            quick = run("perceptron", problem, pace=Pace(Level.ROUND), **params)
        assert [step.state.w.tolist() for step in quick] == [
            step.state.w.tolist() for step in plain
        ]
        assert len(plain) == 31


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of machine code that is empty, and a process that has spent nothing and asked for
    nothing.
    """
    monkeypatch.setattr(compiled, "folder", lambda: tmp_path)
    monkeypatch.setattr(Loop, "spent", 0)
    monkeypatch.setattr(compiled, "_asked", [])
    monkeypatch.delenv("LEARNSCOPE_COMPILE")
    return tmp_path


@needs_compiler
def test_the_next_process_finds_a_loop_compiled(kept: Path) -> None:
    """In its first call that pays, be it of a window's thread."""
    with patch.object(compiled, "ask") as ask:
        assert Loop(total).compiled_for(WORTH) is None
        assert ask.call_count == 1
    keep(Loop(total), kept)
    with patch.object(compiled, "_hurried", {get_ident()}):
        body = Loop(total)
        assert body.compiled_for(SHORT - 1) is None  # to hand over so little does not pay
        run = body.compiled_for(SHORT)
    assert run is not None
    assert run(np.array([1.0, 2.5])) == 3.5


@needs_compiler
def test_another_process_is_asked_once_some_milliseconds_are_spent(kept: Path) -> None:
    body, other = Loop(total), Loop(mean_and_count)
    with patch.object(subprocess, "Popen") as started:
        assert body.compiled_for(WORTH // 2) is None
        assert body.compiled_for(WORTH // 2 - SHORT) is None
        assert not started.called
        assert body.compiled_for(SHORT) is None
        assert other.compiled_for(WORTH) is None
        assert started.call_count == 1
    assert started.call_args.args[0][1:] == [
        "-P",
        "-m",
        "engine.numerics.machine_code",
        str(kept),
        f"{__name__}:total",
    ]
    assert started.call_args.kwargs["cwd"] == ROOT


def test_nobody_is_asked_where_there_is_no_compiler_or_nothing_can_be_kept(kept: Path) -> None:
    with patch.object(subprocess, "Popen") as started:
        for place, name, told in ((compiled, "compiler", None), (os, "access", False)):
            with patch.object(place, name, return_value=told):
                compiled.ask(Loop(total))
    assert not started.called


def test_nobody_is_asked_where_somebody_wants_none(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEARNSCOPE_COMPILE", "never")
    with patch.object(subprocess, "Popen") as started:
        compiled.ask(Loop(total))
    assert not started.called


def test_a_process_that_cannot_be_started_is_no_fault(kept: Path) -> None:
    with patch.object(subprocess, "Popen", side_effect=OSError("too many")):
        compiled.ask(Loop(total))


def said(script: str, home: Path) -> str:
    """What a process prints whose folders are all there."""
    around = os.environ | dict.fromkeys(("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"), str(home))
    del around["LEARNSCOPE_COMPILE"]
    given = [sys.executable, "-c", script]
    return subprocess.run(
        given, cwd=ROOT, env=around, capture_output=True, text=True, check=True
    ).stdout


@needs_compiler
@pytest.mark.slow
def test_a_second_start_runs_compiled_and_loads_no_compiler(tmp_path: Path) -> None:
    """The whole of it: a process asks, the one that it starts outlives it, and the next one finds
    the code.
    """
    assert said(FIT, tmp_path).split() == ["plain", "[]"]
    deadline = time.monotonic() + 60
    while not list(tmp_path.rglob("steady_round-*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert said(FIT, tmp_path).split()[0] == (
        "compiled" if list(tmp_path.rglob("steady_round-*.so")) else "plain"
    )
    assert said(FIT, tmp_path).split()[1] == "[]"
    for sign in tmp_path.rglob("at-work"):  # the other loops are compiled in another test
        with suppress(ProcessLookupError):
            os.kill(int(sign.read_text()), signal.SIGTERM)


@pytest.mark.slow
def test_without_numba_all_runs_in_plain_python(tmp_path: Path) -> None:
    """Every method that has a loop, in a process that may not import it, to the numbers of this
    one.
    """
    exec(SAMPLE, found := {})
    assert json.loads(said(BLOCKED, tmp_path)) == found["found"]
    assert not list(tmp_path.rglob("*.*o"))


@needs_compiler
@pytest.mark.parametrize("hurried", [False, True])
def test_without_a_linker_an_object_is_kept_that_takes_longer_to_load(
    kept: Path, hurried: bool
) -> None:
    with patch.object(machine_code, "which", return_value=None):
        keep(body := Loop(mean_and_count), kept)
    assert [file.suffix for file in kept.iterdir()] == [".o"]
    with patch.object(compiled, "_hurried", {get_ident()} if hurried else set()):
        assert body.compiled_for(SHORT) is None
        with patch.object(compiled, "SLOW", 0), patch.object(compiled, "AGAIN", 0):
            body = Loop(mean_and_count)
            run = body.compiled_for(SHORT)
    assert (run is None) == hurried
    if run:
        assert run(np.array([[1.0, 2.0], [3.0, 6.0]]), (0.5, 0.0, 0.0), True) == (3.5, 4)


@needs_compiler
def test_a_file_that_is_damaged_is_none(kept: Path) -> None:
    body = Loop(total)
    (kept / f"{body.name}.so").write_bytes(b"nothing that runs")
    with patch.object(compiled, "ask"):
        assert body.compiled_for(WORTH) is None
    assert body.compiled_for(10 * WORTH) is None


@needs_compiler
def test_two_processes_make_the_same_file(kept: Path) -> None:
    keep(body := Loop(total), kept)
    run = body.compiled_for(SHORT)
    keep(body, kept)  # while the first one is loaded
    assert len(list(kept.iterdir())) == 1
    assert run is not None
    assert run(np.array([2.0])) == Loop(total).compiled_for(SHORT)(np.array([2.0])) == 2.0  # type: ignore[misc]


def test_only_one_process_is_at_work_and_a_dead_one_is_not_waited_for(tmp_path: Path) -> None:
    with alone(tmp_path) as first, alone(tmp_path) as second:
        assert (first, second) == (True, False)
        os.utime(tmp_path / "at-work", (0, 0))
        with alone(tmp_path) as third:
            assert third
    assert not list(tmp_path.iterdir())


def test_code_is_kept_in_the_cache_folder_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    for system, wanted in (
        ("linux", "learnscope/loops"),
        ("darwin", "Library/Caches/Learnscope/loops"),
        ("win32", "Learnscope/Cache/loops"),
    ):
        with patch.object(compiled.sys, "platform", system):
            assert compiled.folder.__wrapped__() == tmp_path / wanted
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    with patch.object(compiled.sys, "platform", "linux"):
        assert not compiled.folder.__wrapped__().is_relative_to(Path.cwd())


posix = pytest.mark.xfail(sys.platform == "win32", reason="has other rights", strict=True)
OTHER = 54_321  # a user's number, who is not the one that runs the tests


def owned_by_another(monkeypatch: pytest.MonkeyPatch, *places: Path) -> None:
    """What `lstat` and `stat` tell of these places: only root could change their owner."""
    for name in ("stat", "lstat"):

        def told(
            place: Path, *, original: Any = getattr(Path, name), **given: Any
        ) -> os.stat_result:
            found = original(place, **given)
            return os.stat_result([*found[:4], OTHER, *found[5:10]]) if place in places else found

        monkeypatch.setattr(Path, name, told)


def planted(above: Path) -> Path:
    """A library that marks that it was run, where the lab looks for a loop in this cache folder."""
    place = above / "learnscope" / "loops"
    place.mkdir(parents=True, mode=0o700)
    source = above / "planted.c"
    file = place / f"{Loop(total).name}.so"
    source.write_text(
        "#include <stdio.h>\n"
        f'__attribute__((constructor)) void run(void) {{ fclose(fopen("{above}/was run", "w"));'
        " }\n"
        "void entry(void *v, long n, void *out) {}\n"
    )
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(file), str(source)], check=True)
    file.chmod(0o700)
    return file


@needs_compiler
@posix
@pytest.mark.parametrize(
    "how",
    [
        "mine",
        "open folder",
        "folder of the group",
        "open file",
        "foreign folder",
        "foreign file",
        "foreign cache",
        "open cache",
        "link to a foreign folder",
        "link to a foreign file",
    ],
)
def test_a_library_that_another_user_could_have_written_is_not_run(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither from a folder, nor as a file, nor behind a link that is another user's, or that
    others can write to.
    """
    file = planted(tmp_path)
    folder = file.parent
    elsewhere = tmp_path / "elsewhere"
    owned = {
        "foreign folder": folder,
        "foreign file": file,
        "foreign cache": tmp_path,
        "link to a foreign folder": elsewhere,
    }
    modes = {
        "open folder": (folder, 0o777),
        "folder of the group": (folder, 0o770),
        "open file": (file, 0o702),
    }
    modes["open cache"] = (tmp_path, 0o777)
    if how in modes:
        modes[how][0].chmod(modes[how][1])
    if how.startswith("link"):
        linked = folder if how.endswith("folder") else file
        linked.rename(elsewhere)
        linked.symlink_to(elsewhere)
    if how in owned:
        owned_by_another(monkeypatch, owned[how])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compiled, "_passing", passing := [])
    monkeypatch.setattr(compiled, "folder", cache(compiled.folder.__wrapped__))
    with patch.object(compiled, "ask"), patch.object(Loop, "spent", 0):
        found = Loop(total).compiled_for(WORTH)
    assert (tmp_path / "was run").exists() == (found is not None) == (how == "mine")
    for made in passing:
        made.cleanup()


@posix
def test_the_process_that_compiles_writes_to_no_folder_that_others_can_write_to(
    tmp_path: Path,
) -> None:
    tmp_path.chmod(0o777)
    with patch.object(machine_code, "keep_all") as made:
        machine_code.main(str(tmp_path), f"{visits.__name__}:steady_round")
        assert not made.called
        tmp_path.chmod(0o700)
        machine_code.main(str(tmp_path), f"{visits.__name__}:steady_round")
        assert made.called


@needs_compiler
@posix
def test_machine_code_is_made_again_where_others_could_write_it_and_then_is_the_users_own(
    kept: Path,
) -> None:
    file = kept / f"{Loop(total).name}.so"
    file.write_bytes(b"of another time")
    file.chmod(0o777)
    mask = os.umask(0)
    try:
        machine_code.keep_all(kept, [Loop(total)])
    finally:
        os.umask(mask)
    run = Loop(total).compiled_for(SHORT)
    assert run is not None
    assert run(np.array([1.0, 2.5])) == 3.5
    assert file.stat().st_mode & 0o077 == 0


@posix
def test_folders_for_machine_code_are_made_for_the_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "new" / "cache"))
    mask = os.umask(0)
    try:
        place = compiled.folder.__wrapped__()
    finally:
        os.umask(mask)
    assert place.is_relative_to(tmp_path)
    for folder in (place, *place.parents[:3]):
        assert folder.stat().st_mode & 0o077 == 0


def test_where_nothing_can_be_written_code_lives_as_long_as_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiled, "_passing", passing := [])
    with patch.object(Path, "mkdir", side_effect=PermissionError("read-only")):
        place = compiled.folder.__wrapped__()
    assert place.is_dir()
    passing[0].cleanup()
    assert not place.exists()


def test_another_loop_compiler_or_number_has_another_file() -> None:
    names = {Loop(total).name, Loop(mean_and_count).name, Loop(total, mean_and_count).name}
    with patch.object(compiled, "compiler", return_value="another"):
        names.add(Loop(total).name)
    with patch.dict(total.__globals__, {"START": 1.0}):
        names.add(Loop(total).name)
    assert len(names) == 5
    assert Loop(total).name == Loop(total).name


@needs_compiler
@pytest.mark.parametrize(
    "wrong", [np.arange(4), np.ones((2, 2)), np.ones(8)[::2], np.ones(4, np.float32)]
)
def test_arrays_of_another_kind_are_refused(kept: Path, wrong: Any) -> None:
    keep(body := Loop(total), kept)
    with pytest.raises(TypeError, match="total takes whole arrays, float64 in 1 dimensions"):
        body.compiled_for(SHORT)(wrong)  # type: ignore[misc]


@needs_compiler
def test_an_array_that_was_pickled_is_taken_though_its_dtype_is_another_object(kept: Path) -> None:
    keep(body := Loop(total), kept)
    unpickled = pickle.loads(pickle.dumps(np.arange(8.0)))
    assert body.compiled_for(SHORT)(unpickled) == 28.0  # type: ignore[misc]


@needs_compiler
@pytest.mark.parametrize("read_only", [False, True])
def test_a_loop_reads_an_array_where_its_numbers_begin(kept: Path, read_only: bool) -> None:
    """A part of a longer one, which may be read-only; and one of no numbers."""
    keep(body := Loop(total), kept)
    whole = np.arange(8.0)
    whole.flags.writeable = not read_only
    compiled = body.compiled_for(SHORT)
    assert [compiled(part) for part in (whole, whole[3:], whole[5:6], whole[8:])] == [
        28.0,
        25.0,
        5.0,
        0.0,
    ]  # type: ignore[misc]


@needs_compiler
def test_what_is_handed_over_once_is_kept_for_many_calls(kept: Path) -> None:
    keep(body := Loop(mean_and_count), kept)
    rows = np.array([[1.0, 2.0], [3.0, 6.0]])
    run = body.compiled_for(SHORT).holding(rows, (0.5, 0.0, 0.0))  # type: ignore[union-attr]
    alive = weakref.ref(rows)
    del rows
    assert run(True) == run(True) == (3.5, 4)
    alive()[0, 0] = 5.0  # type: ignore[index]
    assert run(True) == (4.5, 4)
    with pytest.raises(TypeError):  # too few
        run()
    with pytest.raises(ValueError):
        run(True, True)


def test_a_compiler_that_is_switched_off_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert compiled.compiler.__wrapped__() is None


@pytest.mark.parametrize(("d", "body"), [(2, steady_round), (5, round_of_rows)])
def test_many_short_runs_ask_for_the_compiler_as_a_long_one_does(d: int, body: Loop) -> None:
    X = np.ones((SHORT, d))
    sign = np.ones(SHORT)
    loop = Loop(body.plain)
    turns = SHORT * (d if d > 3 else 1)
    with (
        patch.object(visits, body.plain.__name__, loop),
        patch.object(compiled, "WORTH", 4 * turns),
        patch.object(Loop, "spent", 0),
        patch.object(compiled, "AGAIN", 0),
        patch.object(Loop, "_found", return_value=None),
        patch.object(compiled, "ask") as asked,
    ):
        for _ in range(3):
            assert Visits(X, sign, False).whole_round(np.arange(SHORT), np.zeros(d), 1.0)[1] == 1
        assert not asked.called
        assert Visits(X, sign, False).whole_round(np.arange(SHORT), np.zeros(d), 1.0)[1] == 1
        assert asked.called


@needs_compiler
@pytest.mark.parametrize(
    "fault",
    [
        ImportError("none"),
        OSError("another processor"),
        SystemError("another numpy"),
        AttributeError("old"),
    ],
)
def test_without_a_compiler_that_works_plain_python_does_it_all(
    kept: Path, fault: Exception
) -> None:
    body = Loop(total)
    with patch.object(machine_code, "entry", side_effect=fault):
        assert body.compiled() is None
        assert body.compiled_for(SHORT) is None
    assert not list(kept.iterdir())
    assert body([1.0, 2.0]) == 3.0


@pytest.mark.slow
def test_rows_that_are_too_many_for_lists_give_the_same_round() -> None:
    """Plain Python, arrays up to the next mistake, and the compiler: three ways, one result."""
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 10, (300, 6)) / 10
    sign = rng.choice([-1.0, 1.0], 300)
    make = lambda: Visits(X, sign, False, reach=reach_of(X, 0.3))  # noqa: E731
    with never:
        plain = rounds(make, 300, np.zeros(6), 0.3)
        with patch.object(visits, "LISTED", 0), patch.object(visits, "round_of_rows") as listed:
            listed.compiled_for.return_value = None
            assert rounds(make, 300, np.zeros(6), 0.3) == plain
            assert not listed.called
    with always:
        assert rounds(make, 300, np.zeros(6), 0.3) == plain
    assert plain[0][1] > 50


def test_a_single_row_is_handed_to_the_compiled_loop_as_many_are() -> None:
    """With a hundred columns and more it pays for one row already, whose rate is read-only:
    numpy's, spread over one.
    """
    rng = np.random.default_rng(3)
    X = rng.normal(size=(8, 120))
    y = np.arange(8) % 2
    told = []
    for way in (always, never):
        with way:
            trace = run(
                "logistic_regression", (X, y), mode="stochastic", steps=20, pace=Pace(Level.STEP)
            )
            told.append([step.state.w.tolist() for step in trace])
    assert told[0] == told[1]
