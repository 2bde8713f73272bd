"""What a search for neighbours says: what is stored, what is closer, what drops out."""

from engine.algorithms.instances.nearest_neighbours import (
    EACH_IS_A_STEP,
    Params,
    Setting,
    State,
    with_neighbours,
)
from engine.algorithms.instances.nearest_neighbours.distance_words import measured, tag_if_drawn
from engine.algorithms.instances.nearest_neighbours.picture import frame, probe_layers, vote_bars
from engine.algorithms.instances.nearest_neighbours.vote_words import answer, explain_note, vote
from engine.algorithms.instances.parts import nearer_choice
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Note,
    Operand,
    Words,
    note,
    number,
    replace,
)
from engine.base.notation import telling_digits
from engine.numerics.kernels import KernelFormula

__all__ = [
    "ERRATA",
    "SUMMARY",
    "answer",
    "chips",
    "explain",
    "keep",
    "look",
    "query",
    "start",
    "store",
    "vote",
]

SUMMARY = (
    "Stores all examples. A new place gets the class that most of its k nearest examples have. "
    "Small k follows every point, large k smooths; the distance decides who is near."
)
ERRATA = (
    (
        "MMDS 12.4.2 speaks of O(n log n) lines in the diagram. It has O(n) edges; O(n log n) is"
        " the time to find them."
    ),
    (
        "AIMA 18.8.1 takes an odd k to avoid ties. That helps only with two classes and equal"
        " weights; equal distances remain."
    ),
    (
        "ML 8.2.1 says weighting by distance removes isolated noise. With 1/d² the noisy point"
        " outweighs all at its own place."
    ),
    (
        "ML 8.2.1 sees no harm in letting all examples vote. With 1/d² and two or more columns the"
        " many far ones together can outweigh the near ones, without bound; weights that fall as"
        " fast as a Gaussian do no harm."
    ),
)
NORMALISED = Fact("normalised", "each column: (x − mean) / standard deviation")
STRETCHED = Fact("stretched", "each column times its factor")
CLAMPED = Fact("k", "{k}, but only {n} are stored: all of them vote")
QUERY = Fact("“?”", "{all}")
METRICS = {1.0: "Manhattan", 2.0: "Euclidean", float("inf"): "largest difference"}
_SPELT, _LISTED = 6, 40  # columns of words that a question names, and that are listed below it


def chips(p: Params) -> tuple[str, ...]:
    name = (
        METRICS.get(p.p, f"Minkowski p = {number(p.p)}")
        if p.metric == "minkowski"
        else p.metric.capitalize()
    )
    name = (
        name if p.metric != "kernel" else f"K = {KernelFormula(p.kernel, p.degree, p.gamma).text()}"
    )
    said = (
        (f"weights {p.weights}", p.weights not in ("equal", "gaussian")),
        (f"weights e^(−d²/σ²), σ = {number(p.sigma)}", p.weights == "gaussian"),
        ("normalised", normalised(p)),
        ("axes stretched", bool(p.stretch)),
        ("all must agree", p.disagree != "vote"),
    )
    return (f"k = {p.k}", name, *(text for text, holds in said if holds))


def normalised(p: Params) -> bool:
    return p.normalise and p.metric == "minkowski"


def start(given: Setting, s: State) -> Note:
    return note("The memory is empty: no place can be classified yet.")


def store(given: Setting, s: State) -> Note:
    """The note that all examples are stored."""
    p = given.p
    found = (
        (NORMALISED, normalised(p)),
        (STRETCHED, any(f != 1 for f in p.stretch)),
        (CLAMPED, p.k > given.n),
    )
    facts = [fact for fact, holds in found if holds]
    count = "the only example" if given.n == 1 else "{n:the|all} {n} {n:example|examples}"
    lead = f"Store {count}. That is all the learning there is: the work begins with a question."
    return note(lead, *facts, n=given.n, k=p.k)


def query(given: Setting, s: State) -> Note:
    """The note of the query: its place, or its value in each compared column where columns hold
    words.
    """
    problem = given.problem
    q = s.query
    about = tag_if_drawn(given, "query")
    if all(feature.numeric for feature in problem.features):
        return note("Which class has “?” at {q}?", q=Operand(q, "q", about))
    said = [
        f"{problem.features[j].title} = {problem.features[j].text(float(q[j]))}"
        for j in given.space.kept
    ]
    many = len(said) > _SPELT
    few = Operand(", ".join(said[:_SPELT]) + (", …" if many else ""), "q", about)
    every = ", ".join(said[:_LISTED]) + (", …" if len(said) > _LISTED else "")
    return note("Which class has “?” with {q}?", *((QUERY,) if many else ()), q=few, all=every)


def keep(given: Setting, s: State, skipped: int) -> Note | tuple[Note, Choice]:
    """The note and choice of an example that joins the best. skipped: farther examples passed since
    the last note
    """
    problem, k = given.problem, given.k
    skipped = 0 if given.n <= EACH_IS_A_STEP else skipped
    if s.dropped >= 0:
        lead = "{point} is closer: {d} < {kth}." + (
            "" if k == 1 else " {out} drops out of the {k} best."
        )
    elif k == 1:
        lead = "{point} is the first example: nothing is nearer yet."
    else:
        lead = "{point} is kept: place {held} of {k} was free."
    before = (
        "The {skipped} {skipped:example|examples} before it are farther. "
        if skipped > 1
        else "The example before it is farther. "
    )
    digits = telling_digits(s.distance, s.former) if s.dropped >= 0 else 2
    formulas, operands = measured(given, s, digits)
    previous = tag_if_drawn(given, "former") if s.dropped >= 0 else ""
    words = note(
        (before if skipped else "") + lead + _called(s.label, k),
        *formulas,
        kth=Operand(s.former, "d", previous, digits),
        out=Operand(problem.names[s.dropped], about=previous),
        label=problem.class_text(int(problem.codes[s.looked])),
        called=problem.class_text(s.label),
        skipped=skipped,
        held=len(s.neighbours),
        k=k,
        **operands,
    )
    if s.dropped < 0:
        return words
    return words, nearer_choice(problem, s, s.dropped, s.former, 1, False, previous)


def _called(label: int, k: int) -> str:
    if k == 1:
        return " Its class is {label}, so “?” becomes {called}."
    return (
        " The vote so far: {called}." if label >= 0 else " They disagree: “?” has no class so far."
    )


def look(
    given: Setting,
    s: State,
    tie: bool = False,
    run: tuple[int, int] | None = None,
    hand: bool = False,
) -> Words:
    """The note and choice of an example that is not closer than the k-th best. run: (first, end)
    where it is the nearest of several
    """
    if run:
        return run_note(given, s, *run)
    lead = "{point} is farther: {d} > {kth}. It stays out."
    if tie:
        lead = (
            "{point} is exactly as near as {rim}: {d}. The lower row number stays, so {point} stays"
            " out."
        )
        lead = (
            "{point} is exactly as near as {rim}: {d}. By hand it takes the place of {rim}."
            if hand
            else lead
        )
    digits = 2 if tie else telling_digits(s.distance, s.radius)
    formulas, operands = measured(given, s, digits)
    tag = tag_if_drawn(given, "rim")
    last = int(s.neighbours[-1])
    rim, kth = Operand(given.problem.names[last], about=tag), Operand(s.radius, "d", tag, digits)
    words = note(lead, *formulas, rim=rim, kth=kth, **operands)
    return words, nearer_choice(given.problem, s, last, s.radius, int(hand), tie, tag)


def run_note(given: Setting, s: State, first: int, end: int) -> Note:
    """The note of the examples at positions first … end − 1 together, the nearest of which is
    looked at.
    """
    names = given.problem.names
    return note(
        "{first} to {last}: {count} {count:example|examples}, none closer than {kth}. The nearest"
        " of them is {point}, at {d}.",
        first=names[given.rows[first]],
        last=names[given.rows[end - 1]],
        count=end - first,
        point=Operand(names[s.looked], about="looked"),
        d=Operand(s.distance, "d", "looked"),
        kth=Operand(s.radius, "d", tag_if_drawn(given, "rim")),
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    if not s.stored:
        return Explanation(-1, note("Nothing is stored yet, so no place has a class."))
    if not given.comparable(x[None])[0]:
        return Explanation(
            -1, note("A number of this row is missing, so its distances are unknown.")
        )
    near = with_neighbours(given, replace(s, query=x, looked=-1), given.nearest(x))
    layers = [*frame(given, near), *probe_layers(given, near)] if given.problem.plane else []
    words = explain_note(given, near, given.as_near(x, near.neighbours))
    return Explanation(near.label, words, vote_bars(given, near, ""), tuple(layers))
