"""Formulas and the words round them, laid out and painted."""
