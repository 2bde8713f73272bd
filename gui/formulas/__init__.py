"""Formulas and the words round them, painted."""
