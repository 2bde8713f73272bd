"""Four hundred actions over lanes and predict mode, in two parts for two cores.

No fault, and all that must hold does.
"""

import threading
from pathlib import Path

import pytest
from laboratory import WORKER
from lanes_walk import LanesWalk, end, looks, small
from PySide6.QtWidgets import QDialog, QMenu, QMessageBox

from gui.session import clock

pytestmark = [pytest.mark.slow, pytest.mark.sweep]

ACTIONS = 120
SEEDS = (1, 2)
AHEAD = 200  # steps that are recorded beyond the shown one; ten thousand else


@pytest.mark.parametrize("seed", SEEDS)
def test_a_walk_over_lanes_and_predictions(
    seed: int, open_lab, faults: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(QDialog, "exec", lambda dialogue: 0)
    monkeypatch.setattr(QMenu, "exec", lambda menu, *_: None)
    monkeypatch.setattr(QMessageBox, "about", lambda *_: None)
    monkeypatch.setattr(clock, "AHEAD", AHEAD)
    first = small()
    walk = LanesWalk(open_lab(first, size=(900, 600)), seed, tmp_path)
    kept = looks(first)
    for _ in range(ACTIONS):
        try:
            walk.step()
        except Exception as fault:
            fault.add_note("\n".join(walk.trail[-12:]))
            raise
        assert not faults, "\n".join([*walk.trail[-12:], *faults])
    assert len([thread for thread in threading.enumerate() if thread.name == WORKER]) == 1
    end(walk)
    assert looks(walk.lab.session.document) == kept or walk.done["file_away"]
