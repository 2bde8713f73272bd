"""Where the program under test keeps what it keeps: never in the person's folders."""

from pathlib import Path

import pytest


def at_home_in(place: Path, patch: pytest.MonkeyPatch) -> None:
    """Settings and safety copies go to this folder, and no process is left behind, nor by those
    that a test starts.
    """
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        patch.setenv(name, str(place))
    patch.setenv("LEARNSCOPE_JOBS", "1")
