"""A line that comes again and again looks different from the one before it: else a step seems to do
nothing.
"""

import engine
from engine.scene.scene import Scene


def look(scene: Scene) -> list[tuple[object, ...]]:
    """The kinds and numbers of marks on the plane, its heading, and the titles of the figures."""
    marks = [(type(one).__name__, one.role, one.tag, one.size) for one in scene.layers]
    return [*marks, (scene.plane,), *((figure.title,) for figure in scene.figures)]


def test_the_lines_of_one_round_are_different_pictures() -> None:
    moons = engine.generate("moons", 24, 0.2, seed=1)
    for key, data, lines in (
        ("hinge_descent", moons, {"bad", "slope", "update"}),
        ("bagging", moons, {"draw", "learn", "out", "vote"}),
        ("polynomial_fit", engine.generate("sine", 12), {"fit", "test"}),
    ):
        trace = engine.run(key, data)
        steps = [step for step in trace if step.line in lines][: 4 * len(lines)]
        looks = [look(trace.algorithm.scene(trace.given, step)) for step in steps]
        alike = [
            (before.line, step.line)
            for before, step, one, other in zip(steps, steps[1:], looks, looks[1:], strict=False)
            if one == other
        ]
        assert not alike, key
