"""What pictures and words of networks share: names of units and links, a unit's line, a weighted
sum written out.
"""

from engine.authoring import Float, Operand, Problem, Sequence, np
from engine.base.notation import subscript
from engine.numerics.linear import plane_line
from engine.scene.scene import Layer, Line, Role

MOST_LINES = 12  # more would hide the points
MOST_TERMS = 4  # that a note spells out; the figure shows all


def symbols(weights: Sequence[Float]) -> tuple[tuple[str, ...], ...]:
    """A symbol for every unit, layer by layer, the bias last: x₁ x₂ 1 | h₁ h₂ 1 | o."""
    sizes = [len(weights[0]) - 1, *(w.shape[1] for w in weights)]
    named = [
        [f"{_letter(layer, len(sizes))}{subscript(k + 1)}" for k in range(n)]
        for layer, n in enumerate(sizes)
    ]
    if sizes[-1] == 1:
        named[-1] = ["o"]
    return tuple((*names, "1") for names in named)


def hidden_names(weights: Sequence[Float]) -> tuple[tuple[str, ...], ...]:
    """The symbols of the hidden units, layer by layer."""
    return tuple(names[:-1] for names in symbols(weights)[1:-1])


def _letter(layer: int, layers: int) -> str:
    """x of the inputs, o of the outputs, h between, with its layer where there are several."""
    if layer == 0:
        return "x"
    if layer == layers - 1:
        return "o"
    return "h" if layers == 3 else f"h{subscript(layer)}."


def unit_tags(layer: int, count: int) -> tuple[str, ...]:
    """The tags of the first units of a layer."""
    return tuple(unit_tag(layer, unit) for unit in range(count))


def unit_tag(layer: int, unit: int) -> str:
    """The tag of a unit in the figure and of its line on the plane."""
    return f"unit {layer} {unit}"


def link_tag(link: Sequence[int]) -> str:
    """The tag of link (gap, from, to) in the figure."""
    return "link " + " ".join(map(str, link))


def unit_line(
    problem: Problem, w: Float, before: Float, name: str, tag: str, role: Role
) -> list[Layer]:
    """The line in = 0 of one unit, and pale its previous one. w, before: (d + 1,) with the bias
    last
    """
    line = Line(*plane_line(problem, w[:-1], float(w[-1])), role, name, tag)
    if np.array_equal(w, before):
        return [line]
    previous = Line(*plane_line(problem, before[:-1], float(before[-1])), Role.GHOST, tag=tag)
    return [previous, line]


def weighted_sum(
    w: Float, a: Float, names: Sequence[str], place: tuple[int, int], suffix: str
) -> tuple[str, dict[str, Operand]]:
    """(template, operands) of Σ w a plus the bias into unit (gap, j). suffix: ends the operands'
    names
    """
    gap, j = place
    if len(a) > MOST_TERMS:
        total = Operand(float(a @ w[:-1] + w[-1]), "Σ w·a", unit_tag(gap + 1, j), 3)
        return f"{{in{suffix}}}", {f"in{suffix}": total}
    used = {}
    for i, name in enumerate(names[:-1]):
        used[f"w{i}{suffix}"] = Operand(float(w[i]), f"w({name})", link_tag((gap, i, j)), 3)
        used[f"x{i}{suffix}"] = Operand(float(a[i]), name, unit_tag(gap, i))
    used[f"b{suffix}"] = Operand(float(w[-1]), "w₀", link_tag((gap, len(a), j)), 3)
    terms = [f"{{w{i}{suffix}}}·{{x{i}{suffix}}}" for i in range(len(a))]
    return " + ".join([*terms, f"{{b{suffix}}}"]), used


def link_name(weights: Sequence[Float], link: Sequence[int]) -> str:
    """The name of a link: "x₁→h₂"."""
    gap, i, j = link
    names = symbols(weights)
    return f"{names[gap][i]}→{names[gap + 1][j]}"
