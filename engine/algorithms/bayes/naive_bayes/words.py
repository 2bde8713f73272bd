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
from engine.base.notation import Share, counted, number, value_text
from engine.numerics.boolean import to_values
from engine.protocol.step import verbatim
from engine.scene.boolean import has_map

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
        "MIT 2.5.29 swaps the parties. Its weights are those of class democrat: a yes on"
        " physician-fee-freeze marks a republican."
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
POSTERIOR = Formula("P({plus} | x) =", "{t0} / ({t0} + {t1})", "{posterior}")
WEIGHTS = (Fact("weights w of x = 1", "{w}"), Fact("bias b", "{b}"))
SCORE = Fact("w · x + b", "{wx} + {b} = {rule}")
WRONG = Fact("wrong examples", "{errors}")
_FACTORS = 8  # of a product that are written out
TIE = "a tie gives the second class"


def chips(p: Params) -> tuple[str, ...]:
    options = {
        "Laplace": p.laplace,
        f"m = {p.m}": p.m and not p.laplace,
        "logarithms": p.logs,
        "with prior": p.prior,
        "floats": p.arithmetic == "floats",
    }
    return tuple(text for text, chosen in options.items() if chosen) or ("raw counts",)


def classes(given: Setting) -> dict[str, str]:
    """The operands `plus` and `minus`: the names of the two classes."""
    return {"plus": given.problem.class_text(0), "minus": given.problem.class_text(1)}


def column_name(given: Setting, s: State, about: str) -> Operand:
    return Operand(given.problem.features[s.column].title, about=about)


def split(given: Setting, s: State) -> Note:
    lead = (
        "Examples of class {plus}: {p}, of class {minus}: {n}. Nothing is counted yet, so all"
        " products are empty"
    )
    lead += ", and the prior alone speaks." if given.p.prior else ": a tie."
    return note(lead, p=len(given.P), n=len(given.N), **classes(given))


def count(given: Setting, s: State) -> Note:
    return note("Next column: {column}.", column=column_name(given, s, "rows"))


def positive(given: Setting, s: State, shares: tuple[Share, ...]) -> Note:
    """The note of the shares in the first class, with the column they are counted from."""
    label = given.problem.class_text(0)
    facts = [
        Fact(f"R({verbatim(value_name(given.problem, s.column, v))})", f"{{a{v}}}")
        for v in range(len(shares))
    ]
    numbers = {f"a{v}": Operand(share, about="rows") for v, share in enumerate(shares)}
    lead = "{column} among the examples of class {label}."
    return note(lead, *facts, column=column_name(given, s, "rows"), label=label, **numbers)


def negative(given: Setting, s: State) -> Note:
    """The note of R for every value of the last counted column."""
    j = s.column
    shares = s.R[j]
    facts = []
    numbers = {}
    for v, (plus, minus) in enumerate(shares):
        name = verbatim(value_name(given.problem, j, v))
        facts.append(Fact(f"R({name})", f"{{a{v}}} in class {{plus}}, {{b{v}}} in class {{minus}}"))
        numbers[f"a{v}"] = Operand(plus, about="column")
        numbers[f"b{v}"] = Operand(minus, about="column")
    lead = (
        "{column}: how often does each value occur in class {plus}, and how often in class {minus}?"
    )
    if given.p.laplace:
        lead += " Laplace: 1 more in each count, {size} more in its whole, so no share is 0 or 1."
    elif given.p.m:
        lead += (
            " m-estimate: {m} more in the whole, shared out evenly to the {size}"
            " {size:value|values}."
        )
    elif any(0 in (plus.part, minus.part) for plus, minus in shares):
        lead += " A share of 0 is a veto: this value alone rules its class out."
    column = column_name(given, s, "column")
    common = {"column": column, "size": len(shares), "m": given.p.m, "errors": s.errors}
    return note(lead, *facts, WRONG, **common, **numbers, **classes(given))


def query(given: Setting, s: State) -> Note:
    values = ", ".join(value_name(given.problem, j, v) for j, v in enumerate(s.query[:12]))
    lead = "Which class has the example with {values}? "
    facts: tuple[Fact, ...] = ()
    shares = {}
    if given.p.prior:
        lead += "Each class starts with its share of the examples."
        facts = PRIOR
        shares = {"p0": exact(s.prior[0]), "p1": exact(s.prior[1])}
    else:
        lead += "Both classes start with S = 1."
    if linear(given):
        facts += WEIGHTS
    query = Operand(values, about="query" if has_map(given.problem) else "")
    return note(lead, *facts, values=query, **shares, **rule(given, s), **classes(given))


def rule(given: Setting, s: State) -> dict[str, Operand]:
    """The operands of the linear rule w · x + b, where x is 1 for the value that counts as 1; {}
    where the rule is not linear.
    """
    if not linear(given):
        return {}
    weights = s.weights
    bias = bias_of(given, s)
    voted = float(weights[s.query == np.asarray(s.ones)].sum())
    shown: Any = tuple(weights.tolist())
    if len(weights) > 12:
        shown = f"{counted(len(weights), 'number')}, below"
    return {
        "w": Operand(shown, "w", "weights"),
        "b": Operand(bias, "b", "weights"),
        "wx": Operand(voted, "w · x"),
        "rule": Operand(voted + bias, "w · x + b"),
    }


def factor(given: Setting, s: State) -> Note:
    j = s.column
    logs = given.p.logs
    earlier = replace(s, used=j)
    before, after = S(given, earlier), S(given, s)
    shown_before, _ = texts(given, earlier, alone=True)
    shown_after, logs_after = texts(given, s, alone=True)
    shares = s.R[j][int(s.query[j])]
    numbers: dict[str, Any] = {}
    for c, share in enumerate(shares):
        log = float(before[c]) if given.kind == "logs" else logarithm(before[c])
        numbers[f"s{c}"] = _product(shown_before[c], before[c])
        numbers[f"r{c}"] = Operand(share, "R(x, class)", "column")
        numbers[f"t{c}"] = Operand(shown_after[c], "S")
        numbers[f"l{c}"] = Operand(log, "ln S", digits=3)
        numbers[f"m{c}"] = Operand(logs_after[c], "ln S")
    how = "add the logarithm of" if logs else "multiply by"
    lead = f"{{value}}: {how} how usual this value is in each class."
    vanished = [
        share.part and old and not new
        for share, old, new in zip(shares, before, after, strict=True)
    ]
    if not logs and any(vanished):
        lead += " The product is smaller than floats can be: it underflows to 0 and stays there."
    value = Operand(value_name(given.problem, j, s.query[j]), about="column")
    return note(lead, *(SUMS if logs else TIMES), value=value, **numbers, **classes(given))


def _product(shown: Any, value: Any) -> Operand:
    """A product S as a factor: what is shown of it, or the number itself where that is no fraction
    and a float holds it.
    """
    size = float(value)
    rounds_alike = isinstance(shown, str) and size > 0 and shown == number(size, 4)
    return Operand(size if rounds_alike else shown, "S", digits=4)


def answer(given: Setting, s: State) -> tuple[Note, Choice]:
    problem = given.problem
    first, second = S(given, s)
    tie = first == second
    chosen = 0 if first > second else 1
    sign = ">" if first > second else "<"
    never = vetoes(given, s)
    lead = "Class {answer} has the larger product S: that is the answer."
    if given.p.logs:
        lead = "Class {answer} has the larger sum ln S: that is the answer."
    if tie:
        sign = "="
        same = "S is exactly the same"
        if first == 0 and not given.p.logs and len(never) < 2:
            lost = "One product" if never else "Both products"
            same = f"{lost} underflowed to 0, so S reads the same"
        lead = f"{same} for both classes. A tie gives the second one: class {{answer}}."
    numbers: dict[str, Any] = {"answer": problem.class_text(chosen), "sign": sign}
    numbers["errors"] = s.errors
    shown, logs = texts(given, s)
    for c in (0, 1):
        name = f"S({problem.class_text(c)})"
        numbers[f"t{c}"] = Operand(shown[c], name)
        numbers[f"m{c}"] = Operand(logs[c], f"ln {name}")
    facts = []
    for c, text in never.items():
        numbers[f"never{c}"] = Operand(text, about="column")
        label = verbatim(problem.class_text(c))
        facts.append(Fact(f"never seen in class {label}", f"{{never{c}}}"))
    if linear(given):
        facts.append(SCORE)
        numbers |= rule(given, s)
    comparison = [COMPARE_LOGS if given.p.logs else COMPARE]
    if given.p.prior and (chance := posterior(given, s)) is not None:
        comparison.append(POSTERIOR)
        numbers["posterior"] = Operand(chance, f"P({problem.class_text(0)} | x)")
        numbers |= classes(given)
    said = note(lead, *comparison, *facts, WRONG, **numbers)
    return said, answer_choice(given, s, chosen, tie)


def posterior(given: Setting, s: State) -> float | None:
    """P(first class | x) by Bayes' rule, S(+) / (S(+) + S(−)) with the prior in both; None where
    both are 0 (MIT 2.5.30-2.5.39).
    """
    (first, second), _ = sizes(given, s)
    whole = first + second
    return first / whole if whole > 0 else None


def answer_choice(given: Setting, s: State, chosen: int, tie: bool) -> Choice:
    """The choice between the classes by their products. chosen: class code; tie: whether the
    products are equal
    """
    shown, logs = texts(given, s)
    scored, unit = sizes(given, s)
    options = tuple(
        Option(
            given.problem.class_text(c),
            scored[c],
            detail=f"ln S = {logs[c]}" if given.p.logs else f"S = {value_text(shown[c])}",
            value=c,
        )
        for c in (0, 1)
    )
    winners = (0, 1) if tie else (chosen,)
    return Choice("Which class?", options, winners, chosen, TIE if tie else "", unit)


def vetoes(given: Setting, s: State) -> dict[int, str]:
    """{class code: names of the query's values never seen in it}, for classes whose product is 0
    for that reason.
    """
    names = {}
    for c in (0, 1):
        never = [j for j in range(s.used) if s.R[j][int(s.query[j])][c].part == 0]
        if never:
            shown = [value_name(given.problem, j, s.query[j]) for j in never[:4]]
            if len(never) > 4:
                shown.append("…")
            names[c] = ", ".join(shown)
    return names


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,), with both products factor by factor."""
    problem = given.problem
    place = to_values(given.problem.features, x[None])[0]
    s = replace(s, query=frozen(place), used=len(s.R), column=-1)
    first, second = S(given, s)
    shown, _ = texts(given, s)
    lead = "Class {answer} has the larger S."
    if first == second:
        lead = "S is exactly the same for both classes; a tie gives class {answer}."
    numbers: dict[str, Any] = {
        "answer": problem.class_text(0 if first > second else 1),
        "t0": shown[0],
        "t1": shown[1],
    }
    for c in (0, 1):
        factors = [value_text(exact(s.prior[c]))] if given.p.prior else []
        factors += [value_text(s.R[j][int(s.query[j])][c]) for j in range(min(s.used, _FACTORS))]
        if s.used > _FACTORS:
            factors.append("…")
        name = f"Π R(x, {problem.class_text(c)})"
        numbers[f"f{c}"] = Operand(" · ".join(factors) or "1", name)
    formulas = (Formula("S({plus}) =", "{f0}", "{t0}"), Formula("S({minus}) =", "{f1}", "{t1}"))
    said = note(lead, *formulas, **numbers, **classes(given))
    label = int(predict(given, s, x[None])[0])
    return Explanation(label, said, vote_bars(given, s) if s.used else None)
