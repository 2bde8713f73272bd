"""Lessons: pages over a run, with tasks that the run itself judges; what students hand in."""

SUFFIX = ".lesson"  # of a lesson that brings tables or pictures: a zip
HANDIN = ".handin"
