"""What an RBF network says: centres, widths, the fit of the output, and what each unit adds to a
value. ML 8.4.
"""

from engine.algorithms.regression.parts.fits import explain_value
from engine.algorithms.regression.parts.least_squares import root_mean_square
from engine.algorithms.regression.rbf_network import OVERLAP, Params, Setting, State, phi
from engine.algorithms.regression.rbf_network.units import gaps
from engine.authoring import Explanation, Fact, Float, Formula, Mapping, Note, Operand, note, np
from engine.base.notation import agreeing_digits, subscript
from engine.numerics.distances import squared_distances

SUMMARY = (
    "Hidden units answer only near their centres; the output adds these bumps up, each times a"
    " weight."
)
ERRATA = (
    (
        "ML 8.4 gives the form alone. Where centres, widths and weights come from is the lab's own"
        " choice."
    ),
)
ERRORS = (Fact("Σ (y − h)²", "{loss}"), Fact("RMSE", "{rmse}"))
SIGMA = Formula("σ₁ =", "{factor} · {near}", "{sigma}")
PLACED = {"all examples": ", one at each different example.", "by hand": ", placed by hand."}


def wording(p: Params) -> Mapping[str, str]:
    """Replaced texts of lines for these parameters."""
    lines = {}
    if p.centres != "k-means":
        lines["move"] = "  the centres stay where they are"
    if p.widths == "one for all":
        lines["width"] = "σᵤ ← the same for all"
    if p.fit == "descent":
        lines["fit"] = "w ← w + α Σ (y − h(x)) φ(x)"
    return lines


def chips(p: Params) -> tuple[str, ...]:
    units = () if p.centres in PLACED else (f"k = {p.k}",)
    return (p.centres, *units, f"widths {p.widths}", p.fit)


def place(given: Setting, s: State) -> Note:
    lead = "{k} {k:unit|units}" + PLACED.get(given.p.centres, " at examples drawn at random.")
    if given.random_centres and len(s.centres) < given.p.k:
        lead = "{k} {k:unit|units}, not {wanted}: there are no more different examples."
    return note(lead, k=Operand(len(s.centres), "k", "centres"), wanted=given.p.k)


def move(given: Setting, s: State) -> Note:
    moved = int((s.centres != s.before).any(axis=1).sum())
    lead = (
        "{moved} {moved:centre goes|centres go} to the mean of the examples nearest to"
        " {moved:it|them}."
    )
    if not moved:
        nearest = squared_distances(given.X, s.centres).argmin(axis=1)
        lead = "Every centre is the mean of its nearest examples: all stay."
        if len(np.unique(nearest)) < len(s.centres):
            lead = "Every centre is the mean of its nearest examples, or has none: all stay."
    return note(lead, moved=Operand(moved, about="centres"))


def width(given: Setting, s: State) -> Note:
    sigma = Operand(float(s.widths[0]), "σ₁", "unit 1 0")
    factor = given.p.width or OVERLAP
    if given.p.widths == "one for all":
        return note(
            "{k:The unit is|The units are} {sigma} wide{k:|, all alike}.",
            sigma=sigma,
            k=len(s.centres),
        )
    near = sigma.value / factor
    lead = "Each unit is {factor} of the way to its next centre wide."
    name = "|μ₁ − next|"
    together = np.isinf(gaps(s.centres))
    if together.all():
        lead, name = apart(given, s)
    elif together.sum() > len(s.centres):
        lead = "Each unit is {factor} of the way to the next centre at another place wide."
    digits = agreeing_digits([near], lambda d: factor * d, sigma.value)
    return note(
        lead,
        SIGMA,
        sigma=sigma,
        k=len(s.centres),
        factor=Operand(factor, "width", digits=-1),
        near=Operand(near, name, "unit 1 0", digits),
    )


def apart(given: Setting, s: State) -> tuple[str, str]:
    """(a sentence, the name of the spread used in place of the distance to the next centre), for
    centres all at one place.
    """
    lead = "{k:There is one centre|All centres lie at one place}: {k:the|each} unit is {factor} of "
    if not given.spread(s.centres):
        return lead + "1 wide, for all examples lie there too.", "1"
    lead += "the root mean square distance of the examples from it wide."
    return lead, "√mean |x − μ|²"


def hidden(given: Setting, s: State) -> Note:
    lead = "Each unit answers 1 at its centre, {one} one width away and {two} two widths away."
    return note(lead, one=float(np.exp(-0.5)), two=float(np.exp(-2.0)))


def fit(given: Setting, s: State, loss_before: float = np.nan) -> Note:
    lead = "Least squares: w₀ and {k} {k:weight|weights} at one stroke."
    if given.p.fit == "descent":
        lead = "Step {step}: each weight moves by what its unit answers where h errs."
        if not s.loss <= loss_before:
            lead = "Step {step} goes uphill: the rate is too large."
    return errors(given, s, lead)


def end(given: Setting, s: State) -> Note:
    return errors(given, s, "h is the sum of {k} {k:bump|bumps} on the level w₀ = {w0}.")


def errors(given: Setting, s: State, lead: str) -> Note:
    """A note with this lead and the errors of the network."""
    return note(
        lead,
        *ERRORS,
        k=Operand(len(s.centres), about="centres"),
        loss=Operand(s.loss, digits=3),
        rmse=Operand(root_mean_square(s.loss, given.n), about="errors", digits=3),
        step=s.steps,
        w0=Operand(s.weights[0], "w₀"),
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The value at x (d,), with the part of each unit."""
    if not s.fitted:
        nothing = note("The output is not fitted yet, so every place has the value 0.")
        return Explanation(-1, nothing)
    answers = phi(x[None], s.centres, s.widths)[0, 1:]
    names = tuple(f"μ{subscript(u + 1)}" for u in range(len(answers)))
    return explain_value(given.problem, s.weights, answers, names, "φ")
