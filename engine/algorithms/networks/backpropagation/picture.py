"""The network with its amber way, lines of the first units, hidden space, the curve learnt."""

from engine.algorithms.networks.backpropagation import Setting, State
from engine.algorithms.networks.parts.figures import hidden_names
from engine.algorithms.networks.parts.network_setting import EMPTY
from engine.algorithms.networks.parts.pictures import (
    FIELDS,
    hidden_space,
    network_plane,
    output_names,
    unit_lines,
    value_layers,
)
from engine.authoring import Step, np, replace, short
from engine.base.notation import fixed
from engine.scene.regression import current_layer, points_layer
from engine.scene.scene import Figure, Network, Points, Scene, data_table, looked_at

__all__ = ["FIELDS", "scene"]


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    said = given.predict(s, problem.X)
    figures: list[Figure] = [network_figure(given, step.line, s)]
    figures += hidden_space(given, s, None if problem.regress else said)
    figures.append(data_table(problem, current=looked_at(s)))
    if not (problem.regress and problem.plane):
        whole = network_plane(given, s, said, figures)
        return worst_named(given, s, whole) if step.line == "until" else whole
    first = unit_lines(problem, s.weights, s.before) if len(s.weights) > 1 else []
    curve = value_layers(given, s, said)
    points = [points_layer(problem), *current_layer(problem, s.current)]
    return Scene((*first, *curve, *points), tuple(figures), leads=("Network", "Plane"))


def worst_named(given: Setting, s: State, whole: Scene) -> Scene:
    """The scene of an epoch's end: the worst example says what the one output answers, and what it
    should.
    """
    if not whole.layers or len(s.activations[-1]) != 1:
        return whole
    answer, wanted = float(s.activations[-1][0]), float(given.wanted(s.current)[0])
    name = f"worst, {given.problem.names[s.current]}: {fixed(answer)}, not {short(wanted)}"
    *layers, worst = whole.layers
    assert isinstance(worst, Points)
    return replace(whole, layers=(*layers, replace(worst, label=(name,))))


def links_at_work(line: str, s: State) -> tuple[tuple[int, int, int], ...]:
    """The links in amber: those into the layer that answers, those over which Δ returns, all when
    they change.
    """
    gaps = len(s.weights)
    if line == "forward":
        return ((sum(len(a) > 0 for a in s.activations) - 2, -1, -1),)
    if line == "hidden":
        return ((sum(len(d) == 0 for d in s.deltas) + 1, -1, -1),)
    return tuple((gap, -1, -1) for gap in range(gaps)) if line == "update" else ()


def units_at_work(line: str, s: State) -> tuple[tuple[int, int], ...]:
    """The units in amber, which get a number at this line, as (layer, unit)."""
    if line == "input":
        return tuple((0, k) for k in range(len(s.weights[0]) - 1))
    if line in ("output", "hidden"):
        gap = sum(len(d) == 0 for d in s.deltas)
        return tuple((gap + 1, k) for k in range(s.weights[gap].shape[1]))
    return ()


def network_figure(given: Setting, line: str, s: State) -> Network:
    """The network with the activations and Δ known so far, NaN for the others."""
    sizes = [len(s.weights[0]) - 1, *(w.shape[1] for w in s.weights)]
    answers = s.activations or tuple(EMPTY for _ in sizes)
    shown = tuple(a if len(a) else np.full(n, np.nan) for a, n in zip(answers, sizes, strict=True))
    title = "Network"
    if line == "epoch":
        title += f": epoch {s.epoch} begins"
    elif line == "until":
        title += f": after epoch {s.epoch}, loss {fixed(s.loss, 4)}"
    return Network(
        title,
        shown,
        s.weights,
        (EMPTY, *s.deltas) if s.deltas else (),
        links_at_work(line, s),
        given.problem.titles,
        output_names(given.problem, given.units),
        current=units_at_work(line, s),
        hidden=hidden_names(s.weights),
    )
