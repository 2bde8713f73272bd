"""The commands that open no window, each in a module, and what they share.

They are in `gui` because some of them draw. None imports Qt before it needs it.
"""
