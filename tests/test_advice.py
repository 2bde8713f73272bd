"""The command line: what a refusal advises can be typed there, and the run then works."""

import shlex
from pathlib import Path

import pytest

import main
from engine.base.errors import EngineError
from engine.files.sources import find_source, with_changes, without, without_target
from engine.protocol.registry import algorithms

PENGUINS = """species,island,bill,mass,sex
Adelie,Torgersen,39.1,3750,male
Adelie,Torgersen,39.5,,female
Adelie,Dream,37.2,3400,female
Gentoo,Biscoe,47.1,5000,
Gentoo,Biscoe,46.5,5200,male
Chinstrap,Dream,50.1,3700,female
Chinstrap,Dream,,3800,male
Chinstrap,Dream,49.2,3650,male
"""
MAIL = """offer,links,length,sender,spam
yes,no,120,work,no
yes,yes,80,shop,yes
no,no,300,,no
,yes,40,shop,yes
no,yes,90,friend,no
yes,yes,,shop,yes
no,no,210,work,no
"""
TABLES = {"penguins": PENGUINS, "mail": MAIL}
HERE = " On the command line: "


def answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """(exit code, stderr) of the first steps of a run."""
    code = main.main(["run", *arguments, "--max-steps", "3"])
    return code, capsys.readouterr().err


def ways(sentence: str) -> list[list[str]]:
    """The options that a refusal offers, each as it would be typed."""
    _, _, offered = sentence.strip().removesuffix(".").partition(HERE)
    return [shlex.split(way) for way in offered.split(", or ")] if offered else []


def followed_to(key: str, way: list[str]) -> list[str]:
    """The method and its options as a way says: one that begins with a method takes it instead."""
    return way if not way[0].startswith("--") else [key, *way]


@pytest.mark.parametrize(
    ("key", "name", "options"),
    [
        ("kmeans", "penguins", {"--one-hot", "--fill"}),
        ("nearest_neighbours", "penguins", {"--one-hot", "--fill"}),
        ("naive_bayes", "mail", {"--leave-out", "length", "--fill"}),
        (
            "linear_regression",
            "penguins",
            {"--target", "mass", "--leave-out", "species", "--one-hot", "--fill"},
        ),
    ],
)
def test_a_table_with_words_and_gaps(
    key: str, name: str, options: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / f"{name}.csv"
    table.write_text(TABLES[name], "utf-8")
    code, sentence = answered(capsys, key, "--data", str(table))
    assert code == 2
    assert options in [set(way) for way in ways(sentence)]
    for way in ways(sentence):
        assert answered(capsys, key, "--data", str(table), *way)[0] == 0
        arguments = [key, "--data", str(table), *way, "--max-steps", "3"]
        assert main.main(["answers", *arguments]) == 0


def test_a_sentence_about_something_else_is_left_as_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, sentence = answered(capsys, "kmeans", "--data", "iris", "--leave-out", "colour")
    assert (code, HERE in sentence) == (2, False)
    assert "There is no column “colour”" in sentence


def test_columns_and_the_target_are_set_aside() -> None:
    source = find_source("iris")
    bare = without_target(without(source, ["petal width"]))
    assert (bare.data.target, [c.name for c in bare.data.features]) == (
        None,
        ["sepal length", "sepal width", "petal length"],
    )
    assert without_target(bare) == bare
    scaled = with_changes(bare, ["standardise"]).problem()
    assert scaled.X.mean(axis=0).tolist() == pytest.approx([0, 0, 0], abs=1e-12)
    with pytest.raises(EngineError, match="no column"):
        without(source, ["petals"])


def test_held_out_rows_are_advised_as_a_share(capsys: pytest.CaptureFixture[str]) -> None:
    """Pruning by held-out rows asks for a test split."""
    arguments = ("decision_tree", "--data", "restaurant", "--set", "prune=held-out")
    code, sentence = answered(capsys, *arguments)
    assert code == 2
    assert ["--split", "0.3"] in ways(sentence)
    assert answered(capsys, *arguments, "--split", "0.3")[0] == 0


def test_a_parameter_is_advised_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """AdaBoost's lines on words: “choose stumps or trees, or turn on 0/1 columns”."""
    table = tmp_path / "mail.csv"
    table.write_text(MAIL, "utf-8")
    arguments = ("adaboost", "--data", str(table), "--set", "learner=line")
    code, sentence = answered(capsys, *arguments)
    assert (code, "choose stumps or trees" in sentence) == (2, True)
    found = ways(sentence)
    assert ["--set", "learner=stump"] in found
    for way in found:
        assert answered(capsys, *arguments, *way)[0] == 0


def test_a_method_for_two_classes_is_advised_as_the_learner_of_the_wrapper(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With the given parameters."""
    code, sentence = answered(capsys, "svm", "--data", "iris", "--set", "kernel=linear")
    assert code == 2
    assert ways(sentence) == [["several_classes", "--set", "learner=svm"]]
    code, sentence = answered(capsys, "svm", "--data", "iris", "--set", "C=2")
    assert ways(sentence) == [["several_classes", "--set", "learner=svm(C=2.0)"]]
    assert answered(capsys, *ways(sentence)[0], "--data", "iris")[0] == 0


# -- the kind: every method on every sort of table -------------------------------------------------

COUNT = range(24)
SORTS = {
    "gaps": (
        [("a", "b", "kind")]
        + [
            (
                "" if k % 5 == 0 else k % 7 + 0.5,
                "" if k % 4 == 0 else 3 * k % 11 + 0.25,
                "pq"[k % 2],
            )
            for k in COUNT
        ]
    ),
    "words": (
        [("colour", "shape", "kind")]
        + [
            (
                ["red", "blue", "green", ""][k % 4],
                ["round", "flat", ""][k // 2 % 3],
                "pq"[k % 5 % 2],
            )
            for k in COUNT
        ]
    ),
    "no target": [("a", "b")] + [(k % 7 + 0.5, 3 * k % 11 + 0.25) for k in COUNT],
    "numbers": (
        [("a", "b", "price")] + [(k % 7 + 0.5, 3 * k % 11 + 0.25, 1.7 * k + 0.1) for k in COUNT]
    ),
    "one class": [("a", "b", "kind")] + [(k % 7 + 0.5, 3 * k % 11 + 0.25, "p") for k in COUNT],
    "three classes": (
        [("a", "b", "kind")] + [(k % 7 + 0.5, 3 * k % 11 + 0.25, "pqr"[k % 3]) for k in COUNT]
    ),
    "one row": [("a", "b", "kind"), (1.5, 2.5, "p")],
    # words beside numbers, and gaps in both
    **{name: [line.split(",") for line in text.split()] for name, text in TABLES.items()},
}
CHANGES = (
    "--one-hot",
    "--fill",
    "--drop-missing",
    "--fill --one-hot",
    "--drop-missing --one-hot",
    "--split 0.3",
)
NAMED = ("0/1 columns", "fill", "drop", "old out")


@pytest.mark.sweep
@pytest.mark.usefixtures("few_digits")
@pytest.mark.parametrize("sort", SORTS)
def test_every_refusal_of_every_method_can_be_followed(
    sort: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is advised works as it is written; where nothing is advised, nothing that the sentence
    names would help. Every second method with each table, the others with the next one.
    """
    file = tmp_path / "table.csv"
    file.write_text("\n".join(",".join(map(str, row)) for row in SORTS[sort]), "utf-8")
    refused = 0
    for key in list(algorithms())[list(SORTS).index(sort) % 2 :: 2]:
        code, sentence = answered(capsys, key, "--data", str(file))
        assert code in (0, 2), (key, sentence)
        refused += code == 2
        for way in ways(sentence) if code else ():
            typed = [*followed_to(key, way), "--data", str(file)]
            assert answered(capsys, *typed)[0] == 0, typed
        if code and not ways(sentence) and any(words in sentence for words in NAMED):
            for options in CHANGES:
                assert answered(capsys, key, "--data", str(file), *options.split())[0] == 2, (
                    key,
                    options,
                )
    assert refused > 5
