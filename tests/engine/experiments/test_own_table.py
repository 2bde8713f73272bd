"""Every experiment on a table as people have them, from the command line, and what stands in the
way in clear sentences.
"""

from pathlib import Path

import numpy as np
import pytest

import engine
import main
from engine.base.errors import EngineError
from engine.scene.scene import Boxes

KEYS = sorted(key for key, each in engine.algorithms().items() if each.family == "experiments")
ROWS = """\
length,weight,colour,kind
3.1,1.2,red,cat
4.9,2.1,blue,dog
2.7,0.9,red,cat
5.2,1.7,green,dog
3.3,1.4,green,cat
4.4,2.6,red,dog
2.9,0.7,blue,cat
5.6,2.2,blue,dog
3.8,1.6,green,dog
2.2,1.1,red,cat
3.6,1.9,blue,cat
4.7,1.3,red,dog
"""
GAPS = ROWS.replace("2.7,0.9", ",0.9").replace("4.4,2.6", "4.4,").replace("1.4,green", "1.4,")
SMALL = {
    "learning_curve": ["sizes=3", "trials=2"],
    "learner_comparison": ["sizes=3", "trials=2"],
    "bootstrap_spread": ["copies=3"],
    "peeking": ["looks=5"],
    "curse_of_dimensionality": ["dimensions=5"],
}
FORECASTS = "needs columns that forecast “kind”"
NO_GAPS = "needs every value, some are missing: fill or drop them"
REFUSED = {
    "axis_weights": "needs numbers, “colour” holds words",
    "regret_bounds": FORECASTS,  # its columns are experts, who say the labels themselves
    "posterior_of_degrees": "needs a column of numbers as target",  # the column kind has words
}
# what their hypotheses say of a row needs the whole row
REFUSED_WITH_GAPS = REFUSED | dict.fromkeys(
    (
        "mdl_conjunction",
        "mistake_bounds",
        "pac_bounds",
        "shattering",
        "version_space_exhaustion",
    ),
    NO_GAPS,
)


@pytest.mark.slow
@pytest.mark.usefixtures("few_digits")
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("text", "refused"), [(ROWS, REFUSED), (GAPS, REFUSED_WITH_GAPS)], ids=["whole", "gaps"]
)
def test_an_own_table_runs_or_is_refused_with_a_reason(
    key: str, text: str, refused: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.csv"
    path.write_text(text, "utf-8")
    changes = ["--set", *SMALL[key]] if key in SMALL else []
    code = main.main(["run", key, "--data", str(path), "--target", "kind", *changes])
    printed = capsys.readouterr()
    if key in refused:
        assert code == 2
        assert refused[key] in printed.err
        assert printed.err.count("\n") == 1
    else:
        assert (code, printed.err) == (0, "")
        assert f"{engine.algorithms()[key].title} on own" in printed.out
        assert "12; 3 columns; classes cat, dog" in printed.out


def test_boxes_over_a_plane_with_gaps_lie_among_the_points_that_are_there() -> None:
    """The lowest and the highest of a column with a missing value were no numbers, and no box was
    drawn.
    """
    data = engine.Dataset.from_columns(
        {"x": [1.0, float("nan"), 3.0, 2.0], "z": [5.0, 6.0, 8.0, 7.0]}
    )
    trace = engine.run("vc_bounds", data, repeats=10)
    boxes = [
        layer
        for layer in trace.algorithm.scene(trace.given, trace[-1]).layers
        if isinstance(layer, Boxes)
    ]
    assert len(boxes) == 3
    for sides in np.concatenate([layer.bounds for layer in boxes]):
        assert 1 <= sides[0] <= sides[2] <= 3
        assert 5 <= sides[1] <= sides[3] <= 8


# -- what stands in the way ------------------------------------------------------------------------


def table(labels: str) -> engine.Dataset:
    """A row for each letter."""
    x = np.arange(1.0, len(labels) + 1)
    return engine.Dataset.from_columns(
        {"x": x.tolist(), "z": (x % 3).tolist(), "c": list(labels)}, "c"
    )


RARE = table("AAAAAAAB")
TWO = "perceptron(stop=rounds, rounds=3)"  # it needs two classes


def lead(key: str, data: engine.Dataset, line: str, **params: object) -> str:
    """What the last moment at a line says."""
    trace = engine.run(key, data, **params)
    return [step for step in trace if step.line == line][-1].note.text()


@pytest.mark.parametrize(
    ("key", "data", "params", "sentence"),
    [
        (
            "cross_validation",
            RARE,
            {"k": 9},
            "9 folds need 9 rows with a label, there are 8: take k ≤ 8.",
        ),
        (
            "cross_validation",
            table("A"),
            {},
            "Cross-validation needs at least 2 examples, there is one.",
        ),
        (
            "cross_validation",
            table("AAA"),
            {"learner": TWO},
            "Perceptron” needs two classes, this table has one.",
        ),
        ("peeking", RARE, {"share": 0}, "Test share must lie between 0.05 and 0.45; it is 0."),
        ("peeking", RARE, {"share": 1}, "Test share must lie between 0.05 and 0.45; it is 1."),
        (
            "peeking",
            table("ABA"),
            {"share": 0.05},
            "3 rows make no three parts with a share of 0.05",
        ),
        ("digit_pad", RARE, {"drawn": (1.0,) * 9}, "The pad has 64 cells; 9 numbers came from it."),
        (
            "bootstrap_spread",
            table("AB"),
            {},
            "Bootstrap spread needs at least 3 examples, there are 2.",
        ),
        (
            "learning_curve",
            table("AB"),
            {},
            "Learning curve needs at least 3 examples, there are 2.",
        ),
        (
            "learner_comparison",
            table("AB"),
            {},
            "Learner comparison needs at least 3 examples, there are 2.",
        ),
    ],
)
def test_what_cannot_be_is_said_at_once(
    key: str, data: engine.Dataset, params: dict[str, object], sentence: str
) -> None:
    with pytest.raises(EngineError) as refusal:
        engine.run(key, data, **params)
    assert sentence in str(refusal.value)


def test_a_class_of_fewer_rows_than_folds_is_named() -> None:
    sentence = lead("cross_validation", RARE, "deal", scheme="stratified", k=4)
    assert sentence.endswith("B has 1 row, so 3 folds must do without it.")
    assert lead("cross_validation", table("AABABB"), "deal", scheme="stratified", k=3).endswith(
        "every class alike."
    )
    values = engine.Dataset.from_columns(
        {"x": [1.0, 2.0, 3.0, 4.0], "y": [1.25, 2.5, 3.75, 5.5]}, "y"
    )
    assert "alike" not in lead("cross_validation", values, "deal", scheme="stratified", k=2)


def test_a_part_that_a_learner_cannot_take_is_reported_and_the_rest_go_on() -> None:
    trace = engine.run("cross_validation", RARE, scheme="leave-one-out", learner=TWO)
    assert [trace[i].note.text() for i in trace.when("refused")] == [
        "Fold 8 is left out: Perceptron needs two classes, this table has one. The others go on."
    ]
    assert trace[-1].state.errors.count == 7
    assert trace[-1].note.text().count("1 fold was left out.") == 1
    copies = engine.run("bootstrap_spread", RARE, copies=9, size=4, learner=TWO)
    assert "two classes" in copies[copies.when("refused")[0]].note.text()


def test_no_row_left_to_test_on_is_said() -> None:
    """So many copies of so few rows never leave one out."""
    assert (
        lead("bootstrap_spread", table("ABABA"), "parts", size=10_000, copies=2)
        == "No copy could be judged: no row was left out."
    )


@pytest.mark.slow
def test_an_empty_pad_is_said() -> None:
    trace = engine.run("digit_pad", engine.prepare(RARE), drawn=(0.0,) * 64)
    assert [trace[i].note.text() for i in trace.when("empty")] == [
        "The pad is empty: draw a digit with the pointer."
    ]
    assert trace[-1].note.text().startswith("The pad is empty: nothing to say.")
