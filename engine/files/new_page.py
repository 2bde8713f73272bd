"""Writes the first page of a new algorithm: a small working one to change."""

import json
import re
from keyword import iskeyword
from pathlib import Path

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.place import ASSETS
from engine.files.atomic import reason
from engine.protocol.registry import algorithms

PAGE = ASSETS / "pages" / "nearest_mean.py"
TITLE = '    title="Nearest mean",\n'  # the line of that page to replace
MOST = 60  # letters of a key
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def new_page(folder: str | Path, key: str, title: str = "", family: str = "") -> Path:
    """Write the page of a new algorithm to `folder`/`key`.py; returns that path.

    title: '' for the key in words
    family: the heading that lists it, '' for one's own algorithms

    Raises EngineError for an invalid key or family, a key that an algorithm has already, a file
    that exists, and if the write fails.
    """
    check_name("key", key)
    if family:
        check_name("family", family)
    if key in algorithms():
        raise EngineError(f"The lab has an algorithm {quoted(key)} already: choose another key.")
    path = Path(folder) / f"{key}.py"
    shown = " ".join(title.split()) or key.replace("_", " ").capitalize()
    record = f"    title={json.dumps(shown, ensure_ascii=False)},\n"
    if family:
        record += f'    family="{family}",\n'
    text = PAGE.read_text(encoding="utf-8").replace(TITLE, record)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise EngineError(
            f"{path} is there already: choose another key, or another folder by --out."
        ) from None
    except (OSError, ValueError) as refused:  # ValueError: a NUL in the path
        raise EngineError(f"{path} could not be written: {reason(refused)}.") from None
    return path


def check_name(what: str, name: str) -> None:
    """Raise EngineError if `name` cannot be the name of a Python module."""
    if not _NAME.fullmatch(name) or iskeyword(name) or len(name) > MOST:
        raise EngineError(
            f"The {what} {quoted(name)} is no name: it takes small letters, digits and _, at most"
            f" {MOST}, begins with a letter and is no word of Python's own, as nearest_mean."
        )
