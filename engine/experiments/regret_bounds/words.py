"""What the regret bounds say."""

from operator import truediv

from engine.algorithms.online.randomized_weighted_majority import expected_bound
from engine.authoring import Choice, Fact, Formula, Note, Operand, Option, note, short
from engine.base.notation import agreeing_digits, plural
from engine.experiments.regret_bounds import FACTORS, Params, Setting, State

SUMMARY = (
    "Lets the weighted majority and its randomised form go through the experts of the table with"
    " every factor β, and holds their mistakes against what the theorems allow. A small β pays for"
    " the best expert’s mistakes, a large one for the others."
)
ERRATA = (
    (
        "AIMA 18.10.1 bounds the mistakes M of the randomised form. What is bounded are the"
        " expected ones: a single run may make more, and such runs are marked here."
    ),
    (
        "ML 7.5.4 prints 2.4 (k + log₂ n) for β = ½. The proof gives 1/log₂(4/3) = 2.409…, so 2.4"
        " is rounded the wrong way."
    ),
)
VOTE = Formula(
    "M ≤", "({least} · log₂(1/{beta}) + log₂ {K}) / log₂(2/(1 + {beta}))", "{vote_bound}"
)
DRAWN = Formula("E[M] ≤", "({least} · ln(1/{beta}) + ln {K}) / (1 − {beta})", "{bound}")
SHOWN = 6  # factors in the choice


def chips(p: Params) -> tuple[str, ...]:
    return (f"{p.runs} single {plural(p.runs, 'run')}",)


def start(given: Setting, s: State) -> Note:
    lead = (
        "{K} {K:expert|experts}, {n} {n:trial|trials}; the best expert errs in {least}. How much"
        " worse is a vote?"
    )
    return note(lead, K=given.K, n=s.n, least=Operand(s.least, "M*", "best"))


def factor(given: Setting, s: State) -> Note:
    return note(
        "An expert that is wrong keeps {beta} of the weight.", beta=Operand(s.beta, "β", "now", -1)
    )


def vote(given: Setting, s: State) -> Note:
    lead = "With β = {beta} the weighted vote errs in {vote} of {n} {n:trial|trials}."
    return note(lead, beta=Operand(s.beta, "β", "now", -1), vote=s.vote, n=s.n)


def draw(given: Setting, s: State) -> Note:
    seen = s.seen[-1]
    lead = (
        "With β = {beta} the vote errs in {vote} {vote:trial|trials}, experts drawn by weight in"
        " {drawn} on average."
    )
    above = len([m for m in seen.runs if m > seen.drawn_bound])
    if above:
        lead += (
            " {above} of {runs} single {runs:run|runs} made more than the bound: it holds for the"
            " mean."
        )
    facts = (Fact("single runs", "{each}"),) if seen.runs else ()
    return note(
        lead,
        VOTE,
        DRAWN,
        *facts,
        beta=Operand(s.beta, "β", "now", -1),
        vote=Operand(seen.vote, about="vote"),
        K=Operand(given.K, "K"),
        drawn=Operand(seen.drawn, about="drawn"),
        least=Operand(s.least, "M*", "best"),
        vote_bound=Operand(seen.vote_bound, about="vote_bound"),
        bound=Operand(seen.drawn_bound, about="drawn_bound"),
        above=above,
        runs=len(seen.runs),
        each=", ".join(map(str, seen.runs)),
    )


def best(given: Setting, s: State) -> tuple[Note, Choice]:
    limits = {beta: expected_bound(s.least, given.K, beta) for beta in FACTORS}
    order = sorted(FACTORS, key=limits.__getitem__)[:SHOWN]
    expected = {seen.beta: seen.drawn for seen in s.seen}
    few = min(expected, key=expected.__getitem__, default=s.beta)
    lead = "For M* = {least} the bound is least with β = {beta}: {bound}."
    said = note(
        lead,
        DRAWN,
        Fact("the fewest mistakes expected with", "β = {few}"),
        K=Operand(given.K, "K"),
        least=Operand(s.least, "M*", "best"),
        beta=Operand(s.beta, "β", "now", -1),
        bound=Operand(limits[s.beta], about="drawn_bound"),
        few=Operand(few, digits=-1),
    )
    options = tuple(
        Option(f"β = {short(beta)}", limits[beta], "now" if beta == s.beta else "", value=beta)
        for beta in order
    )
    winners = tuple(k for k, beta in enumerate(order) if limits[beta] == limits[order[0]])
    rule = "the smaller β" if len(winners) > 1 else ""
    question = "Which β has the least bound?"
    return said, Choice(question, options, winners, 0, rule, "mistakes", smallest=True)


def more(given: Setting, s: State) -> Note:
    """The note of the mean regret of the first n trials, regret / n."""
    last = s.lengths[-1]
    total = last.regret * last.n
    digits = agreeing_digits((total, last.n), truediv, last.regret, 3, least=2)
    lead = (
        "In the first {n} {n:trial|trials}, with β = {beta}, {regret} {regret:mistake|mistakes} for"
        " each trial are expected beyond the best expert’s."
    )
    return note(
        lead,
        Formula("regret =", "{total} / {n}", "{regret}"),
        Fact("at most", "{bound}"),
        n=last.n,
        beta=Operand(last.beta, "β", digits=-1),
        total=Operand(total, "(E[M] − M*)", digits=digits),
        regret=Operand(last.regret, about="regret", digits=3),
        bound=Operand(last.bound, about="regret_bound", digits=3),
    )


def told(given: Setting, s: State) -> Note:
    first = s.lengths[0]
    last = s.lengths[-1]
    lead = "For each trial the regret is {last} after {n}, it was {first} after {m}."
    if last.regret <= 0:
        lead += " The draw is no worse than the best expert."
    elif len(s.lengths) > 1 and last.regret < first.regret:
        lead += " The longer the table, the less it costs not to know the best expert."
    return note(
        lead,
        Fact("bound", "{bound} after {n}"),
        n=last.n,
        m=first.n,
        last=Operand(last.regret, about="regret", digits=3),
        first=Operand(first.regret, about="regret", digits=3),
        bound=Operand(last.bound, about="regret_bound", digits=3),
    )
