"""Tests draw offscreen, save nothing in the person's folders, and leave no thread behind."""

import gc
import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from home import at_home_in
from hypothesis import HealthCheck, settings

import tests.golden  # noqa: F401  before numpy

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# its threads do not come along into a fork, which waited for them for ever
os.environ["QT_NO_GUI_THREADPOOL"] = "1"
# Three processes and the many that tests start would each compile a thousand files again, twenty
# seconds a time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# No example fails because the machine is busy; and a check that has to pass before a change lands
# looks at the same examples each time, so that it fails for what was changed. 25 examples where a
# test names no number; `--hypothesis-profile thorough` looks at a thousand.
for profile, many in (("lab", 25), ("thorough", 1_000)):
    settings.register_profile(
        profile,
        max_examples=many,
        deadline=None,
        derandomize="CI" in os.environ,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("lab")
WALKS = {"test_cut.py", "test_lanes_walk.py", "test_leaks.py", "test_long_walk.py"}


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a test that waits for a paint or a process leaves its core
    idle.
    """
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first, so that at the end no worker waits for another; those of the window
    after those of the engine, whose litter would make its garbage collection slow, and its walks of
    many seconds before its others.
    """

    def place(item: pytest.Item) -> tuple[bool, bool, bool]:
        slow = item.get_closest_marker("slow") is not None
        return item.nodeid.startswith("tests/gui"), item.path.name not in WALKS, not slow

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Ten thousand tests lie in memory from now on: each full round of the collector would look
    through all of them. Its small rounds are fewer: they took a twentieth of all time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """New folders; pytest's own numbered ones take longer the more of them there are, and there are
    ten thousand.
    """
    above = tmp_path_factory.mktemp("homes")
    return (above / f"{os.getpid()}-{number}" for number in itertools.count())


@pytest.fixture
def few_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty of the lab's digits, from which four learners learn for seconds."""
    from engine.sources.real import real

    digits = real("digits").take(range(60))
    monkeypatch.setattr("engine.experiments.digit_pad.tables.real", lambda key: digits)


@pytest.fixture(autouse=True)
def own_folders(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings and safety copies go to a folder of the test's own."""
    place = next(homes)
    place.mkdir()
    at_home_in(place, monkeypatch)
