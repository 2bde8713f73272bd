"""What gradient ascent on the tables of a network says."""

from engine.algorithms.bayes.bayes_net_gradient import Params, Setting, State
from engine.algorithms.bayes.parts import case_tag
from engine.algorithms.bayes.parts.answers import explain as explain
from engine.algorithms.bayes.parts.learning_words import row as row
from engine.algorithms.bayes.parts.learning_words import spoken
from engine.algorithms.bayes.parts.learning_words import start as start
from engine.authoring import Fact, Float, Formula, Mapping, Note, Operand, note, np, short
from engine.numerics.closeness import more

SUMMARY = (
    "Learns the tables of a Bayesian network whose arcs are known, though some values are not seen:"
    " what is not seen is counted by how likely it is, and every entry moves uphill on the"
    " likelihood of the data. It ends on a local top."
)
ERRATA = (
    (
        "ML 6.11.5 says that the entries are renormalised, not how. Divided by the sum of their row"
        " they settle at chances in proportion to √N, not to the counts N, below the top. By"
        " default the same is taken off every entry of a row, which leaves the top where it is;"
        " dividing can be chosen."
    ),
)
RISE = Fact("ln P(D)", "{before} → {now}")


def wording(p: Params) -> Mapping[str, str]:
    start = {"even": "every w ← even chances", "drawn": "every w ← drawn by chance"}
    normalise = {
        "nearest": "  rows of w add up to 1 again",
        "divide": "  w ← w / the sum of its row",
        "not at all": "  rows of w are left as they are",
    }
    return {"start": start[p.start], "normalise": normalise[p.renormalise]}


def chips(p: Params) -> tuple[str, ...]:
    rate = f"η {short(p.rate)}" if p.rate else "η automatic"
    arcs = "arcs given" if p.parents else "arcs by K2"
    other = {"divide": ("divided by sums",), "not at all": ("not renormalised",)}
    return (rate, arcs, *other.get(p.renormalise, ()))


def chance_digits(*rows: Float) -> int:
    """The number of decimals, at least 3, at which no positive chance in these rows reads as 0: two
    figures of the smallest.
    """
    above = np.concatenate(rows)
    least = float(above[above > 0].min(initial=1.0))
    return max(3, 1 + int(np.ceil(-np.log10(least))))


def round(given: Setting, s: State) -> Note:
    return note("Round {round}: every row says what it expects of every table.", round=s.round)


def gradient(given: Setting, s: State, g: Float) -> Note:
    x = s.current
    case, said = spoken(given, x, g)
    w = s.tables[x][case]
    lead = (
        "In the table of {x}, the gradient of ln P(D) is the expected counts over the"
        " chances{case}."
    )
    return note(
        lead,
        Formula("g =", "{N} / {w}", "{g}"),
        **said,
        N=Operand(s.counts[x][case], "N", case_tag(case)),
        w=Operand(w, "w", case_tag(case), chance_digits(w)),
        g=Operand(g[case]),
    )


def move(given: Setting, s: State, g: Float, before: Float) -> Note:
    x = s.current
    case, said = spoken(given, x, g)
    moved = s.tables[x][case]
    digits = chance_digits(before[case])
    return note(
        "The chances of {x} move uphill{case}: together they are {sum} now.",
        Formula("w ←", "{w} + {eta} · {g}", "{moved}"),
        **said,
        w=Operand(before[case], "w", digits=digits),
        eta=Operand(given.rate, "η", digits=-1),
        g=Operand(g[case], "g"),
        moved=Operand(moved, about=case_tag(case), digits=max(digits, chance_digits(moved))),
        sum=Operand(float(moved.sum()), digits=3),
    )


def normalise(given: Setting, s: State, moved: Float) -> Note:
    x = s.current
    after = s.tables[x]
    case, numbers = spoken(given, x, moved)
    off = (moved - after)[case]
    over = float(off.max())
    law = "{moved} − {over}"
    lead = "The same is taken off all chances of {x}{case}: they add up to 1 again."
    if given.p.renormalise == "divide":
        over = float(moved[case].sum())
        law = "{moved} / {over}"
        lead = "The chances of {x}{case} are divided by their sum."
    elif given.p.renormalise == "not at all":
        law = ""
        lead = "The chances of {x}{case} add up to {sum}: they are none any more."
    elif more(np.ptp(off), 0.0, 1.0):
        lead = (
            "The same is taken off all chances of {x}{case}; none falls below 0, and they add up to"
            " 1 again."
        )
    digits = chance_digits(moved[case], after[case])
    numbers |= {
        "moved": Operand(moved[case], "w", digits=digits),
        "w": Operand(after[case], about=case_tag(case), digits=digits),
        "over": Operand(over, digits=4),
        "sum": Operand(float(after[case].sum()), digits=3),
    }
    formulas = (Formula("w ←", law, "{w}"),) if law else ()
    return note(lead, *formulas, **numbers)


def until(given: Setting, s: State, before: float, ending: str) -> Note:
    lead = "Round {round} is over: ln P(D) rises."
    if given.ran_away(s.log_likelihood):
        lead = "ln P(D) runs away: chances that do not add up to 1 can grow for ever."
    elif ending == "fell":
        lead = "Round {round} is over: ln P(D) has fallen. η is too large, or the rows are divided."
    elif ending == "settled":
        lead = "Settled after round {round}: ln P(D) rises no more."
    elif s.log_likelihood == before:
        lead = (
            "Round {round} is over: ln P(D) is what it was, though the tables still move. η is too"
            " large."
        )
    return note(lead, RISE, round=s.round, before=before, now=s.log_likelihood)
