"""From the bytes of a file to a table, with what was guessed and why."""
