"""The panels of the right dock that are read: pseudo-code, this step, “Why?”, the difference."""
