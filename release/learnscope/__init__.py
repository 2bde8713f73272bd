"""Learnscope as a package: `import learnscope` is the door for scripts and notebooks, `learnscope`
the program.

In the wheel this folder holds `engine`, `gui`, `assets` and `main.py` as they stand at the top of
the repository; in a checkout they are found there. They import one another by those short names; a
finder for the two packages leaves `sys.path` as it is, so that a `main.py` or a folder `tests` of
the user's own is never hidden by one of the lab's.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGES = ("engine", "gui")


def _folder_of_packages() -> Path:
    """This folder in the wheel; in a checkout, where it is release/learnscope, the top of the
    repository.
    """
    here = Path(__file__).resolve().parent
    return here if (here / PACKAGES[0]).is_dir() else here.parents[1]


HERE = _folder_of_packages()


class _Finder:
    """Finds the lab's two packages in this folder, whatever else is called so."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return PathFinder.find_spec(fullname, [str(HERE)]) if fullname in PACKAGES else None


def _refuse_strangers() -> None:
    """Raises ImportError where another package of the same name was imported before: two cannot be
    in one process.
    """
    for name in PACKAGES:
        other = sys.modules.get(name)
        if (
            other is not None
            and HERE not in Path(getattr(other, "__file__", None) or "").resolve().parents
        ):
            place = getattr(other, "__file__", None) or "another place"
            raise ImportError(
                f"Learnscope has a package “{name}” of its own, but this process has already"
                f" imported “{name}” from {place}: import learnscope before it, or give yours"
                " another name."
            )


_refuse_strangers()
if not any(type(finder).__qualname__ == _Finder.__qualname__ for finder in sys.meta_path):
    sys.meta_path.insert(0, _Finder())


def __getattr__(name: str) -> Any:
    """The public names of the engine, loaded when the first one is wanted."""
    if name.startswith("__") and name != "__version__":
        raise AttributeError(name)
    found = getattr(import_module("engine"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(name for name in dir(import_module("engine")) if not name.startswith("_"))
