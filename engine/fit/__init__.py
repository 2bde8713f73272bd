"""Independent fits on all cores, for experiments and methods that make many."""
