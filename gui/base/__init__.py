"""What every part of the window builds on: guarded overrides, plain text, what settings hold."""
