"""What documents pose is the same object as long as it is the same, and of very many rows little is
held.
"""

import gc
import weakref

import numpy as np
import pytest

from engine.document import edits
from engine.document.document import Document
from engine.document.lane import lane
from engine.table.dataset import Dataset
from engine.table.problem import Problem
from engine.table.row_words import MANY
from gui.session.prepared import Prepared


def document(rows: int) -> Document:
    X = np.random.default_rng(3).normal(size=(rows, 2))
    return Document(
        Dataset.from_arrays(X, np.where(X[:, 0] > 0, "in", "out")), (lane("perceptron"),)
    )


def dragged(
    prepared: Prepared, before: Document, shown: Problem | None
) -> tuple[Document, Problem]:
    after = edits.move_points(before, np.array([3]), np.array([[0.5, 0.25]]))
    problem, notices = prepared.of(after, [shown])
    assert isinstance(problem, Problem)
    assert not notices
    return after, problem


def problem_of(prepared: Prepared, about: Document) -> Problem:
    problem, _ = prepared.of(about, [])
    assert isinstance(problem, Problem)
    return problem


@pytest.mark.parametrize(("rows", "held"), [(50, 4), (MANY + 1, 2)])
def test_a_drag_over_very_many_rows_holds_the_problems_of_its_last_two_moves(
    rows: int, held: int
) -> None:
    prepared = Prepared()
    about = document(rows)
    problem = problem_of(prepared, about)
    alive = list[weakref.ref[Problem]]()
    for _ in range(3):
        alive.append(weakref.ref(problem))
        about, problem = dragged(prepared, about, problem)
    gc.collect()
    assert sum(each() is not None for each in alive) + 1 == held


@pytest.mark.parametrize("rows", [50, MANY + 1])
def test_undo_and_another_method_find_the_problem_again(rows: int) -> None:
    prepared = Prepared()
    about = document(rows)
    problem = problem_of(prepared, about)
    after, _ = dragged(prepared, about, problem)
    assert prepared.of(about, []) == (problem, "")
    sampled = after.with_lane(0, key="nearest_neighbours", params=lane("nearest_neighbours").params)
    assert problem_of(prepared, sampled).n == min(rows, MANY)
