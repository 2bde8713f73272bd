"""Starting without a screen or without a system library: one sentence and exit code 2, never an
abort.
"""

import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from gui import launch

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
SCREENS = (
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XDG_SESSION_TYPE",
    "QT_QPA_PLATFORM",
    "QT_QPA_PLATFORM_PLUGIN_PATH",
)


def start(**environment: str) -> subprocess.CompletedProcess[str]:
    """main.py in a process whose environment knows no screen but what is given."""
    clean = {name: value for name, value in os.environ.items() if name not in SCREENS}
    return subprocess.run(
        [sys.executable, "main.py"],
        cwd=ROOT,
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


def sentence(found: subprocess.CompletedProcess[str]) -> str:
    assert found.returncode == 2, found.stderr
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1
    assert found.stderr.endswith(".\n")
    return found.stderr


def free_display() -> int:
    """A display number whose port is free."""
    with socket.socket() as probe:
        for number in range(321, 900):
            if probe.connect_ex(("127.0.0.1", 6000 + number)):
                return number
    raise AssertionError("every display is taken")


def test_without_a_display() -> None:
    said = sentence(start())
    assert "DISPLAY is not set" in said
    assert "main.py list" in said


def test_with_a_display_that_cannot_be_reached() -> None:
    name = f"127.0.0.1:{free_display()}"
    assert f"the one that DISPLAY names, “{name}”, does not answer" in sentence(start(DISPLAY=name))


def test_with_a_display_that_is_no_display() -> None:
    assert "“nonsense”, does not answer" in sentence(start(DISPLAY="nonsense"))


def test_with_a_wayland_screen_that_is_closed(tmp_path: Path) -> None:
    said = sentence(start(WAYLAND_DISPLAY="wayland-0", XDG_RUNTIME_DIR=str(tmp_path)))
    assert "the Wayland screen “wayland-0” does not answer and DISPLAY is not set" in said


def test_with_a_platform_that_qt_does_not_have() -> None:
    said = sentence(start(QT_QPA_PLATFORM="offscren"))
    assert "“offscren”, which this Qt does not have" in said
    assert "offscreen" in said


def test_with_a_missing_system_library(tmp_path: Path) -> None:
    """The words are those of the loader when libegl1 is not installed; a stand-in for PySide6 says
    them.
    """
    package = tmp_path / "PySide6"
    package.mkdir()
    (package / "__init__.py").write_text("")
    fault = "libEGL.so.1: cannot open shared object file: No such file or directory"
    (package / "QtWidgets.py").write_text(f"raise ImportError({fault!r})")
    said = sentence(start(QT_QPA_PLATFORM="offscreen", PYTHONPATH=str(tmp_path)))
    assert "libEGL.so.1" in said
    assert "libegl1" in said or "libglvnd-egl" in said


def test_with_a_missing_python_package(tmp_path: Path) -> None:
    package = tmp_path / "PySide6"
    package.mkdir()
    (package / "__init__.py").write_text("raise ModuleNotFoundError('gone', name='PySide6')")
    said = sentence_with_command(start(QT_QPA_PLATFORM="offscreen", PYTHONPATH=str(tmp_path)))
    assert "the Python package “PySide6”" in said


def sentence_with_command(found: subprocess.CompletedProcess[str]) -> str:
    assert found.returncode == 2, found.stderr
    assert found.stderr.endswith("pip install uv && uv run --no-dev main.py\n")
    return found.stderr


# -- the words -------------------------------------------------------------------------------------


def missing(name: str) -> str:
    return f"{name}: cannot open shared object file: No such file or directory"


def test_the_line_is_that_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(launch, "system_family", lambda: "debian")
    several = launch.missing_sentence(
        missing("libxcb-cursor.so.0"), ["libxcb-cursor.so.0", "libxcb-icccm.so.4"]
    )
    assert several.endswith("install them with “sudo apt install libxcb-cursor0 libxcb-icccm4”.")
    monkeypatch.setattr(launch, "system_family", lambda: "fedora")
    assert launch.missing_sentence(missing("libEGL.so.1")).endswith(
        "install it with “sudo dnf install libglvnd-egl”."
    )
    monkeypatch.setattr(launch, "system_family", lambda: "")
    unknown = launch.missing_sentence(missing("libglib-2.0.so.0"))
    assert (
        "“sudo apt install libglib2.0-0” on Debian and Ubuntu, “sudo dnf install glib2” on Fedora"
        in unknown
    )
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "sudo" not in launch.missing_sentence(missing("libEGL.so.1"))


def test_libraries_that_no_list_knows_are_named() -> None:
    assert "libodd.so.9: install the package" in launch.missing_sentence(missing("libodd.so.9"))
    said = launch.missing_sentence("/lib/libc.so.6: version `GLIBC_9.9' not found.")
    assert (
        said == "Qt cannot be loaded on this system: /lib/libc.so.6: version `GLIBC_9.9' not found."
    )


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("ID=debian\n", "debian"),
        ('ID=linuxmint\nID_LIKE="ubuntu debian"\n', "debian"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"\n', "fedora"),
        ('ID="rhel"\n', "fedora"),
        ("ID=arch\n", ""),
    ],
)
def test_the_family_of_a_system(tmp_path: Path, text: str, family: str) -> None:
    (tmp_path / "os-release").write_text(f'NAME="x"\n{text}')
    assert launch.system_family(str(tmp_path / "os-release")) == family
    assert launch.system_family(str(tmp_path / "none")) == ""


def test_every_library_that_the_design_names_has_its_package() -> None:
    packages = {debian for debian, _ in launch.PACKAGES.values()}
    named = (
        "libglib2.0-0 libgl1 libegl1 libfontconfig1 libxkbcommon0 libdbus-1-3 libxcb-cursor0"
        " libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxkbcommon-x11-0"
    )
    assert packages >= set(named.split())


def test_the_libraries_of_a_plugin_are_tried_before_qt_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Qt reports a plugin that cannot be loaded only by aborting the process."""
    load = launch.ctypes.CDLL

    def without_cursor(name: str) -> object:
        if "libqxcb" in name or "libxcb-cursor" in name:
            raise OSError(missing("libxcb-cursor.so.0"))
        return load(name)

    monkeypatch.setattr(launch.ctypes, "CDLL", without_cursor)
    monkeypatch.delenv("QT_QPA_PLATFORM_PLUGIN_PATH", raising=False)
    assert "libxcb-cursor" in (launch.check_libraries(["xcb"]) or "")
    assert launch.check_libraries(["offscreen"]) is None
    assert launch.check_libraries(["offscreen", "xcb"]) is None


# -- screens that answer, refuse, or stay silent ---------------------------------------------------

SCREEN = struct.pack("<5I6HI4B", 1, 2, 0xFFFFFF, 0, 0, 640, 480, 160, 120, 1, 1, 3, 0, 0, 24, 0)
SETUP = (
    struct.pack("<4I2H8BI", 1, 2**21, 2**21 - 1, 0, 0, 65535, 1, 0, 0, 0, 32, 32, 8, 255, 0)
    + SCREEN
)
WELCOME = struct.pack("<BBHHH", 1, 0, 11, 0, len(SETUP) // 4) + SETUP
REFUSAL = struct.pack("<BBHHH", 0, 4, 11, 0, 1) + b"no  "


@contextmanager
def x_server(answer: bytes) -> Iterator[str]:
    """The name of a display on which a server gives `answer` to the first message of each guest."""
    with socket.socket() as server:
        for number in range(321, 900):
            with suppress(OSError):
                server.bind(("127.0.0.1", 6000 + number))
                break
        server.listen()

        def serve() -> None:
            guests = []
            while True:
                try:
                    guest, _ = server.accept()
                except OSError:
                    return
                guests.append(guest)
                guest.recv(4096)
                guest.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield f"127.0.0.1:{number}"
        finally:
            server.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    ("answer", "reached"),
    [(WELCOME, True), (REFUSAL, False), (b"", False), (b"HTTP/1.1 400", False)],
)
def test_screens_are_believed_by_their_answer(
    monkeypatch: pytest.MonkeyPatch, answer: bytes, reached: bool
) -> None:
    monkeypatch.setattr(launch, "PATIENCE", 0.5)
    for name in SCREENS:
        monkeypatch.delenv(name, raising=False)
    with x_server(answer) as name:
        monkeypatch.setenv("DISPLAY", name)
        assert (launch.check_display() is None) == reached


def test_platforms_without_a_screen_need_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SCREENS:
        monkeypatch.delenv(name, raising=False)
    for platform in ("offscreen", "minimal", "vnc:size=800x600"):
        monkeypatch.setenv("QT_QPA_PLATFORM", platform)
        assert launch.check_display() is None
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb;offscreen")
    assert launch.check_display() is None
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    assert "DISPLAY is not set" in (launch.check_display() or "")
