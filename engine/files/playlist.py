"""Playlists: a text file that names a station in each line, for a lecture that walks through them.

# Monday: trees              (a remark)
AIMA Fig 18.6                (what a place of the five texts opens)
AIMA Fig 18.6 (2)            (its second opening)
trees/iris.learnscope        (a project file, seen from the folder of the playlist)
trees/gini.lesson            (a lesson, .lesson or .toml; those of the lab by their key, AI03)
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import Record
from engine.files import SUFFIX as PROJECT
from engine.files.atomic import write_atomic
from engine.files.books import Place, in_my_book
from engine.files.openings import Opening

LESSONS = (".lesson", ".toml")
LARGEST, MOST = 1 << 20, 500  # bytes of a file; stations
HEAD = "# A playlist of Learnscope: in each line a place of a text, a project file or a lesson."
_PLACE = re.compile(r"(?P<place>.*?)\s*(?:\((?P<nth>\d{1,3})\))?")


class Playlist(Record, eq=True):
    """folder: from where the paths of project files are seen; stations: as they are written"""

    folder: Path
    stations: tuple[str, ...] = ()


def read_playlist(path: str | os.PathLike[str]) -> Playlist:
    """The stations of a file.

    Raises EngineError where it cannot be read, is no text, or names no station or too many.
    """
    place = Path(path)
    try:
        if place.stat().st_size > LARGEST:
            raise EngineError(f"{quoted(place.name)} is too large for a playlist.")
        lines = place.read_bytes().decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise EngineError(f"{quoted(place.name)} is no text; a playlist is one.") from None
    except OSError as fault:
        why = fault.strerror or fault
        raise EngineError(f"{quoted(place.name)} could not be read: {why}.") from None
    except ValueError:
        raise EngineError(f"{quoted(str(path))} is no name of a file.") from None
    stations = tuple(text for line in lines if (text := line.partition("#")[0].strip()))
    if not stations:
        raise EngineError(
            f"{quoted(place.name)} names no station: write a place of a text, AIMA Fig 18.6, a"
            " project file or a lesson in each line."
        )
    if len(stations) > MOST:
        raise EngineError(
            f"{quoted(place.name)} names {len(stations):,} stations; a playlist has at most {MOST}."
        )
    return Playlist(place.resolve().parent, stations)


def write_playlist(path: str | os.PathLike[str], stations: Sequence[str]) -> None:
    """Write stations as a file, project files as seen from its folder where they lie below it.

    Raises EngineError where it cannot be written.
    """
    folder = Path(path).resolve().parent
    lines = [HEAD, *(_seen_from(folder, station) for station in stations)]
    write_atomic(path, ["\n".join([*lines, ""]).encode("utf-8")])


def _seen_from(folder: Path, station: str) -> str:
    whole = Path(station)
    below = whole.is_absolute() and whole.is_relative_to(folder)
    return whole.relative_to(folder).as_posix() if below else station


def is_file(station: str) -> bool:
    """Whether a station is a project file or a lesson; else it is a place of a text, or the key
    of a lesson.
    """
    return station.lower().endswith((PROJECT, *LESSONS))


def opening_of(station: str) -> tuple[Place, Opening]:
    """The place and the opening that a station names; raises EngineError where there is none."""
    found = _PLACE.fullmatch(station)
    wanted = " ".join((found["place"] if found else station).casefold().split())
    nth = int(found["nth"] or 1) if found else 1
    for rows in in_my_book().values():
        for place, ways in rows:
            if place.citation.casefold() != wanted:
                continue
            if not 1 <= nth <= len(ways):
                raise EngineError(
                    f"{place.citation} opens {len(ways)} in the lab; {quoted(station)} is not"
                    " among them."
                )
            return place, ways[nth - 1]
    raise EngineError(
        f"{quoted(station)} is no project file ({PROJECT}), no lesson and no place that opens:"
        " Help → Books and topics lists the places."
    )


def station_of(place: Place, way: Opening) -> str:
    """The station that names this opening of a place."""
    rows = dict(in_my_book()[place.text])
    ways = rows.get(place, (way,))
    nth = ways.index(way) + 1 if way in ways else 1
    return place.citation if nth == 1 else f"{place.citation} ({nth})"
