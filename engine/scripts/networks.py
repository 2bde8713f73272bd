"""Networks: layers of units, back-propagation."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from engine.algorithms.networks.parts.network_setting import LIMIT
from engine.scripts.body import Body, ScriptRun, Writer, filled, join_blocks, refuse
from engine.scripts.linear import LOGISTIC


def wanted(run: ScriptRun, each: bool = False) -> str:
    """The code that sets `target` (n, units), the outputs that the network should give for the
    classes or values y.

    each: one output unit for each class, also of two
    """
    if run.problem.regress:
        return "target = y[:, None]"
    if run.k == 2 and not each:
        return "target = np.where(y[:, None] == 0, 1.0, 0.0)  # one unit: 1 for the first class"
    return "target = np.where(y[:, None] == np.arange(len(CLASSES)), 1.0, 0.0)  # a unit for each class"


CLASSIFY = """
def classify(inputs):
    \"\"\"The class of the largest input; of a single output unit whether it is at least 0.\"\"\"
    return inputs.argmax(axis=1) if inputs.shape[1] > 1 else np.where(inputs[:, 0] >= 0, 0, 1)
"""


def start_weights_text(W: Any) -> str:
    """The code of start weights: zeros, or the numbers as they are."""
    return f"np.array({W.tolist()})" if W.any() else "np.zeros((A.shape[1], target.shape[1]))"


def perceptron_network(run: ScriptRun) -> Body:
    p, given = run.p, run.given
    if run.problem.made_of is not None and p.order == "random" and not run.problem.labelled.all():
        refuse(
            "Perceptron networks in random order shuffle rows without a class too: take the order of the table, or drop them."
        )
    threshold = p.unit == "threshold"
    change = "target[i] - (score(W, A[i]) >= 0)" if threshold else "(target[i] - h) * h * (1 - h)"
    code = filled(
        f"""
        A = np.column_stack([X, np.ones(len(X))])  # the last weight of a unit is its bias
        {wanted(run)}
        <helper>


        {{CLASSIFY}}


        W = {start_weights_text(given.start[:, : given.targets.own])}
        <begin>
        for _ in range(ROUNDS):
            before = W
            for i in {"range(len(A))" if p.order == "table" else "rng.permutation(len(A))"}:
                <answer>
                W = W + RATE * np.outer(A[i], {change})
            if np.array_equal(W, before):
                break


        def decide(X):
            return classify(np.column_stack([X, np.ones(len(X))]) @ W)
        """.replace("{CLASSIFY}", CLASSIFY.strip().replace("\n", "\n        ")),
        helper=SETTLED if threshold else LOGISTIC,
        begin="" if p.order == "table" else "rng = np.random.default_rng(SEED)",
        answer="" if threshold else "h = logistic(A[i] @ W)",
    )
    return Body(
        code,
        (("RATE", given.rate), ("ROUNDS", p.rounds)),
        model=("print(W)",),
        differs=(
            "Output units for columns aside do not change those for the class; they are left out here.",
        ),
        share=0.98,
    )


SETTLED = """
REACH = RATE * np.abs(A).max(axis=0)  # what one mistake changes at most


def score(W, a):
    \"\"\"The input of each unit; what only rounding keeps from being 0 is 0.\"\"\"
    exact = 1e-12 * np.abs(a) @ (np.abs(W) + REACH[:, None])
    return np.where(np.abs(a @ W) <= exact, 0.0, a @ W)
"""
UNITS = {
    "logistic": ("0.5 * np.tanh(0.5 * z) + 0.5", "a * (1 - a)"),
    "tanh": ("np.tanh(z)", "1 - a * a"),
    "identity": ("z", "np.ones_like(a)"),
    "relu": ("np.maximum(z, 0.0)", "np.where(a > 0, 1.0, 0.0)"),
}


STEP = '''
def slope(a):
    return <slope>


def learnt(rows):
    """The weights after one step: Δ at the outputs, then back through the layers."""
    a, _ = forward(X[rows])
    delta = [<last>]
    for W, answers in zip(weights[:0:-1], a[-2:0:-1], strict=True):
        delta.insert(0, slope(answers) * (delta[0] @ W[:-1].T))
    after = [W.copy() for W in weights]
    gaps = zip(after, map(np.atleast_2d, a), map(np.atleast_2d, delta), strict=False)
    for W, answers, d in gaps:
        <decay>
        W[:-1] += RATE / len(d) * (answers.T @ d)
        W[-1] += RATE / len(d) * d.sum(axis=0)
    return after


def bounded(weights):
    return all(np.abs(W).max() < LIMIT for W in weights)  # not where one is no number
'''


def backpropagation(run: ScriptRun) -> Body:
    p = run.p
    given = run.given
    regress = run.problem.regress
    if not regress and given.units.targets.own < given.Y.shape[1]:
        refuse(
            "Outputs for columns aside share the hidden units, which a script of one target cannot: choose outputs “one”."
        )
    g, slope = UNITS[p.activation]
    stochastic = p.mode == "stochastic"
    order = "rng.permutation(len(X))" if p.order == "random" else "range(len(X))"
    steps = order if stochastic else "[slice(None)]"
    last = ("" if regress else "a[-1] * (1 - a[-1]) * ") + "(target[rows] - a[-1])"
    code = filled(
        f"""
        {wanted(run, each=p.outputs == "one per class")}
        rng = np.random.default_rng(SEED)
        <weights>


        def g(z):
            return {g}


        def forward(X):
            \"\"\"What every layer answers, and the inputs of the output units.\"\"\"
            a = [X]
            for W in weights[:-1]:
                a.append(g(a[-1] @ W[:-1] + W[-1]))
            z = a[-1] @ weights[-1][:-1] + weights[-1][-1]
            return [*a, {"z" if regress else "0.5 * np.tanh(0.5 * z) + 0.5"}], z


        <step>


        steps = (rows for _ in range(EPOCHS) for rows in {steps})
        for {"step, rows in enumerate(steps, 1)" if stochastic and p.enough else "rows in steps"}:
            after = learnt(rows)
            if not bounded(after):
                break  # the rate is too large: the lab stops here, with the weights before this step
            weights = after
            <enough>


        <answer>
        """,
        weights=_weights(run),
        step=filled(
            STEP.replace("<last>", last).replace("<slope>", slope),
            decay=f"W[:-1] *= 1 - RATE * {p.decay}" if p.decay else "",
        ),
        enough=_enough(p),
        answer=_answer(regress),
    )
    return Body(
        code,
        (("RATE", p.rate), ("EPOCHS", p.epochs), ("LIMIT", LIMIT)),
        model=("for W in weights:", "    print(W)"),
        differs=(
            "scikit-learn's MLPClassifier draws its weights otherwise, has log-loss and another order: so this is plain numpy.",
            "Where learning is unstable, the last digits of a sum, which differ between computers, decide about some places.",
        ),
        share=0.95,
        close=1e-4,
    )


def _enough(p: Any) -> str:
    """The end of an epoch whose loss is small enough."""
    if not p.enough:
        return ""
    ended = "step % len(X) == 0 and " if p.mode == "stochastic" else ""
    return f"""
    if {ended}((target - forward(X)[0][-1]) ** 2).sum(axis=1).mean() <= {p.enough}:
        break
    """


def _answer(regress: bool) -> str:
    if regress:
        return """
        def predict(X):
            return forward(np.asarray(X, dtype=float))[1][:, 0]
        """
    return join_blocks(
        CLASSIFY,
        "\n\n",
        """
    def decide(X):
        return classify(forward(X)[1])
    """,
    )


def _weights(run: ScriptRun) -> str:
    p = run.p
    sizes = list(run.given.sizes)
    if not p.start:
        return f"""
        sizes = {sizes}  # units of each layer; the last row of a layer's weights are its biases
        weights = [rng.uniform(-{p.scale}, {p.scale}, (n + 1, m)) for n, m in zip(sizes, sizes[1:], strict=False)]
        """
    flat = list(p.start)
    parts = []
    for n, m in pairwise(sizes):
        rows = [[flat.pop(0) for _ in range(m)] for _ in range(n + 1)]
        parts.append(f"    np.array({rows}, dtype=float),")
    return "weights = [\n" + "\n".join(parts) + "\n]"


def none(sentence: str) -> Writer:
    """A writer that always raises EngineError with this sentence, for a method without a script."""

    def writer(run: ScriptRun) -> Body:
        refuse(sentence)

    return writer


WRITERS: Mapping[str, Writer] = {
    "perceptron_network": perceptron_network,
    "backpropagation": backpropagation,
    "tiling": none(
        "Tiling grows its layers tile by tile, which takes more than a page of numpy, and scikit-learn has nothing like it."
    ),
    "optimal_brain_damage": none(
        "Optimal brain damage has no counterpart in scikit-learn: the script of back-propagation makes the network that it thins."
    ),
    "ridge_and_bump": none(
        "Ridge and bump learns nothing from the data: its weights are written by hand, as its picture says."
    ),
}
