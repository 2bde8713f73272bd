"""Polynomials of growing degree, and Ockham's choice among those that meet every point. AIMA 18.2, 18.4.3, MMDS 12.1."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.former import former
from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Log, Prefix, frozen
from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.notation import number, subscript
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Bars, Layer, Plot, Role, Scene, data_table
from engine.core.step import Choice, Level, Note, Option, Pace, Step
from engine.core.unknown import nothing_said
from engine.data.prepare import prepare
from engine.numerics.least_squares import root_mean_square, sum_of_squares, training_rows
from engine.numerics.polynomials import Fit, basis, missed
from engine.pictures.polynomial_words import choose_note, explain_curve, fit_note, grow_note, meets_note
from engine.pictures.regression import curve_layers, error_plot, feet, points_layer, residuals

PSEUDOCODE = """
grow: for k = 0, 1, … degree
fit:   hₖ ← least Loss + λ Σ c²
test:   is hₖ consistent with all y?
choose: take the simplest consistent hₖ
"""


ROUNDING = 1e-25  # share of Σ y² below which Σ (y − h)² is nothing but rounding


@dataclass(frozen=True)
class Params:
    degree: Annotated[int, Range(0, 30), Label("Degree"), Help("the highest; all lower ones are fitted first")] = 6
    basis: Annotated[
        Literal["powers", "with sine"], Label("Basis"), Help("with sine: 1, x, … x^k and sin x. AIMA Fig 18.1(d)")
    ] = "powers"
    penalty: Annotated[
        float,
        Range(0, 1e3, log=True),
        Label("Penalty λ"),
        Help("of the mean squared loss: (1/N) Σ (y − h)² + λ (c₁² + c₂² + …); c₀ is free"),
    ] = 0.0
    take: Annotated[
        Literal["highest degree", "simplest consistent"],
        Label("Take"),
        Help("simplest consistent: end with the lowest degree that meets every point, if there is one"),
    ] = "highest degree"


@dataclass(frozen=True, slots=True)
class Tried:
    """A degree that was fitted: its curve, Σ (y − h)² and how many points it misses."""

    fit: Fit
    loss: float
    missed: int


@dataclass(frozen=True, slots=True)
class State:
    """degree: that of the curve in force, −1 before the first; coefficients: c₀, c₁, … and that of sin x, none before
    the first curve; tried: every degree so far; chosen: the simplest consistent degree once it is known, else −1."""

    degree: int
    coefficients: Float
    tried: Prefix[Tried]
    chosen: int = -1


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    x, y = examples(problem)
    columns, places = basis(x, y, p.degree, p.basis == "with sine"), len(np.unique(x))
    tried = Log[Tried]()
    s = State(-1, frozen(np.zeros(0)), tried.prefix())
    for k in range(p.degree + 1):
        if pace.detail:
            words = grow_note(k, p.basis == "with sine", places, shown_name(problem))
            yield step("grow", s, words, y, Level.DETAIL)
        fit = columns.least_cost(k, p.penalty)
        errors = y - columns.values(fit)
        former = s.tried[-1].loss if len(s.tried) else None
        rest = sum_of_squares(errors)
        found = Tried(fit, rest if rest > ROUNDING * sum_of_squares(y) else 0.0, missed(errors, y))
        s = State(k, fit.powers, tried.append(found))
        events = (*(() if fit.unique else ("not unique",)), *(() if found.missed else ("consistent",)))
        words = fit_note(found.fit, found.loss, former, len(y), p.penalty, places)
        yield step("fit", s, words, y, Level.ROUND, events)
        if pace.step:
            yield step("test", s, meets_note(k, found.missed, len(y), float(np.abs(errors).max())), y)
    yield chosen(s, p, y)


def chosen(s: State, p: Params, y: Float) -> Step[State]:
    """Ockham's razor: of the consistent degrees the lowest."""
    good = [t.fit.degree for t in s.tried if not t.missed]
    simplest = good[0] if good else -1
    if good and p.take == "simplest consistent":
        s = replace(s, degree=simplest, coefficients=s.tried[simplest].fit.powers)
    s = replace(s, chosen=simplest)
    options = tuple(Option(f"degree {t.fit.degree}", float(t.missed), f"degree {t.fit.degree}") for t in s.tried)
    rule = "of the consistent ones the simplest, Ockham's razor" if len(good) > 1 else ""
    asked = Choice(
        "Which is the simplest consistent degree?", options, tuple(good), simplest, rule, "points missed", True, 0
    )
    words = choose_note(good, s.degree, [t.loss for t in s.tried], len(y))
    return step("choose", s, words, y, Level.ROUND, ("chosen",), asked if good else None)


def step(
    line: str, s: State, words: Note, y: Float, level: Level = Level.STEP, events: tuple[str, ...] = (),
    choice: Choice | None = None,
) -> Step[State]:  # fmt: skip
    loss = s.tried[s.degree].loss if s.degree >= 0 else sum_of_squares(y)
    metrics = {"rmse": root_mean_square(loss, len(y)), "loss": loss, "degree": float(max(s.degree, 0))}
    return Step(line, s, words, level, metrics, events, choice)


def column(problem: Problem) -> int:
    """The one column that the curve runs over: the plane's first."""
    if not problem.plane:
        raise EngineError("Polynomial fit needs a column of numbers to run the curve over; the columns hold words.")
    return problem.plane[0]


def examples(problem: Problem) -> tuple[Float, Float]:
    X, y, _ = training_rows(problem)
    return X[:, column(problem)], y


def shown_name(problem: Problem) -> str:
    """The column's name when others are left out, else ''."""
    return problem.features[column(problem)].title if problem.d > 1 else ""


def model(s: State, x: Float) -> Float:
    return s.tried[s.degree].fit(x) if s.degree >= 0 else np.where(np.isnan(x), np.nan, 0.0)


def predict(problem: Problem, p: Params, s: State, X: Float) -> Float:
    """Values by the curve in force; 0 before the first one."""
    return model(s, X[:, column(problem)])


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    at = float(x[column(problem)])
    if np.isnan(at):
        return Explanation(-1, nothing_said(problem, x))
    return explain_curve(problem, s.coefficients, at, float(model(s, np.array([at]))[0]), p.basis == "with sine")


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s = step.state
    layers = list(drawn_curves(problem, p, s, step.line == "choose")) if s.degree >= 0 else []
    figures = (error_figure(problem, p, s), bars(s, p)) if s.degree >= 0 else ()
    return Scene((*layers, points_layer(problem)), (*figures, data_table(problem)))


def drawn_curves(problem: Problem, p: Params, s: State, choosing: bool) -> Iterator[Layer]:
    """The curve in force with its residuals and the former one; at the end all consistent curves, the simplest marked."""
    j = column(problem)
    fits = [t.fit for t in s.tried]
    if choosing and s.chosen >= 0:
        for t in s.tried:
            if not t.missed and t.fit.degree not in (s.degree, s.chosen):
                yield from curve_layers(problem, lambda X, f=t.fit: f(X[:, j]), Role.GHOST, f"degree {t.fit.degree}")  # type: ignore[misc]
        if s.chosen != s.degree:
            name = f"degree {s.chosen}, simplest"
            yield from curve_layers(
                problem, lambda X: fits[s.chosen](X[:, j]), Role.ACCEPTED, f"degree {s.chosen}", name
            )
    elif s.degree > 0:
        yield from curve_layers(problem, lambda X: fits[s.degree - 1](X[:, j]), Role.GHOST, "before")
    yield from residuals(feet(problem, model(s, problem.X[:, j])))
    yield from curve_layers(problem, lambda X: model(s, X[:, j]), tag=f"degree {s.degree}" if choosing else "curve")


def bars(s: State, p: Params) -> Bars:
    """The coefficients of the powers, and of the sine."""
    names = [f"x{_power(k)}" if k else "1" for k in range(s.degree + 1)]
    names += ["sin x"] if p.basis == "with sine" else []
    largest = float(np.abs(s.coefficients).max(initial=0))
    digits = 2 if largest >= 1 else 4
    return Bars("c: coefficients", tuple(names), s.coefficients, digits=digits, tag="coefficients")


def _power(k: int) -> str:
    return "" if k == 1 else str(k).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def error_figure(problem: Problem, p: Params, s: State) -> Plot:
    """Training error, and that of the held-out rows, of every degree so far; there is room for all degrees."""
    n = int(np.isfinite(problem.y).sum())
    training = np.array([[t.fit.degree, root_mean_square(t.loss, n)] for t in s.tried])
    held = None
    if problem.held_out is not None:
        X, y, _ = training_rows(problem.held_out)
        x = X[:, column(problem)]
        held = np.array([[t.fit.degree, root_mean_square(sum_of_squares(y - t.fit(x)), len(y))] for t in s.tried])
    plot = error_plot("Errors", "degree", training, held, s.degree)
    return replace(plot, beside=True, x_range=(-0.5, max(p.degree, 1) + 0.5))


def chips(p: Params) -> tuple[str, ...]:
    penalised = (f"λ {number(p.penalty, 4)}, c₀ free",) if p.penalty else ()
    return (f"c₀ … c{subscript(p.degree)}", *(("sin x",) if p.basis == "with sine" else ()), *penalised)


def example() -> Problem:
    """Seven points that degree 6 meets: y = 0.4 x + 3 + sin x."""
    x = np.arange(0.0, 13.0, 2.0)
    return prepare(Dataset.from_columns({"x": x, "y": 0.4 * x + 3 + np.sin(x)}, "y", task="regress"))


ALGORITHM = former(
    key="polynomial_fit",
    title="Polynomial fit",
    family="regression",
    task=Task.REGRESS,
    source=("AIMA 18.2", "AIMA 18.4.3", "MMDS Exercise 12.1.1"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predict,
    by_known=True,
    explain=explain,
    needs=Needs(labels=False, values=True, max_rows=200_000),
    example=example,
    curves=(Curve("rmse", "root mean square error"), Curve("loss", "Σ (y − h)²"), Curve("degree", "degree", digits=0)),
    events=("consistent", "not unique", "chosen"),
    errata=(
        "AIMA 18.4.2 takes the mean of the squared errors, 18.6.1 their sum: the same λ means different things. Here it "
        "is the mean, and N is shown.",
    ),
    chips=chips,
    summary="Fits polynomials of degree 0, 1, 2, … Without a penalty the training error can only fall; the error on held-out rows falls "
    "and rises again. Among the degrees that meet every point, Ockham's razor takes the simplest.",
)
