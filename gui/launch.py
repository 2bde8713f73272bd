"""Checks before Qt starts that there is a screen and that the system's libraries are there.

Without them Qt aborts, with no help for the person.
"""

import ctypes
import os
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from engine.base.place import PROGRAM

PATIENCE = 3.0  # seconds to wait for a screen's answer

# library -> its package on Debian and Ubuntu, and on Fedora
_ANYWHERE = {
    "libGL.so.1": ("libgl1", "libglvnd-glx"),
    "libEGL.so.1": ("libegl1", "libglvnd-egl"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libgthread-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs"),
    "libX11.so.6": ("libx11-6", "libX11"),
    "libz.so.1": ("zlib1g", "zlib"),
    "libzstd.so.1": ("libzstd1", "libzstd"),
}
_XCB = {
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb"),
    "libxcb-render.so.0": ("libxcb-render0", "libxcb"),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb"),
    "libxcb-shm.so.0": ("libxcb-shm0", "libxcb"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb"),
    "libxcb.so.1": ("libxcb1", "libxcb"),
    "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
}
_WAYLAND = {
    "libwayland-client.so.0": ("libwayland-client0", "libwayland-client"),
    "libwayland-cursor.so.0": ("libwayland-cursor0", "libwayland-cursor"),
}
PACKAGES = _ANYWHERE | _XCB | _WAYLAND
_MISSING = re.compile(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object file")


def check_start() -> str | None:
    """Why no window can be opened, in a sentence that says what to do; None if Qt may start."""
    return check_display() or check_libraries(
        [name for name in platforms() if _screen_fault(name) is None]
    )


# -- the screen ------------------------------------------------------------------------------------


def platforms() -> list[str]:
    """The platform plugins that Qt will try, in order.

    [] on Windows and macOS, which always have a screen, unless QT_QPA_PLATFORM names some.
    """
    chosen = os.environ.get("QT_QPA_PLATFORM", "")
    if chosen:
        return [name.partition(":")[0] for name in chosen.split(";") if name]
    if sys.platform in ("win32", "darwin"):
        return []
    wayland = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland"
    return ["wayland", "xcb"] if wayland else ["xcb"]


def check_display() -> str | None:
    """Why there is no screen, in a sentence that says what to do; None if there is one."""
    reasons = [_screen_fault(name) for name in platforms()]
    if not reasons or None in reasons:
        return None
    return (
        f"Learnscope needs a screen, but {' and '.join(dict.fromkeys(filter(None, reasons)))}:"
        " start it in a desktop session, log in with “ssh -X”, or work without a window with"
        f" “{PROGRAM} list”, “{PROGRAM} run” and “{PROGRAM} render”."
    )


def _screen_fault(platform: str) -> str | None:
    """Why a platform has no screen, None if it has one or needs none."""
    if platform == "xcb":
        return _x_fault()
    if platform.startswith("wayland"):
        return _wayland_fault()
    return None


def _x_fault() -> str | None:
    name = os.environ.get("DISPLAY", "")
    if not name:
        return "DISPLAY is not set"
    return (
        None
        if _within(PATIENCE, _x_answers)
        else f"the one that DISPLAY names, “{name}”, does not answer"
    )


def _x_answers() -> bool:
    """Whether the X server accepts a connection.

    True where libxcb is missing: `check_libraries` reports that.
    """
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    connection = xcb.xcb_connect(None, None)
    refused = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not refused


def _within(seconds: float, answers: Callable[[], bool]) -> bool:
    """Whether `answers()` returns True in time.

    It runs on a thread: a server that accepts the connection and stays silent must not block the
    start.
    """
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(answers()), daemon=True)
    thread.start()
    thread.join(seconds)
    return found == [True]


def _wayland_fault() -> str | None:
    name = os.environ.get("WAYLAND_DISPLAY") or "wayland-0"
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent")) / name
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(PATIENCE)
            probe.connect(str(path))
    except OSError:
        return f"the Wayland screen “{name}” does not answer"
    return None


# -- the system's libraries ------------------------------------------------------------------------


def check_libraries(wanted: Iterable[str] = ("offscreen",)) -> str | None:
    """A sentence with the libraries that Qt lacks and the command that installs them, or None.

    None if one of the platforms `wanted` can be loaded. Loads Qt, but makes no application. Raises
    ModuleNotFoundError if a Python package is missing.
    """
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ModuleNotFoundError:
        raise
    except ImportError as fault:
        return missing_sentence(str(fault), _absent({**_ANYWHERE, **_chosen(wanted)}))
    if sys.platform != "linux":
        return None
    faults = [_plugin_fault(name) for name in wanted]
    return None if not faults or None in faults else faults[-1]


def _plugin_fault(platform: str) -> str | None:
    """Why the plugin of a platform cannot be loaded, None if it can.

    Qt itself reports that only by aborting.
    """
    from PySide6.QtCore import QLibraryInfo

    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    if os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH") or not folder.is_dir():
        return None
    plugin = folder / f"libq{'wayland' if platform.startswith('wayland') else platform}.so"
    if not plugin.exists():
        names = ", ".join(
            sorted(path.stem.removeprefix("libq") for path in folder.glob("libq*.so"))
        )
        return (
            f"QT_QPA_PLATFORM asks for “{platform}”, which this Qt does not have; set it to one of"
            f" {names}."
        )
    try:
        ctypes.CDLL(str(plugin))
    except OSError as fault:
        return missing_sentence(str(fault), _absent({**_ANYWHERE, **_chosen((platform,))}))
    return None


def _chosen(wanted: Iterable[str]) -> Mapping[str, tuple[str, str]]:
    """The libraries, with their packages, of the last of the platforms `wanted`.

    Qt only tries the ones before it.
    """
    last = ["", *wanted][-1]
    return _XCB if last == "xcb" else _WAYLAND if last.startswith("wayland") else {}


def _absent(libraries: Iterable[str]) -> list[str]:
    """Those of the libraries that the system cannot load.

    All of them, so that one command installs everything.
    """
    absent = []
    for name in libraries:
        try:
            ctypes.CDLL(name)
        except OSError as fault:
            if _MISSING.search(str(fault)):
                absent.append(name)
    return absent


def missing_sentence(fault: str, absent: Iterable[str] = ()) -> str:
    """The fault of the loader as a sentence with the command that installs what is missing.

    absent: more libraries known to be missing
    """
    named = _MISSING.search(fault)
    if named is None:
        return f"Qt cannot be loaded on this system: {fault.strip().rstrip('.')}."
    libraries = list(dict.fromkeys([named[1], *absent]))
    many = len(libraries) > 1
    what = f"Qt misses the system {'libraries' if many else 'library'} {', '.join(libraries)}"
    known = [PACKAGES[name] for name in libraries if name in PACKAGES]
    if not known:
        return f"{what}: install the package of your system that holds {'them' if many else 'it'}."
    debian, fedora = (" ".join(dict.fromkeys(names)) for names in zip(*known, strict=True))
    root = "" if getattr(os, "geteuid", lambda: 1)() == 0 else "sudo "
    lines = {"debian": f"“{root}apt install {debian}”", "fedora": f"“{root}dnf install {fedora}”"}
    family = system_family()
    if family in lines:
        return f"{what}: install {'them' if many else 'it'} with {lines[family]}."
    return (
        f"{what}: install with {lines['debian']} on Debian and Ubuntu, {lines['fedora']} on Fedora."
    )


def system_family(file: str = "/etc/os-release") -> str:
    """The kind of Linux that `file` describes: 'debian', 'fedora', or '' for any other."""
    try:
        text = Path(file).read_text("utf-8", errors="replace")
    except OSError:
        return ""
    ids = " ".join(re.findall(r'^(?:ID|ID_LIKE)="?([^"\n]*)', text, re.MULTILINE)).lower().split()
    return next(
        (family for family in ("debian", "fedora") if family in ids),
        "fedora" if "rhel" in ids else "",
    )
