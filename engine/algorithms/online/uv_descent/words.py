"""What UV-decomposition says."""

from engine.algorithms.online.uv_descent import Params, Setting, State
from engine.authoring import Fact, Float, Formula, Mapping, Note, Operand, note, np, short
from engine.base.notation import subscript
from engine.base.tags import joined

SUMMARY = (
    "Finds two thin matrices whose product is near a table in its known entries, and so says"
    " something of the missing ones. Every known entry pulls at the row of U and the column of V"
    " that make it."
)
ERRATA = (
    (
        "MMDS Ex 12.10 moves each element of u and v by the fraction η of the change that would"
        " make the entry fit. Each such change supposes that it is alone: moved together, and"
        " divided by elements near 0, they diverge. The step here is that of the squared error; the"
        " printed one is offered as a step."
    ),
)
FEW = 4  # terms of a product that are written out
GRADIENT = (
    Formula("u ←", "{u} + {eta} · {e} · {v}", "{u2}"),
    Formula("v ←", "{v} + {eta} · {e} · {u}", "{v2}"),
)
PRINTED = (
    Formula("u ←", "{u} + {eta} · {e} / {v}", "{u2}"),
    Formula("v ←", "{v} + {eta} · {e} / {u}", "{v2}"),
)
TAKEN_RATE = Fact("η, by the size of the entries", "{eta}")
FIT = Fact("e", "{e} → {after}")
TEST = Fact("RMSE of the {k} held out", "{test}")


def wording(p: Params) -> Mapping[str, str]:
    return {"move": "    u ← u + η e / v;  v ← v + η e / u"} if p.step == "printed" else {}


def chips(p: Params) -> tuple[str, ...]:
    rate = f"η {short(p.rate)}" if p.rate else "η automatic"
    printed = ("printed step",) if p.step == "printed" else ()
    return (f"rank {p.rank}", rate, *printed)


def entry(given: Setting, s: State, u: Float, v: Float, e: float = 0.0) -> dict[str, Operand]:
    """The operands of the current entry: row u of U and column v of V before this step, error e."""
    problem = given.problem
    factors = given.factors
    i, j = s.place
    row = problem.row_tags[i]
    column = problem.column_tags[j]
    m = float(problem.X[i, j])
    return {
        "row": Operand(problem.names[i], about=row),
        "column": Operand(problem.titles[j], about=column),
        "m": Operand(m, "m", joined(row, column)),
        "e": Operand(e, "e"),
        "p": Operand(m - e, "u · v"),
        "u": Operand(u, "u", joined(row, *factors)),
        "v": Operand(v, "v", joined(*factors, column)),
        "eta": Operand(given.rate, "η", digits=-1),
    }


def start(given: Setting, s: State) -> Note:
    taken = (TAKEN_RATE,) if given.p.rate is None else ()
    lead = (
        "{known} {known:entry is|entries are} known and {blanks} missing; {k} {k:is|are} held out."
        " U and V begin with drawn numbers."
    )
    return note(
        lead,
        Fact("RMSE", "{rmse}"),
        *taken,
        known=len(given.known),
        blanks=given.problem.X.size - len(given.known),
        k=len(s.held),
        rmse=s.rmse,
        eta=Operand(given.rate, "η", digits=-1),
    )


def round(given: Setting, s: State) -> Note:
    order = "in turn" if given.p.order == "in turn" else "in random order"
    return note(
        "Round {round}: every known entry that is not held out, {order}.",
        round=s.round,
        order=order,
    )


def look(given: Setting, s: State) -> Note:
    return note("The entry of row {row} and column {column} is {m}.", **entry(given, s, s.u, s.v))


def error(given: Setting, s: State, e: float) -> Note:
    operands = entry(given, s, s.u, s.v, e)
    product = "{u} · {v}"
    if given.p.rank <= FEW:
        product = " + ".join(f"{{u{k}}} · {{v{k}}}" for k in range(given.p.rank))
        operands |= factors(given, s, operands["row"].about, operands["column"].about)
    lead = "U V says {p} of the entry of row {row} and column {column}, which is {m}."
    return note(
        lead,
        Formula("u · v =", product, "{p}"),
        Formula("e =", "{m} − {p}", "{e}"),
        **operands,
    )


def factors(given: Setting, s: State, row: str, column: str) -> dict[str, Operand]:
    """The operands u0, v0, u1, v1, … of the terms of u · v. row, column: tags"""
    operands = {}
    for k, factor in enumerate(given.factors):
        name = subscript(k + 1)
        operands[f"u{k}"] = Operand(s.u[k], f"u{name}", joined(row, factor))
        operands[f"v{k}"] = Operand(s.v[k], f"v{name}", joined(factor, column))
    return operands


def move(given: Setting, s: State, e: float, u: Float, v: Float) -> Note:
    operands = entry(given, s, u, v, e)
    after = float(given.errors(s.U, s.V, np.array([s.current]))[0])
    lead = "Row {row} of U and column {column} of V move, so that {m} fits better."
    if e == 0:
        lead = "{m} of row {row} and column {column} fits already: nothing moves."
    elif not abs(after) < abs(e):
        lead = "Row {row} of U and column {column} of V move too far: {m} fits worse than before."
    operands["u2"] = Operand(s.u, about=operands["u"].about)
    operands["v2"] = Operand(s.v, about=operands["v"].about)
    operands["after"] = Operand(after if np.isfinite(after) else "beyond all numbers")
    formulas = PRINTED if given.p.step == "printed" else GRADIENT
    return note(lead, *formulas, FIT, **operands)


def until(given: Setting, s: State, before: float, ending: str) -> Note:
    lead = "Round {round} is over: the RMSE goes from {before} to {rmse}."
    if ending == "diverged":
        printed = given.p.step == "printed"
        way_out = "the gradient's step" if printed else "standardise the columns"
        lead = "Diverged in round {round}: the numbers run away. Choose a smaller η, or "
        lead += way_out + "."
    elif ending == "settled":
        lead = "Settled after round {round}: the RMSE hardly changes any more, {before} → {rmse}."
    elif s.rmse > before:
        lead = "Round {round} is over: the RMSE has risen from {before} to {rmse}."
    facts = (TEST,) if np.isfinite(s.test) else ()
    return note(lead, *facts, round=s.round, k=len(s.held), before=before, rmse=s.rmse, test=s.test)
