"""The lanes in the middle of the window, each with a stage that shows one or two of its views."""
