"""Who may look for garbage: the window's thread alone while another one works."""

import gc
import threading

import pytest
from PySide6.QtCore import QObject

from gui.dialogs.job import Job
from gui.session.garbage import Collector, hold, release


@pytest.fixture(autouse=True)
def automatic():
    """As before a window stands."""
    assert gc.isenabled()
    yield
    assert gc.isenabled()


def test_the_automatic_collector_is_back_after_the_last_thread_only():
    hold()
    hold()
    assert not gc.isenabled()
    release()
    assert not gc.isenabled()
    release()
    assert gc.isenabled()


def test_a_window_that_closes_leaves_it_off_for_a_thread_that_still_reads(qapp):
    window = QObject()
    collector = Collector(window)
    hold()
    collector.close()
    collector.close()  # twice does no harm
    assert not gc.isenabled()
    release()


def test_a_reading_thread_never_collects_and_never_switches_it_on(qtbot):
    job = Job()
    go_on = threading.Event()
    seen = []

    def work(tick):
        seen.append(gc.isenabled())
        assert go_on.wait(10)
        return 7

    with qtbot.waitSignal(job.done) as done:
        job.start(work)
        assert not gc.isenabled()
        go_on.set()
        for thread in threading.enumerate():
            if thread.name == "learnscope-reading":
                thread.join(10)
        assert not gc.isenabled()  # it has ended, and the window's thread does not know yet
    assert done.args == [7]
    assert seen == [False]


def test_a_job_that_fails_or_is_given_up_lets_go_too(qtbot):
    job = Job()

    def fail(tick):
        raise RuntimeError

    with qtbot.waitSignal(job.done):
        job.start(fail)
    assert gc.isenabled()
    go_on = threading.Event()
    with qtbot.waitSignal(job.done) as done:
        job.start(lambda tick: go_on.wait(10))
        job.start(lambda tick: "the second")
        go_on.set()
    assert done.args == ["the second"]
