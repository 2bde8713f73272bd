"""The state of the window: what is shown and when, with signals for every change."""
