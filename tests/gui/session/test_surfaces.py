"""Rasters of surfaces: how fine those are that are made at once."""

import numpy as np
import pytest

import engine
from engine.protocol.params import build
from engine.protocol.registry import algorithm
from engine.runs.run import Run
from gui.session.surfaces import Surfaces

X = (-2.0, 3.0)
Y = (-1.5, 2.0)


@pytest.mark.parametrize("dear", ["class", "score"])
def test_a_score_is_no_finer_than_the_classes_that_it_parts(dear: str) -> None:
    """The score of neighbours is known with their classes, so that it takes no time of its own."""
    chosen = algorithm("nearest_neighbours")
    run = Run(
        chosen, engine.prepare(engine.generate("moons", 40, 0.3)), build(chosen.params, {"k": 5})
    )
    run.advance(seconds=10.0)
    surfaces = Surfaces(worker=None)  # type: ignore[arg-type]
    surfaces.seconds = {
        (chosen.key, name): 1.0 if name == dear else 1e-9 for name in ("class", "score")
    }
    of_classes, score = (
        surfaces.raster(1, run.trace, len(run.trace) - 1, name, X, Y, still=False)
        for name in ("class", "score")
    )
    assert isinstance(of_classes, np.ndarray)
    assert isinstance(score, np.ndarray)
    assert len(score) <= len(of_classes)
    assert len(score) == 48


@pytest.mark.parametrize("fault", [ValueError("no"), SystemExit(2), KeyboardInterrupt()])
def test_what_went_wrong_is_no_surface(fault: BaseException) -> None:
    """A page of one's own may call sys.exit(): the worker hands on whatever was raised."""
    surfaces = Surfaces(worker=None)  # type: ignore[arg-type]
    assert not surfaces.take(((1, 0, "class"), 48), fault)
    assert surfaces.rasters == {}
