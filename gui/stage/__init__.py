"""The stage: one or two views of a lane in the middle of the window, and the switcher that chooses
them.
"""
