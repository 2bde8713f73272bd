"""What AdaBoost says."""

from engine.algorithms.ensembles.adaboost import State, notes
from engine.algorithms.ensembles.adaboost.setting import Params, Setting
from engine.algorithms.ensembles.adaboost.votes import vote_explanation
from engine.authoring import Choice, Explanation, Float, Note
from engine.algorithms.ensembles.adaboost.learners import LeafTie

SUMMARY = (
    "Teaches weak learners one after the other. Each round the examples that the last one got wrong gain weight, so the "
    "next one looks at them; in the end all vote, the better ones with more weight."
)
ERRATA = (
    "AIMA Fig 18.34 prints z = log(1 − error)/error. With error 1/6 that is −1.09, a vote against a good learner; the "
    "bracket belongs round the fraction, z = log[(1 − error)/error] = 1.61, and that is what runs here.",
    "The figure is silent about error = 0 (z would be infinite, all weights 0) and error ≥ ½ (z would be 0 or less): "
    "here the first gets all the vote and both end the run.",
    "AIMA 18.10 promises training error 0 for enough rounds. That needs a weak learner that is right on more than half "
    "of the weight in every round, whatever the weights are.",
)


def chips(p: Params) -> tuple[str, ...]:
    kind = {"stump": "stumps", "tree": f"trees of depth {p.depth}", "line": "lines"}[p.learner]
    return (kind, *(("copies",) if p.copies == "replicated" else ()))


def init(given: Setting, s: State) -> Note:
    return notes.init_note(int(given.problem.labelled.sum()))


def loop(given: Setting, s: State) -> Note:
    return notes.loop_note(s.round, given.p.rounds)


def learn(given: Setting, s: State, tied: tuple[int, ...], leaves: tuple[LeafTie, ...]) -> tuple[Note, Choice | None]:
    assert s.learner is not None
    copied = None if s.copies is None else (int(s.copies.sum()), given.size)
    said = notes.learn_note(given.problem, s.round, s.learner, s.candidates, tied, copied, leaves)
    choice = given.problem, given.p.criterion, s.candidates, tied, given.p.learner == "tree"
    return said, notes.learn_choice(*choice) if s.candidates else None


def error(given: Setting, s: State) -> Note:
    return notes.error_note(given.problem, s)


def stop(given: Setting, s: State) -> Note:
    """Error 0: that learner has all the vote. Error ≥ ½: its vote would count nothing, or against it."""
    assert s.learner is not None
    if s.error == 0:
        return notes.perfect_note(s.round, s.learner, given.problem)
    return notes.no_edge_note(given.problem, s.round, s.error)


def reweight(given: Setting, s: State, before: Float) -> Note:
    return notes.reweight_note(given.problem, before, s)


def normalise(given: Setting, s: State) -> Note:
    return notes.normalise_note(given.problem, s)


def z(given: Setting, s: State) -> Note:
    assert s.learner is not None
    return notes.vote_note(given.problem, s, s.learner, s.z[-1], s.errors, s.bound)


def return_(given: Setting, s: State, ties: int) -> Note:
    return notes.return_note(given.problem, s.z, s.errors, ties)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    return vote_explanation(given.problem, s.learners, s.z, x)
