"""Lessons in the window: the page beside the lab, the list of all, marks, and writing one."""
