"""The foundations of the window: guarded overrides, plain text, settings."""
