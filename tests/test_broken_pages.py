"""What `main.py check` says of a page that breaks a promise: in a sentence what is wanted and what
the page gives, for each of the contract tests.

Each broken page is the page that `main.py new` writes, with a few lines behind it that break it.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.base.place import ASSETS, ROOT
from tests.engine import test_contract

pytestmark = pytest.mark.slow

PAGE = ASSETS / "pages" / "nearest_mean.py"


class Broken(NamedTuple):
    """promise: the contract test that fails; said: what the check says; code: what stands behind
    the page's functions; record: the other arguments of `Algorithm.of`; without: what is left out
    of the page; fast: the file beside it.
    """

    promise: str
    said: str
    code: str = ""
    record: str = ""
    without: str = ""
    fast: str = ""


def steps_with(lines: str) -> str:
    """The page's steps with further lines before the last one."""
    return f"""
first_steps = steps
def steps(given, at, rng):
    for step in first_steps(given, at, rng):
        if step is not None and step.line == "done":
            s = step.state
            {lines}
        yield step
"""


def choice(options: str, rest: str) -> str:
    """The last line's words with a choice."""
    return f"""
from engine.authoring import Choice, Option
def say_done(given, s):
    return note("All means are known."), Choice("Which?", ({options}), {rest})
"""


WHAT = "says_what_it_is"
SEED = "same_seed_same_states_which_do_not_change_after_their_yield"
SCENES = "scenes_are_finite_and_of_known_kinds_and_have_what_leads_and_their_fields"
NOTES = "notes_and_choices_can_be_read"
PREDICT = "predict_is_pure_and_right_shaped"
RESUMED = "going_on_with_nothing_changed_gives_the_same_steps"
PAIR = "Option('a', 1.0, value=0), Option('b', {}, value={})"

BROKEN = {
    "no_title": Broken(
        WHAT, "The title is empty", record='title=""', without='title="Nearest mean",'
    ),
    "no_full_stop": Broken(WHAT, "SUMMARY is no sentence", "SUMMARY = 'Takes means'"),
    "no_source": Broken(WHAT, "Where the method is from is not said", without="extension=True,"),
    "same_labels": Broken(
        WHAT,
        "PSEUDOCODE has several lines with the label ['mean']",
        "PSEUDOCODE = PSEUDOCODE.replace('done', 'mean')",
    ),
    "long_line": Broken(
        WHAT,
        "The line “mean” of PSEUDOCODE has 40 letters: “for each class, one by one: m ← its"
        " mean”. At most 37 fit",
        "PSEUDOCODE = PSEUDOCODE.replace('class:', 'class, one by one:')",
    ),
    "odd_indent": Broken(
        WHAT,
        "The line “mean” of PSEUDOCODE begins 3 further right than the first one",
        "PSEUDOCODE = PSEUDOCODE.replace('mean:', 'mean:   ')",
    ),
    "chance_of_numpy": Broken(
        SEED,
        "draw them from rng",
        steps_with("np.random.rand()"),
    ),
    "same_array": Broken(
        SEED,
        "The state of step 0 (line “start”) changes after it was given to at(…)",
        "def state_of(means): return State(means)",
    ),
    "another_each_time": Broken(
        SEED,
        "Two runs with the same seed differ at step 0 (line “start”)",
        "TIMES = []\n"
        "def state_of(means):\n"
        "    TIMES.append(1)\n"
        "    return State(frozen(np.full(means.shape, float(len(TIMES)))))",
    ),
    "writable_array": Broken(
        "arrays_are_read_only",
        "An array in the state of step 0 (line “start”), of shape (2, 2), can be written to",
        "def state_of(means): return State(means.copy())",
    ),
    "misspelt_line": Broken(
        "lines_are_known_and_reached",
        "steps() yields at(…) with ['maen'], which is no label of PSEUDOCODE; the labels are",
        steps_with("yield from at('maen', s)"),
    ),
    "line_not_reached": Broken(
        "lines_are_known_and_reached",
        "The run of example() never comes to the line ['never']",
        "PSEUDOCODE += 'never:       and so on\\n'",
    ),
    "event_not_declared": Broken(
        "events_and_curves_are_declared",
        "Steps have the events ['found'], which are not declared: Algorithm.of(…,"
        " events=(“found”,))",
        steps_with("yield from at('mean', s, 'found', label=0, count=1)"),
    ),
    "curve_without_numbers": Broken(
        "events_and_curves_are_declared",
        "Curve(“errors”, …) draws a number that is not recorded; recorded are ['wrong']",
        "def metrics(given, s): return {'wrong': 1.0}",
    ),
    "infinite_metric": Broken(
        "events_and_curves_are_declared",
        "The metric “errors” is infinite at step 0",
        "def metrics(given, s): return {'errors': np.inf}",
    ),
    "empty_scene": Broken(
        SCENES,
        "The scene of a step of the line “start” is empty",
        "def scene(given, step): return Scene()",
    ),
    "strange_layer": Broken(
        SCENES,
        "has a str among its layers; layers are",
        "def scene(given, step): return Scene(('points',))",
    ),
    "strange_figure": Broken(
        SCENES,
        "has a str among its figures; figures are",
        "def scene(given, step): return Scene((data_points(given.problem),), ('table',))",
    ),
    "infinite_points": Broken(
        SCENES,
        "has numbers in Points.xy that are infinite or unknown",
        "def scene(given, step):\n"
        "    return Scene((Points(step.state.means, np.arange(len(step.state.means))),))",
    ),
    "led_by_nothing": Broken(
        SCENES,
        "is led by ['network'], which it does not have",
        "def scene(given, step): return Scene((data_points(given.problem),), leads=('network',))",
    ),
    "surface_of_another_shape": Broken(
        SCENES,
        "The surface “far” in FIELDS, at step 0 (line “start”), has the shape (3,)",
        "FIELDS = {'far': lambda given, s, grid: np.zeros(3)}",
    ),
    "infinite_surface": Broken(
        SCENES,
        "The surface “far” in FIELDS, at step 0 (line “start”), is infinite",
        "FIELDS = {'far': lambda given, s, grid: np.full(grid.shape, np.inf)}",
    ),
    "another_surface": Broken(
        "class_surface_equals_predict",
        "The surface “class” in FIELDS gives another class than predict at",
        "FIELDS = {'class': lambda given, s, grid: np.zeros(grid.shape, int)}",
    ),
    "one_answer_for_all": Broken(
        PREDICT,
        "gives an array of the shape (1,) for 4 rows",
        "def predict(given, s, X): return np.zeros(1, int)",
    ),
    "answers_by_chance": Broken(
        PREDICT,
        "gives two answers for the same rows",
        "TIMES = []\n"
        "def predict(given, s, X):\n"
        "    TIMES.append(1)\n"
        "    return np.full(len(X), len(TIMES) % 2)",
    ),
    "changes_the_state": Broken(
        PREDICT,
        "changes the state; work on a copy",
        "def state_of(means): return State(means.copy())\n"
        "first_predict = predict\n"
        "def predict(given, s, X):\n"
        "    s.means[0] += 1.0\n"
        "    return np.zeros(len(X), int)",
    ),
    "class_by_name": Broken(
        PREDICT,
        "gives numbers from 7 to 7: a class is its number from 0 to 1, and −1 is no class",
        "def predict(given, s, X): return np.full(len(X), 7)",
    ),
    "no_rows_no_shape": Broken(
        PREDICT,
        "predict gives the shape (1,) for no rows at all",
        "def predict(given, s, X): return np.zeros(max(1, len(X)), int)",
    ),
    "scores_say_otherwise": Broken(
        "scores_say_what_predict_says",
        "scores says otherwise than predict for",
        "def scores(given, s, X): return np.where(predict(given, s, X) == 0, -1.0, 1.0)",
    ),
    "scores_of_another_shape": Broken(
        "scores_say_what_predict_says",
        "scores gives the shape (4, 5) for 4 rows of 2 classes",
        "def scores(given, s, X): return np.ones((len(X), 5))",
    ),
    "operand_missing": Broken(
        NOTES,
        "The words of step 3 (line “done”) cannot be filled in: KeyError 'errors'",
        "def say_done(given, s): return note('There are {errors} left.')",
    ),
    "words_missing": Broken(
        NOTES, "the page words_missing has no say_done", "del say_done"
    ),
    "not_a_number": Broken(
        NOTES, "say “nan”", "def say_done(given, s): return note('It is nan now.')"
    ),
    "empty_words": Broken(
        NOTES, "have an empty line", "def say_done(given, s): return note(' ')"
    ),
    "two_signs": Broken(
        NOTES,
        "Two signs meet in the words of step 3",
        "def say_done(given, s): return note('3 − {b} is more.', b=-2)",
    ),
    "table_as_operand": Broken(
        NOTES,
        "The value of {means} in the words of step 3 (line “done”) has 2 axes",
        "def say_done(given, s): return note('All are known.', means=s.means)",
    ),
    "option_without_value": Broken(
        NOTES,
        "An option of the choice of step 3 (line “done”) has no value. Option(…, value=…)",
        choice("Option('a', 1.0),", "(0,), 0"),
    ),
    "options_alike": Broken(
        NOTES, "have the same value", choice(PAIR.format(2.0, 0), "(0,), 0")
    ),
    "option_not_there": Broken(
        NOTES, "takes option 5 of 2", choice(PAIR.format(2.0, 1), "(0,), 5")
    ),
    "loser_taken": Broken(
        NOTES,
        "takes option 1, which is not among its winners (0,)",
        choice(PAIR.format(2.0, 1), "(0,), 1"),
    ),
    "unequal_winners": Broken(
        NOTES,
        "have different scores, [1.0, 2.0]",
        choice(PAIR.format(2.0, 1), "(0, 1), 0, 'first'"),
    ),
    "tie_without_a_rule": Broken(
        NOTES, "it does not say how the tie is broken", choice(PAIR.format(1.0, 1), "(0, 1), 0")
    ),
    "no_explanation": Broken(
        "explains_every_label", "The page has predict, and no explain(given, s, x)", "del explain"
    ),
    "explains_another_label": Broken(
        "explains_every_label",
        "gives a place the label 0, and predict gives it",
        "def explain(given, s, x): return Explanation(0, note('It is the first one.'))",
    ),
    "parameter_without_a_label": Broken(
        "parameters_round_trip",
        "The parameter distance has no label for the form",
        "class Params(Record, eq=True):\n"
        "    distance: Annotated[Literal['straight', 'city block'], Label('')] = 'straight'",
    ),
    "words_another_line": Broken(
        "pseudo_code_worded_otherwise_has_the_same_lines",
        "wording(p) words the lines ['middle'], which PSEUDOCODE does not have",
        "def wording(p): return {'middle': 'for each class: its middle'}",
    ),
    "words_too_long": Broken(
        "pseudo_code_worded_otherwise_has_the_same_lines",
        "The line “mean” of PSEUDOCODE has 40 letters",
        "def wording(p): return {'mean': 'm' * 40}",
    ),
    "refuses_in_a_word": Broken(
        "every_option_of_every_choice_runs",
        "With distance=city block the page refuses by “no”",
        "from engine.authoring import EngineError\n"
        + steps_with("if given.p.distance == 'city block': raise EngineError('no')"),
    ),
    "no_step_at_all": Broken(
        "every_option_of_every_choice_runs",
        "steps() yields no step at all: yield from at(“label”, state)",
        "def steps(given, at, rng): return iter(())",
    ),
    "will_not_close": Broken(
        "closing_anywhere_raises_nothing",
        "generator ignored GeneratorExit",
        "first_steps = steps\n"
        "def steps(given, at, rng):\n"
        "    try:\n"
        "        yield from first_steps(given, at, rng)\n"
        "    finally:\n"
        "        yield None",
    ),
    "keeps_the_run": Broken(
        "a_run_that_is_not_shown_is_freed_at_once",
        "A run that is over stays in memory",
        "import sys\n"
        "KEPT = []\n" + steps_with("KEPT.append(sys._getframe(1))"),
    ),
    "resumes_nothing": Broken(
        "resumes_from_any_state",
        "resume yields nothing from a state of the line “start”",
        "def resume(given, s, at, rng): return iter(())",
    ),
    "refuses_to_go_on": Broken(
        RESUMED,
        "resume refuses a state of the run by “I will not.”",
        "from engine.authoring import EngineError\n"
        "def resume(given, s, at, rng):\n"
        "    known = int(np.isfinite(s.means).all(axis=1).sum())\n"
        "    if known == len(s.means):\n"
        "        raise EngineError('I will not.')\n"
        "    return (step for step in steps(given, at, rng))",
    ),
    "goes_by_the_pace": Broken(
        "coarse_pace_leaves_out_only_fine_steps",
        "At the pace of a step the run has other lines than those of its level",
        steps_with("if at.pace.detail: yield from at('mean', s, label=0, count=1)"),
    ),
    "ends_with_a_step": Broken(
        "the_last_state_is_the_same_at_every_pace",
        "The last state is another one when only rounds are shown",
        "PSEUDOCODE = PSEUDOCODE.replace('done  round', 'done  step')",
    ),
    "leaps_elsewhere": Broken(
        "leaping_equals_stepping",
        "The fast form of a round differs from the page",
        "from engine.authoring import leap\n"
        "@leap\n"
        "def means_of(given, at):\n"
        "    means = np.zeros((len(given.problem.classes), given.problem.d))\n"
        "    yield from at('mean', state_of(means), label=0, count=1)\n"
        "    return means\n"
        "def steps(given, at, rng):\n"
        "    yield from at('start', state_of(np.full((2, given.problem.d), np.inf)))\n"
        "    means = yield from means_of(given, at)\n"
        "    yield from at('done', state_of(means))",
        fast="import numpy as np\n"
        "def means_of(given): return np.ones((len(given.problem.classes), given.problem.d))",
    ),
    "leaps_to_another_end": Broken(
        "who_wants_the_end_alone_has_the_end_of_the_rounds",
        "The leap to the end ends otherwise than the rounds",
        "from engine.authoring import leap_rounds\n"
        "@leap_rounds\n"
        "def means_of(given, at):\n"
        "    means = np.zeros((len(given.problem.classes), given.problem.d))\n"
        "    yield from at('mean', state_of(means), label=0, count=1)\n"
        "    return means\n"
        "def steps(given, at, rng):\n"
        "    yield from at('start', state_of(np.full((2, given.problem.d), np.inf)))\n"
        "    means = yield from means_of(given, at)\n"
        "    yield from at('done', state_of(means))",
        fast="import numpy as np\n"
        "def means_of(given): return np.ones((len(given.problem.classes), given.problem.d))",
    ),
    "large_steps": Broken(
        "steps_are_small",
        "bytes on average with 500 rows; 26,000 are the limit",
        "class State(Record):\n"
        "    means: Float\n"
        "    kept: Float\n"
        "def state_of(means): return State(frozen(means.copy()), frozen(np.arange(9000.0)))",
    ),
    "no_plan_for_one_row": Broken(
        "degenerate_problems_give_a_result_or_a_sentence",
        "ValueError: too few rows (no_plan_for_one_row.py, line ",
        steps_with("if given.problem.n < 4: raise ValueError('too few rows')"),
    ),
    "refuses_too_shortly": Broken(
        "degenerate_problems_give_a_result_or_a_sentence",
        "The page refuses a table by “Too few.”",
        "from engine.authoring import EngineError\n"
        + steps_with("if given.problem.n < 4: raise EngineError('Too few.')"),
    ),
    "names_in_the_template": Broken(
        "names_from_the_data_may_have_braces",
        "a name from the data is such a value, never a part of the text",
        "def say_mean(given, s, label, count):\n"
        "    return note(f'{given.problem.class_text(label)} is known.')",
    ),
    "raises": Broken(
        PREDICT,
        "ZeroDivisionError: integer division or modulo by zero (raises.py, line ",
        "def predict(given, s, X): return np.zeros(len(X), int) + 1 // 0",
    ),
}  # fmt: skip

# No page can break these: they are about the lab's own lists, and about what the engine sees to
# whatever a page does (unknown values, Needs, going on from a step).
NOT_BY_A_PAGE = {
    "an_unknown_in_is_nothing_known_out",
    "there_are_algorithms",
    "refusals_are_the_pickers_sentences",
    "a_run_goes_on_at_another_pace_than_it_was_recorded",
}


def write(folder: Path, name: str, broken: Broken) -> None:
    """The page: a file, or a folder with a `fast` beside it."""
    page = PAGE.read_text("utf-8")
    if broken.without:
        assert broken.without in page
        page = page.replace(broken.without, "")
    body, record = page.split("ALGORITHM = Algorithm.of(\n")
    argument = f"    {broken.record},\n" if broken.record else ""
    text = f"{body}\n{broken.code}\n\nALGORITHM = Algorithm.of(\n{record}"
    text = text.replace("    __name__,\n", f"    __name__,\n{argument}")
    if not broken.fast:
        (folder / f"{name}.py").write_text(text, "utf-8")
        return
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(text, "utf-8")
    (folder / name / "fast.py").write_text(broken.fast, "utf-8")


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the check says of each broken page, in one line each; all are checked at once."""
    folder = tmp_path_factory.mktemp("pages")
    for name, broken in BROKEN.items():
        write(folder, name, broken)
    checked = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "check", str(folder)],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=500,
    )
    assert checked.returncode == 1, checked.stdout + checked.stderr
    parts = re.split(r"^(\w+) has [\d,]+ faults?:$", checked.stdout, flags=re.MULTILINE)
    return {
        name: " ".join(part.split()) for name, part in zip(parts[1::2], parts[2::2], strict=True)
    }


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_promise_is_a_sentence(name: str, said: dict[str, str]) -> None:
    broken = BROKEN[name]
    (fault,) = [fault for fault in re.split(r"(?:^| )- ", said[name]) if broken.said in fault]
    assert broken.promise.replace("_", " ") in fault


def test_each_promise_is_broken_by_some_page() -> None:
    promises = {
        name.removeprefix("test_") for name in vars(test_contract) if name.startswith("test_")
    }
    assert promises - NOT_BY_A_PAGE == {broken.promise for broken in BROKEN.values()}
