"""Formulas as MathML: nothing is lost, vectors are columns, fractions are stacked, digits are
raised and lowered.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import as_xml

import engine
from engine.base.notation import Share
from engine.protocol.step import Formula, Level, Operand, Pace, note
from engine.runs.run import run_problem
from engine.web import mathml

UNRAISED = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₘₙₜ", "−+01234567890123456789ijkmnt")


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co"))))
def test_every_letter_of_a_text_is_there(text: str) -> None:
    found = "".join(as_xml(mathml.line(text)).itertext())
    assert found == "".join(text.translate(UNRAISED).split())


def test_scripts_are_raised_and_lowered() -> None:
    row = mathml.line("x₁² + 3·10⁻³")
    assert "<msup><msub><mi>x</mi><mn>1</mn></msub><mn>2</mn></msup>" in row
    assert "<msup><mn>10</mn><mn>−3</mn></msup>" in row


def test_vectors_stand_upright_and_fractions_are_stacked() -> None:
    words = note(
        "Done.",
        Formula("w ←", "{w} + {x}", "{after}"),
        w=Operand(np.array([0.39, 1.17]), "w", "before"),
        x=Operand(Fraction(2, 6), "x"),
        after=Operand(Share((2, 6)), "w"),
    )
    symbols, numbers = mathml.formulas(words)
    assert "".join(as_xml(symbols).itertext()) == "w←w+x"
    cells = [cell.text or "".join(cell.itertext()) for cell in as_xml(numbers).iter("mtd")]
    assert cells == ["0.39", "1.17"]
    stacked = [
        ["".join(part.itertext()) for part in fraction]
        for fraction in as_xml(numbers).iter("mfrac")
    ]
    assert stacked == [["1", "3"], ["2", "6"]]


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", list(engine.algorithms().values()), ids=lambda a: a.key)
def test_the_numbers_of_every_method_are_all_there(algorithm: object) -> None:
    trace = run_problem(algorithm.key, algorithm.example(), pace=Pace(Level.STEP), max_steps=40)  # type: ignore[attr-defined]
    for step in trace:
        results = [
            step.note.worked(f.result)
            for f in step.note.formulas
            if f.result and "(" not in step.note.worked(f.result)
        ]
        read = ["".join(as_xml(row).itertext()) for row in mathml.formulas(step.note)]
        for result in results:
            plain = "".join(result.translate(UNRAISED).split())
            assert any(plain in row or plain.replace("/", "") in row for row in read), (
                result,
                read,
            )
