"""What the curse of dimensionality says, by hand."""

from engine.authoring import Fact, Formula, Note, Operand, note, np, number, short
from engine.base.notation import figure_digits
from engine.experiments.curse_of_dimensionality import Params, Setting, State

SUMMARY = (
    "Spreads points evenly in a cube of more and more dimensions: a cube that holds a few of them"
    " soon is nearly the whole, almost all points lie in a thin rim, and the nearest is hardly"
    " nearer than the farthest. Beside it the table’s own columns."
)


def chips(p: Params) -> tuple[str, ...]:
    return (f"rim {short(p.rim)}",)


def start(given: Setting, s: State) -> Note:
    d = len(given.used)
    left_out = given.left_out
    lead = (
        "N = {N} {N:point|points} in a cube of side 1, in up to {most} {most:dimension|dimensions}."
    )
    if d:
        lead += " Beside it {d} {d:column|columns} of the table, from 0 to 1, of {m} {m:row|rows}."
        lead += left_out.sentence
    else:
        lead += " The table has no three rows with numbers, so the cube stands alone."
    return note(
        lead,
        N=given.N,
        most=given.p.dimensions,
        d=d,
        m=len(given.own),
        **left_out.operands,
    )


def edge(given: Setting, s: State) -> Note:
    now = s.now
    assert now is not None
    lead = (
        "With {n} {n:dimension|dimensions} a cube that holds {k} of {N} {N:point|points} has the"
        " edge {edge}: {percent} % of the side."
    )
    return note(
        lead,
        Formula("ℓ =", "({k} / {N})^(1 / {n})", "{edge}"),
        n=Operand(now.n, "n"),
        k=Operand(given.p.k, "k"),
        N=Operand(given.N, "N"),
        edge=Operand(now.edge, "ℓ", "edge", figure_digits(now.edge)),
        percent=number(100 * now.edge, 1 if now.edge < 0.1 else 0),
    )


def shell(given: Setting, s: State) -> Note:
    now = s.now
    assert now is not None
    lead = "With {n} {n:dimension|dimensions} {percent} % of the cube lie within {s} of its sides."
    return note(
        lead,
        Formula("rim =", "1 − (1 − 2 · {s})^{n}", "{rim}"),
        n=Operand(now.n, "n"),
        s=Operand(given.p.rim, "s", digits=-1),
        rim=Operand(now.rim, "rim", "rim", 4),
        percent=number(100 * now.rim, 1),
    )


def near(given: Setting, s: State) -> Note:
    now = s.now
    assert now is not None
    lead = (
        "With {n} {n:dimension|dimensions} the nearest in the cube is {cube} times as far as the"
        " farthest."
    )
    if np.isfinite(now.own):
        lead += " In {n} {n:column|columns} of the table it is {own} times."
    facts = (
        Fact("edge that holds {k} of {N}", "{edge}"),
        Fact("in the rim, by the law", "{rim}"),
        Fact("counted", "{counted}"),
    )
    return note(
        lead,
        *facts,
        n=now.n,
        cube=Operand(now.cube, about="cube"),
        own=Operand(now.own, about="own"),
        k=given.p.k,
        N=given.N,
        edge=Operand(now.edge, about="edge", digits=figure_digits(now.edge)),
        rim=Operand(now.rim, about="rim", digits=4),
        counted=Operand(now.counted, about="rim", digits=4),
    )


def told(given: Setting, s: State) -> Note:
    """The closing note: at how many dimensions ℓ reaches half of the side, and what holds for the
    table.
    """
    last = s.seen[-1]
    lead = (
        "In {n} {n:dimension|dimensions} {percent} % of the cube are rim, and the nearest is {cube}"
        " times as far as the farthest."
    )
    if last.n == 1:
        lead = "In one dimension near is near: take more of them."
    half = 0.0
    if given.p.k < given.N:
        half = np.log(given.p.k / given.N) / np.log(0.5)
    facts = [Fact("half of the side holds k of N from", "{half} {half:dimension|dimensions} on")]
    table = [seen for seen in s.seen if np.isfinite(seen.own)]
    d = 0
    alike = 0
    if table:
        d = table[-1].n
        gap = [abs(seen.cube - table[-1].own) for seen in s.seen]
        alike = s.seen[int(np.argmin(gap))].n
        likeness = "about {alike} {alike:dimension|dimensions}, by its {d} {d:column|columns}"
        facts.append(Fact("the table is like a cube of", likeness))
    return note(
        lead,
        *facts,
        n=last.n,
        percent=number(100 * last.rim, 1),
        cube=Operand(last.cube, about="cube"),
        half=int(np.ceil(half)),
        d=d,
        alike=alike,
    )
