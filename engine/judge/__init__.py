"""Judges models: errors, confusion, differences, the nearest flip of a label, questions."""
