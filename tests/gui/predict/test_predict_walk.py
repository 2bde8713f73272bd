"""Hundreds of actions of somebody who tries everything while the next step is predicted: what comes stays covered."""

from typing import Any

import pytest
from laboratory import Key, Lab
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QMessageBox
from test_random_walk import Walker

from engine.questions import Every, Kind

pytestmark = pytest.mark.slow

ACTIONS, SEED = 250, 7
METHODS = ("decision_tree", "kmeans", "nearest_neighbours", "adaboost", "kd_search", "svm", "perceptron")


class Predictor(Walker):
    """Answers between other actions, mostly by a key."""

    def step(self) -> None:
        predicting = self.lab.session.predicting
        if not predicting.on:
            predicting.begin()
            self.trail.append("begins")
        if self.chance.random() < 0.08:
            every, only = self.chance.choice(list(Every)), self.chance.choice([None, None, *Kind])
            predicting.want(every, only)
            self.trail.append(f"wants {every} {only}")
        elif self.chance.random() < 0.04:
            self.lab.session.choose(key := self.chance.choice(METHODS))
            self.trail.append(f"chooses {key}")
        elif self.chance.random() < 0.4:
            self.trail.append(f"answers {self.answer()}")
            QApplication.processEvents()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        else:
            super().step()

    def answer(self) -> str:
        predicting, question = self.lab.session.predicting, self.lab.session.predicting.question
        if predicting.open and question is not None and question.blanks:
            right = self.chance.random() < 0.5
            predicting.answer([blank.shown if right else "1e5" for blank in question.blanks])
            return "numbers"
        key = self.chance.choice(
            [Key.Key_A, Key.Key_B, Key.Key_C, Key.Key_Return, Key.Key_Right, Key.Key_End, Key.Key_Left]
        )
        self.lab.key(key)
        return str(key)


def test_a_random_walk_of_predictions(lab: Lab, faults: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QDialog, "exec", lambda dialogue: 0)
    monkeypatch.setattr(QMenu, "exec", lambda menu, *_: None)
    monkeypatch.setattr(QMessageBox, "about", lambda *_: None)
    walker, session = Predictor(lab, SEED), lab.session
    seen: set[Any] = set()
    for _ in range(ACTIONS):
        walker.step()
        predicting, lead = session.predicting, session.lead
        trail = "\n".join([*walker.trail[-12:], *faults])
        assert not faults, trail
        if predicting.on:
            seen.add(predicting.question.kind if predicting.question is not None else None)
            assert lead.cursor <= predicting.fence, trail
            assert all(view.veiled for view in session.lane_views), trail
            assert predicting.question is None or predicting.verdict is not None or predicting.fence < predicting.at, (
                trail
            )
            curves = lab.window.timeline._curves
            assert all(series.x.max(initial=0) <= max(lead.cursor, 0) + 1e-9 for series in curves.series), trail
    assert len(seen) > 2
    session.predicting.leave()
    assert not any(view.veiled or view.regions_veiled for view in session.lane_views)
    assert session.predicting.tally.asked == sum(asked for _, asked in session.predicting.tally.kinds.values())
