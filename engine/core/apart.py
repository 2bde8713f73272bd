"""How a further Python process of the lab is started: in the lab's folder, with nothing from the
folder in which the user works.
"""

import os
import sys
from contextlib import suppress
from typing import Any

from engine.core.place import ROOT


def command(*arguments: str) -> list[str]:
    """This Python with `arguments`.

    `-P` (Python 3.11): neither the working folder nor that of the script is searched for modules.
    """
    return [sys.executable, "-P", *arguments]


def surroundings() -> dict[str, Any]:
    """Arguments of `subprocess.Popen`: the lab's folder to work in, and an environment in which
    `engine` is found there.

    Of the user's PYTHONPATH the entries stay that name a folder by its whole path, other than the
    working folder: an empty or relative entry means the folder in which a process happens to work.
    """
    here: set[str] = set()
    with suppress(OSError):  # the working folder may have been deleted
        here.add(os.path.realpath(os.getcwd()))
    told = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    paths = [path for path in told if os.path.isabs(path) and os.path.realpath(path) not in here]
    return {"cwd": ROOT, "env": {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *paths])}}
