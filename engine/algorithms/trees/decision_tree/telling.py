"""The moments of a growing decision tree as steps: state, words, choice and running numbers. AIMA Fig 18.5, 18.3.5."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.core.arrays import Float, Prefix, frozen
from engine.core.notation import plural
from engine.core.problem import Problem
from engine.core.records import quick, replace
from engine.core.step import Choice, Level, Note, Operand, Option, Step, late_note
from engine.core.sums import add_up
from engine.numerics.impurity import impurity_of
from engine.algorithms.trees.decision_tree.pruning import Deviation, HeldOut
from engine.algorithms.trees.parts.splits import TIE, Scores
from engine.algorithms.trees.parts.entries import Examples, branch_totals
from engine.algorithms.trees.parts.growth import Front, Growth, Picks, root_front
from engine.algorithms.trees.decision_tree.log import Decision, Division, Node, TreeLog, nodes_of, tree_at
from engine.algorithms.trees.parts.model import Tree, Why, predict
from engine.algorithms.trees.decision_tree import verdicts as verdict
from engine.algorithms.trees.decision_tree import phrases as say
from engine.algorithms.trees.decision_tree.phrases import TreeWords

_LONG_WAY = 3
_LINES = {Why.EMPTY: "empty", Why.PURE: "pure", Why.NO_TEST: "none", Why.STOPPED: "none"}
_NAN = float("nan")
_COUNTED = 200_000  # rows × tests where values are missing: with more wrong rows are counted at the end alone


@quick
@dataclass(frozen=True, slots=True)
class State:
    """The tree as a list of decisions.

    log: what was decided so far; nominal: which columns hold categories; current: node looked at or −1;
    column, point: its test looked at or taken, −1 and None without; options: the candidates scored so far
    """

    log: Prefix[Decision]
    nominal: tuple[bool, ...]
    current: int = -1
    column: int = -1
    point: float | None = None
    options: tuple[Option, ...] = ()

    @property
    def tree(self) -> Tree:
        """The tree as it is now, as arrays."""
        return tree_at(self.log, self.nominal)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes as they are now, parents before children."""
        return nodes_of(self.tree)


class Teller:
    """Makes the steps of one run. `front` is the root; `ledger` keeps the decisions."""

    def __init__(self, problem: Problem, growth: Growth) -> None:
        self.problem, self.growth = problem, growth
        self.words = TreeWords(problem)
        self.table = Examples.of(problem.X, problem.features, problem.codes, len(problem.classes))
        self.front = root_front(self.table, None, growth)
        self.nominal = tuple(not f.numeric for f in problem.features)
        self.ledger = TreeLog(self.front.totals[0], int(self.front.label[0]), bool(self.front.tied[0]))
        self._came: dict[int, tuple[int, str]] = {}
        self._rows = np.flatnonzero(problem.labelled)
        self._parted = bool(np.isnan(problem.X[self._rows]).any())  # rows that lack a value go down several branches
        self._counted = (-1, -1, 0)  # tests and nodes when the wrong rows were counted last, and how many there were

    @property
    def tree(self) -> Tree:
        return tree_at(self.ledger.log.prefix(), self.nominal)

    def step(
        self, line: str, node: int, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = (),
        choice: Choice | None = None, column: int = -1, point: float = _NAN, options: tuple[Option, ...] = (),
    ) -> Step[State]:  # fmt: skip
        point_or_none = None if point != point else float(point)
        state = State(self.ledger.log.prefix(), self.nominal, node, int(column), point_or_none, options)
        return Step(line, state, words, level, self.metrics(line == "prune" and node < 0), events, choice)

    def metrics(self, last: bool = False) -> dict[str, float]:
        """The running numbers. Where rows are shared out the log knows what the wrong parts of them weigh, but not how many
        rows are called wrong: those are counted, while that is quick and at the end."""
        known = self.ledger.metrics
        if not self._parted:
            return known
        if not last and len(self._rows) * self.ledger.tests > _COUNTED:
            return {name: value for name, value in known.items() if name != "errors"}
        return known | {"errors": float(self._wrong_rows())}

    def _wrong_rows(self) -> int:
        if self._counted[:2] != (self.ledger.tests, self.ledger.size):
            told = predict(self.tree, self.problem.X[self._rows])
            wrong = int(np.count_nonzero(told != self.problem.codes[self._rows]))
            self._counted = self.ledger.tests, self.ledger.size, wrong
        return self._counted[2]

    def start(self) -> Step[State]:
        words = late_note(say.start_note, self.words, self.front.totals[0], self.growth.rule.importance)
        return self.step("start", 0, words, Level.ROUND)

    def end(self, pruned: int | None) -> Step[State]:
        ledger = self.ledger
        counts = ledger.tests, ledger.leaves, self.metrics(True)["errors"]
        words = late_note(_end_note, self.words, ledger.log.prefix(), self.nominal, *counts, pruned)
        return self.step("prune", -1, words, Level.ROUND, ("done",))

    # -- growing ---------------------------------------------------------------------------------------------------

    def where(self, node: int) -> str:
        """The last few conditions on the way to a node."""
        found: list[str] = []
        while node in self._came and len(found) < _LONG_WAY:
            node, condition = self._came[node]
            found.append(condition)
        return ("… ∧ " if node in self._came else "") + " ∧ ".join(reversed(found))

    def enter(self, node: int, totals: Any) -> Step[State]:
        words = say.branch_note(self.words, self.where(node), np.asarray(totals, np.float64))
        return self.step("branch", node, words, Level.DETAIL)

    def leaf(self, front: Front, g: int, node: int, why: Why) -> Step[State]:
        """Node g of `front` becomes a leaf."""
        totals, label = np.asarray(front.totals[g], np.float64), int(front.label[g])
        tied = bool(front.tied[g])
        rule = self.growth.plurality
        words = say.leaf_note(
            self.words, why, self.where(node), totals, label, tied, rule, stop_words(self.growth, front.depth)
        )
        self.ledger.leaf(Decision(node, why))
        events = ("leaf", "plurality tie") if tied else ("leaf",)
        return self.step(
            _LINES[why],
            node,
            words,
            Level.STEP,
            events,
            self._plurality(np.asarray(front.voters[g], np.float64), label, rule) if tied else None,
        )

    def _plurality(self, totals: Float, label: int, rule: str) -> Choice:
        options = tuple(Option(self.problem.class_text(k), float(c)) for k, c in enumerate(totals))
        winners = tuple(int(k) for k in np.flatnonzero(totals >= totals.max() - TIE))
        said = "equal counts: " + ("drawn by the seed" if rule == "random" else "the first class in order")
        return Choice("Which class do most examples have?", options, winners, label, said, "examples", digits=2)

    def candidates(self, front: Front, g: int, node: int, scores: Scores) -> Iterator[Step[State]]:
        """One step for each attribute that is not spent: its gain by hand."""
        here, totals = front.only(g), np.asarray(front.totals[g], np.float64)
        made: tuple[Option, ...] = ()
        for column, option in self._options(front, g, scores):
            made = (*made, option)
            point = float(scores.point[g, column])
            branches = branch_totals(self.table, here.sample, column, point)
            question = Operand(option.label, about=self._cut(column, point))
            words = say.candidate_note(question, option.detail, totals, branches, self.growth.rule.importance)
            yield self.step("score", node, words, Level.DETAIL, (), None, column, point, made)

    def _options(self, front: Front, g: int, scores: Scores) -> list[tuple[int, Option]]:
        unspent = np.flatnonzero(~front.used[g]).tolist()
        return [(j, self._option(j, float(scores.worth[g, j]), float(scores.point[g, j]))) for j in unspent]

    def _cut(self, column: int, point: float, otherwise: str = "") -> str:
        """The tag of a test looked at: the plane draws split points of its own columns, others have only their node."""
        return "cut" if column in self.problem.plane and not np.isnan(point) else otherwise

    def _option(self, column: int, worth: float, point: float) -> Option:
        label = self.words.question(column, point)
        if worth > -np.inf:
            return Option(label, worth)
        ratio = self.growth.rule.importance == "ratio"
        return Option(label, _NAN, "", "split information is 0" if ratio else "all in one branch")

    def split(
        self, front: Front, g: int, node: int, scores: Scores, picks: Picks, children: Front, part: slice
    ) -> Step[State]:
        """Node g of `front` gets its test; `part` of `children` are its branches."""
        column, point = int(picks.column[g]), float(picks.point[g])
        totals = frozen(children.totals[part], np.float64)
        ties = int(picks.winners[g].sum())
        row = (totals, frozen(children.label[part], np.intp), frozen(children.tied[part], np.bool_))
        made = Division(node, Why.TEST, column, point, float(picks.gain[g]), ties, self.ledger.size, *row)
        own, label = front.totals[g].tolist(), int(front.label[g])
        below, labels = totals.tolist(), row[1].tolist()
        told = add_up(own) * impurity_of(own) - add_up(add_up(c) * impurity_of(c) for c in below)
        right = add_up(c[k] for c, k in zip(below, labels, strict=True))
        first = self.ledger.split(made, told, right - own[label] + add_up(own) - add_up(map(add_up, below)))
        for b in range(len(totals)):
            self._came[first + b] = (node, self.words.condition(column, point, b))
        return self.step("choose", node, self._split_note(front, g, node, picks, ties), Level.ROUND, split_events(ties),
                         self._choice(front, g, scores, picks), column, point)  # fmt: skip

    def _split_note(self, front: Front, g: int, node: int, picks: Picks, ties: int) -> Note:
        column, point = int(picks.column[g]), float(picks.point[g])
        branches = branch_totals(self.table, front.only(g).sample, column, point)
        totals, importance = np.asarray(front.totals[g], np.float64), self.growth.rule.importance
        question = Operand(self.words.question(column, point), about=self._cut(column, point, "current"))
        return say.split_note(question, self.where(node), ties, self.growth.ties, totals, branches, importance)

    def _choice(self, front: Front, g: int, scores: Scores, picks: Picks) -> Choice:
        pairs = self._options(front, g, scores)
        columns, taken = [j for j, _ in pairs], int(picks.column[g])
        about = self._cut(taken, float(picks.point[g]), "current")
        options = tuple(replace(o, about=about) if j == taken else o for j, o in pairs)
        winners = tuple(i for i, j in enumerate(columns) if picks.winners[g, j])
        drawn = "drawn by the seed" if self.growth.ties == "random" else "the first column in the table"
        prompt = {"gain": "Gain", "ratio": "Gain ratio", "gini": "Drop of impurity"}[self.growth.rule.importance]
        return Choice(
            prompt, options, winners, columns.index(taken),
            f"equal importance: {drawn}" if len(winners) > 1 else "",
            "bits" if self.growth.rule.importance == "gain" else "",
        )  # fmt: skip

    def told(self, decision: Division, told: float, mended: float) -> Step[State]:
        """A test that was found without steps, told in few words."""
        ledger, importance = self.ledger, self.growth.rule.importance
        ledger.split(decision, told, mended)
        column, point = decision.column, decision.point
        words = late_note(say.told_note, self.words, column, point, decision.gain, importance)
        state = State(ledger.log.prefix(), self.nominal, decision.node, column, None if point != point else point)
        return Step("choose", state, words, Level.ROUND, self.metrics(), split_events(decision.ties))

    # -- pruning ---------------------------------------------------------------------------------------------------

    def weighed(
        self, tree: Tree, node: int, found: Deviation | HeldOut, cut: bool, level: float, branches: Float
    ) -> Step[State]:
        """A test that stays or has become a leaf."""
        column, point = int(tree.column[node]), float(tree.point[node])
        question, label = self.words.question(column, point), self.problem.class_text(int(tree.label[node]))
        tie = say.tie_words(self.growth.plurality, " among its examples") if tree.tied[node] else ""
        if isinstance(found, Deviation):
            words = verdict.chi_note(question, label, tie, branches, found, level)
            options = (Option(f"Δ of {question}", found.delta), Option("critical value", found.critical))
            choice = Choice("Is it more than chance?", options, (int(cut),), int(cut), digits=3)
        else:
            words = verdict.held_out_note(question, label, tie, found)
            options = (Option(f"keep {question}", found.kept), Option(f"leaf {label}", found.leaf))
            winners = (0, 1) if found.tied else (int(cut),)
            rule = "equal errors: the smaller tree" if len(winners) > 1 else ""
            choice = Choice("Which makes fewer held-out errors?", options, winners, int(cut), rule, "errors", True, 2)
        events = ("prune",) if cut else ("keep",)
        return self.step("prune", node, words, Level.ROUND, events, choice, column, point)

    def new_leaf_ties(self, tree: Tree, node: int) -> Step[State]:
        """The classes of a leaf that pruning has left are equally many; AIMA 18.3.5 does not say which it takes."""
        totals, label, rule = np.asarray(tree.totals[node], np.float64), int(tree.label[node]), self.growth.plurality
        words, choice = verdict.tie_note(self.words, totals, label, rule), self._plurality(totals, label, rule)
        return self.step("prune", node, words, Level.STEP, ("plurality tie",), choice)


def _end_note(
    words: TreeWords, log: Prefix[Decision], nominal: tuple[bool, ...], tests: int, leaves: int, wrong: float,
    pruned: int | None,
) -> Note:  # fmt: skip
    tree = tree_at(log, nominal) if leaves <= verdict.MOST_RULES else None
    return verdict.end_note(words, tree, tests, leaves, wrong, pruned)


def split_events(ties: int) -> tuple[str, ...]:
    return ("split", "tie") if ties > 1 else ("split",)


def stop_words(growth: Growth, depth: int) -> str:
    """The stopping rule that ended a branch, as the beginning of a sentence."""
    limit = f"{growth.limit:g}"
    no_gain = {
        "gain": f"No attribute gains more than {limit} {plural(growth.limit, 'bit')}",
        "ratio": f"The test of best gain ratio gains no more than {limit} {plural(growth.limit, 'bit')}",
        "gini": f"No attribute lowers the Gini impurity by more than {limit}",
    }[growth.rule.importance]
    return {
        "entropy": f"The entropy is below {limit} {plural(growth.limit, 'bit')}",
        "size": f"There are fewer than {limit} {plural(growth.limit, 'example')}",
        "no-gain": no_gain,
        "depth": f"The depth {depth} is reached",
        "nodes": f"A count of {limit} {plural(growth.limit, 'node' if growth.count_all else 'test')} has no room for the next test",
    }.get(growth.stop, "")
