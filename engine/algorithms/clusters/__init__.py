"""Heaps in unlabelled examples: mixtures and clusters."""
