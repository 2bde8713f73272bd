"""The network with its removed links dotted, how much the least useful are worth, the plane,
hidden space.
"""

from engine.algorithms.networks.optimal_brain_damage import Setting, State
from engine.algorithms.networks.optimal_brain_damage.links import Link
from engine.algorithms.networks.parts import Arrays
from engine.algorithms.networks.parts.figures import hidden_names, link_name, link_tag, symbols
from engine.algorithms.networks.parts.pictures import (
    FIELDS,
    hidden_space,
    network_plane,
    output_names,
)
from engine.authoring import Step, np, number, replace
from engine.base.notation import counted, fixed
from engine.scene.scene import Bars, Figure, Network, Role, Scene, data_table

__all__ = ["FIELDS", "scene"]
MOST_BARS = 16


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    said = given.predict(s, problem.X)
    figures: list[Figure] = [
        network_figure(given, step),
        *saliency_bars(given, step.line, s),
    ]
    figures += [*hidden_space(given, s, said), data_table(problem)]
    made = network_plane(given, s, said, figures)
    if problem.plane:
        return made
    return replace(made, leads=("Network", "Saliency") if s.saliency else ("Network",))


def network_figure(given: Setting, step: Step[State]) -> Network:
    """The network with mean activations in its units; amber are all links while they learn, else
    the one weighed, removed or restored, with the units that go with it. Inputs have the symbols by
    which links are named.
    """
    s, line = step.state, step.line
    active = list[tuple[int, int, int]]()
    if line == "train":
        active = [(gap, -1, -1) for gap in range(len(s.weights))]
    elif s.link:
        gap, i, j = s.link
        active = [(gap, i, j)]
    mean = tuple(a.mean(0) for a in given.forward(s.weights, given.X))
    named = zip(symbols(s.weights)[0], given.problem.titles, strict=False)
    names = tuple(x if x == title else f"{x}: {title}" for x, title in named)
    outputs = output_names(given.problem, given.units)
    units = s.units if line == "drop" else ()
    return Network(
        title(given, step),
        mean,
        s.weights,
        (),
        tuple(active),
        names,
        outputs,
        s.removed,
        current=units or None,  # not the unit to which the link leads
        hidden=hidden_names(s.weights),
    )


def title(given: Setting, step: Step[State]) -> str:
    """The name of the figure, and what becomes of the link, or links, that a step is about."""
    s, line = step.state, step.line
    name = link_name(s.weights, s.link) if s.link else ""
    if line == "train":
        return f"Network: {counted(s.links, 'link')} learn, {s.epoch} epochs so far"
    if line == "weigh":
        least = fixed(float(s.saliency[s.link[0]][s.link[1:]]), 4)
        return f"Network: {name} matters least, s = {least}"
    if line == "judge":
        return f"Network: {verdict(given, name, **step.details)}"
    said = {"drop": f"{name} goes", "back": f"{name} comes back"}
    return f"Network: {said[line]}" if line in said else "Network"


def verdict(given: Setting, name: str, was: float, now: float) -> str:
    """Whether the network has got worse without the link of this name, and by which numbers."""
    what = "loss" if given.p.stop == "large loss" else "wrong"
    if was == np.inf:
        return f"learnt, {what} {number(now, 2)}"
    if given.p.stop == "never":
        return f"{name} stays away"
    worse = "worse" if now > was else "no worse"
    return f"without {name} {worse}, {what} {number(was, 2)} → {number(now, 2)}"


def by_saliency(saliency: Arrays) -> list[Link]:
    """The links that can be removed, by ascending saliency."""
    links = [
        (gap, int(i), int(j))
        for gap, a in enumerate(saliency)
        for i, j in np.argwhere(~np.isnan(a))
    ]
    return sorted(links, key=lambda link: float(saliency[link[0]][link[1:]]))


def saliency_bars(given: Setting, line: str, s: State) -> list[Bars]:
    """Bars of the least saliencies; pale while the links learn, as then they are of the weights
    before; [] before they are known.
    """
    if not s.saliency:
        return []
    links = by_saliency(s.saliency)[:MOST_BARS]
    values = np.array([s.saliency[gap][i, j] for gap, i, j in links])
    past = line == "train"
    plain = Role.INACTIVE if past else Role.PLAIN
    roles = tuple(plain if past or link != s.link else Role.ACTIVE for link in links)
    names = tuple(link_name(s.weights, link) for link in links)
    tags = tuple(map(link_tag, links))
    unit = given.p.saliency
    if len(links) == MOST_BARS:
        unit = f"{unit}, the {MOST_BARS} least"
    title = "Saliency: before they learn on" if past else "Saliency"
    return [Bars(title, names, values, roles, unit=unit, digits=6, tag="saliency", tags=tags)]
