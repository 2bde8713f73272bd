"""The marks of events are copied from a strip: nothing is read from beyond it, however large they
are.
"""

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from gui.timeline import marks
from gui.timeline.marks import SHAPES, Marks


@pytest.mark.parametrize("size", [1.0, 1.125, 1.3, 1.4142, 1.7])
def test_every_copy_lies_within_the_strip(
    qapp, monkeypatch: pytest.MonkeyPatch, size: float
) -> None:
    """In the lecture hall a row of stray colours lay under each mark."""
    seen = []
    monkeypatch.setattr(
        marks,
        "draw_copies",
        lambda painter, xy, sources, strip: seen.append((sources, strip)),
    )
    many = len(SHAPES)
    image = QImage(400, 40, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    Marks(np.arange(2 * many), np.arange(2.0 * many), np.arange(2 * many) % many).paint(
        painter, 20.0, many - 1, size
    )
    painter.end()
    ((sources, strip),) = seen
    assert (sources == np.round(sources)).all()
    assert (sources[:, 0] + sources[:, 2]).max() == strip.width()
    assert (sources[:, 1] + sources[:, 3]).max() == strip.height()
