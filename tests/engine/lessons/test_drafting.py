"""What an author gets from a run: wrong answers, conditions in rows, moments found again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.document.document import Document
from engine.document.lane import lane
from engine.judge.conditions import Moment
from engine.lessons.comparing import ANY, SIGNS, Compared, offers, offers_by_lane, rows_of, text_of
from engine.lessons.conditions import met_words, still_missing
from engine.lessons.drafting import Seen, found_again, lost, number_of, places_at, seen_at
from engine.lessons.lesson import Task, TaskKind, Where
from engine.lessons.slips import likely_slip
from engine.lessons.tasks import answers_in, asked
from engine.protocol.step import Level
from engine.runs.run import Run
from engine.runs.trace import Trace
from engine.sources.textbook import textbook

STEP = Level.STEP


def run(document: Document) -> Trace:
    one = document.lanes[0]
    made = Run(one.algorithm, document.of_lane(0).problem(), one.params, one.seed)
    made.advance(max_steps=2_000)
    return made.trace


@pytest.fixture(scope="module")
def spam() -> Trace:
    """The perceptron of MMDS, Example 12.4."""
    return run(Document(textbook("spam"), (lane("perceptron", rate=0.5),)))


def test_the_likeliest_wrong_numbers_have_the_wrong_sign(spam: Trace) -> None:
    """w − η y x where w + η y x is right; the reply says so."""
    for number, step in enumerate(spam.when("mistake")):
        at = Moment(spam, int(step))
        task = asked(Task(TaskKind.STEP), [at])
        slip = likely_slip(task, at)
        assert slip is not None and slip[1] == "Add, not subtract."
        before, after = (spam[int(step) - 1 + k].state.w for k in (0, 1))
        shown = [float(text.replace("−", "-")) for text in answers_in(slip[0], len(task.blanks))]
        assert np.allclose(shown, (2 * before - after)[: len(shown)], atol=0.011), number
        assert not task.reply(answers_in(slip[0], len(task.blanks))).right


def test_the_likeliest_wrong_candidate_has_the_next_best_score() -> None:
    """AIMA: Patrons has 0.541 bits, Type none; of the columns, Hungry comes next with 0.196."""
    trace = run(Document(textbook("restaurant"), (lane("decision_tree"),)))
    at = Moment(trace, int(trace.when("split")[0]))
    slip = likely_slip(asked(Task(TaskKind.COLUMN), [at]), at)
    choice = trace[at.cursor].choice
    assert slip is not None and choice is not None
    scores = sorted(((each.score, each.label) for each in choice.options), reverse=True)
    assert scores[0][1] == "Patrons" and slip[0] == scores[1][1]
    assert slip[1].startswith(f"{slip[0]} has 0.") and "Patrons has 0.5409 (bits)." in slip[1]


LANES = 3
SIGN, VALUE = st.sampled_from(list(SIGNS)), st.integers(-99, 99).map(str)
LANE = st.sampled_from([ANY, *range(1, LANES + 1)])
WHAT = st.sampled_from(['metric("errors")', "wrong()", 'param("rate")', 'state("w")'])
ROWS = st.builds(Compared, WHAT, SIGN, VALUE, LANE)
ONE_FOR_ALL = st.builds(Compared, st.sampled_from(["rows", "added"]), SIGN, VALUE, st.just(1))
EVENTS = st.builds(
    Compared, st.just('event("mistake")'), st.sampled_from(["==", "!="]), st.just(""), LANE
)


@given(st.lists(st.one_of(ROWS, ONE_FOR_ALL, EVENTS), min_size=1, max_size=4))
def test_rows_of_a_condition_are_its_text(rows: list[Compared]) -> None:
    assert rows_of(text_of(rows, LANES), LANES) == tuple(rows)


def test_any_lane_is_met_by_one_of_them(spam: Trace) -> None:
    """Six e-mails: 4 wrong at first, none at the end."""
    begin, end = Moment(spam, 0), Moment(spam, len(spam) - 1)
    text = text_of([Compared("wrong()", "==", "0", ANY)], 2)
    assert text == "(wrong() == 0 or wrong(lane=2) == 0)"
    assert [still_missing(text, lanes) for lanes in ([begin, end], [end, begin])] == [[], []]
    (said,) = still_missing(text, [begin, begin])
    lacks = "6 rows are wrong in lane {}; none may be."
    assert said == " Or: ".join(map(lacks.format, "AB"))
    tree = run(Document(textbook("spam"), (lane("decision_tree"),)))
    found = offers_by_lane([begin, Moment(tree, 0)])
    own = [{what for what, _ in found[k]} for k in (ANY, 1, 2)]
    assert own[0] == own[1] & own[2] and 'event("mistake")' in own[1] - own[2]


def test_what_is_no_list_of_rows(spam: Trace) -> None:
    for text in ("wrong() == 0 or rows == 3", "metric(", 'metric("errors") + 1 == 2', "steps"):
        assert rows_of(text) is None
    assert rows_of(" ") == ()
    known = [what for what, _ in offers(Moment(spam, 0))]
    assert known[0] == 'metric("errors")' and {"wrong()", 'event("mistake")'} <= set(known)
    assert met_words(None, [Moment(spam, 0)]).startswith("No step of this run meets it")


def test_a_moment_is_lost_and_found_again(spam: Trace) -> None:
    """By its number, else the nearest one; nothing where the run has none."""
    before = run(Document(engine.generate("leaning_clouds"), (lane("perceptron"),)))
    last = int(before.when("mistake")[-1])
    where = places_at(before, last, STEP)[0]
    assert where.event == "mistake" and where.number == len(before.when("mistake"))
    seen = seen_at(where, before, STEP)
    assert lost(seen, where, before, STEP) == ""
    assert lost(seen, where, spam, STEP) == f"Step {seen.number} is no mistake any more."
    again = found_again(seen, where, spam, STEP)
    places = list(map(int, spam.when("mistake")))
    nearest = min(places, key=lambda place: abs(place - last))
    assert again.number == min(where.number, places.index(nearest) + 1)
    late = Where(step=number_of(before, len(before) - 1, STEP))
    assert "The run has no step" in lost(seen_at(late, before, STEP), late, spam, STEP)
    assert found_again(seen_at(late, before, STEP), late, spam, STEP).step == number_of(
        spam, len(spam) - 1, STEP
    )
    with pytest.raises(EngineError, match="no event “cycle”"):
        found_again(Seen(3, 3, "cycle"), where, spam, STEP)
