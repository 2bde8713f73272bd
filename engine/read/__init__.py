"""Reads the bytes of a file as a table, and reports what it guessed and why."""
