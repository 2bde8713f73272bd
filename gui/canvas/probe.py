"""The probe on the plane: the placed one with its explanation, and which row of the data the explanation is about."""

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.core.scene import Layer, Points, Role

if TYPE_CHECKING:
    from gui.session import Session


def probed_row(session: "Session") -> tuple[Any, str]:
    """(row (d,), what it is called): the hovered place with the probe tool, the placed probe, or the current example."""
    problem, step = session.problem, session.step
    if problem is None or step is None:
        return None, ""
    if session.tool == "probe" and session.hover is not None and problem.plane:
        return problem.from_plane(np.array([session.hover]))[0], "This place"
    if problem.query is not None and problem.plane:
        return problem.query, "The probe"
    current = getattr(step.state, "current", -1)
    if isinstance(current, (int, np.integer)) and 0 <= current < problem.n:
        return problem.X[int(current)], problem.names[int(current)]
    return None, ""


def probe_layers(session: "Session") -> tuple[Layer, ...]:
    """The placed probe, with what its explanation draws while the probe tool is chosen."""
    problem = session.problem
    if problem is None or not problem.plane:
        return ()
    layers: list[Layer] = []
    row, name = probed_row(session)
    if session.tool == "probe" and row is not None and name != "The probe":
        explained = session.explanation(row)
        layers += explained.layers if explained is not None else ()
    asked = any(isinstance(layer, Points) and layer.role is Role.QUERY for layer in session.scene.layers)
    if problem.query is not None and not asked:
        place = problem.to_plane(problem.query[None])
        layers.append(Points(place, np.array([-1]), Role.PROBE, tag="probe"))
    return tuple(layers)
