"""A script: where the perceptron errs, how its line ends, and what it says of a new place.

In a clone: uv run python -m examples.steps_of_a_run
"""

import engine

points = engine.generate("blobs", 40, seed=4)
trace = engine.run("perceptron", points, threshold="learned", rate=0.1, start=(-1.0, 0.5, 0.0))

mistakes = trace.when("mistake")
print(f"{len(mistakes)} mistakes in {len(trace)} steps")
for index in mistakes[:3]:
    print(f"step {index}: {trace[index].note.text()}")

w = trace[-1].state.w  # (3,) the weights of both columns, then the threshold
print("w =", w.round(3).tolist())
print("at (0, 3):", trace.predict([[0.0, 3.0]])[0])
