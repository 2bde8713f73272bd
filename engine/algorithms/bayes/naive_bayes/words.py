"""What naive Bayes says, in fractions as they are counted."""

from typing import Any

from engine.algorithms.bayes.naive_bayes import Params, S, Setting, State, predict
from engine.algorithms.bayes.naive_bayes.picture import vote_bars
from engine.algorithms.bayes.naive_bayes.reading import (
    bias_of,
    exact,
    linear,
    logarithm,
    sizes,
    texts,
    value_name,
)
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    Option,
    frozen,
    note,
    np,
    replace,
)
from engine.core.notation import Share, counted, number, value_text
from engine.core.step import verbatim
from engine.numerics.boolean import to_values
from engine.pictures.boolean import has_map

SUMMARY = (
    "Counts in one pass how usual each value is in each class. A new example gets the class whose"
    " shares have the larger product, as if the columns did not depend on each other."
)
ERRATA = (
    (
        "MIT 2.5.17 says that value 1 was never seen among the positives. Its example is value 0,"
        " never seen among the negatives."
    ),
    "MIT 2.5.21 prints the products without brackets. The factors are (α x + (1 − α)(1 − x)).",
    (
        "MIT 2.5.22: the votes need a bias beside them, Σ ln((1 − α)/(1 − β)); their sum alone is"
        " not the comparison."
    ),
    (
        "MIT 2.5.27 says it loses to trees on the voting data because trees combine columns. One"
        " column alone does better than the full tree there."
    ),
)
TIMES = (
    Formula("S({plus}) ←", "{s0} · {r0}", "{t0}"),
    Formula("S({minus}) ←", "{s1} · {r1}", "{t1}"),
)
SUMS = (
    Formula("ln S({plus}) ←", "{l0} + ln {r0}", "{m0}"),
    Formula("ln S({minus}) ←", "{l1} + ln {r1}", "{m1}"),
)
PRIOR = (Fact("P({plus})", "{p0}"), Fact("P({minus})", "{p1}"))
COMPARE = Formula("", "{t0} {sign} {t1}")
COMPARE_LOGS = Formula("", "{m0} {sign} {m1}")
WEIGHTS = (Fact("weights w of x = 1", "{w}"), Fact("bias b", "{b}"))
SCORE = Fact("w · x + b", "{wx} + {b} = {rule}")
WRONG = Fact("wrong examples", "{errors}")
TIE = "S must be strictly larger for the first class: a tie gives the second one"


def chips(p: Params) -> tuple[str, ...]:
    said = {
        "Laplace": p.laplace,
        "logarithms": p.logs,
        "with prior": p.prior,
        "floats": p.arithmetic == "floats",
    }
    return tuple(text for text, holds in said.items() if holds) or ("raw counts",)


def classes(given: Setting) -> dict[str, str]:
    return {"plus": given.problem.class_text(0), "minus": given.problem.class_text(1)}


def column_name(given: Setting, s: State, about: str) -> Operand:
    return Operand(given.problem.features[s.column].title, about=about)


def split(given: Setting, s: State) -> Note:
    lead = (
        "Examples of class {plus}: {p}, of class {minus}: {n}. Nothing is counted yet, so all"
        " products are empty: a tie."
    )
    return note(lead, p=len(given.P), n=len(given.N), **classes(given))


def count(given: Setting, s: State) -> Note:
    return note("Next column: {column}.", column=column_name(given, s, "rows"))


def positive(given: Setting, s: State, shares: tuple[Share, ...]) -> Note:
    """The shares in one class alone: the table of shares will show them, now there is only the
    column they come from.
    """
    label = given.problem.class_text(0)
    facts = [
        Fact(f"R({verbatim(value_name(given.problem, s.column, v))})", f"{{a{v}}}")
        for v in range(len(shares))
    ]
    numbers = {f"a{v}": Operand(share, about="rows") for v, share in enumerate(shares)}
    lead = "{column} among the examples of class {label}."
    return note(lead, *facts, column=column_name(given, s, "rows"), label=label, **numbers)


def negative(given: Setting, s: State) -> Note:
    """R for every value of the column that was counted last."""
    j = s.column
    shares = s.R[s.column]
    names = [verbatim(value_name(given.problem, j, v)) for v in range(len(shares))]
    said = "{{a{v}}} in class {{plus}}, {{b{v}}} in class {{minus}}"
    facts = [Fact(f"R({name})", said.format(v=v)) for v, name in enumerate(names)]
    numbers = {
        f"{c}{v}": Operand(shares[v]["ab".index(c)], about="column")
        for v in range(len(shares))
        for c in "ab"
    }
    lead = (
        "{column}: how often does each value occur in class {plus}, and how often in class {minus}?"
    )
    if given.p.laplace:
        lead += " Laplace: 1 more in each count, {size} more in its whole, so no share is 0 or 1."
    elif any(0 in (a.part, b.part) for a, b in shares):
        lead += " A share of 0 is a veto: this value alone rules its class out."
    told = {"column": column_name(given, s, "column"), "size": len(shares), "errors": s.errors}
    return note(lead, *facts, WRONG, **told, **numbers, **classes(given))


def query(given: Setting, s: State) -> Note:
    values = ", ".join(value_name(given.problem, j, v) for j, v in enumerate(s.query[:12]))
    lead = "Which class has the example with {values}? "
    lead += (
        "Each class starts with its share of the examples."
        if given.p.prior
        else "Both classes start with S = 1."
    )
    shares = {f"p{code}": exact(s.prior[code]) for code in (0, 1)} if given.p.prior else {}
    asked = Operand(values, about="query" if has_map(given.problem) else "")
    facts = (*(PRIOR if given.p.prior else ()), *(WEIGHTS if linear(given) else ()))
    return note(lead, *facts, values=asked, **shares, **rule(given, s), **classes(given))


def rule(given: Setting, s: State) -> dict[str, Operand]:
    """The operands of w · x + b; x is 1 where the query has the value that counts as 1."""
    if not linear(given):
        return {}
    weights = s.weights
    bias = bias_of(given, s)
    voted = float(weights[s.query == np.asarray(s.ones)].sum())
    shown = (
        tuple(weights.tolist())
        if len(weights) <= 12
        else f"{counted(len(weights), 'number')}, below"
    )
    return {
        "w": Operand(shown, "w", "weights"),
        "b": Operand(bias, "b", "weights"),
        "wx": Operand(voted, "w · x"),
        "rule": Operand(voted + bias, "w · x + b"),
    }


def factor(given: Setting, s: State) -> Note:
    j = s.column
    logs = given.p.logs
    earlier = replace(s, used=s.column)
    (before, _), (after, after_logs) = (
        texts(given, earlier, alone=True),
        texts(given, s, alone=True),
    )
    shares = s.R[j][int(s.query[j])]
    numbers: dict[str, Any] = {}
    for c, share in enumerate(shares):
        numbers |= {
            f"s{c}": _product(before[c], S(given, earlier)[c]),
            f"t{c}": Operand(after[c], "S"),
        }
        numbers[f"r{c}"] = Operand(share, "R(x, class)", "column")
        product = S(given, earlier)[c]
        log = float(product) if given.kind == "logs" else logarithm(product)
        numbers |= {
            f"l{c}": Operand(log, "ln S", digits=3),
            f"m{c}": Operand(after_logs[c], "ln S"),
        }
    lead = (
        f"{{value}}: {'add the logarithm of' if logs else 'multiply by'} how usual this value is in"
        " each class."
    )
    if not logs and any(
        r.part and not t and e
        for r, t, e in zip(shares, S(given, s), S(given, earlier), strict=True)
    ):
        lead += " The product is smaller than floats can be: it underflows to 0 and stays there."
    value = Operand(value_name(given.problem, j, s.query[j]), about="column")
    return note(lead, *(SUMS if logs else TIMES), value=value, **numbers, **classes(given))


def _product(shown: Any, value: Any) -> Operand:
    """A product S as a factor: what is shown of it, or the number itself where that is no fraction
    and a float holds it.
    """
    size = float(value)
    return Operand(
        size if isinstance(shown, str) and size > 0 and shown == number(size, 4) else shown,
        "S",
        digits=4,
    )


def answer(given: Setting, s: State) -> tuple[Note, Choice]:
    problem = given.problem
    first, second = S(given, s)
    never = vetoes(given, s)
    lead = "Class {answer} has the larger product S: that is the answer."
    if first == second:
        lost = first == 0 and not given.p.logs and len(never) < 2
        same = (
            f"{'One product' if never else 'Both products'} underflowed to 0, so S reads the same"
            if lost
            else "S is exactly the same"
        )
        lead = f"{same} for both classes. A tie gives the second one: class {{answer}}."
    chosen = 0 if first > second else 1
    sign = ">" if first > second else "=" if first == second else "<"
    told: dict[str, Any] = {"answer": problem.class_text(chosen), "sign": sign, "errors": s.errors}
    shown, logs = texts(given, s)
    for c in (0, 1):
        name = f"S({problem.class_text(c)})"
        told |= {f"t{c}": Operand(shown[c], name), f"m{c}": Operand(logs[c], f"ln {name}")}
    told |= {f"never{c}": Operand(text, about="column") for c, text in never.items()} | rule(
        given, s
    )
    facts = [
        Fact(f"never seen in class {verbatim(problem.class_text(c))}", f"{{never{c}}}")
        for c in never
    ]
    facts += [SCORE] * linear(given)
    said = note(lead, COMPARE_LOGS if given.p.logs else COMPARE, *facts, WRONG, **told)
    scored, unit = sizes(given, s)
    details = [f"S = {value_text(text)}" for text in shown]
    options = tuple(
        Option(problem.class_text(c), scored[c], detail=details[c], value=c) for c in (0, 1)
    )
    winners = (0, 1) if first == second else (chosen,)
    return said, Choice(
        "Which class?", options, winners, chosen, TIE if first == second else "", unit
    )


def vetoes(given: Setting, s: State) -> dict[int, str]:
    """Which values of the query were never seen in a class, so that its product is 0."""
    names = {}
    for c in (0, 1):
        never = [j for j in range(s.used) if s.R[j][int(s.query[j])][c].part == 0]
        if never:
            shown = ", ".join(value_name(given.problem, j, s.query[j]) for j in never[:4])
            names[c] = shown + (", …" if never[4:] else "")
    return names


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The whole product of a place, factor by factor."""
    problem = given.problem
    place = to_values(given.problem.features, x[None])[0]
    s = replace(s, query=frozen(place), used=len(s.R), column=-1)
    first, second = S(given, s)
    shown, _ = texts(given, s)
    tie = "S is exactly the same for both classes; a tie gives class {answer}."
    lead = tie if first == second else "Class {answer} has the larger S."
    told: dict[str, Any] = {
        "answer": problem.class_text(0 if first > second else 1),
        "t0": shown[0],
        "t1": shown[1],
    }
    for c in (0, 1):
        shares = [value_text(s.R[j][int(s.query[j])][c]) for j in range(min(s.used, 8))]
        shares = [value_text(exact(s.prior[c]))] * given.p.prior + shares + ["…"] * (s.used > 8)
        told[f"f{c}"] = Operand(" · ".join(shares) or "1", f"Π R(x, {problem.class_text(c)})")
    formulas = (Formula("S({plus}) =", "{f0}", "{t0}"), Formula("S({minus}) =", "{f1}", "{t1}"))
    label = int(predict(given, s, x[None])[0])
    return Explanation(
        label,
        note(lead, *formulas, **told, **classes(given)),
        vote_bars(given, s) if s.used else None,
    )
