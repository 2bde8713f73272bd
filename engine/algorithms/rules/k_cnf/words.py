"""What k-CNF says."""

from collections.abc import Iterator
from itertools import combinations

from engine.algorithms.rules.k_cnf import Params, Setting, State, predict
from engine.algorithms.rules.k_cnf.clauses import true
from engine.algorithms.rules.k_cnf.terms import COLUMNS, as_terms
from engine.algorithms.rules.parts import DELTA, EPSILON, NEGATIVE, POSITIVE
from engine.algorithms.rules.parts.boxwords import HYPOTHESIS, MISTAKES, WRONG
from engine.authoring import Explanation, Fact, Float, Int, Note, Operand, note, np, short
from engine.base.notation import counted, listed
from engine.numerics.boolean import to_values
from engine.scene.boolean import literal_text, rules_text
from engine.table.problem import Problem

SUMMARY = (
    "For yes/no columns. Makes a new column of every clause, an “or” of at most k literals, and"
    " keeps those that hold on all positive examples: FIND-S on the new columns. Their “and” says"
    " more than k-term DNF can, and is easier to learn."
)
ERRATA = (
    (
        "ML 7.3.3.2 says in one place that k-CNF contains k-DNF. It must be k-term DNF: k-DNF and"
        " k-CNF are not nested."
    ),
    (
        "ML 7.3.3.2 bounds the number of k-term DNF by 3 to the power n k. That counts many of them"
        " more than once."
    ),
    (
        "Here only the clauses are new literals, not their negations: ¬(a ∨ b) is ¬a ∧ ¬b, of two"
        " clauses."
    ),
)
CLAUSES = Fact("clauses in S", "{left} of {all}")
SHOWN = 6  # clauses that a sentence says
SEARCHED = 3000  # clauses among which shorter ones are looked for


def chips(p: Params) -> tuple[str, ...]:
    return (f"k = {p.k}",)


def clause_text(problem: Problem, clause: Int) -> str:
    """A clause as text: "f₁ ∨ ¬f₂"."""
    literals = [(v // 2, 1.0 - v % 2) for v in clause.tolist() if v < 2 * problem.d]
    return " ∨ ".join(literal_text(problem, literal) for literal in literals)


def needed(given: Setting, s: State) -> list[int]:
    """The clauses of S that no other clause of S implies."""
    kept = np.flatnonzero(s.S)[:SEARCHED].tolist()
    sets = [frozenset(given.clauses[c].tolist()) - {2 * given.problem.d} for c in kept]
    there = set(sets)
    return [c for c, own in zip(kept, sets, strict=True) if there.isdisjoint(parts_of(own))]


def parts_of(clause: frozenset[int]) -> Iterator[frozenset[int]]:
    """All shorter clauses with literals of this one."""
    for size in range(1, len(clause)):
        for part in combinations(clause, size):
            yield frozenset(part)


def s_text(given: Setting, s: State) -> str:
    """S as text, without implied clauses; "False" while it has every clause."""
    if s.S.all():
        return "False"
    clauses = needed(given, s)
    if not clauses:
        return "True"
    texts = [clause_text(given.problem, given.clauses[c]) for c in clauses[:SHOWN]]
    if len(clauses) > 1:
        texts = [f"({text})" if "∨" in text else text for text in texts]
    if len(clauses) > SHOWN:
        texts.append(f"… ({counted(len(clauses), 'clause')})")
    return " ∧ ".join(texts)


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that most notes have."""
    problem = given.problem
    known: dict[str, Operand] = {}
    if s.current >= 0:
        label = problem.class_text(int(problem.codes[s.current]))
        known["point"] = Operand(problem.names[s.current], about="current")
        known["label"] = Operand(label)
    return known | {
        "S": Operand(s_text(given, s), "S", "S"),
        "left": Operand(int(s.S.sum()), about="S"),
        "all": Operand(len(s.S)),
        "k": Operand(given.p.k),
        "d": Operand(problem.d),
        "errors": Operand(s.errors),
        "mistakes": Operand(s.mistakes),
        "positive": Operand(problem.class_text(POSITIVE)),
        "negative": Operand(problem.class_text(NEGATIVE)),
        "bound": Operand(given.bound),
        "enough": Operand(given.enough),
    }


def make(given: Setting, s: State) -> Note:
    lead = (
        "The {d} {d:column|columns} and negations make {all} {all:clause|clauses} of at most {k}"
        " {k:literal|literals}: new columns of 0 and 1."
    )
    return note(lead, CLAUSES, **operands(given, s))


def start(given: Setting, s: State) -> Note:
    lead = "S asks for all new columns at once, so it holds nowhere: every example is {negative}."
    return note(lead, HYPOTHESIS, CLAUSES, WRONG, **operands(given, s))


def take(given: Setting, s: State) -> Note:
    label = int(predict(given, s, given.X[[s.current]])[0])
    says = given.problem.class_text(label)
    lead = "Look at {point}. S says {says}."
    return note(lead, HYPOTHESIS, CLAUSES, says=says, **operands(given, s))


def skip(given: Setting, s: State, covered: bool) -> Note:
    lead = "{point} is {label}, and FIND-S does not look at such examples."
    if covered:
        lead += (
            " But S holds there: no conjunction of clauses of at most {k} {k:literal|literals} fits"
            " all examples."
        )
    return note(lead, HYPOTHESIS, CLAUSES, MISTAKES, **operands(given, s))


def keep(given: Setting, s: State) -> Note:
    lead = "{point} is {label}, and all of S hold there. Nothing changes."
    return note(lead, HYPOTHESIS, CLAUSES, MISTAKES, **operands(given, s))


def drop(given: Setting, s: State) -> Note:
    dropped = np.flatnonzero(s.before & ~s.S)
    texts = listed(clause_text(given.problem, given.clauses[c]) for c in dropped)
    lead = (
        "{point} is {label}, but {dropped} {dropped:clause|clauses} of S {dropped:is|are} 0 there"
        " and {dropped:goes|go}: {texts}."
    )
    known = {"dropped": Operand(len(dropped), about="S"), "texts": Operand(texts, about="S")}
    return note(lead, HYPOTHESIS, CLAUSES, MISTAKES, **known, **operands(given, s))


def done(given: Setting, s: State) -> Note:
    lead = "S = {S} is the narrowest k-CNF that holds on all examples of class {positive}."
    if s.errors:
        lead += (
            " It covers {errors} {errors:example|examples} of class {negative}: no k-CNF with k ="
            " {k} fits all."
        )
    bounds = (
        Fact("bound on the mistakes", "{bound}"),
        Fact(f"enough examples, k-term DNF, ε = {short(EPSILON)}, δ = {short(DELTA)}", "{enough}"),
    )
    same = (Fact("as a k-term DNF", "{dnf}"),) if given.problem.d <= COLUMNS else ()
    known = operands(given, s) | {"dnf": Operand(dnf_text(given, s))}
    return note(lead, *same, CLAUSES, WRONG, MISTAKES, *bounds, **known)


def dnf_text(given: Setting, s: State) -> str:
    """S as a DNF of at most k terms, as text; "there is none" where it has more."""
    terms = as_terms(given.clauses[s.S], given.problem.d, given.p.k)
    if terms is None:
        return "there is none"
    return rules_text(given.problem, terms) if terms else "False"


def explain(given: Setting, s: State, x: Float) -> Explanation:
    problem = given.problem
    label = int(predict(given, s, x[None])[0])
    known = {"answer": problem.class_text(label), "S": Operand(s_text(given, s), about="S")}
    if label == POSITIVE:
        lead = "All clauses of S = {S} hold here, so the answer is {answer}."
        return Explanation(label, note(lead, **known))
    kept = given.clauses[s.S]
    holds = true(to_values(problem.features, x[None]), kept)[0]
    why = clause_text(problem, kept[~holds][0])
    lead = "The clause {why} of S does not hold here, so the answer is {answer}."
    return Explanation(label, note(lead, why=why, **known))
