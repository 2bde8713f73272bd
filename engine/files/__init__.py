"""Reads and writes the lab's files: projects, safety copies, tables, runs."""

SUFFIX = ".learnscope"  # of a project
PLAYLIST = ".playlist"
