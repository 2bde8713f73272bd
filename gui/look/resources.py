"""Files in memory that a style sheet can name by path, as if from Qt's resource compiler."""

from struct import pack

from PySide6.QtCore import qRegisterResourceData

_VERSION, _FOLDER = 1, 2  # version of the format, with entries of 14 bytes; the flag of a folder
_kept: dict[str, tuple[bytes, bytes, bytes]] = {}  # kept alive, as Qt does not copy them


def put(name: str, content: bytes) -> str:
    """The path of a file `name` with this content; a later call with the same name keeps the first
    content.
    """
    if name not in _kept:
        names = pack(">HI", len(name), _hash(name)) + name.encode("utf-16-be")
        root = pack(">IHII", 0, _FOLDER, 1, 1)  # no name, one child, which is the second entry
        # name and content stand first; any territory, no language ("C")
        file = pack(">IHHHI", 0, 0, 0, 1, 0)
        _kept[name] = (root + file, names, pack(">I", len(content)) + content)
        qRegisterResourceData(_VERSION, *_kept[name])
    return f":/{name}"


def _hash(name: str) -> int:
    """The number by which Qt looks up a name (qt_hash)."""
    h = 0
    for unit in name.encode("utf-16-be")[1::2]:
        h = (h << 4) + unit
        h ^= (h & 0xF0000000) >> 23
        h &= 0x0FFFFFFF
    return h
