"""Tests draw offscreen, save nothing in the person's folders, and leave no thread behind."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# No example fails because the machine is busy; and a check that has to pass before a change lands looks at the same
# examples each time, so that it fails for what was changed.
settings.register_profile(
    "lab", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("lab")


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings and safety copies go to a folder of the test's own."""
    place: Path = tmp_path_factory.mktemp("home")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(place))
