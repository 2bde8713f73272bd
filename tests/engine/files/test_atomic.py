"""A file is written whole or not at all; nothing lies about afterwards, and no reader sees what is
not theirs.
"""

import os
import resource
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.base.errors import EngineError
from engine.files.atomic import write_atomic
from engine.files.session_lock import SessionLock


def modes_while_writing(target: Path) -> list[int]:
    """Permissions of the temporary file before its first and after its last byte."""
    seen = []

    def pieces() -> Iterator[bytes]:
        for _ in range(2):
            (temporary,) = target.parent.glob(".learnscope-*.tmp")
            seen.append(stat.S_IMODE(temporary.stat().st_mode))
            yield b"x" * 100_000

    write_atomic(target, pieces())
    return seen


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o400])
def test_a_temporary_file_is_never_more_open_than_the_file_it_replaces(
    tmp_path: Path, mode: int
) -> None:
    target = tmp_path / "own.learnscope"
    target.write_bytes(b"old")
    target.chmod(mode)
    assert all(seen & ~mode == 0 for seen in modes_while_writing(target))
    assert stat.S_IMODE(target.stat().st_mode) == mode


def test_a_new_file_has_the_permissions_of_any_other(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"")
    write_atomic(tmp_path / "new", [b"x"])
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_what_a_kill_left_goes_with_the_next_save_and_nothing_else(tmp_path: Path) -> None:
    long_ago = time.time() - 100_000
    names = (
        ".learnscope-0123456789abcdef.tmp",
        ".learnscope-notes.tmp",
        "mine.tmp",
        ".learnscope-0123456789abcdef.tmp.bak",
    )
    for name in names:
        (tmp_path / name).write_bytes(b"half")
        os.utime(tmp_path / name, (long_ago, long_ago))
    (tmp_path / ".learnscope-fedcba9876543210.tmp").write_bytes(b"being written")
    write_atomic(tmp_path / "saved", [b"x"])
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*names[1:], ".learnscope-fedcba9876543210.tmp", "saved"}


@contextmanager
def full_disk() -> Iterator[None]:
    """No byte can be written to any file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_lock_is_freed_on_a_full_disk(tmp_path: Path) -> None:
    lock = SessionLock(tmp_path / "one.lock")
    with full_disk():
        assert lock.take()
        lock.free()
    assert not lock.path.exists()
    assert lock.take()
    lock.free()


def test_a_full_disk_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    target = tmp_path / "own.learnscope"
    target.write_bytes(b"old")
    with full_disk(), pytest.raises(EngineError, match="could not be saved"):
        write_atomic(target, [b"new"])
    assert [path.name for path in tmp_path.iterdir()] == ["own.learnscope"]
    assert target.read_bytes() == b"old"
