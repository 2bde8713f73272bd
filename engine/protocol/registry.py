"""Finds the algorithms: the pages under engine/algorithms, engine/experiments, and added
folders.
"""

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.base.errors import EngineError
from engine.base.faults import OWN, of_the_user
from engine.base.notation import quoted
from engine.base.place import PROGRAM
from engine.protocol.algorithm import Algorithm
from engine.protocol.page_files import forget_page_files
from engine.table.given import seen

_ALIKE = 0.6  # similarity of spelling from which a key is suggested
_THE_SAME = 0.9  # from which it is the only suggestion
_PLACES = ("engine.algorithms", "engine.experiments")
MOST_OF_A_PATH = 200  # letters, in a sentence
_SHARED = ("parts",)  # modules of a family that are no page
_own: dict[str, Path] = {}
_unread: set[str] = set()  # added pages whose file may have changed since it was read
_broken: dict[str, str] = {}


@cache
def _pages() -> Mapping[str, str]:
    """The module of every page by its key; none is imported."""
    found: dict[str, str] = {}
    for place in _PLACES:
        root = importlib.import_module(place).__path__[0]
        for family in [""] if place.endswith("experiments") else _modules(root):
            names = _modules(os.path.join(root, family))
            found |= {name: f"{place}.{family}.{name}".replace("..", ".") for name in names}
    return {key: name for key, name in found.items() if key not in _SHARED}


def _modules(folder: str) -> list[str]:
    """The names of the modules and packages in a folder; [] where it is no folder."""
    if not os.path.isdir(folder):
        return []
    names = [
        name
        for name in os.listdir(folder)
        if name.endswith(".py") or os.path.isfile(f"{folder}/{name}/__init__.py")
    ]
    return sorted(name.removesuffix(".py") for name in names if name != "__init__.py")


def _load(key: str) -> Algorithm[Any, Any] | None:
    """The algorithm of a page; None where it cannot be imported.

    A broken page is remembered with its fault; the others still load.
    """
    try:
        # usually it is imported already
        read = None if key in _own else sys.modules.get(_pages()[key])
        found = getattr(read, "ALGORITHM", None)
        if found is None:
            module = (
                _from_file(key, _own[key])
                if key in _own
                else importlib.import_module(_pages()[key])
            )
            found = getattr(module, "ALGORITHM", None)
        if not isinstance(found, Algorithm):
            raise TypeError("it binds no ALGORITHM = Algorithm.of(__name__, …)")
        return found
    except BaseException as fault:  # whatever an author's file raises, also SystemExit
        if of_the_user(fault):
            raise
        _broken[key] = _sentence(fault)
        return None


def _sentence(fault: BaseException) -> str:
    """What is wrong with a page: the lab's own sentence, or the type of the exception and its
    message.
    """
    return str(fault) if isinstance(fault, EngineError) else f"{type(fault).__name__}: {fault}"


def _from_file(key: str, path: Path) -> ModuleType:
    name = f"{OWN}.{key}"
    if name in sys.modules and key not in _unread:
        return sys.modules[name]
    if not path.is_file():  # opening a pipe would block
        raise ImportError(f"{path} is no ordinary file")
    folder = [str(path.parent)] if path.name == "__init__.py" else None
    found = importlib.util.spec_from_file_location(name, path, submodule_search_locations=folder)
    if found is None or found.loader is None:
        raise ImportError(f"{path} is no Python file")
    sys.modules.setdefault(OWN, ModuleType(OWN, "Algorithms from other folders."))
    before = {
        each: sys.modules.pop(each)
        for each in list(sys.modules)
        if f"{each}.".startswith(f"{name}.")
    }
    module = sys.modules[name] = importlib.util.module_from_spec(found)
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        sys.modules.update(before)  # current runs go on with the modules read before
        raise
    _unread.discard(key)
    forget_page_files()
    return module


def add_algorithms(place: str | Path) -> tuple[str, ...]:
    """Add the algorithms of a file, or of all files and folders in a folder; returns their keys.

    Known files are read again. Raises EngineError for a place that does not exist or cannot be
    read, and for a key that the lab has already.
    """
    try:
        named = {
            key: path.absolute() for key, path in _files(Path(place)).items()
        }  # absolute: another process may have another working directory
    except (OSError, ValueError) as fault:  # ValueError: a name that no file system can have
        reason = getattr(fault, "strerror", None) or fault
        raise EngineError(
            f"The algorithms in {quoted(str(place), MOST_OF_A_PATH)} cannot be read: {reason}."
        ) from None
    for key in named.keys() & _pages().keys():
        raise EngineError(
            f"There is an algorithm “{key}” already: give the file {named[key]} another name."
        )
    _own.update(named)
    _unread.update(named)
    algorithms.cache_clear()
    return tuple(named)


def _files(place: Path) -> dict[str, Path]:
    """The page files at a place, by key.

    Raises EngineError for a place that is neither file nor folder, OSError where it cannot be read.
    """
    if not place.exists():
        raise EngineError(f"There is no file and no folder {quoted(str(place), MOST_OF_A_PATH)}.")
    if place.is_file() or _is_page(place):
        files = [place]
    elif place.is_dir():
        files = sorted(each for each in place.iterdir() if each.suffix == ".py" or _is_page(each))
    else:
        raise EngineError(
            f"{quoted(str(place), MOST_OF_A_PATH)} is neither a file nor a folder: choose a folder"
            " with Python files."
        )
    pages = [each for each in files if not each.stem.startswith((".", "_"))]
    return {each.stem: each / "__init__.py" if each.is_dir() else each for each in pages}


def forget_added() -> None:
    """Forget all added algorithms, their modules and their faults: only the lab's own are left."""
    _own.clear()
    _unread.clear()
    _broken.clear()
    for name in [name for name in sys.modules if name.startswith(f"{OWN}.")]:
        del sys.modules[name]
    algorithms.cache_clear()


def own_pages() -> tuple[str, ...]:
    """The files and folders of algorithms that were added to the lab's own."""
    return tuple(str(own_page(key)) for key in _own)


def own_page(key: str) -> Path:
    """The file or folder of an algorithm that was added to the lab's own."""
    path = _own[key]
    return path.parent if path.name == "__init__.py" else path


def _is_page(folder: Path) -> bool:
    return (folder / "__init__.py").is_file()


@cache
def algorithms() -> Mapping[str, Algorithm[Any, Any]]:
    """Every algorithm by key, ordered by family, then title. The first call imports them all."""
    _broken.clear()
    found = [made for made in map(_load, [*_pages(), *_own]) if made is not None]
    return {a.key: a for a in sorted(found, key=lambda a: (a.family, a.title))}


def broken() -> Mapping[str, str]:
    """The sentences on the pages that could not be loaded, by key."""
    algorithms()
    return dict(_broken)


def algorithm(key: str) -> Algorithm[Any, Any]:
    """The algorithm called `key`.

    Raises EngineError that names the most similar keys, or what is wrong with its page.
    """
    if not isinstance(key, str):
        raise EngineError(
            f"There is no algorithm {seen(key)}; “{PROGRAM} list” shows all there are."
        )
    # without importing the others
    found = _load(key) if key in _own or key in _pages() else None
    if found is not None:
        return found
    if key in _broken:
        raise EngineError(f"The algorithm {quoted(key)} cannot be loaded: {_broken[key]:.300}")
    close = " or ".join(map(quoted, meant(key)))
    hint = f"did you mean {close}?" if close else f"“{PROGRAM} list” shows all there are."
    raise EngineError(f"There is no algorithm {quoted(key)}; {hint}")


def meant(key: str) -> list[str]:
    """Up to three keys that a misspelt `key` may stand for.

    The one that differs by about a letter; else those that share most words with it in key, title
    or family; else the one spelt most like it.
    """
    from difflib import SequenceMatcher

    wanted = _words(key)
    shared, spelt = {}, {}
    for name, known in algorithms().items():
        own, family = _words(f"{name} {known.title}"), _words(known.family)
        shared[name] = len(wanted & own) + len(wanted & family) / 2
        spelt[name] = max(
            SequenceMatcher(None, key[:60].lower(), way.lower()).ratio()
            for way in (name, known.title)
        )
    best = sorted(spelt, key=lambda name: -spelt[name])[:1]
    if spelt[best[0]] >= _THE_SAME:
        return best
    most = max(int(value) for value in shared.values())
    if most or max(shared.values()):
        return sorted(
            (name for name, value in shared.items() if value and value >= most),
            key=lambda n: -shared[n],
        )[:3]
    return [name for name in best if spelt[name] >= _ALIKE]


def _words(text: str) -> set[str]:
    """The words of a name, without a plural s and without single letters: decision_trees has
    decision and tree.
    """
    return {word.rstrip("s") for word in re.split(r"[\W_]+", text.lower()) if len(word) > 1}
