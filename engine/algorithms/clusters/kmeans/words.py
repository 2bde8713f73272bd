"""What k-means says."""

from engine.algorithms.clusters.kmeans import Params, Setting, State, totals
from engine.algorithms.clusters.parts.figures import names_of
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Int,
    Mapping,
    Note,
    Operand,
    Option,
    note,
    np,
)
from engine.scene.scene import Bars

SUMMARY = (
    "Finds the middles of k heaps. Every example goes to its nearest centre, then every centre to"
    " the mean of its examples, until nothing changes; the sum of squares never rises, but what it"
    " ends in depends on the start."
)
ERRATA = (
    (
        "ML 6.12 calls its EM for means k-means: there every example belongs to every mean in part."
        " Here it belongs to one alone, the limit σ → 0."
    ),
)
FEW = 4  # clusters up to which every centre has its own formula
TIE = "its own centre, else the first of equals"
SUM = Fact("Σ d²", "{within}")


def wording(p: Params) -> Mapping[str, str]:
    """Replaced texts of lines: with given centres no line says that any is drawn."""
    return {"start": "for each start: μ₁ … μₖ as given"} if p.start else {}


def chips(p: Params) -> tuple[str, ...]:
    many = (f"{p.starts} starts",) if p.starts > 1 and not p.start else ()
    return ("given centres" if p.start else "k-means++", *many, "colours: clusters")


def start(given: Setting, s: State) -> Note:
    if s.current < 0:
        return note("Start with {k} {k:centre|centres} as given.", k=len(s.means))
    return note(
        "Start {trial} of {starts}: the first centre is {x}, one of {n} {n:example|examples}, drawn"
        " evenly.",
        trial=s.trial,
        starts=given.p.starts,
        n=given.problem.n,
        x=Operand(given.problem.names[s.current], about="current"),
    )


def spread(given: Setting, s: State) -> Note:
    """The note of the drawn example's chance, d² / Σ d²."""
    chances = given.chances(s.before)
    square = given.squares(s.before, given.problem.X).min(axis=0) * given.unit**2
    lead = "Centre {j} is {x}. The larger an example is drawn, the likelier it was."
    if not square.any():
        lead = "Centre {j} is {x}: all examples lie on centres, so each was as likely."
    law = (Formula("p =", "{d2} / {total}", "{p}"),) if square.any() else ()
    name = Operand(given.problem.names[s.current], about="current")
    d2, total = (
        Operand(square[s.current], "d²", "current"),
        Operand(square.sum(), "Σ d²", "chances"),
    )
    return note(
        lead,
        *law,
        j=len(s.means),
        x=name,
        d2=d2,
        total=total,
        p=Operand(chances[s.current], digits=3),
    )


def round(given: Setting, s: State) -> Note:
    return note("Round {round} begins.", round=s.round)


def assign(given: Setting, s: State, former: Int) -> tuple[Note, Choice]:
    """The note and choice of the most doubtful example's cluster, with its distances."""
    x = given.problem.names[s.current]
    d2 = given.squares(s.means, given.problem.X[[s.current]])[:, 0]
    lead = (
        "{changed} {changed:example|examples} {changed:goes|go} to another centre. {x} is as"
        " doubtful as any."
    )
    if s.round == 1:
        lead = "Every example goes to its nearest centre. {x} is as doubtful as any."
    elif not len(s.changed):
        lead = "No example changes its cluster. {x} is as doubtful as any."
    changed = Operand(len(s.changed), about="changed")
    said = note(
        lead,
        SUM,
        changed=changed,
        x=Operand(x, about="current"),
        within=Operand(s.within, about="within"),
    )
    options = tuple(
        Option(n, float(d2[j] * given.unit**2), "means", value=j)
        for j, n in enumerate(names_of(len(d2)))
    )
    winners = tuple(given.as_near(s.means, s.current))
    chosen = int(s.cluster[s.current])
    return said, Choice(
        f"Which centre is nearest to {x}?", options, winners, chosen, TIE, "d²", True
    )


def move(given: Setting, s: State) -> Note:
    """The note of the new centres, each the sum of its examples divided by their number."""
    many, sums = totals(given, s)
    named = list(enumerate(names_of(len(many))))
    empty = [n for j, n in named if not many[j]]
    shown = [(j, n) for j, n in named if len(many) <= FEW and many[j]]
    lead = "Each centre moves to the mean of its examples."
    if empty:
        lead += (
            " {empty} {count_empty:has|have} no examples and"
            " {count_empty:stays where it is|stay where they are}."
        )
    operands = {f"s{j}": Operand(sums[j], "Σ x", "data") for j, _ in shown}
    operands |= {f"n{j}": Operand(int(many[j, 0]), "examples", "data") for j, _ in shown}
    operands |= {f"m{j}": Operand(s.means[j], n, "means") for j, n in shown}
    formulas = (Formula(f"{n} ←", f"{{s{j}}} / {{n{j}}}", f"{{m{j}}}") for j, n in shown)
    count_empty = (
        {"empty": Operand(", ".join(empty), about="means"), "count_empty": Operand(len(empty))}
        if empty
        else {}
    )
    return note(
        lead, *formulas, SUM, within=Operand(s.within, about="within"), **count_empty, **operands
    )


def until(given: Setting, s: State) -> Note:
    lead = (
        "Round {round} is over: {changed} {changed:example|examples} changed, the sum of squares is"
        " {within}."
    )
    if not len(s.changed) and np.array_equal(s.means, s.before):
        lead = (
            "In round {round} no example changes its cluster: the end. The sum of squares is"
            " {within}."
        )
    if s.trial > 1:
        lead += " The best start before came to {least}."
    within = Operand(s.within, about="within")
    return note(lead, round=s.round, changed=len(s.changed), within=within, least=s.least)


def best(given: Setting, s: State) -> Note:
    lead = (
        "The start with the least sum of squares is kept: {within}, of {trial}"
        " {trial:start|starts}."
    )
    empty = len(s.means) - len(np.unique(s.cluster))
    if empty:
        lead += (
            " {empty} {empty:centre|centres} of {k} {empty:owns|own} no example: the groups are"
            " fewer."
        )
    return note(
        lead, within=Operand(s.within, about="within"), trial=s.trial, empty=empty, k=len(s.means)
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The squared distances of x (d,) to the centres; the label is −1, because clusters have no
    class.
    """
    d2 = given.squares(s.means, x[None])[:, 0]
    names = names_of(len(s.means))
    near = [n for n, d in zip(names, d2, strict=True) if d == d2.min()]
    lead = "This place belongs to {name}, whose centre is nearest: d² = {d2}."
    if len(near) > 1:
        lead = "{name} are equally near to this place: d² = {d2}. The first takes it."
    square = d2 * given.unit**2
    bars = Bars(
        "Squared distances",
        names,
        square,
        group=np.arange(len(names)),
        unit="d²",
        tag="means",
        clusters=True,
    )
    words = note(lead, name=Operand(" and ".join(near), about="means"), d2=float(square.min()))
    return Explanation(-1, words, bars)
