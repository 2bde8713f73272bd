"""Runs: recording the steps of a method, packing and forgetting them, and making them again."""
