"""How all examples together come to the next line: the slope and that line. MMDS 12.3.4, 12.3.6."""

from typing import TYPE_CHECKING

from engine.authoring import At, Float, Part, frozen, np, replace

if TYPE_CHECKING:
    from engine.algorithms.linear.hinge_descent import State
    from engine.algorithms.linear.hinge_descent.loss import Setting

    Led = Part[State, tuple[State, Float]]


def whole(given: "Setting", at: At, s: "State") -> "Led":
    s = replace(s, slope=frozen(given.f.slope(s.weights, s.bad)))
    yield from at.step("slope", s)
    return s, given.downhill(s)


def summed(given: "Setting", at: At, s: "State") -> "Led":
    """Each part of the table sums its bad examples; one step with the sum of the sums: the batch step."""
    total = given.f.shrunk(s.weights)
    for part, rows in enumerate(np.array_split(given.rows, given.p.parts), 1):
        total = total + given.f.push(s.bad[rows], rows)
        s = replace(s, slope=frozen(total))
        yield from at.step("slope", s, part=part, rows=rows)
    return s, given.downhill(s)


def averaged(given: "Setting", at: At, s: "State") -> "Led":
    """Each part of the table goes its own steps, as if it were all; then the mean of where they come to."""
    eta = given.rate(s)
    for part, rows in enumerate(np.array_split(given.rows, given.p.parts), 1):
        draft = frozen(given.f.local(s.weights, rows, given.p.parts, given.p.local, eta))
        s = replace(s, drafts=(*s.drafts, draft))
        if np.isfinite(draft).all():
            yield from at.step("slope", s, part=part, rows=rows)
    mean = np.mean(s.drafts, axis=0)
    return replace(s, slope=frozen((s.weights - mean) / eta)), mean


MODES = {"batch": whole, "sum-of-parts": summed, "average-of-changes": averaged}
