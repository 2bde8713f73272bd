"""Autosave: what a crash leaves is found, what a living window holds is not, and a clean exit
leaves nothing.
"""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from documents import small_document

from engine.base.errors import EngineError
from engine.base.records import replace
from engine.files.autosave import KEPT, Autosave
from engine.files.project import load_project, save_project

ROOT = Path(__file__).parents[3]
SESSION = """
import sys, time
from engine.files.autosave import KEPT, Autosave
from engine.files.project import load_project
session = Autosave(sys.argv[1])
session.store(load_project(sys.argv[2]), 5)
print("stored", flush=True)
time.sleep(60)
"""


@pytest.fixture
def other_window(tmp_path: Path) -> subprocess.Popen[str]:
    """A second process that has stored the small document and goes on living."""
    save_project(small_document(), tmp_path / "start.learnscope")
    arguments = [
        sys.executable,
        "-c",
        SESSION,
        str(tmp_path / "safe"),
        str(tmp_path / "start.learnscope"),
    ]
    process = subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "stored\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_killed_session_is_found_and_a_living_one_is_not(
    tmp_path: Path, other_window: subprocess.Popen[str]
) -> None:
    mine = Autosave(tmp_path / "safe")
    assert mine.pending() is None
    other_window.send_signal(signal.SIGKILL)
    other_window.wait()
    found = mine.pending()
    assert found is not None
    assert found.document == small_document()
    assert found.project.cursor == 5
    assert abs(found.saved - found.path.stat().st_mtime) < 1
    found.release()


def crashed(folder: Path, **changes: str) -> Path:
    """A session file as a crash leaves it: nothing holds its lock any more."""
    session = Autosave(folder)
    session.store(replace(small_document(), **changes))
    session.keep()
    return session.path


def test_two_windows_do_not_steal_each_others(tmp_path: Path) -> None:
    crashed(tmp_path)
    one, two = Autosave(tmp_path), Autosave(tmp_path)
    found = one.pending()
    assert found is not None
    assert two.pending() is None
    found.release()
    again = two.pending()
    assert again is not None
    assert one.pending() is None
    again.discard()
    assert one.pending() is None
    assert os.listdir(tmp_path) == []


def test_adopting_keeps_the_document_on_the_disk(tmp_path: Path) -> None:
    old = crashed(tmp_path)
    mine = Autosave(tmp_path)
    found = mine.pending()
    assert found is not None
    assert mine.adopt(found) == small_document()
    assert not old.exists()
    assert load_project(mine.path) == small_document()
    assert Autosave(tmp_path).pending() is None
    mine.clear()
    assert os.listdir(tmp_path) == []


def test_the_newest_comes_first_and_the_others_stay(tmp_path: Path) -> None:
    for age, notes in enumerate(("new", "old", "oldest")):
        path = crashed(tmp_path, notes=notes)
        os.utime(path, (1e9 - age, 1e9 - age))
    mine = Autosave(tmp_path)
    seen = []
    while (found := mine.pending()) is not None:
        seen.append(found.document.notes)
        found.discard()
    assert seen == ["new", "old", "oldest"]


def test_an_unreadable_copy_is_passed_over_and_kept(tmp_path: Path) -> None:
    damaged = crashed(tmp_path)
    damaged.write_bytes(b"{")
    crashed(tmp_path, notes="good")
    os.utime(damaged, (4e9, 4e9))
    found = Autosave(tmp_path).pending()
    assert found is not None
    assert found.document.notes == "good"
    assert damaged.exists()


def test_a_clean_exit_leaves_nothing(tmp_path: Path) -> None:
    session = Autosave(tmp_path / "deep" / "folder")
    assert session.pending() is None
    session.clear()
    document = small_document()
    assert session.store(document)
    assert not session.store(document)
    assert session.store(document, cursor=3)
    assert session.store(replace(small_document(), notes="other"))
    session.clear()
    session.clear()
    assert os.listdir(tmp_path / "deep" / "folder") == []
    assert session.store(small_document())


def test_a_folder_that_refuses(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    session = Autosave(tmp_path / "file")
    with pytest.raises(EngineError, match=r"No safety copy can be kept in .*file: "):
        session.store(small_document())
    assert session.pending() is None
    session.clear()
    assert (tmp_path / "file").read_text() == "in the way"


def test_storing_from_many_threads(tmp_path: Path) -> None:
    session = Autosave(tmp_path)
    documents = [replace(small_document(), notes=str(i)) for i in range(12)]
    threads = [threading.Thread(target=session.store, args=(document,)) for document in documents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert load_project(session.path) in documents
    session.clear()
    assert os.listdir(tmp_path) == []


def test_where_the_disk_knows_no_locks_the_process_number_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other_window: subprocess.Popen[str]
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("fcntl.flock", no_locks)
    mine = Autosave(tmp_path / "safe")
    assert mine.pending() is None
    other_window.kill()
    other_window.wait()
    found = mine.pending()
    assert found is not None
    for lock in (tmp_path / "safe").glob("*.lock"):
        lock.write_text('{"process": 1, "computer": "elsewhere"}')
    assert Autosave(tmp_path / "safe").pending() is None


# -- the shelf -------------------------------------------------------------------------------------


def test_a_session_that_ends_with_unsaved_work_leaves_it(tmp_path: Path) -> None:
    mine = Autosave(tmp_path)
    mine.store(small_document(), 4)
    mine.keep()
    found = Autosave(tmp_path).pending()
    assert found is not None
    assert (found.document, found.project.cursor) == (small_document(), 4)
    found.release()


def test_what_is_shelved_is_offered_no_more_and_still_there(tmp_path: Path) -> None:
    crashed(tmp_path, notes="kept")
    mine = Autosave(tmp_path)
    found = mine.pending()
    assert found is not None
    found.shelve()
    assert mine.pending() is None
    (kept,) = mine.shelf()
    assert kept.name == small_document().data.name
    assert mine.take(kept).document.notes == "kept"
    assert mine.shelf() == []
    assert load_project(mine.path).notes == "kept", "in this session's own copy now"


@pytest.mark.parametrize("name", ["", "a/b\\c", "…", "my points", "x" * 500, "-", "kept-", "%2F"])
def test_any_name_can_lie_on_the_shelf(tmp_path: Path, name: str) -> None:
    document = small_document()
    document = replace(document, data=replace(document.data, name=name))
    mine = Autosave(tmp_path)
    mine.shelve(document, 2)
    (kept,) = mine.shelf()
    assert name.startswith(kept.name)
    assert len(kept.name) >= min(len(name), 60)
    assert mine.take(kept).document == document


def test_the_shelf_holds_the_newest_and_can_be_cleared(tmp_path: Path) -> None:
    mine = Autosave(tmp_path)
    for number in range(KEPT + 3):
        mine.shelve(replace(small_document(), notes=str(number)))
        newest = max(tmp_path.glob("kept-*.learnscope"), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (1e9 + number, 1e9 + number))
    notes = [load_project(kept.path).notes for kept in mine.shelf()]
    assert len(notes) == KEPT
    assert notes == sorted(notes, key=int, reverse=True)
    mine.clear_shelf()
    assert mine.shelf() == []


def test_a_stored_document_is_copied_to_the_shelf(tmp_path: Path) -> None:
    mine = Autosave(tmp_path)
    document = small_document()
    mine.store(document, 9)
    mine.shelve(document, 9)
    (kept,) = mine.shelf()
    assert load_project(kept.path) == document
    mine.clear()
    assert len(mine.shelf()) == 1


def test_a_shelf_that_refuses_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    mine = Autosave(tmp_path / "file")
    with pytest.raises(EngineError, match="No safety copy can be kept"):
        mine.shelve(small_document())
    assert mine.shelf() == []
