"""The dock at the right: pseudo-code, the sentence and formula of the step, why this label."""
