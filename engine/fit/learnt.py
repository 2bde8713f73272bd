"""Runs a learner to its end as part of an experiment."""

from typing import Any

from engine.base.work import Work
from engine.protocol.params import build
from engine.protocol.registry import algorithm
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.runs.trace import Trace
from engine.table.problem import Problem

SLICE = 0.02  # seconds per slice; the job can be cancelled between slices


def learnt(key: str, problem: Problem, seed: int = 0, **params: Any) -> Work[Trace]:
    """The trace of the rounds of algorithm `key` with these parameters; raises its EngineErrors."""
    method = algorithm(key)
    chosen = build(method.params, params)
    run = Run(method, problem, chosen, seed, Pace(Level.ROUND, end=True))
    while not run.finished:
        run.advance(SLICE)
        yield
    return run.trace
