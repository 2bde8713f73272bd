"""What the chain of a PAC bound says."""

from engine.authoring import Fact, Formula, Mapping, Note, Operand, note, np, short
from engine.base.notation import agreeing_digits
from engine.experiments.pac_bounds import MOST, Params, Setting, State
from engine.experiments.parts.sizes import enough, exactly, written

SUMMARY = (
    "Follows the proof that so many examples are enough: from one bad hypothesis and one example to"
    " all of them, and counts in runs of its own how often a bad one was taken all the same."
)
ERRATA = (
    "ML 7.3.2 counts |H| = 3ⁿ conjunctions; FIND-S begins with one more, which never holds.",
    (
        "AIMA 18.5.1 speaks of conjunctions of k literals; its count is of at most k, with those"
        " like x ∧ ¬x."
    ),
    (
        "LS, Hypothesis spaces counts 2^(2ⁿ) distinct trees; that is the number of functions, which"
        " several trees can express."
    ),
)
SOLVE = Formula("m ≥ (ln |H| + ln 1/δ) / ε =", "({log} + {logd}) / {eps}", "{raw}")
HOEFFDING = Formula("m ≥ (ln |H| + ln 1/δ) / 2ε² =", "({log} + {logd}) / (2 · {eps}²)", "{raw}")
CHERNOFF = Formula(
    "m ≥ 2 (ln |H| + ln 1/δ) / (ε g²) =", "2 · ({log} + {logd}) / ({eps} · {g}²)", "{raw}"
)
ADDED = Fact("m for the same gap ε g by Hoeffding", "{added}")
SIZE = Fact("|H|", "{size}")
ALLOWED = (
    Fact("error that these rows allow", "{after}"),
    Fact("m by (1 − ε)ᵐ itself", "{exactly}"),
)
COUNTS = (
    Fact("runs that took a bad one", "{failed} of {made}"),
    Fact("runs in which a bad one was left", "{left} of {made}"),
)


def chips(p: Params) -> tuple[str, ...]:
    kind = () if p.hypotheses == "auto" else (p.hypotheses,)
    factor = (f"γ = {short(p.gamma)}",) if p.learner == "relative" else ()
    return (*kind, f"ε = {short(p.epsilon)}, δ = {short(p.delta)}", *factor)


def wording(p: Params) -> Mapping[str, str]:
    if p.learner == "consistent":
        return {}
    if p.learner == "relative":
        return {
            "start": "let p ≥ ε look better: p > (1 + γ) e",
            "one": "each example is right or wrong",
            "many": "Chernoff: chance ≤ e^(−ε g² m/2)",
            "union": "one of k does: ≤ k e^(−ε g² m/2)",
            "all": "k ≤ |H|: ≤ |H| e^(−ε g² m/2)",
            "exp": "that is the bound",
            "solve": "≤ δ from m ≥ 2(ln|H|+ln 1/δ)/(ε g²)",
            "run": "R times: draw m, take the best h",
        }
    return {
        "start": "let h look better by ε than it is",
        "one": "each example is right or wrong",
        "many": "Hoeffding: chance ≤ e^(−2ε²m)",
        "union": "one of k does: ≤ k e^(−2ε²m)",
        "all": "k ≤ |H|: ≤ |H| e^(−2ε²m)",
        "exp": "that is the bound",
        "solve": "≤ δ from m ≥ (ln|H|+ln 1/δ) / 2ε²",
        "run": "R times: draw m, take the best h",
    }


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that most notes have."""
    p = given.p
    logd = float(np.log(1 / p.delta))
    relative = p.learner == "relative"

    def examples(log: float, logd: float, g: float = given.below) -> float:
        return (log + logd) / (p.epsilon * g * g / 2 if relative else given.rate)

    raw = examples(given.log, logd)
    parts = [given.log, logd, given.below] if relative else [given.log, logd]
    digits = agreeing_digits(parts, examples, raw)
    size = f"{given.H.size:,}" if given.H is not None else written(p.hypotheses, given.n, p.k)
    return {
        "size": Operand(size, "|H|"),
        "log": Operand(given.log, "ln |H|", digits=digits),
        "logd": Operand(logd, "ln 1/δ", digits=digits),
        "eps": Operand(p.epsilon, "ε", digits=-1),
        "gamma": Operand(p.gamma, "γ", digits=-1),
        "g": Operand(given.below, "g", digits=digits),
        "delta": Operand(p.delta, "δ", digits=-1),
        "raw": Operand(raw),
        "m": Operand(given.m, "m"),
        "rest": Operand(1 - p.epsilon, digits=-1),
        "kind": Operand(p.hypotheses if given.H is None else given.H.kind),
    }


LEADS = {
    "start": (
        "H holds {size} {kind}. Suppose that one of them is bad, wrong on {eps} of all inputs or"
        " more. Is it found out?"
    ),
    "one": (
        "Drawn as always, an example catches it with a chance of at least {eps}. It survives with"
        " at most 1 − {eps} = {rest}."
    ),
    "many": (
        "Examples are independent: m of them it survives with a chance of at most {rest} to the"
        " power of m."
    ),
    "union": (
        "There may be k of them. The chance that at least one of the k survives is at most the sum"
        " of their chances."
    ),
    "all": "k is unknown, but not more than |H| = {size}.",
    "exp": "1 − ε is never above e^(−ε): the bound gets a little looser and much easier to solve.",
}
AGNOSTIC = {
    "start": (
        "H holds {size} {kind}. Suppose that one of them seems better on the examples by {eps} than"
        " it is. How likely is that?"
    ),
    "one": "On each example it is wrong or right, independently, with its own error as the chance.",
    "many": (
        "Hoeffding: the share of mistakes among m lies {eps} below its chance with at most e^(−2 ·"
        " {eps}² · m)."
    ),
    "exp": "The bound holds for every concept, also for one that is not in H.",
}

RELATIVE = AGNOSTIC | {
    "start": (
        "H holds {size} {kind}. Suppose that one of them, of an error p of {eps} or more, seems so"
        " much better on the examples that p is above (1 + {gamma}) times its training error. How"
        " likely is that?"
    ),
    "many": (
        "Chernoff: the share of mistakes among m lies below (1 − g) p with at most e^(−m p g² / 2);"
        " 1 − g = 1 / (1 + {gamma}), g = {g}. The smaller p, the weaker: at {eps} it is weakest."
    ),
}


def leads(given: Setting) -> Mapping[str, str]:
    """The sentence for each line of the proof, by the label of the line."""
    others = {"consistent": {}, "agnostic": AGNOSTIC, "relative": RELATIVE}
    return LEADS | others[given.p.learner]


def start(given: Setting, s: State) -> Note:
    lead = leads(given)["start"] + given.left_out.sentence
    return note(lead, SIZE, **given.left_out.operands, **operands(given, s))


def one(given: Setting, s: State) -> Note:
    return note(leads(given)["one"], SIZE, **operands(given, s))


def many(given: Setting, s: State) -> Note:
    return note(leads(given)["many"], SIZE, **operands(given, s))


def union(given: Setting, s: State) -> Note:
    return note(leads(given)["union"], SIZE, **operands(given, s))


def all(given: Setting, s: State) -> Note:
    return note(leads(given)["all"], SIZE, **operands(given, s))


def exp(given: Setting, s: State) -> Note:
    return note(leads(given)["exp"], SIZE, **operands(given, s))


def solve(given: Setting, s: State) -> Note:
    known = operands(given, s)
    if given.p.learner == "relative":
        lead = (
            "From m = {m} {m:example|examples} on the chance is at most {delta}. The number"
            " depends on the error itself, as 1/ε: a multiple of a small error is a small"
            " difference."
        )
        gap = given.p.epsilon * given.below
        known["added"] = Operand(enough(given.log, gap, given.p.delta, agnostic=True))
        return note(lead, CHERNOFF, ADDED, SIZE, **known)
    if given.agnostic:
        lead = (
            "From m = {m} {m:example|examples} on the chance is at most {delta}. ε is squared:"
            " doubts cost more when nothing has to fit."
        )
        return note(lead, HOEFFDING, SIZE, **known)
    lead = (
        "From m = {m} {m:example|examples} on the chance is at most {delta}: enough for every"
        " consistent learner. It can exceed 1 before."
    )
    known["exactly"] = Operand(exactly(given.log, given.p.epsilon, given.p.delta))
    known["after"] = Operand((given.log + float(np.log(1 / given.p.delta))) / given.problem.n)
    return note(lead, SOLVE, SIZE, *ALLOWED, **known)


def run(given: Setting, s: State) -> Note:
    lead = (
        "Run {made}: after {drawn} {drawn:example|examples} the learner takes {h}, which errs on"
        " {error} of all rows."
    )
    H = given.H
    assert H is not None and s.drawn is not None  # only of listed hypotheses there are runs
    on_plane = H.on_plane and bool(given.problem.plane)
    known = {
        "drawn": Operand(len(s.drawn), about="drawn"),
        "h": Operand(H.name(s.h), about="h" if on_plane else ""),
        "error": Operand(float((given.says[s.h] != given.says[s.c]).mean())),
    }
    return note(lead, *COUNTS, **known, **counted(s))


def counted(s: State) -> dict[str, Operand]:
    """The operands with the results of the runs: how many failed, in how many a bad hypothesis was
    left.
    """
    left = Operand(int(s.left[-1]), about="counted" if s.runs else "")
    return {
        "failed": Operand(s.failed),
        "made": Operand(s.runs),
        "left": left,
        "share": Operand(s.share),
    }


def done(given: Setting, s: State) -> Note:
    if not s.runs:
        lead = (
            "H is too large to be listed, or there are no runs: nothing is counted. {m}"
            " {m:example is|examples are} enough."
        )
        return note(lead, SIZE, **operands(given, s))
    lead = (
        "In {failed} of {made} {made:run|runs} a bad hypothesis was taken: {share}. The bound says"
        " at most {delta}; it is conservative."
    )
    if given.m > MOST:
        lead = (
            "In {failed} of {made} {made:run|runs} with {short} {short:example|examples} a bad one"
            " was taken: {share}. {m} would be enough."
        )
    return note(lead, *COUNTS, SIZE, short=MOST, **counted(s), **operands(given, s))
