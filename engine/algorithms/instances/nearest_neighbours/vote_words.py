"""The words of a vote among neighbours: who votes, with what weight, who wins and by which rule.

AIMA 18.8.1, ML 8.2.1.
"""

from functools import partial

from engine.algorithms.instances.nearest_neighbours import Setting, State
from engine.algorithms.instances.nearest_neighbours.distance_words import tag_if_drawn
from engine.algorithms.instances.nearest_neighbours.votes import front_runners
from engine.authoring import (
    Choice,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    Option,
    Problem,
    note,
    np,
    number,
    plural,
)
from engine.base.notation import agreeing_digits, read_number
from engine.base.sums import add_up
from engine.numerics.closeness import tidy
from engine.protocol.step import BY_HAND, verbatim

NEARER = "equal votes: the class of the nearer neighbour wins"
LOWER = "equal votes, equally near: the lower row number wins"
EXACT = Fact("distance 0", "only examples exactly at {place} vote")
BELL = Fact("weights", "e^(−d²/σ²) with σ = {sigma}; that of the nearest is {weight}")
TOO_NEAR = Fact(
    "weights",
    "1/{root} is too large a number here: only examples as near as this vote, each with 1",
)
TOO_FAR = Fact("weights", "1/{root} is too small a number here: each example votes with 1")
TIED = Fact("tie", "{rule}")
RIM = Fact("tie", "{outside} is as near as {rim}: the lower row number {does}")
SAME_ONE = "All places of the {cell} have {point} as their nearest."
SAME_FEW = "In all places of the {cell} the same {k} vote."
SAME_NEAR = "In all places of the {cell} the same {k} are the nearest."
_LISTED = 12  # neighbours named in an explanation
_MOST = 16  # decimals of a distance


# -- who votes, and what decides -------------------------------------------------------------------


def vote_choice(given: Setting, s: State) -> Choice:
    """The choice among the classes by votes; all that tie for most are winners."""
    problem = given.problem
    options = tuple(
        Option(problem.class_text(c), float(v), "votes", value=c) for c, v in enumerate(s.votes)
    )
    winners = tuple(np.flatnonzero(front_runners(s.votes[None])[0]).tolist())
    digits = vote_digits(s.votes, 4)
    rule = tie_rule(given, s)
    return Choice(
        "Which class has the most votes?", options, winners, s.label, rule, "votes", digits=digits
    )


def vote_digits(votes: Float, usual: int) -> int:
    """The decimals for votes (k,): 0 where all are whole numbers, else `usual`."""
    return 0 if (votes == np.round(votes)).all() else usual


def agreement_choice(given: Setting, s: State) -> Choice:
    """The choice by the rule "label only if all voters agree": score 1 for its outcome, 0 for the
    rest (MMDS Exercise 12.4.1).
    """
    total = f"{number(float(s.votes.sum()))} {plural(float(s.votes.sum()), 'vote')}"
    options = [
        Option(
            given.problem.class_text(c), float(c == s.label), "votes", f"{number(v)} of {total}", c
        )
        for c, v in enumerate(s.votes)
    ]
    detail = "the neighbours disagree" if s.label < 0 else "the neighbours agree"
    options.append(Option("unclassified", float(s.label < 0), "votes", detail, -1))
    chosen = s.label if s.label >= 0 else len(s.votes)
    return Choice(
        "Do all neighbours agree on a class?",
        tuple(options),
        (chosen,),
        chosen,
        unit="agreement",
        digits=0,
    )


def tie_rule(given: Setting, s: State) -> str:
    """A sentence with the rule that broke a tie of votes; "" where there was none, or no label."""
    leading = np.flatnonzero(front_runners(s.votes[None])[0])
    if s.label < 0 or len(leading) < 2:
        return ""
    codes = given.problem.codes[s.neighbours]
    rank = tidy(s.distances)
    rivals = np.isin(codes, leading[leading != s.label])
    return NEARER if rank[codes == s.label].min() < rank[rivals].min() else LOWER


def limit_fact(near: float, power: int) -> Fact | None:
    """Why votes are not weighted by 1/d^power, if the nearest is at distance `near`; None where
    they are, or count equally.
    """
    if power == 0:
        return None
    if near == 0:
        return EXACT
    inverse = inverse_power(near, power)
    if np.isinf(inverse):
        return TOO_NEAR
    return TOO_FAR if inverse == 0 else None


def inverse_power(distance: float, power: int) -> float:
    """1 / distance^power; ∞ or 0 where floats end."""
    with np.errstate(over="ignore", under="ignore", divide="ignore"):
        return float(np.float64(distance) ** -power)


def weighing_digits(distance: float, power: int) -> int:
    """The fewest decimals (2 to 16) of a distance with which its weight 1/d^power can be recomputed
    as shown.
    """
    shown = number(inverse_power(distance, power))
    enough = (
        n
        for n in range(2, _MOST)
        if number(inverse_power(read_number(number(distance, n)), power)) == shown
    )
    return next(enough, _MOST)


# -- notes -----------------------------------------------------------------------------------------


def vote(given: Setting, s: State, outside: int, hand: bool = False) -> tuple[Note, Choice]:
    """The note and choice of the neighbours' vote. outside: a row as near as the last of them, −1
    for none
    """
    problem = given.problem
    power = given.vote.power
    near = float(s.distances[0])
    first = int(s.neighbours[0])
    weights = given.vote.weigh(s.distances)
    k = len(weights)
    count = int(np.count_nonzero(weights))
    lead = "{k} {k:neighbour votes|neighbours vote}: {tally}."
    if k == 1:
        lead = "The nearest example is {point}, at {near}: its class is {label}."
    elif count < k:
        lead = (
            f"{{count}} of {{k}} {{k:neighbour|neighbours}} {plural(count, 'votes', 'vote')}:"
            " {tally}."
        )
    limit = limit_fact(near, power)
    rule = BY_HAND if hand else tie_rule(given, s)
    weight = limit or Formula("w₁ =", "1 / {near}" + ("²" if power == 2 else ""), "{weight}")
    bell = given.vote.width > 0
    found = ((weight, power > 0), (BELL, bell), (TIED, rule), (RIM, outside >= 0))
    words = note(
        lead,
        *(part for part, holds in found if holds),
        point=Operand(problem.names[first], about="looked"),
        near=Operand(
            near, "d", "looked", weighing_digits(near, power) if power and not limit else 2
        ),
        root=root(power),
        sigma=Operand(given.vote.width, "σ"),
        weight=Operand(float(weights[0]), "w₁", "votes"),
        label=problem.class_text(int(problem.codes[first])),
        k=Operand(k, "k", "neighbours"),
        count=Operand(count, about="votes"),
        place="“?”",
        rule=rule,
        tally=Operand(tally_text(problem, s), about="votes"),
        **rim_words(problem, s, outside, bool(weights[-1])),
    )
    return words, (agreement_choice if given.vote.unanimous else vote_choice)(given, s)


def rim_words(problem: Problem, s: State, outside: int, votes: bool) -> dict[str, str]:
    """The operands of the sentence RIM. votes: whether the last neighbour votes"""
    names = problem.names
    return {
        "outside": names[max(outside, 0)],
        "rim": names[s.neighbours[-1]],
        "does": "votes" if votes else "is kept",
    }


def root(power: int) -> str:
    """The denominator of the weights as text, "d" or "d²"."""
    return "d²" if power == 2 else "d"


def answer(given: Setting, s: State, outside: int) -> Note:
    """The note of the label of the query, and, unless row `outside` ties, of the cell with the same
    neighbours.
    """
    problem = given.problem
    wanted = given.p.k
    framed = outside < 0 and given.framed
    lead = "“?” is {label}: {tally}." if len(s.neighbours) > 1 else "“?” is {label}."
    if s.label < 0:
        lead = "“?” stays unclassified, because its neighbours disagree: {tally}."
    lead += as_sentence(tie_rule(given, s))
    if wanted > len(s.neighbours):
        lead += f" k = {{wanted}}, but only {{k}} {plural(len(s.neighbours), 'is', 'are')} stored."
    if framed:
        all_vote = given.vote.weigh(s.distances).all()
        few = SAME_FEW if all_vote else SAME_NEAR
        lead += " " + (SAME_ONE if len(s.neighbours) == 1 else few)
    label = Operand(problem.class_text(s.label), about=tag_if_drawn(given, "query"))
    cell = Operand("framed cell", about="cell" if framed else "")
    k = Operand(len(s.neighbours), about="neighbours")
    point = Operand(problem.names[s.neighbours[0]], about="looked")
    tally = Operand(tally_text(problem, s), about="votes")
    return note(lead, label=label, tally=tally, cell=cell, k=k, wanted=wanted, point=point)


def as_sentence(rule: str) -> str:
    return f" {rule.capitalize()}." if rule else ""


def explain_note(given: Setting, s: State, outside: int) -> Note:
    """Why this label: the neighbours with distance and class, who of them votes, and the rules that
    decided. Row `outside` is as near as the last neighbour (−1: none is).
    """
    problem = given.problem
    power = given.vote.power
    weights = given.vote.weigh(s.distances)
    limit = limit_fact(float(s.distances[0]), power)
    listed = list(enumerate(s.neighbours[:_LISTED]))
    named = "" if worded(problem) else "class "
    facts = [
        Fact(
            verbatim(problem.names[row]),
            f"{{d{i}}}, {named}{{c{i}}}" + ("" if weights[i] else ", no vote"),
        )
        for i, row in listed
    ]
    facts += [limit] if limit else []
    facts += [RIM] if outside >= 0 else []
    count = int(np.count_nonzero(weights))
    digits = telling_distances(problem, s, power)
    operands = {
        f"d{i}": Operand(float(s.distances[i]), "d", "neighbours", digits) for i, _ in listed
    }
    operands |= {f"c{i}": Operand(problem.class_text(int(problem.codes[row]))) for i, row in listed}
    return note(
        reason(problem, s, count) + as_sentence(tie_rule(given, s)),
        *facts,
        name=problem.class_text(s.label),
        k=len(s.neighbours),
        count=count,
        point=problem.names[s.neighbours[0]],
        tally=tally_text(problem, s),
        place="this place",
        root=root(power),
        **rim_words(problem, s, outside, bool(weights[-1])),
        **operands,
    )


def telling_distances(problem: Problem, s: State, power: int) -> int:
    """The decimals with which the shown distances d give the shown votes Σ 1/d^power."""
    if not power or len(s.neighbours) > _LISTED or not s.distances[0]:
        return 2
    of_class = problem.codes[s.neighbours]
    sums = [(s.distances[of_class == c].tolist(), float(v)) for c, v in enumerate(s.votes) if v > 0]
    return max(agreeing_digits(ds, partial(_shared, power), votes) for ds, votes in sums)


def _shared(power: int, *distances: float) -> float:
    return add_up(1 / d**power for d in distances)


def reason(problem: Problem, s: State, count: int) -> str:
    """A template of the label and the votes for it. count: number of voters"""
    if s.label < 0:
        return "This place stays unclassified, because its neighbours disagree: {tally}."
    if len(s.neighbours) == 1:
        return "This place is called {name}: its nearest example is {point}."
    if count < len(s.neighbours):
        votes = plural(count, "votes", "vote")
        return (
            "This place is called {name}: only {count} of its {k} nearest"
            f" {{k:example|examples}} {votes} ({{tally}})."
        )
    verb = "vote" if worded(problem) else "give"
    return (
        f"This place is called {{name}}: its {{k}} nearest {{k:example|examples}} {verb} {{tally}}."
    )


def tally_text(problem: Problem, s: State) -> str:
    """The classes with votes as text: 'circle 2, triangle 1', or '2 votes for 1, 1 vote for 0'
    where labels are numbers.
    """
    named = [(problem.class_text(c), number(v)) for c, v in enumerate(s.votes) if v > 0]
    if worded(problem):
        return ", ".join(f"{name} {votes}" for name, votes in named)
    return ", ".join(
        f"{votes} {'vote' if votes == '1' else 'votes'} for {name}" for name, votes in named
    )


def worded(problem: Problem) -> bool:
    """Whether every class is a word: '1', '−1' and '+' would run together with the number of their
    votes.
    """
    return all(
        any(letter.isalpha() for letter in problem.class_text(c))
        for c in range(len(problem.classes))
    )
